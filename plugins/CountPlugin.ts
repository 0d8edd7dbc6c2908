import type { FieldArgs, Step } from "postgraphile/grafast";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { behaves } from "./tables/behaviors.ts";
import { asOfArgument, countRows, rowArguments, whereArgument } from "./rows/listArguments.ts";
import { annotate } from "./rows/fieldMetadata.ts";
import { rootTables } from "./tables/resources.ts";
import { accesses } from "./tables/relationAccess.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      CountPlugin: true;
    }
  }
}

export const CountPlugin: GraphileConfig.Plugin = {
  name: "CountPlugin",
  description: "`count<T>`: the number of rows of a table",
  version: VERSION,

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootQuery) return fields;
        const { GraphQLInt, GraphQLNonNull } = build.graphql;
        for (const resource of rootTables(build)) {
          if (!behaves(build, "pgResource", resource, "query:resource:list")) continue;
          const fieldName = build.inflection.tableField("count", resource.codec);
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, () => {
                const rows = rowArguments(build, resource);
                const { read, source } = rows;
                const args = {
                  ...whereArgument(build, resource),
                  ...asOfArgument(build, source),
                };
                const plan = (_$root: Step, fieldArgs: FieldArgs) => countRows(resource, args, rows, fieldArgs);
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
