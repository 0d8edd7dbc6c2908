/** The operands of a CQL2 filter: names, values and results, with their types. */
import type { ColumnType } from "../../types/columnType.ts";
import { instantOf } from "../../types/instants.ts";
import { quote } from "../../types/show.ts";
import type { Call, Column, Operand, Relation, Shape } from "../tree.ts";
import { convertValue } from "../values.ts";
import { FUNCTIONS, type FunctionRow } from "./functions.ts";
import { Geometries, instantOperand, numberOf } from "./literals.ts";
import { checkDepth, fail, locate, type FilterAxes, type Place, type Syntax, type SyntaxOf } from "./syntax.ts";
import { BOOLEAN, DATE, FLOAT, isFloat, kindOf, NUMBER, TEXT, TIMESTAMP, type ValueKind } from "./terms.ts";

const CALCULATIONS: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "div", "^"]);

export type CallSyntax = SyntaxOf<"call">;
/** An instant, or an interval. */
type Ends = readonly [start: Operand, end: Operand];
export type ColumnOperand = Extract<Operand, { kind: "column" }>;
export type ValueOperand = Extract<Operand, { kind: "value" }>;

const value = (given: unknown, type: ColumnType): ValueOperand => ({ kind: "value", value: given, type });

export function called(name: string, operands: readonly Operand[], type: ColumnType = BOOLEAN): Call {
  return { kind: "call", name, operands, type };
}

interface Options {
  readonly axes: FilterAxes;
  /** Whether this name is a condition's. */
  isCondition(name: string): boolean;
}

/** Reads the operands of one filter over a shape. Throws `Cql2Error`. */
export class Operands {
  readonly geometries: Geometries;
  readonly #shape: Shape;
  readonly #axes: FilterAxes;
  readonly #isCondition: (name: string) => boolean;
  /** The meaning of names. */
  readonly #columns = new Map<Syntax, Column>();

  constructor(shape: Shape, { axes, isCondition }: Options) {
    this.#shape = shape;
    this.#axes = axes;
    this.#isCondition = isCondition;
    this.geometries = new Geometries(axes);
  }

  /** From now on the name means this column. */
  know(syntax: SyntaxOf<"property">, column: Column): void {
    this.#columns.set(syntax, column);
  }

  /** A name is that of a column, or that of a relation, a point, and a name there. */
  find({ name, at }: SyntaxOf<"property">): { relations: Relation[]; column: Column } {
    const relations: Relation[] = [];
    let [shape, rest] = [this.#shape, name];
    for (;;) {
      const column = shape.column(rest);
      if (column) return { relations, column };
      const point = rest.indexOf(".");
      const relation = point > 0 ? shape.related(rest.slice(0, point)) : undefined;
      if (!relation) return fail(at, `there is no property ${quote(name)}`);
      checkDepth(relations.push(relation), at);
      [shape, rest] = [relation.target, rest.slice(point + 1)];
    }
  }

  column(syntax: SyntaxOf<"property">): ColumnOperand {
    const column = this.#columns.get(syntax)!; // looked up before its condition is resolved
    return { kind: "column", column, type: column.type };
  }

  // Values ----------------------------------------------------------------------------------------

  /** Reads an operand that is no condition. */
  read(syntax: Syntax): Operand {
    switch (syntax.kind) {
      case "property":
        return this.column(syntax);
      case "text":
        return this.#valueOf(syntax.value, TEXT, syntax.at);
      case "number":
        return this.#valueOf(numberOf(syntax), NUMBER, syntax.at);
      case "boolean":
        return value(syntax.value, BOOLEAN);
      case "date":
      case "timestamp":
        return instantOperand(syntax);
      case "geometry":
        return this.#geometry(this.geometries.read(syntax), syntax);
      case "bbox":
        return this.#geometry(this.geometries.boxEwkt(syntax), syntax);
      case "call":
        return this.#result(syntax);
      case "list":
      case "interval":
        return fail(syntax.at, `${describe(syntax)} is not allowed here`);
    }
  }

  /** Tries a value: an error names the place of the value. */
  #valueOf(given: unknown, type: ColumnType, at: Place): ValueOperand {
    locate(at, () => convertValue(given, type, "value"));
    return value(given, type);
  }

  #geometry(ewkt: string, { at, axes = this.#axes }: SyntaxOf<"geometry" | "bbox">): Operand {
    const schema = this.#shape.extensions?.postgis ?? fail(at, "geometries are not supported here");
    return value(ewkt, { kind: "geometry", schema, name: "geometry", srid: axes.srid });
  }

  /** The result of a calculation or a function. */
  #result(call: CallSyntax): Operand {
    const { name, at } = call;
    if (CALCULATIONS.has(name)) {
      const operands = this.readAll(call, ["number"], ["number"]);
      const isOfFloats = name === "^" || (name !== "%" && name !== "div" && operands.some(({ type }) => isFloat(type)));
      return called(name, operands, isOfFloats ? FLOAT : NUMBER);
    }
    if (name === "casei") return called(name, this.readAll(call, ["text"]), TEXT);
    if (name === "accenti") {
      const schema = this.#shape.extensions?.unaccent ?? fail(at, "accenti needs the extension unaccent");
      return { ...called(name, this.readAll(call, ["text"]), TEXT), schema };
    }
    const row = functionNamed(name);
    if (!row?.type) {
      const isCondition = this.#isCondition(name);
      return fail(at, isCondition ? "a condition cannot be a value" : `there is no function ${quote(name)}`);
    }
    const operands = this.readAll(call, ...row.arguments.map(({ kinds }) => kinds));
    const type = typeof row.type === "function" ? row.type(operands[0]!.type) : row.type;
    return called(name, operands, type);
  }

  /** As many operands as there are `kinds`, each of one of its kinds. */
  readAll(call: CallSyntax, ...kinds: readonly (readonly ValueKind[])[]): Operand[] {
    checkCount(call, kinds.length);
    return call.args.map((each, index) => {
      const operand = this.read(each);
      const wanted = kinds[index]!;
      if (!wanted.includes(kindOf(operand.type)))
        fail(each.at, `expected ${wanted.join(" or ")}, got ${describe(each, operand)}`);
      return operand;
    });
  }

  // Instants and arrays ---------------------------------------------------------------------------

  ends(syntax: Syntax): Ends {
    if (syntax.kind !== "interval") {
      const instant = this.#instant(syntax);
      return [instant, instant];
    }
    const [start, end] = [syntax.start, syntax.end].map((each) => each && this.#instant(each));
    const type = (start ?? end)?.type ?? TIMESTAMP;
    const open = kindOf(type) === "date" ? DATE : TIMESTAMP;
    if (isBefore(end, start)) fail(syntax.at, "the interval ends before it starts");
    return [start ?? value("-infinity", open), end ?? value("infinity", open)];
  }

  #instant(syntax: Syntax): Operand {
    const operand = this.read(syntax);
    const kind = kindOf(operand.type);
    if (kind === "date" || kind === "timestamp") return operand;
    return fail(syntax.at, `expected a date, a timestamp or an interval, got ${describe(syntax, operand)}`);
  }

  /** `element`: of the array beside it. */
  array(syntax: Syntax, element: ColumnType | undefined): Operand {
    if (syntax.kind === "property") {
      const column = this.column(syntax);
      return column.type.kind === "array"
        ? column
        : fail(syntax.at, `expected an array, got ${describe(syntax, column)}`);
    }
    const items = syntax.kind === "list" ? syntax.items : [syntax];
    const values = items.map((item) => {
      const operand = this.read(item);
      return operand.kind === "value" ? operand : fail(item.at, "expected a value");
    });
    const type = element ?? values[0]?.type ?? TEXT;
    values.forEach((each, index) => {
      if (kindOf(each.type) !== kindOf(type) && kindOf(type) !== "other")
        fail(items[index]!.at, `expected an element of kind ${kindOf(type)}, got ${describe(items[index]!, each)}`);
    });
    const array: ColumnType = { kind: "array", schema: type.schema, name: `_${type.name}`, element: type };
    return this.#valueOf(
      values.map((each) => each.value),
      array,
      syntax.at,
    );
  }
}

export function functionNamed(name: string): FunctionRow | undefined {
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}

export function checkCount({ name, args, at }: CallSyntax, count: number): void {
  if (args.length !== count)
    fail(at, `${name} takes ${count} ${count === 1 ? "argument" : "arguments"}, got ${args.length}`);
}

function isBefore(first: Operand | undefined, second: Operand | undefined): boolean {
  const [one, other] = [first, second].map((each) =>
    each?.kind === "value" ? instantOf(String(each.value)) : undefined,
  );
  return one !== undefined && other !== undefined && one < other;
}

export function describe(syntax: Syntax, operand?: Operand): string {
  switch (syntax.kind) {
    case "property":
      return operand ? `${quote(syntax.name)}, which is ${describeType(operand)}` : quote(syntax.name);
    case "text":
      return quote(syntax.value);
    case "number":
    case "boolean":
      return String(syntax.value);
    case "call":
      return `the result of ${quote(syntax.name)}`;
    case "bbox":
      return "a box";
    case "list":
      return "a list";
    default:
      return `a ${syntax.kind}`.replace(/^a i/, "an i");
  }
}

export const describeType = ({ type }: Operand): string => (kindOf(type) === "other" ? type.name : kindOf(type));
