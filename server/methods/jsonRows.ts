/** Rows as JSON text from PostgreSQL itself, where that is what this process would write: it costs less to read them. */
import { quoteIdentifier, type Field, type NamedStatement } from "../kernel/database/database.ts";
import type { Column } from "./columns.ts";
import { nameOfPrepared, type Prepared } from "./prepare.ts";
import { baseOf, type Type } from "./types.ts";

/** Types of `pg_catalog` whose `to_json` is what `outputOf` writes. */
const SAME = new Set(
  "int2 int4 int8 float4 float8 bool text varchar bpchar name uuid date time timestamp timestamptz jsonb".split(" "),
);
/** Types whose text is what `outputOf` writes as a string. */
const AS_TEXT = new Set(["numeric"]);

const ROW = "portolan row";

const made = new WeakMap<readonly Column[], NamedStatement | null>();

/** The statement with each row as one JSON object, or undefined. `columns`: as `columnsOf` gives them for `fields`. */
export function jsonStatement(
  prepared: Prepared,
  fields: readonly Field[],
  columns: readonly Column[],
): NamedStatement | undefined {
  let statement = made.get(columns);
  if (statement === undefined) made.set(columns, (statement = make(prepared, fields, columns) ?? null));
  return statement ?? undefined;
}

function make(
  { statement, parameters }: Prepared,
  fields: readonly Field[],
  columns: readonly Column[],
): NamedStatement | undefined {
  if (statement.writes || fields.length === 0) return undefined;
  const shown: string[] = [];
  for (const [index, { name, type, convert, formatted }] of columns.entries()) {
    const expression = expressionOf(type, `c${index}`);
    if (!expression || convert || formatted || name === ROW) return undefined;
    shown.push(`${expression} as ${quoteIdentifier(name)}`);
  }
  const row = quoteIdentifier(ROW);
  const names = fields.map((_field, index) => `c${index}`).join(", ");
  const text = `select pg_catalog.row_to_json(${row}) from (
select ${shown.join(", ")} from (
${statement.body}
) as q (${names})) as ${row}`;
  const types = parameters.map(({ oid }) => oid);
  return { text, name: nameOfPrepared(text, types), types };
}

/** Undefined for a type that PostgreSQL's JSON shows in another way. */
function expressionOf(type: Type, column: string): string | undefined {
  const base = baseOf(type);
  if (base.kind === "e") return `${column}::pg_catalog.text`;
  if (base.kind === "a") return isBuiltIn(base.element!, SAME) ? column : undefined;
  if (isBuiltIn(base, AS_TEXT)) return `${column}::pg_catalog.text`;
  return isBuiltIn(base, SAME) ? column : undefined;
}

function isBuiltIn({ kind, schema, name }: Type, names: ReadonlySet<string>): boolean {
  return kind === "b" && schema === "pg_catalog" && names.has(name);
}
