/** Processor time of a work: of PostgreSQL, with its backends, and of the gateway. It holds on a busy machine too. */
import { readFileSync, readdirSync } from "node:fs";
import { median } from "./load.ts";

/** Clock ticks of processes, of 10 ms: those of the process and of what it started and has ended. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number)
      .reduce((sum, each) => sum + each, 0);
  } catch {
    return 0; // it has ended
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => {
      try {
        const stat = readFileSync(`/proc/${each}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid;
      } catch {
        return false;
      }
    });
}

export interface Spent {
  /** Milliseconds of processor time. */
  readonly postgres: number;
  readonly own: number;
  /** Milliseconds on the clock. */
  readonly wall: number;
}

/** Processor time of PostgreSQL, with its backends, and of another process. */
export async function spent(postmaster: number, pid: number | undefined, run: () => Promise<unknown>): Promise<Spent> {
  const all = (): number => [postmaster, ...childrenOf(postmaster)].reduce((sum, each) => sum + ticksOf(each), 0);
  const before = [all(), pid === undefined ? 0 : ticksOf(pid)] as const;
  const began = performance.now();
  await run();
  const wall = performance.now() - began;
  return { postgres: (all() - before[0]) * 10, own: (pid === undefined ? 0 : ticksOf(pid) - before[1]) * 10, wall };
}

/** The longer of the two, since they work at the same time: what a machine with processors for both would take. */
export const alone = ({ postgres, own }: Pick<Spent, "postgres" | "own">): number => Math.max(postgres, own);
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
export const both = (one: Pick<Spent, "postgres" | "own">): string =>
  `gateway ${seconds(one.own)}, PostgreSQL ${seconds(one.postgres)}`;
export const medianOf = (all: readonly Spent[]): Spent => ({
  postgres: median(all.map(({ postgres }) => postgres)),
  own: median(all.map(({ own }) => own)),
  wall: median(all.map(({ wall }) => wall)),
});
