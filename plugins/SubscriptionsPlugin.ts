import { context, listen, object, type FieldArgs, type GrafastSubscriber, type Step } from "postgraphile/grafast";
import { VERSION } from "../server/ground/packageDirectory.ts";
import { behaves } from "./tables/behaviors.ts";
import { EVENT_OPERATIONS, annotateEvents, type EventRows } from "./rows/eventFields.ts";
import { byDefault, rootTables, type TableResource } from "./tables/resources.ts";
import { shapeOf } from "./tables/shapes.ts";
import { selectWritten } from "./writes/WriteStep.ts";

declare global {
  namespace Grafast {
    interface Context {
      /**
       * Emits once for each event. Without it, nobody can subscribe. The rows of the event are in the context next to
       * it.
       */
      portolanEvents?: GrafastSubscriber<Record<string, true>>;
      portolanEventRows?: EventRows;
    }
  }
  namespace GraphileBuild {
    interface BehaviorStrings {
      "resource:subscribe": true;
    }
  }
  namespace GraphileConfig {
    interface Plugins {
      SubscriptionsPlugin: true;
    }
  }
}

const DESCRIPTIONS = {
  INSERT: "Rows that were inserted, or that an update made visible.",
  UPDATE: "Rows that were updated, as they are afterwards.",
  DELETE: "Rows that were deleted, or that an update hid, as they were.",
} as const;

/** Whether the table stores rows itself: not a view or a foreign table. */
function isTable({ extensions }: TableResource): boolean {
  const { isView, isMaterializedView, isForeignTable } = (extensions ?? {}) as Record<string, boolean | undefined>;
  return !isView && !isMaterializedView && !isForeignTable;
}

export const SubscriptionsPlugin: GraphileConfig.Plugin = {
  name: "SubscriptionsPlugin",
  description: "`<T>MessageAdded`, `<T>MessageUpdated`, `<T>MessageDeleted`: the writes to a table",
  version: VERSION,

  schema: {
    behaviorRegistry: {
      add: { "resource:subscribe": { description: "can subscribe to changes of the rows", entities: ["pgResource"] } },
    },
    entityBehavior: byDefault("resource:subscribe"),

    hooks: {
      GraphQLObjectType_fields(fields, build, { scope, fieldWithHooks }) {
        if (!scope.isRootSubscription) return fields;
        const { GraphQLList } = build.graphql;
        for (const resource of rootTables(build)) {
          if (!isTable(resource) || !behaves(build, "pgResource", resource, "resource:select")) continue;
          if (!behaves(build, "pgResource", resource, "resource:subscribe")) continue;
          const type = build.getOutputTypeByName(build.inflection.tableType(resource.codec));
          for (const [suffix, operation] of EVENT_OPERATIONS) {
            const fieldName = build.inflection.eventField(resource.codec, suffix);
            build.extend(
              fields,
              {
                [fieldName]: fieldWithHooks({ fieldName, pgFieldResource: resource }, () => ({
                  description: DESCRIPTIONS[operation],
                  type: new GraphQLList(type),
                  args: {
                    where: {
                      type: build.getInputTypeByName("JSON"),
                      description: "A filter over columns of scalar types, as JSON or as text in SQL's syntax.",
                    },
                  },
                  ...(annotateEvents(
                    {
                      subscribePlan: (_$root: Step, fieldArgs: FieldArgs) =>
                        listen(
                          context().get("portolanEvents") as Step as never,
                          object({ where: fieldArgs.getRaw("where") }) as Step as Step<string>,
                        ),
                      // the rows are the same for the whole statement, unlike those of an event
                      plan: () => selectWritten(resource, context().get("portolanEventRows") as Step<EventRows>),
                    },
                    { resource, operation, shape: shapeOf(build, resource) },
                  ) as object), // upstream's type requires both plans to return the same kind of step
                })),
              },
              `SubscriptionsPlugin adds ${fieldName}`,
            );
          }
        }
        return fields;
      },
    },
  },
};
