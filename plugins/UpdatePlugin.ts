import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Column } from "../server/filter/tree.ts";
import { convertedToSql, type Converted } from "../server/filter/values.ts";
import { badInput } from "../server/kernel/errors.ts";
import { byDefault, rootTables, type TableResource } from "./resources.ts";
import { makeChangeReader } from "./rowChanges.ts";
import { makeRowReader, type Row } from "./rowData.ts";
import { whereArgument } from "./listArguments.ts";
import { accesses } from "./relationAccess.ts";
import { guardArguments, makeGuard } from "./writeGuard.ts";
import { selectWritten, TARGET, WriteStep, type MakeQueries } from "./WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      UpdatePlugin: true;
    }
  }
}

function makeUpdate(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const readRow = makeRowReader(build, resource, "update");
  const guard = makeGuard(build, resource);
  const readChanges = makeChangeReader(build, resource);
  return ([id, where, data, change, ifMatch, maxAffected], returned, run) => {
    const isGiven = (json: unknown): boolean => json !== undefined && json !== null;
    if (!isGiven(data) && !isGiven(change)) return badInput("data: is missing");
    const row: Row = isGiven(data) ? readRow(data, "data") : new Map<Column, Converted>();
    if (row.size === 0 && !isGiven(change)) return badInput("data: names no column");
    const changes = isGiven(change) ? readChanges(change, row) : [];
    const set = [...row]
      .map(([column, value]) => ({ column, value: convertedToSql(value, column.type) }))
      .concat(changes)
      .map(({ column, value }) => sql`${sql.identifier(column.name)} = ${value}`);
    const statement = (rows: SQL): SQL =>
      sql`update ${resource.from as SQL} as ${TARGET} set ${sql.join(set, ", ")} where ${rows}`;
    return guard({ id, where, ifMatch, maxAffected, statement }, returned, run);
  };
}

export const UpdatePlugin: GraphileConfig.Plugin = {
  name: "UpdatePlugin",
  description: "`update<T>`: new values for the rows of a key or a filter",
  version: "0.1.0",

  schema: {
    entityBehavior: byDefault("update"),

    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const { GraphQLID, GraphQLList } = build.graphql;
        const JSONType = build.getInputTypeByName("JSON");
        for (const resource of rootTables(build)) {
          if (!build.behavior.pgResourceMatches(resource, "resource:update")) continue;
          const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
          const fieldName = build.inflection.tableField("update", resource.codec);
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, () => {
                const makeQueries = makeUpdate(build, resource);
                return {
                  description: "Needs id or where; with both, both must hold.",
                  extensions: accesses(resource, "update"),
                  type: new GraphQLList(type),
                  args: {
                    id: { type: GraphQLID, description: "The key of one row." },
                    ...whereArgument(build, resource),
                    data: { type: JSONType, description: "The new values." },
                    change: {
                      type: JSONType,
                      description: 'What the values that are there become, such as {"stock": {"inc": 5}}.',
                    },
                    ...guardArguments(build),
                  },
                  plan(_$root, fieldArgs) {
                    const $arguments = ["id", "where", "data", "change", "ifMatch", "maxAffected"].map((name) =>
                      fieldArgs.getRaw(name),
                    );
                    return selectWritten(resource, new WriteStep(resource, makeQueries, $arguments));
                  },
                };
              }),
            },
            `UpdatePlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};
