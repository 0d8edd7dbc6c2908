import type { UserSqlTransaction } from "../../kernel/database/database.ts";
import { sqlstateOf } from "../../ground/errors.ts";
import type { Prepared } from "../statement/prepare.ts";

/**
 * Checks deferred constraints, as a commit would, and lists the effects that a rollback of these statements does not undo. Call it last.
 * Throws PostgreSQL's error.
 */
export async function endTrial(
  transaction: UserSqlTransaction,
  statements: readonly Prepared[],
): Promise<readonly string[]> {
  await transaction.query({ text: "set constraints all immediate" });
  return notesOn(transaction, statements);
}

/** The effects of these statements that a rollback does not undo. Call it last, since it may fail the transaction. */
export async function notesOn(transaction: UserSqlTransaction, statements: readonly Prepared[]): Promise<string[]> {
  const { rows } = await transaction.query<{ touched: boolean }>({ text: TOUCHES_SEQUENCE });
  const usesSequence = await transaction.query({ text: "select pg_catalog.lastval()" }).then(
    () => true,
    (error: unknown) => sqlstateOf(error) === "42501", // there is a last value, but the caller may not see it
  );
  const setsSequence =
    rows[0]!.touched && (!usesSequence || statements.some(({ statement }) => statement.setsSequence));
  return [
    ...(usesSequence ? ["Values that were taken from a sequence are not given back by the rollback."] : []),
    ...(setsSequence ? ["setval() has set a sequence, which the rollback does not undo."] : []),
  ];
}

/** A transaction that takes a value from a sequence or sets it, also by a function, locks it until it ends. */
const TOUCHES_SEQUENCE = `
select exists (
  select from pg_catalog.pg_locks l join pg_catalog.pg_class c on c.oid operator(pg_catalog.=) l.relation
  where l.pid operator(pg_catalog.=) pg_catalog.pg_backend_pid() and l.mode operator(pg_catalog.=) 'RowExclusiveLock'
    and c.relkind operator(pg_catalog.=) 'S') as touched`;
