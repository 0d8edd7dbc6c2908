/** Checks of PostgreSQL itself: its version, its clock, its extensions. */
import type pg from "pg";
import type { Finding } from "../../ground/finding.ts";
import { one } from "./check.ts";

const OLDEST_POSTGRES = 140_000;
const MOST_CLOCK_SECONDS = 5;

export async function serverVersion(client: pg.Client): Promise<Finding> {
  const { number, version } = await one<{ number: number; version: string }>(
    client,
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as version",
  );
  return {
    ok: number >= OLDEST_POSTGRES,
    text: `PostgreSQL ${version}`,
    remedy: ["upgrade to PostgreSQL 14 or later"],
  };
}

export async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { now } = await one<{ now: Date }>(client, "select clock_timestamp() as now");
  const seconds = Math.abs(now.getTime() - (before + Date.now()) / 2) / 1000;
  return {
    ok: seconds <= MOST_CLOCK_SECONDS,
    text: `the clocks of PostgreSQL and of this machine are ${seconds.toFixed(1)} s apart`,
    remedy: ["synchronise both by NTP: the validity of tokens follows the gateway's clock"],
  };
}

export async function postgis(client: pg.Client): Promise<Finding> {
  const { version } = await one<{ version: string | null }>(
    client,
    "select (select extversion from pg_extension where extname = 'postgis') as version",
  );
  const ok = version !== null && Number.parseInt(version) >= 3;
  return {
    ok,
    text: version === null ? "PostGIS is not installed" : `PostGIS ${version}`,
    remedy:
      version === null
        ? ["create extension postgis;"]
        : ["upgrade PostGIS to 3 or later: alter extension postgis update;"],
  };
}

export async function leakproof(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ statement: string | null }>(`
select case when not p.proleakproof then format('alter function %s leakproof;', p.oid::regprocedure) end as statement
from pg_proc p
  join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
  join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid and e.extname = 'postgis'
where p.proname in ('geometry_overlaps', 'geography_overlaps')
order by 1`);
  const statements = rows.flatMap(({ statement }) => statement ?? []);
  const ok = rows.length > 0 && statements.length === 0;
  return {
    ok,
    text: ok
      ? "row security keeps the spatial index (&& is leakproof)"
      : "row security disables the spatial index until a superuser marks && as leakproof",
    remedy: rows.length > 0 ? statements : ["create extension postgis;", "npx portolan migrate"],
  };
}

export async function unaccent(client: pg.Client): Promise<Finding> {
  const there = await hasExtension(client, "unaccent");
  return {
    ok: there,
    text: there
      ? "filters can compare without regard to accents"
      : "accenti of CQL2 filters is refused: unaccent is missing",
    remedy: ["create extension unaccent with schema portolan;"],
  };
}

export async function pgcrypto(client: pg.Client): Promise<Finding> {
  const there = await hasExtension(client, "pgcrypto");
  return {
    ok: there,
    text: there ? "passwords can be set as text in SQL" : "passwords set in SQL must be hashes: pgcrypto is missing",
    remedy: ["create extension pgcrypto with schema portolan;"],
  };
}

async function hasExtension(client: pg.Client, name: string): Promise<boolean> {
  const { there } = await one<{ there: boolean }>(
    client,
    `select exists (select from pg_extension where extname = '${name}') as there`,
  );
  return there;
}
