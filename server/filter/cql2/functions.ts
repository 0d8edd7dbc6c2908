/** The functions beyond the operators of CQL2, which `/functions` lists (OGC 19-079r2 §8). */
import { sql } from "postgraphile/pg-sql2";
import { postgis } from "../sqlTypes.ts";
import { geometryIn, sridOf } from "../geometrySql.ts";
import type { Operator } from "../tree.ts";
import {
  apply,
  asFloat,
  asGeography,
  asGeometry,
  asInstant,
  asNumber,
  asText,
  DATE,
  FLOAT,
  NUMBER,
  TEXT,
  TIMESTAMP,
  word,
  type Term,
  type ValueKind,
} from "./terms.ts";
import { baseOf, type ColumnType } from "../../types/columnType.ts";
import type { SQL } from "postgraphile/pg-sql2";

interface Argument {
  readonly title: string;
  readonly kinds: readonly ValueKind[];
}

export interface FunctionRow {
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** The operator that the function means for a column and a value. The function is then a condition, not a value. */
  readonly operator?: Operator;
  /** The type of the result; `first`: that of the first argument, for functions of geometries. */
  readonly type?: ColumnType | ((first: ColumnType) => ColumnType);
  readonly toSql?: (terms: readonly Term[]) => SQL;
}

const text: Argument = { title: "text", kinds: ["text"] };
const number: Argument = { title: "number", kinds: ["number"] };
const instant: Argument = { title: "instant", kinds: ["date", "timestamp"] };
const geometry: Argument = { title: "geometry", kinds: ["geometry"] };
const metres: Argument = { title: "metres", kinds: ["number"] };

const ofText = (description: string, name: string, type: ColumnType = TEXT): FunctionRow => ({
  description,
  arguments: [text],
  type,
  toSql: ([only]) => apply(name, asText(only!)),
});
const ofNumber = (description: string, name: string): FunctionRow => ({
  description,
  arguments: [number],
  type: NUMBER,
  toSql: ([only]) => apply(name, asNumber(only!)),
});
const part = (name: string): FunctionRow => ({
  description: `The ${name} of an instant, in UTC.`,
  arguments: [instant],
  type: NUMBER,
  toSql: ([only]) => {
    const local = apply("timezone", word("UTC"), asInstant(only!, "timestamptz"));
    return sql`${apply("date_part", word(name), local)}::pg_catalog.numeric`;
  },
});

/** A system in degrees. */
const inDegrees = (type: ColumnType): ColumnType => ({
  kind: "geometry",
  schema: baseOf(type).schema,
  name: "geometry",
  srid: 4326,
});
const sameSystem = (type: ColumnType): ColumnType => ({ ...inDegrees(type), srid: sridOf(type) });

/** For a column whose operator takes a list or an object of the filter's own form. */
const condition = (description: string, operator: Operator, ...more: readonly Argument[]): FunctionRow => ({
  description,
  arguments: more,
  operator,
});
const column = (kinds: readonly ValueKind[]): Argument => ({ title: "property", kinds });

/** By name, in lower case. */
export const FUNCTIONS: Readonly<Record<string, FunctionRow>> = {
  contains: condition(
    "Whether an array, range, JSON value or tree path (ltree) holds another, or a range an element.",
    "contains",
    column(["array", "text", "other"]),
    { title: "part", kinds: ["text", "number", "boolean", "date", "timestamp", "array"] },
  ),
  containedby: condition(
    "Whether another array, range, JSON value or tree path (ltree) contains this one.",
    "containedBy",
    column(["array", "text", "other"]),
    { title: "whole", kinds: ["text", "array"] },
  ),
  overlaps: condition("Whether two arrays or ranges overlap.", "overlaps", column(["array", "other"]), {
    title: "other",
    kinds: ["text", "array"],
  }),
  haskey: condition("Whether a JSON object has a key, or a list of JSON a string.", "hasKey", column(["other"]), {
    title: "key",
    kinds: ["text"],
  }),
  search: condition(
    'Whether words are found in text by full text search: words, "phrases", or, -not.',
    "search",
    column(["text"]),
    { title: "words", kinds: ["text"] },
  ),
  similar: condition(
    "Whether text is like another by its trigrams, from pg_trgm.similarity_threshold; needs the extension pg_trgm.",
    "similar",
    column(["text"]),
    { title: "other", kinds: ["text"] },
  ),
  startswith: condition("Whether text begins with a prefix, case by case.", "startsWith", column(["text"]), {
    title: "prefix",
    kinds: ["text"],
  }),
  endswith: condition("Whether text ends with a suffix, case by case.", "endsWith", column(["text"]), {
    title: "suffix",
    kinds: ["text"],
  }),
  dwithin: condition(
    "Whether a geometry is within a distance in metres of another, on the earth's surface.",
    "dwithin",
    column(["geometry"]),
    geometry,
    metres,
  ),
  lower: ofText("Text in lower case.", "lower"),
  upper: ofText("Text in upper case.", "upper"),
  trim: ofText("Text without blanks at both ends.", "btrim"),
  char_length: ofText("The number of characters of a text.", "char_length", NUMBER),
  abs: ofNumber("The absolute value of a number.", "abs"),
  ceil: ofNumber("The next whole number upwards.", "ceil"),
  floor: ofNumber("The next whole number downwards.", "floor"),
  round: ofNumber("The nearest whole number.", "round"),
  year: part("year"),
  month: part("month"),
  day: part("day"),
  today: {
    description: "The day on which the request is answered, in UTC.",
    arguments: [],
    type: DATE,
    toSql: () => sql`${apply("timezone", word("UTC"), apply("now"))}::pg_catalog.date`,
  },
  now: {
    description: "The instant at which the request is answered.",
    arguments: [],
    type: TIMESTAMP,
    toSql: () => apply("now"),
  },
  area: measure("The area of a geometry on the earth's surface, in square metres.", "st_area", geometry),
  length: measure("The length of a line on the earth's surface, in metres.", "st_length", geometry),
  distance: measure(
    "The distance between two geometries on the earth's surface, in metres.",
    "st_distance",
    geometry,
    geometry,
  ),
  centroid: {
    description: "The centroid of a geometry.",
    arguments: [geometry],
    type: sameSystem,
    toSql: ([only]) => postgis(only!.type, "st_centroid", asGeometry(only!)),
  },
  buffer: {
    description: "The area within a distance in metres of a geometry, on the earth's surface.",
    arguments: [geometry, metres],
    type: inDegrees,
    toSql: ([only, distance]) =>
      geometryIn(postgis(only!.type, "st_buffer", asGeography(only!), asFloat(distance!)), only!.type, 0),
  },
};

function measure(description: string, name: string, ...all: readonly Argument[]): FunctionRow {
  return {
    description,
    arguments: all,
    type: FLOAT,
    toSql: (terms) => postgis(terms[0]!.type, name, ...terms.map(asGeography)),
  };
}
