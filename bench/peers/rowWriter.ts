/**
 * Changes a row of `town.large` somewhere, again and again, until it is told to stop. It then reports how long it
 * waited. Nothing else runs in this process, since a wait for the processor would be taken for a wait of the database.
 * Arguments: url, rows.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Waits } from "../support/largeTable.ts";
import { queuedMs } from "../support/processes.ts";

const [url = "", rows = ""] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();
const backend = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
const inLine = (): number => queuedMs(backend) + queuedMs(process.pid);

const waits = { longestMs: 0, longestBlockedMs: 0, writes: 0 };
let goesOn = true;
void once(process, "message").then(() => (goesOn = false));
while (goesOn) {
  const id = 1 + Math.floor(Math.random() * Number(rows));
  const [started, before] = [performance.now(), inLine()];
  await client.query("update town.large set kind = kind + 1 where id = $1", [id]);
  const ms = performance.now() - started;
  waits.longestMs = Math.max(waits.longestMs, ms);
  waits.longestBlockedMs = Math.max(waits.longestBlockedMs, ms - (inLine() - before));
  waits.writes++;
  await sleep(5);
}
await client.end();
process.send!(waits satisfies Waits);
process.disconnect();
