/** The table of operators: which kinds of type take each, what value it wants, and its SQL. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { badInput } from "../ground/errors.ts";
import { comparable, comparisonOf, hasDefaultEquality, type Operands } from "./comparison.ts";
import { isObject, storableText } from "../types/json.ts";
import { at, show } from "../types/show.ts";
import { bbox, dwithin, intersects } from "./spatial.ts";
import { operatorIn, TEXT, type OperatorSymbol } from "./sqlTypes.ts";
import type { Compare, Operator } from "./tree.ts";
import { rowOf } from "../types/table.ts";
import { toSqlValue } from "./values.ts";
import { baseOf, hasParts, isDocument, type ColumnType, type TypeKind } from "../types/columnType.ts";

type ToSql = (operands: Operands) => SQL;

interface Rule {
  /** Whether columns of the type take the operator. */
  takes(type: ColumnType): boolean;
  readonly toSql: ToSql;
}

const any = (): boolean => true;

function isNull(target: SQL, type: ColumnType, value: boolean): SQL {
  // PostgreSQL: `row(null, null) is null` is true, although the row exists.
  if (type.kind === "composite")
    return value ? sql`${target} is not distinct from null` : sql`${target} is distinct from null`;
  return value ? sql`${target} is null` : sql`${target} is not null`;
}

const equal: ToSql = ({ target, type, value, path }) => {
  if (value === null) return isNull(target, type, true);
  const comparison = comparisonOf(type);
  const operator = operatorIn(comparison.schema, comparison.equality);
  return sql`${comparable(target, comparison)} ${operator} ${comparable(toSqlValue(value, type, path), comparison)}`;
};

/** Kinds whose single value may be a list. */
const LIST_VALUES: ReadonlySet<TypeKind> = new Set<TypeKind>(["json", "multirange"]);

const takesLists = (type: ColumnType): boolean => type.kind !== "array" && (rowOf(type).hasArrays ?? true);

/** All values in one parameter. */
const oneOf: ToSql = ({ target, type, value, path }) => {
  if (!Array.isArray(value)) return badInput(`${path}: expected a list, got ${show(value)}`);
  if (value.length === 0) return sql.false;
  if (!LIST_VALUES.has(type.kind) && value.some(Array.isArray)) {
    badInput(`${path}: expected a list of single values (${type.name}), got a list in the list`);
  }
  const comparison = comparisonOf(type);
  const element: ColumnType = { ...type, ...baseOf(type) };
  const list = toSqlValue(value, { kind: "array", schema: element.schema, name: `${element.name}[]`, element }, path);
  const values = comparison.as ? sql`${list}::${comparison.as}[]` : list;
  return sql`${comparable(target, comparison)} ${operatorIn(comparison.schema, comparison.equality)} any(${values})`;
};

/** Of ordered kinds. */
function ordering(symbol: OperatorSymbol): Rule {
  return {
    takes: (type) => comparisonOf(type).isOrdered,
    toSql: ({ target, type, value, path }) => {
      if (value === null) badInput(`${path}: expected a value, got null`);
      const comparison = comparisonOf(type);
      const operator = operatorIn(comparison.schema, symbol);
      return sql`${comparable(target, comparison)} ${operator} ${toSqlValue(value, type, path)}`;
    },
  };
}

/** Patterns and prefixes match the text of a value, case by case, also of types that compare without regard to case. */
function pattern(symbol: OperatorSymbol, noun = "a pattern"): Rule {
  return {
    takes: (type) => type.kind === "text",
    toSql: ({ target, value, path }) =>
      sql`${target}::${TEXT} ${operatorIn("pg_catalog", symbol)} ${textOperand(value, path, noun)}`,
  };
}

function textOperand(value: unknown, path: string, noun: string): SQL {
  if (typeof value !== "string") return badInput(`${path}: expected a string (${noun}), got ${show(value)}`);
  return sql`${sql.value(storableText(value, path))}::${TEXT}`;
}

const endsWith: Rule = {
  takes: (type) => type.kind === "text",
  toSql: ({ target, value, path }) => {
    const suffix = textOperand(value, path, "a suffix");
    const end = sql`pg_catalog.right(${target}::${TEXT}, pg_catalog.length(${suffix}))`;
    return sql`${end} collate "C" ${operatorIn("pg_catalog", "=")} ${suffix}`;
  },
};

/** Web search syntax: words, "phrases", or, -not. Found by a GIN index of the tsvector, or of `to_tsvector(config, column)`. */
const search: Rule = {
  takes: (type) => type.kind === "text" && rowOf(type).searched !== undefined,
  toSql: ({ target, type, value, path, column: { search: config = "simple" } }) => {
    const language = sql`${sql.literal(config)}::pg_catalog.regconfig`;
    const query = sql`pg_catalog.websearch_to_tsquery(${language}, ${textOperand(value, path, "words to search for")})`;
    const vector =
      rowOf(type).searched === "words" ? target : sql`pg_catalog.to_tsvector(${language}, ${target}::${TEXT})`;
    return sql`${vector} operator(pg_catalog.@@) ${query}`;
  },
};

/** By trigrams, from the similarity that `pg_trgm.similarity_threshold` says. Found by an index with its operators. */
const similar: Rule = {
  takes: (type) => type.kind === "text" && rowOf(type).searched === "text",
  toSql: ({ target, value, path, column: { trigrams } }) => {
    const operand = textOperand(value, path, "a text");
    if (trigrams === undefined) return badInput(`${path}: needs the extension pg_trgm, which is not installed`);
    return sql`${target}::${TEXT} ${operatorIn(trigrams, "%")} ${operand}`;
  },
};

/** A path of SQL/JSON. `path`: its place in the filter. Throws `BAD_USER_INPUT` for a value that is not text. */
export function pathOperand(value: unknown, path: string): SQL {
  return sql`${textOperand(value, path, "an SQL/JSON path")}::pg_catalog.jsonpath`;
}

/** A path of SQL/JSON that finds something, or is true where it is a predicate; errors within a value find nothing. */
const jsonPath: Rule = {
  takes: isDocument,
  toSql: ({ target, type, value, path }) => {
    const operand = pathOperand(value, path);
    const operator = isPredicate(String(value)) ? sql`operator(pg_catalog.@@)` : sql`operator(pg_catalog.@?)`;
    return sql`${comparable(target, comparisonOf(type))} ${operator} ${operand}`;
  },
};

const PREDICATE = /[<>=!]|&&|\|\||\blike_regex\b|\bstarts\s+with\b|\bexists\s*\(|\bis\s+unknown\b/;

/** Whether a path of SQL/JSON compares outside of its filters, and so always gives one boolean. */
function isPredicate(path: string): boolean {
  const text = path.replace(/"(?:\\.|[^"\\])*"/gs, '""');
  const filter = /\?\s*\(/y;
  let outside = "";
  for (let index = 0, depth = 0; index < text.length; index++) {
    filter.lastIndex = index;
    if (depth > 0) depth += text[index] === "(" ? 1 : text[index] === ")" ? -1 : 0;
    else if (filter.test(text)) [depth, index] = [1, filter.lastIndex - 1];
    else outside += text[index];
  }
  return PREDICATE.test(outside);
}

/** A key of an object, or a string in a list of JSON. Found by a GIN index. */
const hasKey: Rule = {
  takes: (type) => type.kind === "json",
  toSql: ({ target, type, value, path }) => {
    const comparison = comparisonOf(type);
    const key = textOperand(value, path, "a key");
    return sql`${comparable(target, comparison)} ${operatorIn(comparison.schema, "?")} ${key}`;
  },
};

const hasElements = (type: ColumnType): boolean =>
  type.kind === "array" && type.element !== undefined && hasDefaultEquality(type.element);

const RANGE_TEXT = /^\s*([[(]|empty\s*$)/i;
const isRange = (value: unknown): boolean =>
  typeof value === "string"
    ? RANGE_TEXT.test(value)
    : isObject(value) && ("lower" in value || "upper" in value || "empty" in value);

/** A multirange from a multirange or a single range. */
function multirange(value: unknown, type: ColumnType, path: string): SQL {
  const isText = typeof value === "string";
  if (isText && isRange(value)) return toSqlValue(`{${value}}`, type, path);
  return toSqlValue(isText || Array.isArray(value) ? value : [value], type, path);
}

/** The right-hand side of `@>` and `&&`, as the type that the column's kind compares with. */
function part(type: ColumnType, value: unknown, path: string, takesBound: boolean): SQL {
  if (value === null) return badInput(`${path}: expected a value, got null`);
  const bound = takesBound ? type.element : undefined;
  switch (type.kind) {
    case "array": {
      const isList = Array.isArray(value) || (typeof value === "string" && /^\s*[{[]/.test(value));
      return toSqlValue(isList ? value : [value], type, path);
    }
    case "multirange": {
      const isMultirange = Array.isArray(value) || (typeof value === "string" && /^\s*\{/.test(value));
      return bound && !isMultirange && !isRange(value) ? toSqlValue(value, bound, path) : multirange(value, type, path);
    }
    case "range":
      return bound && !isRange(value) ? toSqlValue(value, bound, path) : toSqlValue(value, type, path);
    default:
      return toSqlValue(value, type, path);
  }
}

const hasContainment = (type: ColumnType): boolean => !hasParts(type) && rowOf(type).hasContainment === true;

/** Containment in both directions. */
function containing(symbol: "@>" | "<@", takesBound: boolean): Rule {
  return {
    takes: (type) => type.kind === "range" || type.kind === "multirange" || hasElements(type) || hasContainment(type),
    toSql: ({ target, type, value, path }) => {
      const operand = part(type, value, path, takesBound);
      if (hasParts(type)) return sql`${target} ${operatorIn("pg_catalog", symbol)} ${operand}`;
      const comparison = comparisonOf(type);
      return sql`${comparable(target, comparison)} ${operatorIn(comparison.schema, symbol)} ${comparable(operand, comparison)}`;
    },
  };
}

const overlaps: ToSql = ({ target, type, value, path }) =>
  sql`${target} ${operatorIn("pg_catalog", "&&")} ${part(type, value, path, false)}`;

const spatial = (toSql: (target: SQL, type: ColumnType, value: unknown, path: string) => SQL): Rule => ({
  takes: (type) => type.kind === "geometry",
  toSql: ({ target, type, value, path }) => toSql(target, type, value, path),
});

const not =
  (toSql: ToSql): ToSql =>
  (operands) =>
    sql`not (${toSql(operands)})`;

const RULES: Readonly<Record<Operator, Rule>> = {
  eq: { takes: any, toSql: equal },
  neq: { takes: any, toSql: not(equal) },
  gt: ordering(">"),
  gte: ordering(">="),
  lt: ordering("<"),
  lte: ordering("<="),
  // The parser writes `in` of an array column as comparisons: `any` would look into the arrays.
  in: { takes: takesLists, toSql: oneOf },
  nin: { takes: takesLists, toSql: not(oneOf) },
  like: pattern("~~"),
  ilike: pattern("~~*"),
  startsWith: pattern("^@", "a prefix"), // found by an index: SP-GiST, and from PostgreSQL 15 on B-tree in collation "C"
  endsWith,
  regex: pattern("~", "a regular expression"), // PostgreSQL cancels a long one like any statement
  iregex: pattern("~*", "a regular expression"),
  search,
  similar,
  path: jsonPath,
  hasKey,
  isNull: {
    takes: any,
    toSql: ({ target, type, value, path }) => {
      if (typeof value !== "boolean") return badInput(`${path}: expected true or false, got ${show(value)}`);
      return isNull(target, type, value);
    },
  },
  contains: containing("@>", true),
  containedBy: containing("<@", false),
  overlaps: {
    takes: (type) => type.kind === "range" || type.kind === "multirange" || hasElements(type),
    toSql: overlaps,
  },
  intersects: spatial(intersects),
  bbox: spatial(bbox),
  dwithin: spatial(dwithin),
};

/** Columns that are shown as `ID` take whole numbers for text. */
function asKey(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asKey);
  return Number.isSafeInteger(value) ? String(value) : value;
}

/**
 * One comparison as a boolean expression. `target`: the column in SQL. `path`: the place of the comparison, for messages.
 * Throws `BAD_USER_INPUT` when the column does not take the operator, or the operator not the value.
 */
export function compareToSql({ column, operator, value }: Compare, target: SQL, path: string): SQL {
  const { type } = column;
  const rule = RULES[operator];
  const here = at(path, operator);
  if (!rule.takes(type)) {
    badInput(`${here}: the column does not take this operator; ${type.name} takes ${operatorsOf(type).join(", ")}`);
  }
  return rule.toSql({
    target,
    type,
    value: column.id && type.kind === "text" ? asKey(value) : value,
    path: here,
    column,
  });
}

/** The operators that a column of the type takes. */
export function operatorsOf(type: ColumnType): readonly Operator[] {
  return (Object.keys(RULES) as Operator[]).filter((operator) => RULES[operator].takes(type));
}
