/** The shape of dashboards. `portolan.dashboard_problem` checks the same in SQL. */
import { z } from "zod";
import { owner, sharedWith, title } from "./savedShape.ts";

const column = z.string().max(63).nullish();

const panel = z
  .strictObject({
    title: z.string().max(200).nullish(),
    q: z.string().min(1).max(100_000).meta({ description: "SQL, with parameters as in stored methods: `:name`" }),
    params: z.record(z.string(), z.unknown()).nullish().meta({ description: "The values of its parameters, by name" }),
    show: z.enum(["number", "line", "bar", "table"]).meta({ description: "number: the y of the first row" }),
    x: column.meta({
      description:
        "The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one",
    }),
    y: column.meta({ description: "The column of numbers. Default: the first that is not x" }),
    wide: z.boolean().nullish().meta({ description: "Whether it takes the whole width" }),
  })
  .meta({ title: "DashboardPanel" });

export const dashboardMembers = {
  title,
  panels: z.array(panel).max(40),
  shared: sharedWith("everybody, who can then open its public page"),
  owner,
};
