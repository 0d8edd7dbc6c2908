/** Rows as the bytes that PostgreSQL sent: what is only passed on need not become strings, and leaves no garbage. */
import type { Duplex } from "node:stream";
import pg from "pg";
import { Parser } from "pg-protocol/dist/parser.js";
import { isBorrowed } from "./byteSocket.ts";

/** PostgreSQL protocol, "Message Formats". */
const DATA_ROW = "D".charCodeAt(0);
const NULL_LENGTH = -1;

/** A row in PostgreSQL's text format. It is another one as soon as the function that was given it has returned. */
export class ByteRow {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  /** `offset`: where the fields' number stands in the message DataRow. */
  read(bytes: Buffer, offset: number): void {
    this.#bytes = bytes;
    const count = bytes.readInt16BE(offset);
    let at = offset + 2;
    for (let index = 0; index < count; index++) {
      const length = bytes.readInt32BE(at);
      this.#starts[index] = at += 4;
      this.#lengths[index] = length;
      if (length !== NULL_LENGTH) at += length;
    }
    this.#starts.length = this.#lengths.length = count;
  }

  /** How many columns it has. */
  get size(): number {
    return this.#starts.length;
  }

  isNull(index: number): boolean {
    return this.#lengths[index] === NULL_LENGTH;
  }

  /** In bytes; 0 for NULL. */
  lengthOf(index: number): number {
    return Math.max(0, this.#lengths[index]!);
  }

  text(index: number): string | null {
    if (this.isNull(index)) return null;
    const start = this.#starts[index]!;
    return this.#bytes.toString("utf8", start, start + this.#lengths[index]!);
  }

  /** Writes a column's bytes, nothing for NULL. Gives the place behind them. */
  copy(index: number, target: Buffer, at: number): number {
    const start = this.#starts[index]!;
    return at + this.#bytes.copy(target, at, start, start + this.lengthOf(index));
  }
}

type OnRow = (row: ByteRow) => void;
const HANDED_OUT = { name: "byteRow" };

/** What reads the messages of a connection. */
interface MessageParser {
  /** What has come of a message that is not complete: so many bytes of `buffer` from `bufferOffset` on. */
  buffer: Buffer;
  bufferOffset: number;
  bufferLength: number;
  parse(chunk: Buffer, onMessage: (message: { readonly name: string }) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): { readonly name: string };
}

/** Hands rows to `onRow` where there is one; makes strings of them otherwise, as node-postgres does. */
class ByteRowParser extends (Parser as unknown as new () => MessageParser) {
  onRow: OnRow | undefined;
  readonly #row = new ByteRow();

  override parse(chunk: Buffer, onMessage: (message: { readonly name: string }) => void): void {
    super.parse(chunk, onMessage);
    if (this.bufferLength === 0 || this.buffer !== chunk || !isBorrowed(chunk)) return;
    this.buffer = Buffer.from(chunk.subarray(this.bufferOffset, this.bufferOffset + this.bufferLength));
    this.bufferOffset = 0;
  }

  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): { readonly name: string } {
    if (code !== DATA_ROW || !this.onRow) return super.handlePacket(offset, code, length, bytes);
    this.#row.read(bytes, offset);
    this.onRow(this.#row);
    return HANDED_OUT;
  }
}

/** The messages that node-postgres's connection sends. */
interface Connection {
  readonly stream: Duplex;
  emit(name: string, message: object): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: { portal: string; rows: number | undefined }): void;
  sync(): void;
}

const parsers = new WeakMap<object, ByteRowParser>();
const connectionOf = (client: pg.PoolClient): Connection =>
  (client as unknown as { connection: Connection }).connection;

/** To be called when a client has connected: from then on it can run a `ByteQuery`. */
export function readByteRows(client: pg.PoolClient): void {
  const connection = connectionOf(client);
  const parser = new ByteRowParser();
  parsers.set(connection, parser);
  connection.stream.removeAllListeners("data").on("data", (chunk: Buffer) =>
    parser.parse(chunk, (message) => {
      if (message !== HANDED_OUT) connection.emit(message.name === "error" ? "errorMessage" : message.name, message);
    }),
  );
}

export interface ByteStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** PostgreSQL's name for the statement in work, where its rows are taken a portion at a time. */
  readonly portal?: string;
  /** Rows of this portion. Default all. */
  readonly rows?: number;
  /** It is in work already: this is another portion. */
  readonly goesOn?: boolean;
}

/** What node-postgres makes of a statement for the extended protocol. */
interface ExtendedQuery {
  submit(connection: Connection): Error | null;
}

/** A statement, or a portion of one, whose rows go to `onRow` one by one while they come. */
export class ByteQuery extends (pg.Query as unknown as new (config: object) => ExtendedQuery) {
  /** Resolves when all rows were handed out. Rejects with PostgreSQL's error, or with what `onRow` throws. */
  readonly ended: Promise<void>;
  readonly #statement: ByteStatement;
  readonly #onRow: OnRow;
  readonly #parser: ByteRowParser;
  readonly #settle: { resolve(): void; reject(error: unknown): void };
  #thrown: { readonly error: unknown } | undefined;

  constructor(client: pg.PoolClient, statement: ByteStatement, onRow: OnRow) {
    const { text, values, portal } = statement;
    super({ text, values: [...values], portal, queryMode: "extended" });
    this.#statement = statement;
    this.#parser = parsers.get(connectionOf(client))!;
    this.#onRow = onRow;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#settle = { resolve, reject };
  }

  override submit(connection: Connection): Error | null {
    if (!this.#statement.goesOn) return super.submit(connection);
    connection.stream.cork();
    connection.describe({ type: "P", name: this.#statement.portal ?? "" });
    this._getRows(connection);
    connection.stream.uncork();
    return null;
  }

  /** What node-postgres calls after it has bound and described. In a transaction the portal outlives the Sync. */
  _getRows(connection: Connection): void {
    const { portal = "", rows } = this.#statement;
    connection.execute({ portal, rows });
    connection.sync();
  }

  handleRowDescription(): void {
    this.#parser.onRow = (row) => this.#take(row);
  }

  handlePortalSuspended(): void {
    this.#parser.onRow = undefined;
  }

  handleCommandComplete(): void {
    this.#parser.onRow = undefined;
  }

  handleError(error: unknown): void {
    this.#parser.onRow = undefined;
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#thrown) this.#settle.reject(this.#thrown.error);
    else this.#settle.resolve();
  }

  #take(row: ByteRow): void {
    if (this.#thrown) return;
    try {
      this.#onRow(row);
    } catch (error) {
      this.#thrown = { error };
    }
  }
}
