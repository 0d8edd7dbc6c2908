/**
 * The version of a row: its place in the table and the transaction that wrote it, so that every change gives another one.
 * Where these cannot be read, as in views and under column grants, it is a hash of the columns that the caller may select.
 */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { primaryKeyOf, type TableResource } from "../tables/resources.ts";

/** The columns of a table that the caller may read. */
export interface VersionRights {
  /** Whether the caller may read all columns, system columns included. */
  readonly whole: boolean;
  /** The columns that the caller may select. */
  readonly columns: readonly string[];
}

/** A query of the caller's `VersionRights`, as one value of JSON text. */
export function rightsQuery({ codec }: TableResource): SQL {
  const table = sql`${sql.literal(sql.compile(codec.sqlType).text)}::pg_catalog.regclass`;
  return sql`select pg_catalog.json_build_object(
    'whole', c.relkind in ('r', 'p', 'm') and pg_catalog.has_table_privilege(c.oid, 'select'),
    'columns', array(select a.attname from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0
      and not a.attisdropped and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select') order by a.attnum)
  )::text from pg_catalog.pg_class c where c.oid = ${table}`;
}

/** Whether rows have system columns. Those of views and foreign tables have none. */
export function hasSystemVersion({ extensions }: TableResource): boolean {
  const { isView, isForeignTable } = (extensions ?? {}) as { isView?: boolean; isForeignTable?: boolean };
  return !isView && !isForeignTable;
}

/**
 * The version of a row of the table itself, for a caller who may select all of it. Two updates in one transaction
 * differ in ctid; a row that moves to another partition differs in tableoid. Immutable, since Citus calls nothing else with the
 * columns of a row that it updates.
 */
export function systemVersion(alias: SQL): SQL {
  return sql`(${alias}.xmin::text || '-' || ${alias}.ctid::text || '-' || ${alias}.tableoid::text)`;
}

function hash(alias: SQL, { columns }: VersionRights): SQL {
  const values = columns.map((column) => sql`${alias}.${sql.identifier(column)}`);
  return sql`pg_catalog.md5(row(${sql.join(values, ", ")})::text)`;
}

/** The version of a row of the table itself. */
export function rowVersion(rights: VersionRights, alias: SQL): SQL {
  return rights.whole ? systemVersion(alias) : hash(alias, rights);
}

/**
 * The version of a row of `alias`. `source`: `table`, rows of the table itself; `written`, rows that this request
 * wrote, whose version is looked up by their key; `copy`, past rows, or rows that a function made.
 */
export function versionToSql(
  resource: TableResource,
  rights: VersionRights,
  alias: SQL,
  source: "table" | "written" | "copy",
): SQL {
  if (!rights.whole || source === "copy") return hash(alias, rights);
  if (source === "table") return rowVersion(rights, alias);
  const key = primaryKeyOf(resource);
  if (!key) return hash(alias, rights);
  const own = sql.identifier(Symbol("own"));
  const same = key.map((name) => sql`${own}.${sql.identifier(name)} = ${alias}.${sql.identifier(name)}`);
  const found = sql`(select ${systemVersion(own)} from ${resource.from as SQL} as ${own} where ${sql.join(same, " and ")})`;
  return sql`coalesce(${found}, ${hash(alias, rights)})`; // a deleted row is not found
}

/** The condition that a row of the table has the version. */
export function hasVersion(rights: VersionRights, alias: SQL, version: string): SQL {
  const value = sql`${sql.value(version)}::text`;
  if (/^[0-9a-f]{32}$/.test(version)) return sql`${hash(alias, rights)} = ${value}`;
  return rights.whole ? sql`${systemVersion(alias)} = ${value}` : sql.false;
}
