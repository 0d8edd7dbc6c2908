/**
 * Which roles PostgreSQL has let run which statements. It asks for USAGE on the schemas of a statement only when it parses it,
 * and for EXECUTE on a function whose body or result it puts into the plan only when it plans. Accounts share the prepared
 * statements of a connection, so one would use what another one was allowed. Each role therefore sends a statement unprepared
 * at first, and prepared once that has succeeded, until rights may have changed.
 */
import { LRUCache } from "lru-cache";
import type { Memory } from "./memory.ts";

const MOST_ROLES = 10_000;
/** Of a role. If it runs more of them, it begins anew. */
const MOST_STATEMENTS = 500;

/** The names of the statements that a role has run since rights last changed. It also stands for the role and that time. */
export class AllowedStatements {
  readonly #names = new Set<string>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Called after the statement has succeeded. */
  add(name: string): void {
    if (this.#names.size >= MOST_STATEMENTS && !this.#names.has(name)) this.#names.clear();
    this.#names.add(name);
  }
}

export class AllowedByRole {
  readonly #memory: Pick<Memory, "version">;
  #version = -1;
  readonly #known = new LRUCache<string, AllowedStatements>({ max: MOST_ROLES });

  constructor(memory: Pick<Memory, "version">) {
    this.#memory = memory;
  }

  /** For a request that begins now. What it adds after rights have changed is known to no later request. */
  of(role: string): AllowedStatements {
    if (this.#version !== this.#memory.version) this.#known.clear();
    this.#version = this.#memory.version;
    let known = this.#known.get(role);
    if (!known) this.#known.set(role, (known = new AllowedStatements()));
    return known;
  }
}
