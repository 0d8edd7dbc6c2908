/** One statement that someone wrote, over the extended protocol, which takes exactly one: described, or run in portions. */
import type { Envelope } from "./envelope.ts";
import { RowsQuery, type ByteRow } from "./byteRows.ts";
import {
  ExtendedQuery,
  type Connection,
  type DataRow,
  type ExtendedStatement,
  type Field,
  type RowDescription,
  type TextRow,
} from "./extendedQuery.ts";
import { GatewayError } from "../../errors.ts";

/** One that is kept prepared. */
export type NamedStatement = ExtendedStatement & { readonly name: string };

/** What is known of a prepared statement on one connection. */
export interface PreparedOn {
  /** Its columns, which PostgreSQL keeps as they were first ("cached plan must not change result type"). */
  fields?: readonly Field[];
  /** Whether all its rows have come in the first portion, each time that it was run. */
  isShort?: boolean;
}

export interface Description {
  /** Types of the parameters, as given or inferred. */
  readonly parameters: readonly number[];
  /** Empty for a statement that returns no rows. */
  readonly fields: readonly Field[];
}

/** Rows as JSON objects that PostgreSQL makes. */
export interface JsonRows {
  /** The statement that gives the same rows each as one text, for the columns that the plain one has on the connection. */
  statementFor(fields: readonly Field[]): NamedStatement | undefined;
  /** What stands between two rows. */
  readonly separator: string;
  /** Takes the rows of a portion, which are some; the one after the next is asked for when it has resolved. */
  onRows(text: string, rows: number, fields: readonly Field[]): void | Promise<void>;
}

export interface UserSqlRun extends ExtendedStatement {
  /** PostgreSQL's text of each parameter, or null. */
  readonly values: readonly (string | null)[];
  /** Most rows in one portion; default all at once. The first has less, and wide rows come in smaller ones. */
  readonly portion?: number | undefined;
  /** Longest time for all its portions together. Default the transaction's, for each portion. */
  readonly timeoutMs?: number | undefined;
  /**
   * It may be sent though the statements in front of it, which were sent so too, are not answered yet: where one of them
   * fails, it does. Not for one with a `timeoutMs` of its own. Default: what is in front of it has ended.
   */
  readonly early?: boolean;
  /** No other statement is expected: where it may, the end of the transaction goes out with it. */
  readonly last?: boolean;
  /** Rows are taken so where the statement is prepared, whose columns PostgreSQL then makes sure of. */
  readonly json?: JsonRows | undefined;
  /** Takes the rows of a portion; the one after the next is asked for when it has resolved. */
  onRows(rows: readonly TextRow[], fields: readonly Field[]): void | Promise<void>;
}

export interface UserSqlOutcome {
  readonly fields: readonly Field[];
  /** The word of PostgreSQL for what was done, e.g. `SELECT`, `INSERT`. */
  readonly command: string;
  /** Rows written; for a SELECT those of the last portion. */
  readonly rowCount: number;
}

/** What came in one round trip. */
export interface Portion extends UserSqlOutcome {
  readonly rows: readonly TextRow[];
  /** The rows as one text, for a statement that gives JSON. */
  readonly json: string;
  /** How many rows came. */
  readonly count: number;
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
  const fitting = Math.floor((GOOD_PORTION_BYTES * last.count) / Math.max(1, last.bytes));
  return Math.max(1, Math.min(most, fitting));
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
  /** What is kept of the prepared statement: PostgreSQL need not tell its columns again. */
  readonly memory?: PreparedOn | undefined;
  /** What travels with it in the same message. */
  readonly envelope?: Envelope | undefined;
  /** It gives JSON in place of a prepared statement, whose columns must still be these. */
  readonly json?: JsonPortion | undefined;
}

export interface JsonPortion {
  readonly separator: string;
  readonly inPlaceOf: { readonly name: string; readonly fields: readonly Field[] };
}

/** Binds to a portal and takes the first rows, or goes on with a portal that is open. Each is one round trip. */
export class PortionQuery extends RowsQuery<Portion> {
  readonly #run: UserSqlRun;
  readonly #portal: string;
  readonly #mostRows: number | undefined;
  readonly #goesOn: boolean;
  readonly #memory: PreparedOn | undefined;
  readonly #json: JsonPortion | undefined;
  #rows: TextRow[] = [];
  #text = "";
  #count = 0;
  #bytes = 0;
  #fields: readonly Field[];
  #suspended = false;
  #command = "";
  #rowCount = 0;

  constructor(run: UserSqlRun, portal: string, { after, memory, envelope, json }: PortionOptions = {}) {
    super(run, { parsed: after !== undefined, envelope });
    this.#run = run;
    this.#portal = portal;
    this.#goesOn = after !== undefined;
    this.#mostRows = rowsOfPortion(run.portion, after);
    this.#json = json;
    this.#memory = memory;
    this.#fields = json?.inPlaceOf.fields ?? memory?.fields ?? [];
  }

  protected begin(connection: Connection): void {
    const { name, values } = this.#run;
    this.envelope.begin(connection);
    this.parse(connection);
    if (this.#goesOn) {
      if (this.#json) connection.describe({ type: "P", name: this.#portal });
    } else {
      // "cached plan must not change result type": PostgreSQL refuses to describe what is not what it was
      if (this.#json) connection.describe({ type: "S", name: this.#json.inPlaceOf.name });
      connection.bind({ portal: this.#portal, statement: name, values });
      if (!this.#json && !this.#memory?.fields) connection.describe({ type: "P", name: this.#portal });
    }
    connection.execute({ portal: this.#portal, rows: this.#mostRows });
    this.envelope.end(connection); // in a transaction the portal outlives its Sync
  }

  override handleRowDescription({ fields }: RowDescription): void {
    const { separator } = this.#json ?? {};
    if (separator === undefined) this.#fields = fields;
    else this.handRowsTo((row) => this.#takeJson(row, separator));
  }

  override handleReadyForQuery(): void {
    if (this.#memory && !this.failed) {
      if (!this.#json) this.#memory.fields = this.#fields;
      if (!this.#goesOn) this.#memory.isShort = !this.#suspended && this.#memory.isShort !== false;
    }
    if (this.#bytes > MAX_PORTION_BYTES)
      return this.handleError(
        new GatewayError("LIMIT_EXCEEDED", "The rows are too large: ask for fewer or smaller ones", {
          sqlstate: "54000",
        }),
      );
    super.handleReadyForQuery();
  }

  protected override takeRow({ fields, length }: DataRow): void {
    if (this.#hasRoom(length)) this.#rows.push(fields);
  }

  #takeJson(row: ByteRow, separator: string): void {
    if (!this.#hasRoom(row.lengthOf(0))) return;
    const text = row.text(0) ?? "null";
    this.#text = this.#count === 1 ? text : this.#text + separator + text;
  }

  #hasRoom(bytes: number): boolean {
    this.#count++;
    this.#bytes += bytes;
    if (this.#bytes <= MAX_PORTION_BYTES) return true;
    this.#rows = [];
    this.#text = "";
    return false;
  }

  override handlePortalSuspended(): void {
    super.handlePortalSuspended();
    this.#suspended = true;
  }

  protected override complete(message: { text: string }): void {
    super.complete(message);
    const [, command = "", count = "0"] = /^([A-Z ]+?)(?: \d+)??(?: (\d+))?$/.exec(message.text) ?? [];
    this.#command = command;
    this.#rowCount = Number(count);
  }

  protected result(): Portion {
    return {
      rows: this.#rows,
      json: this.#text,
      count: this.#count,
      fields: this.#fields,
      suspended: this.#suspended,
      bytes: this.#bytes,
      command: this.#command,
      rowCount: this.#rowCount,
    };
  }
}
