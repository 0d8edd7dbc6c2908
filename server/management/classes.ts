/** Breaks of a column's values into classes, for styles and legends. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import type { Resource } from "../kernel/rest/resource.ts";
import { rowsOfTable, tableParameters } from "./tableRows.ts";

const bound = z.unknown().meta({ description: "A value of the column" });
const shown = z
  .object({ lower: bound, upper: bound, count: z.int().meta({ description: "Rows that the account may see" }) })
  .meta({ title: "ValueClass" });

export const classResources: readonly Resource[] = [
  {
    path: "/schemas/{schema}/tables/{table}/classes",
    tag: "tables",
    parameters: tableParameters,
    operations: {
      GET: {
        id: "list_classes",
        summary: "Breaks of a column's values into classes, of the rows that the account may see",
        description:
          "A row is in a class from its lower bound on and below the upper one, in the last class the upper bound too. " +
          "Null, NaN and infinity are in no class.",
        status: 200,
        query: {
          column: { description: "The column", schema: z.string().max(63) },
          count: {
            description: "The most classes; default 5",
            schema: z.string().regex(/^([1-9]\d?|100)$/, "must be a number from 1 to 100"),
          },
          method: {
            description:
              "quantile (default): the same number of rows in each; equal: spans of one length; natural: around the means that the " +
              "values are nearest to; unique: a class for each value, the most frequent first, for columns of any type",
            schema: z.enum(["quantile", "equal", "natural", "unique"]),
          },
        },
        shown: z.array(shown),
        run: async (caller, parameters) => {
          const { column, count = "5", method = "quantile" } = parameters;
          if (column === undefined) throw new GatewayError("BAD_USER_INPUT", "column: name the column");
          const body = await rowsOfTable(
            caller,
            parameters,
            "portolan.classes(relation, $3, $4, $5)",
            column,
            Number(count),
            method,
          );
          return { status: 200, body };
        },
      },
    },
  },
];
