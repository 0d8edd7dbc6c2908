/** Ways through REST and SQL: rows in every format, what is told of a table, statements, methods, and see as. */
import { isDeepStrictEqual } from "node:util";
import { ROW_FORMAT_NAMES, FORMAT_NAMES, type RowFormatName } from "../../../server/formats/names.ts";
import { READERS, type Records } from "./formats.ts";
import {
  allColumns,
  byId,
  countWay,
  described,
  listWay,
  picked,
  seen,
  Busy,
  type Doors,
  type Question,
  type Sent,
  type Way,
} from "./way.ts";
import { SERVICES } from "./rights.ts";
import { ACCOUNTS, type Relation } from "./world.ts";

const BOSS = ACCOUNTS.find(({ name }) => name === "boss")!;
const all = (): string => "true";
const isVersioned = ({ isVersioned: is }: Relation): boolean => is;

const tablePath = ({ schema, table }: Relation, rest: string): string =>
  `/api/v4/schemas/${schema}/tables/${table}${rest}`;

/** Whether it was refused; throws where it is neither that nor 200. */
export function isRefused({ status, text }: Sent, what: string, ...others: number[]): boolean {
  if ([401, 403, ...others].includes(status)) return true;
  if (status !== 200) throw new Error(`${what}: ${status} ${text.slice(0, 600)}`);
  return false;
}

async function rowsOf(
  q: Question,
  doors: Doors,
  query: Readonly<Record<string, string>>,
): Promise<Records | "refused"> {
  const path = tablePath(q.relation, `/rows?${new URLSearchParams(query)}`);
  const sent = await doors.send(q.account, path);
  return isRefused(sent, path)
    ? "refused"
    : READERS[(query["format"] ?? "json") as RowFormatName](sent.bytes, q.columns);
}

const TOOK_TOO_LONG = "57014";

/** FlatGeobuf's reader takes no file without features. */
const FORMATS: readonly Way[] = ROW_FORMAT_NAMES.map((format) => {
  const isOfFeatures = "isOfFeatures" in FORMAT_NAMES[format];
  return listWay({
    name: `REST rows, ${format}`,
    service: "graphql",
    shows: format === "excel" ? "id" : "asked",
    columns: ({ columns }) => [...columns, ...(isOfFeatures ? ["geom"] : [])],
    ask: (q, doors) =>
      rowsOf(q, doors, {
        format,
        where: JSON.stringify(q.condition.where),
        columns: JSON.stringify([...q.columns, ...(isOfFeatures ? ["geom"] : [])]),
      }),
  });
});

const ROWS: readonly Way[] = [
  listWay({
    name: "REST rows, all that there is to see",
    service: "graphql",
    shows: "allowed",
    condition: all,
    ask: (q, doors) => rowsOf(q, doors, {}),
  }),
  listWay({
    name: "REST rows, by a body",
    service: "graphql",
    shows: "asked",
    async ask(q, doors) {
      const path = tablePath(q.relation, "/rows");
      const sent = await doors.send(q.account, path, {
        where: q.condition.where,
        columns: q.columns,
        orderBy: { n: "desc" },
      });
      return isRefused(sent, path) ? "refused" : (JSON.parse(sent.text) as Records);
    },
  }),
  ...["now", "then"].map((at) =>
    listWay({
      name: `REST rows as of ${at}`,
      service: "graphql",
      shows: "asked",
      takes: isVersioned,
      then: at === "then",
      ask: (q, doors) =>
        rowsOf(q, doors, {
          asOf: at === "then" ? doors.instant : "9999-01-01T00:00:00Z",
          where: JSON.stringify(q.condition.where),
          columns: JSON.stringify(q.columns),
        }),
    }),
  ),
];

/** How many there are of each kind. */
const CLASSES: Way = {
  name: "REST classes",
  async expect(q, truth) {
    const found = await seen({ service: "graphql", condition: all, columns: () => ["kind"] }, q, truth);
    if (found === "refused") return found;
    return [0, 1, 2].flatMap((kind) => {
      const count = found.rows.filter((row) => row["kind"] === String(kind)).length;
      return count === 0 ? [] : [[kind, count]];
    });
  },
  async ask(q, doors) {
    const path = tablePath(q.relation, "/classes?column=kind&method=unique");
    const sent = await doors.send(q.account, path);
    if (isRefused(sent, path, 404, 400)) return "refused"; // of a table or a column that it does not know
    const classes = JSON.parse(sent.text) as { lower: number; count: number }[];
    return classes.toSorted((a, b) => a.lower - b.lower).map(({ lower, count }) => [lower, count]);
  },
};

/** What is different between then and now. */
const DIFFERENCES: Way = {
  name: "REST differences",
  takes: isVersioned,
  async expect(q, truth) {
    const of = { service: "graphql", condition: all, columns: () => ["id"] } as const;
    const [then, now] = [await seen({ ...of, then: true }, q, truth), await seen(of, q, truth)];
    if (then === "refused" || now === "refused") return "refused";
    const [before, after] = [then, now].map(({ rows }) => new Map(rows.map((row) => [row["id"]!, row])));
    return [...new Set([...before!.keys(), ...after!.keys()])]
      .map((key) => ({ key, before: before!.get(key) ?? null, after: after!.get(key) ?? null }))
      .filter((each) => !isDeepStrictEqual(each.before, each.after))
      .toSorted((a, b) => Number(a.key) - Number(b.key));
  },
  async ask({ account, relation }, doors) {
    const path = tablePath(relation, `/diff?from=${encodeURIComponent(doors.instant)}`);
    const sent = await doors.send(account, path);
    if (isRefused(sent, path, 404)) return "refused";
    const found = JSON.parse(sent.text) as {
      key: string;
      before: Records[number] | null;
      after: Records[number] | null;
    }[];
    const shown = (row: Records[number] | null) => row && picked(row, relation.columns);
    return found.map(({ key, before, after }) => ({ key, before: shown(before), after: shown(after) }));
  },
};

/** The versions of a row: two of each, where every row was updated once since the instant. */
const VERSIONS: Way = {
  name: "REST history of a row",
  takes: (relation) => isVersioned(relation) && !relation.isWritten,
  async expect(q, truth) {
    const of = { service: "graphql", condition: ({ id }: Question) => `id = ${id}`, columns: () => ["id"] } as const;
    const [then, now] = [await seen({ ...of, then: true }, q, truth), await seen(of, q, truth)];
    return then === "refused" || now === "refused"
      ? "refused"
      : [...then.rows, ...now.rows].map((row) => picked(row, q.relation.columns));
  },
  async ask({ account, relation, id }, doors) {
    const path = tablePath(relation, `/history?key=${id}`);
    const sent = await doors.send(account, path);
    if (isRefused(sent, path, 404)) return "refused";
    const found = JSON.parse(sent.text) as { record: Records[number] }[];
    return found.map(({ record }) => picked(record, relation.columns));
  },
};

/** Which columns it may select. */
const DESCRIPTION: Way = {
  name: "REST table",
  expect: (q, truth) => described(q, "graphql", truth),
  takes: ({ isView }) => !isView,
  async ask(q, doors) {
    const path = tablePath(q.relation, "");
    const sent = await doors.send(q.account, path);
    if (isRefused(sent, path, 404)) return "refused";
    const { columns } = JSON.parse(sent.text) as { columns: readonly { name: string; rights: readonly string[] }[] };
    return columns
      .filter(({ rights }) => rights.includes("select"))
      .map(({ name }) => name)
      .toSorted();
  },
};

/** A super user sees as the account. */
const SEE_AS: readonly Way[] = SERVICES.map((service) => ({
  name: `see as, ${service}`,
  takes: ({ isView }) => !isView,
  async expect({ account, relation }, truth) {
    const found = await truth.of({ account, relation, service });
    if (found === "refused") return { columns: [], count: 0, keys: [] };
    return {
      columns: found.isDenied ? [] : found.columns.toSorted(),
      count: found.rows.length,
      keys: found.rows.map(({ id }) => id),
    };
  },
  async ask({ account, relation }, doors) {
    const path = "/api/v4/access/explain";
    const sent = await doors.send(BOSS, path, { account: account.name, relation: relation.name, service });
    if (isRefused(sent, path)) return "refused";
    const { columns, count, keys } = JSON.parse(sent.text) as {
      columns: readonly string[];
      count: number;
      keys: readonly { id: number }[];
    };
    return {
      columns: columns.toSorted(),
      count,
      keys: keys.map(({ id }) => String(id)).toSorted((a, b) => Number(a) - Number(b)),
    };
  },
}));

async function sql(q: Question, doors: Doors, text: string): Promise<Records | "refused"> {
  const sent = await doors.send(q.account, "/api/v4/sql", { q: text });
  return isRefused(sent, text) ? "refused" : (JSON.parse(sent.text) as { data: Records }).data;
}

const OWN_SQL = { service: "sql", isOwnSql: true } as const;
const SQL: readonly Way[] = [
  listWay({
    ...OWN_SQL,
    name: "SQL",
    shows: "asked",
    ask: (q, doors) => sql(q, doors, `select ${q.columns.join(", ")} from ${q.relation.name} where ${q.condition.sql}`),
  }),
  listWay({
    ...OWN_SQL,
    name: "SQL in a sub-select",
    shows: "id",
    ask: (q, doors) =>
      sql(
        q,
        doors,
        `select s.id from (select * from (select id from ${q.relation.name} where ${q.condition.sql}) i) s`,
      ),
  }),
  countWay({
    ...OWN_SQL,
    name: "SQL, counted",
    async ask(q, doors) {
      const rows = await sql(q, doors, `select count(*) as n from ${q.relation.name} where ${q.condition.sql}`);
      return rows === "refused" ? rows : Number(rows[0]!["n"]);
    },
  }),
  listWay({
    ...OWN_SQL,
    name: "SQL as of then",
    shows: "asked",
    takes: isVersioned,
    then: true,
    columns: allColumns,
    deniedIsEmpty: true,
    ask: (q, doors) =>
      sql(
        q,
        doors,
        `select ${q.columns.join(", ")} from open__history.as_of_${q.relation.table}('${doors.instant}') where ${q.condition.sql}`,
      ),
  }),
  {
    name: "SQL join",
    takes: ({ table }) => table === "children",
    async expect(q, truth, doors) {
      const parents = doors.relations.find(({ name }) => name === `${q.relation.schema}.parents`)!;
      const of = { ...OWN_SQL, condition: all };
      const children = await seen({ ...of, columns: () => ["id", "parent_id"] }, q, truth);
      const others = await seen({ ...of, columns: () => ["id", "n"] }, { ...q, relation: parents }, truth);
      if (children === "refused" || others === "refused") return "refused";
      const numbers = new Map(others.rows.map(({ id, n }) => [id, n]));
      return children.rows.flatMap(({ id, parent_id: parent }) =>
        numbers.has(parent) ? [[id, numbers.get(parent)]] : [],
      );
    },
    async ask(q, doors) {
      const { schema } = q.relation;
      const text = `select c.id, p.n from ${schema}.children c join ${schema}.parents p on p.id = c.parent_id order by 1`;
      const rows = await sql(q, doors, text);
      return rows === "refused" ? rows : rows.map(({ id, n }) => [String(id), String(n)]);
    },
  },
];

async function method(q: Question, doors: Doors, name: string): Promise<Records | "refused"> {
  const { schema, table } = q.relation;
  const sent = await doors.send(q.account, "/api/v4/call", {
    jsonrpc: "2.0",
    id: 1,
    method: `${schema}_${table}.${name}`,
    params: { least: q.number },
  });
  if (isRefused(sent, name)) return "refused";
  const { result, error } = JSON.parse(sent.text) as {
    result?: { data: Records };
    error?: { data?: { sqlstate?: string; code?: string } };
  };
  if (error?.data?.sqlstate === "42501") return "refused";
  if (["UNAVAILABLE", "ACCOUNT_BUSY"].includes(error?.data?.code ?? "") || error?.data?.sqlstate === TOOK_TOO_LONG)
    throw new Busy(sent.text);
  if (!result) throw new Error(sent.text);
  return result.data;
}

const least = ({ number }: Question): string => `n >= ${number}`;
const METHODS: readonly Way[] = [
  ...(
    [
      ["rows", ["id", "n", "t"]],
      ["secrets", ["id", "secret"]],
    ] as const
  ).map(([name, columns]): Way => ({
    name: `method, ${name}`,
    async expect(q, truth) {
      const found = await seen({ service: "sql", condition: least, columns: () => columns }, q, truth);
      return found === "refused" ? found : byId(found.rows.map((row) => picked(row, columns)));
    },
    async ask(q, doors) {
      const rows = await method(q, doors, name);
      return rows === "refused" ? rows : byId(rows.map((row) => picked(row, columns)));
    },
  })),
  countWay({
    name: "method, counted",
    service: "sql",
    condition: least,
    async ask(q, doors) {
      const rows = await method(q, doors, "count");
      return rows === "refused" ? rows : Number(rows[0]!["count"]);
    },
  }),
];

export const REST_WAYS: readonly Way[] = [
  ...FORMATS,
  ...ROWS,
  CLASSES,
  DIFFERENCES,
  VERSIONS,
  DESCRIPTION,
  ...SEE_AS,
  ...SQL,
  ...METHODS,
];
