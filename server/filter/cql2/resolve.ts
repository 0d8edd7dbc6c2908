/** CQL2 syntax → the syntax tree of the filter language: names are looked up, kinds of values checked. */
import { DECIMAL_TEXT } from "../../types/texts.ts";
import { baseOf } from "../../types/columnType.ts";
import { quote } from "../../types/show.ts";
import { hasDefaultEquality } from "../comparison.ts";
import { and, Budget, isNull, not, or } from "../nodes.ts";
import type { Filter, Operand, Operator, Shape } from "../tree.ts";
import { isArrayRelation, isTemporalRelation, SPATIAL_RELATIONS } from "./calls.ts";
import type { FunctionRow } from "./functions.ts";
import { boxParts, holdsNumber, numberOf } from "./literals.ts";
import {
  called,
  checkCount,
  describe,
  describeType,
  functionNamed,
  Operands,
  type CallSyntax,
  type ColumnOperand,
  type ValueOperand,
} from "./operands.ts";
import { fail, locate, type FilterAxes, type Place, type Syntax, type SyntaxOf } from "./syntax.ts";
import { kindOf, NUMBER, type ValueKind } from "./terms.ts";
import { intervalEnd } from "./text.ts";

export interface ResolveOptions {
  readonly axes: FilterAxes;
  /** Text may also be a number, day or instant, and 1 and 0 a boolean, as in GDAL's `cql-text`. */
  readonly looseText: boolean;
  /** The condition that a row is one of the features of these ids, for `resourceid`. Default: there is no such call. */
  readonly ofIds?: ((ids: readonly string[]) => Filter) | undefined;
}

const COMPARISONS: Readonly<Record<string, Operator>> = {
  "=": "eq",
  "<>": "neq",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};
/** The same comparison with its sides changed. */
const TURNED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const ORDERED: ReadonlySet<ValueKind> = new Set<ValueKind>(["boolean", "number", "text", "date", "timestamp"]);

type Condition = (call: CallSyntax) => Filter;

/**
 * GDAL's form of a value of another type: days as `2026-01-31T`, instants without a zone, which are in UTC like all others.
 */
function looseValue(kind: ValueKind, ownKind: ValueKind, given: unknown): unknown {
  if (kind === "boolean" && ownKind === "number") return [false, true].find((each) => Number(each) === Number(given));
  if (ownKind !== "text" || kind === "geometry") return undefined;
  const [, day, time = "00:00:00"] = WITHOUT_ZONE.exec(String(given)) ?? [];
  if (day === undefined) return given;
  return kind === "timestamp" ? `${day} ${time}Z` : kind === "date" ? day : given;
}

const WITHOUT_ZONE = /^(\d{4}[-/]\d\d[-/]\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?)?$/;

class Resolver {
  readonly #options: ResolveOptions;
  readonly #operands: Operands;
  readonly #budget = new Budget({});
  /** Conditions by the name of what makes them. */
  readonly #conditions: ReadonlyMap<string, Condition>;

  constructor(shape: Shape, options: ResolveOptions) {
    this.#options = options;
    this.#operands = new Operands(shape, {
      axes: options.axes,
      isCondition: (name) => ["and", "or", "not"].includes(name) || this.#conditionNamed(name) !== undefined,
    });
    this.#conditions = new Map<string, Condition>([
      ...Object.keys(COMPARISONS).map((name) => [name, (call: CallSyntax) => this.#comparison(call)] as const),
      ["like", (call) => this.#like(call)],
      ["ilike", (call) => this.#like(call)],
      ["between", (call) => this.#between(call)],
      ["in", (call) => this.#in(call)],
      ["isnull", (call) => this.#isNull(call)],
      ...SPATIAL_RELATIONS.map((name) => [`s_${name}`, (call: CallSyntax) => this.#spatial(call)] as const),
      ...(options.ofIds ? [["resourceid", (call: CallSyntax) => this.#ofIds(call, options.ofIds!)] as const] : []),
    ]);
  }

  filter(syntax: Syntax): Filter {
    if (syntax.kind === "boolean") return syntax.value ? and([]) : or([]);
    if (syntax.kind === "call") {
      const parts = (): Filter[] => syntax.args.map((each) => this.filter(each));
      if (syntax.name === "and") return and(parts());
      if (syntax.name === "or") return or(parts());
      if (syntax.name === "not") return not(parts()[0]!);
    }
    return this.#ofOneRelation(syntax, () => this.#condition(syntax));
  }

  #condition(syntax: Syntax): Filter {
    if (syntax.kind === "property") {
      const operand = this.#operands.column(syntax);
      if (kindOf(operand.type) === "boolean") return this.#compare(operand, "eq", true, syntax.at);
    }
    const condition = syntax.kind === "call" ? this.#conditionNamed(syntax.name) : undefined;
    if (condition) return condition(syntax as CallSyntax);
    return fail(syntax.at, `expected a condition, got ${describe(syntax)}`);
  }

  #conditionNamed(name: string): Condition | undefined {
    if (isTemporalRelation(name)) return (call) => this.#temporal(call);
    if (isArrayRelation(name)) return (call) => this.#array(call);
    const row = functionNamed(name);
    if (row?.operator) return (call) => this.#operatorFunction(call, row, row.operator!);
    return this.#conditions.get(name);
  }

  // Relations -----------------------------------------------------------------------------------------

  /** A condition on columns of one relation; it holds if some related row meets it. */
  #ofOneRelation(syntax: Syntax, make: () => Filter): Filter {
    const names = propertiesIn(syntax);
    const paths = names.map((property) => this.#operands.find(property));
    const relations = paths[0]?.relations ?? [];
    paths.forEach(({ relations: others, column }, index) => {
      const isSame = others.length === relations.length && others.every((each, step) => each === relations[step]);
      if (!isSame) mixed(names[index]!);
      this.#operands.know(names[index]!, column);
    });
    return relations.reduceRight<Filter>((filter, relation) => ({ kind: "related", relation, filter }), make());
  }

  // Comparisons -----------------------------------------------------------------------------------

  #comparison(call: CallSyntax): Filter {
    checkCount(call, 2);
    const [left, right] = call.args as [Syntax, Syntax];
    return this.#truth(call.name, left, right) ?? this.#compared(call.name, left, right);
  }

  /** A condition may be compared with true and false. */
  #truth(name: string, left: Syntax, right: Syntax): Filter | undefined {
    const condition = [left, right].find((each) => each.kind === "call" && this.#conditionNamed(each.name));
    const truth = [left, right].find((each) => each.kind === "boolean");
    if (!condition || !truth || (name !== "=" && name !== "<>")) return undefined;
    const filter = this.#condition(condition);
    return (name === "=") === truth.value ? filter : not(filter);
  }

  #compared(name: string, leftSyntax: Syntax, rightSyntax: Syntax): Filter {
    const [left, right] = [this.#operands.read(leftSyntax), this.#operands.read(rightSyntax)];
    if (left.kind === "value" && right.kind === "column")
      return this.#comparedWithValue(TURNED[name] ?? name, right, left, leftSyntax);
    if (left.kind === "column" && right.kind === "value")
      return this.#comparedWithValue(name, left, right, rightSyntax);
    this.#checkComparable(left, right, rightSyntax);
    return called(name, [left, right]);
  }

  #comparedWithValue(name: string, column: ColumnOperand, own: ValueOperand, at: Syntax): Filter {
    const given = this.#looseNumber(column, own, at);
    const literal = this.#plainValue(column, given);
    if (literal !== undefined) return this.#compare(column, COMPARISONS[name]!, literal, at.at);
    this.#checkComparable(column, given, at);
    return called(name, [column, given]);
  }

  /** Text that is a number, beside a column of numbers, where text may be one: `1.5` lies between two whole numbers. */
  #looseNumber({ type }: ColumnOperand, own: ValueOperand, { at }: Syntax): ValueOperand {
    if (!this.#options.looseText || kindOf(type) !== "number" || kindOf(own.type) !== "text") return own;
    const text = String(own.value).trim();
    if (!DECIMAL_TEXT.test(text)) return own;
    return { ...own, value: numberOf({ kind: "number", value: text, at }), type: NUMBER };
  }

  /** The value in the form that a comparison of the filter language has; undefined where the two types differ. */
  #plainValue({ type, column }: ColumnOperand, { value: given, type: own }: ValueOperand): unknown {
    const [kind, ownKind] = [kindOf(type), kindOf(own)];
    if (ownKind === "number" && kind === "number")
      return holdsNumber(type, given as number | string) ? given : undefined;
    if (ownKind === "number" && kind === "text" && (column.id || baseOf(type).name === "oid")) return given;
    if (ownKind === "text" && kind === "other") return given;
    if (this.#options.looseText && kind !== ownKind) return looseValue(kind, ownKind, given);
    return kind === ownKind && kind !== "geometry" ? given : undefined;
  }

  #compare({ column }: ColumnOperand, operator: Operator, given: unknown, at: Place): Filter {
    return locate(at, () => this.#budget.compare(column, operator, given, column.name));
  }

  #checkComparable(left: Operand, right: Operand, at: Syntax): void {
    const kinds = [kindOf(left.type), kindOf(right.type)] as const;
    const areInstants = kinds.every((kind) => kind === "date" || kind === "timestamp");
    const isOneKind = kinds[0] === kinds[1] && ORDERED.has(kinds[0]);
    const isOneType = baseOf(left.type).name === baseOf(right.type).name && hasDefaultEquality(left.type);
    if (areInstants || isOneKind || (isOneType && kinds[0] === "other")) return;
    fail(at.at, `${describeType(left)} cannot be compared with ${describe(at, right)}`);
  }

  #like(call: CallSyntax): Filter {
    checkCount(call, 2);
    const [left, right] = this.#operands.readAll(call, ["text"], ["text"]) as [Operand, Operand];
    if (left.kind === "column" && right.kind === "value")
      return this.#compare(left, call.name as Operator, right.value, call.args[1]!.at);
    return called(call.name, [left, right]);
  }

  #between(call: CallSyntax): Filter {
    checkCount(call, 3);
    const [only, low, high] = call.args as [Syntax, Syntax, Syntax];
    return and([this.#compared(">=", only, low), this.#compared("<=", only, high)]);
  }

  #in(call: CallSyntax): Filter {
    checkCount(call, 2);
    const [left, list] = call.args as [Syntax, Syntax];
    if (list.kind !== "list") return fail(list.at, "expected a list");
    const operand = this.#operands.read(left);
    const isTemporal = ["date", "timestamp"].includes(kindOf(operand.type));
    // text there is a day or an instant, as in an interval; the abstract test /conf/advanced-comparison-operators/in
    // has it so
    const items = isTemporal ? list.items.map((item) => intervalEnd(item) ?? item) : list.items;
    if (operand.kind === "column") {
      const values = items.map((item) => this.#operands.read(item));
      const plain = values.map((each) => (each.kind === "value" ? this.#plainValue(operand, each) : undefined));
      if (plain.every((each) => each !== undefined))
        return locate(list.at, () => this.#budget.oneOf(operand.column, "in", plain, operand.column.name));
    }
    return or(items.map((item) => this.#compared("=", left, item)));
  }

  #isNull(call: CallSyntax): Filter {
    checkCount(call, 1);
    const [only] = call.args as [Syntax];
    const operand = this.#operands.read(only);
    return operand.kind === "column" ? isNull(operand.column, true) : called("isnull", [operand]);
  }

  // Geometries, time, arrays ----------------------------------------------------------------------

  #spatial(call: CallSyntax): Filter {
    const [left, right] = this.#operands.readAll(call, ["geometry"], ["geometry"]) as [Operand, Operand];
    const { name } = call;
    if (name === "s_intersects" || name === "s_disjoint") {
      const [column, index] = left.kind === "column" ? [left, 1] : [right, 0];
      const other = index === 1 ? right : left;
      if (column.kind === "column" && other.kind === "value") {
        const filter = this.#intersects(column, other, call.args[index]!);
        return name === "s_intersects" ? filter : not(filter);
      }
    }
    return called(name, [left, right]);
  }

  /** Uses the operators of the filter language, which know the indexes of every column and the shape of the earth. */
  #intersects(column: ColumnOperand, { value: ewkt }: ValueOperand, syntax: Syntax): Filter {
    if (syntax.kind !== "bbox" || !this.#operands.geometries.inDegrees(syntax))
      return this.#compare(column, "intersects", ewkt, syntax.at);
    const parts = boxParts(this.#operands.geometries.readBox(syntax));
    return or(parts.map((part) => this.#compare(column, "bbox", part, syntax.at)));
  }

  #temporal(call: CallSyntax): Filter {
    checkCount(call, 2);
    return called(
      call.name,
      call.args.flatMap((each) => this.#operands.ends(each)),
    );
  }

  #array(call: CallSyntax): Filter {
    checkCount(call, 2);
    const [first, second] = call.args as [Syntax, Syntax];
    const known = [first, second].map((each) => (each.kind === "property" ? this.#operands.column(each) : undefined));
    const element = known.find(Boolean)?.type.element;
    const [left, right] = [this.#operands.array(first, element), this.#operands.array(second, element)];
    const { name } = call;
    const holder = name === "a_containedby" ? right : left;
    const other = holder === left ? right : left;
    const otherSyntax = holder === left ? second : first;
    if (name !== "a_equals" && holder.kind === "column" && other.kind === "value")
      return this.#compare(holder, name === "a_overlaps" ? "overlaps" : "contains", other.value, otherSyntax.at);
    if (name === "a_overlaps" && right.kind === "column" && left.kind === "value")
      return this.#compare(right, "overlaps", left.value, first.at);
    const kinds = [left, right].map(
      ({ type }) => type.element && hasDefaultEquality(type.element) && kindOf(type.element),
    );
    if (kinds[0] !== kinds[1] || !kinds[0]) fail(second.at, "the elements of the two arrays cannot be compared");
    return called(name, [left, right]);
  }

  // Ids -------------------------------------------------------------------------------------------

  #ofIds({ args, at }: CallSyntax, ofIds: NonNullable<ResolveOptions["ofIds"]>): Filter {
    const ids = args.map((each) => (each.kind === "text" ? each.value : fail(each.at, "expected an id")));
    return locate(at, () => ofIds(ids));
  }

  // Functions -------------------------------------------------------------------------------------

  /** A function that means an operator of the filter language. */
  #operatorFunction(call: CallSyntax, row: FunctionRow, operator: Operator): Filter {
    checkCount(call, row.arguments.length);
    const [first, ...others] = call.args as [Syntax, ...Syntax[]];
    if (first.kind !== "property") return fail(first.at, `expected a property, got ${describe(first)}`);
    const column = this.#operands.column(first);
    if (!row.arguments[0]!.kinds.includes(kindOf(column.type)))
      fail(first.at, `${call.name} does not take ${describe(first, column)}`);
    const values = others.map((each, index) => this.#argument(each, row.arguments[index + 1]!.kinds));
    const given = operator === "dwithin" ? { geometry: values[0], distance: Number(values[1]) } : values[0];
    return this.#compare(column, operator, given, others[0]!.at);
  }

  /** A value as the filter language's own operators take it. */
  #argument(syntax: Syntax, kinds: readonly ValueKind[]): unknown {
    const operand =
      kinds.includes("array") && syntax.kind === "list"
        ? this.#operands.array(syntax, undefined)
        : this.#operands.read(syntax);
    if (operand.kind !== "value" || !kinds.includes(kindOf(operand.type)))
      return fail(syntax.at, `expected a value: ${kinds.join(", ")}`);
    return operand.value;
  }
}

function mixed({ name, at }: SyntaxOf<"property">): never {
  return fail(at, `${quote(name)}: one comparison names the properties of one table only`);
}

/** All names within. */
function propertiesIn(syntax: Syntax): SyntaxOf<"property">[] {
  switch (syntax.kind) {
    case "property":
      return [syntax];
    case "call":
      return syntax.args.flatMap(propertiesIn);
    case "list":
      return syntax.items.flatMap(propertiesIn);
    case "interval":
      return [syntax.start, syntax.end].flatMap((each) => (each ? propertiesIn(each) : []));
    default:
      return [];
  }
}

/** The tree of a filter over `shape`. Throws `Cql2Error`. */
export function resolve(syntax: Syntax, shape: Shape, options: ResolveOptions): Filter {
  return new Resolver(shape, options).filter(syntax);
}
