/**
 * Databases whose copy is prepared once: to give a copy its own roles, grants and keys takes longer than to make it. The
 * prepared copy is kept under another name. The next test gets a copy of that, with the name and number that it was prepared
 * for: Portolan's roles have the name of the database, and its records have the number. Needs PostgreSQL 15.
 */
import type pg from "pg";

export interface Place {
  /** Of the database that is handed out. */
  readonly name: string;
  readonly number: string;
  /** Statements that give its own privileges to the database, which a copy does not get. */
  readonly grants: string;
  /** The roles of the database, which are the cluster's. */
  readonly roles: ReadonlyMap<string, Role>;
}

/** What a gateway changes when it logs in, and what else others must find as it was. */
interface Role {
  readonly login: string;
  readonly rest: string;
}

const STRATEGY = "strategy file_copy";
const keptOf = (name: string): string => `kept_${name}`;

export class PreparedDatabases {
  readonly #admin: pg.Client;
  readonly #make: (kind: string) => Promise<string>;
  readonly #free = new Map<string, Place[]>();

  /** `make`: makes and prepares a database of a kind, closes its connections and returns its name. */
  constructor(admin: pg.Client, make: (kind: string) => Promise<string>) {
    this.#admin = admin;
    this.#make = make;
  }

  async take(kind: string): Promise<Place> {
    const place = this.#free.get(kind)?.pop();
    if (!place) return this.#prepare(await this.#make(kind));
    const { name, number, grants } = place;
    await this.#admin.query(`create database ${name} oid ${number} template ${keptOf(name)} ${STRATEGY}`);
    await this.#admin.query(grants);
    return place;
  }

  /** For the next one; call it when the database is dropped. A place whose roles cannot be as before is left. */
  async giveBack(kind: string, place: Place): Promise<void> {
    const { name } = place;
    if (!(await this.#resetRoles(place))) {
      await this.#admin.query(`drop database ${keptOf(name)}`);
      return;
    }
    const free = this.#free.get(kind) ?? [];
    this.#free.set(kind, [...free, place]);
  }

  async #prepare(name: string): Promise<Place> {
    await this.#admin.query(`create database ${keptOf(name)} template ${name} ${STRATEGY}`);
    const { rows } = await this.#admin.query<{ number: string; grants: string }>(
      `
select d.oid as number, concat(format('revoke all on database %I from public;', d.datname), (
    select string_agg(format('grant %s on database %I to %s;', a.privilege_type, d.datname,
      case when a.grantee = 0 then 'public' else a.grantee::regrole::text end), '')
    from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a)) as grants
from pg_database d
where d.datname = $1`,
      [name],
    );
    return { name, ...rows[0]!, roles: await this.#rolesOf(name) };
  }

  async #resetRoles({ name, roles }: Place): Promise<boolean> {
    let present = await this.#rolesOf(name);
    const added = [...present.keys()].filter((role) => !roles.has(role));
    if (added.length > 0) {
      try {
        await this.#admin.query(`drop role ${added.join(", ")}`);
      } catch {
        return false; // another database has something of theirs
      }
      present = await this.#rolesOf(name);
    }
    for (const [role, { login, rest }] of roles) {
      const now = present.get(role);
      if (now?.rest !== rest) return false;
      if (now.login !== login) await this.#admin.query(`alter role ${role} ${login}`);
    }
    return true;
  }

  async #rolesOf(database: string): Promise<ReadonlyMap<string, Role>> {
    const { rows } = await this.#admin.query<Role & { role: string }>(
      `
select quote_ident(r.rolname) as role,
  format('%s connection limit %s password %L', case when r.rolcanlogin then 'login' else 'nologin' end, r.rolconnlimit,
    r.rolpassword) as login,
  concat_ws(' ', to_jsonb(r) - '{rolcanlogin,rolconnlimit,rolpassword}'::text[],
    (select jsonb_agg(m order by m.roleid, m.member) from pg_auth_members m where r.oid in (m.roleid, m.member)),
    (select jsonb_agg(s) from pg_db_role_setting s where s.setrole = r.oid)) as rest
from pg_authid r
where right(r.rolname, length($1) + 1) = '@' || $1`,
      [database],
    );
    return new Map(rows.map(({ role, ...all }) => [role, all]));
  }
}
