/** Passwords of the logins that Portolan makes: derived from a secret in the database, so that all gateways of a fleet have the same. */
import { createHmac } from "node:crypto";
import type { IDatabase } from "pg-promise";
import { scramVerifier } from "./scram.ts";

/** The version of the derivation, which is stored with each account (`own_login_version`). */
export const LOGIN_VERSION = 2;

export class LoginPasswords {
  readonly #db: IDatabase<object>;
  #secret: Promise<string> | undefined;

  constructor(db: IDatabase<object>) {
    this.#db = db;
  }

  async of(role: string): Promise<string> {
    this.#secret ??= this.#db
      .one<{ secret: string }>("select portolan.secrets() ->> 'own_sql_secret' as secret")
      .then(({ secret }) => secret);
    this.#secret.catch(() => (this.#secret = undefined));
    const derived = createHmac("sha256", await this.#secret).update(`portolan-own-sql\0${LOGIN_VERSION}\0${role}`);
    return derived.digest("base64url");
  }

  /** The SCRAM verifier that PostgreSQL stores. */
  async verifierOf(role: string): Promise<string> {
    return scramVerifier(await this.of(role));
  }
}
