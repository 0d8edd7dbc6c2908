/**
 * The tables that are compared, each twice: as the doors show it, and a twin that no door and no rule knows, on which
 * PostgreSQL alone says what an account sees. Every change is made to both.
 */
import type pg from "pg";
import type { TestDatabase } from "../../support/databases.ts";
import { until } from "../../support/until.ts";

export interface Account {
  readonly name: string;
  /** Its `properties.kind`, which a rule compares. */
  readonly kind: number;
}

/** `boss` is a super user, `keeper` the role that owns the tables of `team`; `anonymous` has not signed in. */
export const ACCOUNTS: readonly Account[] = ["ann", "bob", "cy", "dee", "eve", "boss", "keeper", "anonymous"].map(
  (name, index) => ({ name, kind: index % 3 }),
);
export const GROUP = "crew";
/** Those that come into the group and leave it. */
export const MEMBERS = ["ann", "bob", "cy", "dee", "eve"];

export const authorOf = ({ name }: TestDatabase): string => `differential_author_${name}`;

export const roleOf = (database: TestDatabase, account: string): string =>
  account === "keeper" ? authorOf(database) : `${account}@${database.name}`;

/** `team` belongs to an author, `open` to a trusted role. */
export const SCHEMAS = ["open", "team"] as const;
export type Schema = (typeof SCHEMAS)[number];

export interface Relation {
  readonly schema: Schema;
  readonly table: string;
  /** `open.plain` */
  readonly name: string;
  /** All but the geometry. */
  readonly columns: readonly string[];
  readonly hasPolicy: boolean;
  /** The table whose rules and policies hold. */
  readonly beneath: string;
  readonly isVersioned: boolean;
  readonly isView: boolean;
  readonly hasWorkflow: boolean;
  /** Whether ways write it, each as it was. */
  readonly isWritten: boolean;
}

const COLUMNS = ["id", "n", "t", "kind", "owner", "secret"];
/** The columns, besides the geometry, that accounts without all columns are granted, if they exist. */
const SOME_COLUMNS = ["id", "n", "t", "parent_id"];
/** A view that reads as its caller. */
const HAS_INVOKER = 150_000;

export const twinOf = (schema: string): string => `${schema}_truth`;

export function someColumns({ columns }: Relation): string {
  return [...columns.filter((column) => SOME_COLUMNS.includes(column)), "geom"].join(", ");
}

/** Every relation of a world on this version of PostgreSQL. */
export function relationsOf(version: number): readonly Relation[] {
  const relation = (schema: Schema, table: string, more: Partial<Relation> = {}): Relation => ({
    schema,
    table,
    name: `${schema}.${table}`,
    columns: COLUMNS,
    hasPolicy: true,
    beneath: `${schema}.${table}`,
    isVersioned: false,
    isView: false,
    hasWorkflow: false,
    isWritten: false,
    ...more,
  });
  return SCHEMAS.flatMap((schema) => [
    relation(schema, "plain", { hasPolicy: false }),
    relation(schema, "guarded"),
    relation(schema, "edited", { isWritten: true }),
    relation(schema, "parts"),
    relation(schema, "calc", { hasPolicy: false, columns: [...COLUMNS, "g"] }),
    relation(schema, "parents", { hasPolicy: false }),
    relation(schema, "children", { columns: [...COLUMNS, "parent_id"] }),
    ...(version >= HAS_INVOKER
      ? [relation(schema, "seen", { hasPolicy: false, isView: true, beneath: `${schema}.guarded` })]
      : []),
    ...(schema === "open"
      ? [
          relation(schema, "kept", { isVersioned: true }),
          relation(schema, "logged", { isVersioned: true, isWritten: true }),
          relation(schema, "flow", { hasWorkflow: true }),
        ]
      : []),
  ]);
}

const TYPES = `n int, kind int, t text, owner text, secret text, geom geometry(Point, 4326)`;
const ROWS = `(id, n, kind, t, owner, secret, geom) select i, (i * 7) % 100, i % 3, case when i % 5 > 0 then 'row ' || i end,
  (array['ann', 'bob', 'cy', 'dee', 'eve', 'anonymous'])[1 + i % 6], 'secret ' || i, st_setsrid(st_makepoint(i, i % 10), 4326)
  from generate_series(1, 24) i`;

/** The values of a row, in SQL. */
export function valuesOf(id: number): Readonly<Record<string, string>> {
  const owner = ["ann", "bob", "cy", "dee", "eve", "anonymous"][id % 6]!;
  return {
    ...{ id: String(id), n: String((id * 7) % 100), kind: String(id % 3), t: id % 5 > 0 ? `'row ${id}'` : "null" },
    ...{ owner: `'${owner}'`, secret: `'secret ${id}'`, geom: `st_setsrid(st_makepoint(${id}, ${id % 10}), 4326)` },
  };
}

/** `$S` is the schema. */
const TABLES = (version: number): string => `
create table $S.members (kind int, account text);
insert into $S.members values (0, 'ann'), (1, 'ann'), (1, 'bob'), (2, 'cy'), (0, 'eve'), (2, 'anonymous');
create function $S.may(n int) returns boolean language plpgsql stable as $$ begin return n > 50; end $$;
create function $S.fine(word text) returns boolean language sql immutable as $$ select length(word) < 100 $$;
create function $S.twice(n int) returns int language sql immutable as $$ select n * 2 $$;
create domain $S.word as text check ($S.fine(value));
create table $S.plain (id int primary key, ${TYPES});
create table $S.guarded (id int primary key, ${TYPES});
create table $S.edited (id int primary key, ${TYPES});
create table $S.parts (id int, ${TYPES}, primary key (id, n)) partition by range (n);
create table $S.parts_low partition of $S.parts for values from (minvalue) to (50);
create table $S.parts_high partition of $S.parts for values from (50) to (maxvalue);
create table $S.calc (id int primary key, ${TYPES.replace("t text", "t $S.word")}, g int generated always as ($S.twice(n)) stored);
create table $S.parents (id int primary key, ${TYPES});
create table $S.children (id int primary key, ${TYPES}, parent_id int references $S.parents);
${["plain", "guarded", "edited", "parts", "calc", "parents", "children"].map((table) => `insert into $S.${table} ${ROWS};`).join("\n")}
update $S.children set parent_id = 1 + id % 8;
create function $S.calc_label(c $S.calc) returns text language sql stable as $$ select 'n is ' || c.n $$;
${["guarded", "edited", "parts", "children"].map((table) => `alter table $S.${table} enable row level security; create policy seen on $S.${table} using (true);`).join("\n")}
${
  version >= HAS_INVOKER
    ? `create view $S.seen with (security_invoker = true) as select * from $S.guarded where n > 10;
comment on view $S.seen is '@primaryKey id';`
    : ""
}
grant usage on schema $S to public; grant select on $S.members to public;`;

/** The table of each schema that has a style of this name beside its default one, whose classes are of this column. */
export const [STYLED, STYLE_NAME, STYLED_BY] = ["plain", "kinds", "kind"];
const KINDS = `[{"name": "One", "where": {"${STYLED_BY}": {"eq": 1}}, "styles": [{"color": "#ff0000"}]},
  {"name": "Others", "styles": [{"color": "#0000ff"}]}]`;

/** For whose rights tiles are made beforehand. */
export const SEEDED = ["ann", "bob", "cy", "dee", "eve", "anonymous"];

/** Whether tiles are made beforehand. */
export function isSeeded({ schema, isView, isWritten }: Relation): boolean {
  return schema === "open" && !isView && !isWritten;
}

/** Has the one tile that is compared made beforehand, of each table of `open`. Resolves when all are made, or may not be. */
export async function seedTiles({ client }: TestDatabase, relations: readonly Relation[]): Promise<void> {
  for (const { name } of relations.filter(isSeeded))
    for (const account of SEEDED)
      await client.query(
        "select portolan.seed_tiles($1, 0, account => $2) where portolan.pyramid_problem($1, $2) is null",
        [name, account],
      );
  await until(async () => {
    const { rows } = await client.query(
      "select from portolan.jobs where kind = 'tiles' and state in ('queued', 'running')",
    );
    return rows.length === 0;
  }, 60_000);
}

/** The tables of `open` with a history. */
const VERSIONED = ["kept", "logged"];
const KEPT = `create table $S (id int primary key, ${TYPES}); insert into $S ${ROWS};
alter table $S enable row level security; create policy seen on $S using (true);`;

/** With the columns that a workflow adds, so that the twin has them, too. */
const FLOW = `create table $S (id int primary key, ${TYPES}); insert into $S ${ROWS};
alter table $S enable row level security; create policy seen on $S using (true);`;
/** Of each third of the rows, drafts of two authors among them. */
const STATUSES = `update $S set portolan_status = 1 + id % 3,
  portolan_workflow = jsonb_build_object('author', (array['ann', 'bob'])[1 + id % 2])`;

/** From the one that sees least. */
export const WORKFLOW_ROLES = ["reader", "author", "reviewer", "publisher"] as const;
export const WORKFLOW_ROLE_OF: Readonly<Record<string, (typeof WORKFLOW_ROLES)[number]>> = {
  ann: "author",
  bob: "author",
  cy: "reviewer",
  dee: "publisher",
};

const filled = (text: string, schema: string): string => text.replaceAll("$S", schema);

/** A trusted owner's schema and an author's, with the twins. Gives the relations and the instant at which `kept` was as its twin. */
export async function buildWorld(
  database: TestDatabase,
): Promise<{ readonly relations: readonly Relation[]; readonly instant: string }> {
  const { client } = database;
  const author = authorOf(database);
  const version = Number((await client.query("show server_version_num")).rows[0].server_version_num);
  const relations = relationsOf(version);
  await client.query(`create role ${author} login; select portolan.create_user('${GROUP}', null)`);
  await client.query("select portolan.adopt_role('keeper', $1, properties => '{\"kind\": 0}')", [author]);
  for (const { name, kind } of ACCOUNTS)
    if (!["keeper", "anonymous"].includes(name))
      await client.query("select portolan.create_user($1, null, superuser => $2, properties => $3)", [
        name,
        name === "boss",
        { kind },
      ]);
  for (const schema of ["open", twinOf("open")]) {
    await client.query(`create schema ${schema}; ${filled(TABLES(version), schema)}`);
    for (const table of VERSIONED) await client.query(filled(KEPT, `${schema}.${table}`));
    await client.query(filled(FLOW, `${schema}.flow`));
  }
  await client.query(
    `alter table ${twinOf("open")}.flow add portolan_status int not null default 3, add portolan_workflow jsonb;
create table open.bell (id int primary key, n int not null); insert into open.bell values (1, 0); grant select on open.bell to public`,
  );
  for (const table of VERSIONED) await client.query(filled(KEPT, `${twinOf("open")}.${table}_then`));
  for (const schema of ["team", twinOf("team")]) {
    await client.query(`create schema ${schema} authorization ${author}; set session authorization ${author}`);
    await client.query(filled(TABLES(version), schema));
    await client.query("reset session authorization");
  }
  for (const table of VERSIONED) await client.query("select portolan.enable_versioning($1)", [`open.${table}`]);
  await client.query("select portolan.enable_workflow('open.flow')");
  for (const [account, role] of Object.entries(WORKFLOW_ROLE_OF))
    await client.query("select portolan.set_workflow_role('open.flow', $1, $2)", [account, role]);
  await client.query(`set session_replication_role = replica; ${filled(STATUSES, "open.flow")};
${filled(STATUSES, `${twinOf("open")}.flow`)}; reset session_replication_role`);
  const { rows } = await client.query("select to_json(clock_timestamp()) #>> '{}' as at");
  for (const schema of ["open", twinOf("open")])
    await client.query(`update ${schema}.kept set n = (n + 13) % 100, owner = (array['bob', 'ann', 'dee'])[1 + id % 3];
delete from ${schema}.kept where id in (2, 9)`);
  for (const schema of SCHEMAS)
    await client.query("select portolan.set_style($1, $2, $3)", [`${schema}.${STYLED}`, KINDS, STYLE_NAME]);
  for (const { table, q } of relations.flatMap(methodsOf))
    await client.query("insert into portolan.methods (method, q, published) values ($1, $2, true)", [table, q]);
  await shareTwins(client);
  return { relations, instant: rows[0].at };
}

/** Stored methods over a relation. */
function methodsOf({ schema, table, name }: Relation): { readonly table: string; readonly q: string }[] {
  return [
    { table: `${schema}_${table}.rows`, q: `select id, n, t from ${name} where n >= :least` },
    { table: `${schema}_${table}.secrets`, q: `select id, secret from ${name} where n >= :least` },
    { table: `${schema}_${table}.count`, q: `select count(*) as count from ${name} where n >= :least` },
  ];
}

/** Super users have the same rights on the twins as the gateway gives them on what it shows. */
export async function shareTwins(client: pg.Client): Promise<void> {
  await client.query("select portolan.share_with_owner($1)", [SCHEMAS.map(twinOf)]);
}
