import { sql, type SQL } from "postgraphile/pg-sql2";
import { byDefault, rootTables, type TableResource } from "./resources.ts";
import { whereArgument } from "./listArguments.ts";
import { accesses } from "./relationAccess.ts";
import { guardArguments, makeGuard } from "./writeGuard.ts";
import { selectWritten, TARGET, WriteStep, type MakeQueries } from "./WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      DeletePlugin: true;
    }
  }
}

function makeDelete(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const guard = makeGuard(build, resource);
  return ([id, where, ifMatch, maxAffected], returned, run) => {
    const statement = (rows: SQL): SQL => sql`delete from ${resource.from as SQL} as ${TARGET} where ${rows}`;
    return guard({ id, where, ifMatch, maxAffected, statement }, returned, run);
  };
}

export const DeletePlugin: GraphileConfig.Plugin = {
  name: "DeletePlugin",
  description: "`delete<T>`: removes the rows of a key or a filter",
  version: "0.1.0",

  schema: {
    entityBehavior: byDefault("delete"),

    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const { GraphQLID, GraphQLList } = build.graphql;
        for (const resource of rootTables(build)) {
          if (!build.behavior.pgResourceMatches(resource, "resource:delete")) continue;
          const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
          const fieldName = build.inflection.tableField("delete", resource.codec);
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, () => {
                const makeQueries = makeDelete(build, resource);
                return {
                  description: "Needs id or where; with both, both must hold. Gives the rows as they were.",
                  extensions: accesses(resource, "delete"),
                  type: new GraphQLList(type),
                  args: {
                    id: { type: GraphQLID, description: "The key of one row." },
                    ...whereArgument(build, resource),
                    ...guardArguments(build),
                  },
                  plan(_$root, fieldArgs) {
                    const $arguments = ["id", "where", "ifMatch", "maxAffected"].map((name) => fieldArgs.getRaw(name));
                    return selectWritten(resource, new WriteStep(resource, makeQueries, $arguments));
                  },
                };
              }),
            },
            `DeletePlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};
