/** The shape of saved views. `portolan.view_problem` checks the same in SQL. */
import { z } from "zod";
import { owner, sharedWith, title } from "./savedShape.ts";

const column = z.string().min(1).max(63);
const columnNames = z.array(z.string()).max(1600).optional();

/** How the rows of a view are shown. */
export const VIEW_KINDS = ["grid", "form", "cards", "calendar", "kanban", "map"] as const;

export const viewMembers = {
  title,
  relation: z.string().min(3).max(260).meta({ description: "The table or view, as schema.table in SQL" }),
  kind: z.enum(VIEW_KINDS).meta({ description: "How the rows are shown; default grid" }),
  filter: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ description: "The rows, in the filter language; null: all" }),
  sort: z
    .string()
    .min(1)
    .max(64)
    .nullish()
    .meta({ description: "The column to order by; a - before it means descending" }),
  columns: z
    .strictObject({
      order: columnNames.meta({ description: "The columns that come first" }),
      hidden: columnNames,
      pinned: columnNames.meta({ description: "The columns that stay in sight" }),
      widths: z.record(z.string(), z.number()).optional().meta({ description: "In pixels" }),
    })
    .nullish(),
  fields: z
    .strictObject({
      label: column.optional().meta({ description: "The column that names a row" }),
      date: column.optional().meta({ description: "The day of a row on a calendar" }),
      until: column.optional().meta({ description: "Its last day" }),
      group: column.optional().meta({ description: "The column whose values are the columns of a kanban board" }),
      geometry: column.optional().meta({ description: "The column that a map shows" }),
    })
    .nullish()
    .meta({ description: "The columns that a kind needs: a calendar has date, a kanban board has group" }),
  shared: sharedWith("everybody who is signed in"),
  owner,
};
