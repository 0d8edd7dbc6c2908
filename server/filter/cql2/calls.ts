/** The SQL of each function, and of each CQL2 operator that does not compare a column with a value. */
import { sql, type SQL } from "postgraphile/pg-sql2";
import { operatorIn, operatorSchema, postgis } from "../sqlTypes.ts";
import type { Call, Operand } from "../tree.ts";
import { toSqlValue } from "../values.ts";
import { FUNCTIONS } from "./functions.ts";
import {
  apply,
  asFloat,
  asInstant,
  asNumber,
  asNumeric,
  asText,
  cast,
  commonInstant,
  comparisonSql,
  folded,
  inOneSystem,
  isFloat,
  kindOf,
  storedGeometry,
  type Term,
} from "./terms.ts";
import { baseOf, isGeography, type ColumnType } from "../../types/columnType.ts";

/** `terms`: the resolver has checked their number and kinds. */
type CallToSql = (terms: readonly Term[], call: Call, options: FilterSqlOptions) => SQL;

export interface FilterSqlOptions {
  /** Whether a spatial relation that PostGIS cannot decide is false instead of an error. Slower. Default false. */
  readonly lenient?: boolean | undefined;
}

const binary =
  (toSql: (left: Term, right: Term) => SQL): CallToSql =>
  ([left, right]) =>
    toSql(left!, right!);

function compare(symbol: "=" | "<>" | "<" | "<=" | ">" | ">="): CallToSql {
  return binary((left, right) => {
    const isOneType = baseOf(left.type).name === baseOf(right.type).name && left.type.schema === right.type.schema;
    switch (kindOf(left.type)) {
      case "number": {
        const money = (term: Term): SQL => (baseOf(term.type).name === "money" ? asNumeric(term) : term.sql);
        return comparisonSql(symbol, money(left), money(right));
      }
      case "text":
        return isOneType && baseOf(left.type).name !== "text" && !isCollated(left.type)
          ? sql`${left.sql} ${operatorIn(operatorSchema(left.type), symbol)} ${right.sql}`
          : comparisonSql(symbol, asText(left), asText(right));
      case "date":
      case "timestamp": {
        const common = commonInstant([left, right]);
        return comparisonSql(symbol, asInstant(left, common), asInstant(right, common));
      }
      default:
        return sql`${left.sql} ${operatorIn(operatorSchema(left.type), symbol)} ${right.sql}`;
    }
  });
}

/** Text of any length, in a collation of its column. */
function isCollated(type: ColumnType): boolean {
  return ["text", "varchar", "bpchar", "name", "citext"].includes(baseOf(type).name);
}

/** Between floats as float8, else as numeric. */
function calculate(symbol: "+" | "-" | "*" | "/"): CallToSql {
  return binary((left, right) => {
    const as = isFloat(left.type) || isFloat(right.type) ? asFloat : asNumber;
    return sql`(${as(left)} ${operatorIn("pg_catalog", symbol)} ${as(right)})`;
  });
}

// Geometries --------------------------------------------------------------------------------------

/**
 * The exact test is combined with one on boxes, which can use an index: `disjoint` also holds where the boxes are apart, and
 * `equals` for empty geometries, which have no box.
 */
function spatial(name: string): CallToSql {
  return ([left, right], _call, { lenient }) => {
    const [first, second] = inOneSystem(left!, right!);
    const { schema } = baseOf(left!.type);
    const exact = lenient
      ? sql`portolan.try_relation(${sql.literal(name)}, ${first}, ${second}, ${sql.literal(schema)})`
      : postgis(left!.type, name, first, second);
    const terms = [left!, right!];
    const hasBoxes = name !== "st_disjoint" && terms.every(({ type }) => !isGeography(type));
    const isOneValue = terms.filter(({ operand }) => operand.kind === "value").length === 1;
    if (!hasBoxes || !isOneValue || name === "st_equals") return exact;
    const [firstBox, secondBox] = inOneSystem(left!, right!, storedGeometry);
    return sql`(${firstBox} ${operatorIn(schema, "&&")} ${secondBox} and ${exact})`;
  };
}

// Time --------------------------------------------------------------------------------------------

type Ends = Readonly<Record<"start1" | "end1" | "start2" | "end2", SQL>>;

const before = (left: SQL, right: SQL): SQL => comparisonSql("<", left, right);
const same = (left: SQL, right: SQL): SQL => comparisonSql("=", left, right);
const notAfter = (left: SQL, right: SQL): SQL => comparisonSql("<=", left, right);

/** OGC 21-065r2 §7.8, table 9; an instant begins and ends at once. The four terms: both ends of both operands. */
function temporal(conditions: (ends: Ends) => readonly SQL[], joint = " and "): CallToSql {
  return (terms) => {
    const common = commonInstant(terms);
    const [start1, end1, start2, end2] = terms.map((term, index) => asInstant(term, common, index % 2 === 1));
    return sql.join([...conditions({ start1: start1!, end1: end1!, start2: start2!, end2: end2! })], joint);
  };
}

const TEMPORAL: Readonly<Record<string, CallToSql>> = {
  t_after: temporal(({ start1, end2 }) => [before(end2, start1)]),
  t_before: temporal(({ end1, start2 }) => [before(end1, start2)]),
  t_contains: temporal((e) => [before(e.start1, e.start2), before(e.end2, e.end1)]),
  t_disjoint: temporal((e) => [before(e.end1, e.start2), before(e.end2, e.start1)], " or "),
  t_during: temporal((e) => [before(e.start2, e.start1), before(e.end1, e.end2)]),
  t_equals: temporal((e) => [same(e.start1, e.start2), same(e.end1, e.end2)]),
  t_finishedby: temporal((e) => [before(e.start1, e.start2), same(e.end1, e.end2)]),
  t_finishes: temporal((e) => [before(e.start2, e.start1), same(e.end1, e.end2)]),
  t_intersects: temporal((e) => [notAfter(e.start1, e.end2), notAfter(e.start2, e.end1)]),
  t_meets: temporal((e) => [same(e.end1, e.start2)]),
  t_metby: temporal((e) => [same(e.start1, e.end2)]),
  t_overlappedby: temporal((e) => [before(e.start2, e.start1), before(e.start1, e.end2), before(e.end2, e.end1)]),
  t_overlaps: temporal((e) => [before(e.start1, e.start2), before(e.start2, e.end1), before(e.end1, e.end2)]),
  t_startedby: temporal((e) => [same(e.start1, e.start2), before(e.end2, e.end1)]),
  t_starts: temporal((e) => [same(e.start1, e.start2), before(e.end1, e.end2)]),
};

// Arrays ------------------------------------------------------------------------------------------

/** Arrays whose elements are of one kind but of different types are compared as arrays of numeric or of text. */
function asArrays(left: Term, right: Term): readonly [SQL, SQL] {
  const [first, second] = [left.type.element!, right.type.element!];
  if (baseOf(first).name === baseOf(second).name && first.schema === second.schema) return [left.sql, right.sql];
  const name = kindOf(first) === "number" ? "numeric" : "text";
  return [sql`${cast(left.sql, name)}[]`, sql`${cast(right.sql, name)}[]`];
}

const contains = ([left, right]: readonly [SQL, SQL]): SQL => sql`${left} ${operatorIn("pg_catalog", "@>")} ${right}`;

const ARRAYS: Readonly<Record<string, CallToSql>> = {
  a_contains: binary((left, right) => contains(asArrays(left, right))),
  a_containedby: binary((left, right) => contains(asArrays(right, left))),
  a_equals: binary((left, right) => {
    const [first, second] = asArrays(left, right);
    return sql`(${contains([first, second])} and ${contains([second, first])})`;
  }),
  a_overlaps: binary((left, right) => {
    const [first, second] = asArrays(left, right);
    return sql`${first} ${operatorIn("pg_catalog", "&&")} ${second}`;
  }),
};

// All ---------------------------------------------------------------------------------------------

export const SPATIAL_RELATIONS = [
  "intersects",
  "equals",
  "disjoint",
  "touches",
  "within",
  "overlaps",
  "crosses",
  "contains",
];

const CALLS: ReadonlyMap<string, CallToSql> = new Map<string, CallToSql>([
  ...(["=", "<>", "<", "<=", ">", ">="] as const).map((symbol) => [symbol, compare(symbol)] as const),
  ...(["+", "-", "*", "/"] as const).map((symbol) => [symbol, calculate(symbol)] as const),
  // floats have neither; a power of numerics could have a hundred thousand digits
  ["%", binary((left, right) => apply("mod", asNumeric(left), asNumeric(right)))],
  ["div", binary((left, right) => apply("div", asNumeric(left), asNumeric(right)))],
  ["^", binary((left, right) => apply("power", asFloat(left), asFloat(right)))],
  ["like", binary((left, right) => sql`${asText(left)} ${operatorIn("pg_catalog", "~~")} ${asText(right)}`)],
  ["ilike", binary((left, right) => sql`${asText(left)} ${operatorIn("pg_catalog", "~~*")} ${asText(right)}`)],
  ["isnull", ([only]) => sql`${only!.sql} is null`],
  ["casei", ([only]) => folded(only!)],
  ["accenti", ([only], { schema = "public" }) => sql`${sql.identifier(schema, "unaccent")}(${asText(only!)})`],
  ...SPATIAL_RELATIONS.map((name) => [`s_${name}`, spatial(`st_${name}`)] as const),
  ...Object.entries(TEMPORAL),
  ...Object.entries(ARRAYS),
  ...Object.entries(FUNCTIONS).flatMap(([name, { toSql }]) => (toSql ? [[name, toSql] as const] : [])),
]);

export function isTemporalRelation(name: string): boolean {
  return Object.hasOwn(TEMPORAL, name);
}

export function isArrayRelation(name: string): boolean {
  return Object.hasOwn(ARRAYS, name);
}

function operandToSql(operand: Operand, alias: SQL, options: FilterSqlOptions): SQL {
  switch (operand.kind) {
    case "column":
      return sql`${alias}.${sql.identifier(operand.column.name)}`;
    case "value":
      return toSqlValue(operand.value, operand.type, "filter");
    case "call":
      return callToSql(operand, alias, options);
  }
}

/** The result of a function or an operator. `alias`: the name of the rows in the statement. */
export function callToSql(call: Call, alias: SQL, options: FilterSqlOptions = {}): SQL {
  const toSql = CALLS.get(call.name);
  if (!toSql) throw new Error(`there is no function ${call.name}`);
  const terms = call.operands.map((operand): Term => ({
    operand,
    type: operand.type,
    sql: operandToSql(operand, alias, options),
  }));
  return toSql(terms, call, options);
}
