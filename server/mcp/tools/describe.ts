/** `describe`: the tables of the account, or one of them in full. */
import { z } from "zod";
import { sqlstateOf, SQLSTATE, toGatewayError } from "../../ground/errors.ts";
import { contextOf, type Agent, type TableFields } from "../agent.ts";
import { findTable, qualified, searchTables, tablesOf, type Table } from "../catalogue.ts";
import { fromCursor, toCursor } from "../cursor.ts";
import { quoteIdentifier } from "../../kernel/database/database.ts";
import { detailOf, fieldsOf, isGeometry, type Column, type TableDetail } from "../table.ts";
import { cursorText, nextCursor, tableName, toolOf, type ToolAnswer } from "./tool.ts";

const input = z.strictObject({
  table: tableName.optional(),
  schema: z.string().max(200).optional().describe("Only its tables"),
  search: z
    .string()
    .max(200)
    .optional()
    .describe("Only tables in whose name, comment or columns each of these words is found"),
  cursor: cursorText.optional(),
});
type Args = z.infer<typeof input>;

const column = z.strictObject({
  name: z.string(),
  inSql: z.string().optional().describe("Its name for the tool sql, if that differs"),
  type: z.string().describe("In PostgreSQL"),
  nullable: z.boolean().optional(),
  description: z.string().optional(),
  values: z.array(z.string()).optional().describe("The labels of an enum"),
  default: z.string().optional(),
  rights: z.array(z.string()).optional().describe("Where they are not those of the table"),
});
const output = z.strictObject({
  tables: z
    .array(
      z.strictObject({
        table: z.string(),
        kind: z.string().optional().describe("Default table"),
        description: z.string().optional(),
        rights: z.array(z.string()).describe("select, insert, update, delete, as the account has them"),
        geometry: z.boolean().optional().describe("Whether features and map show it"),
        rows: z.int().optional().describe("An estimate; absent where there is none, or row security hides some"),
      }),
    )
    .optional(),
  table: z
    .strictObject({
      table: z.string(),
      kind: z.string(),
      description: z.string().optional(),
      rights: z.array(z.string()),
      key: z.array(z.string()).describe("The columns of the primary key"),
      rows: z.int().nullable().describe("The rows that the account sees; null where counting takes too long"),
      columns: z.array(column),
      relations: z
        .record(
          z.string(),
          z.strictObject({ table: z.string(), many: z.boolean(), on: z.record(z.string(), z.string()) }),
        )
        .describe("For relations and where of read: name → the other table, and its column for each of this one"),
      keepsHistorySince: z.string().optional().describe("The earliest instant for asOf of read"),
      example: z.record(z.string(), z.unknown()).optional().describe("Arguments of read"),
    })
    .optional(),
  cursor: nextCursor,
});

const PAGE = 100;
const COUNT_MS = 1000;

export const describe = toolOf({
  name: "describe",
  title: "Describe tables",
  description:
    'Lists the tables and views that the account may use, or with "table" describes one: columns, types, keys, relations, how many rows. Begin here. {} lists them, {"search": "words"} finds them.',
  example: { right: "select", given: ({ table }) => ({ table }) },
  input,
  output,
  async run(agent, args) {
    const place = args.cursor === undefined ? undefined : await fromCursor(agent, "describe", args.cursor);
    const wanted = (place?.arguments ?? args) as Args;
    return wanted.table === undefined
      ? listTables(agent, wanted, Number(place?.at ?? 0))
      : describeTable(agent, await findTable(agent, wanted.table));
  },
});

async function listTables(agent: Agent, wanted: Args, from: number): Promise<ToolAnswer> {
  const { cursor: _before, ...again } = wanted;
  const words = wanted.search?.split(/\s+/).filter(Boolean) ?? [];
  const all = words.length === 0 ? await tablesOf(agent) : await searchTables(agent, words);
  const found = wanted.schema === undefined ? all : all.filter(({ schema }) => schema === wanted.schema);
  const shown = found.slice(from, from + PAGE);
  const at = from + shown.length;
  const cursor = at < found.length ? await toCursor(agent, { tool: "describe", arguments: again, at }) : undefined;
  return { structured: { tables: shown.map(toEntry), ...(cursor !== undefined && { cursor }) } };
}

export function toEntry(table: Table) {
  const { kind, description, rights, geometry, rows } = table;
  return {
    table: qualified(table),
    ...(kind !== "table" && { kind }),
    ...(description !== null && { description: withoutTags(description) }),
    rights,
    ...(geometry && { geometry }),
    ...(rows !== null && { rows }),
  };
}

/** A comment without its lines for PostGraphile and for this service. */
export function withoutTags(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith("@"))
    .join("\n")
    .trim();
}

export async function describeTable(agent: Agent, table: Table): Promise<ToolAnswer> {
  const detail = await detailOf(agent, table, true);
  const fields = await fieldsOf(agent, table).catch((error: unknown) => {
    if (toGatewayError(error).code !== "NOT_FOUND") throw error;
    return undefined;
  });
  const { kind, description, rights } = table;
  const visible = new Set((await tablesOf(agent)).map(qualified));
  const relations = [...(fields?.relations ?? [])].flatMap(([name, { schema, table: other, many, on }]) =>
    visible.has(`${schema}.${other}`)
      ? [[name, { table: `${schema}.${other}`, many, on: Object.fromEntries(on) }] as const]
      : [],
  );
  return {
    structured: {
      table: {
        table: qualified(table),
        kind,
        ...(description !== null && { description: withoutTags(description) }),
        rights,
        key: detail.key,
        rows: await countRows(agent, table),
        columns: detail.columns.map((one) => toColumn(one, table, fields)),
        relations: Object.fromEntries(relations),
        ...(detail.versioned_since !== null && { keepsHistorySince: detail.versioned_since }),
        ...(rights.includes("select") && { example: exampleOf(table, detail, fields) }),
      },
    },
  };
}

function toColumn(column: Column, { rights }: Table, fields: TableFields | undefined) {
  const { name, type, nullable, description, values, default: value, rights: own } = column;
  const field = [...(fields?.columns ?? [])].find(([, one]) => one.column === name)?.[0] ?? name;
  const isUsual = rights.every((right) => right === "delete" || own.includes(right));
  return {
    name: field,
    ...(field !== name && { inSql: name }),
    type,
    ...(nullable && { nullable }),
    ...(description !== null && { description: withoutTags(description) }),
    ...(values && { values }),
    ...(value !== null && { default: value }),
    ...(!isUsual && { rights: own }),
  };
}

/** A call of `read` that works, of the table's own columns. */
function exampleOf(table: Table, { columns }: TableDetail, fields: TableFields | undefined): object {
  const readable = columns.filter((one) => one.rights.includes("select") && !isGeometry(one));
  const names = readable.slice(0, 3).flatMap(({ name }) => {
    const field = [...(fields?.columns ?? [])].find(([, one]) => one.column === name)?.[0];
    return field === undefined ? [] : [field];
  });
  const [first] = names;
  return {
    table: qualified(table),
    ...(names.length > 0 && { columns: names }),
    ...(first !== undefined && { orderBy: { [first]: "desc" } }),
    limit: 5,
  };
}

/** Null where it takes too long. */
async function countRows(agent: Agent, { schema, name, rights }: Table): Promise<number | null> {
  if (!rights.includes("select")) return null;
  const reach = [{ schema, name, request: "select" }] as const;
  try {
    const { rows } = await agent.database.withIdentity(
      agent.caller.identity,
      { ...contextOf(agent), timeoutMs: COUNT_MS, reach },
      (transaction) =>
        transaction.query<{ count: string }>({
          text: `select count(*)::text as count from ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`,
          last: true,
        }),
    );
    return Number(rows[0]!.count);
  } catch (error) {
    const known: readonly unknown[] = [SQLSTATE.queryCanceled, SQLSTATE.insufficientPrivilege];
    if (known.includes(sqlstateOf(error))) return null;
    throw error;
  }
}
