/** Ways through GraphQL. */
import { byId, countWay, listWay, picked, seen, Busy, type Doors, type Question, type Way } from "./way.ts";
import type { Row, Truth } from "./truth.ts";
import type { Relation } from "./world.ts";

const service = "graphql";
type Records = readonly Readonly<Record<string, unknown>>[];

const typeOf = ({ table }: Relation): string => table.charAt(0).toUpperCase() + table.slice(1);
const isOne = ({ table }: Relation): boolean => table !== "parts";
const isVersioned = ({ isVersioned: is }: Relation): boolean => is;

interface Reply {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

/** The members of `data`. */
async function run(doors: Doors, { account, relation }: Question, query: string, variables: object = {}) {
  const { status, text } = await doors.send(account, `/api/graphql/schema/${relation.schema}`, { query, variables });
  return dataOf(status, text, query);
}

function dataOf(status: number, text: string, query: string): Readonly<Record<string, unknown>> | "refused" {
  const { data, errors } = JSON.parse(text) as Reply;
  if (!errors) return data!;
  const codes = errors.map(({ extensions }) => extensions.code);
  if (codes.every((code) => ["FORBIDDEN", "UNAUTHENTICATED"].includes(code))) return "refused";
  if (codes.some((code) => ["UNAVAILABLE", "ACCOUNT_BUSY", "TIMEOUT"].includes(code))) throw new Busy(text);
  throw new Error(`${query}: ${status} ${text}`);
}

async function it<Shown>(
  doors: Doors,
  question: Question,
  field: string,
  variables?: object,
): Promise<Shown | "refused"> {
  const heads = { where: "$where: JSON", nodeId: "$nodeId: ID!" };
  const head = Object.keys(variables ?? {}).map((name) => heads[name as keyof typeof heads]);
  const query = `query ${head.length > 0 ? `(${head.join(", ")})` : ""} { it: ${field} }`;
  const data = await run(doors, question, query, variables);
  return data === "refused" ? data : (data["it"] as Shown);
}

const where = ({ condition }: Question): { where: object } => ({ where: condition.where });
const all = (): string => "true";
const ofId = ({ id }: Question): string => `id = ${id}`;

const LISTS: readonly Way[] = [
  listWay({
    name: "GraphQL list",
    service,
    shows: "asked",
    condition: all,
    ask: (q, doors) => it<Records>(doors, q, `get${typeOf(q.relation)} { ${q.columns.join(" ")} }`),
  }),
  listWay({
    name: "GraphQL list, filter",
    service,
    shows: "asked",
    ask: (q, doors) =>
      it<Records>(doors, q, `get${typeOf(q.relation)}(where: $where) { ${q.columns.join(" ")} }`, where(q)),
  }),
  listWay({
    name: "GraphQL row by id",
    service,
    shows: "asked",
    takes: isOne,
    condition: ofId,
    ask: (q, doors) => it<Records>(doors, q, `get${typeOf(q.relation)}(id: "${q.id}") { ${q.columns.join(" ")} }`),
  }),
  listWay({
    name: "GraphQL batch",
    service,
    shows: "id",
    condition: all,
    async ask(q, doors) {
      const query = `{ it: get${typeOf(q.relation)} { id } }`;
      const { status, text } = await doors.send(q.account, `/api/graphql/schema/${q.relation.schema}`, [
        { query: "{ __typename }" },
        { query },
      ]);
      const replies = JSON.parse(text) as readonly object[];
      const data = dataOf(status, JSON.stringify(Array.isArray(replies) ? replies[1] : replies), query);
      return data === "refused" ? data : (data["it"] as Records);
    },
  }),
  listWay({
    name: "GraphQL two fields",
    service,
    shows: "asked",
    condition: all,
    async ask(q, doors) {
      const data = await run(
        doors,
        q,
        `{ a: count${typeOf(q.relation)} it: get${typeOf(q.relation)} { ${q.columns.join(" ")} } }`,
      );
      if (data === "refused") return data;
      const rows = data["it"] as Records;
      if (data["a"] !== rows.length) throw new Error(`${String(data["a"])} were counted`);
      return rows;
    },
  }),
  listWay({
    name: "GraphQL page",
    service,
    shows: "asked",
    ask: async (q, doors) => {
      const page = await it<{ edges: readonly { node: Readonly<Record<string, unknown>> }[]; totalCount: number }>(
        doors,
        q,
        `page${typeOf(q.relation)}(first: 100, where: $where) { edges { node { ${q.columns.join(" ")} } } totalCount }`,
        where(q),
      );
      if (page === "refused") return page;
      if (page.totalCount !== page.edges.length) throw new Error(`totalCount ${page.totalCount}`);
      return page.edges.map(({ node }) => node);
    },
  }),
  listWay({
    name: "GraphQL node",
    service,
    shows: "asked",
    takes: isOne,
    condition: ofId,
    async ask(q, doors) {
      const type = typeOf(q.relation);
      const nodeId = Buffer.from(`${type}:${q.id}`).toString("base64url");
      const node = await it<Record<string, unknown> | null>(
        doors,
        q,
        `node(nodeId: $nodeId) { ... on ${type} { ${q.columns.join(" ")} } }`,
        { nodeId },
      );
      return node === "refused" ? node : node === null ? [] : [node];
    },
  }),
  listWay({
    name: "GraphQL computed column",
    service,
    shows: "id",
    takes: ({ table }) => table === "calc",
    condition: all,
    columns: ({ relation }) => [...relation.columns, "geom"],
    async ask(q, doors) {
      const rows = await it<readonly { id: string; n: number; label: string }[]>(doors, q, "getCalc { id n label }");
      if (rows === "refused") return rows;
      for (const { n, label } of rows) if (label !== `n is ${n}`) throw new Error(label);
      return rows as unknown as Records;
    },
  }),
  ...["", ", then"].map((then) =>
    listWay({
      name: `GraphQL as of${then === "" ? " now" : then}`,
      service,
      shows: "asked",
      takes: isVersioned,
      then: then !== "",
      ask: (q, { instant, ...doors }) => {
        const at = then === "" ? "9999-01-01" : instant;
        const field = `get${typeOf(q.relation)}(asOf: "${at}", where: $where) { ${q.columns.join(" ")} }`;
        return it<Records>({ instant, ...doors }, q, field, where(q));
      },
    }),
  ),
];

const COUNTS: readonly Way[] = [
  countWay({
    name: "GraphQL count",
    service,
    condition: all,
    ask: (q, doors) => it<number>(doors, q, `count${typeOf(q.relation)}`),
  }),
  countWay({
    name: "GraphQL count, filter",
    service,
    ask: (q, doors) => it<number>(doors, q, `count${typeOf(q.relation)}(where: $where)`, where(q)),
  }),
];

/** The first rows by `n`, in their order. */
const FIRST: Way = {
  name: "GraphQL first of an order",
  async expect(q, truth) {
    const found = await seen({ service, condition: all, columns: () => ["id", "n"] }, q, truth);
    if (found === "refused") return found;
    const rows = found.rows.toSorted((a, b) => Number(b["n"]) - Number(a["n"]) || Number(a["id"]) - Number(b["id"]));
    return rows.slice(0, 5).map((row) => picked(row, ["id", "n"]));
  },
  async ask(q, doors) {
    const field = `get${typeOf(q.relation)}(orderBy: [{n: "desc"}, {id: "asc"}], limit: 5) { id n }`;
    const rows = await it<Records>(doors, q, field);
    return rows === "refused" ? rows : rows.map((row) => picked(row, ["id", "n"]));
  },
};

const DISTINCT: Way = {
  name: "GraphQL distinct",
  async expect(q, truth) {
    const found = await seen({ service, condition: all, columns: () => ["id", "kind"] }, q, truth);
    if (found === "refused") return found;
    const first = new Map<string, Row>();
    for (const row of found.rows) if (!first.has(row["kind"]!)) first.set(row["kind"]!, picked(row, ["id", "kind"]));
    return byId([...first.values()]);
  },
  async ask(q, doors) {
    const field = `get${typeOf(q.relation)}(distinctOn: ["kind"], orderBy: [{kind: "asc"}, {id: "asc"}]) { id kind }`;
    const rows = await it<Records>(doors, q, field);
    return rows === "refused" ? rows : byId(rows.map((row) => picked(row, ["id", "kind"])));
  },
};

interface Sums {
  readonly count: number;
  readonly sum: { readonly n: string | null };
  readonly min: { readonly n: number | null };
  readonly by?: { readonly kind: number };
}
const sumsOf = (rows: readonly Row[]): object => ({
  count: rows.length,
  sum: rows.length === 0 ? null : String(rows.reduce((sum, row) => sum + Number(row["n"]), 0)),
  min: rows.length === 0 ? null : Math.min(...rows.map((row) => Number(row["n"]))),
});
const shownSums = ({ count, sum, min }: Sums): object => ({ count, sum: sum.n, min: min.n });

const AGGREGATE: Way = {
  name: "GraphQL aggregate",
  async expect(q, truth) {
    const found = await seen({ service, columns: () => ["n"] }, q, truth);
    return found === "refused" ? found : sumsOf(found.rows);
  },
  async ask(q, doors) {
    const field = `aggregate${typeOf(q.relation)}(where: $where) { count sum { n } min { n } }`;
    const groups = await it<readonly Sums[]>(doors, q, field, where(q));
    return groups === "refused" ? groups : shownSums(groups[0]!);
  },
};

const GROUPS: Way = {
  name: "GraphQL groups",
  async expect(q, truth) {
    const found = await seen({ service, columns: () => ["n", "kind"] }, q, truth);
    if (found === "refused") return found;
    return [0, 1, 2].flatMap((kind) => {
      const rows = found.rows.filter((row) => row["kind"] === String(kind));
      return rows.length === 0 ? [] : [{ kind, ...sumsOf(rows) }];
    });
  },
  async ask(q, doors) {
    const field = `aggregate${typeOf(q.relation)}(where: $where, groupBy: ["kind"]) { by { kind } count sum { n } min { n } }`;
    const groups = await it<readonly Sums[]>(doors, q, field, where(q));
    if (groups === "refused") return groups;
    return groups.map((group) => ({ kind: group.by!.kind, ...shownSums(group) })).toSorted((a, b) => a.kind - b.kind);
  },
};

const isChildren = ({ table }: Relation): boolean => table === "children";

/** What is seen of a relation's neighbour, by the same account. */
function neighbour(q: Question, doors: Doors, table: string): Question {
  return { ...q, relation: doors.relations.find(({ name }) => name === `${q.relation.schema}.${table}`)! };
}

/** Rows of `children` and `parents`, or a refusal where one of them is refused. */
async function family(
  q: Question,
  truth: Truth,
  doors: Doors,
  parents: { readonly condition?: string; readonly columns?: readonly string[] } = {},
): Promise<{ children: readonly Row[]; parents: readonly Row[] } | "refused"> {
  const of = { service, columns: () => ["id", "parent_id"], condition: all } as const;
  const children = await seen(of, q, truth);
  const others = await seen(
    { ...of, columns: () => parents.columns ?? ["id", "n"], condition: () => parents.condition ?? "true" },
    neighbour(q, doors, "parents"),
    truth,
  );
  if (children === "refused" || others === "refused") return "refused";
  return { children: children.rows, parents: others.rows };
}

const RELATED: readonly Way[] = [
  {
    name: "GraphQL parent of a row",
    takes: isChildren,
    async expect(q, truth, doors) {
      const found = await family(q, truth, doors);
      if (found === "refused") return found;
      const parentOf = (child: Row): Row | undefined => found.parents.find(({ id }) => id === child["parent_id"]);
      return found.children.map((child) => [child["id"], parentOf(child)?.["n"] ?? null]);
    },
    async ask(q, doors) {
      type Child = { readonly id: string; readonly parents: { readonly n: number } | null };
      const rows = await it<readonly Child[]>(doors, q, 'getChildren(orderBy: {id: "asc"}) { id parents { n } }');
      return rows === "refused"
        ? rows
        : rows.map(({ id, parents }) => [id, parents === null ? null : String(parents.n)]);
    },
  },
  {
    name: "GraphQL children of rows",
    takes: isChildren,
    async expect(q, truth, doors) {
      const found = await family(q, truth, doors, { columns: ["id"] });
      if (found === "refused") return found;
      return found.parents.map(({ id }) => [
        id,
        found.children.filter((row) => row["parent_id"] === id).map((row) => row["id"]),
      ]);
    },
    async ask(q, doors) {
      type Parent = { readonly id: string; readonly children: readonly { readonly id: string }[] };
      const field = 'getParents(orderBy: {id: "asc"}) { id children(orderBy: {id: "asc"}) { id } }';
      const rows = await it<readonly Parent[]>(doors, q, field);
      return rows === "refused" ? rows : rows.map(({ id, children }) => [id, children.map((child) => child.id)]);
    },
  },
  {
    name: "GraphQL children counted",
    takes: isChildren,
    async expect(q, truth, doors) {
      const found = await family(q, truth, doors, { columns: ["id"] });
      if (found === "refused") return found;
      return found.parents.map(({ id }) => [id, found.children.filter((row) => row["parent_id"] === id).length]);
    },
    async ask(q, doors) {
      type Parent = { readonly id: string; readonly childrenAggregate: readonly { readonly count: number }[] };
      const rows = await it<readonly Parent[]>(
        doors,
        q,
        'getParents(orderBy: {id: "asc"}) { id childrenAggregate { count } }',
      );
      return rows === "refused" ? rows : rows.map(({ id, childrenAggregate }) => [id, childrenAggregate[0]!.count]);
    },
  },
  {
    name: "GraphQL rows whose parent matches",
    takes: isChildren,
    async expect(q, truth, doors) {
      const found = await family(q, truth, doors, { condition: "n >= 40" });
      if (found === "refused") return found;
      const parents = new Set(found.parents.map(({ id }) => id));
      return found.children.filter((row) => parents.has(row["parent_id"])).map(({ id }) => id);
    },
    async ask(q, doors) {
      const field = 'getChildren(where: {parents: {n: {gte: 40}}}, orderBy: {id: "asc"}) { id }';
      const rows = await it<readonly { id: string }[]>(doors, q, field);
      return rows === "refused" ? rows : rows.map(({ id }) => id);
    },
  },
];

export const GRAPHQL_WAYS: readonly Way[] = [...LISTS, ...COUNTS, FIRST, DISTINCT, AGGREGATE, GROUPS, ...RELATED];
