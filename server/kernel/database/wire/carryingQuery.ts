/** A query of node-postgres, whose rows it reads by their types, with an envelope. */
import pg from "pg";
import type { Envelope } from "./envelope.ts";
import type { Connection, DataRow } from "./extendedQuery.ts";

/** The part of node-postgres's Query that is used here, which its types lack. */
interface DriverQuery {
  readonly portal: string;
  submit(connection: Connection): unknown;
  callback: (error: unknown, result: pg.QueryResult) => void;
  prepare(connection: Connection): void;
  handleDataRow(row: DataRow): void;
  handleCommandComplete(message: { text: string }, connection: Connection): void;
  handleError(error: unknown, connection?: Connection): void;
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery;

export class CarryingQuery extends Query {
  /** Rejects with PostgreSQL's error, or the connection's. */
  readonly ended: Promise<pg.QueryResult>;
  readonly #envelope: Envelope;

  constructor(statement: object, envelope: Envelope) {
    super(statement as pg.QueryConfig);
    this.#envelope = envelope;
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    this.ended = promise;
    const callback: DriverQuery["callback"] = (error, result) => (error ? reject(error) : resolve(result));
    this.callback = callback;
  }

  /** Returns an error if one was thrown. The connection, which may have half a message, is closed, and the error handled. */
  override submit(connection: Connection): unknown {
    try {
      return super.submit(connection);
    } catch (error) {
      connection.stream.destroy();
      return error;
    }
  }

  override prepare(connection: Connection): void {
    this.#envelope.begin(connection);
    super.prepare(connection);
  }

  /** Called by node-postgres after it has bound and described. */
  _getRows(connection: Connection): void {
    connection.execute({ portal: this.portal });
    this.#envelope.end(connection);
  }

  override handleDataRow(row: DataRow): void {
    if (!this.#envelope.takesRow(row)) super.handleDataRow(row);
  }

  override handleCommandComplete(message: { text: string }, connection: Connection): void {
    if (!this.#envelope.takesComplete()) super.handleCommandComplete(message, connection);
  }

  override handleError(error: unknown, connection?: Connection): void {
    this.#envelope.fail(error);
    super.handleError(error, connection);
  }
}
