/**
 * Makes Portolan work with two community plugins: connection-filter finds PostGraphile's own codecs in the columns, and
 * many-to-many lists get Portolan's arguments. The preset does not include Relay's connections.
 */
import { TYPES } from "postgraphile/@dataplan/pg";
import type { FieldArgs, Step } from "postgraphile/grafast";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { columnTypeOf } from "./tables/columnType.ts";
import type { TypeKind } from "../server/types/columnType.ts";
import { listArguments, type AnySelect } from "./rows/listArguments.ts";
import { databaseNameOf, isTableResource, type AnyCodec, type AnyResource } from "./tables/resources.ts";
import { accesses } from "./tables/relationAccess.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      CommunityPlugin: true;
    }
  }
}

/** A build with postgraphile-plugin-connection-filter, whose types are not among Portolan's packages. */
interface FilterBuild {
  connectionFilterOperatorsDigest?: (codec: AnyCodec) => object | null;
}

const UPSTREAM = new Set<AnyCodec>(Object.values(TYPES));

/** Columns that connection-filter can compare without changes; `where` covers ranges, geometries and similar types. */
const FILTERABLE: readonly TypeKind[] = ["boolean", "integer", "float", "text", "datetime"];

function isFilterable(codec: AnyCodec): boolean {
  if (codec.arrayOfCodec) return isFilterable(codec.arrayOfCodec as AnyCodec);
  return FILTERABLE.includes(columnTypeOf(codec).kind) && !UPSTREAM.has(codec);
}

/** PostGraphile's table of codecs, with Portolan's codecs for the types of the database's columns. */
function typesOf(codecs: Iterable<AnyCodec>): typeof TYPES {
  const own = new Map<string, AnyCodec>();
  for (const codec of codecs) {
    const name = databaseNameOf(codec);
    if (name?.schema === "pg_catalog" && codec.extensions?.portolan) own.set(name.name, codec);
  }
  const types = Object.entries(TYPES as Record<string, AnyCodec>).map(
    ([key, codec]) => [key, own.get(codec.name) ?? codec] as const,
  );
  return Object.fromEntries(types) as typeof TYPES;
}

export const CommunityPlugin: GraphileConfig.Plugin = {
  name: "CommunityPlugin",
  description: "The parts that community plugins need",
  version: VERSION,
  after: ["PgBasicsPlugin", "PgTablesPlugin", "PgConnectionArgFilterPlugin"],

  inflection: {
    replace: {
      // Names of relations through a third table. Upstream's names would begin with the schema.
      _singularizedCodecName(_previous, _options, codec) {
        return this.dontEndInInputOrPatch(this.singularize(this.tableType(codec)));
      },
    },
  },

  schema: {
    hooks: {
      build: {
        after: ["portolan-type-names"],
        callback(build) {
          const codecs = Object.values(build.input!.pgRegistry.pgCodecs) as AnyCodec[];
          build.dataplanPg = { ...build.dataplanPg!, TYPES: typesOf(codecs) };
          const filtering = build as FilterBuild;
          const digest = filtering.connectionFilterOperatorsDigest;
          const ofFilterable: typeof digest = (codec) => (isFilterable(codec) ? digest!(codec) : null);
          if (digest) filtering.connectionFilterOperatorsDigest = ofFilterable;
          return build;
        },
      },
      GraphQLObjectType_fields_field(field, build, context) {
        const { isPgManyToManyRelationField, isPgFieldSimpleCollection, pgFieldResource } = context.scope as {
          isPgManyToManyRelationField?: boolean;
          isPgFieldSimpleCollection?: boolean;
          pgFieldResource?: AnyResource;
        };
        if (!isPgManyToManyRelationField || !isPgFieldSimpleCollection) return field;
        if (!pgFieldResource || !isTableResource(pgFieldResource) || !field.plan) return field;
        const { args, apply } = listArguments(build, pgFieldResource);
        const find = field.plan as ($row: Step, fieldArgs: FieldArgs, info: unknown) => AnySelect;
        const plan = ($row: Step, fieldArgs: FieldArgs, info: unknown): AnySelect => {
          const $rows = find($row, fieldArgs, info);
          apply($rows, fieldArgs);
          return $rows;
        };
        return {
          ...field,
          args: { ...field.args, ...args },
          extensions: { ...field.extensions, ...accesses(pgFieldResource, "select") },
          plan,
        } as typeof field;
      },
    },
  },
};
