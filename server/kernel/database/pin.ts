/** The identity of a session of the pool: role, settings and claims, with one digest of all of them. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { setting, type Setting } from "./settings.ts";

/** The key of the digests, which only this process has. */
const SECRET = randomBytes(32);
/** The setting that holds the digest of role and all other settings. */
export const PIN = "portolan.pin";
const ADDRESS = "portolan.ip";
interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/** The identity of a session, and the statements that give it that identity. */
export interface Pin {
  /** The same for all settings but the address. */
  readonly key: string;
  /** The digest of all settings. */
  readonly digest: string;
  /** The role that the session has changed to; `none` if it is logged in as the account. */
  readonly role: string;
  readonly timeoutMs: number;
  /** Gives any session of the pool this identity. */
  readonly become: Prepared;
  /** Gives it to a session with the same key. */
  readonly move: Prepared;
}

/** The identity that a session has. */
export interface Pinned {
  readonly pin: Pin;
  readonly atMs: number;
  /** Version of the memory of the database. */
  readonly version: number;
}

/** A snapshot of a connection: as PostgreSQL shows it, and as `portolan.data_snapshot` does. */
export interface KnownSnapshot {
  readonly shown: string;
  readonly ofData: string;
}

/** `settings`: everything that a request sets, with `role` and `statement_timeout`. */
export function makePin(settings: readonly Setting[]): Pin {
  const address = settings.find(([name]) => name === ADDRESS)?.[1] ?? "";
  const key = digestOf(settings.filter(([name]) => name !== ADDRESS));
  const digest = digestOf([[key, address]]);
  const valueOf = (wanted: string): string => settings.find(([name]) => name === wanted)?.[1] ?? "";
  return {
    key,
    digest,
    role: valueOf("role") || "none",
    timeoutMs: Number(valueOf("statement_timeout")),
    become: prepared([...settings, ["default_transaction_read_only", "on"], [PIN, digest]]),
    move: prepared([
      [ADDRESS, address],
      [PIN, digest],
    ]),
  };
}

function digestOf(settings: readonly Setting[]): string {
  return createHmac("sha256", SECRET).update(JSON.stringify(settings)).digest("base64url");
}

function prepared(settings: readonly Setting[]): Prepared {
  const names = settings.map(([name]) => name);
  const text = `select ${setting(names, { first: 1, isLocal: false })}`;
  return { name: `portolan pin ${sha256(text)}`, text, values: settings.map(([, value]) => value) };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
