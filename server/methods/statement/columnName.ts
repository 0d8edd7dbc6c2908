import { listOf, nameOf, type Tree } from "./statement.ts";

/** The name that PostgreSQL gives an unnamed column (FigureColname). A test compares it with PostgreSQL. */
export function defaultName(expression: Tree): string {
  const [kind = ""] = Object.keys(expression);
  const node = expression[kind] as Tree;
  switch (kind) {
    case "ColumnRef":
      return nameOf(node["fields"]);
    case "FuncCall":
      return nameOf(node["funcname"]);
    case "TypeCast": {
      const inner = defaultName(node["arg"] as Tree);
      return inner === "?column?" ? nameOf((node["typeName"] as Tree)["names"]) : inner;
    }
    case "CoalesceExpr":
      return "coalesce";
    case "MinMaxExpr":
      return node["op"] === "IS_LEAST" ? "least" : "greatest";
    case "CaseExpr": {
      const inner = node["defresult"] === undefined ? "?column?" : defaultName(node["defresult"] as Tree);
      return inner === "?column?" ? "case" : inner;
    }
    case "A_ArrayExpr":
      return "array";
    case "RowExpr":
      return "row";
    case "SubLink":
      return SUBLINK_NAMES[String(node["subLinkType"])] ?? subqueryName(node);
    case "SQLValueFunction":
      return String(node["op"])
        .replace(/^SVFOP_|_N$/g, "")
        .toLowerCase();
    case "CollateClause":
      return defaultName(node["arg"] as Tree);
    case "GroupingFunc":
      return "grouping";
    default:
      return "?column?";
  }
}

const SUBLINK_NAMES: Readonly<Record<string, string>> = { EXISTS_SUBLINK: "exists", ARRAY_SUBLINK: "array" };

function subqueryName(node: Tree): string {
  const target = listOf(((node["subselect"] as Tree)?.["SelectStmt"] as Tree)?.["targetList"])[0]?.["ResTarget"] as
    | Tree
    | undefined;
  return target ? String(target["name"] ?? defaultName(target["val"] as Tree)) : "?column?";
}
