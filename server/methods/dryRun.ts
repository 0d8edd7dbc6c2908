/** A dry run: types a method by what PostgreSQL says of its statement, runs it, and rolls everything back. */
import type { UserSqlTransaction } from "../kernel/database/database.ts";
import { GatewayError, sqlstateOf } from "../kernel/errors.ts";
import { isVetted, limited, setsOf } from "./calls.ts";
import { columnsOf } from "./columns.ts";
import { errorText, isInvalid, readMessage, resultText, type Id, type Request } from "./envelope.ts";
import type { MethodsOfDatabase } from "./execution.ts";
import { withArguments } from "./functions.ts";
import type { CallContext, Found, Params, Runnable } from "./method.ts";
import { nullabilityOf } from "./nullability.ts";
import type { Prepared } from "./prepare.ts";
import { render } from "./render.ts";
import { AnswerRoom, Result } from "./result.ts";
import { nullsIn, run } from "./run.ts";
import { inputTypes, outputTypes } from "./typescript.ts";

/**
 * A dry run of one request: it is run and rolled back, and what it says of the method's types is kept. The answer as
 * JSON text; never rejects.
 */
export async function answerDryRun(of: MethodsOfDatabase, context: CallContext, json: unknown): Promise<string> {
  let id: Id = null;
  try {
    const { requests, batch } = readMessage(json);
    const [request] = requests;
    if (batch || request?.id === undefined)
      throw new GatewayError("INVALID_REQUEST", "A dry run takes one request with an id");
    id = request.id;
    if (isInvalid(request)) throw request.invalid;
    return resultText(id, await dryRun(of, context, request));
  } catch (error) {
    return errorText(id, render(error, context, of.options));
  }
}

async function dryRun(of: MethodsOfDatabase, context: CallContext, request: Request): Promise<string> {
  const { identity, address, signal } = context;
  of.store.forget(identity);
  const { methods } = await of.store.find(identity, [request.method]);
  const stored = methods.get(request.method);
  if (!stored) throw new GatewayError("METHOD_NOT_FOUND");
  const method = limited(stored, of.options);
  const { text, found } = await of.database.withOwnLogin(
    identity,
    {
      service: "rpc",
      address,
      signal,
      published: isVetted(method, context),
      timeoutMs: method.timeoutMs,
      totalTimeoutMs: Math.max(of.options.sqlRequestTimeoutMs, method.timeoutMs ?? 0),
    },
    async (transaction) => {
      transaction.rollbackOnly();
      const sets = setsOf(request);
      const prepareFor = (runnable: Runnable): Promise<Prepared> => {
        of.prepared.forget(identity.role, runnable);
        return of.prepared.prepareAnew(transaction, runnable);
      };
      let runnable = withArguments(method, sets[0]!);
      let prepared = await prepareFor(runnable);
      const found = await findTypes(transaction, prepared, runnable, sets);
      const result = new Result(method.outputFormat, new AnswerRoom(of.options.maxAnswerBytes));
      let rowsBefore = 0;
      for (const params of sets) {
        const before = runnable;
        runnable = withArguments(method, params);
        if (runnable.q !== before.q) prepared = await prepareFor(runnable);
        const outcome = await run({
          transaction,
          prepared,
          runnable,
          params,
          rowsBefore,
          onColumns: (columns) => result.start(columns),
          onRows: (rows) => result.add(rows),
        });
        rowsBefore += outcome.rows;
        result.affected += outcome.affected;
      }
      return {
        text: await result.toText({ notes: [...(request.notes ?? []), ...(await notesOn(transaction, prepared))] }),
        found,
      };
    },
  );
  await of.store.noteTypes(method, found);
  return text;
}

/** What can be said of a statement without running it. `sets`: the parameters that it is to be run with. */
export async function findTypes(
  transaction: UserSqlTransaction,
  prepared: Prepared,
  runnable: Runnable,
  sets: readonly Params[] = [],
): Promise<Found> {
  const { nullable, relations } = await nullabilityOf(transaction, prepared);
  const columns = columnsOf(prepared, prepared.fields, runnable);
  return {
    inputSchema: inputTypes(prepared, nullsIn(prepared, sets)),
    outputSchema: outputTypes(columns, nullable),
    relations,
  };
}

/** What a rollback has not undone: to be asked last, since it may fail the transaction. */
export async function notesOn(transaction: UserSqlTransaction, prepared: Prepared): Promise<string[]> {
  const { rows } = await transaction.query<{ touched: boolean }>({ text: TOUCHES_SEQUENCE });
  const usesSequence = await transaction.query({ text: "select pg_catalog.lastval()" }).then(
    () => true,
    (error: unknown) => sqlstateOf(error) === "42501", // there is a last value, and the caller may not see it
  );
  const setsSequence = rows[0]!.touched && (prepared.statement.setsSequence || !usesSequence);
  return [
    ...(usesSequence ? ["Values that were taken from a sequence are not given back by the rollback."] : []),
    ...(setsSequence ? ["setval() has set a sequence, which the rollback does not undo."] : []),
  ];
}

/** Whoever takes a value from a sequence or sets it, a function too, locks it until the transaction ends. */
const TOUCHES_SEQUENCE = `
select exists (
  select from pg_catalog.pg_locks l join pg_catalog.pg_class c on c.oid operator(pg_catalog.=) l.relation
  where l.pid operator(pg_catalog.=) pg_catalog.pg_backend_pid() and l.mode operator(pg_catalog.=) 'RowExclusiveLock'
    and c.relkind operator(pg_catalog.=) 'S') as touched`;
