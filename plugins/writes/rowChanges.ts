/** `change`: new values that are computed from the present ones, as an object of column → {operator: value}. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { JSONB, operatorIn, type OperatorSymbol } from "../../server/filter/sqlTypes.ts";
import type { Column } from "../../server/filter/tree.ts";
import { toSqlValue } from "../../server/filter/values.ts";
import { badInput } from "../../server/ground/errors.ts";
import { isDocument, type ColumnType } from "../../server/types/columnType.ts";
import { isObject } from "../../server/types/json.ts";
import { show } from "../../server/types/show.ts";
import { resultType } from "../aggregates/aggregateResults.ts";
import type { TableResource } from "../tables/resources.ts";
import { writableColumns, type Row } from "./rowData.ts";
import { shapeOf } from "../tables/shapes.ts";
import { TARGET } from "./returning.ts";

export interface Change {
  readonly column: Column;
  /** The expression of the new value, over rows of `TARGET`. */
  readonly value: SQL;
}

/** The new value of a column whose present value is `now`; undefined where the column's type lacks the operator. */
type ChangeOf = (now: SQL, type: ColumnType, value: unknown, path: string) => SQL | undefined;

const own = (kind: ColumnType["kind"], name: string): ColumnType => ({ kind, schema: "pg_catalog", name });
const TEXT = own("text", "text");
const INTEGER = own("integer", "int4");
const TEXTS: ColumnType = { ...own("array", "_text"), element: TEXT };
const DOCUMENT = own("json", "jsonb");

const apply = (left: SQL, symbol: OperatorSymbol, right: SQL): SQL =>
  sql`(${left} ${operatorIn("pg_catalog", symbol)} ${right})`;

/** A change that joins the given value to the present one. A null column gets the given value. */
const joined =
  (inOrder: (now: SQL, given: SQL) => SQL): ChangeOf =>
  (now, type, value, path) => {
    if (type.kind !== "array" && !isDocument(type)) return undefined;
    const isList = type.kind === "array";
    const given = toSqlValue(value, isList ? type : DOCUMENT, path);
    return sql`coalesce(${inOrder(isList ? now : sql`${now}::${JSONB}`, given)}, ${given})`;
  };

const cut =
  (symbol: OperatorSymbol, given: ColumnType): ChangeOf =>
  (now, type, value, path) =>
    isDocument(type) ? apply(sql`${now}::${JSONB}`, symbol, toSqlValue(value, given, path)) : undefined;

const CHANGES: ReadonlyMap<string, ChangeOf> = new Map<string, ChangeOf>([
  [
    "inc",
    (now, type, value, path) => (resultType("sum", type) ? apply(now, "+", toSqlValue(value, type, path)) : undefined),
  ],
  ["append", joined((now, given) => apply(now, "||", given))],
  ["prepend", joined((now, given) => apply(given, "||", now))],
  ["deleteKey", cut("-", TEXT)],
  ["deleteElem", cut("-", INTEGER)],
  ["deleteAtPath", cut("#-", TEXTS)],
]);

/**
 * Reads `change`. `row`: the columns that get new values otherwise. Throws `BAD_USER_INPUT` with the name of the
 * member.
 */
export function makeChangeReader(build: GraphileBuild.Build, resource: TableResource) {
  const shape = shapeOf(build, resource);
  const writable = new Set(writableColumns(build, resource, "update"));
  const readOne = (column: Column, json: unknown, path: string): Change => {
    const [entry, ...more] = isObject(json) ? Object.entries(json) : [];
    if (!entry || more.length > 0)
      return badInput(`${path}: expected an object of one operator and its value, got ${show(json)}`);
    const [name, value] = entry;
    const change =
      CHANGES.get(name) ??
      badInput(
        `${path}: unknown operator ${JSON.stringify(name)}; the operators are ${[...CHANGES.keys()].join(", ")}`,
      );
    if (value === null || value === undefined) return badInput(`${path}.${name}: expected a value, got null`);
    const now = sql`${TARGET}.${sql.identifier(column.name)}`;
    const changed =
      change(now, column.type, value, `${path}.${name}`) ??
      badInput(`${path}.${name}: does not apply to ${column.type.name}`);
    return { column, value: changed };
  };
  return (json: unknown, row: Row): Change[] => {
    if (!isObject(json)) return badInput("change: must be an object of column names and operators");
    const changed = new Set<Column>();
    const changes = Object.entries(json).map(([name, operation]) => {
      const path = `change.${name}`;
      const column = shape.column(name) ?? badInput(`change: unknown column ${JSON.stringify(name)}`);
      if (!writable.has(column)) return badInput(`${path}: the column cannot be written`);
      if (row.has(column) || changed.has(column)) return badInput(`${path}: the column is given twice`);
      changed.add(column);
      return readOne(column, operation, path);
    });
    return changes.length > 0 ? changes : badInput("change: name at least one column");
  };
}
