/** The common parts of resources of one table: its name in the path, pages, and reading its rows. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import type { Caller, Parameters } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

export const tableParameters = { schema: "Name of an exposed schema", table: "Name of a table or view in it" };

export const limitParameters = {
  limit: {
    description: "The number of rows; default 100",
    schema: z.string().regex(/^([1-9]\d{0,2}|1000)$/, "must be a number from 1 to 1000"),
  },
  offset: { description: "The number of rows to skip", schema: z.string().regex(/^\d{1,9}$/, "must be a number") },
};

/** Throws `NOT_FOUND` for a schema that is not exposed. */
export function checkSchema(caller: Caller, schema: string): void {
  if (!caller.schemas.includes(schema))
    throw new GatewayError("NOT_FOUND", `There is no schema ${JSON.stringify(schema)}`);
}

/** Rows about the table in the path, if the caller may see it. `from`: their source in SQL, of `relation`, $3, $4, …. */
export function rowsOfTable(
  caller: Caller,
  { schema = "", table = "" }: Parameters,
  from: string,
  ...values: readonly unknown[]
): Promise<readonly unknown[]> {
  checkSchema(caller, schema);
  return rowsOf(
    caller,
    `(select f.* from portolan.visible_relation($1, $2) relation, lateral ${from} f)`,
    [schema, table, ...values],
    [{ schema, name: table, request: "update" }],
  );
}
