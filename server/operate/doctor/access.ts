/** Checks of rights: of the login, of the accounts, and of the code of others. */
import type pg from "pg";
import type { Finding } from "../../ground/finding.ts";
import { quoteIdentifier } from "../../kernel/database/database.ts";
import { one, REPAIR, repairedBy } from "./check.ts";

export async function loginRights(client: pg.Client): Promise<Finding[]> {
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
      text: row.owns === null ? `${name} owns no table` : `${name} owns ${row.owns}, and so bypasses its row security`,
      remedy: separate,
    },
    {
      ok: !row.inherits,
      text: row.inherits
        ? `${name} inherits the rights of accounts`
        : `${name} has the rights of an account only while it acts as that account`,
      remedy: [`alter role ${name} noinherit;`],
    },
  ];
}

export async function roles(client: pg.Client): Promise<Finding> {
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

export async function ownerRights(
  client: pg.Client,
  schemas: readonly string[] | undefined,
): Promise<readonly Finding[]> {
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
  return [repairedBy(rows, "super users have their rights on all exposed objects", broken)];
}

/** Each way around the rules, and each place where they cannot be enforced. */
export async function rulesHold(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ finding: string; remedy: string }>(
    "select finding, remedy from portolan.access_findings()",
  );
  if (rows.length === 0) return [{ ok: true, text: "rules hold on every path", remedy: [] }];
  return rows.map(({ finding, remedy }) => ({ ok: false, text: finding, remedy: remedy.split("\n") }));
}

/**
 * Relations that super users may read, and that run code of roles which are not trusted when they are read, or functions of
 * trusted roles whose bodies Portolan does not read.
 */
export async function codeOfAuthors(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ reader: string; trusted: boolean; relations: number; some: string }>(`
select c.reader, coalesce(portolan.is_trusted(to_regrole(quote_ident(c.reader))), false) as trusted, count(*)::int as relations,
  array_to_string((array_agg(c.object::regclass::text order by 1))[:5], ', ') as some
from portolan.code_reach() c
where c.kind = 'r' and c.reads = 'a' and c.reader is not null
  and has_table_privilege(portolan.role_name('owner'), c.object, 'select')
group by c.reader
order by c.reader`);
  return rows.map(({ reader, trusted, relations, some }) => {
    const reads = `a super user who reads ${some}${relations > 5 ? ` or ${relations - 5} others` : ""}`;
    return trusted
      ? {
          ok: false,
          text: `${reads} can run code of untrusted roles: Portolan does not read the bodies of some functions of ${reader}`,
          remedy: [
            "portolan code-owners <relation> names them; add those that run no code of other roles to trustedFunctions",
          ],
        }
      : {
          ok: false,
          text: `${reads} runs code of the untrusted role ${reader}`,
          remedy: ["portolan code-owners <relation> shows that code; if you trust the role, add it to trustedOwners"],
        };
  });
}

/** Requests leave out schemas where an untrusted role could create an operator, so that such an operator never runs. */
export async function searchPath(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ schema: string; planter: string; statement: string }>(`
select p.schema, p.planter,
  case
    when n.nspowner = to_regrole(quote_ident(p.planter)) then format('alter schema %I owner to %I', p.schema, d.owner)
    else format('revoke create on schema %I from %s', p.schema, case p.planter when 'public' then 'public' else quote_ident(p.planter) end)
  end as statement
from portolan.search_path_parts((select reset_val from pg_settings where name = 'search_path')) p
  join pg_namespace n on n.nspname = p.schema
  cross join (select pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()) d
where p.planter is not null
order by p.place`);
  const who = rows.map(({ schema, planter }) => `${planter} may create in schema ${schema}`).join(", ");
  return repairedBy(
    rows,
    "the search_path of requests is that of the database",
    `the search_path of requests leaves out schemas where others may create operators and functions, and reads of tables with types of extensions there need logins of accounts: ${who}`,
  );
}

/** Shared resources that SQL of accounts may use up. */
export async function openDoors(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ statement: string }>("select statement from portolan.open_doors()");
  return repairedBy(
    rows,
    "SQL of accounts can make no large objects, advisory locks or temporary tables, and read no statistics of PostGIS",
    "SQL of accounts can make large objects, advisory locks or temporary tables, or read statistics of PostGIS, until a superuser closes them",
  );
}

/** The rights that the owner of Portolan needs to list and cancel statements of others. */
export async function seesStatements(client: pg.Client): Promise<Finding> {
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
        ? "running statements can be listed and cancelled"
        : `the statements of others cannot be listed and cancelled: the owner of Portolan, ${owner}, lacks ${missing.join(", ")}`,
    remedy: [`grant ${missing.join(", ")} to ${owner};`],
  };
}

/** A public client with the password grant, no consent, and a refresh token that stays valid: RFC 9700 §2.2.2, §2.4. */
export async function legacyClient(client: pg.Client): Promise<Finding[]> {
  const { there } = await one<{ there: boolean }>(
    client,
    "select exists (select from portolan.clients c where c.id = 'gc2-cli' and not c.disabled) as there",
  );
  if (!there) return [];
  const text =
    "the client gc2-cli takes passwords without a secret, asks for no consent, and keeps its first refresh token: disable it when no tool needs it";
  return [{ ok: false, text, remedy: [`npx portolan client change gc2-cli '{"disabled": true}'`] }];
}
