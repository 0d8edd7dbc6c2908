/** The history of a table over REST: the versions of a row, the differences between two instants, and past rows. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import { taking, takingSeveral, type Resource } from "../kernel/rest/resource.ts";
import { checkSchema, limitParameters, rowsOfTable, tableParameters } from "./tableRows.ts";

const instant = z.string().meta({ format: "date-time" });
export const record = z
  .record(z.string(), z.unknown())
  .meta({ description: "The columns that the account may read, by their names" });

const version = z
  .object({
    valid_from: instant,
    valid_until: instant.nullable().meta({ description: "Null: it still is" }),
    written_by: z.string().nullable(),
    ended_by: z.string().nullable(),
    record,
  })
  .meta({ title: "RowVersion" });

const difference = z
  .object({
    key: z.string(),
    change: z.enum(["insert", "update", "delete"]),
    at: instant.meta({ description: "Of the last change of it" }),
    by: z
      .string()
      .nullable()
      .meta({ description: "The account that made it; null for accounts that may read only some columns" }),
    before: record.nullable(),
    after: record.nullable(),
  })
  .meta({ title: "RowDifference" });

const wanted = z
  .strictObject({
    key: z.string().meta({
      description: "As the id in GraphQL: the values of several columns, percent-encoded and joined by commas",
    }),
    at: z.string().meta({ format: "date-time" }),
  })
  .meta({ title: "RowToRestore" });

const inserted = z
  .strictObject({
    at: z.string().meta({ format: "date-time", description: "As the import said it" }),
    rows: z.int().positive().meta({ description: "How many it inserted" }),
  })
  .meta({ title: "InsertedRows" });

/** An instant of a query. PostgreSQL validates it. */
const instantText = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/, "must be an instant, such as 2026-01-31T12:00:00Z");

const RIGHTS = "Under the present rights of the account on rows and columns.";

export const historyResources: readonly Resource[] = [
  {
    path: "/schemas/{schema}/tables/{table}/history",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_versions",
        summary: "The versions of a row, oldest first, of a table whose history is kept",
        description: RIGHTS,
        status: 200,
        query: { key: { description: "The key of the row", schema: z.string() } },
        shown: z.array(version),
        run: async (caller, parameters) => {
          const { key } = parameters;
          if (key === undefined) throw new GatewayError("BAD_USER_INPUT", "key: name the row");
          const body = await rowsOfTable(caller, parameters, "portolan.history(relation, $3)", key);
          return { status: 200, body };
        },
      },
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/diff",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_differences",
        summary: "The differences of a table between two instants, in the order of its key",
        description: `${RIGHTS} A change that was reversed is not a difference.`,
        status: 200,
        query: {
          from: { description: "The earlier instant", schema: instantText },
          to: { description: "The later one; default now", schema: instantText },
          ...limitParameters,
        },
        shown: z.array(difference),
        run: async (caller, parameters) => {
          const { from, to, limit, offset } = parameters;
          if (from === undefined) throw new GatewayError("BAD_USER_INPUT", "from: an instant");
          const body = await rowsOfTable(
            caller,
            parameters,
            "portolan.diff(relation, $3, $4, $5, $6)",
            from,
            to ?? null,
            limit ?? 100,
            offset ?? 0,
          );
          return { status: 200, body };
        },
      },
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/restore",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      POST: takingSeveral(wanted, {
        id: "restore_rows",
        summary: "Restore a row as it was at an instant, or several rows: all or none",
        description:
          "An existing row is updated, a deleted one is inserted, under the rights of the account; history keeps the replaced values.",
        status: 204,
        run: async (caller, parameters, rows) => {
          await rowsOfTable(
            caller,
            parameters,
            "(select portolan.restore(relation, w.key, w.at)::text from jsonb_to_recordset($3::jsonb) w (key text, at timestamptz))",
            JSON.stringify(rows),
          );
          return { status: 204 };
        },
      }),
    },
  },
  {
    path: "/schemas/{schema}/tables/{table}/undo",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      POST: taking(inserted, {
        id: "undo_import",
        summary: "Delete the rows again that an import has inserted: all or none",
        description:
          "Under the rights of the account, of a table whose history is kept. 409 where one of them was changed since; history keeps the deleted rows.",
        status: 204,
        run: async (caller, { schema = "", table = "" }, { at, rows }) => {
          checkSchema(caller, schema);
          await caller.transact(
            (transaction) =>
              transaction.query({
                text: "select portolan.undo_insert(portolan.visible_relation($1, $2), $3, $4)",
                values: [schema, table, at, rows],
              }),
            [{ schema, name: table, request: "delete" }],
          );
          return { status: 204 };
        },
      }),
    },
  },
];
