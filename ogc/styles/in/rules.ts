/**
 * Converts rules that are painted one over the other, as in other programs, to Portolan's classes, of which only one
 * draws a feature.
 */
import type { JsonObject } from "../../../server/types/json.ts";
import type { Notes } from "./notes.ts";

/** One rule. The rules of all groups are painted in their order. */
export interface Rule {
  readonly name: string;
  /**
   * A condition of `set_style`; undefined for every feature; `else` for those that no other rule of the group matches.
   */
  readonly where: JsonObject | "else" | undefined;
  readonly minScale?: number | undefined;
  readonly maxScale?: number | undefined;
  readonly styles: readonly JsonObject[];
  readonly labels: readonly JsonObject[];
  /** The number of the list of rules that it belongs to. */
  readonly group: number;
}

/** A class in the form of `set_style`. */
export interface ClassJson {
  readonly name: string;
  readonly where?: JsonObject;
  readonly minScale?: number;
  readonly maxScale?: number;
  readonly styles: readonly JsonObject[];
  readonly labels: readonly JsonObject[];
}

/** The limits of `portolan.check_style`. */
const MOST = { classes: 100, parts: 20, name: 100 } as const;

const keyOf = (value: unknown): string => JSON.stringify(value) ?? "";

/**
 * The classes in the order in which a feature is tried: those with a condition first, then the class of every feature.
 */
export function classesOf(rules: readonly Rule[], notes: Notes): ClassJson[] {
  const conditions = new Map<string, JsonObject>();
  for (const { where } of rules) if (where !== undefined && where !== "else") conditions.set(keyOf(where), where);
  noteOverlaps(rules, notes);
  const bounds = [...new Set(rules.flatMap(({ minScale = 0, maxScale = Infinity }) => [minScale, maxScale]))].sort(
    (one, other) => one - other,
  );
  const classes = [...conditions.keys(), undefined].flatMap((condition) =>
    joined(
      bounds.slice(0, -1).map((from, index) => {
        const to = bounds[index + 1]!;
        const drawing = rules.filter((rule) => isIn(rule, from, to) && takes(rule, condition, rules));
        return toClass(drawing, condition === undefined ? undefined : conditions.get(condition), [from, to]);
      }),
    ),
  );
  const drawn = classes.filter((each) => each !== undefined);
  for (const { name, styles, labels } of drawn)
    if (styles.length > MOST.parts || labels.length > MOST.parts)
      notes.add(name, `a class has up to ${MOST.parts} drawings and labels; the others are left out`);
  if (drawn.length > MOST.classes)
    notes.add("", `a style has up to ${MOST.classes} classes; ${drawn.length - MOST.classes} are left out`);
  return drawn.slice(0, MOST.classes).map((each) => ({
    ...each,
    styles: each.styles.slice(0, MOST.parts),
    labels: each.labels.slice(0, MOST.parts),
  }));
}

function isIn({ minScale = 0, maxScale = Infinity }: Rule, from: number, to: number): boolean {
  return minScale <= from && to <= maxScale;
}

/** Whether a rule draws the features of a condition. `condition`: undefined for features that meet none. */
function takes({ where, group }: Rule, condition: string | undefined, rules: readonly Rule[]): boolean {
  if (where === undefined) return true;
  if (where !== "else") return keyOf(where) === condition;
  return !rules.some((other) => other.group === group && other !== undefined && typeof other.where === "object" && keyOf(other.where) === condition); // oxfmt-ignore
}

function toClass(
  drawing: readonly Rule[],
  where: JsonObject | undefined,
  [from, to]: readonly [number, number],
): ClassJson | undefined {
  // a rule that draws nothing hides its features, unless there are no other rules
  if (drawing.length === 0) return undefined;
  const own = drawing.find((rule) => keyOf(rule.where) === keyOf(where)) ?? drawing.at(-1)!;
  const name = own.name.trim().slice(0, MOST.name) || "All";
  return {
    name,
    ...(where !== undefined && { where }),
    ...(from > 0 && { minScale: from }),
    ...(to < Infinity && { maxScale: to }),
    styles: drawing.flatMap(({ styles }) => styles),
    labels: drawing.flatMap(({ labels }) => labels),
  };
}

/** Merges neighbouring scale ranges of a condition that are drawn in the same way. */
function joined(classes: readonly (ClassJson | undefined)[]): readonly (ClassJson | undefined)[] {
  const result: (ClassJson | undefined)[] = [];
  for (const each of classes) {
    const last = result.at(-1);
    const isSame =
      each && last && keyOf([each.name, each.styles, each.labels]) === keyOf([last.name, last.styles, last.labels]);
    if (!isSame) {
      result.push(each);
      continue;
    }
    const { maxScale: _max, ...rest } = last;
    result[result.length - 1] = { ...rest, ...(each.maxScale !== undefined && { maxScale: each.maxScale }) };
  }
  return result;
}

function noteOverlaps(rules: readonly Rule[], notes: Notes): void {
  const groups = new Map<string, Set<number>>();
  for (const { where, group } of rules)
    if (typeof where === "object") groups.set(keyOf(where), (groups.get(keyOf(where)) ?? new Set()).add(group));
  const lists = new Set([...groups.values()].map((each) => [...each].sort().join()));
  if (lists.size > 1) notes.add("", "a feature that meets the conditions of several rules is drawn only by the first");
}
