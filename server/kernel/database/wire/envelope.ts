/** The rest of a statement's message: what begins its transaction before it, COMMIT behind it, one Sync. */
import type { Beginning } from "../begin.ts";
import { ExtendedQuery, type Connection, type DataRow } from "./extendedQuery.ts";

/** PostgreSQL's answer to the beginning of a transaction. */
export interface Begun {
  /** The present basis of the request. */
  readonly basis: string | undefined;
  /** PostgreSQL's text of the snapshot that all statements see, where it is a single one. */
  readonly snapshot: string | undefined;
}

/** Statements in the message of another one, before it. If PostgreSQL refuses them, it refuses the statement too. */
export interface Ahead {
  /** Sends them, without a Sync. */
  write(connection: Connection): void;
  /** Whether all of them are answered. */
  readonly isDone: boolean;
  handleDataRow(row: Pick<DataRow, "fields">): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: unknown): void;
}

/** Begins a transaction. */
export class BeginQuery extends ExtendedQuery<Begun> implements Ahead {
  readonly #beginning: Beginning;
  /** Commands that are not complete yet. */
  #left = 2;
  #isSent = false;
  readonly #prepares: boolean;
  /** The connection on which it was sent alone, if it was. */
  #connection: Connection | undefined;
  #told: readonly (string | null)[] = [];

  /** `prepares`: whether the settings are kept prepared. */
  constructor(beginning: Beginning, prepares: boolean) {
    const { name, text } = beginning.settings;
    super({ text, ...(prepares && { name }) });
    this.#beginning = beginning;
    this.#prepares = prepares;
  }

  /**
   * Sends the beginning with a Sync of its own. If BEGIN were refused, the statement behind it would run without a
   * transaction, as the gateway. So everything that can be refused comes after it.
   */
  protected begin(connection: Connection): void {
    this.#isSent = true;
    this.#connection = connection;
    run(connection, this.#beginning.begin, undefined);
    this.#writeSettings(connection);
    for (const text of this.#unprepared(connection)) connection.parse({ name: nameOf(text), text });
    connection.sync();
  }

  write(connection: Connection): void {
    this.#isSent = true;
    execute(connection, this.#beginning.begin);
    this.#writeSettings(connection);
  }

  #writeSettings(connection: Connection): void {
    this.parse(connection);
    connection.bind({ portal: "", statement: this.name, values: this.#beginning.settings.values });
    connection.execute({ portal: "" });
  }

  /** The statements to prepare with it. */
  #unprepared({ parsedStatements }: Connection): readonly string[] {
    const texts = this.#prepares ? [this.#beginning.begin, COMMIT] : [];
    return texts.filter((text) => parsedStatements[nameOf(text)] === undefined);
  }

  /** Whether it was sent, completely or in part; it is then settled later. */
  get isSent(): boolean {
    return this.#isSent;
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  override handleDataRow({ fields }: Pick<DataRow, "fields">): void {
    this.#told = fields;
  }

  override handleCommandComplete(): void {
    this.#left--;
  }

  override handleReadyForQuery(): void {
    const connection = this.#connection;
    if (connection) for (const text of this.#unprepared(connection)) connection.parsedStatements[nameOf(text)] = text;
    super.handleReadyForQuery();
  }

  protected result(): Begun {
    return { basis: this.#told.at(-2) ?? undefined, snapshot: this.#told.at(-1) ?? undefined };
  }
}

const COMMIT = "commit";
/** The statement name of BEGIN, in one of its forms, or of COMMIT. They stay prepared if the connection keeps statements. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `portolan ${text}`));
  return name;
}
const names = new Map<string, string>();

function execute(connection: Connection, text: string): void {
  const name = nameOf(text);
  run(connection, text, connection.parsedStatements[name] === undefined ? undefined : name);
}

/** `name`: under which it is prepared. */
function run(connection: Connection, text: string, name: string | undefined): void {
  if (name === undefined) connection.parse({ text });
  connection.bind({ portal: "", statement: name, values: [] });
  connection.execute({ portal: "" });
}

interface Prepared {
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * Prepared statements whose rows nobody needs. They end with the statement behind them: if one of all fails, PostgreSQL
 * undoes those before it, and leaves out those behind it.
 */
export class PreparedAhead implements Ahead {
  readonly statements: readonly Prepared[];
  #left: number;

  constructor(statements: readonly Prepared[]) {
    this.statements = statements;
    this.#left = statements.length;
  }

  write(connection: Connection): void {
    for (const { name, values } of this.statements) {
      connection.bind({ portal: "", statement: name, values });
      connection.execute({ portal: "" });
    }
  }

  get isDone(): boolean {
    return this.#left === 0;
  }

  handleDataRow(): void {}

  handleCommandComplete(): void {
    this.#left--;
  }

  handleReadyForQuery(): void {}
  handleError(): void {}
}

export interface EnvelopeOptions {
  /** Must be prepared already, and so must the statement, unless that has no name. Default: nothing. */
  readonly ahead?: Ahead | undefined;
  /** Whether COMMIT follows. It does not if the statement fails; the transaction must then be ended. */
  readonly commits?: boolean | undefined;
}

/** Writes the messages around a statement, and takes PostgreSQL's answers to them. */
export class Envelope {
  readonly #ahead: Ahead | undefined;
  readonly #commits: boolean;
  #isAnswered = false;

  constructor({ ahead, commits = false }: EnvelopeOptions = {}) {
    this.#ahead = ahead;
    this.#commits = commits;
  }

  /** Before the statement. */
  begin(connection: Connection): void {
    this.#ahead?.write(connection);
  }

  /** After it, with the Sync. */
  end(connection: Connection): void {
    if (this.#commits) execute(connection, COMMIT);
    connection.sync();
  }

  /** Whether the row is not the statement's. */
  takesRow(row: Pick<DataRow, "fields">): boolean {
    if (this.#ahead?.isDone !== false) return false;
    this.#ahead.handleDataRow(row);
    return true;
  }

  /** Whether the completed part is not the statement. */
  takesComplete(): boolean {
    const ahead = this.#ahead;
    if (ahead?.isDone === false) {
      ahead.handleCommandComplete();
      if (ahead.isDone) ahead.handleReadyForQuery();
      return true;
    }
    const isEnd = this.#isAnswered;
    this.#isAnswered = true;
    return isEnd;
  }

  /** The statements that were sent fail. */
  fail(error: unknown): void {
    if (this.#ahead?.isDone === false) this.#ahead.handleError(error);
  }
}
