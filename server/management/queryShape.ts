/** The shape of saved queries. `portolan.tg_queries__check` checks the same in SQL. */
import { z } from "zod";
import { EVERYBODY, mapName } from "./mapShape.ts";

export const queryName = mapName;

/** The members of a query that its owner changes. */
export const ownQueryMembers = {
  title: z.string().min(1).max(200).nullish(),
  q: z.string().min(1).max(100_000).meta({ description: "SQL, with parameters as in stored methods: `:name`" }),
  shared: z
    .array(z.string().max(40))
    .max(100)
    .meta({ description: `Accounts and groups that see it; ${EVERYBODY}: everybody` }),
};

export const queryMembers = {
  ...ownQueryMembers,
  owner: z.string().max(40).nullish().meta({ description: "Changed by super users; null: the operator" }),
};
