/** The databases that are served: those that are named, open all the time, and those of a pattern, which sleep. */
import type { IncomingMessage } from "node:http";
import { setTimeout as setTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import { collectGarbage } from "./collectGarbage.ts";
import type { DatabaseConfig } from "../kernel/config.ts";
import { databaseOf, findDatabases, freeConnections, MAINTENANCE_DATABASE } from "./discovery.ts";
import { connectTo, type Connection, type Database, type WithRoom } from "../kernel/database/database.ts";
import { GatewayError, SQLSTATE, sqlstateOf } from "../ground/errors.ts";
import type { Log } from "../ground/log.ts";

const SECOND = 1000;
/** How often it is looked for databases that were made, dropped or frozen. */
const LOOK_MS = 5 * SECOND;
/** So long after the last answer one that is awake counts as idle. */
const IDLE_AFTER_MS = 2 * SECOND;
/** After the last of several has fallen asleep, what they had in memory is given back. */
const COLLECT_AFTER_MS = SECOND;
/** Waking takes the processor: so many at a time, the others wait for their turn. */
const WAKING_AT_ONCE = 4;
/** What one holds that has been woken, with the connection of its first request. */
const CONNECTIONS_AWAKE = 4;
/** Where PostgreSQL has no connections left, who needs some waits so long for others to have nothing to do. */
const ROOM_MS = 5 * SECOND;
const ROOM_LOOK_MS = 50;
/** Whom a database was woken for has come to it by then, and what it is asked in a row is asked. */
const ROOM_AFTER_MS = SECOND / 2;

export interface DatabasesOptions {
  readonly named: readonly DatabaseConfig[];
  readonly pattern: DatabaseConfig | undefined;
  readonly idleMs: number;
  readonly log: Log;
  /** Opens one; nothing is connected by that. `withRoom` as `openDatabase` takes it. */
  open(config: DatabaseConfig, withRoom?: WithRoom): Database;
}

/** What happens when a database wakes and when it falls asleep; neither happens to one that is named. */
export interface Sleep {
  /** Rejects where it cannot be served. */
  wake(database: Database, config: DatabaseConfig): Promise<void>;
  /** Somebody asks again after it was idle: what was not looked at meanwhile is. */
  resume(database: Database): Promise<void>;
  /** Ends all that goes on there. */
  rest(database: Database): Promise<void>;
  /** Whether something goes on there that is no request. */
  isInUse(database: Database): boolean;
}

/** One of a pattern. Asleep it is this and no more: no connection, no timer. */
interface Sleeper {
  frozen: boolean;
  database?: Database | undefined;
  usedAtMs: number;
  /** Requests that are not answered yet: until they are it does not fall asleep by itself. */
  readonly requests: Set<IncomingMessage>;
  /** It wakes, or falls asleep: whoever wants it waits. */
  turning?: Promise<void> | undefined;
}

export class Databases {
  readonly #options: DatabasesOptions;
  readonly #awake: Map<string, Database>;
  readonly #sleepers = new Map<string, Sleeper>();
  readonly #waiting: (() => void)[] = [];
  #waking = 0;
  /** Connections that are counted on, whether they are made already or not. */
  #promised = 0;
  /** How often some of them have become what PostgreSQL counts. */
  #promisesKept = 0;
  #sleep: Sleep | undefined;
  #maintenance: Connection | undefined;
  #looking: Promise<void> | undefined;
  readonly #turning = new Set<Promise<void>>();
  #timers: NodeJS.Timeout[] = [];
  /** Since the last one fell asleep. */
  #collecting: NodeJS.Timeout | undefined;
  #reachable = true;

  constructor(options: DatabasesOptions) {
    this.#options = options;
    this.#awake = new Map(options.named.map((config) => [config.name, options.open(config)]));
  }

  /** Those that are open now. */
  get awake(): ReadonlyMap<string, Database> {
    return this.#awake;
  }

  /** Of all that there are, awake or asleep. */
  get names(): readonly string[] {
    return [...new Set([...this.#awake.keys(), ...this.#sleepers.keys()])];
  }

  /** Whether there are databases whose names are nobody's business but of those who know them. */
  get hasPattern(): boolean {
    return this.#options.pattern !== undefined;
  }

  /** Whether it sleeps when nobody asks. */
  isSleeper({ name }: Pick<Database, "name">): boolean {
    return this.#sleepers.has(name);
  }

  /**
   * The database of that name, awake; without a name the only one that there is. Throws `UNAVAILABLE` for one that is
   * frozen or cannot be served, `NOT_FOUND` where it turns out to have no schema `portolan`.
   */
  async find(name?: string): Promise<Database | undefined> {
    const { names } = this;
    const wanted = name ?? (names.length === 1 ? names[0] : undefined);
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
      if (sleeper.frozen) throw new GatewayError("UNAVAILABLE", `The database ${wanted} is frozen`);
      await (sleeper.turning ?? this.#turn(sleeper, this.#wake(wanted, sleeper)));
    }
  }

  /** Whether it is awake though nobody has asked for a moment and nothing goes on there. Never one that is named. */
  isIdle({ name }: Pick<Database, "name">): boolean {
    const sleeper = this.#sleepers.get(name);
    if (!sleeper?.database || sleeper.requests.size > 0) return false;
    return sleeper.usedAtMs < performance.now() - IDLE_AFTER_MS && !this.#sleep?.isInUse(sleeper.database);
  }

  /** Somebody asks for it: it does not fall asleep until that is answered, and for a while after. */
  hold(name: string, request: IncomingMessage): void {
    const sleeper = this.#sleepers.get(name);
    if (!sleeper) return;
    sleeper.usedAtMs = performance.now();
    const { response } = request;
    if (!response || response.closed || sleeper.requests.has(request)) return;
    sleeper.requests.add(request);
    response.once("close", () => {
      sleeper.requests.delete(request);
      sleeper.usedAtMs = performance.now();
    });
  }

  /** Looks for the databases of the pattern, which must succeed, and goes on looking. */
  async start(sleep: Sleep): Promise<void> {
    const { pattern, idleMs } = this.#options;
    if (!pattern) return;
    this.#sleep = sleep;
    await this.#look(pattern);
    this.#repeat(LOOK_MS, () => this.#look(pattern));
    this.#repeat(Math.min(LOOK_MS, idleMs), () => this.#restIdle());
  }

  /** Ends the looking; whoever is awake stays so. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#collecting);
    await this.#looking;
    await this.#maintenance?.close();
    await Promise.allSettled(this.#turning);
  }

  /** Closes all that are open. */
  async close(): Promise<void> {
    await Promise.all([...this.#awake.values()].map((database) => database.close()));
  }

  #repeat(ms: number, run: () => Promise<void>): void {
    const timer = setInterval(() => {
      this.#looking ??= this.#guard(run).finally(() => (this.#looking = undefined));
    }, ms);
    this.#timers.push(timer.unref());
  }

  async #guard(run: () => Promise<void>): Promise<void> {
    try {
      await run();
      this.#reachable = true;
    } catch (error) {
      if (this.#reachable) this.#options.log.error({ err: error }, "databases cannot be looked for");
      this.#reachable = false;
      void this.#maintenance?.close();
      this.#maintenance = undefined;
    }
  }

  async #look(pattern: DatabaseConfig): Promise<void> {
    const found = await findDatabases((text) => this.#ask(pattern, text));
    const named = new Set(this.#options.named.map(({ name }) => name));
    const there = new Map(found.filter(({ name }) => !named.has(name)).map((one) => [one.name, one]));
    for (const [name, { frozen }] of there) {
      const known = this.#sleepers.get(name);
      if (known) known.frozen = frozen;
      else this.#sleepers.set(name, { frozen, usedAtMs: 0, requests: new Set() });
    }
    for (const [name, sleeper] of this.#sleepers) {
      if (sleeper.frozen || !there.has(name)) this.#fallAsleep(name, sleeper);
      if (!there.has(name)) this.#sleepers.delete(name); // one that wakes notices
    }
  }

  #ask<Row>(pattern: DatabaseConfig, text: string): Promise<readonly Row[]> {
    return (this.#maintenance ??= connectTo(databaseOf(pattern, MAINTENANCE_DATABASE).url)).rows<Row>(text);
  }

  async #restIdle(): Promise<void> {
    for (const [name, sleeper] of this.#idleFor(this.#options.idleMs)) this.#fallAsleep(name, sleeper);
  }

  /** Those that are awake, whom nobody has asked for so long, and where nothing goes on; the longest idle one first. */
  #idleFor(ms: number): readonly (readonly [name: string, sleeper: Sleeper])[] {
    const before = performance.now() - ms;
    const isIdle = ({ database, usedAtMs, requests }: Sleeper): boolean => {
      if (!database || usedAtMs > before || requests.size > 0) return false;
      return database.pool.totalCount === database.pool.idleCount && !this.#sleep?.isInUse(database);
    };
    return [...this.#sleepers].filter(([, one]) => isIdle(one)).sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
  }

  /** Runs what needs so many connections when PostgreSQL has them, or when it has waited long enough. */
  async #withRoom<T>(connections: number, work: () => Promise<T>): Promise<T> {
    await this.#promise(connections).catch(() => undefined); // whether there are any shows in a moment
    try {
      return await work();
    } finally {
      this.#promised -= connections;
      this.#promisesKept++;
    }
  }

  /** Where PostgreSQL lacks connections, those who do nothing fall asleep sooner; waits for some that may. */
  async #promise(connections: number): Promise<void> {
    try {
      for (const until = performance.now() + ROOM_MS; performance.now() < until;) {
        const kept = this.#promisesKept;
        const free = await freeConnections((text) => this.#ask(this.#options.pattern!, text));
        if (kept !== this.#promisesKept) continue; // what was promised then may be among those that are not free
        const missing = this.#promised + connections - free;
        if (missing <= 0) return;
        const idle = this.#idleFor(ROOM_AFTER_MS).slice(0, Math.ceil(missing / CONNECTIONS_AWAKE));
        for (const [name, sleeper] of idle) this.#fallAsleep(name, sleeper);
        await Promise.all(idle.map(async ([, { turning }]) => turning));
        if (idle.length === 0) await setTimeout(ROOM_LOOK_MS);
      }
    } finally {
      this.#promised += connections;
    }
  }

  async #wake(name: string, sleeper: Sleeper): Promise<void> {
    await this.#takeTurn();
    const config = databaseOf(this.#options.pattern!, name);
    const database = this.#options.open(config, (connect) => this.#withRoom(1, connect));
    try {
      await this.#withRoom(CONNECTIONS_AWAKE, async () => this.#sleep?.wake(database, config));
      if (this.#sleepers.get(name) !== sleeper) throw new GatewayError("NOT_FOUND");
      this.#awake.set(name, database);
      sleeper.database = database;
      sleeper.usedAtMs = performance.now();
    } catch (error) {
      await this.#leave(database);
      if (error instanceof GatewayError) throw error;
      if (sqlstateOf(error) === SQLSTATE.noDatabase) {
        if (this.#sleepers.get(name) === sleeper) this.#sleepers.delete(name);
        throw new GatewayError("NOT_FOUND", undefined, { cause: error });
      }
      this.#options.log.error({ err: error, database: name }, "the database cannot be served");
      throw new GatewayError("UNAVAILABLE", undefined, { cause: error });
    } finally {
      this.#waking--;
      this.#waiting.shift()?.();
    }
  }

  /** Resolves when one more may be woken. */
  async #takeTurn(): Promise<void> {
    while (this.#waking >= WAKING_AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#waking++;
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
          this.#options.log.warn({ err: error, database: name }, "the database fell asleep badly"),
        )
        .finally(() => this.#collectSoon()),
    );
  }

  /** Gives back what those that fell asleep had in memory, once for many. */
  #collectSoon(): void {
    clearTimeout(this.#collecting);
    this.#collecting = setTimer(() => void collectGarbage(), COLLECT_AFTER_MS).unref();
  }

  /** Its connections are given back whatever becomes of what goes on there. */
  async #leave(database: Database): Promise<void> {
    try {
      await this.#sleep?.rest(database);
    } finally {
      await database.close();
    }
  }

  /** Whoever wants the sleeper waits for `turning`, and so does the end of the process. */
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
