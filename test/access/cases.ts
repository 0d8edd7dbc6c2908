/**
 * The table of cases: rules × history × workflow × a team's own policies, each combination a table of its own, each tried
 * by every account. What should be visible is one plain SQL statement on the table, read by its owner; what may be
 * written follows from it. `adapters.ts` tries the same through each interface: to cover a new interface, add an adapter.
 */
import type pg from "pg";
import type { TestDatabase } from "../support/databases.ts";
import { sized } from "../support/size.ts";

export interface Account {
  readonly name: string;
  /** Its `properties.kind`, which the limit rule compares. */
  readonly kind: number;
  /** In the workflow: 0 reader, 1 author, 2 reviewer, 3 publisher. */
  readonly level: number;
  readonly granted: boolean;
  /** Whether the rules, which are for the group `crew`, are for it. */
  readonly ruled: boolean;
}

export const ACCOUNTS: readonly Account[] = [
  { name: "ann", kind: 1, level: 1, granted: true, ruled: true },
  { name: "rex", kind: 2, level: 2, granted: true, ruled: true },
  { name: "pia", kind: 0, level: 3, granted: true, ruled: true },
  { name: "joe", kind: 1, level: 0, granted: true, ruled: true },
  { name: "liz", kind: 1, level: 1, granted: true, ruled: false },
  { name: "out", kind: 1, level: 0, granted: false, ruled: true },
  { name: "boss", kind: 1, level: 3, granted: true, ruled: false },
];

const RULES = ["none", "limit", "deny", "denywrites"] as const;
const POLICIES = ["none", "own", "narrow"] as const;

export interface Case {
  /** The table, in schema `town`. */
  readonly table: string;
  readonly rule: (typeof RULES)[number];
  readonly versioned: boolean;
  readonly workflow: boolean;
  readonly policy: (typeof POLICIES)[number];
}

const ALL: readonly Case[] = RULES.flatMap((rule) =>
  [false, true].flatMap((versioned) =>
    [false, true].flatMap((workflow) =>
      POLICIES.map((policy) => ({
        table: `c_${rule}_${versioned ? "history" : "now"}_${workflow ? "workflow" : "plain"}_${policy}`,
        rule,
        versioned,
        workflow,
        policy,
      })),
    ),
  ),
);

/** The small form has each rule with each policy, in twelve cases among which each two things meet in each way. */
function inEveryPair({ rule, versioned, workflow, policy }: Case): boolean {
  const [ofRule, ofPolicy] = [RULES.indexOf(rule), POLICIES.indexOf(policy)];
  return versioned === ((ofRule + ofPolicy) % 2 === 1) && workflow === (((ofRule >> 1) + ofPolicy) % 2 === 1);
}

export const CASES = sized(ALL.filter(inEveryPair), ALL);

/** What came of trying: the ids of the rows that were read or written, or a refusal. */
export type Outcome = readonly number[] | "refused";

export interface NewRow {
  readonly id: number;
  readonly kind: number;
  readonly owner: string;
}

/** What should come of each operation, told without the machinery that is tested. */
export class Expectation {
  readonly #query: (text: string) => Promise<{ id: number }[]>;
  readonly #case: Case;
  readonly #account: Account;

  constructor(pool: pg.Pool, testCase: Case, account: Account) {
    this.#query = async (text) => (await pool.query<{ id: number }>(text)).rows;
    this.#case = testCase;
    this.#account = account;
  }

  /** Whether a rule refuses the request as such. */
  isDenied(request: "select" | "insert" | "update" | "delete"): boolean {
    const { rule } = this.#case;
    return this.#account.ruled && (rule === "deny" || (rule === "denywrites" && request !== "select"));
  }

  /** The one plain statement: the rows that the account should see. `from`: the table, or a copy of what it was. */
  async visible(from = `town.${this.#case.table}`): Promise<Outcome> {
    const { name, kind, level, granted, ruled } = this.#account;
    const { rule, workflow, policy } = this.#case;
    if (!granted) return "refused";
    const conditions = [
      ruled && rule === "limit" ? `kind = ${kind}` : ruled && rule === "deny" ? "false" : "true",
      policy === "own" ? `owner = '${name}'` : policy === "narrow" ? "id < 10" : "true",
      !workflow || level >= 2
        ? "true"
        : level === 1
          ? `(portolan_status = 3 or portolan_workflow ->> 'author' = '${name}')`
          : "portolan_status = 3",
    ];
    return (await this.#query(`select id from ${from} where ${conditions.join(" and ")} order by id`)).map(
      ({ id }) => id,
    );
  }

  async changed(request: "update" | "delete", id: number): Promise<Outcome> {
    const visible = await this.visible();
    if (visible === "refused" || this.isDenied(request)) return "refused";
    if (!visible.includes(id)) return [];
    const [row] = (await this.#query(
      this.#case.workflow
        ? `select portolan_status as id from town.${this.#case.table} where id = ${id}`
        : "select 0 as id",
    )) as [{ id: number }];
    return row.id > this.#account.level ? "refused" : [id];
  }

  inserted({ id, kind, owner }: NewRow): Outcome {
    const account = this.#account;
    const { rule, workflow, policy } = this.#case;
    const refused =
      !account.granted ||
      this.isDenied("insert") ||
      (account.ruled && rule === "limit" && kind !== account.kind) ||
      (policy === "own" && owner !== account.name) ||
      (policy === "narrow" && id >= 10) ||
      (workflow && account.level === 0);
    return refused ? "refused" : [id];
  }
}

/** Where row `id` lies: a square of its own in the unit square right of x = id, so that one pixel tells whether it is drawn. */
const PLACE = "st_makeenvelope(i + 0.1, 0.1, i + 0.9, 0.9, 4326)";

/** Rows 0 to 11: every kind, owner, status and author. */
const ROWS = `
select i as id, i % 3 as kind, (array['ann', 'rex', 'pia', 'joe', 'liz', 'boss'])[1 + i % 6] as owner, 'text ' || i as t,
  ${PLACE} as geom
from generate_series(0, 11) i`;

/** Makes all tables, and a copy of each in `backup`. */
export async function buildCases({ client, name }: TestDatabase, cases: readonly Case[] = CASES): Promise<void> {
  await client.query("create schema town; create schema backup; create table town.anybodys (id int primary key)");
  await client.query("select portolan.create_user('crew', null)");
  for (const { name: account, kind, ruled } of ACCOUNTS) {
    await client.query("select portolan.create_user($1, null, user_group => $2, superuser => $3, properties => $4)", [
      account,
      ruled ? "crew" : null,
      account === "boss",
      { kind },
    ]);
    if (account !== "boss") await client.query("select portolan.set_privilege('town.anybodys', $1, 'read')", [account]);
  }
  for (const { table, rule, versioned, workflow, policy } of cases) {
    const relation = `town.${table}`;
    await client.query(`create table ${relation} (id int primary key, kind int, owner text, t text, geom geometry(Polygon, 4326));
      insert into ${relation} ${ROWS}; select portolan.enable_events('${relation}')`);
    for (const { name: account, granted } of ACCOUNTS)
      if (granted && account !== "boss")
        await client.query("select portolan.set_privilege($1, $2, 'write')", [relation, account]);
    if (policy !== "none") await client.query(`alter table ${relation} enable row level security`);
    if (policy === "own")
      await client.query(`create policy own on ${relation} using (owner = (select (portolan.request_context()).name))`);
    if (policy === "narrow")
      await client.query(
        `create policy all_of_them on ${relation} using (true); create policy narrow on ${relation} as restrictive using (id < 10)`,
      );
    if (workflow) {
      for (const { name: account, level } of ACCOUNTS)
        await client.query("select portolan.set_workflow_role($1, $2, $3)", [
          relation,
          account,
          ["none", "author", "reviewer", "publisher"][level],
        ]);
      await client.query("select portolan.enable_workflow($1)", [relation]);
      await client.query(`set session_replication_role = replica;
        update ${relation} set portolan_status = 1 + id / 4, portolan_workflow = jsonb_build_object('author', (array['ann', 'liz'])[1 + id % 2]);
        set session_replication_role = origin`);
    }
    if (versioned) await client.query("select portolan.enable_versioning($1)", [relation]);
    const members = { username: "crew", schema: "town", table };
    if (rule === "limit")
      await client.query("select portolan.create_rule($1)", [
        { ...members, access: "limit", filter: "kind = {{kind}}" },
      ]);
    if (rule === "deny") await client.query("select portolan.create_rule($1)", [{ ...members, access: "deny" }]);
    if (rule === "denywrites")
      for (const request of ["insert", "update", "delete"])
        await client.query("select portolan.create_rule($1)", [{ ...members, access: "deny", request }]);
    await client.query(`create table backup.${table} as table ${relation}`);
    if (versioned) await client.query(`create table backup.h_${table} as table town__history.${table}`);
  }
  await client.query("select portolan.share_with_owner('{town}')");
  await client.query(`revoke all on schema backup from public; comment on schema backup is '${name}'`);
}

/** Puts a table back as it was, its history too. */
export async function putBack(pool: pg.Pool, { table, versioned }: Case): Promise<void> {
  await pool.query(`set session_replication_role = replica;
    delete from town.${table}; insert into town.${table} select * from backup.${table};
    ${versioned ? `delete from town__history.${table}; insert into town__history.${table} select * from backup.h_${table};` : ""}
    set session_replication_role = origin`);
}
