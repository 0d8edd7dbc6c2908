/** Which conditions of a style can hold for one feature together. */
import { isObject, type JsonObject } from "../../../server/types/json.ts";
import { rowOf } from "../../../server/types/table.ts";
import { hasParts } from "../../../server/types/columnType.ts";
import type { Collection } from "../../collections/collections.ts";

/** The conjuncts of a condition: what one operator says of one column, or a condition that is not taken apart. */
interface Part {
  readonly column: string;
  readonly operator: string;
  readonly value: unknown;
}

export class Condition {
  readonly json: JsonObject;
  readonly parts: readonly Part[];
  readonly #keys: ReadonlySet<string>;

  constructor(json: JsonObject) {
    this.json = json;
    this.parts = partsOf(json);
    this.#keys = new Set(this.parts.map((part) => JSON.stringify(part)));
  }

  /** Whether no feature meets both, since this one has `not` and the other one. */
  excludes(other: Condition): boolean {
    return this.parts.some(({ operator, value }) => {
      if (operator !== "not" || !isObject(value)) return false;
      const all = Array.isArray(value["or"]) ? value["or"].filter(isObject) : [value];
      return all.some((each) => other.implies(new Condition(each)));
    });
  }

  /** Whether each feature that meets this condition meets the other one, as far as their parts tell. */
  implies(other: Condition): boolean {
    return [...other.#keys].every((key) => this.#keys.has(key));
  }
}

function partsOf(json: JsonObject): readonly Part[] {
  return Object.entries(json).flatMap(([name, inside]): readonly Part[] => {
    if (name === "and" && Array.isArray(inside)) return inside.filter(isObject).flatMap(partsOf);
    if (["or", "not"].includes(name) || !isObject(inside)) return [{ column: "", operator: name, value: inside }];
    return Object.entries(inside).map(([operator, value]) => ({ column: name, operator, value }));
  });
}

/** Whether a feature might meet all the conditions. False only where they contradict each other. */
export function canBeMet(conditions: readonly Condition[], { columns }: Pick<Collection, "columns">): boolean {
  if (conditions.some((one) => conditions.some((other) => one.excludes(other)))) return false;
  const all = conditions.flatMap(({ parts }) => parts);
  return columns.every(({ name, type }) => {
    const own = all.filter(({ column }) => column === name);
    if (own.length < 2) return true;
    const kind = hasParts(type) ? type.kind : rowOf(type).kind;
    const isNumber = ["integer", "bigint", "float"].includes(kind);
    return (!isNumber && kind !== "text" && kind !== "boolean") || hasValue(own, isNumber);
  });
}

/** Whether a value of a column might meet all the parts. */
function hasValue(parts: readonly Part[], isNumber: boolean): boolean {
  if (isNumber && parts.some(({ operator, value }) => operator !== "isNull" && Number.isNaN([value].flat().reduce<number>((sum, each) => sum + Number(each), 0)))) return true; // oxfmt-ignore
  const read = (value: unknown): unknown => (isNumber ? Number(value) : String(value));
  const valuesOf = (...operators: readonly string[]): unknown[][] =>
    parts.filter(({ operator }) => operators.includes(operator)).map(({ value }) => [value].flat().map(read));
  const [first, ...others] = valuesOf("eq", "in");
  const isNull = parts.some(({ operator, value }) => operator === "isNull" && value === true);
  if (isNull) return parts.every(({ operator }) => ["isNull", "neq", "nin"].includes(operator));
  const excluded = new Set(valuesOf("neq", "nin").flat());
  const wanted = first?.filter((value) => !excluded.has(value) && others.every((each) => each.includes(value)));
  if (!isNumber) return wanted === undefined || wanted.length > 0;
  const bounds = parts
    .filter(({ operator }) => BOUNDS[operator] !== undefined)
    .map(({ operator, value }) => ({ isIn: BOUNDS[operator]!, operator, bound: Number(value) }));
  if (wanted) return wanted.some((value) => bounds.every(({ isIn, bound }) => isIn(value as number, bound)));
  // between the bounds, or the only number that is left
  const boundsOf = (sign: string): number[] => bounds.filter(({ operator }) => operator.startsWith(sign)).map(({ bound }) => bound); // oxfmt-ignore
  const [least, most] = [Math.max(-Infinity, ...boundsOf("g")), Math.min(Infinity, ...boundsOf("l"))];
  return (
    least < most || (least === most && bounds.every(({ isIn, bound }) => isIn(least, bound)) && !excluded.has(least))
  );
}

const BOUNDS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
};
