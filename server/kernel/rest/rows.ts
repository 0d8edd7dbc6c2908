import { parseKeepingNumbers } from "../../types/exactJson.ts";
import type { Caller } from "./resource.ts";

/**
 * Rows as objects, read as the caller. `from`: their source in SQL, e.g. `portolan.list_jobs($1)`. `reach`: as for
 * `transact`.
 */
export async function rowsOf(
  caller: Caller,
  from: string,
  values: readonly unknown[] = [],
  reach?: Parameters<Caller["transact"]>[1],
): Promise<readonly unknown[]> {
  const { rows } = await caller.transact(
    (transaction) =>
      transaction.query<{ json: string }>({ text: `select row_to_json(r)::text as json from ${from} r`, values }),
    reach,
  );
  return rows.map(({ json }) => parseKeepingNumbers(json));
}
