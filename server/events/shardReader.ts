/** Reads the changes of tables of Citus from the logs of its nodes, and writes them to the outbox, as triggers do elsewhere. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";
import { toRound, type NodeLog } from "./shardLog.ts";

/** The most changes that are read from a node at once, unless one transaction has more. */
const MOST = 10_000;
const POLL_MS = 100;
/** The pause where no table of Citus has events, and after an error. */
const IDLE_MS = 1000;

export interface ShardReaderOptions {
  readonly database: Database;
  readonly log: Log;
}

export class ShardReader {
  readonly #options: ShardReaderOptions;
  #toldOf = "";

  constructor(options: ShardReaderOptions) {
    this.#options = options;
  }

  /** Reads until `signal` fires, or until another gateway has the lease. Never rejects. */
  async run(term: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = IDLE_MS;
      try {
        const read = await this.#round(term);
        if (read === "deposed") return;
        pauseMs = { nothing: IDLE_MS, all: POLL_MS, some: 0 }[read];
      } catch (error) {
        this.#tell(error instanceof Error ? error.message : String(error));
      }
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined); // aborted
    }
  }

  async #round(term: number): Promise<"deposed" | "nothing" | "all" | "some"> {
    const { db } = this.#options.database;
    const logs = await db.any<NodeLog>("select * from portolan.read_shards($1)", [MOST]);
    if (logs.length === 0) return "nothing";
    this.#tell(logs.flatMap(({ node, problem }) => (problem === null ? [] : [`group ${node}: ${problem}`])).join("; "));
    const { upto, changes, isMore } = toRound(logs, MOST);
    const [kept] = await db.any<{ kept: boolean }>("select portolan.keep_shards($1, $2, $3) as kept", [
      term,
      JSON.stringify(upto),
      JSON.stringify(changes),
    ]);
    if (kept?.kept !== true) return "deposed";
    return isMore && changes.length > 0 ? "some" : "all";
  }

  /** Logs a problem once. */
  #tell(problem: string): void {
    const { log, database } = this.#options;
    if (problem !== "" && problem !== this.#toldOf)
      log.warn({ database: database.name, problem }, "changes of tables of Citus cannot be read from a node");
    this.#toldOf = problem;
  }
}
