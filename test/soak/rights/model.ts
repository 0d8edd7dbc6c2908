/**
 * Which account sees which rows, computed without PostgreSQL. Each right has had values, each since a change that took
 * from one instant to another. An answer is right if it fits some values that the rights may have had while it was
 * made.
 */
const NAMES = ["ann", "bob", "cy", "dee", "eve", "fay", "anonymous"] as const;
export type Account = (typeof NAMES)[number];
/** Those that are there all the time. */
export const STEADY: readonly Account[] = NAMES.slice(0, 4);
/** Those that are made and dropped. */
export const COMING: readonly Account[] = ["eve", "fay"];
/** The account of anonymous callers. Every account has its grants. */
export const ANYBODY = "anonymous";
export const ACCOUNTS: readonly Account[] = NAMES;
export const TABLES = ["ours.plots", "theirs.lots"] as const;
export type Table = (typeof TABLES)[number];
export type Service = "graphql" | "ogc" | "sql" | "events";

/** How long anything but a revoked grant may still count. */
export const PROMISE_MS = 5000;

/** None; `id`, `num` and `geom`; all columns. */
export type Grant = 0 | 1 | 2;
export const GRANTS: readonly Grant[] = [0, 1, 2];

export interface Row {
  readonly id: number;
  readonly num: number;
  readonly kind: number;
  readonly owner: string;
}

export const ROWS: readonly Row[] = Array.from({ length: 24 }, (_, n) => ({
  id: n + 1,
  num: ((n + 1) * 7) % 100,
  kind: (n + 1) % 3,
  owner: STEADY[(n + 1) % 4]!,
}));

/** The `properties.kind` of an account. */
export const kindOf = (account: Account): number => ACCOUNTS.indexOf(account) % 3;

interface Policy {
  readonly sql: (may: string) => string;
  /** `least`: the value that the author's function compares with. */
  shows(row: Row, account: Account, least: number): boolean;
}

export const POLICIES: readonly Policy[] = [
  { sql: () => "true", shows: () => true },
  { sql: () => "owner = (select (portolan.request_context()).name)", shows: ({ owner }, account) => owner === account },
  { sql: () => "num > 40", shows: ({ num }) => num > 40 },
  {
    sql: () => "owner = current_setting('jwt.claims.sub', true) or id % 2 = 0",
    shows: ({ id, owner }, account) => owner === account || id % 2 === 0,
  },
  {
    sql: () => "owner = portolan.claims() ->> 'sub' or id < 5",
    shows: ({ id, owner }, account) => owner === account || id < 5,
  },
  { sql: (may) => `${may}(num)`, shows: ({ num }, _account, least) => num > least },
];

interface Rule {
  readonly rule: object | undefined;
  /** The accounts to which it applies. */
  meets(account: Account, isMember: boolean, service: Service): boolean;
  /** Undefined if it denies. */
  readonly shows: ((row: Row, account: Account) => boolean) | undefined;
}

export const RULES: readonly Rule[] = [
  { rule: undefined, meets: () => false, shows: () => true },
  {
    rule: { username: "crew", access: "limit", filter: "kind = {{kind}}" },
    meets: (_account, isMember) => isMember,
    shows: ({ kind }, account) => kind === kindOf(account),
  },
  { rule: { username: "crew", access: "deny" }, meets: (_account, isMember) => isMember, shows: undefined },
  {
    rule: { username: "ann", access: "limit", filter: "num < 60" },
    meets: (account) => account === "ann",
    shows: ({ num }) => num < 60,
  },
  {
    rule: { username: "*", service: "graphql", access: "deny" },
    meets: (_account, _isMember, service) => service === "graphql",
    shows: undefined,
  },
  {
    rule: { username: "cy", service: "ogc", access: "limit", filter: "id > 12" },
    meets: (account, _isMember, service) => account === "cy" && service === "ogc",
    shows: ({ id }) => id > 12,
  },
];

/** The values of one right, in the order of time. */
export class Timeline<Value> {
  readonly #entries: { readonly value: Value; readonly from: number; to: number }[];

  constructor(value: Value) {
    this.#entries = [{ value, from: 0, to: Infinity }];
  }

  get now(): Value {
    return this.#entries.at(-1)!.value;
  }

  /** Sets it to `value` at some moment while `change` runs. */
  async set(value: Value, change: () => Promise<unknown>): Promise<void> {
    const before = this.#entries.at(-1)!;
    const entry = { value, from: performance.now(), to: Infinity };
    this.#entries.push(entry);
    await change();
    before.to = performance.now();
    if (this.#entries.length > 1000) this.#entries.splice(0, 500);
  }

  /** The values that it may have had at a moment from `begin` to `end`. */
  values(begin: number, end: number): Value[] {
    return [...new Set(this.#entries.filter(({ from, to }) => from <= end && to >= begin).map(({ value }) => value))];
  }
}

interface TableRights {
  readonly policy: Timeline<number>;
  readonly rule: Timeline<number>;
  /** The value that the author's function of its policy compares with. */
  readonly least: Timeline<number>;
  readonly grants: Readonly<Record<Account | "crew", Timeline<Grant>>>;
}

export interface Token {
  readonly text: string;
  readonly account: Account;
  readonly family: string;
  /** When its end began, and when it was done. */
  endedFrom?: number;
  endedTo?: number;
}

export class Rights {
  readonly tables: Readonly<Record<Table, TableRights>>;
  readonly members: Readonly<Record<Account, Timeline<boolean>>>;

  constructor() {
    const grants = (): TableRights["grants"] =>
      Object.fromEntries([...ACCOUNTS, "crew"].map((name) => [name, new Timeline<Grant>(0)])) as TableRights["grants"];
    const table = (): TableRights => ({
      policy: new Timeline(0),
      rule: new Timeline(0),
      least: new Timeline(50),
      grants: grants(),
    });
    this.tables = { "ours.plots": table(), "theirs.lots": table() };
    this.members = Object.fromEntries(ACCOUNTS.map((name) => [name, new Timeline(false)])) as Rights["members"];
  }

  /** A revoked grant is gone at once; a new one may be seen late. */
  #grants(account: Account, table: Table, begin: number, end: number): Grant[] {
    const of = this.tables[table].grants;
    const during = (since: number): Grant[] => {
      const own = atLeast(of[account].values(since, end), of[ANYBODY].values(since, end));
      const crew = of.crew.values(since, end);
      const members = this.members[account].values(since, end);
      return own.flatMap((a) => members.flatMap((isMember) => (isMember ? crew.map((b) => (a > b ? a : b)) : [a])));
    };
    const now = during(begin);
    const most = Math.max(...now);
    return [...new Set([...now, ...during(begin - PROMISE_MS).filter((late) => late < most)])];
  }

  /** Everything that may be seen of the table in that time. */
  *possible(account: Account, table: Table, service: Service, { begin, end }: Period): Generator<Seen> {
    const { policy, rule, least } = this.tables[table];
    const since = begin - PROMISE_MS;
    for (const grant of this.#grants(account, table, begin, end))
      for (const isMember of this.members[account].values(since, end))
        for (const ruleNow of rule.values(since, end))
          for (const policyNow of policy.values(since, end))
            for (const leastNow of least.values(since, end))
              yield seenWith(account, service, { grant, isMember, rule: ruleNow, policy: policyNow, least: leastNow });
  }
}

function atLeast(some: readonly Grant[], others: readonly Grant[]): Grant[] {
  return [...new Set(some.flatMap((a) => others.map((b) => (a > b ? a : b))))];
}

/** From the beginning of a request to its answer, on the clock of this process. */
export interface Period {
  readonly begin: number;
  readonly end: number;
}

export interface Seen {
  readonly grant: Grant;
  /** Whether a rule denies it, which a door reports, or shows as no rows. */
  readonly isDenied: boolean;
  readonly ids: string;
  /** For the reader of a fault. */
  readonly because: string;
  /** The same for states that differ only in the body of the author's function. */
  readonly besidesBody: string;
}

interface State {
  readonly grant: Grant;
  readonly isMember: boolean;
  readonly rule: number;
  readonly policy: number;
  readonly least: number;
}

function seenWith(account: Account, service: Service, state: State): Seen {
  const rule = RULES[state.rule]!;
  const isMet = rule.meets(account, state.isMember, service);
  const isDenied = isMet && rule.shows === undefined;
  const rows = ROWS.filter(
    (row) =>
      POLICIES[state.policy]!.shows(row, account, state.least) && (!isMet || (rule.shows?.(row, account) ?? false)),
  );
  const { least: _body, ...besidesBody } = state;
  return {
    grant: state.grant,
    isDenied,
    ids: idsText(rows.map(({ id }) => id)),
    because: JSON.stringify(state),
    besidesBody: JSON.stringify(besidesBody),
  };
}

export const idsText = (ids: readonly number[]): string => [...ids].sort((a, b) => a - b).join(",");
