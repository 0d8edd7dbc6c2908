import { assertPgClassSingleStep } from "postgraphile/@dataplan/pg";
import type { Step } from "postgraphile/grafast";
import { gatherConfig } from "postgraphile/graphile-build";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { isDocument } from "../server/types/columnType.ts";
import { behaves } from "./tables/behaviors.ts";
import { columnTypeOf } from "./tables/columnType.ts";
import { annotate } from "./rows/fieldMetadata.ts";
import { pathArguments, planPath } from "./rows/jsonPath.ts";
import {
  allResources,
  isTableCodec,
  isTableResource,
  primaryKeyOf,
  type AnyCodec,
  type AnyRecord,
} from "./tables/resources.ts";
import { accesses } from "./tables/relationAccess.ts";

declare global {
  namespace DataplanPg {
    interface PgCodecExtensions {
      /** tables: the schema of the extension pg_trgm, where it is installed. */
      portolanTrigrams?: string;
      /** tables: the schema of the extension unaccent, where it is installed. */
      portolanUnaccent?: string;
      /** tables: the database has Citus, so that the rows may be on several nodes. */
      portolanSharded?: boolean;
    }
  }
  namespace GraphileConfig {
    interface Plugins {
      TableTypesPlugin: true;
    }
  }
}

export const TableTypesPlugin: GraphileConfig.Plugin = {
  name: "TableTypesPlugin",
  description: "An object type for each table, view, composite type and record that a function returns",
  version: VERSION,
  after: ["PgTablesPlugin"],

  gather: gatherConfig({
    hooks: {
      /** Upstream hides unlogged tables. Portolan shows every table. */
      pgTables_PgResourceOptions(_info, { resourceOptions }) {
        for (const { extensions } of [resourceOptions, resourceOptions.codec])
          delete (extensions as { pg?: { persistence?: string } } | undefined)?.pg?.persistence;
      },
      /**
       * The key tells whether a joined row exists. Every caller who may read any part of the table may read the key.
       */
      async pgCodecs_PgCodec({ helpers }, { serviceName, pgCodec, pgClass }) {
        if (pgClass) {
          const { introspection } = await helpers.pgIntrospection.getService(serviceName);
          const schemaOf = (name: string): string | undefined => {
            const extension = introspection.extensions.find(({ extname }) => extname === name);
            return introspection.namespaces.find(({ _id }) => _id === extension?.extnamespace)?.nspname;
          };
          const [trigrams, unaccent] = [schemaOf("pg_trgm"), schemaOf("unaccent")];
          (pgCodec as AnyCodec).extensions = {
            ...pgCodec.extensions,
            ...(trigrams !== undefined && { portolanTrigrams: trigrams }),
            ...(unaccent !== undefined && { portolanUnaccent: unaccent }),
            ...(schemaOf("citus") !== undefined && { portolanSharded: true }),
          };
        }
        const key = pgClass?.getConstraints().find((constraint) => constraint.contype === "p");
        const column = key?.getAttributes()?.[0]?.attname;
        if (column === undefined) return;
        const isThere = (alias: SQL): SQL => sql`(not (${alias}.${sql.identifier(column)} is null))::text`;
        (pgCodec as AnyCodec).notNullExpression = isThere;
      },
    },
  }),

  schema: {
    hooks: {
      init: {
        provides: ["PgCodecs"],
        callback(_, build) {
          for (const codec of build.allPgCodecs as Set<AnyCodec>) {
            if (!isTableCodec(codec) || !behaves(build, "pgCodec", codec, "table")) continue;
            const typeName = build.inflection.tableType(codec);
            build.registerObjectType(
              typeName,
              { pgCodec: codec, isPgClassType: true },
              () => ({
                assertStep: assertPgClassSingleStep,
                description: codec.description,
                extensions: accesses(codec, "select"),
              }),
              "TableTypesPlugin",
            );
            build.setGraphQLTypeForPgCodec(codec, "output", typeName);
          }
          return _;
        },
      },

      GraphQLObjectType_fields_field(field, build, context) {
        const { pgCodec, isPgClassType, pgFieldAttribute } = context.scope as {
          pgCodec?: AnyCodec;
          isPgClassType?: boolean;
          pgFieldAttribute?: object;
        };
        if (!isPgClassType || !pgFieldAttribute || !pgCodec) return field;
        const table = allResources(build).find((resource) => isTableResource(resource) && resource.codec === pgCodec);
        const column = Object.keys(pgCodec.attributes as object).find(
          (name) => pgCodec.attributes[name] === pgFieldAttribute,
        );
        if (column === undefined) return field;
        const codec = (pgFieldAttribute as { codec: AnyCodec }).codec;
        if (table && isDocument(columnTypeOf(codec))) {
          field.args = { ...field.args, ...pathArguments(build) };
          field.plan = annotate(planPath(column), { kind: "column", column, codec }, field.args);
        } else if (!(codec.arrayOfCodec ?? codec).attributes)
          field.plan = annotate(($record: AnyRecord) => $record.get(column) as Step, { kind: "column", column, codec });
        else if (field.plan) field.plan = annotate(field.plan, { kind: "composite", column });
        if (!table || !primaryKeyOf(table)?.includes(column)) return field;
        const { GraphQLID, GraphQLNonNull } = build.graphql;
        return { ...field, type: new GraphQLNonNull(GraphQLID) };
      },
    },
  },
};
