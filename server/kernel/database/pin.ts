/** The identity of a session of the pool: role, settings and claims, with one digest of all of them. */
import { createHash, createHmac, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { LOCK_LIMIT, setting, type Setting } from "./settings.ts";

/** The key of the digests, which only this process has. */
const SECRET = randomBytes(32);
/** The setting that holds the digest of role and all other settings. */
export const PIN = "portolan.pin";
const ADDRESS = "portolan.ip";

/** The statement that gives a session its identity. */
export interface Becoming {
  readonly name: string;
  readonly text: string;
  /** PostgreSQL's text of each parameter. */
  readonly values: readonly string[];
}

/** The identity of a session, and the settings that give it to one. */
export interface Pin {
  /** The same for all settings but the address. */
  readonly key: string;
  /** The digest of all settings. */
  readonly digest: string;
  /** The role that the session has changed to; `none` if it is logged in as the account. */
  readonly role: string;
  readonly timeoutMs: number;
  /** The longest wait for a lock; empty for that of the session. */
  readonly lockLimit: string;
  readonly shape: Shape;
  /** In the order of the names of the shape. */
  readonly values: readonly string[];
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
  const all: readonly Setting[] = [...settings, ["default_transaction_read_only", "on"], [PIN, digest]];
  return {
    key,
    digest,
    role: valueOf("role") || "none",
    timeoutMs: Number(valueOf("statement_timeout")),
    lockLimit: valueOf(LOCK_LIMIT),
    shape: Shape.of(all.map(([name]) => name)),
    values: all.map(([, value]) => value),
  };
}

function digestOf(settings: readonly Setting[]): string {
  return createHmac("sha256", SECRET).update(JSON.stringify(settings)).digest("base64url");
}

/**
 * The names of the settings of a session, in their order. Callers of one kind share a shape. It learns which of its
 * settings differ between them, so that a session changes hands by one short statement, the same for all callers.
 */
export class Shape {
  static readonly #known = new LRUCache<string, Shape>({ max: 1000 });
  readonly names: readonly string[];
  readonly #all: Statement;
  /** For each setting, whether it has differed so far; and the statement that sets those. */
  readonly #differs: boolean[];
  #some: Statement | undefined;
  /** The statement for sessions of other shapes. */
  #after: Statement | undefined;

  private constructor(names: readonly string[]) {
    this.names = names;
    this.#differs = names.map(() => false);
    this.#all = statementOf(names);
  }

  static of(names: readonly string[]): Shape {
    const key = names.join(" ");
    let shape = Shape.#known.get(key);
    if (!shape) Shape.#known.set(key, (shape = new Shape(names)));
    return shape;
  }

  /** Gives the identity to a session without one. */
  become({ values }: Pin): Becoming {
    return { ...this.#all, values };
  }

  /** Gives the identity to a session with the identity `from`, of which nothing is left. */
  change(from: Pin, { values }: Pin): Becoming {
    if (from.shape === this) return this.#changeValues(from.values, values);
    const gone = from.shape.names.filter((name) => !this.names.includes(name));
    this.#after ??= statementOf(this.names, true);
    return { ...this.#after, values: [...values, `{${gone.join(",")}}`] };
  }

  #changeValues(before: readonly string[], values: readonly string[]): Becoming {
    let isKnown = this.#some !== undefined;
    for (let at = 0; at < values.length; at++)
      if (before[at] !== values[at] && !this.#differs[at]) {
        this.#differs[at] = true;
        isKnown = false;
      }
    if (!isKnown) this.#some = statementOf(this.names.filter((_name, at) => this.#differs[at]));
    return { ...this.#some!, values: values.filter((_value, at) => this.#differs[at]) };
  }
}

interface Statement {
  readonly name: string;
  readonly text: string;
}

/** `resets`: its last parameter names other settings, which get their values at the start of the session. */
function statementOf(names: readonly string[], resets = false): Statement {
  const others = resets
    ? ` + (select pg_catalog.count(pg_catalog.set_config(n, null, false)) from pg_catalog.unnest($${names.length + 1}::pg_catalog.text[]) n)`
    : "";
  const text = `select where ${setting(names, { first: 1, isLocal: false })}${others} < 0`; // so that it has no row
  return { name: `portolan pin ${sha256(text)}`, text };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
