/** Processor time of a work: of PostgreSQL, with its backends, and of the gateway. It holds on a busy machine too. */
import { readFileSync } from "node:fs";
import { median } from "./load.ts";
import { familyOf, timesOf } from "./processes.ts";

const TICK_MS = 10;

/** The processor time of children that have ended and were waited for, in ms (proc(5): 16 and 17 of stat, in ticks). */
function endedChildren(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15)
    .map(Number) as [number, number];
  return (user + system) * TICK_MS;
}

const total = (pids: readonly number[]): number =>
  [...timesOf(pids).values()].reduce((sum, each) => sum + each, 0) / 1e6;
const ofProcess = (pid: number | undefined): number => (pid === undefined ? 0 : total([pid]));
/** The time of a backend moves from the first sum to the second when it ends. */
const ofPostgres = (postmaster: number): number => total(familyOf(postmaster)) + endedChildren(postmaster);

export interface Spent {
  /** Milliseconds of processor time. */
  readonly postgres: number;
  readonly own: number;
  /** Milliseconds on the clock. */
  readonly wall: number;
}

/** Processor time of PostgreSQL, with its backends, and of another process. */
export async function spent(postmaster: number, pid: number | undefined, run: () => Promise<unknown>): Promise<Spent> {
  const before = [ofPostgres(postmaster), ofProcess(pid)] as const;
  const began = performance.now();
  await run();
  const wall = performance.now() - began;
  return { postgres: ofPostgres(postmaster) - before[0], own: ofProcess(pid) - before[1], wall };
}

/** The longer of the two, since they work at the same time: what a machine with processors for both would take. */
export const alone = ({ postgres, own }: Pick<Spent, "postgres" | "own">): number => Math.max(postgres, own);
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 1000 ? 3 : 2)} s`;
export const both = (one: Pick<Spent, "postgres" | "own">): string =>
  `gateway ${seconds(one.own)}, PostgreSQL ${seconds(one.postgres)}`;
export const medianOf = (all: readonly Spent[]): Spent => ({
  postgres: median(all.map(({ postgres }) => postgres)),
  own: median(all.map(({ own }) => own)),
  wall: median(all.map(({ wall }) => wall)),
});
