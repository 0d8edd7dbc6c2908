/** The shape of saved queries. `portolan.tg_queries__check` checks the same in SQL. */
import { z } from "zod";
import { owner, sharedWith, title } from "./savedShape.ts";

export const queryMembers = {
  title,
  q: z.string().min(1).max(100_000).meta({ description: "SQL, with parameters as in stored methods: `:name`" }),
  shared: sharedWith("everybody who is signed in"),
  owner,
};
