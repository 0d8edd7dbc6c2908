/** The shape of saved queries. `portolan.tg_queries__check` checks the same in SQL. */
import { z } from "zod";
import { owner, sharedWith, title } from "./savedShape.ts";

const column = z.string().max(63).nullish();

const chart = z
  .strictObject({
    show: z.enum(["number", "line", "bar"]).meta({ description: "number: the y of the first row" }),
    x: column.meta({
      description:
        "The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one",
    }),
    y: column.meta({ description: "The column of numbers. Default: the first that is not x" }),
  })
  .meta({ title: "QueryChart" });

export const queryMembers = {
  title,
  q: z.string().min(1).max(100_000).meta({ description: "SQL, with parameters as in stored methods: `:name`" }),
  chart: chart.nullish().meta({ description: "How the console shows its result; null: as a table" }),
  shared: sharedWith("everybody who is signed in"),
  owner,
};
