/** The contribution of a door to the service. `server/app.ts` has the list of doors. */
import type { Database } from "./database/database.ts";
import type { ForPeople } from "./http/problemPage.ts";
import type { Route } from "./http/routes.ts";

/** One thing that must be up: resolves when it is, rejects with the reason when it is not. */
export type ReadinessCheck = () => Promise<void>;

export interface Door {
  /** Empty for a door without HTTP. */
  readonly routes: readonly Route[];
  /** Addresses that people visit with a browser. Default none. */
  readonly forPeople?: ForPeople;
  /** Headers of its answers that pages of other origins may read, beside those that every door has. Default none. */
  readonly exposedHeaders?: readonly string[];
  /** The parts that must be up for the door to answer, by the name that `/readyz` shows. */
  readonly checks?: Readonly<Record<string, ReadinessCheck>>;
  /** Runs when a database has woken, after the check of its catalogue. */
  wake?(database: Database): void;
  /**
   * Makes what takes long for a database that will soon be served under the name of `like`, from another cluster. Gives a
   * function that lets go of it, if it is not used by then.
   */
  rehearse?(database: Database, like: Database): Promise<() => Promise<void>>;
  /**
   * Makes the objects that the door needs in the database. Called at the first poll of this process and after DDL, before the new
   * catalogue is used. Resolves to false where a lock was in the way; it is called again then.
   */
  prepare?(database: Database, schemas: readonly string[]): Promise<boolean>;
  /** Runs when all databases have been read, before the first request. An error that it throws ends the start. */
  start?(): Promise<void>;
  /** Runs after DDL in one of the exposed schemas, once super users have their rights on new objects. */
  onCatalogue?(database: Database): Promise<void> | void;
  /** Runs after an account, a rule or a signing key has changed. */
  onAccounts?(database: Database): void;
  /** Runs where a database has not answered for long: connections to it that are the door's own must be given up. */
  onSilence?(database: Database): void;
  /** Functions that run after a subject of `portolan.generations` has changed, by its name. It changes nothing about accounts. */
  readonly subjects?: Readonly<Record<string, (database: Database) => Promise<void> | void>>;
  /** Figures of a database for its request log, by their names in `portolan.note_requests`. They are 0 when nothing happens. */
  figures?(database: string): Promise<Readonly<Record<string, number>>>;
  /** Agents that have asked since the last call, for the log: see `portolan.note_agents`. */
  agents?(database: string): readonly object[];
  /** Whether work other than requests keeps a database awake. */
  isInUse?(database: Database): boolean;
  /** Called when the database falls asleep: ends its work and forgets it. */
  rest?(database: Database): Promise<void> | void;
  /** The service is about to end: ends answers that would not end by themselves. */
  endStreams?(): Promise<void>;
  /** Requests have ended; the databases are still open. */
  close?(): Promise<void> | void;
}
