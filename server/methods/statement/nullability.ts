/** Decides which columns of a result may be null, from the parse tree and the catalogue. */
import type { UserSqlTransaction } from "../../kernel/database/database.ts";
import { defaultName } from "./columnName.ts";
import type { Prepared } from "./prepare.ts";
import { listOf, nameOf, walk, type Tree } from "./statement.ts";
import { NEVER_NULL, TOTAL_FUNCTIONS, TOTAL_OPERATORS } from "./totalFunctions.ts";

export interface Nullability {
  /** For each column of the result. True where it is unknown. */
  readonly nullable: readonly boolean[];
  /** The relations that the statement names, by their numbers. */
  readonly relations: readonly number[];
}

/** A column that can be named at some place of a statement. */
interface ScopeColumn {
  readonly name: string;
  readonly nullable: boolean;
}

/** The relations of a FROM clause under one name. */
interface ScopeItem {
  readonly alias: string;
  readonly columns: readonly ScopeColumn[];
}

type Scope = readonly ScopeItem[];
/** WITH queries by name; undefined for one whose columns are unknown. */
type Withs = ReadonlyMap<string, readonly ScopeColumn[] | undefined>;
type Relations = ReadonlyMap<string, Relation>;

interface Relation {
  readonly oid: number | null;
  readonly columns: readonly ScopeColumn[];
}

/** Thrown for constructs that are not analysed: every column may then be null. */
class Unknown extends Error {}

export async function nullabilityOf(transaction: UserSqlTransaction, prepared: Prepared): Promise<Nullability> {
  const relations = await readRelations(transaction, prepared.statement.relations);
  const oids = [...relations.values()].flatMap(({ oid }) => (oid === null ? [] : [Number(oid)]));
  const unknown = prepared.fields.map(() => true);
  let columns: readonly ScopeColumn[];
  try {
    columns = new Analysis(relations).statement(prepared.statement.tree, new Map(), []);
  } catch (error) {
    if (error instanceof Unknown) return { nullable: unknown, relations: oids };
    throw error;
  }
  // a star that was not expanded as PostgreSQL does would shift all later columns
  const agree =
    columns.length === prepared.fields.length && columns.every(({ name }, n) => prepared.fields[n]!.name === name);
  return { nullable: agree ? columns.map(({ nullable }) => nullable) : unknown, relations: oids };
}

const keyOf = (name: readonly string[]): string => JSON.stringify(name);

async function readRelations(
  transaction: UserSqlTransaction,
  names: readonly (readonly string[])[],
): Promise<Relations> {
  if (names.length === 0) return new Map();
  const unique = [...new Map(names.map((name) => [keyOf(name), name])).values()];
  const { rows } = await transaction.query<{ oid: number | null; columns: ScopeColumn[] }>({
    text: `
select r.oid, coalesce((
  select pg_catalog.json_agg(pg_catalog.json_build_object(
    'name', a.attname, 'nullable', not (a.attnotnull and c.relkind operator(pg_catalog.=) any ('{r,p}'))) order by a.attnum)
  from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid operator(pg_catalog.=) a.attrelid
  where a.attrelid operator(pg_catalog.=) r.oid and a.attnum operator(pg_catalog.>) 0 and not a.attisdropped), '[]') as columns
from pg_catalog.jsonb_array_elements($1::pg_catalog.jsonb) with ordinality as t (name, n)
  cross join lateral (select pg_catalog.to_regclass((
    select pg_catalog.string_agg(pg_catalog.quote_ident(p), '.' order by o)
    from pg_catalog.jsonb_array_elements_text(t.name) with ordinality as parts (p, o)))::pg_catalog.oid as oid) r
order by t.n`,
    values: [JSON.stringify(unique)],
  });
  return new Map(unique.map((name, index) => [keyOf(name), rows[index]!]));
}

class Analysis {
  readonly #relations: Relations;

  constructor(relations: Relations) {
    this.#relations = relations;
  }

  /** The columns that a statement returns. */
  statement(tree: Tree, withs: Withs, outer: Scope): readonly ScopeColumn[] {
    const select = tree["SelectStmt"] as Tree | undefined;
    if (select) return this.#select(select, withs, outer);
    const [kind = ""] = Object.keys(tree);
    const node = tree[kind] as Tree;
    const inner = this.#withs(node, withs, outer);
    const target = this.#relation(node["relation"] as Tree, inner);
    const from =
      kind === "DeleteStmt"
        ? node["usingClause"]
        : kind === "MergeStmt"
          ? [node["sourceRelation"]]
          : node["fromClause"];
    const scope = this.#from(listOf(from), inner, outer);
    // in MERGE each side may be missing for a row
    const merged = kind === "MergeStmt" ? [...nulled(scope), ...nulled([target])] : [target, ...scope];
    const returning = (node["returningClause"] as Tree | undefined)?.["exprs"] ?? node["returningList"];
    return this.#targets(listOf(returning), merged, inner, outer);
  }

  #select(node: Tree, withs: Withs, outer: Scope): readonly ScopeColumn[] {
    const inner = this.#withs(node, withs, outer);
    if (node["op"] !== undefined && node["op"] !== "SETOP_NONE") {
      const left = this.#select(node["larg"] as Tree, inner, outer);
      const right = this.#select(node["rarg"] as Tree, inner, outer);
      if (left.length !== right.length) throw new Unknown();
      // the rows of EXCEPT come from the left side, those of INTERSECT from both
      if (node["op"] === "SETOP_EXCEPT") return left;
      return left.map(({ name, nullable }, n) => ({ name, nullable: nullable || right[n]!.nullable }));
    }
    const rows = listOf(node["valuesLists"]).map((row) => listOf((row["List"] as Tree)["items"]));
    if (rows.length > 0)
      return rows[0]!.map((_, n) => ({
        name: `column${n + 1}`,
        nullable: rows.some((row) => this.#mayBeNull(row[n]!, [], inner, outer)),
      }));
    const scope = this.#from(listOf(node["fromClause"]), inner, outer);
    // GROUPING SETS, ROLLUP and CUBE put nulls where a column does not count
    let grouping = false;
    for (const group of listOf(node["groupClause"])) walk(group, (kind) => (grouping ||= kind === "GroupingSet"));
    const columns = this.#targets(listOf(node["targetList"]), scope, inner, outer);
    return grouping ? columns.map(({ name }) => ({ name, nullable: true })) : columns;
  }

  #withs(node: Tree, withs: Withs, outer: Scope): Withs {
    const clause = node["withClause"] as Tree | undefined;
    if (!clause) return withs;
    const all = new Map(withs);
    for (const entry of listOf(clause["ctes"])) {
      const { ctename, ctequery, aliascolnames } = entry["CommonTableExpr"] as Tree;
      if (clause["recursive"]) all.set(String(ctename), undefined);
      try {
        all.set(String(ctename), renamed(this.statement(ctequery as Tree, all, outer), aliascolnames));
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        all.set(String(ctename), undefined);
      }
    }
    return all;
  }

  #from(nodes: readonly Tree[], withs: Withs, outer: Scope): Scope {
    // LATERAL: later items see earlier ones; only names that are missing here are searched further out
    return nodes.reduce<Scope>((scope, node) => [...scope, ...this.#item(node, withs, [...scope, ...outer])], []);
  }

  #item(node: Tree, withs: Withs, outer: Scope): Scope {
    const [kind = ""] = Object.keys(node);
    const item = node[kind] as Tree;
    switch (kind) {
      case "RangeVar":
        return [this.#relation(item, withs)];
      case "RangeSubselect": {
        const columns = this.statement(item["subquery"] as Tree, withs, outer);
        const alias = item["alias"] as Tree | undefined;
        return [{ alias: String(alias?.["aliasname"] ?? ""), columns: renamed(columns, alias?.["colnames"]) }];
      }
      case "JoinExpr":
        return this.#join(item, withs, outer);
      case "RangeFunction":
        return [this.#function(item)];
      default:
        throw new Unknown();
    }
  }

  #join(node: Tree, withs: Withs, outer: Scope): Scope {
    if (node["alias"] || node["join_using_alias"] || node["isNatural"]) throw new Unknown();
    const type = String(node["jointype"]);
    const left = this.#item(node["larg"] as Tree, withs, outer);
    const right = this.#item(node["rarg"] as Tree, withs, [...left, ...outer]);
    const nullsLeft = type === "JOIN_RIGHT" || type === "JOIN_FULL";
    const nullsRight = type === "JOIN_LEFT" || type === "JOIN_FULL";
    const using = listOf(node["usingClause"]).map((name) => String((name["String"] as Tree)["sval"]));
    if (using.length === 0) return [...(nullsLeft ? nulled(left) : left), ...(nullsRight ? nulled(right) : right)];
    // a column of USING appears once, first, and is null only where both sides are
    const find = (scope: Scope, name: string): boolean => this.#column([name], scope, []) ?? true;
    const shared: ScopeItem = {
      alias: "",
      columns: using.map((name) => ({
        name,
        nullable: nullsLeft && nullsRight ? true : find(nullsLeft ? right : left, name),
      })),
    };
    const rest = (scope: Scope): Scope =>
      scope.map((item) => ({ ...item, columns: item.columns.map((column) => hide(column, using)) }));
    return [shared, ...rest(nullsLeft ? nulled(left) : left), ...rest(nullsRight ? nulled(right) : right)];
  }

  #relation(node: Tree, withs: Withs): ScopeItem {
    const name = [node["schemaname"], node["relname"]].filter((part) => part !== undefined).map(String);
    const alias = node["alias"] as Tree | undefined;
    const isWith = name.length === 1 && withs.has(name[0]!);
    const columns = isWith ? withs.get(name[0]!) : this.#relations.get(keyOf(name))?.columns;
    if (!columns) throw new Unknown();
    return { alias: String(alias?.["aliasname"] ?? name.at(-1)), columns: renamed(columns, alias?.["colnames"]) };
  }

  /** Functions whose one column is never null: generate_series, and the elements' numbers. */
  #function(node: Tree): ScopeItem {
    const alias = node["alias"] as Tree | undefined;
    const call = ((listOf(node["functions"])[0]?.["List"] as Tree)?.["items"] as Tree[] | undefined)?.[0];
    const name = nameOf((call?.["FuncCall"] as Tree | undefined)?.["funcname"]);
    if (name !== "generate_series" || node["ordinality"] || listOf(node["functions"]).length !== 1) throw new Unknown();
    const aliasName = String(alias?.["aliasname"] ?? name);
    return { alias: aliasName, columns: renamed([{ name: aliasName, nullable: false }], alias?.["colnames"]) };
  }

  #targets(targets: readonly Tree[], scope: Scope, withs: Withs, outer: Scope): readonly ScopeColumn[] {
    return targets.flatMap((target): readonly ScopeColumn[] => {
      const { name, val } = target["ResTarget"] as Tree;
      const fields = listOf(((val as Tree)["ColumnRef"] as Tree | undefined)?.["fields"]);
      if (fields.at(-1) && "A_Star" in fields.at(-1)!) return star(fields, scope);
      return [
        { name: String(name ?? defaultName(val as Tree)), nullable: this.#mayBeNull(val as Tree, scope, withs, outer) },
      ];
    });
  }

  /** Whether a column may be null; undefined when it is not found. */
  #column(path: readonly string[], scope: Scope, outer: Scope): boolean | undefined {
    const name = path.at(-1)!;
    const qualifier = path.at(-2);
    for (const items of [scope, outer]) {
      const found = items
        .filter(({ alias }) => qualifier === undefined || alias === qualifier)
        .flatMap(({ columns }) =>
          columns.filter((column) => column.name === name || (qualifier !== undefined && column.name === hidden(name))),
        );
      if (found.length > 0) return found.some(({ nullable }) => nullable);
    }
    return undefined;
  }

  #mayBeNull(expression: Tree, scope: Scope, withs: Withs, outer: Scope): boolean {
    const [kind = ""] = Object.keys(expression);
    const node = expression[kind] as Tree;
    const any = (all: readonly Tree[]): boolean => all.some((one) => this.#mayBeNull(one, scope, withs, outer));
    const all = (those: readonly Tree[]): boolean => those.every((one) => this.#mayBeNull(one, scope, withs, outer));
    switch (kind) {
      case "ColumnRef": {
        const path = listOf(node["fields"]).map((field) =>
          String((field["String"] as Tree | undefined)?.["sval"] ?? ""),
        );
        return this.#column(path, scope, outer) ?? true;
      }
      case "A_Const":
        return node["isnull"] === true;
      case "TypeCast":
        return this.#mayBeNull(node["arg"] as Tree, scope, withs, outer);
      case "CoalesceExpr":
      case "MinMaxExpr":
        return all(listOf(node["args"]));
      case "BoolExpr":
        return any(listOf(node["args"]));
      case "NullTest":
      case "BooleanTest":
      case "A_ArrayExpr":
      case "GroupingFunc":
        return false;
      case "SQLValueFunction":
        return node["op"] === "SVFOP_CURRENT_SCHEMA";
      case "SubLink":
        return node["subLinkType"] !== "EXISTS_SUBLINK" && node["subLinkType"] !== "ARRAY_SUBLINK";
      case "CaseExpr": {
        const results = listOf(node["args"]).map((when) => (when["CaseWhen"] as Tree)["result"] as Tree);
        return node["defresult"] === undefined || any([...results, node["defresult"] as Tree]);
      }
      case "A_Expr":
        return this.#operation(node, any);
      case "FuncCall":
        return this.#call(node, any);
      default:
        return true;
    }
  }

  #operation(node: Tree, any: (all: readonly Tree[]) => boolean): boolean {
    if (node["kind"] === "AEXPR_DISTINCT" || node["kind"] === "AEXPR_NOT_DISTINCT") return false;
    if (node["kind"] !== "AEXPR_OP" && node["kind"] !== "AEXPR_LIKE" && node["kind"] !== "AEXPR_ILIKE") return true;
    if (!TOTAL_OPERATORS.has(nameOf(node["name"]))) return true;
    return any([node["lexpr"], node["rexpr"]].filter((side) => side !== undefined) as Tree[]);
  }

  #call(node: Tree, any: (all: readonly Tree[]) => boolean): boolean {
    const path = listOf(node["funcname"]).map((part) => String((part["String"] as Tree)["sval"]));
    if (path.length > 1 && path[0] !== "pg_catalog") return true;
    const name = path.at(-1)!;
    if (NEVER_NULL.has(name)) return false;
    return !TOTAL_FUNCTIONS.has(name) || any(listOf(node["args"]));
  }
}

function nulled(scope: Scope): Scope {
  return scope.map((item) => ({ ...item, columns: item.columns.map(({ name }) => ({ name, nullable: true })) }));
}

/** A column that USING has merged is found with its table's name only. */
const hidden = (name: string): string => `\0${name}`;
function hide(column: ScopeColumn, using: readonly string[]): ScopeColumn {
  return using.includes(column.name) ? { ...column, name: hidden(column.name) } : column;
}

function renamed(columns: readonly ScopeColumn[], names: unknown): readonly ScopeColumn[] {
  const aliases = listOf(names).map((name) => String((name["String"] as Tree)["sval"]));
  return columns.map(({ name, nullable }, n) => ({ name: aliases[n] ?? name, nullable }));
}

/** `*`, or `alias.*`. */
function star(fields: readonly Tree[], scope: Scope): readonly ScopeColumn[] {
  const qualifier = fields.length > 1 ? String((fields.at(-2)!["String"] as Tree)["sval"]) : undefined;
  const items = scope.filter(({ alias }) => qualifier === undefined || alias === qualifier);
  if (items.length === 0) throw new Unknown();
  return items.flatMap(({ columns }) =>
    qualifier === undefined
      ? columns.filter(({ name }) => !name.startsWith("\0"))
      : columns.map((column) => ({ ...column, name: column.name.replace("\0", "") })),
  );
}
