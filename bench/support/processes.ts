/** Time on processors, as Linux counts it for each process. */
import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "pg";

/** The time that these processes have run, in ms (Linux, /proc/pid/task/tid/schedstat). What has ended counts no more. */
export function timeOf(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids)
    for (const task of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
  return nanoseconds / 1e6;
}

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
