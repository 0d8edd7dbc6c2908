/** Rows as the bytes that PostgreSQL sent. Values that are only passed on need not become strings, and leave no garbage. */
import type pg from "pg";
import { Parser } from "pg-protocol/dist/parser.js";
import { bindingFormats } from "./bindMessage.ts";
import { isBorrowed, lendChunks } from "./byteSocket.ts";
import { Envelope, type EnvelopeOptions } from "./envelope.ts";
import { ExtendedQuery, type Connection, type DataRow, type ExtendedStatement } from "./extendedQuery.ts";

/** PostgreSQL protocol, "Message Formats". */
const DATA_ROW = "D".charCodeAt(0);
const NULL_LENGTH = -1;
/** The number of columns. */
const COUNT_BYTES = 2;
/** Before each column, and of a message. */
const LENGTH_BYTES = 4;
/** The letter of a message, and its length. */
const HEADER_BYTES = 5;
/** Up to this length a loop copies faster than `Buffer.copy`. */
const FEW_BYTES = 40;

/** PostgreSQL gives no more columns ("target lists can have at most 1664 entries"). */
const MOST_COLUMNS = 1664;

/** A row, in PostgreSQL's text format by default. The object has another row as soon as the function that received it has returned. */
export class ByteRow {
  #bytes: Buffer = Buffer.alloc(0);
  #size = 0;
  readonly #starts = new Int32Array(MOST_COLUMNS);
  readonly #lengths = new Int32Array(MOST_COLUMNS);
  #length = 0;

  /** Whether it is known where the columns are. */
  #isRead = true;
  /** Where the number of columns is. */
  #offset = 0;

  /** `offset`: where the number of fields is in the DataRow message, which has `length` bytes from there on. */
  take(bytes: Buffer, offset: number, length: number): void {
    this.#bytes = bytes;
    this.#offset = offset;
    this.#size = (bytes[offset]! << 8) | bytes[offset + 1]!;
    this.#length = length;
    this.#isRead = false;
  }

  /** Finds the columns. A row that is copied as a whole does without it. */
  #read(): void {
    const starts = this.#starts;
    const lengths = this.#lengths;
    const bytes = this.#bytes;
    let at = this.#offset + COUNT_BYTES;
    for (let index = 0; index < this.#size; index++) {
      const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
      at += LENGTH_BYTES;
      starts[index] = at;
      lengths[index] = length;
      if (length !== NULL_LENGTH) at += length;
    }
    this.#isRead = true;
  }

  /** Stands for a row that was too large: it has no columns. */
  leftOut(length: number): this {
    this.#size = 0;
    this.#length = length;
    this.#isRead = true;
    return this;
  }

  /** How many columns it has. */
  get size(): number {
    return this.#size;
  }

  /** Its size on the wire, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Removes the last column. Returns its text if `isRead`. */
  dropLast(isRead: boolean): string | null {
    const text = isRead ? this.text(this.#size - 1) : null;
    this.#size--;
    return text;
  }

  /** Writes all columns, each after its length, as PostgreSQL sends them. Returns the position after them. */
  copyAll(target: Buffer, at: number): number {
    if (this.#size === 0) return at;
    const start = this.#offset + COUNT_BYTES;
    if (!this.#isRead) return at + this.#bytes.copy(target, at, start, this.#offset + this.#length);
    const last = this.#size - 1;
    return at + this.#bytes.copy(target, at, start, this.#starts[last]! + this.lengthOf(last));
  }

  isNull(index: number): boolean {
    if (!this.#isRead) this.#read();
    return this.#lengths[index] === NULL_LENGTH;
  }

  /** In bytes; 0 for NULL. */
  lengthOf(index: number): number {
    if (!this.#isRead) this.#read();
    return Math.max(0, this.#lengths[index]!);
  }

  /** Whether a column is this text, of ASCII. */
  is(index: number, text: string): boolean {
    if (!this.#isRead) this.#read();
    const start = this.#starts[index]!;
    if (this.#lengths[index] !== text.length) return false;
    for (let at = 0; at < text.length; at++) if (this.#bytes[start + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  text(index: number): string | null {
    if (this.isNull(index)) return null;
    const start = this.#starts[index]!;
    return this.#bytes.toString("utf8", start, start + this.#lengths[index]!);
  }

  /** Writes a column's bytes, nothing for NULL. Returns the position after them. */
  copy(index: number, target: Buffer, at: number): number {
    const length = this.lengthOf(index);
    const start = this.#starts[index]!;
    if (length > FEW_BYTES) return at + this.#bytes.copy(target, at, start, start + length);
    const bytes = this.#bytes;
    for (let n = 0; n < length; n++) target[at + n] = bytes[start + n]!;
    return at + length;
  }
}

/** Takes rows one by one as they arrive, also those of a statement that fails later. Not asynchronous. */
export type OnRow = (row: ByteRow) => void;
const NOTHING = Buffer.alloc(0);
/** For a message in two chunks, of any connection, since each message is handled at once. */
const joined = Buffer.allocUnsafeSlow(64 * 1024);
const HANDED_OUT = { name: "byteRow" };

/**
 * Completes the message whose first part came before. The package would copy that part and the whole chunk into new
 * memory. Returns the rest of the chunk.
 */
interface MessageParser {
  /** The received part of an incomplete message: `bufferLength` bytes of `buffer` from `bufferOffset`. */
  buffer: Buffer;
  bufferOffset: number;
  bufferLength: number;
  parse(chunk: Buffer, onMessage: (message: { readonly name: string }) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): { readonly name: string };
}

/** Passes rows to `onRow` if there is one; otherwise makes strings of them, as node-postgres does. */
class ByteRowParser extends (Parser as unknown as new () => MessageParser) {
  onRow: OnRow | undefined;
  /** The largest row that is kept in memory. */
  mostBytes = Infinity;
  readonly #row = new ByteRow();
  /** The missing bytes of a row that is too large. */
  #left = 0;

  override parse(chunk: Buffer, onMessage: (message: { readonly name: string }) => void): void {
    const rest = this.#left === 0 ? chunk : chunk.subarray(this.#left);
    this.#left -= chunk.length - rest.length;
    const whole = this.#takeRows(this.#endLatest(rest, onMessage));
    if (whole.length === 0) return;
    super.parse(whole, onMessage);
    if (this.#isTooLarge()) this.#leaveOut(onMessage);
    this.#keep(chunk, whole);
  }

  /**
   * Reads a message whose first part came before, since the package would copy that part and the whole chunk into new
   * memory. Returns the rest of the chunk.
   */
  #endLatest(chunk: Buffer, onMessage: (message: { readonly name: string }) => void): Buffer {
    const had = this.bufferLength;
    if (had === 0) return chunk;
    this.buffer.copy(joined, 0, this.bufferOffset, this.bufferOffset + Math.min(had, HEADER_BYTES));
    if (had < HEADER_BYTES) chunk.copy(joined, had, 0, HEADER_BYTES - had);
    if (had + chunk.length < HEADER_BYTES) return chunk;
    const length = 1 + joined.readUInt32BE(1);
    const missing = length - had;
    if (length > joined.length || missing > chunk.length) return chunk;
    this.buffer.copy(joined, 0, this.bufferOffset, this.bufferOffset + had);
    chunk.copy(joined, had, 0, missing);
    this.buffer = NOTHING;
    this.bufferLength = this.bufferOffset = 0;
    super.parse(joined.subarray(0, length), onMessage);
    return chunk.subarray(missing);
  }

  /** Passes the whole rows that a chunk begins with to `onRow`, as the package would, but sooner. Returns the rest. */
  #takeRows(chunk: Buffer): Buffer {
    if (this.bufferLength > 0) return chunk;
    let at = 0;
    while (this.onRow && chunk[at] === DATA_ROW && at + HEADER_BYTES <= chunk.length) {
      const length = ((chunk[at + 1]! << 24) | (chunk[at + 2]! << 16) | (chunk[at + 3]! << 8) | chunk[at + 4]!) >>> 0;
      if (at + 1 + length > chunk.length) break;
      this.#row.take(chunk, at + HEADER_BYTES, length - LENGTH_BYTES);
      this.onRow(this.#row);
      at += 1 + length;
    }
    return at === 0 ? chunk : chunk.subarray(at);
  }

  /** Whether the message that is not complete is a row that is too large. */
  #isTooLarge(): boolean {
    if (this.bufferLength < HEADER_BYTES || this.buffer[this.bufferOffset] !== DATA_ROW) return false;
    return this.buffer.readUInt32BE(this.bufferOffset + 1) > this.mostBytes;
  }

  #leaveOut(onMessage: (message: { readonly name: string }) => void): void {
    const length = this.buffer.readUInt32BE(this.bufferOffset + 1);
    this.#left = 1 + length - this.bufferLength;
    this.buffer = NOTHING;
    this.bufferLength = this.bufferOffset = 0;
    if (this.onRow) this.onRow(this.#row.leftOut(length));
    else onMessage({ name: "dataRow", length, fields: [] } as { readonly name: string });
  }

  /** Copies the incomplete message out of a chunk that was lent. */
  #keep(chunk: Buffer, rest: Buffer): void {
    if (this.bufferLength === 0 || this.buffer !== rest || !isBorrowed(chunk)) return;
    this.buffer = Buffer.from(rest.subarray(this.bufferOffset, this.bufferOffset + this.bufferLength));
    this.bufferOffset = 0;
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): { readonly name: string } {
    if (code !== DATA_ROW || !this.onRow) return super.handlePacket(offset, code, length, bytes);
    this.#row.take(bytes, offset, length - LENGTH_BYTES);
    this.onRow(this.#row);
    return HANDED_OUT;
  }
}

const parsers = new WeakMap<object, ByteRowParser>();
/** Called when a client has connected. From then on its rows can be read as bytes. */
export function readByteRows(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: Connection };
  const parser = new ByteRowParser();
  parsers.set(connection, parser);
  lendChunks(connection.stream);
  connection.stream.removeAllListeners("data").on("data", (chunk: Buffer) =>
    parser.parse(chunk, (message) => {
      if (message !== HANDED_OUT) connection.emit(message.name === "error" ? "errorMessage" : message.name, message);
    }),
  );
}

/** A statement whose rows can be read as bytes, on a connection that was passed to `readByteRows`. */
export abstract class RowsQuery<T> extends ExtendedQuery<T> {
  protected readonly envelope: Envelope;
  #connection: Connection | undefined;

  constructor(
    statement: ExtendedStatement,
    {
      parsed = false,
      envelope = new Envelope(),
    }: { readonly parsed?: boolean; readonly envelope?: Envelope | undefined },
  ) {
    super(statement, parsed);
    this.envelope = envelope;
  }

  override submit(connection: Connection): unknown {
    this.#connection = connection;
    return super.submit(connection);
  }

  /** From now on rows go to `onRow`, until the statement, or its portion, has ended. */
  protected handRowsTo(onRow: OnRow | undefined): void {
    if (this.#connection) parsers.get(this.#connection)!.onRow = onRow;
  }

  /** Rows of this statement that have more bytes come as empty ones of their length. */
  protected leaveOutLarger(mostBytes: number): void {
    const parser = this.#connection && parsers.get(this.#connection);
    if (parser) parser.mostBytes = mostBytes;
  }

  override handlePortalSuspended(): void {
    this.handRowsTo(undefined);
    this.leaveOutLarger(Infinity);
  }

  override handleDataRow(row: DataRow): void {
    if (!this.envelope.takesRow(row)) this.takeRow(row);
  }

  override handleCommandComplete(message: { text: string }): void {
    if (!this.envelope.takesComplete()) this.complete(message);
  }

  /** A row that is not passed on. */
  protected takeRow(_row: DataRow): void {}

  /** The statement, or its portion, has ended. */
  protected complete(_message: { text: string }): void {
    this.handRowsTo(undefined);
    this.leaveOutLarger(Infinity);
  }

  override handleError(error: unknown): void {
    this.handRowsTo(undefined);
    this.leaveOutLarger(Infinity);
    this.envelope.fail(error);
    super.handleError(error);
  }
}

export interface ByteStatement extends EnvelopeOptions {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Prepared under this name; the same name always means the same text. */
  readonly name?: string | undefined;
  /** PostgreSQL's name for the running statement, if its rows are taken in portions. */
  readonly portal?: string;
  /** For each column, whether it comes in PostgreSQL's binary format. Default: all are text. */
  readonly isBinary?: readonly boolean[] | undefined;
  /** Rows of this portion. Default all. */
  readonly rows?: number;
  /** Whether this is a later portion of a statement that is running already. */
  readonly goesOn?: boolean;
}

/** A statement, or a portion of one, whose rows go to `onRow` one by one as they arrive. Rejects with errors of `onRow`. */
export class ByteQuery extends RowsQuery<void> {
  /** The values that Bind sends. */
  readonly values: unknown[];
  readonly portal: string;
  readonly #statement: ByteStatement;
  readonly #onRow: OnRow;
  #thrown: { readonly error: unknown } | undefined;

  constructor(statement: ByteStatement, onRow: OnRow) {
    super(statement, { envelope: new Envelope(statement) });
    this.values = [...statement.values];
    this.portal = statement.portal ?? "";
    this.#statement = statement;
    this.#onRow = onRow;
  }

  protected begin(connection: Connection): void {
    if (!this.#statement.goesOn) {
      this.envelope.begin(connection);
      const { isBinary } = this.#statement;
      return this.prepare(isBinary ? bindingFormats(connection, isBinary) : connection);
    }
    connection.describe({ type: "P", name: this.portal });
    this._getRows(connection);
  }

  /** Called by node-postgres after it has bound and described. In a transaction the portal outlives the Sync. */
  _getRows(connection: Connection): void {
    connection.execute({ portal: this.portal, rows: this.#statement.rows });
    this.envelope.end(connection);
  }

  override handleRowDescription(): void {
    this.handRowsTo((row) => this.#take(row));
  }

  override handleReadyForQuery(): void {
    if (this.#thrown) this.handleError(this.#thrown.error);
    else super.handleReadyForQuery();
  }

  protected result(): void {}

  #take(row: ByteRow): void {
    if (this.#thrown) return;
    try {
      this.#onRow(row);
    } catch (error) {
      this.#thrown = { error };
    }
  }
}
