/** The expressions that GraphQL's plans select for a value, and the conversion of their results. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { ColumnType } from "./columnType.ts";
import { geoJsonText } from "./sqlJson.ts";
import type { ToJson } from "./textJson.ts";

/** How a column is read and written in GraphQL. Default: the value's text, unchanged. */
export interface GraphQLValue {
  /** SQL of a value → SQL of its text, where `::text` will not do. Null gives null. */
  readonly toText?: (value: SQL, type: ColumnType) => SQL;
  /** The text → the value. */
  readonly fromText?: (text: string) => unknown;
  /** The driver gives such values as text anyway. */
  readonly verbatim?: boolean;
}

const INTERVAL_PARTS = ["year", "month", "day", "hour", "minute", "second"] as const;

/** JSON and GraphQL have no NaN and no infinity. */
const finite = (text: string): number | null => (Number.isFinite(Number(text)) ? Number(text) : null);

/** Turns a number that is text in JSON, because JSON cannot express it, into a number again. */
function withNumbers(_key: string, value: unknown): unknown {
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : value;
}

export const graphqlValues = {
  verbatim: { verbatim: true },
  integer: { fromText: Number },
  float: { fromText: finite },
  boolean: { fromText: (text) => text === "true" || text === "t" },
  money: { toText: (value) => sql`(${value})::pg_catalog.numeric::pg_catalog.text` },
  /** bpchar: the cast to text cuts the padding. */
  padded: { toText: (value) => sql`(to_json(${value}) #>> '{}')` },
  /** The cast to text adds the mask. */
  inet: { fromText: (text) => text.replace(text.includes(":") ? /\/128$/ : /\/32$/, "") },
  bytes: {
    toText: (value) => sql`encode(${value}, 'hex')`,
    fromText: (text) => Buffer.from(text, "hex").toString("base64"),
  },
  /** JSON is the one text form of PostgreSQL that is ISO 8601 whatever `DateStyle` says. */
  datetime: { toText: (value) => sql`to_json(${value})::text`, fromText: (text) => text.slice(1, -1) },
  interval: {
    toText(value) {
      const parts = INTERVAL_PARTS.map((part) => sql`date_part(${sql.literal(part)}, ${value})`);
      const finite = sql`json_build_array(${sql.join(parts, ", ")})::text`;
      return sql`(case when ${value} is null then null when isfinite(${value}) then ${finite} else 'null' end)`;
    },
    fromText(text) {
      const parts = JSON.parse(text) as number[] | null;
      if (!parts) return null; // PostgreSQL 17 has infinite ones
      const [years, months, days, hours, minutes, seconds] = parts;
      return { years, months, days, hours, minutes, seconds };
    },
  },
  json: { fromText: JSON.parse },
  geometry: { toText: geoJsonText, fromText: JSON.parse },
  geometric: (json: ToJson): GraphQLValue => ({ fromText: (text) => JSON.parse(json(text), withNumbers) }),
} satisfies Record<string, GraphQLValue | ((json: ToJson) => GraphQLValue)>;
