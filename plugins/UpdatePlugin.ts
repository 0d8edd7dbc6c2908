import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Column } from "../server/filter/tree.ts";
import { assignedToSql, type Converted } from "../server/filter/values.ts";
import { badInput, GatewayError } from "../server/ground/errors.ts";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { isObject } from "../server/types/json.ts";
import { atPath } from "./writes/errorPath.ts";
import { byDefault, type TableResource } from "./tables/resources.ts";
import { makeChangeReader } from "./writes/rowChanges.ts";
import { makeRowReader, type Row } from "./writes/rowData.ts";
import { rowArguments, writeFields, type WriteField } from "./writes/writeField.ts";
import { guardArguments, makeGuard, type Guarded } from "./writes/writeGuard.ts";
import { TARGET } from "./writes/returning.ts";
import type { CheckedQuery, MakeQueries, RunQuery } from "./writes/WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      UpdatePlugin: true;
    }
  }
}

interface RowUpdate extends Omit<Guarded, "statement"> {
  readonly data: unknown;
  readonly change: unknown;
}

/** The most rows of one update. Each row is a statement. */
const MAX_ROWS = 10_000;

const isGiven = (json: unknown): boolean => json !== undefined && json !== null;

function makeUpdate(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const readRow = makeRowReader(build, resource, "update");
  const { guard, checkCount } = makeGuard(build, resource);
  const readChanges = makeChangeReader(build, resource);
  const updateOf = (update: RowUpdate, columns: readonly string[] | undefined, run: RunQuery) => {
    const { data, change, ...rows } = update;
    if (!isGiven(data) && !isGiven(change)) return badInput("data: is missing");
    const row: Row = isGiven(data) ? readRow(data, "data") : new Map<Column, Converted>();
    if (row.size === 0 && !isGiven(change)) return badInput("data: name at least one column");
    const changes = isGiven(change) ? readChanges(change, row) : [];
    const set = [...row]
      .map(([column, value]) => ({ column, value: assignedToSql(value, column.type) }))
      .concat(changes)
      .map(({ column, value }) => sql`${sql.identifier(column.name)} = ${value}`);
    const statement = (condition: SQL): SQL =>
      sql`update ${resource.from as SQL} as ${TARGET} set ${sql.join(set, ", ")} where ${condition}`;
    return guard({ ...rows, statement }, columns, run);
  };
  return async ([id, where, data, change, objects, ifMatch, maxAffected], columns, run) => {
    if (!isGiven(objects)) return updateOf({ id, where, data, change, ifMatch, maxAffected }, columns, run);
    if ([id, where, data, change, ifMatch].some(isGiven))
      return badInput("objects: can only be combined with maxAffected");
    const rows = objects as readonly unknown[];
    if (rows.length > MAX_ROWS) throw new GatewayError("LIMIT_EXCEEDED", `objects: more than ${MAX_ROWS} rows`);
    checkCount(rows.length, maxAffected);
    const queries = rows.map(async (object, index): Promise<CheckedQuery[]> => {
      const path = `objects.${index}`;
      const made = await atPath(path, async () => updateOf(readUpdate(object), columns, run));
      return made.map((query) => ({ ...query, path }));
    });
    return (await Promise.all(queries)).flat();
  };
}

/** Reads one update. Throws `BAD_USER_INPUT`. */
function readUpdate(json: unknown): RowUpdate {
  if (!isObject(json)) return badInput("must be an object of id, data, change and ifMatch");
  const { id, data, change, ifMatch, ...unknown } = json;
  for (const name of Object.keys(unknown)) return badInput(`unknown member ${JSON.stringify(name)}`);
  if (!isGiven(id)) return badInput("id: is missing");
  return { id, data, change, ifMatch };
}

export const UpdatePlugin: GraphileConfig.Plugin = {
  name: "UpdatePlugin",
  description: "`update<T>`: new values for the rows of a key or a filter, or for each of several rows its own",
  version: VERSION,

  schema: {
    entityBehavior: byDefault("update"),

    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const JSONType = build.getInputTypeByName("JSON");
        const field: WriteField = {
          verb: "update",
          right: "update",
          description: "Needs id or where (if both are given, both must hold), or objects.",
          args: (resource) => ({
            ...rowArguments(build, resource),
            data: { type: JSONType, description: "The new values." },
            change: {
              type: JSONType,
              description: 'Changes to the present values, such as {"stock": {"inc": 5}}.',
            },
            objects: {
              type: new build.graphql.GraphQLList(JSONType),
              description: "Several rows, each as `{id, data, change, ifMatch}`, in place of these arguments.",
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
