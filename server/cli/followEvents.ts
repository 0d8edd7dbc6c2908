/** `portolan events`: a client of the gateway's own WebSocket. */
import { WebSocket } from "ws";
import { OperatorError } from "../ground/errors.ts";

export interface FollowOptions {
  /** Address of a gateway that runs. */
  readonly baseUrl: string;
  /** A new access token, valid for an hour. */
  token(): Promise<string>;
  readonly schema: string;
  readonly table: string;
  /** A filter as text as in SQL, or as JSON. */
  readonly where?: string | undefined;
  readonly op?: string | undefined;
  readonly columns?: string | undefined;
  readonly after?: string | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** Takes one JSON text for each row that was written, and for each gap. */
  print(line: string): void;
  /** Called once events are live. */
  live(): void;
}

const RENEW_MS = 45 * 60_000;
const OPERATIONS = ["INSERT", "UPDATE", "DELETE"] as const;
type Operation = (typeof OPERATIONS)[number];
type Changes = Readonly<Record<Operation, readonly (readonly [columns: string, key: string])[]>> & {
  readonly full_data: readonly unknown[];
};
type Batch = Readonly<Record<string, Readonly<Record<string, Changes>>>>;

/** Prints events until the signal fires. Rejects with `OperatorError` when the gateway refuses or goes away. */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { baseUrl, schema, table, where, op, columns, after, signal, print, live } = options;
  const url = new URL(baseUrl.replace(/^http/, "ws"));
  url.searchParams.set("token", await options.token());
  const socket = new WebSocket(url, { perMessageDeflate: false });
  signal?.addEventListener("abort", () => socket.close(), { once: true });
  const renew = setInterval(() => {
    // when it cannot be had, the gateway says so in time
    void options.token().then(
      (token) => socket.send(JSON.stringify({ type: "authenticate", token })),
      () => undefined,
    );
  }, RENEW_MS);
  await new Promise<void>((resolve, reject) => {
    const fail = (message: string): void => {
      reject(new OperatorError(message));
      socket.terminate();
    };
    socket.on("error", (error) => fail(`The gateway at ${baseUrl} cannot be reached: ${error.message}`));
    socket.on("close", (code, reason) =>
      signal?.aborted ? resolve() : fail(`The gateway closed the socket: ${code} ${reason.toString("utf8")}`),
    );
    socket.on("open", () =>
      socket.send(JSON.stringify({ type: "subscription", id: "1", schema, rel: table, where, op, columns, after })),
    );
    socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString("utf8")) as Readonly<Record<string, unknown>>;
      switch (message["type"]) {
        case "subscription_ack":
          return live();
        case "batch":
          return linesOf(message).forEach(print);
        case "gap":
          return print(JSON.stringify({ op: "GAP", after: message["after"], position: message["position"] }));
        case "error":
          return fail(String(message["message"]));
      }
    });
  }).finally(() => clearInterval(renew));
}

/** One line for each row, in the order of writing. */
function linesOf(message: Readonly<Record<string, unknown>>): string[] {
  const { batch, position, order } = message as { batch: Batch; position: string; order?: readonly Operation[] };
  const [changes] = Object.values(Object.values(batch)[0] ?? {});
  if (!changes) return [];
  const only = OPERATIONS.find((op) => changes[op].length > 0) ?? "INSERT";
  const next = { INSERT: 0, UPDATE: 0, DELETE: 0 };
  return changes.full_data.map((row, index) => {
    const op = order?.[index] ?? only;
    const key = changes[op][next[op]++]?.[1];
    return JSON.stringify({ op, key, row, position });
  });
}
