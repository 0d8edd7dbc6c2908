/** Processor time, as Linux counts it for each process. */
import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "pg";

/**
 * Begins to count the processor time of these processes (Linux, /proc/pid/task/tid/schedstat). The result gives the ms
 * until now.
 */
export function stopwatch(pids: () => readonly number[]): () => number {
  const before = timesOf(pids());
  return () => {
    let nanoseconds = 0;
    for (const [pid, time] of timesOf(pids())) nanoseconds += time - (before.get(pid) ?? 0);
    return nanoseconds / 1e6;
  };
}

/** The processor time of each by its id, in ns. Processes that end meanwhile no longer count. */
export function timesOf(pids: readonly number[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const pid of pids)
    try {
      for (const task of readdirSync(`/proc/${pid}/task`)) {
        const [time] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ");
        times.set(pid, (times.get(pid) ?? 0) + Number(time));
      }
    } catch (error) {
      if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  return times;
}

/** How long the main thread of a process has waited for a processor, in ms. */
export function queuedMs(pid: number): number {
  const [, queued] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
  return Number(queued) / 1e6;
}

/** The process and its children, as they are now. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid)];

export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
}

/** The parent of the backend that serves the connection. */
export async function postmasterOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${rows[0]!.pid}/status`, "utf8"))?.[1]);
}
