import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../server/ground/errors.ts";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { databaseNameOf, rootTables, type TableResource } from "./tables/resources.ts";
import { makeRowSelection } from "./writes/rowSelection.ts";
import { rowArguments, writeFields, type WriteField } from "./writes/writeField.ts";
import { returningRows, TARGET } from "./writes/returning.ts";
import type { MakeQueries } from "./writes/WriteStep.ts";

declare global {
  namespace GraphileConfig {
    interface Plugins {
      WorkflowPlugin: true;
    }
  }
  namespace GraphileBuild {
    interface SchemaOptions {
      /** Tables, as `schema.table`, whose rows are drafted, reviewed and published (`portolan.enable_workflow`). Default: none. */
      portolanWorkflow?: readonly string[];
    }
  }
}

const STATES: Readonly<Record<string, number>> = { drafted: 1, reviewed: 2, published: 3 };

/**
 * The transition. The database decides whether the caller may make it: a status below zero asks its trigger for that
 * status.
 */
function makeTransition(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const select = makeRowSelection(build, resource, TARGET);
  return ([id, where, to], returned) => {
    const rows = select(id, where);
    const status = STATES[String(to)] ?? badInput(`to: must be one of ${Object.keys(STATES).join(", ")}`);
    const statement = sql`update ${resource.from as SQL} as ${TARGET} set ${sql.identifier("portolan_status")} = ${sql.literal(-status)} where ${rows}`;
    return [returningRows(resource, statement, { columns: returned })];
  };
}

export const WorkflowPlugin: GraphileConfig.Plugin = {
  name: "WorkflowPlugin",
  description: "`workflow<T>`: rows become drafted, reviewed or published",
  version: VERSION,

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const { GraphQLNonNull, GraphQLString } = build.graphql;
        const tables = new Set(build.options.portolanWorkflow);
        const published = rootTables(build).filter((resource) => {
          const relation = databaseNameOf(resource);
          return relation !== undefined && tables.has(`${relation.schema}.${relation.name}`);
        });
        const field: WriteField = {
          verb: "workflow",
          right: "update",
          description: "Needs id or where. If both are given, both must hold.",
          args: (resource) => ({
            ...rowArguments(build, resource),
            to: { type: new GraphQLNonNull(GraphQLString), description: "drafted, reviewed or published." },
          }),
          makeQueries: makeTransition,
        };
        return build.extend(fields, writeFields(build, context, field, published), "WorkflowPlugin adds workflow<T>");
      },
    },
  },
};
