/** A prepared statement that is sent alone, as one message. */
import { Envelope, type Ahead } from "./envelope.ts";
import { RowsQuery, type ByteStatement, type OnRow } from "./byteRows.ts";
import type { Connection } from "./extendedQuery.ts";

/** PostgreSQL protocol, "Message Formats". */
const BIND = "B".charCodeAt(0);
/** Execute of the unnamed portal for all rows. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const NULL_LENGTH = -1;
/** UTF-8 bytes of one UTF-16 code unit, at most. */
const MOST_BYTES = 3;

/**
 * The same as `ByteQuery`, for a connection that has the statement prepared and answers nothing else: its rows are the next
 * ones, so that PostgreSQL need not describe them first.
 */
export class SingleQuery extends RowsQuery<void> {
  readonly #message: Buffer;
  readonly #onRow: OnRow;
  #thrown: { readonly error: unknown } | undefined;
  /** What is ahead of the statement and not answered yet. */
  #ahead: Ahead | undefined;

  /** `message`: of `boundMessage`, with what is ahead of the statement. */
  constructor(statement: ByteStatement, message: Buffer, onRow: OnRow) {
    super(statement, { parsed: true, envelope: statement.ahead && new Envelope(statement) });
    this.#ahead = statement.ahead;
    this.#message = message;
    this.#onRow = onRow;
  }

  protected override get isOneMessage(): boolean {
    return true;
  }

  protected begin({ stream }: Connection): void {
    if (!this.#ahead) this.#handRows();
    stream.write(this.#message);
  }

  #handRows(): void {
    this.handRowsTo((row) => {
      if (this.#thrown) return;
      try {
        this.#onRow(row);
      } catch (error) {
        this.#thrown = { error };
      }
    });
  }

  override handleCommandComplete(message: { text: string }): void {
    super.handleCommandComplete(message);
    if (!this.#ahead?.isDone) return;
    this.#ahead = undefined;
    this.#handRows();
  }

  override handleReadyForQuery(): void {
    if (this.#thrown) this.handleError(this.#thrown.error);
    else super.handleReadyForQuery();
  }

  protected result(): void {}
}

interface Bound {
  readonly name: string;
  readonly values: readonly unknown[];
}

/**
 * Bind and Execute of each, with one Sync behind all. Undefined where a value is neither text nor a number nor null.
 */
export function boundMessage(statements: readonly Bound[]): Buffer | undefined {
  let size = SYNC.length;
  for (const statement of statements) {
    const more = mostBytes(statement);
    if (more === undefined) return undefined;
    size += more;
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const statement of statements) {
    at = writeBind(bytes, at, statement);
    at += EXECUTE.copy(bytes, at);
  }
  at += SYNC.copy(bytes, at);
  return bytes.subarray(0, at);
}

function mostBytes({ name, values }: Bound): number | undefined {
  let size = name.length * MOST_BYTES + 15 + EXECUTE.length;
  for (const value of values) {
    const isNull = value === null || value === undefined;
    if (!isNull && typeof value !== "string" && typeof value !== "number") return undefined;
    size += 4 + (isNull ? 0 : String(value).length * MOST_BYTES);
  }
  return size;
}

/** Returns the position after it. */
function writeBind(bytes: Buffer, start: number, { name, values }: Bound): number {
  bytes[start] = BIND;
  bytes[start + 5] = 0; // the unnamed portal
  let at = start + 6;
  at += bytes.write(name, at);
  bytes[at++] = 0;
  at = bytes.writeInt16BE(0, at); // all parameters are text
  at = bytes.writeUInt16BE(values.length, at);
  for (const value of values)
    if (value === null || value === undefined) at = bytes.writeInt32BE(NULL_LENGTH, at);
    else {
      const length = bytes.write(String(value), at + 4);
      bytes.writeInt32BE(length, at);
      at += 4 + length;
    }
  at = bytes.writeInt16BE(0, at); // and so are all columns
  bytes.writeInt32BE(at - start - 1, start + 1);
  return at;
}
