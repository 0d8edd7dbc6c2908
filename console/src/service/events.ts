/** Follows committed writes to a table over the WebSocket of the service (PROTOCOL.md). */
import { service } from "./http/address.ts";
import { token } from "./http/session.ts";

export const OPERATIONS = ["INSERT", "UPDATE", "DELETE"] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Question {
  readonly schema: string;
  readonly table: string;
  /** A filter, in SQL or JSON; empty for every row. */
  readonly where: string;
  /** Undefined for all three operations. */
  readonly op: Operation | undefined;
}

export interface RowEvent {
  readonly operation: Operation;
  readonly row: Readonly<Record<string, unknown>>;
  /** The instant at which the browser received it. */
  readonly at: Date;
}

export type State = "connecting" | "following" | "lost" | "refused";

export interface Listener {
  /** The changes of one transaction, or a part of them, in the order of writing. */
  onEvents(events: readonly RowEvent[]): void;
  /** Called when events were lost, or the table was emptied. */
  onGap(): void;
  onState(state: State, message?: string): void;
}

interface Following {
  /** Ends it. Returns the position after the last complete event, from which another call can resume. */
  stop(): string | undefined;
}

interface Changes extends Readonly<Partial<Record<Operation, readonly unknown[]>>> {
  readonly full_data: readonly Readonly<Record<string, unknown>>[];
}

interface Message {
  readonly type: string;
  readonly position?: string;
  readonly more?: true;
  readonly message?: string;
  readonly error?: string;
  readonly order?: readonly Operation[];
  readonly batch?: Readonly<Record<string, Readonly<Record<string, Changes>>>>;
}

const LONGEST_PAUSE = 10_000;

/** Follows the events. If the connection is lost, it reconnects and resumes. `after`: a position. */
export function follow(
  { schema, table, where, op }: Question,
  after: string | undefined,
  listener: Listener,
): Following {
  let position = after;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let hasEnded = false;
  /** Whether its token has expired while it was following. A new one is then available at once. */
  let hasExpired = false;
  let isFollowing = false;

  /** `isQuiet`: whether to reconnect without reporting the state. */
  async function connect(isQuiet = false): Promise<void> {
    if (!isQuiet) listener.onState(tries === 0 ? "connecting" : "lost");
    const address = new URL(`${service}/`);
    address.protocol = address.protocol.replace("http", "ws");
    address.searchParams.set("token", (await token()) ?? "");
    if (hasEnded) return;
    const opened = new WebSocket(address);
    socket = opened;
    opened.onopen = () =>
      opened.send(
        JSON.stringify({
          type: "subscription",
          id: "1",
          rel: table,
          schema,
          ...(where.trim() !== "" && { where: readFilter(where) }),
          ...(op && { op }),
          ...(position !== undefined && { after: position }),
        }),
      );
    opened.onmessage = ({ data }) => receive(JSON.parse(String(data)) as Message);
    opened.onclose = again;
  }

  function again(): void {
    if (hasEnded) return;
    if (hasExpired) {
      hasExpired = isFollowing = false;
      void connect(true).catch(again);
      return;
    }
    isFollowing = false;
    listener.onState("lost");
    timer = setTimeout(() => void connect().catch(again), Math.min(LONGEST_PAUSE, 500 * 2 ** tries++));
  }

  function receive(message: Message): void {
    if (hasEnded) return; // it was sent before the end
    const { type, error, more } = message;
    if (type === "subscription_ack") {
      tries = 0;
      isFollowing = true;
      listener.onState("following");
    } else if (type === "batch") listener.onEvents(eventsIn(message));
    else if (type === "gap") listener.onGap();
    else if (type === "error" && error === "invalid_token") hasExpired = isFollowing;
    else if (type === "error" && error !== "UNAVAILABLE" && error !== "ACCOUNT_BUSY") {
      end();
      listener.onState("refused", message.message);
    }
    if (message.position !== undefined && !more) position = message.position;
  }

  function end(): void {
    hasEnded = true;
    clearTimeout(timer);
    socket?.close();
  }

  void connect().catch(again);
  return {
    stop() {
      end();
      return position;
    },
  };
}

/** The filter: JSON if the text is JSON; otherwise the service reads it as a condition in SQL. */
function readFilter(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function eventsIn({ batch = {}, order }: Message): readonly RowEvent[] {
  const at = new Date();
  return Object.values(batch)
    .flatMap((tables) => Object.values(tables))
    .flatMap((changes) => {
      const only = OPERATIONS.find((operation) => (changes[operation]?.length ?? 0) > 0) ?? "UPDATE";
      return changes.full_data.map((row, index) => ({ operation: order?.[index] ?? only, row, at }));
    });
}
