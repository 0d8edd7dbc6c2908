import { gatherConfig } from "postgraphile/graphile-build";
import { sql } from "postgraphile/pg-sql2";
import { baseCodec, type BaseTypeOptions } from "./codecs.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      BaseTypesPlugin: true;
    }
  }
}

const text: BaseTypeOptions = { kind: "text", verbatim: true };
const integer: BaseTypeOptions = { kind: "integer", fromPg: Number, toPg: String };
/** JSON and GraphQL have no NaN and no infinity. */
const finite = (text: string): number | null => (Number.isFinite(Number(text)) ? Number(text) : null);
const float: BaseTypeOptions = { kind: "float", fromPg: finite, toPg: String };

const TYPES: Readonly<Record<string, BaseTypeOptions>> = {
  bool: { kind: "boolean", fromPg: (value) => value === "true" || value === "t", toPg: String },
  int2: integer,
  int4: integer,
  int8: { kind: "bigint" },
  numeric: { kind: "bigint" },
  money: { kind: "bigint", toText: (value) => sql`(${value})::numeric::text` },
  float4: float,
  float8: float,
  text,
  varchar: text,
  bpchar: { kind: "text", toText: (value) => sql`(to_json(${value}) #>> '{}')` }, // the cast to text cuts the padding
  name: text,
  inet: { kind: "text", fromPg: (value) => value.replace(/(?<=^[^:]*)\/32$|\/128$/, "") }, // which the cast to text adds
  uuid: text,
  bytea: {
    kind: "bytes",
    toText: (value) => sql`encode(${value}, 'hex')`,
    fromPg: (value) => Buffer.from(value, "hex").toString("base64"),
    toPg: (value: string) => `\\x${Buffer.from(value, "base64").toString("hex")}`,
  },
  json: { kind: "json", fromPg: JSON.parse, toPg: JSON.stringify },
  jsonb: { kind: "json", fromPg: JSON.parse, toPg: JSON.stringify },
};

export const BaseTypesPlugin: GraphileConfig.Plugin = {
  name: "BaseTypesPlugin",
  description: "Codecs for PostgreSQL's plain types; any type that nobody else knows is text in and text out",
  version: "0.1.0",
  before: ["PgCodecsPlugin"],

  gather: gatherConfig({
    hooks: {
      pgCodecs_findPgCodec(_info, event) {
        const { pgType, serviceName } = event;
        if (event.pgCodec || pgType.typtype !== "b") return;
        const schema = pgType.getNamespace()!.nspname;
        if (pgType.typcategory === "A" && pgType.typelem !== "0") return;
        if (schema === "pg_catalog")
          event.pgCodec = baseCodec(serviceName, pgType, TYPES[pgType.typname] ?? { kind: "text" });
        else event.pgCodec = baseCodec(serviceName, pgType, { kind: "text", operators: schema });
      },
    },
  }),
};
