/** The login of the connections that requests share: it may become any account, and nothing else that the gateway may. */
import type { IDatabase } from "pg-promise";
import { isNotMigrated, SQLSTATE, sqlstateOf } from "../errors.ts";
import type { LoginPasswords } from "./loginPasswords.ts";
import type { Login, LoginSource } from "./wire/wire.ts";

/** Of all gateways of the database together. PostgreSQL has its own limit. */
const MOST_CONNECTIONS = 1000;

export class PoolLogin implements LoginSource {
  readonly #db: IDatabase<object>;
  readonly #passwords: LoginPasswords;
  #login: Promise<Login | undefined> | undefined;
  #allowing: Promise<void> | undefined;
  #refusal: unknown;

  constructor(db: IDatabase<object>, passwords: LoginPasswords) {
    this.#db = db;
    this.#passwords = passwords;
  }

  /** Why PostgreSQL does not let it in, so that the gateway's own login is used; undefined where it does. */
  get refusal(): unknown {
    return this.#refusal;
  }

  /** For a standby, which may not have heard of the password yet: the primary is asked then. */
  get forStandby(): LoginSource {
    return { get: () => this.get(), allow: () => this.allow(), giveUp: () => false };
  }

  async get(): Promise<Login | undefined> {
    return this.#refusal === undefined ? this.#known() : undefined;
  }

  #known(): Promise<Login | undefined> {
    this.#login ??= this.#find();
    this.#login.catch(() => (this.#login = undefined));
    return this.#login;
  }

  /** Lets it log in with that password. Those that are refused at once wait for one another. */
  allow(): Promise<void> {
    this.#allowing ??= this.#allow().finally(() => (this.#allowing = undefined));
    return this.#allowing;
  }

  giveUp(error: unknown): boolean {
    this.#refusal = error;
    return true;
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
    if (!login) return;
    try {
      await this.#db.func("portolan.pool_login", [await this.#passwords.verifierOf(login.user), MOST_CONNECTIONS]);
    } catch (error) {
      if (sqlstateOf(error) !== SQLSTATE.insufficientPrivilege) throw error; // else it is refused once more, and given up
    }
  }
}
