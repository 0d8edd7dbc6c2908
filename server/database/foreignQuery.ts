/** One statement that someone wrote, over the extended protocol, which takes exactly one: described, or run in portions. */
import pg from "pg";
import type { Beginning } from "./begin.ts";
import { GatewayError } from "../errors.ts";

/** A column of a result (PostgreSQL protocol, RowDescription). */
export interface Field {
  readonly name: string;
  /** The table and column that it was taken from as it is; 0 for an expression. */
  readonly tableID: number;
  readonly columnID: number;
  /** The type; for a domain its base. */
  readonly dataTypeID: number;
  readonly dataTypeModifier: number;
}

export interface ForeignStatement {
  readonly text: string;
  /** Prepared under this name on the connection; the same name always means the same text and parameter types. */
  readonly name?: string | undefined;
  /** Types of the parameters; 0, or none, where PostgreSQL is to infer it. */
  readonly types?: readonly number[] | undefined;
}

/** One that is kept prepared. */
export type NamedStatement = ForeignStatement & { readonly name: string };

/** What is known of a prepared statement on one connection. */
export interface PreparedOn {
  /** Its columns, which PostgreSQL keeps as they were first ("cached plan must not change result type"). */
  fields?: readonly Field[];
}

export interface Description {
  /** Types of the parameters, as given or inferred. */
  readonly parameters: readonly number[];
  /** Empty for a statement that returns no rows. */
  readonly fields: readonly Field[];
}

/** PostgreSQL's text of each column, or null. */
export type TextRow = readonly (string | null)[];

export interface ForeignRun extends ForeignStatement {
  /** PostgreSQL's text of each parameter, or null. */
  readonly values: readonly (string | null)[];
  /** Most rows in one portion; default all at once. The first has less, and wide rows come in smaller ones. */
  readonly portion?: number | undefined;
  /** Longest time for each portion. Default the transaction's. */
  readonly timeoutMs?: number | undefined;
  /**
   * The statement that gives the same rows each as one text, for the columns that this one has on the connection. It is
   * taken in place of this one where this one is prepared, whose columns PostgreSQL then makes sure of.
   */
  json?(fields: readonly Field[]): NamedStatement | undefined;
  /** Takes the rows of a portion; the next one is asked for when it has resolved. `isJson`: they are those of `json`. */
  onRows(rows: readonly TextRow[], fields: readonly Field[], isJson: boolean): void | Promise<void>;
}

export interface ForeignOutcome {
  readonly fields: readonly Field[];
  /** The word of PostgreSQL for what was done, e.g. `SELECT`, `INSERT`. */
  readonly command: string;
  /** Rows written; for a SELECT those of the last portion. */
  readonly rowCount: number;
}

/** What came in one round trip. */
export interface Portion extends ForeignOutcome {
  readonly rows: readonly TextRow[];
  /** Whether there may be more: the portal is open. */
  readonly suspended: boolean;
  /** What the rows took on the wire. */
  readonly bytes: number;
}

const FIRST_PORTION_ROWS = 100;
const GOOD_PORTION_BYTES = 2_000_000;
/** More of one portion is not kept. */
const MAX_PORTION_BYTES = 256_000_000;

/** How many rows the portion after `last` has; without one it is the first, of which the width is not known. */
function rowsOfPortion(most: number | undefined, last?: Portion): number | undefined {
  if (most === undefined) return undefined;
  if (!last) return Math.min(most, FIRST_PORTION_ROWS);
  const fitting = Math.floor((GOOD_PORTION_BYTES * last.rows.length) / Math.max(1, last.bytes));
  return Math.max(1, Math.min(most, fitting));
}

/** The messages that node-postgres's connection sends. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  /** Name → text, of what this connection has prepared. */
  readonly parsedStatements: Record<string, string>;
  parse(message: { name?: string | undefined; text: string; types?: readonly number[] | undefined }): void;
  bind(message: { portal: string; statement?: string | undefined; values: readonly (string | null)[] }): void;
  describe(message: { type: "S" | "P"; name: string }): void;
  execute(message: { portal: string; rows?: number | undefined }): void;
  sync(): void;
  once(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void;
  off(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void;
}

interface RowDescription {
  readonly fields: readonly Field[];
}

/**
 * What node-postgres calls while it is the statement in work. A subclass of its Query, which is the only kind that it
 * takes on a pipelined connection: each is sent with its Sync, so that nothing of it is left for those behind.
 */
abstract class ExtendedQuery<T> extends (pg.Query as unknown as new (config: { text: string }) => object) {
  readonly text: string;
  readonly name: string | undefined;
  readonly ended: Promise<T>;
  protected readonly types: readonly number[] | undefined;
  protected failed = false;
  readonly #parsed: boolean;
  #settle: { resolve(value: T): void; reject(error: unknown): void };

  /** `parsed`: it is known to PostgreSQL already. */
  constructor({ text, name, types }: ForeignStatement, parsed = false) {
    super({ text });
    this.#parsed = parsed;
    this.text = text;
    this.name = name;
    this.types = types;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.ended = promise;
    this.#settle = { resolve, reject };
  }

  /** Sends the first messages. Gives null: nothing can be wrong that PostgreSQL does not say. */
  submit(connection: Connection): null {
    connection.stream.cork();
    this.begin(connection);
    connection.stream.uncork();
    return null;
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
  handleDataRow(_message: { fields: TextRow; length: number }): void {}
  handleEmptyQuery(): void {}
  handleCommandComplete(_message: { text: string }): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}

  protected abstract begin(connection: Connection): void;
  protected abstract result(): T;
}

/** Begins a transaction, and gives what was probed with it. */
export class BeginQuery extends ExtendedQuery<string | undefined> {
  readonly #beginning: Beginning;
  /** Commands that are not complete yet. */
  #left = 2;
  #probe: string | undefined;

  /** `prepares`: whether the settings are kept prepared. */
  constructor(beginning: Beginning, prepares: boolean) {
    const { name, text } = beginning.settings;
    super({ text, ...(prepares && { name }) });
    this.#beginning = beginning;
  }

  protected begin(connection: Connection): void {
    this.write(connection);
    connection.sync();
  }

  /** All but the Sync. */
  write(connection: Connection): void {
    const { begin, settings } = this.#beginning;
    connection.parse({ text: begin });
    connection.bind({ portal: "", values: [] });
    connection.execute({ portal: "" });
    this.parse(connection);
    connection.bind({ portal: "", statement: this.name, values: settings.values });
    connection.execute({ portal: "" });
  }

  /** Whether the transaction has begun. */
  get isDone(): boolean {
    return this.#left === 0;
  }

  override handleDataRow({ fields }: { fields: TextRow }): void {
    this.#probe = fields.at(-1) ?? undefined;
  }

  override handleCommandComplete(): void {
    this.#left--;
  }

  protected result(): string | undefined {
    return this.#probe;
  }
}

/** Parses and describes, runs nothing. */
export class DescribeQuery extends ExtendedQuery<Description> {
  #parameters: readonly number[] = [];
  #fields: readonly Field[] = [];
  #connection: Connection | undefined;
  readonly #onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => void (this.#parameters = dataTypeIDs);

  protected begin(connection: Connection): void {
    this.#connection = connection;
    this.parse(connection);
    connection.once("parameterDescription", this.#onParameters);
    connection.describe({ type: "S", name: this.name ?? "" });
    connection.sync();
  }

  override handleRowDescription({ fields }: RowDescription): void {
    this.#fields = fields;
  }

  override handleError(error: unknown): void {
    this.#connection?.off("parameterDescription", this.#onParameters);
    super.handleError(error);
  }

  protected result(): Description {
    return { parameters: this.#parameters, fields: this.#fields };
  }
}

export interface PortionOptions {
  /** The portion before it: the portal is open. */
  readonly after?: Portion | undefined;
  /** Of the prepared statement, whose columns PostgreSQL need not tell again. */
  readonly memory?: PreparedOn | undefined;
  /** What goes out before it in the same message; both must be prepared already. */
  readonly beginning?: BeginQuery | undefined;
  /** A prepared statement whose columns must still be these ("cached plan must not change result type"). */
  readonly sameAs?: { readonly name: string; readonly fields: readonly Field[] } | undefined;
}

/** Binds to a portal and takes the first rows, or goes on with a portal that is open. Each is one round trip. */
export class PortionQuery extends ExtendedQuery<Portion> {
  readonly #run: ForeignRun;
  readonly #portal: string;
  readonly #mostRows: number | undefined;
  readonly #goesOn: boolean;
  readonly #memory: PreparedOn | undefined;
  readonly #sameAs: PortionOptions["sameAs"];
  readonly #beginning: BeginQuery | undefined;
  #rows: TextRow[] = [];
  #bytes = 0;
  #fields: readonly Field[] = [];
  #suspended = false;
  #command = "";
  #rowCount = 0;

  constructor(run: ForeignRun, portal: string, { after, ...options }: PortionOptions = {}) {
    super(run, after !== undefined);
    this.#run = run;
    this.#portal = portal;
    this.#goesOn = after !== undefined;
    this.#mostRows = rowsOfPortion(run.portion, after);
    this.#sameAs = options.sameAs;
    this.#memory = options.memory;
    this.#beginning = options.beginning;
  }

  protected begin(connection: Connection): void {
    const { name, values } = this.#run;
    this.#beginning?.write(connection);
    this.parse(connection);
    if (!this.#goesOn) {
      if (this.#sameAs) connection.describe({ type: "S", name: this.#sameAs.name });
      connection.bind({ portal: this.#portal, statement: name, values });
      if (this.#sameAs) this.#fields = this.#sameAs.fields;
      else if (this.#memory?.fields) this.#fields = this.#memory.fields;
      else connection.describe({ type: "P", name: this.#portal });
    }
    connection.execute({ portal: this.#portal, rows: this.#mostRows });
    connection.sync(); // in a transaction the portal outlives it
  }

  override handleRowDescription({ fields }: RowDescription): void {
    if (!this.#sameAs) this.#fields = fields;
  }

  override handleError(error: unknown): void {
    if (this.#beginning?.isDone === false) this.#beginning.handleError(error);
    super.handleError(error);
  }

  override handleReadyForQuery(): void {
    if (this.#memory && !this.failed) this.#memory.fields = this.#fields;
    if (this.#bytes > MAX_PORTION_BYTES)
      return this.handleError(
        new GatewayError("LIMIT_EXCEEDED", "The rows are too large: ask for fewer or smaller ones", {
          sqlstate: "54000",
        }),
      );
    super.handleReadyForQuery();
  }

  override handleDataRow(message: { fields: TextRow; length: number }): void {
    if (this.#beginning?.isDone === false) return this.#beginning.handleDataRow(message);
    this.#bytes += message.length;
    if (this.#bytes <= MAX_PORTION_BYTES) this.#rows.push(message.fields);
    else this.#rows = [];
  }

  override handlePortalSuspended(): void {
    this.#suspended = true;
  }

  override handleCommandComplete({ text }: { text: string }): void {
    const beginning = this.#beginning;
    if (beginning?.isDone === false) {
      beginning.handleCommandComplete();
      if (beginning.isDone) beginning.handleReadyForQuery();
      return;
    }
    const [, command = "", count = "0"] = /^([A-Z ]+?)(?: \d+)??(?: (\d+))?$/.exec(text) ?? [];
    this.#command = command;
    this.#rowCount = Number(count);
  }

  protected result(): Portion {
    return {
      rows: this.#rows,
      fields: this.#fields,
      suspended: this.#suspended,
      bytes: this.#bytes,
      command: this.#command,
      rowCount: this.#rowCount,
    };
  }
}
