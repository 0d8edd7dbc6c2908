/** Subscribers of every account. Their events are judged as they arrive. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { STEADY, TABLES, type Account, type Rights, type Table, type Token } from "./model.ts";

/** The longest delay of an event: it was judged at some moment in that time. */
const ON_ITS_WAY_MS = 5000;

type Batch = Readonly<
  Record<string, Readonly<Record<string, { readonly full_data: readonly Readonly<Record<string, unknown>>[] }>>>
>;
interface Message {
  readonly type: string;
  readonly id?: string;
  readonly error?: string;
  readonly batch?: Batch;
}

export interface ListenersOptions {
  readonly baseUrl: string;
  readonly rights: Rights;
  /** A token that is valid now. */
  readonly tokenOf: (account: Account) => Token;
  /** PostgreSQL's own answer a moment later, for the reader of a fault. */
  readonly explain: (account: Account, table: Table) => Promise<string>;
  readonly look: (text: string, what: string) => void;
}

export class Listeners {
  readonly #options: ListenersOptions;
  readonly #open = new Map<Account, WebSocket>();
  #isClosed = false;
  readonly faults: string[] = [];
  rows = 0;
  refused = 0;

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  start(): void {
    for (const account of STEADY) this.#connect(account);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      [...this.#open.values()].map(async (socket) => {
        if (socket.readyState === WebSocket.CLOSED) return;
        const closed = once(socket, "close");
        socket.close();
        await closed;
      }),
    );
  }

  /** Subscribes again whenever the socket is closed, such as at the end of its token. */
  #connect(account: Account): void {
    if (this.#isClosed) return;
    const { baseUrl, tokenOf } = this.#options;
    const socket = new WebSocket(
      `${baseUrl.replace(/^http/, "ws")}/?token=${encodeURIComponent(tokenOf(account).text)}`,
    );
    this.#open.set(account, socket);
    socket.on("error", () => undefined); // it is closed then
    socket.on("open", () => TABLES.forEach((table) => subscribe(socket, table)));
    socket.on("message", (data) => this.#receive(account, socket, (data as Buffer).toString("utf8")));
    socket.on("close", () => setTimeout(() => this.#connect(account), 200)); // not all of the time
  }

  #receive(account: Account, socket: WebSocket, text: string): void {
    this.#options.look(text, "event");
    const { type, id, error, batch } = JSON.parse(text) as Message;
    if (type === "batch")
      for (const relations of Object.values(batch!)) this.#judge(account, id as Table, relations[id!]!.full_data);
    if (type !== "error") return;
    if (error === "NOT_ALLOWED") this.refused++;
    else if (!["invalid_token", "UNAVAILABLE", "TIMEOUT", "CONFLICT"].includes(error ?? ""))
      this.faults.push(`${account}: ${text}`);
    if (id !== undefined) setTimeout(() => socket.readyState === WebSocket.OPEN && subscribe(socket, id as Table), 500);
  }

  #judge(account: Account, table: Table, rows: readonly Readonly<Record<string, unknown>>[]): void {
    const now = performance.now();
    const possible = [
      ...this.#options.rights.possible(account, table, "events", { begin: now - ON_ITS_WAY_MS, end: now }),
    ].map((seen) => ({
      ...seen,
      ids: new Set(seen.ids.split(",").map(Number)),
    }));
    for (const row of rows) {
      this.rows++;
      const isRight = possible.some(
        ({ grant, isDenied, ids }) => !isDenied && grant >= ("secret" in row ? 2 : 1) && ids.has(row["id"] as number),
      );
      if (isRight) continue;
      const states = possible.map(({ because }) => because).join("\n");
      const told = `at ${Math.round(now)} ${account} was told ${JSON.stringify(row)} of ${table}, but it can only have been:\n${states}`;
      const explain = this.#options.explain(account, table);
      void explain.then((truth) =>
        this.faults.push(`${told}\nPostgreSQL at ${Math.round(performance.now())}: ${truth}`),
      );
    }
  }
}

function subscribe(socket: WebSocket, table: Table): void {
  socket.send(JSON.stringify({ type: "subscription", id: table, rel: table }));
}
