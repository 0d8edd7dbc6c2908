/** Comments on rows over REST. Row security shows a comment to everybody who may read its row; its author changes it. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import { taking, type Caller, type Parameters, type Resource } from "../kernel/rest/resource.ts";
import { limitParameters, rowsOfTable, tableParameters } from "./tableRows.ts";

const body = z.string().min(1).max(10_000);
const id = z.int().meta({ description: "The number of the comment" });
const key = z
  .string()
  .meta({ description: "As the id in GraphQL: the values of several columns, percent-encoded and joined by commas" });

const shown = z
  .object({
    id,
    key,
    body,
    author: z.string().nullable().meta({ description: "Null: the operator, or an account that has been removed" }),
    created_at: z.string().meta({ format: "date-time" }),
    changed_at: z.string().nullable().meta({ format: "date-time" }),
    may_change: z.boolean().meta({ description: "Whether the caller has written it" }),
    may_remove: z.boolean(),
  })
  .meta({ title: "RowComment" });

const created = z.strictObject({ key, body }).meta({ title: "NewRowComment" });
const changed = z.strictObject({ body }).meta({ title: "RowCommentChange" });

const PATH = "/schemas/{schema}/tables/{table}/comments";
const RIGHTS = "Only accounts that may read a row see its comments and write comments.";

export const commentResources: readonly Resource[] = [
  {
    path: PATH,
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_row_comments",
        summary: "The comments on a row, oldest first, or those on all rows of a table, latest first",
        description: `${RIGHTS} Super users also see comments on rows that no longer exist, without a key.`,
        status: 200,
        query: {
          key: { description: "The key of the row; default: all rows", schema: z.string() },
          before: {
            description: "Only comments with a lower number: the last number of the previous page",
            schema: z.string().regex(/^[1-9]\d{0,17}$/, "must be the number of a comment"),
          },
          limit: limitParameters.limit,
        },
        shown: z.array(shown),
        run: async (caller, parameters) => {
          const { key: of, limit, before } = parameters;
          const from = "portolan.list_comments(relation, $3, $4, $5)";
          const listed = await rowsOfTable(caller, parameters, from, of ?? null, limit ?? 100, before ?? null);
          return { status: 200, body: listed };
        },
      },
      POST: taking(created, {
        id: "create_row_comment",
        summary: "Comment on a row",
        description: `${RIGHTS} A row has 1,000 comments at most.`,
        status: 201,
        oneForOne: true,
        shown: z.object({ id }),
        run: async (caller, parameters, comment) => {
          const from = "(select portolan.add_comment(relation, $3, $4) as id)";
          const rows = await rowsOfTable(caller, parameters, from, comment.key, comment.body);
          const [made] = rows as readonly { readonly id: number }[];
          const { schema = "", table = "" } = parameters;
          const path = `/schemas/${encodeURIComponent(schema)}/tables/${encodeURIComponent(table)}/comments/${made!.id}`;
          return { status: 201, location: path, items: [{ path, members: { ...made } }] };
        },
      }),
    },
  },
  {
    path: `${PATH}/{id}`,
    tag: "tables",
    parameters: { ...tableParameters, id: "Number of a comment" },
    operations: {
      PATCH: taking(changed, {
        id: "update_row_comment",
        summary: "Change the text of one's own comment",
        status: 204,
        run: (caller, parameters, change) =>
          onComment(caller, parameters, "portolan.change_comment($3, $4, relation)", change.body),
      }),
      DELETE: {
        id: "delete_row_comment",
        summary: "Remove one's own comment; for super users any comment",
        status: 204,
        run: (caller, parameters) => onComment(caller, parameters, "portolan.drop_comment($3, relation)"),
      },
    },
  },
];

/** Throws `NOT_FOUND` for text that is not the number of a comment. */
async function onComment(
  caller: Caller,
  parameters: Parameters,
  call: string,
  ...values: readonly unknown[]
): Promise<{ status: 204 }> {
  const { id: number = "" } = parameters;
  if (!/^[1-9]\d{0,17}$/.test(number))
    throw new GatewayError("NOT_FOUND", `There is no comment ${JSON.stringify(number)}`);
  await rowsOfTable(caller, parameters, `(select ${call}::text as done)`, number, ...values);
  return { status: 204 };
}
