import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Column } from "../server/filter/tree.ts";
import { convertedToSql, type Converted } from "../server/filter/values.ts";
import { badInput } from "../server/kernel/errors.ts";
import { byDefault, type TableResource } from "./resources.ts";
import { makeChangeReader } from "./rowChanges.ts";
import { makeRowReader, type Row } from "./rowData.ts";
import { rowArguments, writeFields, type WriteField } from "./writeField.ts";
import { guardArguments, makeGuard } from "./writeGuard.ts";
import { TARGET, type MakeQueries } from "./WriteStep.ts";

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
        const JSONType = build.getInputTypeByName("JSON");
        const field: WriteField = {
          verb: "update",
          right: "update",
          description: "Needs id or where; with both, both must hold.",
          args: (resource) => ({
            ...rowArguments(build, resource),
            data: { type: JSONType, description: "The new values." },
            change: {
              type: JSONType,
              description: 'What the values that are there become, such as {"stock": {"inc": 5}}.',
            },
            ...guardArguments(build),
          }),
          makeQueries: makeUpdate,
        };
        return build.extend(fields, writeFields(build, context, field), "UpdatePlugin adds update<T>");
      },
    },
  },
};
