/** The form of a check of `doctor`, and the parts that several of them need. */
import type pg from "pg";
import { sqlstateOf } from "../../ground/errors.ts";
import type { Finding, Severity } from "../../ground/finding.ts";

/** The command that repairs what a restore lost. */
export const REPAIR = "npx portolan migrate --repair-roles";

/** The severity of its findings, the page below docs/guides with more, and the check itself. */
export type Check = readonly [Severity, string, Look];
export type Look = (client: pg.Client) => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;

/** A failed check is a finding itself, and hides no other. */
export async function checked(check: Look, client: pg.Client): Promise<Finding | readonly Finding[]> {
  try {
    return await check(client);
  } catch (error) {
    if (sqlstateOf(error) === undefined) throw error; // the connection is gone
    return { ok: false, text: `the check failed: ${(error as Error).message}`, remedy: [REPAIR] };
  }
}

/** The first row. Throws where there is none. */
export async function one<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  const [row] = rows;
  if (!row) throw new Error(`no row: ${text}`);
  return row;
}

/** `fine` where the database lists no statement; else each statement repairs a part of `broken`. */
export function repairedBy(rows: readonly { readonly statement: string }[], fine: string, broken: string): Finding {
  const ok = rows.length === 0;
  return { ok, text: ok ? fine : broken, remedy: rows.map(({ statement }) => `${statement};`) };
}
