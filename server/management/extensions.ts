/** The extensions of a database over REST, for super users. */
import { z } from "zod";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const shown = z
  .object({
    name: z.string(),
    version: z.string(),
    newer_version: z.string().nullable().meta({
      description: "The version to which `alter extension … update` would update it; null where it has that version",
    }),
    schema: z.string(),
    relocatable: z.boolean().meta({ description: "Whether it may be moved into another schema" }),
    description: z.string().nullable(),
  })
  .meta({ title: "Extension" });

export const extensionResources: readonly Resource[] = [
  {
    path: "/extensions",
    tag: "operation",
    parameters: {},
    operations: {
      GET: {
        id: "list_extensions",
        summary: "The extensions of the database, and the versions to which they can be updated",
        description: "The same as portolan extension list. For super users.",
        status: 200,
        shown: z.array(shown),
        run: async (caller) => ({ status: 200, body: await rowsOf(caller, "portolan.list_extensions()") }),
      },
    },
  },
];
