/**
 * Examples in the descriptions of tools, made from tables that the account sees, because an agent may know nothing else
 * of them.
 */
import { quoteIdentifier } from "../kernel/database/database.ts";
import type { Agent } from "./agent.ts";
import { qualified, type Right, type Table } from "./catalogue.ts";
import { detailOf, isGeometry, type Column } from "./table.ts";

/** A table of an example, with columns that the account may use in the way that the tool does. */
export interface ExampleTable {
  /** `schema.table`. */
  readonly table: string;
  /** The value as SQL writes it. */
  readonly sql: string;
  /** The column of a key of one column. */
  readonly key: Column | undefined;
  readonly columns: readonly Column[];
}

/** The texts of a tool's example. */
export interface ExampleOptions {
  /** The right that its table must have. */
  readonly right: Right;
  /** Whether its table must have geometries. Default: both are accepted. */
  readonly geometry?: boolean;
  /** Arguments of the tool; undefined where the table has no column that fits. */
  given(example: ExampleTable): object | undefined;
}

/** Names that are the same in GraphQL and in SQL. */
const PLAIN_NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;
/** The number of tables that are searched for one example. */
const MOST_TRIED = 3;

/** The arguments as JSON; undefined where no table fits. */
export async function exampleFor(
  agent: Agent,
  tables: readonly Table[],
  { right, geometry = false, given }: ExampleOptions,
): Promise<string | undefined> {
  const fitting = tables.filter((table) => table.rights.includes(right) && (!geometry || table.geometry));
  // a table with rows is a better example
  const best = fitting.toSorted((a, b) => Number((b.rows ?? 0) > 0) - Number((a.rows ?? 0) > 0)).slice(0, MOST_TRIED);
  for (const table of best) {
    const detail = await detailOf(agent, table).catch(() => undefined); // revoked from the account, or dropped, just now
    if (!detail) continue;
    const usual = (column: Column): boolean => PLAIN_NAME.test(column.name) && !isGeometry(column) && !column.generated;
    const usable = detail.columns.filter(
      (column) =>
        usual(column) && (right === "delete" ? column.rights.includes("select") : column.rights.includes(right)),
    );
    const [only, ...more] = detail.key;
    const key = more.length === 0 ? detail.columns.find(({ name }) => name === only) : undefined;
    const arguments_ = given({
      table: qualified(table),
      sql: [table.schema, table.name].map(quoteIdentifier).join("."),
      key: key && usual(key) ? key : undefined,
      columns: usable,
    });
    if (arguments_) return JSON.stringify(arguments_);
  }
  return undefined;
}

const NUMBER = /^(smallint|integer|bigint|numeric|real|double precision)\b/;

export function isNumber({ type }: Column): boolean {
  return NUMBER.test(type);
}

/** A value that its type has. */
export function valueOf({ type, values }: Column): unknown {
  if (values?.[0] !== undefined) return values[0];
  if (NUMBER.test(type)) return 5;
  if (type === "boolean") return true;
  if (/^date$/.test(type)) return "2026-01-31";
  if (/^timestamp/.test(type)) return "2026-01-31T12:00:00Z";
  if (/^(text|character)/.test(type)) return "new";
  return undefined;
}

/** Columns that are not of the key and of which `valueOf` knows a value. */
export function ordinary({ columns, key }: ExampleTable): readonly Column[] {
  return columns.filter((column) => column.name !== key?.name && valueOf(column) !== undefined);
}
