/** Checks of schema portolan: whether it is there, whole, and as its migrations left it. */
import type pg from "pg";
import type { Finding } from "../../ground/finding.ts";
import { one, REPAIR } from "./check.ts";

/** The rights that the login needs for the other checks; a restore may have lost them. */
export async function accessToPortolan(client: pg.Client): Promise<Finding> {
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
        ? `${login} may read Portolan's catalogue`
        : `${login} lacks rights in schema portolan, perhaps after a restore, so no interface answers`,
    remedy: [REPAIR, ...missing],
  };
}

export function upToDate(migrated: boolean): Finding {
  return {
    ok: migrated,
    text: migrated ? "schema portolan is up to date" : "schema portolan is missing or of another version",
    remedy: ["npx portolan migrate"],
  };
}

/** A dump has no roles, and a restore loses every grant and policy for a role that does not exist there. */
export async function restored(client: pg.Client): Promise<Finding> {
  const { is, missing } = await one<{ is: boolean; missing: string[] }>(
    client,
    "select portolan.is_restored() as is, array(select portolan.missing_parts()) as missing",
  );
  if (missing.length > 0)
    return {
      ok: false,
      text: `the database was restored only in part: it lacks ${missing.slice(0, 10).join(", ")}${missing.length > 10 ? ` and ${missing.length - 10} more` : ""}`,
      remedy: ["drop it and restore it again: docs/guides/backup.md"],
    };
  return {
    ok: !is,
    text: is
      ? "the database was restored or copied, and its roles, grants and policies were not repaired"
      : "the database was not restored or copied since its rights were recorded",
    remedy: [REPAIR],
  };
}

/** Compares roles, memberships and grants with those of a migration. */
export async function rights(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ finding: string; statement: string }>(
    "select finding, statement from portolan.rights_to_mend()",
  );
  if (rows.length === 0)
    return [{ ok: true, text: "roles and grants are complete, and there are no others", remedy: [] }];
  return rows.map(({ finding, statement }) => ({ ok: false, text: finding, remedy: [statement] }));
}

/** Compares schema portolan with what the last migration left there. */
export async function ownParts(client: pg.Client): Promise<readonly Finding[]> {
  const { rows } = await client.query<{ part: string; what: "missing" | "changed" | "added"; remedy: string }>(
    "select part, what, remedy from portolan.changed_own_parts()",
  );
  if (rows.length === 0) return [{ ok: true, text: "schema portolan is as its migrations left it", remedy: [] }];
  const words = {
    missing: "is missing",
    changed: "differs from Portolan's own",
    added: "is in schema portolan, but is not Portolan's",
  };
  return rows.map(({ part, what, remedy }) => ({
    ok: false,
    ...(what === "added" && { severity: "warning" as const }),
    text: `the ${part} ${words[what]}`,
    remedy: remedy.split("\n"),
  }));
}

/** Checks that triggers, jobs and secrets agree with Portolan's own tables. */
export async function state(client: pg.Client): Promise<readonly Finding[]> {
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
