/** `explain` of `/api/v4/sql`: how PostgreSQL would run a statement, or has run it. It is rolled back. */
import type { z } from "zod";
import type { UserSqlTransaction } from "../../kernel/database/database.ts";
import { badInput } from "../../ground/errors.ts";
import { checkReads } from "../../kernel/catalogue/access.ts";
import type { sqlStatement } from "../definition.ts";
import type { MethodsOfDatabase } from "./execution.ts";
import { withArguments } from "../functions.ts";
import type { CallContext, Params, Runnable } from "../method.ts";
import { located } from "../statement/prepare.ts";
import { explainToWriter } from "./render.ts";
import { AnswerRoom } from "./result.ts";
import { notesOn } from "./rollbackNotes.ts";
import { bind } from "./run.ts";

type SqlStatement = z.infer<typeof sqlStatement>;
export type Explain = NonNullable<SqlStatement["explain"]>;

const OPTIONS: Readonly<Record<Explain, string>> = {
  plan: "format json",
  analyze: "format json, analyze, buffers",
};

/**
 * `{"plan": …, "notes": […]}` as JSON text: the plan is that of EXPLAIN (FORMAT JSON). `analyze` runs the statement and
 * rolls it back; `notes` say what a rollback has not undone. Throws as `answerSql` does; `BAD_USER_INPUT` for several sets
 * of parameters.
 */
export async function explainSql(
  of: MethodsOfDatabase,
  { identity, address, signal }: CallContext,
  { runnable: whole, sets, explain }: { runnable: Runnable; sets: readonly Params[]; explain: Explain },
): Promise<string> {
  const [params = {}, ...more] = sets;
  if (more.length > 0) badInput("explain: takes one set of parameters");
  try {
    const runnable = withArguments(whole, params);
    return await of.database.withOwnLogin(
      identity,
      {
        service: "sql",
        address,
        signal,
        published: false,
        timeoutMs: runnable.timeoutMs,
        totalTimeoutMs: Math.max(of.options.sqlRequestTimeoutMs, runnable.timeoutMs ?? 0),
      },
      (transaction) => {
        transaction.rollbackOnly();
        return explained(of, transaction, { runnable, params, explain });
      },
    );
  } catch (error) {
    throw explainToWriter(error);
  }
}

async function explained(
  { database, options, prepared: statements }: MethodsOfDatabase,
  transaction: UserSqlTransaction,
  { runnable, params, explain }: { runnable: Runnable; params: Params; explain: Explain },
): Promise<string> {
  const prepared = await statements.prepareAnew(transaction, runnable);
  await checkReads(database, transaction, prepared.statement.reads);
  const beginning = `explain (${OPTIONS[explain]}) `;
  const room = new AnswerRoom(options.maxAnswerBytes); // a plan shows the constants of a condition, of any size
  let plan = "";
  try {
    await transaction.run({
      text: beginning + prepared.statement.text,
      name: undefined,
      types: prepared.parameterTypes,
      values: bind(prepared, runnable, params),
      portion: 1,
      timeoutMs: runnable.timeoutMs,
      last: false,
      onRows(rows) {
        for (const [text] of rows) {
          room.take(Buffer.byteLength(text ?? ""));
          plan += text;
        }
      },
    });
  } catch (error) {
    const { position } = error as { position?: unknown };
    if (position !== undefined)
      Object.assign(error as object, { position: String(Number(position) - beginning.length) });
    throw located(error, prepared.statement);
  }
  const notes = explain === "analyze" ? await notesOn(transaction, [prepared]) : [];
  // a list, since PostgreSQL's own rules may turn a statement into several; the first is the requested one
  const [first] = JSON.parse(plan) as readonly object[];
  return JSON.stringify({ plan: first, ...(notes.length > 0 && { notes }) });
}
