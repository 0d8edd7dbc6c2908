/** Saved SQL over REST: it runs with the rights of its reader. */
import { queryMembers } from "./queryShape.ts";
import { savedKind } from "./saved.ts";

export const queries = savedKind({
  noun: "query",
  plural: "queries",
  title: "Query",
  description:
    "SQL to run again. The account that saves it owns it. The owner and super users change it, and the accounts that it is shared with see it. It runs by POST /sql, with the rights of the account that runs it.",
  members: queryMembers,
  required: ["q"],
});
