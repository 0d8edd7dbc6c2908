/** The rules, members and owners as they are, and random changes of them and of grants and policies, made to both twins. */
import type pg from "pg";
import type { Random } from "../../support/random.ts";
import type { TestDatabase } from "../../support/databases.ts";
import {
  ACCOUNTS,
  GROUP,
  MEMBERS,
  authorOf,
  roleOf,
  shareTwins,
  someColumns,
  twinOf,
  WORKFLOW_ROLES,
  WORKFLOW_ROLE_OF,
  type Account,
  type Relation,
} from "./world.ts";

export const SERVICES = ["graphql", "ogc", "ows", "wfst", "sql", "events", "mcp"] as const;
/** Two of them at once: both must let it, and two limits deny together. */
const OF_TWO = "mcp sql";
export type Service = (typeof SERVICES)[number] | typeof OF_TWO;
/** What a rule can be asked for. */
export const ASKED: readonly Service[] = [...SERVICES, OF_TWO];

interface Rule {
  readonly username: string;
  readonly access: "allow" | "limit" | "deny";
  readonly service?: Service;
  readonly filter?: string;
}

/** In the order in which they are asked. */
const RULES: readonly (readonly Rule[])[] = [
  [],
  [{ username: GROUP, access: "limit", filter: "kind = {{kind}}" }],
  [{ username: GROUP, access: "deny" }],
  [
    { username: "ann", access: "limit", filter: "n < 60" },
    { username: "bob", access: "deny" },
  ],
  [{ username: "*", service: "graphql", access: "deny" }],
  [{ username: "*", service: "ogc", access: "limit", filter: "id > 12" }],
  [
    { username: "bob", access: "allow" },
    { username: "*", access: "limit", filter: "n between 20 and 80" },
  ],
  [{ username: "*", service: "sql", access: "deny" }],
  [
    { username: "ann", service: "events", access: "deny" },
    { username: "*", service: "events", access: "limit", filter: "n > 30 or id < 9" },
  ],
  [{ username: "*", service: "mcp", access: "deny" }],
  [
    { username: "*", service: "mcp", access: "limit", filter: "n > 10" },
    { username: GROUP, service: "sql", access: "limit", filter: "id < 20" },
  ],
  [{ username: "anonymous", access: "limit", filter: "kind = 1" }],
  [
    { username: "bob", service: "wfst", access: "deny" },
    { username: GROUP, service: "ows", access: "deny" },
    { username: "*", service: "wfst", access: "limit", filter: "n > 30" },
  ],
  [
    { username: GROUP, service: "ogc", access: "deny" },
    { username: GROUP, service: "graphql", access: "limit", filter: "owner <> 'bob'" },
    { username: "cy", access: "limit", filter: "secret like '%1%'" },
  ],
];

/** What may be written. */
const WRITES: readonly string[] = [
  ...["", "update (t)", "update", "insert", "delete", "insert (id, n, t, geom), delete"],
  ...["insert, delete", "insert, update, delete", "insert, update, delete"],
];

/** `$S` is the schema. */
const POLICIES: readonly string[] = [
  "true",
  "owner = split_part(current_user, '@', 1)",
  "n > 40",
  "owner = (select (portolan.request_context()).name)",
  "$S.may(n)",
  "owner = current_setting('jwt.claims.sub', true) or id % 2 = 0",
  "kind in (select m.kind from $S.members m where m.account = split_part(current_user, '@', 1))",
];

/** Pictures and features meet the rules of the OGC API, and what describes it those of both that let less through. */
function meets({ service: named, access }: Rule, service: Service): boolean {
  if (named === undefined || named === service) return true;
  const isPart = (one: Service): boolean => one === "ows" || one === "wfst";
  return named === "ogc" ? isPart(service) : service === "ogc" && isPart(named) && access !== "allow";
}

/** What a change may show late, and to whom; all where it is not said. */
export interface Touched {
  readonly relation?: string;
  readonly account?: string;
}

export class Rights {
  readonly #database: TestDatabase;
  readonly #client: pg.Client;
  readonly #relations: readonly Relation[];
  readonly #random: Random;
  readonly #rules = new Map<string, readonly Rule[]>();
  readonly #owners = new Map<string, string>();
  readonly #members = new Set<string>();
  readonly #superUsers = new Set(["boss"]);
  /** The rights of the last round, for a report about a difference. */
  readonly last: string[] = [];
  readonly counts: Record<string, number> = {};

  constructor(database: TestDatabase, relations: readonly Relation[], random: Random) {
    this.#database = database;
    this.#client = database.client;
    this.#relations = relations;
    this.#random = random;
    for (const { schema, beneath } of relations)
      this.#owners.set(beneath, schema === "team" ? authorOf(database) : "postgres");
  }

  /** What the account may do in the workflow of a table: see `WORKFLOW_ROLES`; 3 where none holds for it. */
  workflowLevel({ name }: Account, { beneath }: Relation): number {
    if (this.#superUsers.has(name) || this.#owners.get(beneath) === roleOf(this.#database, name)) return 3;
    return WORKFLOW_ROLES.indexOf(WORKFLOW_ROLE_OF[name] ?? "reader");
  }

  /** The rule that decides; undefined: none does. */
  ruleFor(account: Account, relation: Relation, service: Service): Rule | undefined {
    if (service !== OF_TWO) return this.#ruleOf(account, relation, service);
    const [one, other] = (["mcp", "sql"] as const).map((each) => this.#ruleOf(account, relation, each));
    const isOpen = (rule: Rule | undefined): boolean => (rule?.access ?? "allow") === "allow";
    if (one === other || isOpen(other)) return one;
    return isOpen(one) ? other : { username: "*", access: "deny" };
  }

  /** The filter of the rule that decides, in SQL; undefined: none limits the rows. */
  ruleFilter(account: Account, relation: Relation, service: Service): string | undefined {
    const rule = this.ruleFor(account, relation, service);
    return rule?.access === "limit" ? rule.filter!.replaceAll("{{kind}}", String(account.kind)) : undefined;
  }

  #ruleOf({ name }: Account, { beneath }: Relation, service: Service): Rule | undefined {
    if (this.#superUsers.has(name) || this.#owners.get(beneath) === roleOf(this.#database, name)) return undefined;
    return (this.#rules.get(beneath) ?? []).find(
      (rule) =>
        meets(rule, service) &&
        (["*", name].includes(rule.username) || (rule.username === GROUP && this.#members.has(name))),
    );
  }

  /** All to most, so that there is something to see at first. */
  async begin(): Promise<void> {
    for (const relation of this.#relations)
      for (const { name } of ACCOUNTS)
        if (!["boss", "keeper"].includes(name)) await this.#grantTo(relation, name, this.#random.of([0, 1, 2, 2, 2]));
    for (const name of MEMBERS.slice(0, 2)) await this.#setMember(name, true);
    for (const relation of this.#relations) await this.rule(relation);
    for (const relation of this.#relations.filter(({ hasPolicy }) => hasPolicy)) await this.policy(relation);
    await shareTwins(this.#client);
    this.last.length = 0;
  }

  /** One change; what it touches that may be seen late. */
  async change(): Promise<Touched> {
    const kinds = { grant: 5, group: 1, member: 2, policy: 3, rule: 4, body: 1, owner: 2, superUser: 1 } as const;
    const kind = this.#random.of(
      Object.entries(kinds).flatMap(([name, weight]) => Array<string>(weight).fill(name)) as (keyof typeof kinds)[],
    );
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    const of = kind === "policy" ? this.#relations.filter(({ hasPolicy }) => hasPolicy) : this.#relations;
    const touched = await this[kind](this.#random.of(of));
    await shareTwins(this.#client);
    return touched;
  }

  async grant(relation: Relation): Promise<Touched> {
    const account = this.#random.of(ACCOUNTS.filter(({ name }) => !["boss", "keeper"].includes(name))).name;
    await this.#grantTo(relation, account, this.#random.of([0, 1, 2, 2]));
    return { relation: relation.name, ...(account !== "anonymous" && { account }) };
  }

  async group(relation: Relation): Promise<Touched> {
    await this.#grantTo(relation, GROUP, this.#random.of([0, 1, 2]));
    return { relation: relation.name };
  }

  async #grantTo(relation: Relation, account: string, level: number): Promise<void> {
    const role = `"${account}@${this.#database.name}"`;
    const columns = level === 1 ? ` (${someColumns(relation)})` : "";
    const give = level === 0 ? "" : `grant select${columns} on $T to ${role};`;
    await this.#both(relation, `revoke select on $T from ${role}; ${give}`);
    if (!relation.isWritten) return;
    const writes = this.#random.of(WRITES);
    const giveWrites = writes === "" ? "" : `grant ${writes} on $T to ${role};`;
    await this.#both(relation, `revoke insert, update, delete on $T from ${role}; ${giveWrites}`);
  }

  async member(): Promise<Touched> {
    const account = this.#random.of(MEMBERS);
    await this.#setMember(account, !this.#members.has(account));
    return { account };
  }

  async #setMember(account: string, isMember: boolean): Promise<void> {
    await this.#run(`select portolan.update_user('${account}', '{"user_group": ${isMember ? `"${GROUP}"` : "null"}}')`);
    if (isMember) this.#members.add(account);
    else this.#members.delete(account);
  }

  async superUser(): Promise<Touched> {
    const isOne = !this.#superUsers.has("eve");
    await this.#run(`select portolan.update_user('eve', '{"superuser": ${isOne}}')`);
    if (isOne) this.#superUsers.add("eve");
    else this.#superUsers.delete("eve");
    return { account: "eve" };
  }

  async policy(relation: Relation): Promise<Touched> {
    const using = this.#random.of(POLICIES);
    await this.#both(relation, `alter policy seen on $T using (${using})`);
    return { relation: relation.name };
  }

  async rule({ beneath }: Relation): Promise<Touched> {
    const rules = this.#random.of(RULES);
    const [schema, table] = beneath.split(".");
    const made = rules.map((rule, index) => JSON.stringify({ ...rule, schema, table, priority: index + 1 }));
    await this.#run(
      [
        `select portolan.drop_rule(id) from portolan.list_rules() where schema = '${schema}' and "table" = '${table}'`,
        ...made.map((rule) => `select portolan.create_rule('${rule.replaceAll("'", "''")}')`),
      ].join(";\n"),
    );
    this.#rules.set(beneath, rules);
    return { relation: beneath };
  }

  /** Of the function of policies. */
  async body({ schema }: Relation): Promise<Touched> {
    const least = this.#random.of([20, 50, 80]);
    for (const each of [schema, twinOf(schema)])
      await this.#run(`create or replace function ${each}.may(n int) returns boolean language plpgsql stable as
$$ begin perform set_config('TimeZone', 'Asia/Tokyo', false), set_config('jwt.claims.sub', 'bob', false); return n > ${least}; end $$`);
    return {};
  }

  /** Of a table, and of the function: what was shared runs on own logins then, and the other way round. */
  async owner(relation: Relation): Promise<Touched> {
    const owner = this.#random.of(["postgres", authorOf(this.#database)]);
    if (this.#random.below(3) === 0) {
      for (const each of [relation.schema, twinOf(relation.schema)])
        await this.#run(`alter function ${each}.may(int) owner to ${owner}`);
      return {};
    }
    await this.#both(relation, `alter ${relation.isView ? "view" : "table"} $T owner to ${owner}`);
    if (!relation.isView) this.#owners.set(relation.name, owner);
    return { relation: relation.name };
  }

  /** The same for what a door shows, and for its twins. */
  async #both({ schema, table, isVersioned }: Relation, text: string): Promise<void> {
    const twin = twinOf(schema);
    const names = [`${schema}.${table}`, `${twin}.${table}`, ...(isVersioned ? [`${twin}.${table}_then`] : [])];
    for (const name of names) await this.#run(text.replaceAll("$T", name).replaceAll("$S", name.split(".")[0]!));
  }

  /** Again where the gateway grants at the same moment, or a deadlock was found. */
  async #run(text: string): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        await this.#client.query(`begin; ${text}; commit`);
        this.last.push(text);
        return;
      } catch (error) {
        await this.#client.query("rollback");
        if (tries > 20 || !/tuple concurrently|deadlock|try again|lock timeout/.test(String(error))) throw error;
      }
  }
}
