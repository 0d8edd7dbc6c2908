/** The settings of an operator, as one document over REST, for super users: `/configuration`. */
import { z } from "zod";
import { flag, taking, type Caller, type Resource } from "../kernel/rest/resource.ts";
import { configurationChange, configurationShape } from "./configurationShape.ts";

export function configurationResources(methods: z.ZodType): readonly Resource[] {
  const shape = configurationShape(methods);
  return [
    {
      path: "/configuration",
      tag: "configuration",
      parameters: {},
      operations: {
        GET: {
          id: "get_configuration",
          summary:
            "Accounts, clients, rules, methods, rasters, maps, queries, dashboards, views and the settings of tables, without secrets",
          description: "The same as portolan export. For super users.",
          status: 200,
          shown: shape,
          run: async (caller) => ({
            status: 200,
            body: await one(caller, "select portolan.configuration()::text as json"),
          }),
        },
        POST: taking(shape, {
          id: "apply_configuration",
          summary: "Change the database to match the document: all of it, or nothing",
          description:
            "The answer lists the changes. Everything is tried and rolled back unless dry=false. Objects that the document does not name stay; with prune=true they are removed, in the parts that the document has. For super users.",
          status: 200,
          query: {
            dry: { description: "Whether all changes are rolled back; default true", schema: flag },
            prune: { description: "Whether objects that are not named are removed; default false", schema: flag },
          },
          shown: z.array(configurationChange),
          run: async (caller, { dry = "true", prune = "false" }, body) => {
            const json = await one(
              caller,
              "select coalesce(json_agg(c), '[]')::text as json from portolan.apply_configuration($1, $2, $3) c",
              [JSON.stringify(body), prune === "true", dry === "true"],
            );
            return { status: 200, body: json };
          },
        }),
      },
    },
  ];
}

async function one(caller: Caller, text: string, values: unknown[] = []): Promise<unknown> {
  const { rows } = await caller.transact((transaction) => transaction.query<{ json: string }>({ text, values }));
  return JSON.parse(rows[0]?.json ?? "null");
}
