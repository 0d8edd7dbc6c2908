import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../server/kernel/errors.ts";
import { databaseNameOf, rootTables, type TableResource } from "./resources.ts";
import { makeRowSelection } from "./rowSelection.ts";
import { whereArgument } from "./listArguments.ts";
import { accesses } from "./relationAccess.ts";
import { returningRows, selectWritten, TARGET, WriteStep, type MakeQueries } from "./WriteStep.ts";

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

/** The database decides whether the caller may: a status below zero asks its trigger for that status. */
function makeTransition(build: GraphileBuild.Build, resource: TableResource): MakeQueries {
  const select = makeRowSelection(build, resource, TARGET);
  return ([id, where, to], returned) => {
    const rows = select(id, where);
    const status = STATES[String(to)] ?? badInput(`to: must be one of ${Object.keys(STATES).join(", ")}`);
    const statement = sql`update ${resource.from as SQL} as ${TARGET} set ${sql.identifier("portolan_status")} = ${sql.literal(-status)} where ${rows}`;
    return [returningRows(resource, statement, returned, false)];
  };
}

export const WorkflowPlugin: GraphileConfig.Plugin = {
  name: "WorkflowPlugin",
  description: "`workflow<T>`: rows become drafted, reviewed or published",
  version: "0.1.0",

  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, context) {
        if (!context.scope.isRootMutation) return fields;
        const { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } = build.graphql;
        const tables = new Set(build.options.portolanWorkflow);
        for (const resource of rootTables(build)) {
          const relation = databaseNameOf(resource);
          if (!relation || !tables.has(`${relation.schema}.${relation.name}`)) continue;
          if (!build.behavior.pgResourceMatches(resource, "resource:update")) continue;
          const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
          const fieldName = build.inflection.tableField("workflow", resource.codec);
          build.extend(
            fields,
            {
              [fieldName]: context.fieldWithHooks({ fieldName, pgFieldResource: resource }, () => {
                const makeQueries = makeTransition(build, resource);
                return {
                  description: "Needs id or where; with both, both must hold.",
                  extensions: accesses(resource, "update"),
                  type: new GraphQLList(type),
                  args: {
                    id: { type: GraphQLID, description: "The key of one row." },
                    ...whereArgument(build, resource),
                    to: { type: new GraphQLNonNull(GraphQLString), description: "drafted, reviewed or published." },
                  },
                  plan(_$root, fieldArgs) {
                    const $arguments = ["id", "where", "to"].map((name) => fieldArgs.getRaw(name));
                    return selectWritten(resource, new WriteStep(resource, makeQueries, $arguments));
                  },
                };
              }),
            },
            `WorkflowPlugin adds ${fieldName}`,
          );
        }
        return fields;
      },
    },
  },
};
