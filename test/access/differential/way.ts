/** A way of asking: a question goes in, and what is shown comes out, in the form in which the truth is told. */
import type { Random } from "../../support/random.ts";
import type { SocketClient } from "../../support/webSocket.ts";
import type { Row, Seen, Truth } from "./truth.ts";
import type { Service } from "./rights.ts";
import type { Account, Relation } from "./world.ts";

/** A condition in each language. */
export interface Condition {
  readonly sql: string;
  readonly where: object;
  readonly cql2: string;
}

const BOX = "3,0,14,6";
/** In which only columns are named that the lower grant has, too. */
const OPEN_CONDITIONS: readonly Condition[] = [
  { sql: "true", where: {}, cql2: "id > 0" },
  { sql: "n >= 40", where: { n: { gte: 40 } }, cql2: "n >= 40" },
  {
    sql: "id in (1, 2, 3, 5, 8, 13, 21)",
    where: { id: { in: [1, 2, 3, 5, 8, 13, 21] } },
    cql2: "id in (1,2,3,5,8,13,21)",
  },
  { sql: "n < 20 or id > 18", where: { or: [{ n: { lt: 20 } }, { id: { gt: 18 } }] }, cql2: "n < 20 or id > 18" },
  { sql: "t is null", where: { t: { isNull: true } }, cql2: "t is null" },
  {
    sql: `geom && st_makeenvelope(${BOX}, 4326)`,
    where: { geom: { bbox: BOX.split(",").map(Number) } },
    cql2: "s_intersects(geom, POLYGON((3 0, 14 0, 14 6, 3 6, 3 0)))",
  },
];
const CLOSED_CONDITIONS: readonly Condition[] = [
  { sql: "kind = 1", where: { kind: { eq: 1 } }, cql2: "kind = 1" },
  { sql: "secret like '%2%'", where: { secret: { like: "%2%" } }, cql2: "secret like '%2%'" },
  { sql: "owner = 'bob'", where: { owner: "bob" }, cql2: "owner = 'bob'" },
];
export const BOX_CONDITION = OPEN_CONDITIONS.at(-1)!;

export interface Question {
  readonly account: Account;
  readonly relation: Relation;
  /** What is asked for, `id` first. */
  readonly columns: readonly string[];
  readonly condition: Condition;
  readonly id: number;
  /** From 0 to 99. */
  readonly number: number;
}

export function questionOf(random: Random, account: Account, relation: Relation): Question {
  const others = relation.columns.filter((column) => column !== "id");
  const open = others.filter((column) => ["n", "t"].includes(column));
  return {
    account,
    relation,
    columns: ["id", ...random.some(random.below(3) > 0 ? open : others, 4)],
    condition: random.of(random.below(5) > 0 ? OPEN_CONDITIONS : CLOSED_CONDITIONS),
    id: 1 + random.below(26),
    number: random.below(100),
  };
}

export type Answer = "refused" | unknown;

/** What the ways ask with. */
export interface Doors {
  /** Gives what the service answers. A text is sent as XML. Throws `Busy` for 503 and 429. */
  send(account: Account, path: string, body?: object | string): Promise<Sent>;
  /** A socket of an account that has signed in. The caller closes it. */
  socket(account: Account): Promise<SocketClient>;
  /** As the owner of all. */
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly database: string;
  readonly instant: string;
  readonly relations: readonly Relation[];
}

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly bytes: Buffer;
}

export interface Way {
  readonly name: string;
  /** Whether it can ask that of the relation. Default it can. */
  takes?(relation: Relation): boolean;
  expect(question: Question, truth: Truth, doors: Doors): Promise<Answer>;
  /** `expected` tells what to wait for, where nothing says that there is no more to come. */
  ask(question: Question, doors: Doors, expected: Answer): Promise<Answer>;
}

/** No connection was free, or there was too little time: the answer says nothing about rows. */
export class Busy extends Error {}

/** Whether no right helps: only the OGC API answers anonymous callers. A role that the team made cannot run SQL of its own. */
function isShutOut({ name }: Account, service: Service, isOwnSql = false): boolean {
  return (name === "anonymous" && !["ogc", "ows", "wfst"].includes(service)) || (name === "keeper" && isOwnSql);
}

export interface Wanted {
  readonly service: Service;
  readonly then?: boolean;
  readonly isOwnSql?: boolean;
  /** Columns that must all be granted, or it is refused. Default those of the question. */
  readonly columns?: (question: Question) => readonly string[];
  /** Default that of the question. */
  readonly condition?: (question: Question) => string;
  /** Whether a rule that denies shows as no rows. */
  readonly deniedIsEmpty?: boolean;
}

/** Of a read as of an instant: the function that reads the history names every column. */
export const allColumns = ({ relation }: Question): readonly string[] => [...relation.columns, "geom"];

/** What the account sees of the relation in that way. */
export async function seen(wanted: Wanted, question: Question, truth: Truth): Promise<Seen | "refused"> {
  const { account, relation, columns, condition } = question;
  const { service, then = false } = wanted;
  if (isShutOut(account, service, wanted.isOwnSql)) return "refused";
  const all = await truth.of({
    account,
    relation,
    service,
    then,
    condition: wanted.condition?.(question) ?? condition.sql,
  });
  if (all === "refused") return all;
  const needed = wanted.columns?.(question) ?? columns;
  if (!needed.every((column) => all.columns.includes(column))) return "refused";
  if (all.isDenied && !wanted.deniedIsEmpty && !relation.isView) return "refused";
  return all;
}

/** The columns that a description shows as readable: none of them to an account that may only write. */
export async function described(
  question: Question,
  service: Service,
  truth: Truth,
): Promise<readonly string[] | "refused"> {
  const { account, relation } = question;
  const found = await seen({ service, condition: () => "true", columns: () => [] }, question, truth);
  if (found !== "refused") return found.columns.toSorted();
  return !isShutOut(account, service) && (await truth.mayWrite(account, relation, service)) ? [] : found;
}

/** Only these columns, of values as text, without nulls. */
export function picked(row: Readonly<Record<string, unknown>>, columns: readonly string[]): Row {
  return Object.fromEntries(
    columns
      .filter((column) => row[column] !== null && row[column] !== undefined && row[column] !== "")
      .map((column) => [column, String(row[column])]),
  );
}

export const byId = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => Number(a["id"]) - Number(b["id"]));

type Records = readonly Readonly<Record<string, unknown>>[];

export interface ListWay extends Wanted {
  readonly name: string;
  readonly takes?: (relation: Relation) => boolean;
  /** Which columns the answer has: those of the question, `id` alone, or all that may be seen. */
  readonly shows: "asked" | "id" | "allowed";
  ask(question: Question, doors: Doors): Promise<Records | "refused">;
}

/** A way that shows rows. */
export function listWay(way: ListWay): Way {
  const columnsOf = ({ columns, relation }: Question): readonly string[] =>
    way.shows === "asked" ? columns : way.shows === "id" ? ["id"] : relation.columns;
  return {
    name: way.name,
    ...(way.takes && { takes: way.takes }),
    async expect(question, truth) {
      const columns = way.columns ?? ((asked: Question) => (way.shows === "allowed" ? ["id"] : columnsOf(asked)));
      const all = await seen({ ...way, columns }, question, truth);
      return all === "refused" ? all : byId(all.rows.map((row) => picked(row, columnsOf(question))));
    },
    async ask(question, doors) {
      const rows = await way.ask(question, doors);
      return rows === "refused" ? rows : byId(rows.map((row) => picked(row, columnsOf(question))));
    },
  };
}

/** A way that shows how many. */
export function countWay(way: Wanted & Pick<Way, "name" | "takes" | "ask">): Way {
  return {
    name: way.name,
    ...(way.takes && { takes: way.takes }),
    async expect(question, truth) {
      const all = await seen({ columns: () => [], ...way }, question, truth);
      return all === "refused" ? all : all.rows.length;
    },
    ask: way.ask,
  };
}
