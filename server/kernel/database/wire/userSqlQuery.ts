/** A caller's statement, described or run in portions. The extended protocol accepts exactly one statement. */
import type { Envelope } from "./envelope.ts";
import { RowsQuery } from "./byteRows.ts";
import {
  ExtendedQuery,
  type Connection,
  type DataRow,
  type ExtendedStatement,
  type Field,
  type RowDescription,
  type TextRow,
} from "./extendedQuery.ts";
import { MAX_PORTION_BYTES, ReceivedRows, type WriteRow, type Written } from "./receivedRows.ts";
import { GatewayError } from "../../../ground/errors.ts";

/** One that is kept prepared. */
export type NamedStatement = ExtendedStatement & { readonly name: string };

/** The known properties of a prepared statement on one connection. */
export interface PreparedOn {
  /** Its columns, which PostgreSQL keeps as they were first ("cached plan must not change result type"). */
  fields?: readonly Field[];
  /** How many times in a row all rows came in the first portion. A longer result sets it below 0. */
  shortTimes?: number;
}

/** After a longer result, a statement counts as short again when it was short this many times. */
const SHORT_AGAIN = 10;

/** Whether all rows of the statement are expected in the first portion. */
export function isShort({ shortTimes = 0 }: PreparedOn): boolean {
  return shortTimes > 0;
}

/** Notes whether all rows have come in the first portion. */
export function noteLength(memory: PreparedOn, wasShort: boolean): void {
  memory.shortTimes = wasShort ? (memory.shortTimes ?? 0) + 1 : -SHORT_AGAIN;
}

export interface Description {
  /** Types of the parameters, as given or inferred. */
  readonly parameters: readonly number[];
  /** Empty for a statement that returns no rows. */
  readonly fields: readonly Field[];
}

/** Takes the written bytes of a portion that has rows. `true`: nothing will read the bytes any more. */
type OnWritten = (bytes: Buffer, rows: number, fields: readonly Field[]) => Promise<boolean | void>;

/** Rows that are written as bytes while they arrive, so that they need not become strings. */
export interface WrittenRows {
  /** Writes a row that has such columns; undefined where rows are taken as text. */
  writerFor(fields: readonly Field[]): WriteRow | undefined;
  /** The portion after the next one is requested when this has resolved. */
  readonly onRows: OnWritten;
}

/** Rows as JSON objects that PostgreSQL makes. */
export interface JsonRows {
  /** The statement that returns each row as one text, for the columns that the plain statement has on the connection. */
  statementFor(fields: readonly Field[]): NamedStatement | undefined;
  /** The character behind each row. */
  readonly after: string;
  /** Whether it may have many rows. It is then described first if the connection does not know its columns. */
  readonly many?: boolean | undefined;
  /** As in `WrittenRows`. */
  readonly onRows: OnWritten;
}

export interface UserSqlRun extends ExtendedStatement {
  /** PostgreSQL's text of each parameter, or null. */
  readonly values: readonly (string | null)[];
  /** Most rows in one portion; default all at once. The first has less, and wide rows come in smaller ones. */
  readonly portion?: number | undefined;
  /** Most bytes of a portion; a larger one is `LIMIT_EXCEEDED`. Default 256 MB. */
  readonly portionBytes?: number | undefined;
  /** Longest time for all its portions together. Default the transaction's, for each portion. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether it may be sent before the statements in front of it are answered. It fails if one of them fails. Not for a
   * statement with its own `timeoutMs`. Default false.
   */
  readonly early?: boolean;
  /** No other statement is expected, so the end of the transaction is sent with it if possible. */
  readonly last?: boolean;
  /** Rows are taken in this form if the statement is prepared, since PostgreSQL then guarantees its columns. */
  readonly json?: JsonRows | undefined;
  /** Rows are taken in this form, unless they come as JSON. */
  readonly written?: WrittenRows | undefined;
  /** Takes the rows of a portion. The portion after the next one is requested when this has resolved. */
  onRows(rows: readonly TextRow[], fields: readonly Field[]): void | Promise<void>;
}

export interface UserSqlOutcome {
  readonly fields: readonly Field[];
  /** PostgreSQL's command tag, e.g. `SELECT`, `INSERT`. */
  readonly command: string;
  /** Rows written; for a SELECT those of the last portion. */
  readonly rowCount: number;
}

/** The answer to one round trip. */
export interface Portion extends UserSqlOutcome {
  readonly rows: readonly TextRow[];
  /** The written bytes of the rows, in pieces of some rows; undefined if the rows are text. */
  readonly written: readonly Written[] | undefined;
  /** How many rows came. */
  readonly count: number;
  /** Whether there may be more: the portal is open. */
  readonly suspended: boolean;
  /** The size of the rows on the wire, in bytes. */
  readonly bytes: number;
}

const FIRST_PORTION_ROWS = 100;
/** The largest portion of rows that become strings. */
const MOST_TEXT_ROWS = 2000;
const GOOD_PORTION_BYTES = 2_000_000;
/** The target size of a written portion. It leaves room for wider rows in the reused buffers. */
const GOOD_WRITTEN_BYTES = 500_000;
/** The number of rows of the portion after `last`. Without `last` it is the first, whose width is unknown. */
function rowsOfPortion(most: number | undefined, last?: Portion): number | undefined {
  if (most === undefined) return undefined;
  if (!last) return Math.min(most, FIRST_PORTION_ROWS);
  const { written, bytes, count } = last;
  const fitting = written
    ? GOOD_WRITTEN_BYTES / Math.max(1, lengthOf(written))
    : GOOD_PORTION_BYTES / Math.max(1, bytes);
  return Math.max(1, Math.min(most, written ? Infinity : MOST_TEXT_ROWS, Math.floor(fitting * count)));
}

/** The estimated size of this number of rows, if they are like those of `last`. */
function expectedBytes(rows: number | undefined, last: Portion | undefined): number {
  if (!last?.written || rows === undefined) return 0;
  return Math.ceil((1.1 * rows * lengthOf(last.written)) / Math.max(1, last.count));
}

function lengthOf(written: readonly Written[]): number {
  return written.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Writes the text that PostgreSQL made of a row. */
function writeJson(after: string): WriteRow {
  const byte = after.charCodeAt(0);
  return (row, out) => {
    if (row.isNull(0)) out.put("null");
    else out.copy(row, 0);
    out.putByte(byte);
  };
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
  /** The kept properties of the prepared statement, so that PostgreSQL need not describe its columns again. */
  readonly memory?: PreparedOn | undefined;
  /** The rest of the same message. */
  readonly envelope?: Envelope | undefined;
  /** The JSON portion that takes the place of a prepared statement, whose columns must still be these. */
  readonly json?: JsonPortion | undefined;
}

export interface JsonPortion {
  readonly after: string;
  readonly inPlaceOf: { readonly name: string; readonly fields: readonly Field[] };
}

/** Binds a portal and takes its first rows, or takes more rows of an open portal. Each is one round trip. */
export class PortionQuery extends RowsQuery<Portion> {
  readonly #run: UserSqlRun;
  readonly #portal: string;
  readonly #mostRows: number | undefined;
  readonly #memory: PreparedOn | undefined;
  readonly #json: JsonPortion | undefined;
  /** The portion before, by whose size the next one is estimated. */
  readonly #after: Portion | undefined;
  readonly #received: ReceivedRows;
  #fields: readonly Field[];
  #suspended = false;
  #done = { command: "", rowCount: 0 };

  constructor(run: UserSqlRun, portal: string, { after, memory, envelope, json }: PortionOptions = {}) {
    super(run, { parsed: after !== undefined, envelope });
    this.#run = run;
    this.#received = new ReceivedRows(run.portionBytes);
    this.#portal = portal;
    this.#after = after;
    this.#mostRows = rowsOfPortion(run.portion, after);
    this.#json = json;
    this.#memory = memory;
    this.#fields = json?.inPlaceOf.fields ?? memory?.fields ?? after?.fields ?? [];
  }

  protected begin(connection: Connection): void {
    const { name, values } = this.#run;
    this.envelope.begin(connection);
    this.leaveOutLarger(this.#run.portionBytes ?? MAX_PORTION_BYTES);
    this.parse(connection);
    const isWritten = (this.#json ?? this.#run.written) !== undefined;
    if (this.#after) {
      if (isWritten) connection.describe({ type: "P", name: this.#portal });
    } else {
      // "cached plan must not change result type": PostgreSQL does not describe a statement whose columns have changed
      if (this.#json) connection.describe({ type: "S", name: this.#json.inPlaceOf.name });
      connection.bind({ portal: this.#portal, statement: name, values });
      if (!this.#json && (isWritten || !this.#memory?.fields)) connection.describe({ type: "P", name: this.#portal });
    }
    connection.execute({ portal: this.#portal, rows: this.#mostRows });
    this.envelope.end(connection); // in a transaction the portal outlives its Sync
  }

  override handleRowDescription({ fields }: RowDescription): void {
    if (this.#json) return this.#writeWith(writeJson(this.#json.after));
    if (this.#fields.length === 0) this.#fields = fields;
    const write = this.#run.written?.writerFor(this.#fields);
    if (write) this.#writeWith(write);
  }

  override handleReadyForQuery(): void {
    if (this.#memory && !this.failed) {
      if (!this.#json) this.#memory.fields = this.#fields;
      if (!this.#after) noteLength(this.#memory, !this.#suspended);
    }
    if (this.#received.isTooLarge)
      return this.handleError(
        new GatewayError("LIMIT_EXCEEDED", "The rows are too large: ask for fewer or smaller ones", {
          sqlstate: "54000",
        }),
      );
    const { thrown } = this.#received;
    if (thrown) return this.handleError(thrown.error);
    super.handleReadyForQuery();
  }

  protected override takeRow({ fields, length }: DataRow): void {
    this.#received.take(fields, length);
  }

  #writeWith(write: WriteRow): void {
    this.handRowsTo(this.#received.writer(write, expectedBytes(this.#mostRows, this.#after)));
  }

  override handlePortalSuspended(): void {
    super.handlePortalSuspended();
    this.#suspended = true;
  }

  protected override complete(message: { text: string }): void {
    super.complete(message);
    const [, command = "", count = "0"] = /^([A-Z ]+?)(?: \d+)??(?: (\d+))?$/.exec(message.text) ?? [];
    this.#done = { command, rowCount: Number(count) };
  }

  protected result(): Portion {
    const { rows, written, count, bytes } = this.#received;
    return { rows, written, count, fields: this.#fields, suspended: this.#suspended, bytes, ...this.#done };
  }
}
