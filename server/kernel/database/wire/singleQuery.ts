/** A prepared statement that is sent alone, as one message. */
import { RowsQuery, type ByteStatement, type OnRow } from "./byteRows.ts";
import type { Connection } from "./extendedQuery.ts";

/** PostgreSQL protocol, "Message Formats". */
const BIND = "B".charCodeAt(0);
/** Execute of the unnamed portal for all rows, and Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
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

  /** `message`: of `boundMessage`. */
  constructor(statement: ByteStatement, message: Buffer, onRow: OnRow) {
    super(statement, { parsed: true });
    this.#message = message;
    this.#onRow = onRow;
  }

  protected override get isOneMessage(): boolean {
    return true;
  }

  protected begin({ stream }: Connection): void {
    this.handRowsTo((row) => {
      if (this.#thrown) return;
      try {
        this.#onRow(row);
      } catch (error) {
        this.#thrown = { error };
      }
    });
    stream.write(this.#message);
  }

  override handleReadyForQuery(): void {
    if (this.#thrown) this.handleError(this.#thrown.error);
    else super.handleReadyForQuery();
  }

  protected result(): void {}
}

/** Bind with these values, Execute and Sync. Undefined where a value is neither text nor a number nor null. */
export function boundMessage(name: string, values: readonly unknown[]): Buffer | undefined {
  let size = name.length * MOST_BYTES + 15 + EXECUTE_AND_SYNC.length;
  for (const value of values) {
    const isNull = value === null || value === undefined;
    if (!isNull && typeof value !== "string" && typeof value !== "number") return undefined;
    size += 4 + (isNull ? 0 : String(value).length * MOST_BYTES);
  }
  const bytes = Buffer.allocUnsafe(size);
  bytes[0] = BIND;
  bytes[5] = 0; // the unnamed portal
  let at = 6 + bytes.write(name, 6);
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
  bytes.writeInt32BE(at - 1, 1);
  at += EXECUTE_AND_SYNC.copy(bytes, at);
  return bytes.subarray(0, at);
}
