import type { FieldArgs, Step } from "postgraphile/grafast";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { behaves } from "./tables/behaviors.ts";
import { findRows, listArguments } from "./rows/listArguments.ts";
import { annotate } from "./rows/fieldMetadata.ts";
import { rootTables } from "./tables/resources.ts";
import { accesses } from "./tables/relationAccess.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      GetPlugin: true;
    }
  }
}

export const GetPlugin: GraphileConfig.Plugin = {
  name: "GetPlugin",
  description: "`get<T>`: the rows of a table",
  version: VERSION,

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootQuery) return fields;
        const { GraphQLList } = build.graphql;
        for (const resource of rootTables(build)) {
          if (!behaves(build, "pgResource", resource, "query:resource:list")) continue;
          const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
          const fieldName = build.inflection.tableField("get", resource.codec);
          const scope = { fieldName, pgFieldResource: resource, isPgFieldSimpleCollection: true };
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks(scope, () => {
                const { args, read, ofTable, apply, source } = listArguments(build, resource, {
                  withId: true,
                  partition: [],
                });
                const plan = (_$root: Step, fieldArgs: FieldArgs) => {
                  const $rows = findRows(resource, source && fieldArgs.getRaw("asOf"), source);
                  apply($rows, fieldArgs);
                  return $rows;
                };
                return {
                  description: resource.description,
                  extensions: accesses(resource, "select"),
                  type: new GraphQLList(type),
                  args,
                  plan: annotate(plan, { kind: "rows", resource, read, ...ofTable }, args),
                };
              }),
            },
            `GetPlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};
