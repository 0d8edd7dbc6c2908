/** Saved views of tables over REST: their rows are read with the rights of the viewer. */
import { z } from "zod";
import { savedKind } from "./saved.ts";
import { viewMembers } from "./viewShape.ts";

export const views = savedKind({
  noun: "view",
  plural: "views",
  title: "View",
  description:
    "Views of tables: which rows, in which order, with which columns, and how they are shown. The account that saves one owns it. The owner and super users change it, and the accounts that it is shared with see it. Its rows are read with the rights of the viewer.",
  members: viewMembers,
  required: ["relation"],
  answered: {
    schema: z.string().nullable().meta({ description: "Null where the table has been dropped" }),
    table: z.string().nullable(),
  },
});
