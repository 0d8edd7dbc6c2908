/** Reads the changes of tables of Citus from the logs of its nodes, and writes them to the outbox, as triggers do elsewhere. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../ground/log.ts";
import { NodeReader } from "./nodeReader.ts";
import { toRound, type NodeLog } from "./shardLog.ts";

const POLL_MS = 100;
/** The pause where no table of Citus has events, and after an error. */
const IDLE_MS = 1000;
/** How often to look for what a node that was down has not been told. */
const REST_MS = 5000;
/** How long the nodes that have answered wait for the others. */
const PATIENCE_MS = 2000;

export interface ShardReaderOptions {
  readonly database: Database;
  readonly log: Log;
}

interface NodeRow {
  readonly node: number;
  readonly name: string;
  readonly wanted: boolean;
}

export class ShardReader {
  readonly #options: ShardReaderOptions;
  readonly #readers = new Map<number, NodeReader>();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #toldOf = "";
  #restAtMs = 0;

  /** Reads until it is stopped, or until another gateway has the lease. */
  constructor(options: ShardReaderOptions, term: number) {
    this.#options = options;
    this.#running = this.#run(term);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#end();
    await this.#running;
  }

  /**
   * Stops, and drops the slots, since nobody will read them for long: unless another gateway will. What is written from then on
   * is a gap. Never rejects.
   */
  async rest(): Promise<void> {
    const { db } = this.#options.database;
    try {
      this.#ending.abort();
      await this.#running; // a slot that is being read cannot be dropped
      const [alone] = await db.any<{ alone: boolean }>("select portolan.reads_alone() as alone");
      if (!alone?.alone) return;
      const nodes = await this.#nodes();
      await this.#within(nodes.map(({ node }) => this.#readerOf(node).leave()));
      this.#tell(nodes.flatMap((node) => this.#take(node).problems));
    } catch (error) {
      this.#tell([error instanceof Error ? error.message : String(error)]);
    } finally {
      this.#end();
    }
  }

  #end(): void {
    for (const reader of this.#readers.values()) reader.end();
  }

  async #run(term: number): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const beganMs = performance.now();
      let pauseMs = IDLE_MS;
      try {
        const read = await this.#round(term);
        if (read === "deposed") break;
        // a log with a long transaction is read from its beginning each time
        pauseMs = { nothing: IDLE_MS, all: Math.max(POLL_MS, performance.now() - beganMs), some: 0 }[read];
      } catch (error) {
        this.#tell([error instanceof Error ? error.message : String(error)]);
      }
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined); // aborted
    }
  }

  async #round(term: number): Promise<"deposed" | "nothing" | "all" | "some"> {
    const nodes = await this.#nodes();
    if (nodes.length === 0) {
      this.#tell(await this.#rest());
      return "nothing";
    }
    const isNeeded = nodes.some(({ wanted }) => wanted);
    await this.#within(
      nodes.map(({ node, wanted }) => (wanted ? this.#readerOf(node).read() : this.#readerOf(node).leave())),
    );
    const taken = nodes.map((node) => this.#take(node));
    if (this.#ending.signal.aborted) return "all";
    const problems = taken.flatMap((one) => one.problems);
    this.#tell(problems.length === 0 ? await this.#rest() : problems); // which asks all nodes
    const { parts, isMore } = toRound(taken.flatMap(({ logs }) => logs));
    for (const { upto, changes } of parts) {
      const [kept] = await this.#options.database.db.any<{ kept: boolean }>(
        "select portolan.keep_shards($1, $2, $3) as kept",
        [term, JSON.stringify(upto), JSON.stringify(changes)],
      );
      if (kept?.kept !== true) return "deposed";
    }
    if (!isNeeded) return "nothing";
    return isMore ? "some" : "all";
  }

  /** Leaves tables whose events were switched off while a node was down. */
  async #rest(): Promise<readonly string[]> {
    if (performance.now() < this.#restAtMs) return [];
    const [rest] = await this.#options.database.db.any<{ problem: string | null }>(
      "select portolan.leave_rest() as problem",
    );
    this.#restAtMs = performance.now() + REST_MS;
    return rest?.problem ? [rest.problem] : [];
  }

  /** Those that are gone are forgotten. */
  async #nodes(): Promise<readonly NodeRow[]> {
    const nodes = await this.#options.database.db.any<NodeRow>("select * from portolan.shard_nodes()");
    for (const [node, reader] of this.#readers) {
      if (nodes.some((one) => one.node === node)) continue;
      reader.end();
      this.#readers.delete(node);
    }
    return nodes;
  }

  #readerOf(node: number): NodeReader {
    const reader = this.#readers.get(node) ?? new NodeReader({ url: this.#options.database.url, node });
    this.#readers.set(node, reader);
    return reader;
  }

  async #within(asked: readonly Promise<void>[]): Promise<void> {
    const enough = new AbortController();
    await Promise.race([
      Promise.all(asked),
      sleep(PATIENCE_MS, undefined, { signal: enough.signal }).catch(() => undefined), // all have answered
    ]);
    enough.abort();
  }

  #take({ node, name }: NodeRow): { readonly logs: readonly NodeLog[]; readonly problems: readonly string[] } {
    const answer = this.#readerOf(node).take();
    if (!answer) return { logs: [], problems: [] };
    return "log" in answer ? { logs: [answer], problems: [] } : { logs: [], problems: [`${name}: ${answer.problem}`] };
  }

  /** Logs problems once. */
  #tell(problems: readonly string[]): void {
    const { log, database } = this.#options;
    const problem = problems.join("; ");
    if (problem !== "" && problem !== this.#toldOf)
      log.warn({ database: database.name, problem }, "changes of tables of Citus cannot be read from a node");
    this.#toldOf = problem;
  }
}
