/** Finds the columns that a statement compares, and advises the indexes that they lack. */
import { loadModule } from "libpg-query";
import { quoteIdentifier } from "../kernel/database/database.ts";
import { membersOf, treeOf, type Node } from "./parseTree.ts";

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
  const tables = new Map<string, Node[]>();
  const made = new Set<unknown>();
  const columns: (readonly string[])[] = [];
  for (const [member, node] of membersOf(treeOf(text))) {
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
interface IndexAdvice {
  readonly statement: number;
  readonly advice: string;
}

/** What `portolan.try_index` answers. */
interface Trial {
  /** SQL that makes it. */
  readonly index: string;
  readonly used: boolean | null;
  readonly cost_before: number | null;
  readonly cost_after: number | null;
  readonly problem: string | null;
}

interface NumberedTrial extends Trial {
  /** The number of the statement. */
  readonly trial: number;
}

type Advised<Row> = Row & {
  readonly missing_indexes: readonly string[];
  readonly index_trials: readonly Trial[];
};

/** The questions to the database, asked as a super user; `$1`: JSON. */
export const ADVISE = "portolan.index_advice($1)";

/**
 * It may run code of the tables that it explains. Names are looked up as in requests, and in the schemas of extensions: that
 * of PostGIS is not in the path of a command.
 */
export const TRY = `(
  select t.trial, t.index, i.*
  from pg_catalog.jsonb_to_recordset($1::pg_catalog.jsonb) t (
      trial pg_catalog.int4, statement pg_catalog.text, index pg_catalog.text, names pg_catalog.text[], relations pg_catalog.text[])
    cross join (
      select pg_catalog.concat_ws(', ', pg_catalog.current_setting('search_path'),
        pg_catalog.string_agg(distinct pg_catalog.quote_ident(n.nspname), ', ')) as path
      from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid operator(pg_catalog.=) e.extnamespace) p
    cross join lateral portolan.try_index(t.statement, t.index, t.names, t.relations, p.path) i)`;

/** The rows of one of the questions, with its argument. */
export type Ask = (question: typeof ADVISE | typeof TRY, argument: string) => Promise<readonly unknown[]>;

/** The rows of `portolan.list_top_statements`, each with the SQL of the indexes that its statement lacks, and their trials. */
export async function withIndexAdvice<Row extends object>(
  rows: readonly Row[],
  ask: Ask,
): Promise<readonly Advised<Row>[]> {
  await loadModule();
  const columns = rows.flatMap((row, statement) =>
    comparedColumns(textOf(row)).map((each) => ({ statement, ...each })),
  );
  const advised = (await ask(ADVISE, JSON.stringify(columns))) as readonly IndexAdvice[];
  const wanted = advised.flatMap(({ statement, advice }) => trialOf(statement, textOf(rows[statement]!), advice));
  const trials = wanted.length === 0 ? [] : ((await ask(TRY, JSON.stringify(wanted))) as readonly NumberedTrial[]);
  return rows.map((row, index) => ({
    ...row,
    missing_indexes: advised.flatMap(({ statement, advice }) => (statement === index ? advice : [])),
    index_trials: trials.flatMap(({ trial, ...rest }) => (trial === index ? rest : [])),
  }));
}

function textOf(row: object): string {
  return String((row as { readonly statement?: unknown }).statement);
}

/** Operators that a statement may use without naming them: in USING, CASE, DISTINCT, ORDER BY. */
const COMPARISONS = ["=", "<>", "<", "<=", ">", ">="];
const EXPLAINED = /^(Select|Insert|Update|Delete|Merge)Stmt$/;

/** The arguments of `portolan.try_index`, and the number of the statement. `text`: can be parsed. */
function trialOf(trial: number, text: string, index: string): readonly object[] {
  const { stmts = [] } = treeOf(text) as { readonly stmts?: readonly { readonly stmt?: Node }[] };
  if (stmts.length !== 1 || !EXPLAINED.test(Object.keys(stmts[0]?.stmt ?? {})[0] ?? "")) return [];
  const names = new Set(COMPARISONS);
  const relations = new Set<string>();
  for (const [member, { sval, relname, schemaname }] of membersOf(stmts)) {
    if (member === "String") names.add(String(sval));
    if (relname === undefined) continue;
    const parts = schemaname === undefined ? [relname] : [schemaname, relname];
    relations.add(parts.map((part) => quoteIdentifier(String(part))).join("."));
  }
  return [{ trial, statement: text, index, names: [...names], relations: [...relations] }];
}
