import { sql, type SQL } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { byDefault, type TableResource } from "./tables/resources.ts";
import { rowArguments, writeFields, type WriteField } from "./writes/writeField.ts";
import { guardArguments, makeGuard } from "./writes/writeGuard.ts";
import { TARGET } from "./writes/returning.ts";
import type { MakeQueries } from "./writes/WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      DeletePlugin: true;
    }
  }
}

function makeDelete(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const { guard } = makeGuard(build, resource);
  return ([id, where, ifMatch, maxAffected], returned, run) => {
    const statement = (rows: SQL): SQL => sql`delete from ${resource.from as SQL} as ${TARGET} where ${rows}`;
    return guard({ id, where, ifMatch, maxAffected, statement }, returned, run);
  };
}

export const DeletePlugin: GraphileConfig.Plugin = {
  name: "DeletePlugin",
  description: "`delete<T>`: removes the rows of a key or a filter",
  version: VERSION,

  schema: {
    entityBehavior: byDefault("delete"),

    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const field: WriteField = {
          verb: "delete",
          right: "delete",
          description: "Needs id or where. If both are given, both must hold. Returns the rows as they were.",
          args: (resource) => ({ ...rowArguments(build, resource), ...guardArguments(build) }),
          makeQueries: makeDelete,
        };
        return build.extend(fields, writeFields(build, context, field), "DeletePlugin adds delete<T>");
      },
    },
  },
};
