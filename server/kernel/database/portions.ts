/** Statements whose rows come in portions, while PostgreSQL already makes the next one. */
import type { StatementQueue } from "./queue.ts";
import type { PinnedRead } from "./pins.ts";
import type { Session } from "./session.ts";
import {
  Envelope,
  isShort,
  noteLength,
  type BeginQuery,
  type ByteStatement,
  type UserSqlOutcome,
  type UserSqlRun,
  type JsonPortion,
  type JsonRows,
  type NamedStatement,
  type OnRow,
  type Portion,
  type PreparedAhead,
  type Wire,
} from "./wire/wire.ts";

/**
 * Reads up to `rows` more rows of a statement. It may be called again before it has resolved: PostgreSQL then continues
 * without waiting for this process.
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
      const sending = wire.readRows({ ...statement, ahead: beginning }, onRow);
      sent.resolve();
      return sending;
    };
    // where nothing was sent since the portion before, it is sent right behind that
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
  const single = await takeSingle(queue, session, statement, portal);
  if (single) {
    await hand(single, statement.json, statement);
    return outcomeOf(single);
  }
  if (statement.json?.many) await describe(queue, session, statement);
  const take = (): Promise<First> => takeFirst(queue, session, statement, portal);
  let first = await take();
  if (first.portion.suspended && session.hasCommitted) first = await take(); // its portal is gone
  const { json } = first;
  let { portion } = first;
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
    await hand(portion, json ? statement.json : statement.written, statement);
    if (!next) return outcomeOf(portion);
    portion = await next;
  }
}

async function hand(
  { written, count, rows, fields }: Portion,
  taker: Pick<JsonRows, "onRows"> | undefined,
  { onRows }: Pick<UserSqlRun, "onRows">,
): Promise<void> {
  if (!written || count === 0) return onRows(rows, fields);
  for (const each of written) if (await taker?.onRows(each.bytes.written, each.rows, fields)) each.bytes.release();
}

function outcomeOf({ fields, command, rowCount }: Portion): UserSqlOutcome {
  return { fields, command, rowCount };
}

/**
 * Reads the rows of a short statement as JSON, without a transaction, on a session that has all settings of the request.
 * Undefined if the statement must run in a transaction.
 */
async function takeSingle(
  queue: StatementQueue,
  session: Session,
  statement: UserSqlRun,
  portal: string,
): Promise<Portion | undefined> {
  const { text, name, values, json, last, timeoutMs } = statement;
  if (!last || !json || name === undefined || timeoutMs !== undefined || !session.isUnused) return undefined;
  const inJsonOn = (wire: Wire): NamedStatement | undefined => {
    const { fields } = wire.remember(name);
    return fields && json.statementFor(fields);
  };
  const formOn = (wire: Wire): NamedStatement | undefined => {
    const inJson = inJsonOn(wire);
    return inJson && isShort(wire.remember(inJson.name)) ? inJson : undefined;
  };
  const send = async (wire: Wire, read: PinnedRead, ahead?: PreparedAhead): Promise<Portion> => {
    const inJson = inJsonOn(wire)!;
    const memory = wire.remember(read.name);
    const run = { ...statement, ...read, types: inJson.types, values: read.values as UserSqlRun["values"] };
    const inPlaceOf = { name, fields: wire.remember(name).fields! };
    const envelope = new Envelope({ ahead });
    const portion = await wire.readPortion(run, portal, { envelope, memory, json: { after: json.after, inPlaceOf } });
    if (portion.suspended) noteLength(wire.remember(inJson.name), false);
    return portion;
  };
  const told = await queue.add(() => session.runSingle({ text, name, values, formOn }, send));
  return told?.result.suspended ? undefined : told?.result; // the rest of the portal is gone
}

/** Makes sure that the columns of a prepared statement are known. */
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
      return statement.spend(
        wire.readPortion(statement, portal, { memory, envelope: new Envelope({ ahead: beginning }) }),
      );
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
    envelope: new Envelope({ ahead: isNew ? undefined : beginning }),
    memory,
    json,
  });
  const isAll = beginning !== undefined && statement.last === true && session.mayCommitEarly;
  if (isAll && isShort(memory)) session.commitEarly(wire); // if it proves longer, it runs again
  return sent;
}

/** A statement whose `timeoutMs` is the rest of its limit, below 0 when it has taken longer. */
interface Budgeted extends UserSqlRun {
  /** Adds the time that a portion takes. */
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
