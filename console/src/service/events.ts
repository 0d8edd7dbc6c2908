/** Writes to a table, as they are committed, over the WebSocket of the service (PROTOCOL.md). */
import { service } from "./http/address.ts";
import { token } from "./http/session.ts";

export const OPERATIONS = ["INSERT", "UPDATE", "DELETE"] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Question {
  readonly schema: string;
  readonly table: string;
  /** A filter, as in SQL or as JSON; empty: every row. */
  readonly where: string;
  /** Undefined: all three. */
  readonly op: Operation | undefined;
}

export interface RowEvent {
  readonly operation: Operation;
  readonly row: Readonly<Record<string, unknown>>;
  /** When it came here. */
  readonly at: Date;
}

export type State = "connecting" | "following" | "lost" | "refused";

export interface Listener {
  /** The changes of one transaction, or a part of them, in the order of writing. */
  onEvents(events: readonly RowEvent[]): void;
  /** Some are gone, or the table was emptied. */
  onGap(): void;
  onState(state: State, message?: string): void;
}

interface Following {
  /** Ends it; the position after the last event that came whole, from which another may go on. */
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

/** Connects again where the connection is lost, and goes on where it was. `after`: a position. */
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
  /** Whether its token has come to its end while it followed: another is there at once. */
  let hasExpired = false;
  let isFollowing = false;

  /** `isQuiet`: nobody needs to hear of it. */
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
    if (hasEnded) return; // it was on its way when nobody followed any more
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

/** JSON where the text is JSON; else the service reads it as a condition in SQL. */
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
