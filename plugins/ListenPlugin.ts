import { loadOneWithPgClient, type PgExecutor } from "postgraphile/@dataplan/pg";
import { constant, context, lambda, listen, object, type Step } from "postgraphile/grafast";
import { sql } from "postgraphile/pg-sql2";
import { VERSION } from "../server/ground/packageDirectory.ts";

declare global {
  namespace GraphileBuild {
    interface SchemaOptions {
      /**
       * The function that decides who may listen to a topic, as `schema.name`. It takes the topic as text, and refuses
       * by raising an error or by returning false. Without it there is no field `listen`.
       */
      portolanListenAuthorization?: string;
    }
  }
  namespace GraphileConfig {
    interface Plugins {
      ListenPlugin: true;
    }
  }
}

/** The prefix of pg-pubsub for PostGraphile. */
const CHANNEL_PREFIX = "postgraphile:";

interface Notification {
  readonly topic: string;
  readonly payload: string;
}

function parsePayload(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}

/** Converts `["Forum", 1]` in `__node__` to the id that PostGraphile would give it. */
function nodeIdOf({ payload }: Notification): string | null {
  const json = parsePayload(payload) as { __node__?: unknown } | null;
  const node = typeof json === "object" ? json?.__node__ : undefined;
  return node === undefined ? null : Buffer.from(JSON.stringify(node)).toString("base64");
}

function makeAuthorize(functionName: string) {
  const [schema = "", name = ""] = functionName.split(".");
  const { text } = sql.compile(sql`select ${sql.identifier(schema, name)}($1::text)::text as answer`);
  type Client = { query(query: { text: string; values: unknown[] }): Promise<{ rows: readonly object[] }> };
  return async (client: unknown, topics: readonly string[]): Promise<string[]> => {
    const channels: string[] = [];
    for (const topic of topics) {
      const { rows } = await (client as Client).query({ text, values: [topic] });
      if ((rows[0] as { answer: string | null } | undefined)?.answer === "false")
        throw Object.assign(new Error("The account may not listen to this topic"), {
          code: "42501",
          severity: "ERROR",
        });
      channels.push(CHANNEL_PREFIX + topic);
    }
    return channels;
  };
}

export const ListenPlugin: GraphileConfig.Plugin = {
  name: "ListenPlugin",
  description: "`listen(topic)`: the messages of `pg_notify('postgraphile:<topic>', …)`",
  version: VERSION,

  schema: {
    hooks: {
      init(_, build) {
        if (build.options.portolanListenAuthorization === undefined) return _;
        build.registerObjectType(
          "ListenPayload",
          {},
          () => ({
            description: "A message sent to a topic.",
            fields: () => {
              const { GraphQLID, GraphQLNonNull, GraphQLString } = build.graphql;
              const read = <T>($event: Step, get: (event: Notification) => T) =>
                lambda($event as Step<Notification>, get, true);
              return {
                topic: {
                  type: new GraphQLNonNull(GraphQLString),
                  plan: ($event: Step) => read($event, (event) => event.topic),
                },
                payload: {
                  description: "Text that is not JSON is a string.",
                  type: build.getOutputTypeByName("JSON"),
                  plan: ($event: Step) => read($event, (event) => parsePayload(event.payload)),
                },
                relatedNodeId: {
                  description: "The member __node__ of the payload, in base64.",
                  type: GraphQLID,
                  plan: ($event: Step) => read($event, nodeIdOf),
                },
                query: { type: build.getOutputTypeByName("Query"), plan: () => constant(true) },
              } as never;
            },
          }),
          "ListenPlugin",
        );
        return _;
      },

      GraphQLObjectType_fields(fields, build, { scope, fieldWithHooks }) {
        const functionName = build.options.portolanListenAuthorization;
        const [executor] = Object.values(build.input.pgRegistry.pgExecutors) as PgExecutor[];
        if (!scope.isRootSubscription || functionName === undefined || !executor) return fields;
        const authorize = makeAuthorize(functionName);
        const { GraphQLNonNull, GraphQLString } = build.graphql;
        return build.extend(
          fields,
          {
            listen: fieldWithHooks({ fieldName: "listen" }, () => ({
              description: "The messages that pg_notify('postgraphile:<topic>', …) sends from now on. None is stored.",
              type: build.getOutputTypeByName("ListenPayload"),
              args: { topic: { type: new GraphQLNonNull(GraphQLString) } },
              subscribePlan: ((_$root: Step, { $topic }: { $topic: Step<string> }) =>
                listen(
                  context().get("pgSubscriber" as never) as Step as never,
                  loadOneWithPgClient(executor, $topic, authorize as never) as unknown as Step<string>,
                  ($payload) => object({ topic: $topic, payload: $payload as Step }),
                )) as never,
              plan: ($event: Step) => $event,
            })),
          },
          "ListenPlugin adds listen",
        );
      },
    },
  },
};
