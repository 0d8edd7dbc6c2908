/**
 * Which roles PostgreSQL has let run which statements. It asks for USAGE on the schemas of a statement only when it parses it,
 * and for EXECUTE on a function whose body or result it puts into the plan only when it plans. Accounts share the prepared
 * statements of a connection, so one would use what another one was allowed. Each role therefore sends a statement unprepared
 * at first, and prepared once that has succeeded, until rights have changed, and for four seconds at most. Roles with the same
 * rights count as one.
 */
import { LRUCache } from "lru-cache";
import type { IDatabase } from "pg-promise";
import type { Memory } from "./memory.ts";

const MOST_ROLES = 10_000;
/** Of a role. If it runs more of them, it begins anew. */
const MOST_STATEMENTS = 500;
/**
 * What is known ends after this time, also if no change was noticed: a membership that is given and taken between two looks
 * leaves no trace. A right that was taken ends within 5 s.
 */
const TERM_MS = 4000;
/** For how many times as long as the last reading of shared rights took, they are not read again. */
const REST = 20;

/** What accounts with the same rights share. It also stands for these rights at that time. */
class SharedStatements {
  /** When a statement first succeeded for one of them (`performance.now()`). */
  readonly #succeededMs = new Map<string, number>();

  /** Whether one of them was let run it before a look at the database that found their rights unchanged. */
  has(name: string, seenAtMs: number): boolean {
    const succeededMs = this.#succeededMs.get(name);
    return succeededMs !== undefined && succeededMs < seenAtMs;
  }

  add(name: string): void {
    if (this.#succeededMs.has(name)) return;
    if (this.#succeededMs.size >= MOST_STATEMENTS) this.#succeededMs.clear();
    this.#succeededMs.set(name, performance.now());
  }
}

/** The names of the statements that a role has run since rights last changed. */
export class AllowedStatements {
  readonly #names = new Set<string>();
  readonly #memory: Pick<Memory, "seenAtMs">;
  readonly #shared: SharedStatements | undefined;

  constructor(memory: Pick<Memory, "seenAtMs">, shared: SharedStatements | undefined) {
    this.#memory = memory;
    this.#shared = shared;
  }

  /** The same object for all roles whose rights are the same, until they may have changed. */
  get rights(): object {
    return this.#shared ?? this;
  }

  has(name: string): boolean {
    return this.#names.has(name) || (this.#shared?.has(name, this.#memory.seenAtMs) ?? false);
  }

  /** Called after the statement has succeeded. */
  add(name: string): void {
    if (this.#names.has(name)) return;
    if (this.#names.size >= MOST_STATEMENTS) this.#names.clear();
    this.#names.add(name);
    this.#shared?.add(name);
  }
}

/**
 * Accounts with the same rights, if there is more than one: all of theirs come from the same roles. Not with them: super users,
 * and roles that own or were granted anything by themselves, or that a policy names. It is not enough to ask for rights on schemas
 * and functions: PostgreSQL also puts the result of a function into the plan that was called immutable and yet reads a table.
 */
const WITH_SAME_RIGHTS = `
with accounts as (
  select r.rolname::text as name, r.rolinherit as inherits, r.rolbypassrls as bypasses,
    string_agg(concat_ws(' ', m.roleid, to_jsonb(m) -> 'inherit_option'), ',' order by m.roleid, m.grantor) as groups
  from portolan.users u
    join pg_roles r on r.rolname = u.role::name
    left join pg_auth_members m on m.member = r.oid
  where not r.rolsuper and not exists (
    select from pg_shdepend d
    where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid
      and d.dbid in (0, (select b.oid from pg_database b where b.datname = current_database()))
  )
  group by r.rolname, r.rolinherit, r.rolbypassrls
)
select array_agg(a.name) as names from accounts a group by a.inherits, a.bypasses, a.groups having count(*) > 1`;

type Shared = ReadonlyMap<string, SharedStatements>;

export class AllowedByRole {
  readonly #db: IDatabase<object>;
  readonly #memory: Pick<Memory, "version" | "seenAtMs">;
  #version = -1;
  #endsMs = -Infinity;
  /** Undefined until it is known which roles share; meanwhile each is alone. */
  #shared: Shared | undefined;
  #isReading = false;
  #restsUntilMs = -Infinity;
  readonly #known = new LRUCache<string, AllowedStatements>({ max: MOST_ROLES });

  constructor(db: IDatabase<object>, memory: Pick<Memory, "version" | "seenAtMs">) {
    this.#db = db;
    this.#memory = memory;
  }

  /** For a request that begins now. What it adds after rights have changed is known to no later request. */
  of(role: string): AllowedStatements {
    const nowMs = performance.now();
    if (this.#version !== this.#memory.version || nowMs >= this.#endsMs) this.#beginTerm(nowMs);
    if (!this.#shared && !this.#isReading && nowMs >= this.#restsUntilMs) void this.#readShared();
    let known = this.#known.get(role);
    if (!known) this.#known.set(role, (known = new AllowedStatements(this.#memory, this.#shared?.get(role))));
    return known;
  }

  #beginTerm(nowMs: number): void {
    this.#known.clear();
    this.#shared = undefined;
    this.#version = this.#memory.version;
    this.#endsMs = nowMs + TERM_MS;
  }

  async #readShared(): Promise<void> {
    const beganMs = performance.now();
    const endsMs = this.#endsMs;
    this.#isReading = true;
    try {
      const shared = await readShared(this.#db);
      const isStill = this.#endsMs === endsMs && this.#version === this.#memory.version;
      if (isStill) {
        for (const role of this.#known.keys()) if (shared.has(role)) this.#known.delete(role);
        this.#shared = shared;
      }
      this.#restsUntilMs = performance.now() + REST * (performance.now() - beganMs);
    } catch {
      this.#restsUntilMs = performance.now() + TERM_MS;
    } finally {
      this.#isReading = false;
    }
  }
}

async function readShared(db: IDatabase<object>): Promise<Shared> {
  const shared = new Map<string, SharedStatements>();
  for (const { names } of await db.any<{ names: readonly string[] }>(WITH_SAME_RIGHTS)) {
    const statements = new SharedStatements();
    for (const name of names) shared.set(name, statements);
  }
  return shared;
}
