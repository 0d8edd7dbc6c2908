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
  noneElseAt,
  note,
  setMoveState,
  tellGateways,
  withCluster,
  type Cluster,
} from "../cluster.ts";
import { counted, interruptible, print } from "../command.ts";
import { clusterName } from "../databases.ts";
import { refuseUnmovable } from "./refusals.ts";
import { makeRoles } from "./roles.ts";
import { MOVE, Source } from "./source.ts";
import { Target } from "./target.ts";

/** How long writes may be refused until the move is given up, and tried again. */
const CLOSED_MS = 3500;
const TRIES = 3;
/** The other cluster is near enough to switch. */
const NEAR_BYTES = 4_000_000;
const TOO_FAST = "rows are written faster than they are copied: try again when fewer are written";
/** The copy has not caught up in this time: rows are written faster than they are copied. */
const NEAR_WITHIN_MS = 600_000;
/** How long a cluster that went away is waited for, until the move is taken back there. */
const RETURNS_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 500;

interface Move {
  readonly name: string;
  readonly from: Cluster;
  readonly to: Cluster;
  readonly source: Source;
  readonly target: Target;
  readonly thereUrl: string;
}

/**
 * Moves a database to the cluster that is called so. Gateways serve it there when it is done; what it was stays where it was,
 * and takes no connections. Whatever fails before the switch is taken back, and the database is served from where it was.
 * To the cluster where it is: takes back a move that was ended in the middle. Throws `OperatorError`.
 */
export async function move(name: string, cluster: string): Promise<void> {
  await withCluster({ cluster }, async (to) => {
    const moved = await inEachCluster(async (from) => {
      if (from.pattern.name === to.pattern.name) return false;
      if ((await moveStateOf(from, name)) === "arriving" && (await isThere(to, name))) {
        await withMove({ name, from: to, to: from }, stay);
        return true;
      }
      if (!(await isServed(from, to, name))) return false;
      await noneElseAt(from, name);
      await noneElseAt(to, name);
      await withMove({ name, from, to }, carryOut);
      return true;
    });
    if (moved.includes(true)) return;
    if (await knows(to, name)) throw new OperatorError(`${name} is in ${cluster} already`);
    throw new OperatorError(`there is no database ${name} of Portolan in another cluster`);
  });
}

/** Whether it is to be moved from there: also one whose move was ended in the middle, when it was closed already. */
async function isServed(from: Cluster, to: Cluster, name: string): Promise<boolean> {
  if ((await moveStateOf(from, name)) === undefined) {
    const { findDatabases } = await import("../../fleet/discovery.ts");
    const found = await findDatabases((text) => from.maintenance.rows(text));
    return found.some((one) => one.name === name);
  }
  return (await moveStateOf(to, name)) === "arriving" && (await isThere(from, name));
}

async function withMove(
  { name, from, to }: Pick<Move, "name" | "from" | "to">,
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
    await callback({ name, from, to, source, target, thereUrl });
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
}

async function carryOut(move: Move): Promise<void> {
  const { name, from, to, source } = move;
  const [fromName, toName] = namesOf(move);
  await takeBackRest(move);
  await refuseUnmovable({ source: source.connection, target: to.maintenance, from: fromName, to: toName });
  const made: string[] = [];
  await interruptible(`interrupted: ${name} stays in ${fromName}`, async (signal) => {
    try {
      await setMoveState(to, name, "arriving", fromName);
      await copy(move, made, signal);
      await switchOver(move, signal);
      await makeReady(move);
    } catch (error) {
      const cause = await causeOf(move, error);
      print(`the move is taken back: ${name} stays in ${fromName}`);
      await takeBack(move, made, cause);
      throw cause;
    }
  });
  await endMove(to, name); // from here on the database there is the one that counts
  await tellGateways(to);
  print(`${name} is served from ${toName}. The one in ${fromName} is kept, and takes no connections:`);
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

/** Nothing of a move that was ended in the middle is left, and the database is served from where it is. */
async function stay(move: Move): Promise<void> {
  const [fromName, toName] = namesOf(move);
  await noneElseAt(move.from, move.name);
  await noneElseAt(move.to, move.name);
  await takeBack(move, [], new OperatorError(`the move to ${toName} cannot be taken back`));
  print(`${move.name} stays in ${fromName}: the rest of its move to ${toName} is removed`);
}

function namesOf({ from, to }: Pick<Move, "from" | "to">): readonly [from: string, to: string] {
  return [clusterName(from.pattern.name), clusterName(to.pattern.name)];
}

/** A cluster that went away says nothing of itself: the error is that of a connection, or of rows that did not come. */
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

/** A move that was killed has left its rest; a database of another origin is left alone. */
async function takeBackRest(move: Move): Promise<void> {
  const { name, to, source } = move;
  const isOpen = (await moveStateOf(move.from, name)) !== "left";
  if ((await moveStateOf(to, name)) === "arriving" || (isOpen && (await source.isBegun()))) {
    print("an earlier move was ended in the middle: what it has left is removed first");
    await takeBack(move, [], new OperatorError("an earlier move cannot be taken back"));
  } else if (await isThere(to, name)) {
    const [, toName] = namesOf(move);
    const remedy = `npx portolan database remove ${name} --cluster ${toName} --yes`;
    throw new OperatorError(`there is a database ${name} in ${toName} already: ${remedy}`);
  }
}

/** Everything that can be done while the database is in use. */
async function copy(move: Move, made: string[], signal: AbortSignal): Promise<void> {
  const { name, to, source, target } = move;
  const [, toName] = namesOf(move);
  await source.refuseDdl(toName);
  made.push(...(await makeRoles(source.connection, to.maintenance)));
  await target.make();
  await source.publish();
  await target.subscribe(await source.slot());
  const tell = (copied: number, all: number): void => print(`${name}: ${copied} of ${counted(all, "table")} copied`);
  await target.untilCopied(tell, signal);
  await target.prepare();
}

/** Closes the database here when the other side is near, until it has everything. Throws where it is not quick enough. */
async function switchOver(move: Move, signal: AbortSignal): Promise<void> {
  const { name, from, to, source, target } = move;
  const [, toName] = namesOf(move);
  for (let tries = 1; ; tries++) {
    await untilNear(source, signal);
    await setMoveState(from, name, "left", toName);
    await tellGateways(from);
    await source.close();
    const mark = randomUUID();
    await source.mark(mark);
    if (await target.arrives(mark, CLOSED_MS)) break;
    await reopen(move);
    if (tries === TRIES) throw new OperatorError(TOO_FAST);
  }
  await makeRoles(source.connection, to.maintenance); // those of accounts that were made meanwhile
  await target.setSequences(await source.sequences());
}

/** Serves it from where it was. */
async function reopen({ name, from, source }: Move): Promise<void> {
  await source.open();
  await endMove(from, name);
  await tellGateways(from);
}

async function untilNear(source: Source, signal: AbortSignal): Promise<void> {
  for (const end = performance.now() + NEAR_WITHIN_MS; (await source.lag()) > NEAR_BYTES; await sleep(200)) {
    signal.throwIfAborted();
    if (performance.now() > end) throw new OperatorError(TOO_FAST);
  }
  signal.throwIfAborted();
}

/** Nobody is served meanwhile. */
async function makeReady(move: Move): Promise<void> {
  const { name, to, target, thereUrl } = move;
  const { databaseOf } = await import("../../fleet/discovery.ts");
  const { makeClient } = await import("../../kernel/database/database.ts");
  const { migrate } = await import("../../operate/migrate.ts");
  await target.unsubscribe();
  await target.finish();
  const gatewayLogin = makeClient({ connectionString: databaseOf(to.pattern, name).url }).user;
  await migrate({ ownerUrl: thereUrl, gatewayLogin, repairRoles: true });
  const [fromName, toName] = namesOf(move);
  await note(thereUrl, "database.moved", { cluster: fromName }, { cluster: toName });
}

/**
 * Removes what was made, as far as possible. Waits for a cluster that went away. If it stays away, the other one keeps the
 * note that the move was begun, and the next move removes the rest.
 */
async function takeBack(move: Move, made: readonly string[], cause: unknown): Promise<void> {
  const { name, from, to, source, target } = move;
  const [fromName] = namesOf(move);
  await Promise.allSettled([from, to].map(untilBack));
  const failures: string[] = [];
  for (const step of [() => reopen(move), () => source.restore(), () => target.remove(made)])
    await step().catch((error: unknown) => failures.push((error as Error).message));
  if (failures.length === 0) await endMove(to, name).catch((error: unknown) => failures.push((error as Error).message));
  if (failures.length === 0) return;
  const rest = "what was begun is still there. The next move removes it, and so does";
  const remedy = `npx portolan database move ${name} ${fromName}`;
  throw new OperatorError([(cause as Error).message, `${rest}: ${remedy}`, ...failures].join("\n  "), { cause });
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
