/** The one policy for running a request again. A door applies it once; no code below a door tries again. */
import {
  Changed,
  GatewayError,
  SQLSTATE,
  hasOldRules,
  isChanging,
  isConnectionLost,
  isForNow,
  isOutdatedCall,
  isOutdatedPlan,
  isPreparedLost,
  isReplacedType,
  isRoleGone,
  sqlstateOf,
  toGatewayError,
} from "./errors.ts";

/**
 * Why a request that failed may succeed when it runs again from its beginning. Each is a refusal of PostgreSQL, or our own
 * error before the end of the transaction: the request had no effect, even one that writes. A broken connection is not among
 * them, because nobody knows what was done.
 *
 * - `changed`: rules, rights or definitions have changed since the request was planned
 * - `plan`: DDL has changed the columns of a prepared statement
 * - `connection`: a function has dropped the prepared statements of the connection, or its role is gone and another one has
 *   the name; another connection has them
 * - `writes`: a statement that was taken for a read writes
 * - `rights`: a right is missing. The rights may have changed since the request read them
 * - `ddl`: a table, a column, a function or a collection does not exist yet or any more, or has changed, or is just being changed
 */
export type Reason = "changed" | "plan" | "connection" | "writes" | "rights" | "ddl";

/** How often a request runs again for a reason; the first of several reasons counts. */
const MOST: Readonly<Record<Reason, number>> = { changed: 3, plan: 3, connection: 3, writes: 1, rights: 1, ddl: 3 };
const REASONS = Object.keys(MOST) as readonly Reason[];

/** Our own errors that may come from an outdated catalogue. */
const OF_CATALOGUE: ReadonlySet<string> = new Set(["COLLECTION_NOT_FOUND", "METHOD_NOT_ALLOWED"]);

export { Changed };

/** Undefined where another try would fail in the same way. */
export function whyAgain(error: unknown): Reason | undefined {
  if (error instanceof Changed || hasOldRules(error)) return "changed";
  if (isOutdatedPlan(error) || isReplacedType(error)) return "plan";
  if (isPreparedLost(error) || isRoleGone(error)) return "connection";
  const state = sqlstateOf(error);
  if (state === SQLSTATE.readOnlyTransaction) return "writes";
  if (state === SQLSTATE.insufficientPrivilege) return "rights";
  if (state === SQLSTATE.undefinedColumn || state === SQLSTATE.undefinedTable) return "ddl";
  if (isOutdatedCall(error) || isChanging(error)) return "ddl";
  if (error instanceof GatewayError && OF_CATALOGUE.has(error.code)) return "ddl";
  return error instanceof Error && error.cause !== undefined ? whyAgain(error.cause) : undefined;
}

/** Whether the same question may succeed in a moment. For callers that can wait, and only read. */
export function isTransient(error: unknown): boolean {
  const state = sqlstateOf(error) ?? "";
  return isConnectionLost(error) || /^(08|40|53|57P|55P03)/.test(state) || isForNow(toGatewayError(error).code);
}

/**
 * The remedy for a reason, before the request runs again; without a remedy it does not run again. Returns false where
 * nothing could be done. `error`: the error that was thrown or reported.
 */
export type Remedies = { readonly [R in Reason]?: (error: unknown) => boolean | void | Promise<boolean | void> };

export interface RetryOptions<T> {
  /** The errors in the result of an attempt, where it reports them instead of throwing. */
  errorsOf?(result: T): readonly unknown[];
  /** Whether a part of the answer has been sent, so that it cannot begin again. */
  hasBegun?(): boolean;
}

/**
 * Runs `attempt`, which has no effect where it fails, and again while there is a remedy. Throws the error of the last
 * attempt.
 */
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
