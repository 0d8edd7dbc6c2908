/** A query of node-postgres that writes the messages of the extended protocol itself. */
import type { Duplex } from "node:stream";
import pg from "pg";

/** A column of a result (PostgreSQL protocol, RowDescription). */
export interface Field {
  readonly name: string;
  /** The table and column from which it was taken unchanged; 0 for an expression. */
  readonly tableID: number;
  readonly columnID: number;
  /** The type; for a domain its base. */
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export interface RowDescription {
  readonly fields: readonly Field[];
}

/** PostgreSQL's text of each column, or null. */
export type TextRow = readonly (string | null)[];

export interface DataRow {
  readonly fields: TextRow;
  /** In bytes, on the wire. */
  readonly length: number;
}

export interface ExtendedStatement {
  readonly text: string;
  /** Prepared under this name on the connection; the same name always means the same text and parameter types. */
  readonly name?: string | undefined;
  /** Types of the parameters; 0, or none, if PostgreSQL is to infer the type. */
  readonly types?: readonly number[] | undefined;
}

/** The messages that node-postgres's connection sends. */
export interface Connection {
  readonly stream: Duplex;
  /** The prepared statements of this connection: name → text. */
  readonly parsedStatements: Record<string, string>;
  /** Sends a query by the simple protocol. */
  query(text: string): void;
  parse(message: { name?: string | undefined; text: string; types?: readonly number[] | undefined }): void;
  bind(message: { portal: string; statement?: string | undefined; values: readonly (string | null)[] }): void;
  describe(message: { type: "S" | "P"; name: string }): void;
  execute(message: { portal: string; rows?: number | undefined }): void;
  sync(): void;
  emit(name: string, message: object): void;
  once(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void;
  off(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void;
}

/** A Query of node-postgres with its methods only, since the objects that its constructor makes for rows are not needed. */
const QueryMethods = Object.assign(function () {}, { prototype: pg.Query.prototype }) as unknown as new () => {
  /** Sends `text` with `values` up to its description, then calls `_getRows`. */
  prepare(connection: Connection): void;
};

/**
 * A query that node-postgres runs as its own: a subclass of its Query, the only kind that it accepts on a pipelined
 * connection. Each is sent with its Sync, so that the queries after it find none of its messages.
 */
export abstract class ExtendedQuery<T> extends QueryMethods {
  readonly text: string;
  readonly name: string | undefined;
  /** Rejects with PostgreSQL's error, or the connection's. */
  readonly ended: Promise<T>;
  protected readonly types: readonly number[] | undefined;
  protected failed = false;
  readonly #parsed: boolean;
  readonly #settle: { resolve(value: T): void; reject(error: unknown): void };

  /** `parsed`: it is known to PostgreSQL already. */
  constructor({ text, name, types }: ExtendedStatement, parsed = false) {
    super();
    this.#parsed = parsed;
    this.text = text;
    this.name = name;
    this.types = types;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.ended = promise;
    this.#settle = { resolve, reject };
  }

  /** Sends the first messages. Returns an error if one was thrown; the connection may have half of the messages, and is closed. */
  submit(connection: Connection): unknown {
    const { isOneMessage } = this;
    if (!isOneMessage) connection.stream.cork();
    try {
      this.begin(connection);
      return null;
    } catch (error) {
      connection.stream.destroy();
      return error;
    } finally {
      if (!isOneMessage) connection.stream.uncork();
    }
  }

  /** Whether it is written at once. */
  protected get isOneMessage(): boolean {
    return false;
  }

  /** Sends the statement's text, unless PostgreSQL knows it. */
  protected parse(connection: Connection): void {
    const known = this.name !== undefined && connection.parsedStatements[this.name] !== undefined;
    if (!this.#parsed && !known) connection.parse({ name: this.name, text: this.text, types: this.types });
  }

  handleError(error: unknown): void {
    this.failed = true;
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.result());
  }

  handleRowDescription(_message: RowDescription): void {}
  handleDataRow(_message: DataRow): void {}
  handleEmptyQuery(): void {}
  handleCommandComplete(_message: { text: string }): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}

  protected abstract begin(connection: Connection): void;
  protected abstract result(): T;
}

/** PostgreSQL's answers to several statements: the command tag of each, e.g. `COMMIT`, and the last row of all. */
export interface Commands {
  readonly words: readonly string[];
  readonly row: TextRow;
}

/** Statements that are sent together, by the simple protocol. */
export class CommandQuery extends ExtendedQuery<Commands> {
  readonly #words: string[] = [];
  #row: TextRow = [];

  protected begin(connection: Connection): void {
    connection.query(this.text);
  }

  override handleCommandComplete({ text }: { text: string }): void {
    this.#words.push(text);
  }

  override handleDataRow({ fields }: DataRow): void {
    this.#row = fields;
  }

  protected result(): Commands {
    return { words: this.#words, row: this.#row };
  }
}
