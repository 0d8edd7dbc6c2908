/** `insert`, `update` and `delete`: rows of a table are changed. */
import { z } from "zod";
import { badInput } from "../../ground/errors.ts";
import type { Agent, TableFields } from "../agent.ts";
import { ask, fitting } from "../answers.ts";
import { findTable, qualified, type Right, type Table } from "../catalogue.ts";
import { noteWrite } from "../audit.ts";
import { DocumentText } from "../document.ts";
import { ordinary, valueOf, type ExampleTable } from "../examples.ts";
import { detailOf, fieldsOf, isGeometry } from "../table.ts";
import { anObject, tableName, toolOf, type ToolAnswer } from "./tool.ts";

const maxAffected = z
  .int()
  .min(1)
  .max(100_000)
  .optional()
  .describe("Where the statement would write more rows it writes none. Default 1");
const dryRun = z
  .boolean()
  .optional()
  .describe(
    "Runs it, returns the changes, and rolls them back. Call it this way first, and show the user what would change",
  );
const whichRows = anObject.describe('Which rows, as where of read: {"id": {"eq": 5}}');

const output = z.strictObject({
  table: z.string(),
  affected: z.int().describe("The number of rows that were written, or with dryRun would be"),
  rows: z.array(anObject).describe("As they are afterwards, deleted ones as they were; only as many as fit"),
  before: z.array(anObject).optional().describe("With dryRun of update: the same rows as they are"),
  dryRun: z.boolean().describe("Whether it was rolled back"),
});

const DRY_FIRST = "Call it with dryRun first.";

interface Change {
  readonly verb: "insert" | "update" | "delete";
  readonly table: string;
  readonly dryRun?: boolean | undefined;
  readonly where?: Readonly<Record<string, unknown>> | undefined;
  readonly maxAffected?: number | undefined;
  /** The other arguments of the field. */
  readonly given: Readonly<Record<string, readonly [type: string, value: unknown]>>;
}

const may =
  (right: Right) =>
  (_agent: Agent, tables: readonly Table[]): boolean =>
    tables.some(({ rights }) => rights.includes(right));

/** The condition for one row, by its key. */
function rowOf({ key }: ExampleTable): object | undefined {
  const value = key && valueOf(key);
  return key && value !== undefined ? { [key.name]: { eq: value } } : undefined;
}

export const insert = toolOf({
  name: "insert",
  title: "Insert rows",
  description: `Inserts rows into a table. ${DRY_FIRST}`,
  example: {
    right: "insert",
    given(example) {
      const needed = example.columns.filter(({ nullable, has_default: has }) => !nullable && !has);
      const row = needed.length > 0 ? needed : ordinary(example).slice(0, 2);
      if (row.length === 0 || row.some((column) => valueOf(column) === undefined)) return undefined;
      const values = Object.fromEntries(row.map((column) => [column.name, valueOf(column)]));
      return { table: example.table, rows: [values], dryRun: true };
    },
  },
  input: z.strictObject({
    table: tableName,
    rows: z.array(anObject).min(1).max(10_000).describe("By column; missing columns take their defaults"),
    maxAffected,
    dryRun,
  }),
  output,
  writes: true,
  isOffered: may("insert"),
  async run(agent, { table, rows, maxAffected: most = 1, dryRun: dry }) {
    if (rows.length > most)
      badInput(
        `rows: there are ${rows.length}, but maxAffected is ${most}. Nothing was written; set maxAffected: ${rows.length}`,
      );
    return change(agent, { verb: "insert", table, dryRun: dry, given: { objects: ["[JSON]", rows] } });
  },
});

export const update = toolOf({
  name: "update",
  title: "Update rows",
  description: `Changes rows of a table. ${DRY_FIRST}`,
  example: {
    right: "update",
    given(example) {
      const [first] = ordinary(example);
      const where = rowOf(example);
      return where && first && { table: example.table, where, set: { [first.name]: valueOf(first) }, dryRun: true };
    },
  },
  input: z.strictObject({
    table: tableName,
    where: whichRows,
    set: anObject.describe("The new values, by column"),
    maxAffected,
    dryRun,
  }),
  output,
  writes: true,
  destroys: true,
  isOffered: may("update"),
  run: (agent, { table, where, set, maxAffected: most = 1, dryRun: dry }) =>
    change(agent, { verb: "update", table, where, maxAffected: most, dryRun: dry, given: { data: ["JSON", set] } }),
});

export const remove = toolOf({
  name: "delete",
  title: "Delete rows",
  description: `Deletes rows of a table. ${DRY_FIRST}`,
  example: {
    right: "delete",
    given(example) {
      const where = rowOf(example);
      return where && { table: example.table, where, dryRun: true };
    },
  },
  input: z.strictObject({ table: tableName, where: whichRows, maxAffected, dryRun }),
  output,
  writes: true,
  destroys: true,
  isOffered: may("delete"),
  run: (agent, { table, where, maxAffected: most = 1, dryRun: dry }) =>
    change(agent, { verb: "delete", table, where, maxAffected: most, dryRun: dry, given: {} }),
});

async function change(agent: Agent, asked: Change): Promise<ToolAnswer> {
  const { verb, where, maxAffected: most, given } = asked;
  const dry = asked.dryRun === true;
  const table = await findTable(agent, asked.table);
  const fields = await fieldsOf(agent, table);
  const root = fields.roots[verb];
  if (root === undefined) badInput(`${verb}: the table ${qualified(table)} does not support it`);
  if (where !== undefined && Object.keys(where).length === 0) badInput("where: must say which rows");
  const shown = await shownColumns(agent, table, fields);
  const before = dry && verb === "update" ? await readBefore(agent, table, fields, { where, most, shown }) : undefined;
  const document = new DocumentText(0);
  const args = document.arguments({ ...given, where: ["JSON", where], maxAffected: ["Int", most] });
  const row = document.row(fields, { columns: shown }, []);
  const query = document.text("mutation", `rows: ${root}${args} { ${row} }`);
  const rows = await ask<readonly unknown[]>(agent, table.schema, { query, variables: document.values, dry });
  if (!dry) await noteWrite(agent, { tool: verb, table: qualified(table), rows: rows.length });
  const { mcpMaxRows, mcpMaxBytes } = agent.config;
  return {
    structured: {
      table: qualified(table),
      affected: rows.length,
      rows: rows.length === 0 ? [] : fitting(rows, { rows: mcpMaxRows, bytes: mcpMaxBytes }),
      ...(before && { before }),
      dryRun: dry,
    },
  };
}

/**
 * The columns that the account may read, without geometries; where it may read none, the first one, so that GraphQL
 * refuses it.
 */
async function shownColumns(agent: Agent, table: Table, fields: TableFields): Promise<readonly string[]> {
  const { columns } = await detailOf(agent, table);
  const readable = new Set(
    columns.filter((one) => one.rights.includes("select") && !isGeometry(one)).map(({ name }) => name),
  );
  const shown = [...fields.columns].flatMap(([field, { column }]) => (readable.has(column) ? [field] : []));
  return shown.length > 0 ? shown : [...fields.columns.keys()].slice(0, 1);
}

/** The rows that an update would change, as far as the account may read them. */
async function readBefore(
  agent: Agent,
  { schema }: Table,
  fields: TableFields,
  {
    where,
    most = 1,
    shown,
  }: { readonly where: unknown; readonly most: number | undefined; readonly shown: readonly string[] },
): Promise<readonly unknown[]> {
  const { mcpMaxRows, mcpMaxBytes } = agent.config;
  const limit = Math.min(most, mcpMaxRows);
  const document = new DocumentText(0);
  const args = document.arguments({ where: ["JSON", where], limit: ["Int", limit] });
  const row = document.row(fields, { columns: shown }, []);
  const query = document.text("query", `rows: ${fields.roots.list}${args} { ${row} }`);
  const rows = await ask<readonly unknown[]>(agent, schema, { query, variables: document.values });
  return rows.length === 0 ? [] : fitting(rows, { rows: limit, bytes: mcpMaxBytes });
}
