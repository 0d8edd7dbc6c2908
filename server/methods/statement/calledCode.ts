/** The functions of a statement, by name. Functions that may do more than read are refused before the statement is sent. */
import type { Reached, UserSqlTransaction } from "../../kernel/database/database.ts";
import { GatewayError } from "../../ground/errors.ts";
import { quoteIdentifier } from "../../kernel/database/database.ts";
import { listOf, nameOf, walk, type Statement, type Tree } from "./statement.ts";

interface Name {
  readonly schema: string | null;
  readonly name: string;
}

/** The parts of a statement that may call a function. */
interface Calls {
  readonly functions: readonly (Name & { readonly arguments: number | null })[];
  /** Names of columns, of which each may be a function of a row: `c.f` is `f(c)`. */
  readonly fields: readonly string[];
  readonly operators: readonly Name[];
  readonly types: readonly Name[];
}

/** The names in a statement, as arguments of the SQL functions that look them up. */
const NAMED = `
  $1::pg_catalog.jsonb,
  array(select pg_catalog.to_regclass(n) from pg_catalog.unnest($2::pg_catalog.text[]) n where pg_catalog.to_regclass(n) is not null),
  pg_catalog.current_schemas(true)`;

function namedBy({ tree, relations }: Statement): readonly unknown[] {
  return [JSON.stringify(callsOf(tree)), relations.map((parts) => parts.map(quoteIdentifier).join("."))];
}

/**
 * The relations that a read-only statement reaches, in the catalogue as it is now; undefined where a function that it
 * calls, itself or through views, may do more than read.
 */
export async function reachOf(
  transaction: UserSqlTransaction,
  statement: Statement,
): Promise<readonly Reached[] | undefined> {
  const { rows } = await transaction.query<{ reach: readonly Reached[] | null }>({
    text: `select portolan.statement_reach(${NAMED}) as reach`,
    values: namedBy(statement),
  });
  return rows[0]?.reach ?? undefined;
}

/** Throws `FORBIDDEN` for a statement that calls, itself or through views, a function that is volatile by the catalogue. */
export async function refuseVolatile(transaction: UserSqlTransaction, statement: Statement): Promise<void> {
  const { rows } = await transaction.query<{ name: string }>({
    text: `select v as name from portolan.volatile_calls(${NAMED}) v`,
    values: namedBy(statement),
  });
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name);
  throw new GatewayError(
    "FORBIDDEN",
    `sql: calls ${names.join(", ")}, which may do more than read. Only functions that are stable or immutable are called here; a stored method may call others`,
    { members: { functions: names } },
  );
}

/** Operators that a statement may use without naming them: in USING, IN, BETWEEN, CASE, DISTINCT, ORDER BY. */
const COMPARISONS = ["=", "<>", "<", "<=", ">", ">="];

export function callsOf(tree: Tree): Calls {
  const functions: Calls["functions"][number][] = [];
  const fields = new Set<string>();
  const operators: Name[] = COMPARISONS.map((name) => ({ schema: null, name }));
  const types: Name[] = [];
  walk(tree, (kind, node) => {
    if (kind === "FuncCall") {
      const isOrdered = Boolean(node["agg_within_group"] ?? node["func_variadic"]);
      functions.push({ ...fullName(node["funcname"]), arguments: isOrdered ? null : listOf(node["args"]).length });
    }
    if (kind === "ColumnRef") fields.add(nameOf(node["fields"]));
    if (kind === "A_Indirection") for (const part of listOf(node["indirection"])) fields.add(nameOf([part]));
    if (kind === "A_Expr") operators.push(fullName(node["name"]));
    if (kind === "SubLink" && node["operName"]) operators.push(fullName(node["operName"]));
    if (kind === "SortBy" && node["useOp"]) operators.push(fullName(node["useOp"]));
  });
  walkTypes(tree, (names) => types.push(fullName(names)));
  fields.delete("");
  return { functions, fields: [...fields], operators, types };
}

/** Visits types, which are in a member of their own (`typeName`) without a node kind. */
function walkTypes(node: unknown, visit: (names: unknown) => void): void {
  if (typeof node !== "object" || node === null) return;
  for (const [member, value] of Object.entries(node)) {
    if (/^(typeName|TypeName)$/.test(member)) visit((value as Tree)["names"]);
    walkTypes(value, visit);
  }
}

function fullName(value: unknown): Name {
  const parts = listOf(value);
  const schema = parts.length > 1 ? nameOf(parts.slice(0, -1)) : null;
  return { schema, name: nameOf(value) };
}
