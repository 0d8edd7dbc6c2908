/** Finds the columns that a statement compares, and advises the indexes that they lack. */
import { loadModule, parseSync } from "libpg-query";

/** A node of PostgreSQL's parse tree. */
type Node = Readonly<Record<string, unknown>>;

/** A column that a condition compares. */
export interface ComparedColumn {
  /** Null where the statement names none. */
  readonly schema: string | null;
  readonly table: string;
  readonly column: string;
}

/** Operators that a B-tree or a GiST index of a geometry serves. */
const OPERATORS = new Set(["=", "<", ">", "<=", ">=", "&&", "~", "@", "<->"]);
const KINDS = new Set(["AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_IN", "AEXPR_BETWEEN"]);
/** Functions of PostGIS that ask an index of the geometry first. */
const SPATIAL =
  /^(_?st_)?(intersects|contains|within|covers|coveredby|crosses|overlaps|touches|equals|dwithin|containsproperly)$/;
const MOST = 50;

/**
 * The compared columns of a statement, but for those under OR and NOT, which one index does not serve. A text that cannot be
 * parsed has none. The module of libpg-query must be loaded.
 */
export function comparedColumns(text: string): readonly ComparedColumn[] {
  let tree: unknown;
  try {
    tree = parseSync(text);
  } catch {
    return [];
  }
  const tables = new Map<string, Node[]>();
  const made = new Set<unknown>();
  const columns: (readonly string[])[] = [];
  for (const [member, node] of membersOf(tree)) {
    if (member === "CommonTableExpr") made.add(node["ctename"]);
    if (member === "RangeVar" || member === "relation") {
      const alias = (node["alias"] as Node | undefined)?.["aliasname"] ?? node["relname"];
      if (node["relname"] !== undefined) tables.set(String(alias), [...(tables.get(String(alias)) ?? []), node]);
    }
    if (member === "whereClause" || member === "quals") columns.push(...comparedIn(node));
  }
  const found = columns.flatMap(([qualifier, column]) =>
    [...(qualifier === "" ? [...tables.values()].flat() : (tables.get(qualifier!) ?? []))]
      .filter(({ relname, schemaname }) => schemaname !== undefined || !made.has(relname))
      .map(({ relname, schemaname }) => ({
        schema: schemaname === undefined ? null : String(schemaname),
        table: String(relname),
        column: column!,
      })),
  );
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()].slice(0, MOST);
}

/** All objects of a tree, each with the name of the member that holds it. */
function* membersOf(tree: unknown): Generator<readonly [member: string, node: Node]> {
  if (Array.isArray(tree)) for (const each of tree) yield* membersOf(each);
  else if (typeof tree === "object" && tree !== null)
    for (const [member, value] of Object.entries(tree)) {
      if (typeof value === "object" && value !== null && !Array.isArray(value)) yield [member, value as Node];
      yield* membersOf(value);
    }
}

/** The columns that a condition compares, as [qualifier or "", column]. */
function comparedIn(condition: Node): readonly (readonly string[])[] {
  const all = condition["BoolExpr"] as Node | undefined;
  if (all) return all["boolop"] === "AND_EXPR" ? (all["args"] as Node[]).flatMap(comparedIn) : [];
  const expression = condition["A_Expr"] as Node | undefined;
  if (expression) {
    const { kind, name, lexpr, rexpr } = expression as { kind: string; name: Node[]; lexpr?: Node; rexpr?: Node };
    const operator = String((name.at(-1)?.["String"] as Node | undefined)?.["sval"]);
    const isServed = KINDS.has(kind) && (OPERATORS.has(operator) || kind === "AEXPR_BETWEEN");
    return isServed ? [...columnOf(lexpr), ...columnOf(rexpr)] : [];
  }
  const call = condition["FuncCall"] as Node | undefined;
  const name = ((call?.["funcname"] as Node[] | undefined)?.at(-1)?.["String"] as Node | undefined)?.["sval"];
  return SPATIAL.test(String(name)) ? ((call?.["args"] as Node[] | undefined) ?? []).flatMap(columnOf) : [];
}

function columnOf(node: Node | undefined): readonly (readonly string[])[] {
  const fields = (node?.["ColumnRef"] as Node | undefined)?.["fields"] as Node[] | undefined;
  const names = fields?.map((field) => (field["String"] as Node | undefined)?.["sval"]);
  const column = names?.at(-1);
  return typeof column === "string" ? [[String(names?.at(-2) ?? ""), column]] : [];
}

/** What `portolan.index_advice` answers: the number of the statement, from 0, and SQL that makes an index. */
export interface IndexAdvice {
  readonly statement: number;
  readonly advice: string;
}

/**
 * The rows of `portolan.list_top_statements`, each with the SQL of the indexes that its statement lacks.
 * `ask`: calls `portolan.index_advice` with its argument, as a super user.
 */
export async function withIndexAdvice<Row extends object>(
  rows: readonly Row[],
  ask: (columns: string) => Promise<readonly IndexAdvice[]>,
): Promise<readonly (Row & { readonly missing_indexes: readonly string[] })[]> {
  await loadModule();
  const columns = rows.flatMap((row, statement) =>
    comparedColumns(String((row as { readonly statement?: unknown }).statement)).map((each) => ({
      statement,
      ...each,
    })),
  );
  const advised = await ask(JSON.stringify(columns));
  return rows.map((row, index) => ({
    ...row,
    missing_indexes: advised.flatMap(({ statement, advice }) => (statement === index ? advice : [])),
  }));
}
