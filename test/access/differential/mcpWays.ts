/** Ways through the agents' door. */
import { FEATURE_READERS, type Records } from "./formats.ts";
import {
  BOX_CONDITION,
  byId,
  countWay,
  described,
  listWay,
  picked,
  seen,
  Busy,
  type Doors,
  type Question,
  type Way,
} from "./way.ts";

const service = "mcp";
/** Rules of two interfaces count for SQL and methods. */
const SQL = { service: "mcp sql", isOwnSql: true } as const;
const all = (): string => "true";
const MOST = 200;

interface Reply {
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}

const REFUSALS = ["FORBIDDEN", "NOT_FOUND", "COLLECTION_NOT_FOUND", "UNAUTHENTICATED"];
/** Of the OGC API: a column that the account does not know. */
const UNKNOWN = ["INVALID_PARAMETER"];

/** The structured content of a call. */
async function call<Answer>(q: Question, doors: Doors, name: string, given: object): Promise<Answer | "refused"> {
  const sent = await doors.send(q.account, `/mcp/${doors.database}`, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });
  if (sent.status === 401) return "refused";
  const [, data = sent.text] = /^data: (.*)$/m.exec(sent.text) ?? [];
  const { result, error } = JSON.parse(data) as Reply;
  if (!result) throw new Error(error?.message ?? sent.text);
  const [{ text } = { text: "" }] = result.content;
  if (!result.isError) return JSON.parse(text) as Answer;
  const told = (JSON.parse(text) as { error: { code: string } }).error;
  if (REFUSALS.includes(told.code) || (name === "features" && UNKNOWN.includes(told.code))) return "refused";
  if (["UNAVAILABLE", "ACCOUNT_BUSY", "TIMEOUT"].includes(told.code)) throw new Busy(text);
  throw new Error(text);
}

interface Rows {
  readonly rows: Records;
  readonly cursor?: string;
}

async function rowsOf(q: Question, doors: Doors, name: string, given: object): Promise<Records | "refused"> {
  const found: Readonly<Record<string, unknown>>[] = [];
  for (let asked = given; ;) {
    const page = await call<Rows>(q, doors, name, asked);
    if (page === "refused") return page;
    found.push(...page.rows);
    if (page.cursor === undefined) return found;
    asked = { cursor: page.cursor };
  }
}

const tableOf = ({ relation }: Question): { table: string } => ({ table: relation.name });
const sqlOf = (q: Question, columns: string): { sql: string } => ({
  sql: `select ${columns} from ${q.relation.name} where ${q.condition.sql} order by id`,
});
const least = ({ number }: Question): string => `n >= ${number}`;

const READS: readonly Way[] = [
  listWay({
    name: "agent reads",
    service,
    shows: "asked",
    ask: (q, doors) =>
      rowsOf(q, doors, "read", { ...tableOf(q), columns: q.columns, where: q.condition.where, limit: MOST }),
  }),
  listWay({
    name: "agent reads all that there is to see, page by page",
    service,
    shows: "allowed",
    condition: all,
    ask: (q, doors) => rowsOf(q, doors, "read", { ...tableOf(q), limit: 7 }),
  }),
  countWay({
    name: "agent counts",
    service,
    async ask(q, doors) {
      const rows = await rowsOf(q, doors, "read", { ...tableOf(q), where: q.condition.where, aggregate: {} });
      return rows === "refused" ? rows : Number(rows[0]!["count"]);
    },
  }),
  {
    name: "agent describes",
    takes: ({ isView }) => !isView,
    expect: (q, truth) => described(q, service, truth),
    async ask(q, doors) {
      const found = await call<{
        table: {
          rights: readonly string[];
          columns: readonly { name: string; rights?: readonly string[] }[];
        };
      }>(q, doors, "describe", tableOf(q));
      if (found === "refused") return found;
      const { rights: usual, columns } = found.table;
      const readable = columns.filter(({ rights = usual }) => rights.includes("select"));
      return readable.map(({ name }) => name).toSorted();
    },
  },
];

async function features(q: Question, doors: Doors, given: object): Promise<Records | "refused"> {
  const found = await call<object>(q, doors, "features", { ...tableOf(q), limit: MOST, ...given });
  return found === "refused" ? found : FEATURE_READERS["json"]!(Buffer.from(JSON.stringify(found)));
}

const FEATURES: readonly Way[] = [
  listWay({
    name: "agent reads features by a filter",
    service,
    shows: "asked",
    ask: (q, doors) => features(q, doors, { filter: q.condition.cql2, columns: q.columns }),
  }),
  listWay({
    name: "agent reads features in a box",
    service,
    shows: "allowed",
    condition: () => BOX_CONDITION.sql,
    ask: (q, doors) => features(q, doors, { bbox: [3, 0, 14, 6] }),
  }),
];

const BY_SQL: readonly Way[] = [
  listWay({
    ...SQL,
    name: "agent reads by SQL",
    shows: "asked",
    ask: (q, doors) => rowsOf(q, doors, "sql", sqlOf(q, q.columns.join(", "))),
  }),
  countWay({
    ...SQL,
    name: "agent counts by SQL",
    async ask(q, doors) {
      const { sql } = sqlOf(q, "id");
      const rows = await rowsOf(q, doors, "sql", { sql: `select count(*) as n from (${sql}) s` });
      return rows === "refused" ? rows : Number(rows[0]!["n"]);
    },
  }),
  ...(
    [
      ["rows", ["id", "n", "t"]],
      ["secrets", ["id", "secret"]],
    ] as const
  ).map(([name, columns]): Way => ({
    name: `agent calls a method, ${name}`,
    async expect(q, truth) {
      const found = await seen({ service: "mcp sql", condition: least, columns: () => columns }, q, truth);
      return found === "refused" ? found : byId(found.rows.map((row) => picked(row, columns)));
    },
    async ask(q, doors) {
      const { schema, table } = q.relation;
      const rows = await rowsOf(q, doors, `method_${schema}_${table}_${name}`, { least: q.number });
      return rows === "refused" ? rows : byId(rows.map((row) => picked(row, columns)));
    },
  })),
];

export const MCP_WAYS: readonly Way[] = [...READS, ...FEATURES, ...BY_SQL];
