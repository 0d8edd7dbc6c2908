/** Positions in a list of rows that is ordered by columns: how they are written, and which rows lie beyond one. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { operatorIn, operatorSchema, parameter, TEXT } from "./sqlTypes.ts";
import type { ColumnType } from "../types/columnType.ts";

/** A term of `order by`. */
export interface KeysetTerm {
  readonly column: { readonly name: string; readonly type: ColumnType; readonly notNull?: boolean | undefined };
  /** The expression to order by, of a row of the alias. Default: the column's value. */
  readonly value?: (alias: SQL) => SQL;
  /** Default ascending. */
  readonly direction?: "ASC" | "DESC";
  /** Default as in PostgreSQL: last where ascending, first where descending. */
  readonly nulls?: "FIRST" | "LAST";
}

/** A place in the list: the values there of each term, as PostgreSQL's text. */
export interface Place {
  readonly values: readonly (string | null)[];
  /** Whether a row with exactly these values counts as beyond it. */
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

/** The expression that a term orders by, of a row of `alias`. */
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
  return sql`pg_catalog.to_json(array[${joined(texts)}]::${TEXT}[])::${TEXT}`;
}

/**
 * The condition that a row of `alias` lies beyond a place, in the order of the terms. The place must have a value for
 * each term. PostgreSQL refuses values that do not fit the column's type.
 */
export function beyond(terms: readonly KeysetTerm[], place: Place, alias: SQL): SQL {
  const parts = partsOf(terms, place, alias);
  return anyOf(parts, stretchesOf(parts, place.inclusive ?? false));
}

/** A page that begins at a place, in the order of its terms. */
export interface PageFrom {
  readonly from: SQL;
  /** The columns that tell one row from another. */
  readonly key: readonly { readonly name: string }[];
  /** The number of rows that are read of the page. */
  readonly limit: SQL;
  /** The other conditions on rows of the alias. */
  readonly conditions: readonly SQL[];
}

/** Longer orders are not split, so that no request makes a statement of hundreds of subqueries. */
const MOST_STRETCHES = 16;

/**
 * The conditions on rows of `alias` that lie beyond a place, including the other rows of the page. An index cannot begin
 * in `n > 1 or n is null`, so the list is cut into stretches that each begin in an index, as `n > 1` and then `n is
 * null`. They are read in order until the page is full, which gives the keys of its rows. PostgreSQL never executes the
 * stretches after that, because their limit is 0 then.
 */
export function conditionsFrom(terms: readonly KeysetTerm[], place: Place, alias: SQL, page: PageFrom): SQL[] {
  const parts = partsOf(terms, place, alias);
  const stretches = stretchesOf(parts, place.inclusive ?? false);
  const all = [...page.conditions, anyOf(parts, stretches)];
  if (stretches.length < 2 || stretches.length > MOST_STRETCHES) return all;
  const key = (row: SQL): SQL => joined(page.key.map(({ name }) => sql`${row}.${sql.identifier(name)}`));
  const order = joined(terms.map((term) => ordered(valueOf(term, alias), term)));
  const read: SQL[] = [];
  const parted = stretches.map((stretch) => {
    const name = sql.identifier(Symbol("stretch"));
    const conditions = [...page.conditions, stretch].map((each) => sql`(${each})`);
    // the planner estimates by the inner limit, which it knows
    const rows = sql`select ${key(alias)} from ${page.from} as ${alias} where ${joined(conditions, " and ")} order by ${order} limit ${page.limit}`;
    const counts = read.map((each) => sql`(select pg_catalog.count(*) from ${each})`);
    const left = joined([page.limit, ...counts], " - ");
    read.push(name);
    return sql`${name} as materialized (select * from (${rows}) as ${sql.identifier(Symbol("rows"))} limit ${left})`;
  });
  const keys = read.map((each) => sql`select * from ${each}`);
  // a parent by INHERITS may have several rows of one key; `is true` keeps the planner from using an index for them
  const again = all.map((each) => sql`(${each}) is true`);
  return [...again, sql`(${key(alias)}) in (with ${joined(parted)} ${joined(keys, " union all ")})`];
}

/**
 * The conditions of several ranges as one. The condition on the first column comes first, so that an index of it can be
 * used.
 */
function anyOf([first]: readonly Part[], stretches: readonly SQL[]): SQL {
  const [only, ...more] = stretches;
  if (!first || !only) return only ?? sql.false;
  if (more.length === 0) return only;
  const either = sql`(${joined(
    stretches.map((each) => sql`(${each})`),
    " or ",
  )})`;
  const { column, symbol, schema, value, nullsFollow } = first;
  return value && !nullsFollow ? sql`(${column} ${operatorIn(schema, `${symbol}=`)} ${value} and ${either})` : either;
}

interface Part {
  readonly column: SQL;
  /** Undefined: the place has a null. */
  readonly value: SQL | undefined;
  readonly symbol: "<" | ">";
  /** The schema of the operators. */
  readonly schema: string;
  /** Whether nulls come after all values, and there may be some. */
  readonly nullsFollow: boolean;
  readonly equal: SQL;
}

/** A column that comes again has no effect. */
function partsOf(terms: readonly KeysetTerm[], { values }: Place, alias: SQL): Part[] {
  const isAgain = ({ column, value }: KeysetTerm, index: number): boolean =>
    !value && terms.slice(0, index).some((each) => !each.value && each.column.name === column.name);
  return terms.flatMap((term, index) => (isAgain(term, index) ? [] : [partOf(term, values[index] ?? null, alias)]));
}

function partOf(term: KeysetTerm, text: string | null, alias: SQL): Part {
  const { type, notNull = false } = term.column;
  const column = valueOf(term, alias);
  const schema = operatorSchema(type);
  const value = text === null ? undefined : parameter(text, type);
  return {
    column,
    value,
    symbol: isDescending(term) ? "<" : ">",
    schema,
    nullsFollow: !notNull && !hasNullsFirst(term),
    equal: value ? sql`${column} ${operatorIn(schema, "=")} ${value}` : sql`${column} is null`,
  };
}

/**
 * The rows beyond a place, in the order of the list: first those that differ from it only in the last term, at last those
 * that differ in the first. No row is in two of these ranges.
 */
function stretchesOf(parts: readonly Part[], inclusive: boolean): SQL[] {
  const stretches: SQL[] = [];
  const add = (end: number, condition: SQL): void => {
    stretches.push(joined([...parts.slice(0, end).map(({ equal }) => equal), condition], " and "));
  };
  const isSame = inclusive && (parts.length === 0 || parts.at(-1)!.value === undefined);
  if (isSame) add(parts.length, sql.true);
  for (let end = parts.length; end > 0;) {
    const start = runUpTo(parts, end);
    const run = parts.slice(start, end);
    const last = run.at(-1)!;
    const isLast = inclusive && end === parts.length;
    if (last.value !== undefined) add(start, further(run, isLast));
    else if (!last.nullsFollow) add(start, sql`${last.column} is not null`);
    if (run[0]!.value !== undefined && run[0]!.nullsFollow) add(start, sql`${run[0]!.column} is null`);
    end = start;
  }
  return stretches;
}

/**
 * The beginning of the run of terms that ends before `end` and that one row comparison can decide: terms of one
 * direction, with PostgreSQL's own operators. Terms after the first must have no nulls, which would lie between its
 * rows.
 */
function runUpTo(parts: readonly Part[], end: number): number {
  const last = parts[end - 1]!;
  const isPlain = ({ value, schema }: Part): boolean => value !== undefined && schema === "pg_catalog";
  let start = end - 1;
  while (start > 0 && isPlain(parts[start]!) && !parts[start]!.nullsFollow) {
    const before = parts[start - 1]!;
    if (!isPlain(before) || before.symbol !== last.symbol) break;
    start--;
  }
  return start;
}

/** The comparison of rows is found by an index of all columns. */
function further(run: readonly Part[], inclusive: boolean): SQL {
  const { symbol, schema } = run[0]!;
  const operator = operatorIn(schema, inclusive ? `${symbol}=` : symbol);
  const [columns, values] = [run.map(({ column }) => column), run.map(({ value }) => value!)];
  return run.length === 1
    ? sql`${columns[0]!} ${operator} ${values[0]!}`
    : sql`(${joined(columns)}) ${operator} (${joined(values)})`;
}

function joined(parts: readonly SQL[], between = ", "): SQL {
  return sql.join([...parts], between);
}
