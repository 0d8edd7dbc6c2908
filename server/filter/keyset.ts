/** Places in a list of rows that is ordered by columns: how they are told, and which rows lie beyond one. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { operatorIn, operatorSchema, parameter, TEXT } from "./sqlTypes.ts";
import type { ColumnType } from "../types/columnType.ts";

/** A term of `order by`. */
export interface KeysetTerm {
  readonly column: { readonly name: string; readonly type: ColumnType; readonly notNull?: boolean | undefined };
  /** What is ordered by, of a row of the alias. Default: the column's value. */
  readonly value?: (alias: SQL) => SQL;
  /** Default ascending. */
  readonly direction?: "ASC" | "DESC";
  /** Default as in PostgreSQL: last where ascending, first where descending. */
  readonly nulls?: "FIRST" | "LAST";
}

/** A place in the list: the values there of each term, as PostgreSQL's text. */
export interface Place {
  readonly values: readonly (string | null)[];
  /** Whether a row with just these values lies beyond it. */
  readonly inclusive?: boolean;
}

const isDescending = ({ direction }: KeysetTerm): boolean => direction === "DESC";
const hasNullsFirst = (term: KeysetTerm): boolean => (term.nulls ? term.nulls === "FIRST" : isDescending(term));

/** The same list from its end. */
export function reversed(terms: readonly KeysetTerm[]): KeysetTerm[] {
  return terms.map((term) => ({
    ...term,
    direction: isDescending(term) ? "ASC" : "DESC",
    nulls: hasNullsFirst(term) ? "LAST" : "FIRST",
  }));
}

/** A term of `order by`: a value, in the direction of a term. */
export function ordered(value: SQL, { direction, nulls }: Pick<KeysetTerm, "direction" | "nulls">): SQL {
  const side = nulls === undefined ? sql.blank : nulls === "FIRST" ? sql` nulls first` : sql` nulls last`;
  return sql`${value}${direction === "DESC" ? sql` desc` : sql.blank}${side}`;
}

/** What a term orders by, of a row of `alias`. */
export function valueOf({ column, value }: KeysetTerm, alias: SQL): SQL {
  return value?.(alias) ?? sql`${alias}.${sql.identifier(column.name)}`;
}

/** The values of a row of `alias` as texts, which are read back whatever `DateStyle` says. */
export function placeTexts(terms: readonly KeysetTerm[], alias: SQL): SQL[] {
  return terms.map((term) => {
    const value = valueOf(term, alias);
    return term.column.type.kind === "datetime" ? sql`(pg_catalog.to_json(${value}) #>> '{}')` : sql`${value}::${TEXT}`;
  });
}

/** Such texts in one, a JSON list. */
export function placeToText(texts: readonly SQL[]): SQL {
  return sql`pg_catalog.to_json(array[${commas(texts)}]::${TEXT}[])::${TEXT}`;
}

/**
 * The condition that a row of `alias` lies beyond a place, in the order of the terms. The values of the place must be as
 * many as there are terms; PostgreSQL refuses those that are none of the column's type.
 */
export function beyond(terms: readonly KeysetTerm[], { values, inclusive = false }: Place, alias: SQL): SQL {
  const parts = terms.map((term, index) => partOf(term, values[index] ?? null, alias));
  const [first] = parts;
  if (!first) return inclusive ? sql.true : sql.false;
  // A comparison of rows is found by an index of all columns, but knows neither nulls nor an extension's operators.
  if (parts.every((part) => part.isPlain && part.symbol === first.symbol)) {
    const symbol = inclusive ? (`${first.symbol}=` as const) : first.symbol;
    return sql`(${commas(parts.map(({ column }) => column))}) ${operatorIn("pg_catalog", symbol)} (${commas(parts.map(({ value }) => value!))})`;
  }
  const chain = parts.reduceRight<SQL | undefined>((rest, { strictly, equal }) => {
    const tie = rest ?? (inclusive ? equal : undefined);
    if (!tie) return strictly;
    return sql`(${strictly} or (${equal} and ${tie}))`;
  }, undefined)!;
  // What the first column alone says, which an index of it finds.
  return first.isPlain
    ? sql`(${first.column} ${operatorIn("pg_catalog", `${first.symbol}=`)} ${first.value!} and ${chain})`
    : chain;
}

interface Part {
  readonly column: SQL;
  readonly value: SQL | undefined;
  readonly symbol: "<" | ">";
  /** Whether neither side can be null and the operators are PostgreSQL's own. */
  readonly isPlain: boolean;
  /** The row comes after the place by this column alone. */
  readonly strictly: SQL;
  readonly equal: SQL;
}

function partOf(term: KeysetTerm, text: string | null, alias: SQL): Part {
  const { type, notNull = false } = term.column;
  const column = valueOf(term, alias);
  const symbol = isDescending(term) ? "<" : ">";
  const schema = operatorSchema(type);
  if (text === null) {
    const strictly = hasNullsFirst(term) ? sql`${column} is not null` : sql.false;
    return { column, value: undefined, symbol, isPlain: false, strictly, equal: sql`${column} is null` };
  }
  const value = parameter(text, type);
  const further = sql`${column} ${operatorIn(schema, symbol)} ${value}`;
  return {
    column,
    value,
    symbol,
    isPlain: notNull && schema === "pg_catalog",
    strictly: notNull || hasNullsFirst(term) ? further : sql`(${further} or ${column} is null)`,
    equal: sql`${column} ${operatorIn(schema, "=")} ${value}`,
  };
}

function commas(parts: readonly SQL[]): SQL {
  return sql.join([...parts], ", ");
}
