/**
 * The table of PostgreSQL's types: a row has what every door must know of a type, and each member what one door must
 * know. Arrays, ranges and composites are made of such types, and each door combines them itself. The file is long
 * because there are many types: it holds their rows, and the search for a row.
 */
import { box2dSql, box2dToJson, box2dToText } from "./box2d.ts";
import { baseOf, type ColumnType, type TypeKind, type TypeName } from "./columnType.ts";
import { isPathList, isPolygonList } from "./geometricText.ts";
import { graphqlValues, type GraphQLValue } from "./graphqlValue.ts";
import { hstoreToJson, hstoreToText } from "./hstore.ts";
import { enumScalar, scalars, type ScalarType } from "./scalars.ts";
import { sqlToJson, type SqlToJson } from "./sqlJson.ts";
import { outputs, structured, toJson, type Output, type ToJson } from "./textJson.ts";
import { canBe, toText, type ToText } from "./toText.ts";
import { xmlForms, type XmlForm } from "./xmlForm.ts";

/** A schema of JSON Schema, in the words that OpenAPI 3.0 has too. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How PostgreSQL compares values of a type. */
export type Compared =
  | "ordered" // by `=` and `<`
  | "equal" // by `=` alone
  | "operator" // by an `=` that it does not find for the elements of an array
  | "same" // by `~=`: `=` compares areas, or is missing
  | "json" // as jsonb
  | "text"; // as text: there is no equality

export interface TypeRow {
  readonly kind: TypeKind;
  /** JSON from any caller → the text that PostgreSQL reads. */
  readonly toText: ToText;
  /** Whether a list may be such a value, and not a further dimension of an array. Default false. */
  readonly isList?: (json: readonly unknown[]) => boolean;
  /** methods: what members of an object are called elsewhere. */
  readonly members?: Readonly<Record<string, string>>;
  /** PostgreSQL's text → JSON. Undefined: PostgreSQL must be asked. */
  readonly text: {
    readonly graphql?: ToJson | undefined;
    /** Events without GraphQL: as PostgreSQL's `to_json`. */
    readonly events?: ToJson | undefined;
    readonly methods: Output;
  };
  /** SQL → SQL from which `row_to_json` makes the JSON. Undefined: it must be made from the text. */
  readonly sql: {
    readonly graphql?: SqlToJson | undefined;
    readonly events: SqlToJson;
    readonly methods?: SqlToJson | undefined;
    /** Undefined: needs the reference system of the request. */
    readonly ogc?: SqlToJson | undefined;
  };
  /** The expressions that GraphQL's plans select for a value, and their conversion; `GraphQLValue` has the defaults. */
  readonly value: GraphQLValue;
  /** Name of the GraphQL type. */
  readonly graphqlName: string;
  readonly compared: Compared;
  /** Whether full text search looks into values: text, or the words of one. Default not. */
  readonly searched?: "text" | "words";
  /** Whether the type has `@>` and `<@`, which the filter calls `contains` and `containedBy`. Default not. */
  readonly hasContainment?: true;
  /** How values are compared in process; undefined: only PostgreSQL can. */
  readonly scalar?: ScalarType | undefined;
  /** TypeScript of what methods give. */
  readonly typescript: string;
  /** The same for input, where that accepts more. */
  readonly typescriptIn?: string;
  /** The OGC API's form of a value that is not null. */
  readonly schema: JsonSchema;
  /** GML's form of the same value. */
  readonly xml: XmlForm;
  /** How a spreadsheet holds a value. Default a text. */
  readonly cell?: "number" | "boolean";
  /** The parts of a date or time, for spreadsheets and patterns of dates. */
  readonly moment?: "date" | "time" | "timetz" | "timestamp";
  /** Whether a key in a request can be a value. Default: any text can; PostgreSQL decides. */
  readonly canBe?: (text: string) => boolean;
  /** Whether columnar formats hold a value as the 16 bytes that its text says. Default not. */
  readonly isGuid?: true;
  /** The delimiter of elements in an array. Default a comma. */
  readonly delimiter?: string;
  /** Whether PostgreSQL has arrays of it. Default true. */
  readonly hasArrays?: boolean;
}

const { asItIs } = sqlToJson;

/** The default: text in and text out. */
const OTHER: TypeRow = {
  kind: "text",
  toText: toText.text,
  text: { graphql: toJson.string, events: toJson.string, methods: outputs.string },
  sql: { graphql: asItIs, events: asItIs, ogc: asItIs },
  value: {},
  graphqlName: "String",
  compared: "ordered",
  typescript: "string",
  schema: { type: "string" },
  xml: xmlForms.string,
};

/** For types whose JSON from PostgreSQL equals the JSON that methods make of their text. */
const sameInMethods = { ...OTHER.sql, methods: asItIs };
const text: TypeRow = {
  ...OTHER,
  sql: sameInMethods,
  value: graphqlValues.verbatim,
  scalar: scalars.text,
  searched: "text",
};
const numberLike: TypeRow = { ...OTHER, toText: toText.numberLike };
const withoutEquality: TypeRow = { ...OTHER, compared: "text" };
/** Types of PostgreSQL's catalogue and statistics. */
const internal: TypeRow = { ...withoutEquality, hasArrays: false };

/** Written as `1 2`; PostgreSQL's own JSON has them as lists. */
const vector: TypeRow = {
  ...OTHER,
  text: { methods: outputs.string },
  sql: { ...OTHER.sql, graphql: sqlToJson.text },
  schema: { type: "array", items: {} },
};

const integer: TypeRow = {
  ...OTHER,
  kind: "integer",
  toText: toText.int4,
  text: { graphql: toJson.number, events: toJson.number, methods: outputs.asItIs },
  sql: sameInMethods,
  value: graphqlValues.integer,
  graphqlName: "Int",
  typescript: "number",
  schema: { type: "integer", format: "int32" },
  xml: xmlForms.int,
  cell: "number",
};

const bigint: TypeRow = {
  ...OTHER,
  kind: "bigint",
  text: { ...OTHER.text, events: toJson.number },
  sql: { ...OTHER.sql, graphql: sqlToJson.text },
  schema: { type: "number" },
  xml: xmlForms.decimal,
};

const float: TypeRow = {
  ...OTHER,
  kind: "float",
  toText: toText.decimal,
  text: { graphql: toJson.finite, events: toJson.number, methods: outputs.float },
  sql: { ...sameInMethods, graphql: sqlToJson.finite, ogc: sqlToJson.float },
  value: graphqlValues.float,
  graphqlName: "Float",
  typescript: "Float",
  typescriptIn: "number",
  xml: xmlForms.double,
  cell: "number",
};

const datetime: TypeRow = {
  ...OTHER,
  kind: "datetime",
  toText: toText.time,
  sql: sameInMethods,
  value: graphqlValues.datetime,
};

const timestamp: TypeRow = {
  ...datetime,
  toText: toText.timestamp,
  text: { graphql: toJson.timestamp, events: toJson.timestamp, methods: outputs.timestamp },
  graphqlName: "DateTime",
  xml: xmlForms.dateTime,
  moment: "timestamp",
};

const json: TypeRow = {
  ...OTHER,
  kind: "json",
  toText: toText.json,
  isList: () => true,
  text: { graphql: toJson.json, events: toJson.json, methods: outputs.json },
  value: graphqlValues.json,
  graphqlName: "JSON",
  compared: "json",
  hasContainment: true,
  typescript: "Json",
  schema: {},
};

function geometric(name: string, json: ToJson, ogc: SqlToJson, compared: Compared): TypeRow {
  return {
    ...OTHER,
    kind: "geometric",
    toText: toText.geometric,
    text: { methods: structured(json) },
    sql: { events: asItIs, ogc },
    value: graphqlValues.geometric(json),
    graphqlName: name,
    compared,
    typescript: name,
    schema: { type: "object" },
  };
}

/** PostgreSQL's own types, in `pg_catalog`. */
const BUILT_IN: Readonly<Record<string, TypeRow>> = {
  bool: {
    ...OTHER,
    kind: "boolean",
    toText: toText.boolean,
    text: { graphql: toJson.boolean, events: toJson.boolean, methods: outputs.boolean },
    sql: sameInMethods,
    value: graphqlValues.boolean,
    graphqlName: "Boolean",
    scalar: scalars.bool,
    typescript: "boolean",
    schema: { type: "boolean" },
    xml: xmlForms.boolean,
    cell: "boolean",
  },
  int2: {
    ...integer,
    toText: toText.int2,
    scalar: scalars.int2,
    schema: { type: "integer", minimum: -32_768, maximum: 32_767 },
    canBe: canBe.integer(16),
  },
  int4: { ...integer, scalar: scalars.int4, canBe: canBe.integer(32) },
  int8: {
    ...bigint,
    toText: toText.int8,
    text: { ...bigint.text, methods: outputs.asItIs },
    sql: { ...bigint.sql, methods: asItIs },
    scalar: scalars.int8,
    typescript: "number",
    typescriptIn: "number | string",
    schema: { type: "integer", format: "int64" },
    xml: xmlForms.long,
    cell: "number",
    canBe: canBe.integer(64),
  },
  numeric: {
    ...bigint,
    toText: toText.decimal,
    sql: { ...bigint.sql, methods: sqlToJson.text, ogc: sqlToJson.decimal },
    scalar: scalars.numeric,
    typescriptIn: "number | string",
    cell: "number",
    canBe: canBe.decimal,
  },
  money: {
    ...bigint,
    toText: toText.money,
    text: { events: toJson.string, methods: outputs.string },
    sql: { graphql: sqlToJson.moneyText, events: asItIs, ogc: sqlToJson.money },
    value: graphqlValues.money,
  },
  float4: { ...float, scalar: scalars.float4, schema: { type: "number", format: "float" } },
  float8: { ...float, scalar: scalars.float8, schema: { type: "number", format: "double" } },

  text,
  varchar: text,
  bpchar: { ...text, value: graphqlValues.padded, scalar: scalars.bpchar },
  name: text,
  uuid: { ...text, scalar: scalars.uuid, schema: { type: "string", format: "uuid" }, canBe: canBe.uuid, isGuid: true },
  inet: { ...OTHER, value: graphqlValues.inet, scalar: scalars.inet },
  cidr: { ...OTHER, scalar: scalars.cidr },
  macaddr: { ...OTHER, scalar: scalars.macaddr },
  macaddr8: { ...OTHER, scalar: scalars.macaddr8 },
  tsvector: { ...OTHER, searched: "words" },
  oid: {
    ...numberLike,
    text: { ...OTHER.text, methods: outputs.asItIs },
    scalar: scalars.oid,
    typescript: "number",
    cell: "number",
  },
  xid: { ...numberLike, compared: "equal" },
  cid: { ...numberLike, compared: "equal" },
  xid8: numberLike,
  aclitem: { ...OTHER, compared: "equal" },
  xml: withoutEquality,
  jsonpath: withoutEquality,
  refcursor: withoutEquality,
  pg_snapshot: withoutEquality,
  txid_snapshot: withoutEquality,
  gtsvector: withoutEquality,
  pg_node_tree: internal,
  pg_ndistinct: internal,
  pg_dependencies: internal,
  pg_mcv_list: internal,
  pg_brin_bloom_summary: internal,
  pg_brin_minmax_multi_summary: internal,
  int2vector: vector,
  oidvector: vector,

  bytea: {
    ...OTHER,
    kind: "bytes",
    toText: toText.bytes,
    text: { events: toJson.string, methods: outputs.bytes },
    sql: { events: asItIs, ogc: sqlToJson.base64 },
    value: graphqlValues.bytes,
    scalar: scalars.bytea,
    schema: { type: "string", format: "byte" },
  },

  date: {
    ...datetime,
    toText: toText.date,
    graphqlName: "Date",
    scalar: scalars.date,
    schema: { type: "string", format: "date" },
    xml: xmlForms.date,
    moment: "date",
  },
  time: { ...datetime, graphqlName: "Time", scalar: scalars.time, xml: xmlForms.time, moment: "time" },
  timetz: {
    ...datetime,
    text: { ...OTHER.text, methods: outputs.timetz },
    sql: OTHER.sql,
    graphqlName: "Time",
    scalar: scalars.timetz,
    moment: "timetz",
  },
  timestamp: { ...timestamp, scalar: scalars.timestamp },
  timestamptz: { ...timestamp, scalar: scalars.timestamptz, schema: { type: "string", format: "date-time" } },
  interval: {
    ...OTHER,
    kind: "interval",
    toText: toText.interval,
    members: { y: "years", m: "months", d: "days", h: "hours", i: "minutes", s: "seconds" },
    text: { events: toJson.string, methods: outputs.interval },
    sql: { events: asItIs, ogc: asItIs },
    value: graphqlValues.interval,
    graphqlName: "Interval",
    scalar: scalars.interval,
    typescript: "Interval",
    schema: { type: "string", format: "duration" },
  },

  json,
  jsonb: {
    ...json,
    text: { ...json.text, methods: structured(toJson.asItIs) },
    sql: sameInMethods,
    compared: "equal",
  },

  point: geometric("Point", toJson.point, sqlToJson.point, "same"),
  line: geometric("Line", toJson.line, sqlToJson.line, "operator"),
  lseg: geometric("Lseg", toJson.startEnd, sqlToJson.startEnd, "operator"),
  box: { ...geometric("Box", toJson.startEnd, sqlToJson.startEnd, "same"), delimiter: ";" },
  path: { ...geometric("Path", toJson.path, sqlToJson.path, "text"), isList: isPathList },
  polygon: { ...geometric("Polygon", toJson.polygon, sqlToJson.polygon, "same"), isList: isPolygonList },
  circle: geometric("Circle", toJson.circle, sqlToJson.circle, "same"),
};

/**
 * A base type of an extension that is not in the table. Its operators are in its schema: PostgreSQL refuses those that do
 * not exist. It may have a JSON of its own.
 */
export const FOREIGN: TypeRow = {
  ...OTHER,
  text: { methods: outputs.string },
  sql: { ...OTHER.sql, graphql: sqlToJson.text },
  schema: {},
};

/** GeoJSON; PostGIS may be in any schema. */
const geometry: TypeRow = {
  ...OTHER,
  kind: "geometry",
  text: { methods: outputs.geometry },
  sql: { graphql: sqlToJson.geoJson, events: sqlToJson.geoJson },
  value: graphqlValues.geometry,
  graphqlName: "JSON",
  compared: "equal",
  typescript: "Geometry",
  schema: { type: "object" },
  delimiter: ":",
};

/** Types of extensions, whatever schema they are in. */
const EXTENSIONS: Readonly<Record<string, TypeRow>> = {
  geometry,
  geography: geometry,
  box2d: {
    ...FOREIGN,
    kind: "geometric",
    toText: box2dToText,
    text: { methods: structured(box2dToJson) },
    sql: { events: asItIs, ogc: box2dSql },
    value: graphqlValues.geometric(box2dToJson),
    graphqlName: "JSON",
    compared: "text",
    typescript: "{ xmin: Float; ymin: Float; xmax: Float; ymax: Float }",
    schema: { type: "object" },
  },
  // `a @> a.b`: a path contains those below it
  ltree: { ...FOREIGN, hasContainment: true, schema: { type: "string" } },
  citext: { ...FOREIGN, scalar: scalars.citext, searched: "text" },
  hstore: {
    ...FOREIGN,
    kind: "json",
    toText: hstoreToText,
    text: { graphql: hstoreToJson, events: hstoreToJson, methods: structured(hstoreToJson) },
    sql: { ...sameInMethods, graphql: asItIs },
    value: { fromText: (text) => JSON.parse(hstoreToJson(text)) as unknown },
    graphqlName: "JSON",
    compared: "equal",
    hasContainment: true,
    typescript: "{ [key: string]: string | null }",
    schema: { type: "object", additionalProperties: { type: "string", nullable: true } },
  },
};

/** The names that have a row. */
export const TYPE_NAMES: readonly string[] = [...Object.keys(BUILT_IN), ...Object.keys(EXTENSIONS)];

/** The row of every enum. */
const ENUM: TypeRow = {
  ...OTHER,
  text: { ...OTHER.text, events: undefined }, // it may have a cast to json
  sql: { ...OTHER.sql, methods: sqlToJson.text },
};

/** The row of a base type. */
export function baseRow({ schema, name }: TypeName): TypeRow {
  const rows = schema === "pg_catalog" ? BUILT_IN : EXTENSIONS;
  return (Object.hasOwn(rows, name) ? rows[name] : undefined) ?? (schema === "pg_catalog" ? OTHER : FOREIGN);
}

/** The row of a type that has no parts: of the base of a domain. */
export function rowOf(type: ColumnType): TypeRow {
  const base = baseOf(type);
  const isBase = base.schema === "pg_catalog" || type.kind === "geometry" || type.operators !== undefined;
  return isBase ? baseRow(base) : ENUM;
}

/** How values of the type are compared in process; undefined for what only PostgreSQL can compare. */
export function scalarType(type: ColumnType): ScalarType | undefined {
  const row = rowOf(type);
  if (row === ENUM) return type.kind === "text" ? enumScalar(type.labels) : undefined;
  return row.scalar;
}

/** The delimiter of elements in an array of the type. */
export function delimiterOf(element: ColumnType): string {
  return element.delimiter ?? rowOf(element).delimiter ?? ",";
}
