/** Statements whose rows come a portion at a time, while PostgreSQL goes on with the next one. */
import type { StatementQueue } from "./queue.ts";
import type { Session } from "./session.ts";
import {
  Envelope,
  type BeginQuery,
  type ByteStatement,
  type UserSqlOutcome,
  type UserSqlRun,
  type JsonPortion,
  type NamedStatement,
  type OnRow,
  type Portion,
  type Wire,
} from "./wire/wire.ts";

/**
 * Reads the next rows of a statement, at most so many. It may be called again before it has resolved: then PostgreSQL
 * goes on without waiting for this process.
 */
export type ReadPortion = (rows: number, onRow: OnRow) => Promise<void>;

/** A statement of the gateway's own as bytes. `portal`: PostgreSQL's name for it while it is in work. */
export function readInPortions(
  queue: StatementQueue,
  session: Session,
  given: Pick<ByteStatement, "text" | "values" | "name" | "isBinary">,
  portal: string,
): ReadPortion {
  let latest: Promise<unknown> | undefined;
  return (rows, onRow) => {
    const statement = { ...given, portal, rows, goesOn: latest !== undefined };
    const sent = Promise.withResolvers<void>();
    const sendAndTell = (wire: Wire, beginning?: BeginQuery): Promise<void> => {
      const sending = wire.readRows({ ...statement, beginning }, onRow);
      sent.resolve();
      return sending;
    };
    // where nothing else was asked for since the portion before, it is sent behind that one at once
    const place = { sent: sent.promise, early: queue.ended === latest };
    const result = queue.add(() => session.run({ name: given.name, onRows: onRow }, sendAndTell), place);
    latest = queue.ended;
    return result;
  };
}

/** A statement that someone wrote: its rows go to what `given` says. Rejects also with what takes the rows throws. */
export async function runInPortions(
  queue: StatementQueue,
  session: Session,
  given: UserSqlRun,
  portal: string,
): Promise<UserSqlOutcome> {
  const statement = withinBudget(given);
  if (statement.json?.many) await describe(queue, session, statement);
  const take = (): Promise<First> => takeFirst(queue, session, statement, portal);
  let first = await take();
  if (first.portion.suspended && session.hasCommitted) first = await take(); // its portal is gone
  const { json } = first;
  let { portion } = first;
  const { fields } = portion;
  for (;;) {
    const after = portion;
    // PostgreSQL goes on while the rows are taken
    const next = portion.suspended
      ? queue.add(() =>
          session.run(statement, (wire) =>
            statement.spend(wire.readPortion(statement, portal, { after, ...(json && { json }) })),
          ),
        )
      : undefined;
    next?.catch(() => undefined); // awaited below, unless the rows are not taken
    if (portion.written && portion.count > 0) {
      const taker = json ? statement.json : statement.written;
      for (const { bytes, rows } of portion.written)
        if (await taker?.onRows(bytes.written, rows, fields)) bytes.release();
    } else await statement.onRows(portion.rows, fields);
    if (!next) return { fields, command: portion.command, rowCount: portion.rowCount };
    portion = await next;
  }
}

/** Sees to it that the columns of a statement that is kept prepared are known. */
function describe(queue: StatementQueue, session: Session, statement: Budgeted): Promise<void> {
  const { name, timeoutMs } = statement;
  const send = async (wire: Wire): Promise<void> => {
    if (name === undefined) return;
    const memory = wire.remember(name);
    memory.fields ??= (await wire.describe(statement)).fields;
  };
  return queue.add(() => session.run({ name, timeoutMs }, (wire) => statement.spend(send(wire))));
}

interface First {
  readonly portion: Portion;
  /** Its rows come as JSON. */
  readonly json?: JsonPortion | undefined;
}

/** Takes the first portion; rows as JSON where the statement has been prepared, so that its columns are known. */
async function takeFirst(queue: StatementQueue, session: Session, statement: Budgeted, portal: string): Promise<First> {
  let json: JsonPortion | undefined;
  const sent = Promise.withResolvers<void>();
  const send = (wire: Wire, beginning?: BeginQuery): Promise<Portion> => {
    const { name } = statement;
    const memory = name === undefined ? undefined : wire.remember(name);
    const fields = memory?.fields;
    const inJson = fields && statement.json?.statementFor(fields);
    if (wire.isPrepared(inJson?.name ?? name)) sent.resolve(); // else the next one might prepare it too
    if (!inJson || name === undefined)
      return statement.spend(wire.readPortion(statement, portal, { memory, envelope: new Envelope({ beginning }) }));
    json = { after: statement.json!.after, inPlaceOf: { name, fields } };
    return statement.spend(sendInJson(wire, session, { ...statement, ...inJson }, { portal, json, beginning }));
  };
  const place = { sent: sent.promise, ...(statement.early && { early: true }) };
  const portion = await queue.add(() => session.run(statement, send), place);
  return { portion, json };
}

function sendInJson(
  wire: Wire,
  session: Session,
  statement: UserSqlRun & NamedStatement,
  {
    portal,
    json,
    beginning,
  }: { readonly portal: string; readonly json: JsonPortion; readonly beginning: BeginQuery | undefined },
): Promise<Portion> {
  const isNew = !wire.isPrepared(statement.name);
  const memory = wire.remember(statement.name);
  if (isNew && beginning) wire.begin(beginning); // the code that began it waits for it
  const sent = wire.readPortion(statement, portal, {
    envelope: new Envelope({ beginning: isNew ? undefined : beginning }),
    memory,
    json,
  });
  const isAll = beginning !== undefined && statement.last === true && session.mayCommitEarly;
  if (isAll && memory.isShort) session.commitEarly(wire); // where it turns out to be longer it is run again
  return sent;
}

/** A statement whose `timeoutMs` is what is left of it, below 0 when it has taken longer. */
interface Budgeted extends UserSqlRun {
  /** Counts the time that a portion takes. */
  spend<T>(portion: Promise<T>): Promise<T>;
}

function withinBudget(statement: UserSqlRun): Budgeted {
  const { timeoutMs } = statement;
  if (timeoutMs === undefined) return { ...statement, spend: (portion) => portion };
  let spentMs = 0;
  return {
    ...statement,
    get timeoutMs() {
      return timeoutMs - spentMs;
    },
    async spend(portion) {
      const started = performance.now();
      try {
        return await portion;
      } finally {
        spentMs += performance.now() - started;
      }
    },
  };
}
