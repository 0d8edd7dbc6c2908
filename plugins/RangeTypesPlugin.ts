import { gatherConfig } from "postgraphile/graphile-build";
import type { GraphQLOutputType } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { baseCodec, listToText, nameOf } from "./tables/codecs.ts";
import { columnTypeOf } from "./tables/columnType.ts";
import type { AnyCodec } from "./tables/resources.ts";

declare global {
  namespace GraphileBuild {
    interface ScopeObject {
      /** Set on the type of a range: its codec. */
      portolanRange?: AnyCodec;
    }
  }
  namespace GraphileConfig {
    interface Plugins {
      RangeTypesPlugin: true;
    }
  }
}

interface Range {
  readonly lower: unknown;
  readonly upper: unknown;
  readonly lowerInclusive: boolean;
  readonly upperInclusive: boolean;
}

interface RangeType {
  readonly serviceName: string;
  readonly schema: string;
  readonly name: string;
  readonly oid: string;
}

/**
 * The codec of a range: a JSON array of its bounds as text, and whether they belong to it. Null stays null, unlike
 * upstream.
 */
function rangeCodec({ serviceName, schema, name, oid }: RangeType, bound: AnyCodec): AnyCodec {
  const boundText = (value: SQL): SQL => (bound.castFromPg ? bound.castFromPg(value) : sql`(${value})::text`);
  const toText = (value: SQL): SQL =>
    sql`(case when ${value} is null then null else json_build_array(${boundText(sql`lower(${value})`)}, ${boundText(
      sql`upper(${value})`,
    )}, lower_inc(${value}), upper_inc(${value}), isempty(${value}))::text end)`;
  return {
    name: `${schema}.${name} type`,
    sqlType: sql.identifier(schema, name),
    rangeOfCodec: bound,
    castFromPg: toText,
    listCastFromPg: (list: SQL) => listToText(list, toText),
    fromPg(text: string): Range {
      const [lower, upper, lowerInclusive, upperInclusive] = JSON.parse(text) as [
        string | null,
        string | null,
        boolean,
        boolean,
      ];
      const read = (value: string | null): unknown => (value === null ? null : bound.fromPg(value));
      return { lower: read(lower), upper: read(upper), lowerInclusive, upperInclusive };
    },
    toPg({ lower, upper, lowerInclusive, upperInclusive }: Range) {
      const write = (value: unknown): string => (value === null ? "" : JSON.stringify(String(bound.toPg(value))));
      return `${lowerInclusive ? "[" : "("}${write(lower)},${write(upper)}${upperInclusive ? "]" : ")"}`;
    },
    attributes: undefined,
    executor: null,
    extensions: { oid, pg: { serviceName, schemaName: schema, name } },
  };
}

export const RangeTypesPlugin: GraphileConfig.Plugin = {
  name: "RangeTypesPlugin",
  description: "Ranges as objects of lower, upper, lowerInclusive and upperInclusive",
  version: VERSION,
  before: ["PgCodecsPlugin"],

  gather: gatherConfig({
    hooks: {
      async pgCodecs_findPgCodec({ helpers }, event) {
        const { pgType, serviceName } = event;
        if (event.pgCodec) return;
        if (pgType.typtype === "m") {
          // Clients see a multirange as text; filters use its bounds.
          const { introspection } = await helpers.pgIntrospection.getService(serviceName);
          const range = introspection.ranges.find(({ rngmultitypid }) => rngmultitypid === pgType._id);
          const bound = range && (await helpers.pgCodecs.getCodecFromType(serviceName, range.rngsubtype!));
          if (bound) {
            const type = { kind: "multirange", ...nameOf(pgType), element: columnTypeOf(bound as AnyCodec) } as const;
            event.pgCodec = baseCodec(serviceName, pgType._id, type);
          }
          return;
        }
        if (pgType.typtype !== "r") return;
        const range = await helpers.pgIntrospection.getRangeByType(serviceName, pgType._id);
        const bound = range && (await helpers.pgCodecs.getCodecFromType(serviceName, range.rngsubtype!));
        if (!bound) return;
        const schema = pgType.getNamespace()!.nspname;
        event.pgCodec = rangeCodec({ serviceName, schema, name: pgType.typname, oid: pgType._id }, bound);
      },
    },
  }),

  schema: {
    hooks: {
      init(_, build) {
        const { GraphQLBoolean } = build.graphql;
        for (const codec of build.allPgCodecs as Set<AnyCodec>) {
          const bound = codec.rangeOfCodec as AnyCodec | undefined;
          if (!bound || codec.domainOfCodec) continue;
          build.registerObjectType(
            build.inflection.rangeType({ codec, underlyingTypeName: "" }),
            { portolanRange: codec },
            () => ({
              description: "A range. A bound that is null is open.",
              fields: () => {
                const type = build.getGraphQLTypeByPgCodec(bound, "output") as GraphQLOutputType;
                return {
                  lower: { type },
                  upper: { type },
                  lowerInclusive: { type: GraphQLBoolean },
                  upperInclusive: { type: GraphQLBoolean },
                };
              },
            }),
            "RangeTypesPlugin",
          );
        }
        return _;
      },
    },
  },
};
