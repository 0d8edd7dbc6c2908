/** What travels with a statement in its message: what begins the transaction before it, COMMIT behind it, one Sync. */
import type { Beginning } from "../begin.ts";
import { ExtendedQuery, type Connection, type DataRow } from "./extendedQuery.ts";

/** What PostgreSQL told where a transaction begins. */
export interface Begun {
  /** What the basis of the request is now. */
  readonly basis: string | undefined;
  /** PostgreSQL's text of the snapshot that all statements see, where it is a single one. */
  readonly snapshot: string | undefined;
}

/** Begins a transaction. */
export class BeginQuery extends ExtendedQuery<Begun> {
  readonly #beginning: Beginning;
  /** Commands that are not complete yet. */
  #left = 2;
  #isSent = false;
  readonly #prepares: boolean;
  /** Where it went out by itself. */
  #connection: Connection | undefined;
  #told: readonly (string | null)[] = [];

  /** `prepares`: whether the settings are kept prepared. */
  constructor(beginning: Beginning, prepares: boolean) {
    const { name, text } = beginning.settings;
    super({ text, ...(prepares && { name }) });
    this.#beginning = beginning;
    this.#prepares = prepares;
  }

  protected begin(connection: Connection): void {
    const names = connection.parsedStatements;
    if (this.#prepares)
      for (const text of [this.#beginning.begin, COMMIT])
        if (names[nameOf(text)] === undefined) connection.parse({ name: nameOf(text), text });
    this.#connection = connection;
    this.write(connection);
    connection.sync();
  }

  /** All but the Sync. */
  write(connection: Connection): void {
    const { begin, settings } = this.#beginning;
    this.#isSent = true;
    execute(connection, begin);
    this.parse(connection);
    connection.bind({ portal: "", statement: this.name, values: settings.values });
    connection.execute({ portal: "" });
  }

  /** Whether it has gone out, if only in part: then it will be settled. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** Whether the transaction has begun. */
  get isDone(): boolean {
    return this.#left === 0;
  }

  override handleDataRow({ fields }: Pick<DataRow, "fields">): void {
    this.#told = fields;
  }

  override handleCommandComplete(): void {
    if (this.#left-- === 2) this.#noteKept();
  }

  /** BEGIN is complete: all that was parsed before it is prepared, whatever comes of the settings. */
  #noteKept(): void {
    const names = this.#connection?.parsedStatements;
    if (names && this.#prepares) for (const text of [this.#beginning.begin, COMMIT]) names[nameOf(text)] = text;
  }

  protected result(): Begun {
    return { basis: this.#told.at(-2) ?? undefined, snapshot: this.#told.at(-1) ?? undefined };
  }
}

const COMMIT = "commit";
/** Of BEGIN in one of its forms, and of COMMIT, which are kept prepared where the connection keeps anything. */
const nameOf = (text: string): string => `portolan ${text}`;

function execute(connection: Connection, text: string): void {
  const name = connection.parsedStatements[nameOf(text)] === undefined ? undefined : nameOf(text);
  if (name === undefined) connection.parse({ text });
  connection.bind({ portal: "", statement: name, values: [] });
  connection.execute({ portal: "" });
}

export interface EnvelopeOptions {
  /** It must be prepared already, and the statement too, unless that has no name. */
  readonly beginning?: BeginQuery | undefined;
  /** Whether COMMIT follows: where the statement fails, it does not, and the transaction is still to be ended. */
  readonly commits?: boolean | undefined;
}

/** Writes what is around a statement, and takes PostgreSQL's answers to that. */
export class Envelope {
  readonly #beginning: BeginQuery | undefined;
  readonly #commits: boolean;
  #isAnswered = false;

  constructor({ beginning, commits = false }: EnvelopeOptions = {}) {
    this.#beginning = beginning;
    this.#commits = commits;
  }

  /** Before the statement. */
  begin(connection: Connection): void {
    this.#beginning?.write(connection);
  }

  /** After it, with the Sync. */
  end(connection: Connection): void {
    if (this.#commits) execute(connection, COMMIT);
    connection.sync();
  }

  /** Whether the row is not the statement's. */
  takesRow(row: Pick<DataRow, "fields">): boolean {
    if (this.#beginning?.isDone !== false) return false;
    this.#beginning.handleDataRow(row);
    return true;
  }

  /** Whether what is complete is not the statement. */
  takesComplete(): boolean {
    const beginning = this.#beginning;
    if (beginning?.isDone === false) {
      beginning.handleCommandComplete();
      if (beginning.isDone) beginning.handleReadyForQuery();
      return true;
    }
    const isEnd = this.#isAnswered;
    this.#isAnswered = true;
    return isEnd;
  }

  /** What went out fails. */
  fail(error: unknown): void {
    if (this.#beginning?.isDone === false) this.#beginning.handleError(error);
  }
}
