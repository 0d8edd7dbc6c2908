/**
 * Which roles PostgreSQL has let run which statements. It asks for USAGE on the schemas of a statement only when it parses it,
 * and for EXECUTE on a function whose body or result it puts into the plan only when it plans. Accounts share the prepared
 * statements of a connection, so one would use what another one was allowed. Each role therefore sends a statement unprepared
 * at first, and prepared once that has succeeded, until rights may have changed. Roles with the same rights count as one.
 */
import { LRUCache } from "lru-cache";
import type { IDatabase } from "pg-promise";
import type { Memory } from "./memory.ts";

const MOST_ROLES = 10_000;
/** Of a role. If it runs more of them, it begins anew. */
const MOST_STATEMENTS = 500;
/** For how many times as long as the last reading of shared rights took, they are not read again: 20,000 accounts take 70 ms. */
const REST = 20;

/**
 * The names of the statements that a role, or one with the same rights, has run since rights last changed. It also stands for
 * these rights at that time.
 */
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

/**
 * Accounts with the same rights on schemas and functions, if there is more than one: all of theirs come from the same roles.
 * Not with them: super users, and roles that own a schema, a function or the database or have a grant on one by themselves.
 */
const WITH_SAME_RIGHTS = `
with single as materialized (
  select n.nspowner as role from pg_namespace n
  union select p.proowner from pg_proc p
  union select d.datdba from pg_database d where d.datname = current_database()
  union select a.grantee from pg_namespace n cross join aclexplode(n.nspacl) a
  union select a.grantee from pg_proc p cross join aclexplode(p.proacl) a
), accounts as (
  select r.rolname::text as name, r.rolinherit as inherits,
    string_agg(concat_ws(' ', m.roleid, to_jsonb(m) -> 'inherit_option'), ',' order by m.roleid, m.grantor) as groups
  from pg_roles r left join pg_auth_members m on m.member = r.oid
  where not r.rolsuper and r.oid not in (select s.role from single s)
    and right(r.rolname, length(current_database()) + 1) = '@' || current_database()
  group by r.rolname, r.rolinherit
)
select array_agg(a.name) as names from accounts a group by a.inherits, a.groups having count(*) > 1`;

export class AllowedByRole {
  readonly #db: IDatabase<object>;
  readonly #memory: Memory;
  readonly #read: (db: IDatabase<object>) => Promise<ReadonlyMap<string, AllowedStatements>>;
  #version = -1;
  #restsUntilMs = -Infinity;
  /** Of roles that share with no other, and of all until it is known which share. */
  readonly #known = new LRUCache<string, AllowedStatements>({ max: MOST_ROLES });

  constructor(db: IDatabase<object>, memory: Memory) {
    this.#db = db;
    this.#memory = memory;
    const read = async (of: IDatabase<object>): Promise<ReadonlyMap<string, AllowedStatements>> => {
      const beganMs = performance.now();
      const shared = new Map<string, AllowedStatements>();
      for (const { names } of await of.any<{ names: readonly string[] }>(WITH_SAME_RIGHTS)) {
        const allowed = new AllowedStatements();
        for (const name of names) shared.set(name, allowed);
      }
      const nowMs = performance.now();
      this.#restsUntilMs = nowMs + REST * (nowMs - beganMs);
      return shared;
    };
    this.#read = read;
  }

  /** For a request that begins now. What it adds after rights have changed is known to no later request. */
  of(role: string): AllowedStatements {
    if (this.#version !== this.#memory.version) this.#known.clear();
    this.#version = this.#memory.version;
    const shared = this.#memory.now(this.#read);
    if (!shared && performance.now() >= this.#restsUntilMs)
      this.#memory.of(this.#db, this.#read).catch(() => undefined); // meanwhile each role is alone
    let known = shared?.get(role) ?? this.#known.get(role);
    if (!known) this.#known.set(role, (known = new AllowedStatements()));
    return known;
  }
}
