/** The arguments of an aggregate, and the one statement that answers them. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { parseFilter } from "../../server/filter/parse.ts";
import { filterToSql, joinOfRelation } from "../../server/filter/toSql.ts";
import type { Column, Relation, Shape } from "../../server/filter/tree.ts";
import { badInput, GatewayError } from "../../server/ground/errors.ts";
import { show } from "../../server/types/show.ts";
import { baseOf, type ColumnType } from "../../server/types/columnType.ts";
import {
  COUNT,
  isGroupable,
  OPERATIONS,
  resultToSql,
  resultType,
  type Operation,
  type Result,
} from "./aggregateResults.ts";
import { accessesAlong, findPath, type ColumnPath } from "../tables/columnPath.ts";
import { checkLimit, checkOffset, type Limits } from "../tables/limits.ts";
import { orderToSql, parseOrderBy, type Order } from "../tables/orderBy.ts";
import type { RelationAccess } from "../tables/relationAccess.ts";
import type { SourceAt } from "../tables/versions.ts";

export const PERIODS = ["year", "quarter", "month", "week", "day", "hour"] as const;
export type Period = (typeof PERIODS)[number];

/** The largest number of expressions that one aggregate may be grouped by. */
const MAX_GROUPS = 16;
/** An expression by which rows are grouped. */
interface Group extends ColumnPath {
  readonly period: Period | undefined;
}

interface NamedGroup extends Group {
  /** The name of its column in the statement. */
  readonly name: string;
}

const keyOf = ({ relations, column, period }: Group): string =>
  JSON.stringify([...relations.map(({ name }) => name), column.name, period ?? null]);

function toPeriod(value: unknown, { column }: ColumnPath, path: string): Period {
  const period = typeof value === "string" ? PERIODS.find((each) => each === value.toLowerCase()) : undefined;
  if (!period) return badInput(`${path}: expected one of ${PERIODS.join(", ")}, got ${show(value)}`);
  const { name } = baseOf(column.type);
  if (column.type.kind !== "datetime" || !hasPeriods(column.type))
    return badInput(`${path}: values of type ${name} have no ${period}`);
  if (name === "date" && period === "hour") return badInput(`${path}: a date has no hour`);
  return period;
}

/** Whether values of the type can be truncated to the beginning of a period. */
export function hasPeriods(type: ColumnType): boolean {
  return ["date", "timestamp", "timestamptz"].includes(baseOf(type).name) && type.kind === "datetime";
}

/** Reads `groupBy`: a name, an object of names and periods, or a list of both. Throws `BAD_USER_INPUT`. */
function parseGroupBy(json: unknown, shape: Shape): Group[] {
  if (json === undefined || json === null) return [];
  const groups = (Array.isArray(json) ? (json as unknown[]) : [json]).flatMap((entry): Group[] => {
    if (typeof entry === "string") return [toGroup(entry, undefined, shape)];
    if (typeof entry !== "object" || entry === null || Array.isArray(entry))
      return badInput('groupBy: must be the name of a column, an object such as {"made": "month"}, or a list of these');
    return Object.entries(entry).map(([name, period]) => toGroup(name, period, shape));
  });
  if (groups.length > MAX_GROUPS) throw new GatewayError("LIMIT_EXCEEDED", `groupBy: at most ${MAX_GROUPS} columns`);
  return [...new Map(groups.map((group) => [keyOf(group), group])).values()];
}

function toGroup(name: string, period: unknown, shape: Shape): Group {
  const path = findPath(name, shape) ?? badInput(`groupBy: there is no column ${JSON.stringify(name)}`);
  if (!isGroupable(path.column.type))
    return badInput(`groupBy: rows cannot be grouped by ${JSON.stringify(name)}, of type ${path.column.type.name}`);
  return { ...path, period: period === undefined ? undefined : toPeriod(period, path, `groupBy.${name}`) };
}

/** The relations that `groupBy` reads, besides the table itself. */
export function accessesOfGroupBy(json: unknown, shape: Shape): RelationAccess[] {
  return parseGroupBy(json, shape).flatMap(accessesAlong);
}

export interface AggregateSource {
  readonly shape: Shape;
  readonly from: SQL;
  readonly limits: Limits;
  readonly sourceAt: SourceAt | undefined;
}

/** One aggregate. Fields ask for results while they select, filter and order, and each result is computed once. */
export class AggregateQuery {
  readonly #source: AggregateSource;
  readonly #args: Readonly<Record<string, unknown>>;
  readonly #rows = sql.identifier(Symbol("rows"));
  readonly #grouped = sql.identifier(Symbol("grouped"));
  readonly #groups: ReadonlyMap<string, NamedGroup>;
  readonly #results = new Map<string, Result>();

  /** `args`: where, groupBy, having, orderBy, limit, offset, asOf, timeZone. Throws `BAD_USER_INPUT`. */
  constructor(source: AggregateSource, args: Readonly<Record<string, unknown>>) {
    this.#source = source;
    this.#args = args;
    const groups = parseGroupBy(args["groupBy"], source.shape);
    this.#groups = new Map(groups.map((group, index) => [keyOf(group), { ...group, name: `g${index}` }]));
  }

  count(): Result {
    return this.#result("count", COUNT, () => sql`pg_catalog.count(*)`);
  }

  /** The result of an operation on a column. The column must exist in the database and have that result. */
  result(operation: Operation, { name, type }: Column): Result {
    const column = sql`${this.#rows}.${sql.identifier(name)}`;
    return this.#result(`${operation}.${name}`, resultType(operation, type)!, () =>
      resultToSql(operation, column, type),
    );
  }

  #result(key: string, type: ColumnType, toSql: () => SQL): Result {
    let known = this.#results.get(key);
    if (!known) this.#results.set(key, (known = { name: `r${this.#results.size}`, type, sql: toSql() }));
    return { ...known, sql: this.#outer(known.name) };
  }

  #outer(name: string): SQL {
    return sql`${this.#grouped}.${sql.identifier(name)}`;
  }

  /**
   * A value that all rows of a group share. `period`: undefined for the only grouping of that column. Throws
   * `BAD_USER_INPUT`.
   */
  group(relations: readonly Relation[], column: Column, period: Period | undefined): Result {
    const found = this.#group({ relations, column, period });
    if (found) return { name: found.name, type: column.type, sql: this.#outer(found.name) };
    const name = [...relations.map((relation) => relation.name), column.name].join(".");
    return badInput(`by.${name}: groupBy does not have ${period === undefined ? name : `{"${name}": "${period}"}`}`);
  }

  #group(wanted: Group): NamedGroup | undefined {
    const exact = this.#groups.get(keyOf(wanted));
    if (exact || wanted.period !== undefined) return exact;
    const [only, ...more] = [...this.#groups.values()].filter(
      (group) => keyOf({ ...group, period: undefined }) === keyOf(wanted),
    );
    return more.length === 0 ? only : undefined;
  }

  /** The names for `having` and `orderBy`: results, and the expressions of the groups. */
  #shape(argument: string): Shape {
    const { shape } = this.#source;
    const named = (name: string): Column | undefined => {
      if (name === "count") return this.count();
      const dot = name.indexOf(".");
      const operation = OPERATIONS.find((each) => each === name.slice(0, dot));
      const column = operation && shape.column(name.slice(dot + 1));
      if (column && operation !== "extent" && resultType(operation, column.type)) return this.result(operation, column);
      const group = this.#groupNamed(name);
      if (!group) return undefined;
      const found = this.#group(group);
      return found
        ? { ...group.column, name: found.name, notNull: false }
        : badInput(`${argument}: ${JSON.stringify(name)} is not in groupBy`);
    };
    return { schema: shape.schema, relation: shape.relation, column: named, related: () => undefined };
  }

  #groupNamed(name: string): Group | undefined {
    const { shape } = this.#source;
    const path = findPath(name, shape);
    if (path) return { ...path, period: undefined };
    const dot = name.lastIndexOf(".");
    const cut = dot > 0 ? findPath(name.slice(0, dot), shape) : undefined;
    return cut && { ...cut, period: toPeriod(name.slice(dot + 1), cut, name) };
  }

  /**
   * A query of the groups, in the requested order. `select`: returns the expressions to select for each group. `join`:
   * a condition on the rows of an alias, in addition to `where`.
   */
  toSql(select: () => SQL, join?: (rows: SQL) => SQL): SQL {
    const { limits, shape } = this.#source;
    const { where, having, orderBy, limit, offset } = this.#args;
    const selected = select();
    const filter = parseFilter(having, this.#shape("having"), { name: "having" });
    const orders = parseOrderBy(orderBy, this.#shape("orderBy"));
    const rowFilter = parseFilter(where, shape);
    const conditions = [
      ...(join ? [join(this.#rows)] : []),
      ...(rowFilter ? [filterToSql(rowFilter, this.#rows)] : []),
    ];
    const most = checkLimit(limit as number | null | undefined, limits);
    const skipped = checkOffset(offset as number | null | undefined);
    return sql`select ${selected} from (${this.#inner(conditions)}) as ${this.#grouped}${
      filter ? sql` where ${filterToSql(filter, this.#grouped)}` : sql.blank
    }${this.#orderBy(orders)} limit ${sql.literal(most)}${skipped ? sql` offset ${sql.literal(skipped)}` : sql.blank}`;
  }

  /** The requested order, followed by the groups, so that pages by `offset` are consistent. */
  #orderBy(orders: readonly Order[]): SQL {
    const ties = [...this.#groups.values()].map(({ name }) => this.#outer(name));
    const terms = [...orders.map((order) => orderToSql(order, this.#grouped)), ...ties];
    return terms.length === 0 ? sql.blank : sql` order by ${sql.join(terms, ", ")}`;
  }

  #inner(conditions: readonly SQL[]): SQL {
    const groups = [...this.#groups.values()];
    if (groups.length === 0 && this.#results.size === 0) this.count(); // without an aggregate there would be one result for each row
    const { sourceAt, from } = this.#source;
    const joins = new Joins(this.#rows);
    const g = sql.identifier(Symbol("groups"));
    const expressions = groups.map(
      (group) => sql`${this.#cut(group, joins.of(group))} as ${sql.identifier(group.name)}`,
    );
    const names = groups.map(({ name }) => sql`${g}.${sql.identifier(name)}`);
    const columns = [
      ...names,
      ...[...this.#results.values()].map((result) => sql`${result.sql} as ${sql.identifier(result.name)}`),
    ];
    // The expressions are in a subquery, because an expression with a parameter does not equal its repetition.
    const grouping =
      groups.length === 0 ? sql.blank : sql` cross join lateral (select ${sql.join(expressions, ", ")}) as ${g}`;
    const where =
      conditions.length === 0
        ? sql.blank
        : sql` where ${sql.join(
            conditions.map((each) => sql`(${each})`),
            " and ",
          )}`;
    return sql`select ${sql.join(columns, ", ")} from ${sourceAt?.(this.#args["asOf"]) ?? from} as ${this.#rows}${joins.toSql()}${grouping}${where}${
      groups.length === 0 ? sql.blank : sql` group by ${sql.join(names, ", ")}`
    }`;
  }

  #cut({ column, period }: Group, value: SQL): SQL {
    if (!period) return value;
    const { name } = baseOf(column.type);
    const unit = sql.literal(period);
    if (name === "timestamptz")
      return sql`pg_catalog.date_trunc(${unit}, ${value}, ${sql.value(this.#timeZone())}::pg_catalog.text)`;
    return sql`pg_catalog.date_trunc(${unit}, ${value}::pg_catalog.timestamp)::${sql.identifier("pg_catalog", name)}`;
  }

  #timeZone(): string {
    const { timeZone } = this.#args;
    return typeof timeZone === "string" ? timeZone : "UTC";
  }
}

/** The rows at the other ends of foreign keys, each joined once. */
class Joins {
  readonly #rows: SQL;
  readonly #aliases = new Map<string, SQL>();
  readonly #joins: SQL[] = [];

  constructor(rows: SQL) {
    this.#rows = rows;
  }

  /** The column at the end of a path. */
  of({ relations, column }: ColumnPath): SQL {
    let alias = this.#rows;
    relations.forEach((relation, index) => {
      alias = this.#follow(relation, alias, JSON.stringify(relations.slice(0, index + 1).map(({ name }) => name)));
    });
    return sql`${alias}.${sql.identifier(column.name)}`;
  }

  toSql(): SQL {
    return sql.join(this.#joins, "");
  }

  #follow(relation: Relation, here: SQL, key: string): SQL {
    const known = this.#aliases.get(key);
    if (known) return known;
    const { schema, relation: name } = relation.target;
    const there = sql.identifier(Symbol(name));
    this.#aliases.set(key, there);
    this.#joins.push(
      sql` left join ${sql.identifier(schema, name)} as ${there} on ${joinOfRelation(relation, here, there)}`,
    );
    return there;
  }
}
