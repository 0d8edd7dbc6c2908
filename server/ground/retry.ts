/** The one policy for running a request again. A door asks for it once; nothing beneath a door tries again. */
import {
  GatewayError,
  SQLSTATE,
  isConnectionLost,
  isForNow,
  isOutdatedPlan,
  isPreparedLost,
  sqlstateOf,
  toGatewayError,
} from "./errors.ts";

/**
 * Why a request that failed may succeed when it is run again from its beginning. Each is PostgreSQL's refusal, or our own
 * word before the end of the transaction: nothing of the request took effect, also of one that writes. A connection that
 * breaks is none of them, since nobody knows what was done.
 *
 * - `changed`: rules, rights or definitions are others than those that the request was made of
 * - `plan`: DDL has changed what a prepared statement returns
 * - `connection`: a function has dropped what the connection had prepared; another connection has it
 * - `writes`: a statement that was taken for a read writes
 * - `ddl`: a table, a column or a collection is not there, or not any more, or is not what it would have to be
 */
export type Reason = "changed" | "plan" | "connection" | "writes" | "ddl";

/** How often a request is run again for a reason; the first of several reasons counts. */
const MOST: Readonly<Record<Reason, number>> = { changed: 3, plan: 3, connection: 3, writes: 1, ddl: 1 };
const REASONS = Object.keys(MOST) as readonly Reason[];

/** Errors of ours that are true of the catalogue as it is known. */
const OF_CATALOGUE: ReadonlySet<string> = new Set(["COLLECTION_NOT_FOUND", "METHOD_NOT_ALLOWED"]);

/** Thrown where a request turns out to be made of what is not so any more, before anything of it is shown or kept. */
export class Changed extends Error {}

/** Undefined where another try would fail in the same way. */
export function whyAgain(error: unknown): Reason | undefined {
  if (error instanceof Changed) return "changed";
  if (isOutdatedPlan(error)) return "plan";
  if (isPreparedLost(error)) return "connection";
  const state = sqlstateOf(error);
  if (state === SQLSTATE.readOnlyTransaction) return "writes";
  if (state === SQLSTATE.undefinedColumn || state === SQLSTATE.undefinedTable) return "ddl";
  if (error instanceof GatewayError && OF_CATALOGUE.has(error.code)) return "ddl";
  return error instanceof Error && error.cause !== undefined ? whyAgain(error.cause) : undefined;
}

/** Whether the same question may be answered in a moment: nothing is wrong with it. For whoever can wait, and only reads. */
export function isTransient(error: unknown): boolean {
  const state = sqlstateOf(error) ?? "";
  return isConnectionLost(error) || /^(08|40|53|57P|55P03)/.test(state) || isForNow(toGatewayError(error).code);
}

/**
 * What is to be done about a reason before the request is run again; a reason without one is no reason. Gives false where
 * nothing could be done. `error`: what was thrown, or told, for it.
 */
export type Remedies = { readonly [R in Reason]?: (error: unknown) => boolean | void | Promise<boolean | void> };

export interface RetryOptions<T> {
  /** The errors in what an attempt gave, for one that tells them instead of throwing. */
  errorsOf?(result: T): readonly unknown[];
  /** Whether something of the answer has left the process, so that it cannot be begun again. */
  hasBegun?(): boolean;
}

/** Runs `attempt`, which has no effect where it fails, and again while there is a remedy. Throws as its last one. */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  remedies: Remedies,
  { errorsOf, hasBegun }: RetryOptions<T> = {},
): Promise<T> {
  const tries: Partial<Record<Reason, number>> = {};
  const mayHelp = async (errors: readonly unknown[]): Promise<boolean> => {
    if (hasBegun?.()) return false;
    for (const reason of REASONS) {
      const error = errors.find((one) => whyAgain(one) === reason);
      const remedy = remedies[reason];
      const count = (tries[reason] ?? 0) + 1;
      if (error === undefined || !remedy || count > MOST[reason]) continue;
      tries[reason] = count;
      return (await remedy(error)) !== false;
    }
    return false;
  };
  for (let number = 1; ; number++) {
    let result: T;
    try {
      result = await attempt(number);
    } catch (error) {
      if (!(await mayHelp([error]))) throw error;
      continue;
    }
    const errors = errorsOf?.(result) ?? [];
    if (errors.length === 0 || !(await mayHelp(errors))) return result;
  }
}
