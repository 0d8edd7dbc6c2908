/** The shape of dashboards. `portolan.dashboard_problem` checks the same in SQL. */
import { z } from "zod";
import { EVERYBODY, mapName } from "./mapShape.ts";

export const dashboardName = mapName;

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

/** The members of a dashboard that its owner changes. */
export const ownDashboardMembers = {
  title: z.string().min(1).max(200).nullish(),
  panels: z.array(panel).max(40),
  shared: z
    .array(z.string().max(40))
    .max(100)
    .meta({ description: `Accounts and groups that see it; ${EVERYBODY}: everybody who is signed in` }),
};

export const dashboardMembers = {
  ...ownDashboardMembers,
  owner: z.string().max(40).nullish().meta({ description: "Changed by super users; null: the operator" }),
};
