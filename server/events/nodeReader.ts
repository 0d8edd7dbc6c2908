/** Reads the log of one node of Citus, on a connection of its own: a node that does not answer holds up no other. */
import type pg from "pg";
import { makeClient, startOptions } from "../kernel/database/database.ts";
import type { NodeLog } from "./shardLog.ts";

/** Changes that are read at once, at most, unless one transaction has more. */
const MOST = 10_000;
/** Bytes of messages that are read at once. For a larger transaction only the tables are named, which makes it a gap. */
const MOST_BYTES = 32_000_000;
/** How long to wait for an answer. After each wait without one, the next wait is twice as long. */
const LIMIT_MS = { first: 60_000, most: 3_600_000 };
/** The pause after an error. */
const AGAIN_MS = 1000;
const CONNECT_MS = 10_000;

export interface NodeReaderOptions {
  /** Connection string of the coordinator. */
  readonly url: string;
  /** The id of its group. */
  readonly node: number;
}

/** A problem instead of an answer. */
export interface NodeProblem {
  readonly problem: string;
}

export class NodeReader {
  readonly #options: NodeReaderOptions;
  #client: pg.Client | undefined;
  #asking: Promise<void> | undefined;
  #isLate = false;
  #answer: NodeLog | NodeProblem | undefined;
  #limitMs = LIMIT_MS.first;
  #notBeforeMs = -Infinity;

  constructor(options: NodeReaderOptions) {
    this.#options = options;
  }

  /** Begins to read, unless that is under way. Resolves when it is done, and at once where it is late. Never rejects. */
  read(): Promise<void> {
    return this.#begin(async (client) => {
      const { node } = this.#options;
      const { rows } = await client.query<
        Omit<NodeLog, "node" | "log"> & { log: string | null; problem: string | null }
      >("select * from portolan.read_shard($1, $2, $3)", [node, MOST, MOST_BYTES]);
      const [row] = rows;
      if (!row) return undefined;
      const { known, log, problem } = row;
      return log === null ? { problem: problem ?? "it sent no answer" } : { node, known, log };
    });
  }

  /** The same for dropping its slot. */
  leave(): Promise<void> {
    return this.#begin(async (client) => {
      const { rows } = await client.query<{ problem: string | null }>("select portolan.leave_shard($1) as problem", [
        this.#options.node,
      ]);
      const problem = rows[0]?.problem;
      return problem ? { problem } : undefined;
    });
  }

  /** What came since the last call. */
  take(): NodeLog | NodeProblem | undefined {
    this.#isLate = this.#asking !== undefined;
    if (this.#isLate) return { problem: "it does not answer" };
    const answer = this.#answer;
    this.#answer = undefined;
    return answer;
  }

  /** Gives the connection up. PostgreSQL ends a statement whose client is gone. */
  end(): void {
    const client = this.#client;
    this.#client = undefined;
    // an end by message would wait for the statement
    (client as unknown as { connection: { stream: { destroy(): void } } } | undefined)?.connection.stream.destroy();
  }

  #begin(ask: (client: pg.Client) => Promise<NodeLog | NodeProblem | undefined>): Promise<void> {
    if (this.#asking) return this.#isLate ? Promise.resolve() : this.#asking;
    if (this.#answer || performance.now() < this.#notBeforeMs) return Promise.resolve(); // one that came late is taken first
    const asking = this.#ask(ask).finally(() => (this.#asking = undefined));
    return (this.#asking = asking);
  }

  async #ask(ask: (client: pg.Client) => Promise<NodeLog | NodeProblem | undefined>): Promise<void> {
    const limit = setTimeout(() => {
      this.#limitMs = Math.min(2 * this.#limitMs, LIMIT_MS.most);
      this.end();
    }, this.#limitMs);
    try {
      this.#answer = await ask(await this.#connect());
      this.#limitMs = LIMIT_MS.first;
    } catch (error) {
      this.end();
      this.#answer = { problem: error instanceof Error ? error.message : String(error) };
    } finally {
      clearTimeout(limit);
    }
    if (this.#answer && "problem" in this.#answer) this.#notBeforeMs = performance.now() + AGAIN_MS;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = makeClient({
      connectionString: this.#options.url,
      application_name: "portolan",
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      options: startOptions("own", [
        ["statement_timeout", "0"], // a large transaction takes its time; the limit is kept here
        ["client_connection_check_interval", "5s"],
      ]),
    });
    this.#client = client;
    client.on("error", () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    return client;
  }
}
