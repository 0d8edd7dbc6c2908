/**
 * Connections for SQL that someone wrote, and for statements that run code of authors: logged in as the account's own role,
 * or as the runner of its role where that cannot log in.
 */
import type pg from "pg";
import type { IDatabase } from "pg-promise";
import { beginAs, claimsText, type BeginOptions, type Identity, type RequestContext } from "./begin.ts";
import { withLogin } from "../connectionString.ts";
import { GatewayError, SQLSTATE, roleGone, sqlstateOf } from "../../ground/errors.ts";
import { serviceOfOwnSql } from "../../ground/services.ts";
import { whatIsLocked } from "./locked.ts";
import { LOGIN_VERSION, type LoginPasswords } from "./loginPasswords.ts";
import { OwnPlaces, type OwnPlacesOptions } from "./ownPlaces.ts";
import type { OwnConnections } from "./ownConnections.ts";
import { OwnPool } from "./ownPool.ts";
import type { Pins } from "./pins.ts";
import type { AllowedByRole } from "./allowed.ts";
import { RESET } from "./reset.ts";
import { callerOf } from "./shares.ts";
import { startOptions, startSettings } from "./startOptions.ts";
import { GRACE_MS, StatementTimer } from "./statementTimer.ts";
import { transact, type Transaction, type UserSqlTransaction } from "./transaction.ts";
import { cut, type Choose, type Wire } from "./wire/wire.ts";

/** Several gateway processes may serve one database. */
const PROCESSES = 4;

export interface OwnLoginOptions extends OwnPlacesOptions {
  /** The name of the database. */
  readonly name: string;
  /** Connection string of the gateway's login role; the own logins differ in user and password. */
  readonly url: string;
  readonly statementTimeoutMs: number;
  /** How long a statement waits for a lock. Default: as long as it may take. */
  readonly lockTimeoutMs?: number | undefined;
  /** How long an idle connection stays open. */
  readonly ownIdleMs: number;
  /** The connections of this process that are logged in as accounts, of all databases. */
  readonly own: OwnConnections;
  /** The connections that keep a request's settings for the next request. */
  readonly pins: Pins;
  readonly allowed: AllowedByRole;
}

/** The login that runs a request: the account's own, or one that changes to the account's role. */
type Login = { readonly role: string; readonly own: boolean };

/** How MapServer logs in for an account. */
export interface MapLogin {
  readonly role: string;
  readonly url: string;
  /** Among the logins of the host. */
  readonly name: string;
  /** Whether it is the account's role. If not, it must change to that role. */
  readonly isOwn: boolean;
  /** Sets its password again, because PostgreSQL refused MapServer. */
  readmit(): Promise<void>;
  /**
   * Removes the settings that code has given to the role meanwhile. Throws `UNAVAILABLE` where there were any: MapServer may have
   * connected with them.
   */
  confirm(): Promise<void>;
  /** Ends the statements of MapServer that have run this long. */
  endLate(lateMs: number): void;
}

/** Ways to reset a session after a request. `apart`: it takes a message of its own. */
const NO_RESET = { text: undefined, apart: false };
const DISCARD = { text: "discard all", apart: true }; // it takes a message of its own

/** The identity that is registered for a connection. */
interface Registration {
  readonly name: string;
  readonly service: string;
  readonly address: string;
  /** The claims, as JSON. */
  readonly claims: string;
}

/** The registered part of a request, and the signal that ends it. */
type Registered = Pick<RequestContext, "address" | "signal"> & { readonly service: string };

/** Small pools, one for each login; their connections are closed when idle. */
export class OwnLogins {
  /** The places of own logins: which are taken and by whom, and the queue. */
  readonly places: OwnPlaces;
  readonly #options: OwnLoginOptions;
  readonly #db: IDatabase<object>;
  readonly #passwords: LoginPasswords;
  readonly #pools = new Map<string, OwnPool>();
  /** The registration of each by the gateway. */
  readonly #registered = new WeakMap<Wire, Registration>();
  /** Roles that MapServer logs in as. */
  readonly #forMaps = new Map<string, Promise<void>>();
  /** Runners, by the role that they change to. */
  readonly #runners = new Map<string, Promise<string>>();
  #isClosed = false;

  constructor(options: OwnLoginOptions, db: IDatabase<object>, passwords: LoginPasswords) {
    this.#options = options;
    this.#db = db;
    this.#passwords = passwords;
    this.places = new OwnPlaces(options);
  }

  /** Runs a caller's own SQL. `leavesNothing`: it reads, runs no author's code, and calls nothing that sets or locks. */
  run<T>(
    identity: Identity,
    context: RequestContext & { readonly leavesNothing: boolean },
    callback: (transaction: UserSqlTransaction) => Promise<T>,
  ): Promise<T> {
    return this.#transact(identity, context, { isUserSql: true, isoDates: true }, callback);
  }

  /** Runs statements that the gateway wrote and that run code the account must not be left alone with. */
  serve<T>(
    identity: Identity,
    context: RequestContext,
    callback: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.#transact(identity, { ...context, published: true }, { session: startSettings() }, callback);
  }

  async #transact<T>(
    identity: Identity,
    context: RequestContext & { readonly leavesNothing?: boolean },
    { isUserSql = false, ...options }: { readonly isUserSql?: boolean } & Pick<BeginOptions, "isoDates" | "session">,
    callback: (transaction: UserSqlTransaction) => Promise<T>,
  ): Promise<T> {
    const login = await this.#loginOf(identity, context);
    const timeoutMs = context.timeoutMs ?? this.#options.statementTimeoutMs;
    const begin = beginAs(identity, context, {
      ...options,
      statementTimeoutMs: timeoutMs,
      lockTimeoutMs: this.#options.lockTimeoutMs,
      changeRole: !login.own,
      mayStay: isUserSql && login.own,
    });
    const { pins } = this.#options;
    // on a worker, nothing but its transaction says that SQL which someone wrote may only read
    const pin = context.leavesNothing && !pins.isCluster ? begin.pin : undefined;
    const use = { role: login.role, isShared: !login.own || identity.name === "anonymous" };
    const caller = callerOf(identity, context);
    const timer = new StatementTimer({
      statementMs: timeoutMs,
      allMs: context.totalTimeoutMs,
      end: (wire) => this.#end(wire, login),
    });
    const service = isUserSql ? serviceOfOwnSql(context.service) : context.service;
    const connect = (): Promise<Wire> =>
      this.places.connect(use, caller, context.signal, (waitMs) =>
        this.#take(login, identity, {
          ...context,
          service,
          waitMs,
          choose: (idle) => pins.choose(idle, { pin, role: identity.role }, false),
        }),
      );

    return transact(
      {
        database: this.#options.name,
        service: context.service,
        connect,
        ...(pin && { pinning: { pins, pin, basis: context.basis, tellsSnapshot: false, connect } }),
        begin,
        check: context.basis?.check,
        readOnly: context.readOnly ?? false,
        signal: context.signal,
        isUserSql,
        watch: (wire, ownMs, run) => timer.watch(wire, ownMs, run),
        prepares: login.own,
        allowed: this.#options.allowed.of(identity.role),
        locked: (cause) => whatIsLocked(this.#db, identity, context.reach, { cause }),
        cleanup: {
          ...(login.own ? (context.leavesNothing ? NO_RESET : RESET) : DISCARD),
          ready: async () => timer.cancelled,
        },
      },
      callback,
    );
  }

  /** Code that ignores a cancel does not notice a closed connection either. */
  #end(wire: Wire, { role }: Login): void {
    const { processId } = wire;
    wire.destroy();
    this.#db.func("portolan.end_own_sessions", [role, processId]).catch(() => undefined); // it ends with its code
  }

  #loginOf({ role, roleMade }: Identity, context: Pick<RequestContext, "published">): Login | Promise<Login> {
    return roleMade ? { role, own: true } : this.#runnerLogin(role, context);
  }

  /** For an account whose role Portolan did not make. */
  async #runnerLogin(role: string, { published }: Pick<RequestContext, "published">): Promise<Login> {
    if (!published)
      throw new GatewayError(
        "FORBIDDEN",
        "Portolan did not make the role of this account and cannot log in as it, so the account cannot run SQL of its own",
      );
    let runner = this.#runners.get(role);
    if (!runner) {
      runner = this.#db
        .one<{ role: string }>("select portolan.runner_role($1) as role", [role])
        .then((row) => row.role);
      this.#runners.set(role, runner);
      runner.catch(() => this.#runners.delete(role));
    }
    return { role: await runner, own: false };
  }

  /** A connection that is registered as the caller's. */
  async #take(
    login: Login,
    identity: Identity,
    { waitMs, choose, ...context }: Registered & { readonly waitMs: number; readonly choose: Choose },
  ): Promise<Wire> {
    const pool = this.#pools.get(login.role) ?? (await this.#openPool(login.role));
    const take = (): Promise<Wire> => pool.take(waitMs, { choose, signal: context.signal });
    try {
      for (;;) {
        const wire = await this.#sound(await this.#admitted(take, login, identity), login, take);
        const isOfRole = await this.#register(wire, login, identity, context).catch((error: unknown) => {
          wire.release(true);
          throw error;
        });
        if (isOfRole) return wire;
        wire.release(true);
      }
    } catch (error) {
      throw noConnection(error);
    }
  }

  /** Where PostgreSQL refuses the login, sets its password again, which may have been changed. */
  async #admitted(take: () => Promise<Wire>, login: Login, identity: Identity): Promise<Wire> {
    try {
      return await take();
    } catch (error) {
      if (!isRefused(error)) return this.#takeWithoutSettings(error, login, take);
    }
    await this.#allow(login, identity);
    return take().catch((error: unknown) => this.#takeWithoutSettings(error, login, take));
  }

  /** Connects once more if the role had settings. Some, such as a library that is missing, end each connection at its start. */
  async #takeWithoutSettings(error: unknown, { role }: Login, take: () => Promise<Wire>): Promise<Wire> {
    if (error instanceof GatewayError || !(await this.#setBack(role).catch(() => false))) throw error;
    return take();
  }

  /** If a new connection began with settings of its role, gives it back and takes another one without. */
  async #sound(wire: Wire, { role }: Login, take: () => Promise<Wire>): Promise<Wire> {
    if (this.#registered.has(wire)) return wire;
    try {
      if (!(await this.#setBack(role))) return wire;
    } catch (error) {
      wire.release(true);
      throw error;
    }
    wire.release(true);
    return take();
  }

  /** Removes the settings that code has given to a role for its next connections. Returns whether there were any. */
  async #setBack(role: string): Promise<boolean> {
    const { had } = await this.#db.one<{ had: boolean }>("select portolan.set_back($1) as had", [role]);
    return had;
  }

  async #openPool(role: string): Promise<OwnPool> {
    const password = await this.#passwords.of(role);
    const raced = this.#pools.get(role);
    if (raced) return raced;
    const pool = new OwnPool({
      name: this.nameOf(role),
      own: this.#options.own,
      config: {
        connectionString: withLogin(this.#options.url, role, password),
        application_name: "portolan own sql",
        options: startOptions("ownSql"),
        max: this.#options.ownPoolSize,
        connectionTimeoutMillis: this.#options.connectTimeoutMs,
        idleTimeoutMillis: this.#options.ownIdleMs,
      },
      onClosed: (client) => this.#closed(client, role),
    });
    this.#pools.set(role, pool);
    return pool;
  }

  /** The name of a login among all of the host. */
  nameOf(role: string): string {
    return `${this.#options.name} ${role}`;
  }

  #closed(client: pg.PoolClient, role: string): void {
    this.#release(client, role);
    const pool = this.#pools.get(role);
    if (!pool?.isUnused) return;
    this.#pools.delete(role);
    pool.forget();
  }

  /**
   * From the gateway's own pool, so that no statement of the account can write it. Returns false where the connection
   * has logged in as an earlier role of that name.
   */
  async #register(
    wire: Wire,
    login: Login,
    identity: Identity,
    { service, address = "" }: Registered,
  ): Promise<boolean> {
    const claims = claimsText(identity);
    const { name } = identity;
    const known = this.#registered.get(wire);
    const isKnown = known?.name === name && known.service === service && known.address === address;
    if (isKnown && known.claims === claims) return true;
    const { bound } = await this.#db.one<{ bound: boolean }>(
      "select portolan.bind_own_session($1, $2, $3, $4, $5, $6) as bound",
      [wire.processId, login.role, address === "" ? null : address, name, service, claims],
    );
    if (bound) this.#registered.set(wire, { name, service, address, claims });
    return bound;
  }

  #release(client: pg.PoolClient, role: string): void {
    const { processID } = client as unknown as { readonly processID: number | null };
    if (processID === null || this.#isClosed) return;
    this.#db.func("portolan.release_own_session", [processID, role]).catch(() => undefined); // the next one of that number is registered
  }

  /** For MapServer, which makes its own connection. Throws as `run` where no role for published layers is available. */
  async forMaps(identity: Identity): Promise<MapLogin> {
    const login = await this.#loginOf(identity, { published: true });
    const { role } = login;
    let admitted = this.#forMaps.get(role);
    if (!admitted) {
      admitted = login.own ? this.#admit(identity) : this.#allow(login, identity);
      this.#forMaps.set(role, admitted);
      admitted.catch(() => this.#forMaps.delete(role));
    }
    await admitted;
    await this.#setBack(role); // before MapServer connects, which is for each map anew
    return {
      role,
      url: withLogin(this.#options.url, role, await this.#passwords.of(role)),
      name: this.nameOf(role),
      isOwn: login.own,
      readmit: () => this.#allow(login, identity),
      confirm: async () => {
        if (await this.#setBack(role))
          throw new GatewayError(
            "UNAVAILABLE",
            "A setting of the account's database role was changed during the map: send the request again",
          );
      },
      endLate: (lateMs) => this.#endLate(role, lateMs),
    };
  }

  #endLate(role: string, lateMs: number): void {
    const end = (): Promise<unknown> => this.#db.func("portolan.end_own_sessions", [role, null, lateMs]);
    setTimeout(() => void end().catch(() => undefined), lateMs + GRACE_MS).unref();
  }

  async #admit(identity: Identity): Promise<void> {
    const account = await this.#db.oneOrNone<{ version: number | null }>(
      "select own_login_version as version from portolan.users where name = $1",
      [identity.name],
    );
    if (!account) throw roleGone(undefined);
    const { version } = account;
    if (version !== LOGIN_VERSION) await this.#allow({ role: identity.role, own: true }, identity);
  }

  /** Lets the role log in with its derived password. Throws as `#take`. */
  async #allow({ role, own }: Login, identity: Identity): Promise<void> {
    const verifier = await this.#passwords.verifierOf(role);
    const connections = this.#options.ownPoolSize * PROCESSES;
    try {
      if (own) await this.#db.func("portolan.own_login", [identity.name, verifier, LOGIN_VERSION, connections]);
      else await this.#db.func("portolan.runner_login", [identity.role, verifier, connections]);
    } catch (error) {
      throw noConnection(error);
    }
  }

  /** See `Database.cut`. */
  cut(): void {
    for (const { pool } of this.#pools.values()) cut(pool);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.places.close();
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}

/** SQLSTATE of `portolan.existing_account`. */
const NO_ACCOUNT = "PX404";

function isRefused(error: unknown): boolean {
  const refusals: readonly unknown[] = [SQLSTATE.invalidPassword, SQLSTATE.invalidAuthorization];
  return refusals.includes(sqlstateOf(error));
}

/** PostgreSQL's own message is for the log, because it names addresses and roles. */
function noConnection(error: unknown): unknown {
  if (error instanceof GatewayError) return error;
  if (sqlstateOf(error) === NO_ACCOUNT) return roleGone(error);
  const isFull = sqlstateOf(error) === SQLSTATE.tooManyConnections;
  const reason = isFull ? "has no more connections" : isRefused(error) ? "refuses that login" : "does not answer";
  return new GatewayError("UNAVAILABLE", `This runs on the account's own login, and PostgreSQL ${reason}`, {
    cause: error,
  });
}
