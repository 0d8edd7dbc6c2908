/** The filter of a grid as a condition in CQL2 text (OGC 21-065r2), for files that the OGC API makes. */
import type { Column } from "./relations.ts";
import { isNumber } from "./values.ts";

const COMPARISONS: Readonly<Record<string, string>> = { eq: "=", neq: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** Undefined for a filter that CQL2 has no words for, and for columns other than numbers, texts, booleans and dates. */
export function cql2Text(where: object, columns: readonly Column[]): string | undefined {
  return condition(where, new Map(columns.map((column) => [column.name, column])));
}

type Columns = ReadonlyMap<string, Column>;

function condition(where: unknown, columns: Columns): string | undefined {
  if (typeof where !== "object" || where === null || Array.isArray(where)) return undefined;
  return joined(
    Object.entries(where).map(([name, value]) => member(name, value as unknown, columns)),
    "AND",
  );
}

function member(name: string, value: unknown, columns: Columns): string | undefined {
  const column = columns.get(name);
  if (!column) {
    if (name === "not") {
      const text = condition(value, columns);
      return text && `NOT (${text})`;
    }
    if ((name !== "and" && name !== "or") || !Array.isArray(value)) return undefined;
    const text = joined(
      value.map((each) => condition(each, columns)),
      name === "and" ? "AND" : "OR",
    );
    return text && `(${text})`;
  }
  const property = `"${column.column.replaceAll('"', '""')}"`;
  if (value === null) return `${property} IS NULL`;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  return joined(
    Object.entries(value).map(([operator, operand]) => comparison(property, operator, operand as unknown, column)),
    "AND",
  );
}

function comparison(property: string, operator: string, operand: unknown, column: Column): string | undefined {
  const sign = COMPARISONS[operator];
  if (operator === "in" && Array.isArray(operand) && operand.length > 0) {
    const all = operand.map((each) => literal(each, column));
    return all.includes(undefined) ? undefined : `${property} IN (${all.join(", ")})`;
  }
  const value = literal(operand, column);
  if (value === undefined) return undefined;
  if (sign) return `${property} ${sign} ${value}`;
  if (typeof operand !== "string" || !isText(column)) return undefined;
  if (operator === "like") return `${property} LIKE ${value}`;
  return operator === "ilike" ? `CASEI(${property}) LIKE CASEI(${value})` : undefined;
}

const isText = ({ sqlType }: Column): boolean => /^(text|character|character varying)(\(\d+\))?$/.test(sqlType);

function literal(value: unknown, column: Column): string | undefined {
  if (isNumber(column)) return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(String(value)) ? String(value) : undefined;
  if (column.sqlType === "boolean") return typeof value === "boolean" ? String(value).toUpperCase() : undefined;
  if (typeof value !== "string") return undefined;
  if (column.sqlType === "date") return /^\d{4}-\d\d-\d\d$/.test(value) ? `DATE('${value}')` : undefined;
  return isText(column) ? `'${value.replaceAll("'", "''")}'` : undefined;
}

function joined(texts: readonly (string | undefined)[], word: "AND" | "OR"): string | undefined {
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join(` ${word} `);
}
