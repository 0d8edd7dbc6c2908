import { TYPES } from "postgraphile/@dataplan/pg";
import { constant, lambda, list, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql } from "postgraphile/pg-sql2";
import { asOfArgument, findRows, rowArguments, whereArgument } from "./listArguments.ts";
import { annotate } from "./fieldMetadata.ts";
import { rootTables } from "./resources.ts";
import { accesses } from "./relationAccess.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      CountPlugin: true;
    }
  }
}

export const CountPlugin: GraphileConfig.Plugin = {
  name: "CountPlugin",
  description: "`count<T>`: how many rows a table has",
  version: "0.1.0",

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootQuery) return fields;
        const { GraphQLInt, GraphQLNonNull } = build.graphql;
        for (const resource of rootTables(build)) {
          if (!build.behavior.pgResourceMatches(resource, "query:resource:list")) continue;
          const fieldName = build.inflection.tableField("count", resource.codec);
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, () => {
                const { read, source, toCallback } = rowArguments(build, resource);
                const plan = (_$root: Step, fieldArgs: FieldArgs) => {
                  const $rows = findRows(resource, source && fieldArgs.getRaw("asOf"), source, "aggregate");
                  const $arguments = list([constant(null), fieldArgs.getRaw("where"), constant(null)]);
                  $rows.apply(lambda($arguments as Step<readonly [null, unknown, null]>, toCallback, true));
                  return $rows.singleAsRecord().select(sql`count(*)`, TYPES.bigint, true);
                };
                const args = {
                  ...whereArgument(build, resource),
                  ...asOfArgument(build, source),
                };
                return {
                  extensions: accesses(resource, "select"),
                  type: new GraphQLNonNull(GraphQLInt),
                  args,
                  plan: annotate(plan, { kind: "count", resource, read }, args),
                };
              }),
            },
            `CountPlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};
