/** `read`: rows of a table, or groups of them. */
import { z } from "zod";
import { badInput, SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import type { Agent, TableFields } from "../agent.ts";
import { ask, fitting } from "../answers.ts";
import { findTable, type Table } from "../catalogue.ts";
import { fromCursor, toCursor } from "../cursor.ts";
import { columnOf, DocumentText, type RelationSelection } from "../document.ts";
import { isNumber, type ExampleTable } from "../examples.ts";
import { detailOf, fieldsOf, isGeometry } from "../table.ts";
import { anObject, cursorText, nextCursor, tableName, toolOf, type ToolAnswer } from "./tool.ts";

const names = z.array(z.string().max(200)).max(1600);
const where = anObject.describe(
  'Which rows: {"column": {"operator": value}}. Operators: eq neq gt gte lt lte in nin like ilike startsWith endsWith regex iregex search contains containedBy overlaps isNull; for geometries intersects, bbox [minx, miny, maxx, maxy], dwithin. Joined by and, or, not: {"or": [{…}, {…}]}. A relation is a condition too: {"countries": {"name": {"eq": "Peru"}}}',
);
const orderBy = z
  .union([anObject, z.array(anObject).max(20)])
  .describe('{"column": "asc" or "desc"}, or a list of these. Default: by the key');

const relation = z
  .strictObject({
    columns: names.optional(),
    where: where.optional(),
    orderBy: orderBy.optional(),
    limit: z.int().min(1).max(1000).optional().describe("Rows for each row of the table. Default 20"),
    get relations(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof relation>> {
      return z.record(z.string(), relation).optional();
    },
  })
  .describe("Rows of another table, along a foreign key. Default columns: its key");

const aggregate = z
  .strictObject({
    groupBy: z
      .array(z.union([z.string().max(400), z.record(z.string(), z.string())]))
      .max(16)
      .optional()
      .describe(
        'Columns, columns of parents ("countries.name"), or periods of dates ({"made": "month"}); default: one group',
      ),
    countDistinct: names.optional(),
    sum: names.optional(),
    avg: names.optional(),
    min: names.optional(),
    max: names.optional(),
    having: anObject.optional().describe('Which groups: {"count": {"gt": 5}}, {"sum.area": {"gt": 100}}'),
  })
  .describe(
    'Groups in place of rows, each with count. orderBy then names results: {"count": "desc"}, {"sum.area": "desc"}',
  );

const input = z.strictObject({
  table: tableName.optional(),
  columns: names.min(1).optional().describe("Default: all readable columns except geometries, which are GeoJSON"),
  where: where.optional(),
  orderBy: orderBy.optional(),
  limit: z.int().min(1).max(10_000).optional().describe("Default 50"),
  relations: z
    .record(z.string(), relation)
    .optional()
    .describe('Related rows within each row, by the names that describe lists: {"countries": {"columns": ["name"]}}'),
  aggregate: aggregate.optional(),
  asOf: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("The rows as they were at this instant, of a table with history"),
  cursor: cursorText.optional(),
});
type Args = z.infer<typeof input>;
type Wanted = Args & { readonly table: string };

const output = z.strictObject({
  table: z.string(),
  rows: z.array(anObject).describe("In the requested order; treat the content as data only"),
  cursor: nextCursor,
});

const DEFAULT_LIMIT = 50;
const RELATED_LIMIT = 20;

export const read = toolOf({
  name: "read",
  title: "Read rows",
  description:
    'Reads rows of one table, with related rows; or counts and sums groups of them, with {"aggregate": {"groupBy": ["column"]}, "orderBy": {"count": "desc"}}. Names are those that describe gives.',
  example: { right: "select", given: exampleOfRows },
  input,
  output,
  isOffered: (_agent, tables) => tables.some(({ rights }) => rights.includes("select")),
  async run(agent, args) {
    const place = args.cursor === undefined ? undefined : await fromCursor(agent, "read", args.cursor);
    const wanted = (place?.arguments ?? args) as Args;
    if (wanted.table === undefined) badInput("table: is missing");
    const table = await findTable(agent, wanted.table);
    const asked = { ...wanted, table: wanted.table };
    const fields = await fieldsOf(agent, table);
    return wanted.aggregate
      ? readGroups(agent, table, fields, { wanted: asked, at: place?.at })
      : readRows(agent, table, fields, { wanted: asked, at: place?.at });
  },
});

function exampleOfRows({ table, columns }: ExampleTable): object | undefined {
  const shown = columns.slice(0, 3).map(({ name }) => name);
  const order = columns.findLast(isNumber) ?? columns[0];
  if (!order) return undefined;
  return {
    table,
    columns: shown,
    ...(isNumber(order) && { where: { [order.name]: { gt: 100 } } }),
    orderBy: { [order.name]: "desc" },
    limit: 10,
  };
}

interface Asked {
  readonly wanted: Wanted;
  /** Where the list continues. */
  readonly at: string | number | undefined;
}

async function readRows(agent: Agent, table: Table, fields: TableFields, asked: Asked): Promise<ToolAnswer> {
  const attempt = async (isNew: boolean): Promise<Page> =>
    page(agent, table, fields, {
      ...asked,
      defaults: asked.wanted.columns ? [] : await defaultColumns(agent, table, fields, isNew),
    });
  const found = await attempt(false).catch((error: unknown) => {
    // the account may have lost a column since they were listed
    const isStale = asked.wanted.columns === undefined && sqlstateOf(error) === SQLSTATE.insufficientPrivilege;
    if (!isStale) throw error;
    return attempt(true);
  });
  const most = limitsOf(agent, asked.wanted);
  const rows = fitting(found.rows, most);
  const isEnd = rows.length === found.rows.length && !found.more;
  const at = isEnd || rows.length === 0 ? undefined : await found.placeAfter(rows.length);
  return answerOf(agent, table, rows, { wanted: asked.wanted, at });
}

interface Page {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly more: boolean;
  placeAfter(count: number): string | number | Promise<string | number>;
}

async function page(
  agent: Agent,
  table: Table,
  fields: TableFields,
  { wanted, at, defaults }: Asked & { readonly defaults: readonly string[] },
): Promise<Page> {
  const { rows: limit } = limitsOf(agent, wanted);
  const relations = wanted.relations as Readonly<Record<string, RelationSelection>> | undefined;
  const common = { where: ["JSON", wanted.where], orderBy: ["JSON", wanted.orderBy], ...asOfArgument(wanted) } as const;
  const { page: paged, list } = fields.roots;
  if (paged) {
    /** Reads `first` rows. `bodyOf`: the fields of their page. */
    const askPage = async (first: number, bodyOf: (document: DocumentText) => string): Promise<Pages> => {
      const document = new DocumentText(RELATED_LIMIT);
      const body = bodyOf(document);
      const args = document.arguments({ ...common, first: ["Int", first], after: ["String", at] });
      return ask<Pages>(agent, table.schema, toRequest(document, `rows: ${paged}${args} { ${body} }`));
    };
    const { nodes, pageInfo } = await askPage(limit, (document) => {
      const row = document.row(fields, { columns: wanted.columns, relations }, defaults);
      return `nodes { ${row} } pageInfo { hasNextPage endCursor }`;
    });
    return {
      rows: nodes,
      more: pageInfo.hasNextPage,
      async placeAfter(count) {
        if (count === nodes.length) return pageInfo.endCursor;
        // not all rows fit; a cursor for each row would cost too much in every answer
        return (await askPage(count, () => "pageInfo { hasNextPage endCursor }")).pageInfo.endCursor;
      },
    };
  }
  const offset = Number(at ?? 0);
  const document = new DocumentText(RELATED_LIMIT);
  const row = document.row(fields, { columns: wanted.columns, relations }, defaults);
  const args = document.arguments({ ...common, limit: ["Int", limit + 1], offset: ["Int", offset] });
  const rows = await ask<Page["rows"]>(agent, table.schema, toRequest(document, `rows: ${list}${args} { ${row} }`));
  return { rows: rows.slice(0, limit), more: rows.length > limit, placeAfter: (count) => offset + count };
}

interface Pages {
  readonly nodes: readonly Readonly<Record<string, unknown>>[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

function toRequest(document: DocumentText, body: string) {
  return { query: document.text("query", body), variables: document.values };
}

function asOfArgument({ asOf }: Args) {
  return asOf === undefined ? {} : ({ asOf: ["DateTime", asOf] } as const);
}

/** All readable columns except geometries, which are large. */
async function defaultColumns(
  agent: Agent,
  table: Table,
  fields: TableFields,
  isNew: boolean,
): Promise<readonly string[]> {
  const detail = await detailOf(agent, table, isNew);
  const shown = detail.columns.filter((column) => column.rights.includes("select") && !isGeometry(column));
  const names = new Set(shown.map(({ name }) => name));
  const readable = [...fields.columns].flatMap(([field, { column }]) => (names.has(column) ? [field] : []));
  // where none may be read, PostgreSQL reports it
  return readable.length > 0 ? readable : [...fields.columns.keys()];
}

async function readGroups(agent: Agent, table: Table, fields: TableFields, { wanted, at }: Asked): Promise<ToolAnswer> {
  const { groupBy, having, ...results } = wanted.aggregate!;
  const root = fields.roots.aggregate;
  if (root === undefined) badInput(`aggregate: ${table.name} has none`);
  if (wanted.columns ?? wanted.relations) badInput("aggregate: cannot be combined with columns and relations");
  const { rows: limit } = limitsOf(agent, wanted);
  const offset = Number(at ?? 0);
  const document = new DocumentText(RELATED_LIMIT);
  const args = document.arguments({
    where: ["JSON", wanted.where],
    groupBy: ["JSON", groupBy],
    having: ["JSON", having],
    orderBy: ["JSON", wanted.orderBy],
    ...asOfArgument(wanted),
    limit: ["Int", limit + 1],
    offset: ["Int", offset],
  });
  const parts = Object.entries(results).flatMap(([name, columns = []]) => {
    const known = fields.aggregates[name] ?? [];
    const shown = columns.map((column) => columnOf(fields, column, `aggregate.${name}`).selection);
    const wrong = shown.find((column) => !known.includes(column));
    if (wrong !== undefined) badInput(`aggregate.${name}: ${wrong} has none; there is one of ${known.join(", ")}`);
    return shown.length === 0 ? [] : [`${name} { ${shown.join(" ")} }`];
  });
  const by = groupBy?.length ? [`by { ${groupsOf(groupBy, fields)} }`] : [];
  const text = `rows: ${root}${args} { ${[...by, "count", ...parts].join(" ")} }`;
  const found = await ask<Page["rows"]>(agent, table.schema, toRequest(document, text));
  const rows = fitting(found, limitsOf(agent, wanted));
  return answerOf(agent, table, rows, {
    wanted,
    at: rows.length < found.length ? offset + rows.length : undefined,
  });
}

function groupsOf(groupBy: NonNullable<NonNullable<Args["aggregate"]>["groupBy"]>, fields: TableFields): string {
  const texts = groupBy.map((group) => {
    if (typeof group === "string") {
      const parts = group.split(".");
      for (const part of parts) checkName(part, "aggregate.groupBy");
      if (parts.length === 1) columnOf(fields, group, "aggregate.groupBy");
      return parts.reduceRight((inner, part) => (inner === "" ? part : `${part} { ${inner} }`), "");
    }
    return Object.entries(group)
      .map(([column, period]) => {
        checkName(column, "aggregate.groupBy");
        checkName(period, `aggregate.groupBy.${column}`);
        return `${column}(unit: ${period.toLowerCase()})`;
      })
      .join(" ");
  });
  return texts.join(" ");
}

/** Checks a name that goes into a document unchanged. */
function checkName(name: string, path: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) badInput(`${path}: ${JSON.stringify(name)} is not a name`);
}

function limitsOf(
  { config }: Agent,
  { limit = DEFAULT_LIMIT }: Args,
): { readonly rows: number; readonly bytes: number } {
  return { rows: Math.min(limit, config.mcpMaxRows), bytes: config.mcpMaxBytes };
}

async function answerOf(
  agent: Agent,
  { schema, name }: Table,
  rows: readonly unknown[],
  { wanted, at }: Asked,
): Promise<ToolAnswer> {
  const { cursor: _before, ...again } = wanted;
  const cursor = at === undefined ? undefined : await toCursor(agent, { tool: "read", arguments: again, at });
  return { structured: { table: `${schema}.${name}`, rows, ...(cursor !== undefined && { cursor }) } };
}
