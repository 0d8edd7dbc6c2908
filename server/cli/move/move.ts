/** `portolan database move`: to another cluster by logical replication, while the database is read and written. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../ground/errors.ts";
import {
  endMove,
  inEachCluster,
  isThere,
  knows,
  moveStateOf,
  isFrozen,
  noneElseAt,
  rememberedRoles,
  rememberRoles,
  setFrozen,
  setMoveState,
  setReady,
  tellGateways,
  withCluster,
  type Cluster,
} from "../cluster.ts";
import { counted, interruptible, print } from "../command.ts";
import { clusterName, tellAway } from "../databases.ts";
import { refuseUncopied, refuseUnmovable } from "./refusals.ts";
import { makeRoles, type RolesOptions } from "./roles.ts";
import { MOVE, Source, type Configured } from "./source.ts";
import { Target } from "./target.ts";

/** How long writes may be refused until the move is given up, and tried again. */
const CLOSED_MS = 3500;
/** And how long the rest may take when everything has come. */
const FINISH_MS = 30_000;
const TRIES = 3;
const TRY_AGAIN_MS = 10_000;
/** The other cluster is near enough for the switch. */
const NEAR_BYTES = 4_000_000;
/** Rows that are written now arrive there within this time. */
const FOLLOWED_MS = 1000;
const TOO_FAST = "rows are written faster than they are copied: try again when there are fewer writes";
/** The default of `--wait`. */
const WAIT_S = 600;
/** A transaction that has been writing for this long may write on: writes are refused only after it has ended. */
const LONG_S = 5;
/** How long to wait for a cluster that went away, before the move is undone there. */
const RETURNS_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 500;
const WAIT_AGAIN_MS = 200;
/** A wait is reported when it has lasted this long. */
const TELL_AFTER_MS = 3000;

interface Move {
  readonly name: string;
  readonly from: Cluster;
  readonly to: Cluster;
  readonly source: Source;
  readonly target: Target;
  readonly sourceUrl: string;
  readonly thereUrl: string;
  /** How long to wait for open transactions, and for the copy to catch up. */
  readonly waitMs: number;
  /** The roles that were made in the other cluster. */
  readonly made: string[];
  /** The rows of tables of extensions that were copied. */
  configured: readonly Configured[];
  /** When writes were refused. */
  closedAtMs: number;
}

export interface MoveOptions {
  /** `--wait`: seconds. */
  readonly wait?: string;
}

/**
 * Moves a database to the cluster of this name. Gateways serve it there when the move is done; the old database stays
 * where it was, and takes no connections. Any failure before the switch is undone, and the database is served from
 * where it was. If the database is already in that cluster, undoes a move that was interrupted. Throws `OperatorError`.
 */
export async function move(name: string, cluster: string, { wait = String(WAIT_S) }: MoveOptions = {}): Promise<void> {
  if (!/^[0-9]{1,7}$/.test(wait)) throw new OperatorError("--wait: a number of seconds");
  const waitMs = Number(wait) * 1000;
  await withCluster({ cluster }, async (to) => {
    let isMoved = false;
    await inEachCluster(async (from) => {
      if (isMoved || from.pattern.name === to.pattern.name) return;
      if ((await moveStateOf(from, name)) === "arriving" && (await isThere(to, name))) {
        await withMove({ name, from: to, to: from, waitMs }, stay);
        isMoved = true;
        return;
      }
      if (!(await isServed(from, to, name))) return;
      await noneElseAt(from, name);
      await noneElseAt(to, name);
      if (!(await isServed(from, to, name))) return; // another command has moved it just now
      await withMove({ name, from, to, waitMs }, carryOut);
      isMoved = true;
    }, tellAway);
    if (isMoved) return;
    if (await knows(to, name)) throw new OperatorError(`${name} is in ${cluster} already`);
    throw new OperatorError(`no other cluster has a database ${name} of Portolan`);
  });
}

/** Whether it can be moved from there, even if its move was interrupted when it was already closed. */
async function isServed(from: Cluster, to: Cluster, name: string): Promise<boolean> {
  if ((await moveStateOf(from, name)) === undefined) {
    const { findDatabases } = await import("../../fleet/discovery.ts");
    const found = await findDatabases((text) => from.maintenance.rows(text));
    return found.some((one) => one.name === name);
  }
  return (await moveStateOf(to, name)) === "arriving" && (await isThere(from, name));
}

async function withMove(
  { name, from, to, waitMs }: Pick<Move, "name" | "from" | "to" | "waitMs">,
  callback: (move: Move) => Promise<void>,
): Promise<void> {
  const { databaseOf, MAINTENANCE_DATABASE } = await import("../../fleet/discovery.ts");
  const { connectTo } = await import("../../kernel/database/database.ts");
  const [sourceUrl, thereUrl] = [from, to].map(({ pattern }) => databaseOf(pattern, name).ownerUrl) as [string, string];
  const maintenanceUrl = databaseOf(to.pattern, MAINTENANCE_DATABASE).ownerUrl;
  const [here, there] = [connectTo(sourceUrl), connectTo(thereUrl)];
  const source = new Source(name, here, from.maintenance);
  const target = new Target({
    ...{ name, url: thereUrl, maintenanceUrl, sourceUrl, connection: there, maintenance: to.maintenance },
  });
  try {
    const made = [...(await rememberedRoles(to, name))]; // by a move that was killed
    await callback({
      ...{ name, from, to, source, target, sourceUrl, thereUrl, waitMs, made, configured: [], closedAtMs: 0 },
    });
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}

async function carryOut(move: Move): Promise<void> {
  const { name, from, to, source } = move;
  const [fromName, toName] = namesOf(move);
  await takeBackRest(move);
  await bringUpToDate(move);
  await refuseUnmovable({ source: source.connection, target: to.maintenance, from: fromName, to: toName });
  await interruptible(`interrupted: ${name} stays in ${fromName}`, async (signal) => {
    try {
      await setMoveState(to, name, "arriving", fromName);
      await copy(move, signal);
      await switchOver(move, signal);
    } catch (error) {
      print(`the move is undone: ${name} stays in ${fromName}`);
      const cause = causeOf(move, error); // this may take long, if a cluster does not answer
      await takeBack(move, cause);
      throw await cause;
    }
  });
  await endMove(to, name); // from here on the database there is the valid one
  await tellGateways(to);
  const closed = ((performance.now() - move.closedAtMs) / 1000).toFixed(1);
  print(
    `${name} is served from ${toName}, and was closed for ${closed} s. The one in ${fromName} is kept, and takes no connections:`,
  );
  print(`npx portolan database remove ${name} --cluster ${fromName} --yes`);
  try {
    await tellGateways(from);
    await source.dropSlot();
  } catch (error) {
    print(
      `${fromName} does not answer (${(error as Error).message}). Its replication slot ${MOVE}_… is to be dropped there`,
    );
  }
}

/** Removes all remains of an interrupted move, and serves the database from where it was. */
async function stay(move: Move): Promise<void> {
  const [fromName, toName] = namesOf(move);
  await noneElseAt(move.from, move.name);
  await noneElseAt(move.to, move.name);
  if ((await moveStateOf(move.to, move.name)) !== "arriving")
    throw new OperatorError(`the move to ${toName} has just ended: ${move.name} is served there`);
  await takeBack(move, new OperatorError(`the move to ${toName} cannot be undone`));
  print(`${move.name} stays in ${fromName}: the rest of its move to ${toName} is removed`);
}

function namesOf({ from, to }: Pick<Move, "from" | "to">): readonly [from: string, to: string] {
  return [clusterName(from.pattern.name), clusterName(to.pattern.name)];
}

/** A cluster that went away reports nothing itself: the error is that of a connection, or of rows that did not arrive. */
async function causeOf({ from, to }: Move, error: unknown): Promise<unknown> {
  for (const { maintenance, pattern } of [from, to]) {
    const answer = await maintenance.rows("select").catch((reason: unknown) => reason as Error);
    if (answer instanceof Error)
      return new OperatorError(`the cluster ${clusterName(pattern.name)} does not answer: ${answer.message}`, {
        cause: error,
      });
  }
  return error;
}

/** A move that was killed has left remains; a database of another origin is not touched. */
async function takeBackRest(move: Move): Promise<void> {
  const { name, to, source } = move;
  const isOpen = (await moveStateOf(move.from, name)) !== "left";
  if ((await moveStateOf(to, name)) === "arriving" || (isOpen && (await source.isBegun()))) {
    print("an earlier move was interrupted: its remains are removed first");
    await takeBack(move, new OperatorError("an earlier move cannot be undone"));
  } else if (await isThere(to, name)) {
    const [, toName] = namesOf(move);
    const remedy = `npx portolan database remove ${name} --cluster ${toName} --yes`;
    throw new OperatorError(`there is a database ${name} in ${toName} already: ${remedy}`);
  }
}

/** The same version of Portolan must derive the data from the catalogue here and there. */
async function bringUpToDate({ name, from, sourceUrl }: Move): Promise<void> {
  const { migrate, pendingMigrations } = await import("../../operate/migrate.ts");
  const { newer, migrations, code } = await pendingMigrations({ ownerUrl: sourceUrl });
  if (newer !== undefined) throw new OperatorError(`Portolan ${newer} has migrated ${name}: move it with that one`);
  if (migrations.length + code.length === 0) return;
  print(`${name} is migrated first`);
  await migrate({ ownerUrl: sourceUrl, gatewayLogin: await loginOf(from, name) });
}

/** The role as which gateways log in. */
async function loginOf({ pattern }: Cluster, name: string): Promise<string | undefined> {
  const { databaseOf } = await import("../../fleet/discovery.ts");
  const { makeClient } = await import("../../kernel/database/database.ts");
  return makeClient({ connectionString: databaseOf(pattern, name).url }).user;
}

function rolesOf({ name, to, source, made }: Move): RolesOptions {
  const remember = async (roles: readonly string[]): Promise<void> => {
    made.push(...roles);
    await rememberRoles(to, name, roles);
  };
  return { database: name, source: source.connection, target: to.maintenance, made, remember };
}

/** The steps that are possible while the database is in use. */
async function copy(move: Move, signal: AbortSignal): Promise<void> {
  const { name, to, source, target } = move;
  const [, toName] = namesOf(move);
  await source.refuseDdl(toName, await systemOf(to));
  await untilEnded(move, signal);
  await makeRoles(rolesOf(move));
  move.configured = await source.configured();
  await target.make();
  let again = waits(move, signal);
  await source.publish(() => inUse(source, again));
  await source.makeSlot(() => inUse(source, again));
  await target.subscribe(await source.slot());
  const tell = (copied: number, all: number): void => {
    print(`${name}: ${copied} of ${counted(all, "table")} copied`);
    again = waits(move, signal);
  };
  const stuck = async (): Promise<void> => {
    await mustFlow(move);
    const who = await source.longWriter(LONG_S, { anywhere: true });
    if (who !== undefined) await again(`${who} is in the way`);
  };
  await target.untilCopied(tell, stuck, signal).catch(async (error: unknown) => {
    await mustFlow(move); // the other side does not know
    throw error;
  });
  const gatewayLogin = await loginOf(to, name);
  await target.prepare(await source.sequences(), gatewayLogin);
  await setReady(to, name);
  await target.untilRehearsed(gatewayLogin, signal);
}

/** Waits once more for somebody who is in the way, and says who. */
async function inUse(source: Source, again: (what: string) => Promise<void>): Promise<void> {
  await again(`${(await source.longWriter(0, { anywhere: true })) ?? "a session that uses a table"} is in the way`);
}

async function systemOf({ maintenance }: Cluster): Promise<string> {
  const [row] = await maintenance.rows<{ system: string }>(
    "select system_identifier::text as system from pg_control_system()",
  );
  return row!.system;
}

/** Transactions that were open before DDL was refused may have altered something, and each of them would delay the copy. */
async function untilEnded(move: Move, signal: AbortSignal): Promise<void> {
  const { source } = move;
  const next = await source.nextTransaction();
  const again = waits(move, signal);
  for (let who = await source.openBefore(next); who !== undefined; who = await source.openBefore(next))
    await again(`${who} is in the way`);
}

/**
 * A function that waits for a moment. It reports its argument when the wait has lasted for some time. It throws the
 * argument, or `reason`, when it was called for as long as `--wait` says.
 */
function waits({ waitMs }: Move, signal: AbortSignal): (what: string, reason?: string) => Promise<void> {
  const beganMs = performance.now();
  let told = false;
  return async (what, reason) => {
    signal.throwIfAborted();
    const passedMs = performance.now() - beganMs;
    if (passedMs >= waitMs)
      throw new OperatorError(reason ?? `${what}, and waiting did not help: end it, or try again later (--wait)`);
    if (!told && passedMs > TELL_AFTER_MS) print(`${what}: waiting for up to ${waitMs / 1000} s`);
    told ||= passedMs > TELL_AFTER_MS;
    await sleep(WAIT_AGAIN_MS);
  };
}

/**
 * Closes the database here when the other side is near, until that has everything, and completes it there. From the
 * moment that it is recorded as left, nobody is served. Throws where it is not quick enough.
 */
async function switchOver(move: Move, signal: AbortSignal): Promise<void> {
  const { name, from, source, target } = move;
  const [fromName, toName] = namesOf(move);
  for (let tries = 1; ; tries++) {
    await untilNear(move, signal);
    move.closedAtMs = performance.now();
    const endMs = move.closedAtMs + CLOSED_MS;
    await setMoveState(from, name, "left", toName);
    await tellGateways(from);
    await source.close();
    await refuseUncopied(source.connection);
    const mark = randomUUID();
    await source.mark(mark);
    if (await target.arrives(mark, endMs - performance.now())) break;
    await reopen(move);
    if (tries === TRIES) throw new OperatorError(TOO_FAST);
    print(`the last rows did not arrive in time: ${name} is served from ${fromName} again`);
    await pause(signal); // refused writes are accepted before they are refused again
  }
  await inTime(move, async () => {
    const [sequences] = await Promise.all([source.sequences(), target.unsubscribe()]);
    await target.setSequences(sequences);
    await target.configure(await source.configured(), move.configured);
    await followAccounts(move);
    if (!(await target.isPrepared())) await target.repair(await loginOf(move.to, name));
    await target.finish();
    if (await isFrozen(from, name)) await setFrozen(move.to, name, true);
    await target.note("database.moved", { cluster: fromName }, { cluster: toName });
  });
}

/** Nobody is served meanwhile: what hangs is ended, and the move is taken back. */
async function inTime(move: Move, finish: () => Promise<void>): Promise<void> {
  const [, toName] = namesOf(move);
  const ending = new AbortController();
  let isLate = false;
  const late = sleep(FINISH_MS, undefined, { signal: ending.signal }).then(async () => {
    isLate = true;
    await move.target.cut().catch(() => undefined); // the cluster may be what hangs
    throw new OperatorError(`${toName} did not finish within ${FINISH_MS / 1000} s, and nobody was served meanwhile`);
  });
  const finishing = finish();
  finishing.catch(() => undefined); // where it is late
  late.catch(() => undefined); // where it is not
  try {
    await Promise.race([finishing, late]);
  } catch (error) {
    if (isLate) await late; // what was cut fails too, and before
    throw error;
  } finally {
    ending.abort();
  }
}

/** Throws `OperatorError` if the old cluster can send no more changes. */
async function mustFlow(move: Move): Promise<void> {
  const [fromName] = namesOf(move);
  const problem = await move.source.slotProblem();
  if (problem !== undefined) throw new OperatorError(`${fromName} cannot send its changes: ${problem}`);
}

/** Accounts may have been made, altered and removed since their roles were made. */
async function followAccounts(move: Move): Promise<void> {
  const { target } = move;
  await makeRoles(rolesOf(move));
  await target.dropGone(rolesOf(move));
  await target.joinRoles();
}

/** Between two tries. */
async function pause(signal: AbortSignal): Promise<void> {
  await sleep(TRY_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

/** Serves it from where it was. */
async function reopen({ name, from, source }: Move): Promise<void> {
  await source.open();
  await endMove(from, name);
  await tellGateways(from);
}

/** Rows that are written now arrive there soon. */
async function isFollowed({ source, target }: Move): Promise<boolean> {
  const mark = randomUUID();
  await source.mark(mark);
  return target.arrives(mark, FOLLOWED_MS);
}

/** Nearly all has arrived, and no transaction has been writing for long, which would be lost. */
async function untilNear(move: Move, signal: AbortSignal): Promise<void> {
  const { source } = move;
  const again = waits(move, signal);
  for (;;) {
    await mustFlow(move);
    await move.target.mustGoOn();
    const who = await source.longWriter(LONG_S);
    if (who !== undefined) await again(`${who} is in the way`);
    else if (await source.hasPrepared()) await again("a transaction that is prepared is in the way");
    else if ((await source.lag()) > NEAR_BYTES || !(await isFollowed(move)))
      await again("rows are still being copied", TOO_FAST);
    else break;
  }
  signal.throwIfAborted();
}

/**
 * Removes the new objects, as far as possible, and serves the database from where it was as soon as that cluster
 * answers. Waits for a cluster that went away. If it stays away, the other one keeps the record that the move was
 * begun, and the next move removes the remains.
 */
async function takeBack(move: Move, cause: unknown): Promise<void> {
  const { name, from, to, source, target, made } = move;
  const [fromName] = namesOf(move);
  // the steps themselves report why a cluster fails
  const isBack = untilBack(to).catch(() => undefined);
  await untilBack(from).catch(() => undefined);
  const failures: string[] = [];
  const remove = async (): Promise<void> => {
    await isBack;
    let removed = false;
    const removing = target.remove(made).finally(() => (removed = true));
    removing.catch(() => undefined); // it is awaited below
    while (!removed) {
      await source.endReaders().catch(() => undefined); // that cluster may be away
      await Promise.race([removing, sleep(LOOK_AGAIN_MS)]);
    }
    await removing;
    if (await isFrozen(to, name)) await setFrozen(to, name, false);
  };
  const again = waits({ ...move, waitMs: RETURNS_WITHIN_MS }, new AbortController().signal);
  const restore = (): Promise<void> => source.restore(() => inUse(source, again));
  for (const step of [() => reopen(move), remove, restore])
    await step().catch((error: unknown) => failures.push((error as Error).message));
  if (failures.length === 0) made.length = 0;
  if (failures.length === 0) await endMove(to, name).catch((error: unknown) => failures.push((error as Error).message));
  if (failures.length === 0) return;
  const rest = "what was begun is still there. The next move removes it, and so does";
  const remedy = `npx portolan database move ${name} ${fromName}`;
  const { message } = (await cause) as Error;
  throw new OperatorError([message, `${rest}: ${remedy}`, ...failures].join("\n  "), { cause: await cause });
}

/** Resolves when the cluster answers. Rejects when it has not for some time. */
async function untilBack({ maintenance, pattern }: Cluster): Promise<void> {
  let told = false;
  for (const end = performance.now() + RETURNS_WITHIN_MS; ; await sleep(LOOK_AGAIN_MS)) {
    try {
      await maintenance.rows("select");
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      if (!told) print(`the cluster ${clusterName(pattern.name)} does not answer: waiting for it`);
      told = true;
    }
  }
}
