/** The served databases: the named ones, which are always open, and those of patterns, which sleep while idle. */
import type { IncomingMessage } from "node:http";
import { collectGarbage } from "./collectGarbage.ts";
import type { Sleep } from "../kernel/catalogue/watchers.ts";
import type { DatabaseConfig } from "../kernel/config.ts";
import { ConnectionRoom } from "./connectionRoom.ts";
import { databaseOf, freeConnections, lookForDatabases } from "./discovery.ts";
import { Lookout } from "./lookout.ts";
import { Turns } from "./turns.ts";
import type { Database, WithRoom } from "../kernel/database/database.ts";
import { GatewayError, SQLSTATE, sqlstateOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";

const SECOND = 1000;
/** How often to look for databases that were made, dropped or frozen. */
const LOOK_MS = 5 * SECOND;
/** A database that is awake counts as idle this long after its last answer. */
const IDLE_AFTER_MS = 2 * SECOND;
/** When the last of several databases has fallen asleep, their memory is given back. */
const COLLECT_AFTER_MS = SECOND;
/** And once more after this time: a catalogue, for example, is kept for ten seconds after its last use. */
const COLLECT_AGAIN_MS = 12 * SECOND;
/** How long prepared objects are kept for a database that is not served yet. */
const REHEARSED_MS = 60 * SECOND;
/** Waking costs processor time: this many databases wake at a time, the others wait. */
const WAKING_AT_ONCE = 4;
/** How often a database is opened where PostgreSQL has no connection left. Each time it waits for some first. */
const WAKING_ATTEMPTS = 3;
/** The connections of a database that has just woken, with that of its first request. */
const CONNECTIONS_AWAKE = 4;
/** A database that has woken stays awake at least this long: time for the request it woke for, and for those that follow. */
const ROOM_AFTER_MS = SECOND / 2;

export interface DatabasesOptions {
  readonly named: readonly DatabaseConfig[];
  /** In the order of the configuration: the first pattern serves a name that is in several clusters. */
  readonly patterns: readonly DatabaseConfig[];
  readonly idleMs: number;
  readonly log: Log;
  /** Opens a database without connecting. `withRoom`: as `openDatabase` takes it. */
  open(config: DatabaseConfig, withRoom?: WithRoom): Database;
}

/** A database of a pattern. While it sleeps it is only this object: no connection, no timer. */
interface Sleeper {
  readonly pattern: Pattern;
  frozen: boolean;
  /** Whether it has left for another cluster, and was not seen there yet. */
  left: boolean;
  database?: Database | undefined;
  usedAtMs: number;
  /** How many requests are not answered. It does not fall asleep while there are any. */
  requests: number;
  /** Set while it wakes or falls asleep: requests wait for it. */
  turning?: Promise<void> | undefined;
}

/** Serves the databases of a pattern. */
interface Pattern {
  readonly config: DatabaseConfig;
  readonly lookout: Lookout;
  readonly room: ConnectionRoom;
  /** Names that an earlier pattern serves. Each is logged once. */
  readonly shadowed: Set<string>;
}

export class Databases {
  readonly #options: DatabasesOptions;
  readonly #awake: Map<string, Database>;
  readonly #sleepers = new Map<string, Sleeper>();
  readonly #patterns: readonly Pattern[];
  readonly #turns = new Turns(WAKING_AT_ONCE);
  #sleep: Sleep | undefined;
  readonly #turning = new Set<Promise<void>>();
  /** The databases that were prepared for a move to another cluster. */
  readonly #rehearsed = new WeakSet<Database>();
  /** Started when the last one fell asleep. */
  #collecting: NodeJS.Timeout | undefined;

  constructor(options: DatabasesOptions) {
    this.#options = options;
    this.#awake = new Map(options.named.map((config) => [config.name, options.open(config)]));
    this.#patterns = options.patterns.map((pattern) => this.#serve(pattern));
  }

  #serve(config: DatabaseConfig): Pattern {
    const lookout = new Lookout(config, this.#options.log);
    const room = new ConnectionRoom({
      free: () => freeConnections((text) => lookout.ask(text)),
      makeRoom: (connections) => this.#makeRoom(pattern, connections),
    });
    const pattern: Pattern = { config, lookout, room, shadowed: new Set() };
    return pattern;
  }

  /** The open databases. */
  get awake(): ReadonlyMap<string, Database> {
    return this.#awake;
  }

  /** The names of all databases, awake or asleep. */
  get names(): readonly string[] {
    return [...new Set([...this.#awake.keys(), ...this.#sleepers.keys()])];
  }

  /** Whether there are databases whose names must not be shown to callers who do not know them. */
  get hasPattern(): boolean {
    return this.#patterns.length > 0;
  }

  /** Whether it sleeps while idle. */
  isSleeper({ name }: Pick<Database, "name">): boolean {
    return this.#sleepers.has(name);
  }

  /**
   * The database of that name, awake; without a name the only one that there is. Throws `UNAVAILABLE` for a database that is
   * frozen or cannot be served, `NOT_FOUND` where it has no schema `portolan`.
   */
  async find(name?: string): Promise<Database | undefined> {
    const wanted = name ?? this.#onlyName();
    const sleeper = wanted === undefined ? undefined : this.#sleepers.get(wanted);
    if (wanted === undefined || !sleeper) return this.#awake.get(wanted ?? "");
    sleeper.usedAtMs = performance.now();
    for (;;) {
      const { database, turning } = sleeper;
      if (database && !turning) {
        await this.#sleep?.resume(database);
        if (sleeper.database === database) return database;
        continue;
      }
      if (this.#sleepers.get(wanted) !== sleeper) return undefined; // it was dropped meanwhile
      if (sleeper.frozen)
        throw new GatewayError("UNAVAILABLE", `The database ${wanted} is ${sleeper.left ? "moving" : "frozen"}`);
      await (sleeper.turning ??
        this.#turn(
          sleeper,
          this.#turns.with(() => this.#wake(wanted, sleeper)),
        ));
    }
  }

  #onlyName(): string | undefined {
    const { names } = this;
    return names.length === 1 ? names[0] : undefined;
  }

  /** Whether it is awake, but has had no requests for a while and no other work. Never for a named one. */
  isIdle({ name }: Pick<Database, "name">): boolean {
    const sleeper = this.#sleepers.get(name);
    if (!sleeper?.database || sleeper.requests > 0) return false;
    return sleeper.usedAtMs < performance.now() - IDLE_AFTER_MS && !this.#sleep?.isInUse(sleeper.database);
  }

  /** Marks a request, also more than once: the database does not fall asleep until it is answered, and for a while after. */
  hold(name: string, request: IncomingMessage): void {
    const sleeper = this.#sleepers.get(name);
    if (!sleeper) return;
    sleeper.usedAtMs = performance.now();
    const { response } = request;
    if (!response || response.closed) return;
    sleeper.requests++;
    response.once("close", () => {
      sleeper.requests--;
      sleeper.usedAtMs = performance.now();
    });
  }

  /** Finds the databases of the patterns, and keeps looking for new ones. Throws where no cluster answers. */
  async start(sleep: Sleep): Promise<void> {
    this.#sleep = sleep;
    let failure: unknown;
    let answering = 0;
    for (const pattern of this.#patterns) {
      const { lookout } = pattern;
      const look = (): Promise<void> => this.#look(pattern);
      try {
        await look();
        answering++;
      } catch (error) {
        failure = error;
        this.#options.log.error({ err: error, databases: pattern.config.name }, "cannot look for databases");
        lookout.reconnect();
      }
      lookout.repeat(LOOK_MS, look);
    }
    if (this.#patterns.length > 0 && answering === 0) throw failure;
    this.#patterns[0]?.lookout.repeat(Math.min(LOOK_MS, this.#options.idleMs), () => this.#restIdle());
  }

  /** Stops looking; databases that are awake stay awake. */
  async stop(): Promise<void> {
    clearTimeout(this.#collecting);
    await Promise.all(this.#patterns.map(({ lookout }) => lookout.stop()));
    await Promise.allSettled(this.#turning);
  }

  /** Closes all open databases. */
  async close(): Promise<void> {
    await Promise.all([...this.#awake.values()].map((database) => database.close()));
  }

  async #look(pattern: Pattern): Promise<void> {
    const { databases, left, ready } = await lookForDatabases((text) => pattern.lookout.ask(text));
    for (const name of ready) this.#rehearse(name, pattern);
    const named = new Set(this.#options.named.map(({ name }) => name));
    const there = new Map(databases.filter(({ name }) => !named.has(name)).map((one) => [one.name, one]));
    for (const [name, { frozen }] of there) {
      const known = this.#sleepers.get(name);
      if (known?.pattern === pattern) Object.assign(known, { frozen, left: false });
      else if (known && !known.left && this.#isEarlier(known.pattern, pattern))
        this.#tellShadowed(pattern, known.pattern, name);
      else {
        if (known) this.#fallAsleep(name, known);
        this.#sleepers.set(name, { pattern, frozen, left: false, usedAtMs: 0, requests: 0 });
      }
    }
    for (const [name, sleeper] of this.#sleepers) {
      if (sleeper.pattern !== pattern || (there.has(name) && !sleeper.frozen)) continue;
      this.#fallAsleep(name, sleeper);
      if (there.has(name)) continue;
      if (left.has(name)) Object.assign(sleeper, { frozen: true, left: true }); // another cluster is about to have it
      else this.#sleepers.delete(name); // one that wakes notices
    }
  }

  /** Another cluster will serve it soon. The slow parts are prepared once beforehand, and kept for a while. */
  #rehearse(name: string, pattern: Pattern): void {
    const { database: like, pattern: from } = this.#sleepers.get(name) ?? {};
    if (!like || from === pattern || this.#rehearsed.has(like)) return;
    this.#rehearsed.add(like);
    const rehearsing = this.#rehearseAs(like, databaseOf(pattern.config, name))
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error, database: name }, "the move of the database could not be prepared"),
      )
      .finally(() => this.#turning.delete(rehearsing));
    this.#turning.add(rehearsing);
  }

  async #rehearseAs(like: Database, config: DatabaseConfig): Promise<void> {
    const database = this.#options.open(config);
    try {
      const letGo = await this.#sleep?.rehearse(database, like);
      setTimeout(() => void letGo?.(), REHEARSED_MS).unref();
    } finally {
      await database.close();
    }
  }

  #isEarlier(one: Pattern, other: Pattern): boolean {
    return this.#patterns.indexOf(one) < this.#patterns.indexOf(other);
  }

  #tellShadowed(pattern: Pattern, by: Pattern, name: string): void {
    if (pattern.shadowed.has(name)) return;
    pattern.shadowed.add(name);
    const text = `the database is in two clusters: that of ${by.config.name} is served, and that of ${pattern.config.name} is not`;
    this.#options.log.warn({ database: name }, text);
  }

  async #restIdle(): Promise<void> {
    for (const [name, sleeper] of this.#idleFor(this.#options.idleMs)) this.#fallAsleep(name, sleeper);
  }

  /** The databases that have been idle this long and have no work; the longest idle one first. */
  #idleFor(ms: number): readonly (readonly [name: string, sleeper: Sleeper])[] {
    const before = performance.now() - ms;
    const isIdle = ({ database, usedAtMs, requests }: Sleeper): boolean => {
      if (!database || usedAtMs > before || requests > 0) return false;
      return database.pool.totalCount === database.pool.idleCount && !this.#sleep?.isInUse(database);
    };
    return [...this.#sleepers].filter(([, one]) => isIdle(one)).sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
  }

  /** Lets idle databases that have this many connections together fall asleep. Resolves to how many did. */
  async #makeRoom(pattern: Pattern, connections: number): Promise<number> {
    const idle = this.#idleFor(ROOM_AFTER_MS)
      .filter(([, sleeper]) => sleeper.pattern === pattern)
      .slice(0, Math.ceil(connections / CONNECTIONS_AWAKE));
    for (const [name, sleeper] of idle) this.#fallAsleep(name, sleeper);
    await Promise.all(idle.map(async ([, { turning }]) => turning));
    return idle.length;
  }

  async #wake(name: string, sleeper: Sleeper): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#open(name, sleeper);
      } catch (error) {
        const isFull = sqlstateOf(error) === SQLSTATE.tooManyConnections;
        if (isFull && attempt < WAKING_ATTEMPTS) continue; // others have taken what was free
        throw this.#refusal(name, sleeper, error);
      }
  }

  async #open(name: string, sleeper: Sleeper): Promise<void> {
    const { config: pattern, room } = sleeper.pattern;
    const config = databaseOf(pattern, name);
    const database = this.#options.open(config, (connect) => room.with(1, connect));
    try {
      await room.with(CONNECTIONS_AWAKE, async () => this.#sleep?.wake(database, config));
      if (this.#sleepers.get(name) !== sleeper) throw new GatewayError("NOT_FOUND");
    } catch (error) {
      await this.#leave(database);
      throw error;
    }
    this.#awake.set(name, database);
    sleeper.database = database;
    sleeper.usedAtMs = performance.now();
  }

  /** What a request is told whose database did not wake. */
  #refusal(name: string, sleeper: Sleeper, error: unknown): GatewayError {
    if (error instanceof GatewayError) return error;
    if (sqlstateOf(error) === SQLSTATE.noDatabase) {
      if (this.#sleepers.get(name) === sleeper) this.#sleepers.delete(name);
      return new GatewayError("NOT_FOUND", undefined, { cause: error });
    }
    this.#options.log.error({ err: error, database: name }, "the database cannot be served");
    return new GatewayError("UNAVAILABLE", undefined, { cause: error });
  }

  #fallAsleep(name: string, sleeper: Sleeper): void {
    const { database } = sleeper;
    if (!database || sleeper.turning) return;
    sleeper.database = undefined;
    this.#awake.delete(name);
    void this.#turn(
      sleeper,
      this.#leave(database)
        .catch((error: unknown) =>
          this.#options.log.warn({ err: error, database: name }, "the database did not fall asleep cleanly"),
        )
        .finally(() => this.#collectSoon()),
    );
  }

  /** Gives back the memory of databases that fell asleep, once for many. */
  #collectSoon(): void {
    clearTimeout(this.#collecting);
    this.#collecting = setTimeout(() => {
      void collectGarbage();
      this.#collecting = setTimeout(() => void collectGarbage(), COLLECT_AGAIN_MS).unref();
    }, COLLECT_AFTER_MS).unref();
  }

  /** Its connections are given back even if its work fails. */
  async #leave(database: Database): Promise<void> {
    try {
      await this.#sleep?.rest(database);
    } finally {
      await database.close();
    }
  }

  /** Requests for the sleeping database wait for `turning`, and so does the end of the process. */
  #turn(sleeper: Sleeper, turning: Promise<void>): Promise<void> {
    const done = turning.finally(() => {
      sleeper.turning = undefined;
      this.#turning.delete(done);
    });
    sleeper.turning = done;
    this.#turning.add(done);
    return done;
  }
}
