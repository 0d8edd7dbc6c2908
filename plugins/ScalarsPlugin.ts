import { TYPES } from "postgraphile/@dataplan/pg";
import { Kind, valueFromASTUntyped, type ValueNode } from "postgraphile/graphql";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { baseRow, rowOf } from "../server/types/table.ts";
import type { TypeKind } from "../server/types/columnType.ts";
import { columnTypeOf } from "./tables/columnType.ts";
import type { AnyCodec } from "./tables/resources.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      ScalarsPlugin: true;
    }
  }
}

const SCALARS: Readonly<Record<string, string>> = {
  Date: "A day, in ISO 8601. Input: anything that PostgreSQL reads as a date.",
  Time: "A time of day, in ISO 8601. Input: anything that PostgreSQL reads as a time.",
  DateTime:
    "An instant or a local time, in ISO 8601. Input: anything that PostgreSQL reads as a timestamp, or a number of seconds from 1970.",
};

/**
 * The name of the GraphQL type that shows values of the codec; undefined for lists and tables, which other plugins handle.
 */
function outputTypeName(build: GraphileBuild.Build, codec: AnyCodec): string | undefined {
  const type = columnTypeOf(codec);
  switch (type.kind) {
    case "range":
      return build.inflection.rangeType({ codec: rangeOf(codec), underlyingTypeName: "" });
    case "array":
      return codec.arrayOfCodec ? undefined : "JSON";
    case "composite":
      return undefined;
    case "multirange":
      return "String";
    default:
      return rowOf(type).graphqlName;
  }
}

function rangeOf(codec: AnyCodec): AnyCodec {
  return codec.domainOfCodec ? rangeOf(codec.domainOfCodec as AnyCodec) : codec;
}

const OBJECTS: ReadonlySet<TypeKind> = new Set<TypeKind>(["interval", "geometric", "range"]);

/** Types that are objects in GraphQL take JSON as input. */
function inputTypeName(codec: AnyCodec, outputName: string): string {
  return OBJECTS.has(columnTypeOf(codec).kind) ? "JSON" : outputName;
}

/**
 * The same for PostGraphile's own codecs, which third-party plugins use. Their objects differ from those of the types
 * here.
 */
function upstreamTypeName(codec: AnyCodec): string {
  const { kind, graphqlName } = baseRow({ schema: codec === TYPES.hstore ? "" : "pg_catalog", name: codec.name });
  return OBJECTS.has(kind) ? "JSON" : graphqlName;
}

/** A literal as a JSON value. Numbers that JavaScript cannot hold stay text; a bare word is text. */
function parseJsonLiteral(node: ValueNode, variables?: Record<string, unknown> | null): unknown {
  switch (node.kind) {
    case Kind.INT:
      return Number.isSafeInteger(Number(node.value)) ? Number(node.value) : node.value;
    case Kind.LIST:
      return node.values.map((value) => parseJsonLiteral(value, variables));
    case Kind.OBJECT:
      return Object.assign(
        Object.create(null) as object,
        Object.fromEntries(node.fields.map((field) => [field.name.value, parseJsonLiteral(field.value, variables)])),
      );
    default:
      return valueFromASTUntyped(node, variables);
  }
}

/** A scalar whose values are text. A DateTime may be given as a number, and then stays one. */
function dateTypeSpec(build: GraphileBuild.Build, name: string, description: string) {
  const text = build.stringTypeSpec(description, undefined, name);
  if (name !== "DateTime") return text;
  return {
    ...text,
    parseValue: (value: unknown) => (typeof value === "number" ? value : text.parseValue?.(value)),
    parseLiteral: (node: ValueNode) =>
      node.kind === Kind.INT || node.kind === Kind.FLOAT ? Number(node.value) : text.parseLiteral?.(node),
  };
}

export const ScalarsPlugin: GraphileConfig.Plugin = {
  name: "ScalarsPlugin",
  description: "Scalars, and the GraphQL type of each PostgreSQL type",
  version: VERSION,

  schema: {
    hooks: {
      init: {
        before: ["PgCodecs"],
        callback(_, build) {
          for (const [name, description] of Object.entries(SCALARS))
            build.registerScalarType(name, {}, () => dateTypeSpec(build, name, description), "ScalarsPlugin");
          build.registerScalarType(
            "JSON",
            {},
            () => ({
              description: "Any JSON value.",
              serialize: (value: unknown) => value,
              parseValue: (value: unknown) => value,
              parseLiteral: parseJsonLiteral,
            }),
            "ScalarsPlugin",
          );
          const upstream = new Set<AnyCodec>(Object.values(TYPES));
          for (const codec of upstream)
            if (codec.name !== "void")
              build.setGraphQLTypeForPgCodec(codec, ["input", "output"], upstreamTypeName(codec));
          for (const codec of build.allPgCodecs as Set<AnyCodec>) {
            if (upstream.has(codec)) continue;
            if (codec.arrayOfCodec || codec.attributes || codec.name === "void") continue;
            const name = outputTypeName(build, codec);
            if (name === undefined) continue;
            build.setGraphQLTypeForPgCodec(codec, "output", name);
            build.setGraphQLTypeForPgCodec(codec, "input", inputTypeName(codec, name));
          }
          return _;
        },
      },
    },
  },
};
