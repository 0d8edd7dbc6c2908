/** The shape of dashboards. `portolan.dashboard_problem` checks the same in SQL. */
import { z } from "zod";
import { owner, sharedWith, title } from "./savedShape.ts";

const column = z.string().max(63).nullish();

const panel = z
  .strictObject({
    title: z.string().max(200).nullish(),
    q: z.string().min(1).max(100_000).meta({ description: "SQL, with parameters as in stored methods: `:name`" }),
    params: z.record(z.string(), z.unknown()).nullish().meta({ description: "The values of its parameters, by name" }),
    show: z.enum(["number", "line", "bar", "table"]).meta({ description: "number: y of the first row" }),
    x: column.meta({
      description: "The column from left to right, or of the bars' names. Default: the rows in their order",
    }),
    y: column.meta({ description: "The column of numbers. Default: the first that has any" }),
    wide: z.boolean().nullish().meta({ description: "Whether it takes the whole width" }),
  })
  .meta({ title: "DashboardPanel" });

export const dashboardMembers = {
  title,
  panels: z.array(panel).max(40),
  shared: sharedWith("everybody, who then have its public page"),
  owner,
};
