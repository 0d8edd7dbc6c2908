/** The login of the connections that requests share: it may become any account, and nothing else that the gateway may. */
import type { IDatabase } from "pg-promise";
import { withLogin } from "../connectionString.ts";
import { isNotMigrated, SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import type { LoginPasswords } from "./loginPasswords.ts";
import { optionsOf } from "./startOptions.ts";
import { makeClient, type Login, type LoginSource } from "./wire/wire.ts";

/** Connections of all gateways of the database together. PostgreSQL has its own limit. */
const MOST_CONNECTIONS = 1000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Its password is set again at most once in this time: many connections may be refused at once. */
const ALLOW_AGAIN_MS = 1000;

export class PoolLogin implements LoginSource {
  readonly #url: string;
  readonly #db: IDatabase<object>;
  readonly #passwords: LoginPasswords;
  #login: Promise<Login | undefined> | undefined;
  #allowing: Promise<void> | undefined;
  #allowedAtMs = -Infinity;
  #refusal: unknown;
  #isGivenUp = false;
  #wasLetIn = false;
  readonly #tryAgainMs: number;
  readonly #onTryAgain: () => void;
  /** The search_path of the gateway's login. */
  #path: Promise<string> | undefined;
  /** The search_path of the latest connection. */
  #requestsPath: string | undefined;

  /**
   * `url`: of the gateway's login. That one is used for `tryAgainMs` (default a minute) where PostgreSQL has never let this one
   * in. Then `onTryAgain` is called: the connections that there are should not be used any longer.
   */
  constructor(
    url: string,
    db: IDatabase<object>,
    passwords: LoginPasswords,
    {
      tryAgainMs = 60_000,
      onTryAgain = () => undefined,
    }: { readonly tryAgainMs?: number | undefined; readonly onTryAgain?: () => void } = {},
  ) {
    this.#url = url;
    this.#db = db;
    this.#passwords = passwords;
    this.#tryAgainMs = tryAgainMs;
    this.#onTryAgain = onTryAgain;
  }

  /**
   * Why PostgreSQL does not let it in, so that the gateway's own login is used; undefined where it does, and where it once
   * did: from then on a refusal is an error.
   */
  get refusal(): unknown {
    return this.#refusal;
  }

  /** For a standby, which may not know the password yet: the primary is then asked. */
  get forStandby(): LoginSource {
    return { get: () => this.get(), allow: () => this.allow(), giveUp: () => false, letIn: () => this.letIn() };
  }

  async get(): Promise<Login | undefined> {
    const login = this.#isGivenUp ? undefined : await this.#known();
    if (!login) return undefined;
    try {
      this.#requestsPath = await this.#findPath();
    } catch (error) {
      if (this.#requestsPath === undefined) throw error; // else it is asked again when rights have changed
    }
    return { ...login, options: optionsOf([["search_path", this.#requestsPath]]) };
  }

  /** A connection string with this login; undefined where PostgreSQL refuses it. */
  async url(): Promise<string | undefined> {
    const login = this.#isGivenUp ? undefined : await this.#known();
    return login && withLogin(this.#url, login.user, login.password);
  }

  /** Whether existing connections have another search_path than new ones would: rights on a schema have changed. */
  async hasOutdatedPath(): Promise<boolean> {
    return this.#requestsPath !== undefined && this.#requestsPath !== (await this.#findPath());
  }

  async #findPath(): Promise<string> {
    this.#path ??= searchPathOf(this.#url);
    this.#path.catch(() => (this.#path = undefined));
    const { path } = await this.#db.one<{ path: string }>("select portolan.requests_search_path($1) as path", [
      await this.#path,
    ]);
    return path;
  }

  #known(): Promise<Login | undefined> {
    this.#login ??= this.#find();
    this.#login.catch(() => (this.#login = undefined));
    return this.#login;
  }

  /** Lets the role log in with that password. Refused connections share one attempt. */
  allow(): Promise<void> {
    this.#allowing ??= this.#allow().finally(() => (this.#allowing = undefined));
    return this.#allowing;
  }

  /** Where the login was let in before, something is wrong, and its rights are not to be exceeded meanwhile. */
  giveUp(error: unknown): boolean {
    if (this.#wasLetIn) return false;
    this.#refusal = error;
    if (this.#isGivenUp) return true;
    this.#isGivenUp = true;
    setTimeout(() => {
      this.#isGivenUp = false;
      this.#onTryAgain();
    }, this.#tryAgainMs).unref();
    return true;
  }

  letIn(): void {
    this.#wasLetIn = true;
    this.#refusal = undefined;
    this.#isGivenUp = false;
  }

  /** Undefined where the database has no such role yet. */
  async #find(): Promise<Login | undefined> {
    try {
      const { role } = await this.#db.one<{ role: string }>("select portolan.pool_role() as role");
      return { user: role, password: await this.#passwords.of(role) };
    } catch (error) {
      if (isNotMigrated(error)) return undefined;
      throw error;
    }
  }

  async #allow(): Promise<void> {
    const login = await this.#known();
    if (!login || performance.now() - this.#allowedAtMs < ALLOW_AGAIN_MS) return;
    try {
      await this.#db.func("portolan.pool_login", [await this.#passwords.verifierOf(login.user), MOST_CONNECTIONS]);
      this.#allowedAtMs = performance.now();
    } catch (error) {
      const cannot: readonly unknown[] = [SQLSTATE.insufficientPrivilege, SQLSTATE.undefinedObject];
      if (!cannot.includes(sqlstateOf(error))) throw error; // else it is refused once more, and given up
    }
  }
}

/** Read on a connection that has no settings of its own. */
async function searchPathOf(url: string): Promise<string> {
  const client = makeClient({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ search_path: string }>("show search_path"); // which looks up no name
    return rows[0]!.search_path;
  } finally {
    await client.end().catch(() => undefined); // it was never connected
  }
}
