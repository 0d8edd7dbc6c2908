/** The rights as they are in PostgreSQL, and random changes of them. */
import type pg from "pg";
import type { Random } from "../../support/random.ts";
import type { TestDatabase } from "../../support/databases.ts";
import {
  ANYBODY,
  GRANTS,
  POLICIES,
  ROWS,
  RULES,
  STEADY,
  TABLES,
  kindOf,
  type Account,
  type Grant,
  type Rights,
  type Table,
} from "./model.ts";

const schemaOf = (table: Table): string => table.split(".")[0]!;
const LAST = 40;
const SOME_COLUMNS = "id, num, geom";

/** The tables, an author whose functions are in their policies and triggers, and methods over them. */
export async function buildRights({ client, name }: TestDatabase): Promise<void> {
  const author = `rights_author_${name}`;
  await client.query(`create role ${author} login;
create schema ours; create schema theirs authorization ${author}; create schema traps;
create table traps.notes (at timestamptz default clock_timestamp(), by text, who text, session text, became text);
grant usage on schema traps to public; grant insert on traps.notes to public;
grant usage on schema ours, theirs to public;
select portolan.create_user('crew', null), portolan.create_user('boss', null, superuser => true)`);
  for (const account of STEADY)
    await client.query("select portolan.create_user($1, null, properties => $2)", [account, { kind: kindOf(account) }]);
  for (const table of TABLES) {
    const schema = schemaOf(table);
    await client.query(`create table ${table} (id int primary key, num int, kind int, owner text, secret text, bump int default 0,
  geom geometry(Point, 4326));
create table ${schema}.jots (id serial primary key, wrote text);
create function ${schema}.may(num int) returns boolean language plpgsql stable as $$ begin return num > 50; end $$;
create function ${schema}.note() returns trigger language plpgsql as $$ ${noteBody(0)} $$;
create trigger note before insert on ${schema}.jots for each row execute function ${schema}.note();
create function ${schema}.steal() returns text language plpgsql volatile as $$ ${STEAL} $$;
grant select, insert on ${schema}.jots to public; grant usage on sequence ${schema}.jots_id_seq to public;
alter table ${table} enable row level security; create policy seen on ${table} using (true);
select portolan.enable_events('${table}')`);
    for (const { id, num, kind, owner } of ROWS)
      await client.query(
        `insert into ${table} values ($1, $2, $3, $4, 'hidden', 0, st_setsrid(st_makepoint($2::int, $3::int), 4326))`,
        [id, num, kind, owner],
      );
    for (const part of [`function ${schema}.may(int)`, `function ${schema}.note()`, `function ${schema}.steal()`])
      await client.query(`alter ${part} owner to ${author}`);
    await client.query("insert into portolan.methods (method, q, published) values ($1, $2, true)", [
      `ids.${table}`,
      `select id from ${table}`,
    ]);
  }
  await client.query(`alter table theirs.lots owner to ${author}; alter table theirs.jots owner to ${author}`);
  await client.query("select portolan.share_with_owner('{ours,theirs}')");
}

/** Records the role that runs it. `variant` makes each call a different one. */
const noteBody = (variant: number): string => `begin
  insert into traps.notes (by, who, session, became) values (new.wrote, current_user, session_user, null); -- ${variant}
  perform set_config('TimeZone', 'Asia/Tokyo', false), set_config('jwt.claims.sub', 'bob', false);
  return new;
end`;

/** Tries to read what no account may read. */
const STEAL = `declare
  v_found text := '';
begin
  begin perform set_config('role', 'none', true); v_found := v_found || portolan.secrets()::text; exception when others then null; end;
  begin perform set_config('role', 'boss@' || current_database(), true); v_found := v_found || portolan.secrets()::text; exception when others then null; end;
  begin v_found := v_found || (select string_agg(k::text, '') from portolan.signing_keys k); exception when others then null; end;
  begin v_found := v_found || (select string_agg(s::text, '') from portolan.settings s); exception when others then null; end;
  return v_found;
end`;

export class Changes {
  readonly #client: pg.Client;
  readonly #random: Random;
  readonly #rights: Rights;
  readonly #database: string;
  readonly counts: Record<string, number> = {};
  #variant = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(client: pg.Client, database: string, rights: Rights, random: Random) {
    this.#client = client;
    this.#database = database;
    this.#rights = rights;
    this.#random = random;
  }

  /** The last of them, for the reader of a fault. */
  readonly last: string[] = [];

  /** Makes one change. */
  async next(): Promise<void> {
    const table = this.#random.of(TABLES);
    const kinds = { grant: 6, member: 1, policy: 2, rule: 2, body: 2, owner: 1, trigger: 1, write: 3 } as const;
    const kind = this.#random.of(
      Object.entries(kinds).flatMap(([name, weight]) => Array<string>(weight).fill(name)) as (keyof typeof kinds)[],
    );
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    await this[kind](table);
  }

  /** Grants everything to all, so that there are rows to see at first. */
  async grantAll(): Promise<void> {
    for (const table of TABLES) for (const account of STEADY) await this.#grantTo(table, account, 2);
  }

  async grant(table: Table): Promise<void> {
    const to = this.#random.of([...STEADY, ANYBODY, "crew"] as const);
    const grants = to === ANYBODY ? ([0, 0, 0, 1, 2] as const) : to === "crew" ? GRANTS : ([0, 1, 2, 2] as const);
    await this.#grantTo(table, to, this.#random.of(grants));
  }

  async #grantTo(table: Table, to: Account | "crew", grant: Grant): Promise<void> {
    const role = `"${to}@${this.#database}"`;
    const given = grant === 0 ? "" : `grant select${grant === 1 ? ` (${SOME_COLUMNS})` : ""} on ${table} to ${role};`;
    await this.#rights.tables[table].grants[to].set(grant, () =>
      this.run(`begin; revoke select on ${table} from ${role}; ${given} commit`),
    );
  }

  async member(): Promise<void> {
    const account = this.#random.of(STEADY);
    const member = this.#rights.members[account];
    const isMember = !member.now;
    await member.set(isMember, () =>
      this.run(`select portolan.update_user('${account}', '{"user_group": ${isMember ? '"crew"' : "null"}}')`),
    );
  }

  async policy(table: Table): Promise<void> {
    const index = this.#random.below(POLICIES.length);
    const using = POLICIES[index]!.sql(`${schemaOf(table)}.may`);
    await this.#rights.tables[table].policy.set(index, () =>
      this.run(`alter policy seen on ${table} using (${using})`),
    );
  }

  async rule(table: Table): Promise<void> {
    const index = this.#random.below(RULES.length);
    const [schema, name] = table.split(".");
    const { rule } = RULES[index]!;
    const create = rule ? `select portolan.create_rule('${JSON.stringify({ ...rule, schema, table: name })}');` : "";
    await this.#rights.tables[table].rule.set(index, () =>
      this.run(
        `begin; select portolan.drop_rule(id) from portolan.list_rules() where "table" = '${name}'; ${create} commit`,
      ),
    );
  }

  /** Changes the author's function in the policy. */
  async body(table: Table): Promise<void> {
    const least = this.#random.of([20, 50, 80]);
    await this.#rights.tables[table].least.set(least, () =>
      this.run(`create or replace function ${schemaOf(table)}.may(num int) returns boolean language plpgsql stable as
$$ begin perform set_config('TimeZone', 'Asia/Tokyo', false); return num > ${least}; end $$`),
    );
  }

  async owner(table: Table): Promise<void> {
    const owner = this.#random.of(["postgres", `rights_author_${this.#database}`]);
    const part = this.#random.of([
      `table ${table}`,
      `function ${schemaOf(table)}.may(int)`,
      `function ${schemaOf(table)}.note()`,
      `table ${schemaOf(table)}.jots`,
    ]);
    await this.run(`alter ${part} owner to ${owner}`);
  }

  async trigger(table: Table): Promise<void> {
    const schema = schemaOf(table);
    await this.run(
      this.#random.of([
        `create or replace function ${schema}.note() returns trigger language plpgsql as $$ ${noteBody(++this.#variant)} $$`,
        `alter table ${schema}.jots disable trigger note`,
        `alter table ${schema}.jots enable trigger note`,
      ]),
    );
  }

  /** A change of rows, which subscribers get. */
  async write(table: Table): Promise<void> {
    await this.run(`update ${table} set bump = bump + 1 where id % 4 = ${this.#random.below(4)}`);
  }

  /** One after another: there is one session. */
  run(text: string): Promise<void> {
    const done = this.#running.then(() => this.#runAlone(text));
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Tries again if the gateway grants at the same moment, or after a deadlock. */
  async #runAlone(text: string): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        const began = Math.round(performance.now());
        await this.#client.query(text);
        this.last.push(`${began}-${Math.round(performance.now())}: ${text}`);
        if (this.last.length > LAST) this.last.shift();
        return;
      } catch (error) {
        await this.#client.query("rollback");
        if (tries > 20 || !/tuple concurrently|deadlock|try again|lock timeout/.test(String(error))) throw error;
      }
  }
}
