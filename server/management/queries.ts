/** Saved SQL over REST. Row security of `portolan.queries` decides who sees and changes which; it runs with the rights of its reader. */
import { z } from "zod";
import { collectionResources } from "../kernel/rest/collection.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { ownQueryMembers, queryMembers, queryName } from "./queryShape.ts";

const version = z.int().meta({ description: "Counts the changes of the query" });
const { shared, ...own } = ownQueryMembers;

export const newQuery = z
  .strictObject({ name: queryName, ...own, shared: shared.optional() })
  .meta({ title: "NewQuery" });

export const queryChange = z
  .strictObject({
    ...z.object(queryMembers).partial().shape,
    version: version.optional().meta({ description: "The version that was read: 409 where it is another by now" }),
  })
  .meta({ title: "QueryChange" });

export const queryResources = collectionResources({
  path: "/queries",
  noun: "query",
  name: queryName,
  description:
    "SQL to run again. The account that saves it owns it; it and super users change it, and those that it is shared with see it. It runs by POST /sql, with the rights of who runs it.",
  shown: z
    .object({
      name: queryName,
      ...queryMembers,
      version,
      may_change: z.boolean().meta({ description: "Whether the caller may change it" }),
    })
    .meta({ title: "Query" }),
  create: newQuery,
  change: queryChange,
  oneForOne: true,

  list: (caller, names) => rowsOf(caller, "portolan.list_queries($1::text[])", [names]),

  async add(caller, queries) {
    await caller.transact((transaction) =>
      transaction.query({
        text: `
select portolan.create_query(m.name, m.q, m.title, m.shared)
from jsonb_to_recordset($1::jsonb) as m (name text, q text, title text, shared text[])`,
        values: [JSON.stringify(queries)],
      }),
    );
    return queries.map(({ name }) => ({ name }));
  },

  async update(caller, names, change) {
    await caller.transact((transaction) =>
      transaction.query({
        text: "select portolan.update_query(name, $2::jsonb) from unnest($1::text[]) name",
        values: [names, JSON.stringify(change)],
      }),
    );
  },

  async remove(caller, names) {
    await caller.transact((transaction) =>
      transaction.query({ text: "select portolan.drop_query(name) from unnest($1::text[]) name", values: [names] }),
    );
  },
});
