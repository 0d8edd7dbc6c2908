/** Types, a table with a column of each, and helpers that run SQL fragments over them. */
import assert from "node:assert/strict";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type pg from "pg";
import { GatewayError } from "../../server/ground/errors.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql } from "../../server/filter/toSql.ts";
import type { Column, Relation, Shape } from "../../server/filter/tree.ts";
import type { ColumnType, TypeKind } from "../../server/types/columnType.ts";

/** A type of `pg_catalog`. */
export function builtIn(kind: TypeKind, name: string, more: Partial<ColumnType> = {}): ColumnType {
  return { kind, schema: "pg_catalog", name, ...more };
}

export function arrayOf(element: ColumnType): ColumnType {
  return { kind: "array", schema: element.schema, name: `_${element.name}`, element };
}

export function geometry(srid: number, name = "geometry"): ColumnType {
  return { kind: "geometry", schema: "public", name, srid };
}

const int4 = builtIn("integer", "int4");
const text = builtIn("text", "text");
const timestamptz = builtIn("datetime", "timestamptz");
const numeric = builtIn("bigint", "numeric");

export const TYPES = {
  int2: builtIn("integer", "int2"),
  int4,
  int8: builtIn("bigint", "int8"),
  numeric,
  money: builtIn("bigint", "money"),
  float4: builtIn("float", "float4"),
  float8: builtIn("float", "float8"),
  bool: builtIn("boolean", "bool"),
  text,
  varchar: builtIn("text", "varchar"),
  bpchar: builtIn("text", "bpchar"),
  uuid: builtIn("text", "uuid"),
  inet: builtIn("text", "inet"),
  xml: builtIn("text", "xml"),
  bytea: builtIn("bytes", "bytea"),
  date: builtIn("datetime", "date"),
  time: builtIn("datetime", "time"),
  timestamptz,
  interval: builtIn("interval", "interval"),
  json: builtIn("json", "json"),
  jsonb: builtIn("json", "jsonb"),
  point: builtIn("geometric", "point"),
  line: builtIn("geometric", "line"),
  lseg: builtIn("geometric", "lseg"),
  box: builtIn("geometric", "box"),
  path: builtIn("geometric", "path"),
  polygon: builtIn("geometric", "polygon"),
  circle: builtIn("geometric", "circle"),
  int4range: builtIn("range", "int4range", { element: int4 }),
  numrange: builtIn("range", "numrange", { element: numeric }),
  tstzrange: builtIn("range", "tstzrange", { element: timestamptz }),
  textrange: { kind: "range", schema: "shop", name: "text range", element: text },
  int4multirange: builtIn("multirange", "int4multirange", { element: int4 }),
  int4s: arrayOf(int4),
  texts: arrayOf(text),
  jsonbs: arrayOf(builtIn("json", "jsonb")),
  points: arrayOf(builtIn("geometric", "point")),
  boxes: arrayOf(builtIn("geometric", "box")),
  mood: { kind: "text", schema: "shop", name: "Mood" },
  feeling: { kind: "text", schema: "shop", name: "feeling", base: { schema: "shop", name: "Mood" } },
  citext: { kind: "text", schema: "ext", name: "citext", operators: "ext" },
  positive: { kind: "integer", schema: "shop", name: "positive", base: { schema: "pg_catalog", name: "int4" } },
  address: {
    kind: "composite",
    schema: "shop",
    name: "address",
    attributes: [
      { name: "street", type: text },
      { name: "number", type: int4 },
    ],
  },
  located: {
    kind: "composite",
    schema: "shop",
    name: "located",
    attributes: [
      { name: "spot", type: builtIn("geometric", "point") },
      { name: "place", type: geometry(25832) },
    ],
  },
} as const satisfies Record<string, ColumnType>;

export type TypeName = keyof typeof TYPES;

/** Types, schemas and extensions, in schemas outside of every search_path. */
export const TYPES_SQL = `
create schema shop;
create schema ext;
create extension citext with schema ext;
create type shop."Mood" as enum ('sad', 'so-so', 'happy');
create domain shop.feeling as shop."Mood";
create type shop."text range" as range (subtype = text);
create type shop.address as (street text, number int4);
create type shop.located as (spot point, place public.geometry(Point, 25832));
create domain shop.positive as int4 check (value > 0);
`;

export async function makeTypes(client: pg.Client): Promise<void> {
  await client.query(TYPES_SQL);
  await client.query("set search_path to ''");
}

export function columnName(type: TypeName): string {
  return `${type} "column" $1`;
}

/** The SQL name of a type in TYPES. */
export function sqlName(type: ColumnType): string {
  const { schema, name } = type.kind === "array" ? type.element! : type;
  return `"${schema}"."${name}"${type.kind === "array" ? "[]" : ""}`;
}

export function shapeOf(
  schema: string,
  relation: string,
  columns: readonly Column[],
  relations: () => readonly Relation[] = () => [],
): Shape {
  return {
    schema,
    relation,
    column: (name) => columns.find((column) => column.name === name),
    related: (name) => relations().find((related) => related.name === name),
  };
}

/** The key and one column of each type, named after it. */
export const thingColumns: readonly Column[] = [
  { name: "id", type: int4, id: true },
  { name: "code", type: text, id: true },
  ...(Object.keys(TYPES) as TypeName[]).map((name) => ({ name, type: TYPES[name] as ColumnType })),
];
export const things = shapeOf("shop", "things", thingColumns);

export async function makeThings(client: pg.Client): Promise<void> {
  const columns = (Object.keys(TYPES) as TypeName[]).map((name) => `"${name}" ${sqlName(TYPES[name])}`);
  await client.query(`create table shop.things (id int4 primary key, code text, ${columns.join(", ")})`);
}

/** One value of an expression, as PostgreSQL writes it. */
export async function evaluate(client: pg.Client, expression: SQL): Promise<string | null> {
  const { text: statement, values } = sql.compile(sql`select (${expression})::pg_catalog.text as value`);
  const { rows } = await client.query<{ value: string | null }>(statement, values);
  return rows[0]!.value;
}

/** The ids of the rows of a shape's table that a filter keeps, in order. */
export async function matching(client: pg.Client, where: unknown, shape: Shape = things): Promise<number[]> {
  const filter = parseFilter(where, shape);
  const alias = sql.identifier(Symbol("t"));
  const condition = filter ? filterToSql(filter, alias) : sql.true;
  const from = sql.identifier(shape.schema, shape.relation);
  const { text: statement, values } = sql.compile(
    sql`select ${alias}.id from ${from} as ${alias} where ${condition} order by ${alias}.id`,
  );
  const { rows } = await client.query<{ id: number }>(statement, values);
  return rows.map(({ id }) => id);
}

/** Asserts that `action` throws a GatewayError of that code whose message matches. */
export function assertRefused(action: () => unknown, message: RegExp, code = "BAD_USER_INPUT"): void {
  assert.throws(action, (error: unknown) => {
    assert.ok(error instanceof GatewayError, String(error instanceof Error ? error.stack : error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    assert.ok(error.message.length < 1000, "a message stays short");
    return true;
  });
}
