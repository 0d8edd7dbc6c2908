/** Connections for SQL that someone wrote: logged in as the account's own role. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import pg from "pg";
import type { IDatabase } from "pg-promise";
import { beginAs, type Identity, type RequestContext } from "./begin.ts";
import { cancelStatement } from "./cancelStatement.ts";
import { GatewayError, SQLSTATE, sqlstateOf } from "../errors.ts";
import { transact, type Transaction, type TransactionOptions } from "./transaction.ts";

const SECOND = 1000;
const CONNECTIONS_PER_ROLE = 2; // the role itself has a limit of 3
const OWN_LOGIN_VERSION = 1;

export interface OwnLoginOptions {
  /** Connection string of the gateway's login role; the own logins differ in user and password. */
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

/** Small pools, one for each role, of connections that are logged in as that role; closed when idle. */
export class OwnLogins {
  readonly #options: OwnLoginOptions;
  readonly #db: IDatabase<object>;
  readonly #pools = new Map<string, pg.Pool>();
  readonly #boundTo = new WeakMap<pg.PoolClient, string>();
  #secret: Promise<string> | undefined;

  constructor(options: OwnLoginOptions, db: IDatabase<object>) {
    this.#options = options;
    this.#db = db;
  }

  async run<T>(
    identity: Identity,
    context: RequestContext,
    callback: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    if (!identity.roleMade)
      throw new GatewayError(
        "FORBIDDEN",
        `The role of this account was not made by Portolan, so that SQL of its own cannot be run under it`,
      );
    const timeoutMs = context.timeoutMs ?? this.#options.statementTimeoutMs;
    let timer: NodeJS.Timeout | undefined;
    let cancelled: Promise<void> | undefined;
    const options: TransactionOptions = {
      connect: async () => {
        const client = await this.#connect(identity);
        await this.#bind(client, context.address ?? "");
        timer = setTimeout(() => {
          cancelled = cancelStatement(client);
          timer = setTimeout(() => closeSocket(client), 2 * SECOND);
        }, timeoutMs + 500);
        return client;
      },
      begin: beginAs(identity, context, { statementTimeoutMs: timeoutMs, changeRole: false }),
      readOnly: context.readOnly ?? false,
      signal: context.signal,
      foreignSql: true,
      cleanup: async (client) => {
        await cancelled;
        await client.query("discard all");
      },
    };
    try {
      return await transact(options, callback);
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(identity: Identity): Promise<pg.PoolClient> {
    const pool = await this.#poolOf(identity.role);
    try {
      return await pool.connect();
    } catch (error) {
      const refused: readonly unknown[] = [SQLSTATE.invalidPassword, SQLSTATE.invalidAuthorization];
      if (!refused.includes(sqlstateOf(error))) throw error;
      const verifier = scramVerifier(await this.#passwordOf(identity.role));
      await this.#db.func("portolan.own_login", [identity.name, verifier, OWN_LOGIN_VERSION]);
      return pool.connect();
    }
  }

  async #poolOf(role: string): Promise<pg.Pool> {
    const known = this.#pools.get(role);
    if (known) return known;
    const password = await this.#passwordOf(role);
    const shared = new pg.Client(this.#options.url); // reads the connection string; never connected
    const pool = new pg.Pool({
      host: shared.host,
      port: shared.port,
      database: shared.database ?? "",
      ssl: shared.ssl,
      user: role,
      password,
      application_name: "portolan own sql",
      max: CONNECTIONS_PER_ROLE,
      connectionTimeoutMillis: this.#options.connectTimeoutMs,
      idleTimeoutMillis: 10 * SECOND,
    });
    const raced = this.#pools.get(role);
    if (raced) return raced;
    pool.on("connect", survive);
    pool.on("error", () => undefined); // an idle connection broke: the pool has removed it
    pool.on("remove", () => {
      if (pool.totalCount > 0 || this.#pools.get(role) !== pool) return;
      this.#pools.delete(role);
    });
    this.#pools.set(role, pool);
    return pool;
  }

  /** From the gateway's own pool, so that no statement of the account can write it. */
  async #bind(client: pg.PoolClient, address: string): Promise<void> {
    if (this.#boundTo.get(client) === address) return;
    const { processID } = client as unknown as { processID: number };
    try {
      await this.#db.func("portolan.bind_own_session", [processID, address === "" ? null : address]);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#boundTo.set(client, address);
  }

  async #passwordOf(role: string): Promise<string> {
    this.#secret ??= this.#db
      .one<{ secret: string }>("select portolan.secrets() ->> 'own_sql_secret' as secret")
      .then(({ secret }) => secret);
    this.#secret.catch(() => (this.#secret = undefined));
    const derived = createHmac("sha256", await this.#secret).update(`portolan-own-sql\0${OWN_LOGIN_VERSION}\0${role}`);
    return derived.digest("base64url");
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}

/** Ends a connection whose statement does not heed a cancel; the running query rejects and the pool forgets it. */
function closeSocket(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Keeps the process alive whatever a connection does. One that breaks while nobody waits for it says so by an event,
 * which needs a listener. And a value that is longer than a string can be makes the driver throw where nobody can catch
 * it: then the connection ends, and its query rejects.
 */
export function survive(client: pg.PoolClient): void {
  client.on("error", () => undefined); // the pool removes it, and a running query rejects by itself
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  for (const listener of stream.listeners("data") as ((chunk: Buffer) => void)[]) {
    stream.off("data", listener);
    stream.on("data", (chunk: Buffer) => {
      try {
        listener(chunk);
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
  }
}

/** RFC 5802, RFC 7677: what PostgreSQL keeps of a password, computed here so that no log of the server ever has it. */
function scramVerifier(password: string, salt = randomBytes(16), iterations = 4096): string {
  const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
