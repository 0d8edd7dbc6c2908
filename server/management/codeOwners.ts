/**
 * The untrusted roles whose code runs when a table is used. Their code has all rights of the account that reads or
 * writes the table.
 */
import { z } from "zod";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { checkSchema, rowsOfTable, tableParameters } from "./tableRows.ts";

const shown = z
  .object({
    owner: z.string().meta({ description: "An untrusted role; public: any role" }),
    via: z.string().meta({ description: "Where its code is, after what leads there" }),
    reads: z.boolean().meta({ description: "Whether reading the table runs it; writing does in any case" }),
  })
  .meta({ title: "CodeOwner" });

const ofSchema = z
  .object({
    table: z.string(),
    reads: z
      .string()
      .nullable()
      .meta({ description: "The first of these roles, by name, whose code runs when the table is read; null: none" }),
    writes: z.string().nullable().meta({ description: "The same for writing" }),
  })
  .meta({ title: "TableCodeOwners" });

export const codeOwnerResources: readonly Resource[] = [
  {
    path: "/schemas/{schema}/code-owners",
    tag: "tables",
    parameters: { schema: tableParameters.schema },
    operations: {
      GET: {
        id: "list_schema_code_owners",
        summary: "The tables and views of a schema that run code of untrusted roles",
        description: "/schemas/{schema}/tables/{table}/code-owners shows that code. For super users.",
        status: 200,
        shown: z.array(ofSchema),
        async run(caller, { schema = "" }) {
          checkSchema(caller, schema);
          return { status: 200, body: await rowsOf(caller, "portolan.schema_code_owners($1)", [schema]) };
        },
      },
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/code-owners",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_code_owners",
        summary: "The untrusted roles whose code a statement over the table can run, and that code",
        description:
          "Roles are untrusted unless the option trustedOwners names them. A trigger, policy, function, view, default or " +
          "type of such a role runs with all rights of the account that asks. For super users. An empty list: there is no such code.",
        status: 200,
        shown: z.array(shown),
        run: async (caller, parameters) => ({
          status: 200,
          body: await rowsOfTable(caller, parameters, "portolan.code_owners(relation)"),
        }),
      },
    },
  },
];
