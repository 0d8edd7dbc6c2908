/** The checks of a database for an operator, each with its remedy. Long, because it is the list of all checks. */
import type pg from "pg";
import type { DatabaseConfig } from "../../kernel/config.ts";
import { serverCertificateFindings } from "../certificate.ts";
import { readConnectionString, withLogin } from "../../kernel/connectionString.ts";
import {
  certificateOf,
  checkServers,
  checkStandbys,
  connectionProblem,
  makeClient,
  poolerFindings,
  poolLoginProblem,
  SET_JIT_OFF,
  quoteIdentifier,
} from "../../kernel/database/database.ts";
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import type { Finding, Severity } from "../../ground/finding.ts";
import { isMigrated } from "../migrate.ts";

const OLDEST_POSTGRES = 140_000;
const MOST_CLOCK_SECONDS = 5;
const REPAIR = "npx portolan migrate --repair-roles";

/** Checks one database under its gateway login. Throws when it does not answer. */
export async function diagnose(config: DatabaseConfig, schemas: readonly string[] | undefined): Promise<Finding[]> {
  const client = makeClient({ connectionString: config.url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(SET_JIT_OFF);
    await client.query("set lock_timeout = '2s'"); // somebody's DDL is no reason to wait for
    const mayAsk = await accessToPortolan(client);
    const migrated = !mayAsk.ok ? false : await isMigrated((text) => client.query(text));
    const checks: readonly Check[] = [
      ["error", "operating.md#supported-versions", serverVersion],
      ["error", "operating.md#poolers-and-standbys", () => connection(config)],
      ["error", "operating.md#several-servers", () => servers(config)],
      ["error", "operating.md#certificates", () => certificate(config, client)],
      ["error", "operating.md#poolers-and-standbys", () => pooler(config)],
      ["warning", "operating.md#standbys-for-reads", () => standbys(config)],
      ["error", "operating.md#supported-versions", postgis],
      ["error", "operating.md#back-up-and-restore", () => mayAsk],
      ...(mayAsk.ok ? [["error", "database.md", () => upToDate(migrated)] as const] : []),
      ["warning", "database.md", loginRights],
      ["warning", "gis.md", leakproof],
      ["warning", "operating.md#health-and-metrics", clock],
      ...(migrated ? checksOfMigrated(client, config, schemas) : []),
    ];
    const findings: Finding[] = [];
    for (const [severity, page, check] of checks)
      for (const finding of [await checked(check, client)].flat()) findings.push({ severity, page, ...finding });
    return findings;
  } finally {
    await client.end();
  }
}

/** Problems that schema portolan and its own tables show, which a start reports too. `client`: the gateway's login. */
export async function findingsOfOwn(client: pg.Client): Promise<readonly Finding[]> {
  const all = [await checked(rights, client), await checked(ownParts, client), await checked(state, client)];
  return all.flat().filter(({ ok }) => !ok);
}

/** Checks that only a migrated database can answer. */
function checksOfMigrated(client: pg.Client, config: DatabaseConfig, schemas: readonly string[] | undefined): Check[] {
  return [
    ["error", "operating.md#back-up-and-restore", restored],
    ["error", "operating.md#back-up-and-restore", rights],
    ["error", "operating.md#what-doctor-compares", ownParts],
    ["error", "operating.md#what-doctor-compares", state],
    ["warning", "database.md", pgcrypto],
    ["warning", "gis.md", unaccent],
    ["error", "operating.md#back-up-and-restore", roles],
    ["warning", "database.md", () => ownerRights(client, schemas)],
    ["error", "access.md", rulesHold],
    ["warning", "access.md", codeOfAuthors],
    ["warning", "database.md", openDoors],
    ["warning", "operating.md#requests-and-statements", seesStatements],
    ["error", "database.md", () => passwordsAreAsked(client, config)],
    ["error", "database.md", searchPath],
    ["warning", "tokens.md", legacyClient],
    ["error", "access.md", () => poolLogin(client, config)],
  ];
}

/** The severity of its findings, the page below docs/guides with more, and the check itself. */
type Check = readonly [Severity, string, Look];
type Look = (client: pg.Client) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;

/** A failed check is a finding itself, and hides no other. */
async function checked(check: Look, client: pg.Client): Promise<Finding | readonly Finding[]> {
  try {
    return await check(client);
  } catch (error) {
    if (sqlstateOf(error) === undefined) throw error; // the connection is gone
    return { ok: false, text: `could not look: ${(error as Error).message}`, remedy: [REPAIR] };
  }
}

async function one<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  const [row] = rows;
  if (!row) throw new Error(`no row: ${text}`);
  return row;
}

/** `fine` where the database lists no statement; else each statement repairs a part of `broken`. */
function mendedBy(rows: readonly { readonly statement: string }[], fine: string, broken: string): Finding {
  const ok = rows.length === 0;
  return { ok, text: ok ? fine : broken, remedy: rows.map(({ statement }) => `${statement};`) };
}

/** The rights that the login needs for the other checks; a restore may have lost them. */
async function accessToPortolan(client: pg.Client): Promise<Finding> {
  const { login, usage, execute, select } = await one<
    Record<"usage" | "execute" | "select", boolean | null> & { login: string }
  >(
    client,
    `
select
  quote_ident(session_user) as login,
  has_schema_privilege(to_regnamespace('portolan')::oid, 'usage') as usage,
  has_function_privilege((select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'portolan' and p.proname = 'rights_to_mend'), 'execute') as execute,
  (select bool_and(has_table_privilege(c.oid, 'select')) from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'portolan' and c.relname in ('migrations', 'code')) as select`,
  );
  const missing = [
    ...(usage === false ? ["grant usage on schema portolan to public;"] : []),
    ...(execute === false ? [`grant execute on function portolan.rights_to_mend() to ${login};`] : []),
    ...(select === false ? [`grant select on portolan.migrations, portolan.code to ${login};`] : []),
  ];
  return {
    ok: missing.length === 0,
    text:
      missing.length === 0
        ? `${login} may ask Portolan what there is`
        : `${login} lacks rights in schema portolan, so that no interface answers; as after a restore`,
    remedy: [REPAIR, ...missing],
  };
}

function upToDate(migrated: boolean): Finding {
  return {
    ok: migrated,
    text: migrated ? "schema portolan is up to date" : "schema portolan is missing or of another version",
    remedy: ["npx portolan migrate"],
  };
}

/** A dump has no roles, and a restore loses every grant and policy for a role that does not exist there. */
async function restored(client: pg.Client): Promise<Finding> {
  const { is, missing } = await one<{ is: boolean; missing: string[] }>(
    client,
    "select portolan.is_restored() as is, array(select portolan.missing_parts()) as missing",
  );
  if (missing.length > 0)
    return {
      ok: false,
      text: `the database was restored half way: it lacks ${missing.slice(0, 10).join(", ")}${missing.length > 10 ? ` and ${missing.length - 10} more` : ""}`,
      remedy: ["drop it, and restore it anew: docs/guides/backup.md"],
    };
  return {
    ok: !is,
    text: is
      ? "the database was restored or copied, and its roles, grants and policies were not written again"
      : "the database is the one whose rights were noted last",
    remedy: [REPAIR],
  };
}

/** Compares roles, memberships and grants with those of a migration. */
async function rights(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ finding: string; statement: string }>(
    "select finding, statement from portolan.rights_to_mend()",
  );
  if (rows.length === 0) return [{ ok: true, text: "roles and grants are all there, and no more of them", remedy: [] }];
  return rows.map(({ finding, statement }) => ({ ok: false, text: finding, remedy: [statement] }));
}

/** Compares schema portolan with what the last migration left there. */
async function ownParts(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ part: string; what: "missing" | "changed" | "added"; remedy: string }>(
    "select part, what, remedy from portolan.changed_own_parts()",
  );
  if (rows.length === 0) return [{ ok: true, text: "schema portolan is as its migrations left it", remedy: [] }];
  const words = {
    missing: "is missing",
    changed: "is not as Portolan made it",
    added: "is none of Portolan's, in its schema",
  };
  return rows.map(({ part, what, remedy }) => ({
    ok: false,
    ...(what === "added" && { severity: "warning" as const }),
    text: `the ${part} ${words[what]}`,
    remedy: remedy.split("\n"),
  }));
}

/** Compares triggers, jobs and secrets with Portolan's own tables. */
async function state(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ finding: string; remedy: string; isError: boolean }>(
    'select finding, remedy, is_error as "isError" from portolan.state_findings()',
  );
  if (rows.length === 0)
    return [
      { ok: true, text: "events, history and workflow are kept where they are on, and no job has failed", remedy: [] },
    ];
  return rows.map(({ finding, remedy, isError }) => ({
    ok: false,
    severity: isError ? "error" : "warning",
    text: finding,
    remedy: remedy.split("\n"),
  }));
}

async function serverVersion(client: pg.Client): Promise<Finding> {
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

async function connection({ url }: DatabaseConfig): Promise<Finding> {
  const problem = await connectionProblem(url);
  return {
    ok: problem === undefined,
    text: problem?.split(". ")[0] ?? "the connection leads to a primary, and sessions keep their settings",
    remedy: [problem?.split(". ").slice(1).join(". ") ?? ""],
  };
}

/** Each server of the connection string. */
async function servers({ url }: DatabaseConfig): Promise<Finding[]> {
  return (await checkServers(url)).flatMap(({ server, problem, remedy, isStandby, certificate }) => [
    {
      ok: problem === undefined,
      text: `${server} ${problem ?? `answers, as a ${isStandby ? "standby" : "primary"}`}`,
      remedy: [remedy],
    },
    ...serverCertificateFindings(certificate),
  ]);
}

/** For a single server; several are checked one by one. */
function certificate({ url }: DatabaseConfig, client: pg.Client): Finding[] {
  return readConnectionString(url).servers.length === 1 ? serverCertificateFindings(certificateOf(client)) : [];
}

/** Each standby. */
async function standbys({ url, replicaUrls }: DatabaseConfig): Promise<Finding[]> {
  return (await checkStandbys(url, replicaUrls ?? [])).flatMap(
    ({ server, problem, remedy, isForeign, certificate }) => [
      {
        ok: problem === undefined,
        ...(isForeign && { severity: "error" as const }),
        text: `the standby ${server} ${problem ?? "answers, and may be read from"}`,
        remedy: [remedy],
      },
      ...serverCertificateFindings(certificate),
    ],
  );
}

async function pooler({ url, pooledUrl }: DatabaseConfig): Promise<Finding[]> {
  if (pooledUrl === undefined) return [];
  const findings = await poolerFindings(pooledUrl, url);
  if (findings.length === 0) return [{ ok: true, text: "the pooler is in transaction mode", remedy: [] }];
  return findings.map(({ problem }) => {
    const [what = "", remedy = "look at DATABASE_URL and the pooler's configuration"] = problem.split(/: (?=set )/);
    return { ok: false, text: `the pooler ${what}`, remedy: [remedy] };
  });
}

/** These are findings of a start too. */
export async function poolLogin(client: pg.Client, { url, pooledUrl }: DatabaseConfig): Promise<readonly Finding[]> {
  const { there } = await one<{ there: boolean }>(
    client,
    "select to_regrole(quote_ident(portolan.pool_role())) is not null as there",
  );
  if (!there) return []; // which is told with the other roles
  const consequence = "code of trusted owners that requests run can read the signing key";
  if (pooledUrl !== undefined)
    return [{ ok: true, text: `requests go through the pooler on the gateway's login: ${consequence}`, remedy: [] }];
  const problem = await poolLoginProblem(url);
  const ok = problem === undefined;
  const text = ok
    ? "requests have a login of their own, which cannot read the signing key"
    : `the login of requests is refused, so that they use the gateway's own: ${consequence} (${problem})`;
  return [{ ok, text, remedy: ["let the login in by pg_hba.conf, with scram-sha-256, as the roles of accounts"] }];
}

async function postgis(client: pg.Client): Promise<Finding> {
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

async function loginRights(client: pg.Client): Promise<Finding[]> {
  const row = await one<{
    name: string;
    superuser: boolean;
    inherits: boolean;
    createrole: boolean;
    owns: string | null;
  }>(
    client,
    `
select
  r.rolname as name, r.rolsuper as superuser, r.rolinherit as inherits, r.rolcreaterole as createrole,
  (select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relowner = r.oid and c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema$)' limit 1) as owns
from pg_roles r
where r.rolname = session_user`,
  );
  const name = quoteIdentifier(row.name);
  const separate = [
    "create role portolan_gateway login noinherit password '…';",
    "DATABASE_URL=postgres://portolan_gateway:…@… OWNER_DATABASE_URL=postgres://owner:…@… npx portolan migrate",
  ];
  return [
    { ok: !row.superuser, text: `the login role ${name} is ${row.superuser ? "a" : "no"} superuser`, remedy: separate },
    {
      ok: row.owns === null,
      text: row.owns === null ? `${name} owns no table` : `${name} owns ${row.owns}, and so is above its row security`,
      remedy: separate,
    },
    {
      ok: !row.inherits,
      text: row.inherits
        ? `${name} inherits the rights of accounts`
        : `${name} has the rights of an account only while it acts as it`,
      remedy: [`alter role ${name} noinherit;`],
    },
  ];
}

async function leakproof(client: pg.Client): Promise<Finding> {
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
      : "row security switches the spatial index off, until a superuser marks && as leakproof",
    remedy: rows.length > 0 ? statements : ["create extension postgis;", "npx portolan migrate"],
  };
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { now } = await one<{ now: Date }>(client, "select clock_timestamp() as now");
  const seconds = Math.abs(now.getTime() - (before + Date.now()) / 2) / 1000;
  return {
    ok: seconds <= MOST_CLOCK_SECONDS,
    text: `the clocks of PostgreSQL and of this machine are ${seconds.toFixed(1)} s apart`,
    remedy: ["synchronise both by NTP: tokens are valid by the gateway's clock"],
  };
}

async function hasExtension(client: pg.Client, name: string): Promise<boolean> {
  const { there } = await one<{ there: boolean }>(
    client,
    `select exists (select from pg_extension where extname = '${name}') as there`,
  );
  return there;
}

async function unaccent(client: pg.Client): Promise<Finding> {
  const there = await hasExtension(client, "unaccent");
  return {
    ok: there,
    text: there
      ? "filters can compare without regard to accents"
      : "accenti of CQL2 filters is refused: unaccent is missing",
    remedy: ["create extension unaccent with schema portolan;"],
  };
}

async function pgcrypto(client: pg.Client): Promise<Finding> {
  const there = await hasExtension(client, "pgcrypto");
  return {
    ok: there,
    text: there ? "passwords can be set as text in SQL" : "passwords set in SQL must be hashes: pgcrypto is missing",
    remedy: ["create extension pgcrypto with schema portolan;"],
  };
}

async function roles(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ role: string; account: string }>(
    "select u.role, u.name as account from portolan.users u where to_regrole(quote_ident(u.role)) is null order by 1",
  );
  return {
    ok: rows.length === 0,
    text:
      rows.length === 0
        ? "every account has its role"
        : `roles are missing: ${rows.map(({ role }) => role).join(", ")}`,
    remedy: [REPAIR],
  };
}

async function ownerRights(client: pg.Client, schemas: readonly string[] | undefined): Promise<readonly Finding[]> {
  const { isThere } = await one<{ isThere: boolean }>(
    client,
    `select to_regrole(quote_ident(portolan.role_name('owner'))) is not null as "isThere"`,
  );
  if (!isThere) return []; // `rights` says so
  const { rows } = await client.query<{ statement: string }>(
    "select statement from portolan.share_with_owner(coalesce($1::text[], portolan.exposed_schemas())) statement where statement is not null",
    [schemas ?? null],
  );
  const broken = "super users lack rights that the owner of Portolan may not grant";
  return [mendedBy(rows, "super users have their rights on all that is exposed", broken)];
}

/** Everything that keeps rules from holding, or shows more than they allow. */
async function rulesHold(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ finding: string; remedy: string }>(
    "select finding, remedy from portolan.access_findings()",
  );
  if (rows.length === 0) return [{ ok: true, text: "rules hold everywhere, and from the start", remedy: [] }];
  return rows.map(({ finding, remedy }) => ({ ok: false, text: finding, remedy: remedy.split("\n") }));
}

/** Relations that super users may read, and that run code of roles which are not trusted when they are read. */
async function codeOfAuthors(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ reader: string; relations: number; some: string }>(`
select c.reader, count(*)::int as relations, array_to_string((array_agg(c.object::regclass::text order by 1))[:5], ', ') as some
from portolan.code_reach() c
where c.kind = 'r' and c.reads = 'a' and c.reader is not null
  and has_table_privilege(portolan.role_name('owner'), c.object, 'select')
group by c.reader
order by c.reader`);
  return rows.map(({ reader, relations, some }) => ({
    ok: false,
    text: `a super user who reads ${some}${relations > 5 ? ` or ${relations - 5} others` : ""} runs code of the role ${reader}, which is not trusted`,
    remedy: ["portolan code-owners <relation> says through what; name the role in trustedOwners where it is trusted"],
  }));
}

/** The rights that the owner of Portolan needs to list and cancel statements of others. */
async function seesStatements(client: pg.Client): Promise<Finding> {
  const { owner, missing } = await one<{ owner: string; missing: string[] }>(
    client,
    `
select quote_ident(o.rolname) as owner, array(
  select r from unnest('{pg_read_all_stats,pg_signal_backend}'::text[]) r where not pg_has_role(o.oid, r, 'usage')) as missing
from pg_proc p join pg_roles o on o.oid = p.proowner
where p.oid = 'portolan.list_statements()'::regprocedure`,
  );
  return {
    ok: missing.length === 0,
    text:
      missing.length === 0
        ? "what runs can be listed and cancelled"
        : `what others run cannot be listed and cancelled: the owner of Portolan, ${owner}, lacks ${missing.join(", ")}`,
    remedy: [`grant ${missing.join(", ")} to ${owner};`],
  };
}

/** Shared resources that SQL of accounts may use up. */
async function openDoors(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ statement: string }>("select statement from portolan.open_doors()");
  return mendedBy(
    rows,
    "SQL of accounts can make no large objects, advisory locks or temporary tables, and read no statistics of PostGIS",
    "SQL of accounts can make large objects, advisory locks or temporary tables, or read statistics of PostGIS, until a superuser closes them",
  );
}

/**
 * Connections that are logged in as an account are safe only where a wrong password is refused (pg_hba.conf). Only the
 * refusal of the password itself proves that it was checked: a role that may not log in is refused under `trust` too.
 */
export async function passwordsAreAsked(client: pg.Client, config: DatabaseConfig): Promise<Finding> {
  const { role } = await one<{ role: string }>(
    client,
    "select role from portolan.users order by own_login_version is null, name limit 1",
  );
  const intruder = makeClient({ connectionString: withLogin(config.url, role, "not the password") });
  const refusal: unknown = await intruder.connect().then(
    () => undefined,
    (error: unknown) => error,
  );
  await intruder.end().catch(() => undefined); // it was never connected
  const tried = refusal === undefined ? `${role} came in by a wrong one` : `a wrong one: ${(refusal as Error).message}`;
  const ok = sqlstateOf(refusal) === SQLSTATE.invalidPassword;
  return {
    ok,
    // without the role, which gets another name when a restored database is repaired
    text: ok ? "a wrong password is refused" : "the roles of accounts are not asked for their passwords",
    remedy: [`in pg_hba.conf, let roles of accounts in by scram-sha-256 only, never by trust or peer (${tried})`],
  };
}

/** A public client that takes passwords, asks nobody, and whose first refresh token stays good: RFC 9700 §2.2.2 and §2.4. */
async function legacyClient(client: pg.Client): Promise<Finding[]> {
  const { there } = await one<{ there: boolean }>(
    client,
    "select exists (select from portolan.clients c where c.id = 'gc2-cli') as there",
  );
  if (!there) return [];
  const text =
    "the client gc2-cli takes passwords without a secret, asks for no consent, and keeps its first refresh token: remove it when no tool needs it";
  return [{ ok: false, text, remedy: ["npx portolan client remove gc2-cli"] }];
}

/** Requests leave out the schemas in which a role that is not trusted could plant an operator, so that it never runs. */
async function searchPath(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ schema: string; planter: string; statement: string }>(`
select p.schema, p.planter,
  case
    when n.nspowner = to_regrole(quote_ident(p.planter)) then format('alter schema %I owner to %I', p.schema, d.owner)
    else format('revoke create on schema %I from %s', p.schema, case p.planter when 'public' then 'public' else quote_ident(p.planter) end)
  end as statement
from portolan.search_path_parts(current_setting('search_path')) p
  join pg_namespace n on n.nspname = p.schema
  cross join (select pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()) d
where p.planter is not null
order by p.place`);
  const who = rows.map(({ schema, planter }) => `${planter} may create in schema ${schema}`).join(", ");
  return mendedBy(
    rows,
    "the search_path of requests is that of the database",
    `the search_path of requests leaves schemas out, in which others may plant operators and functions: ${who}`,
  );
}
