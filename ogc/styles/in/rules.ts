/**
 * Converts rules that are painted one over the other, as in other programs, to Portolan's classes, of which only one
 * draws a feature.
 */
import type { JsonObject } from "../../../server/types/json.ts";
import type { Collection } from "../../collections/collections.ts";
import { canBeMet, Condition } from "./conditions.ts";
import type { Notes } from "./notes.ts";

/** One rule. The rules of all groups are painted in their order. */
export interface Rule {
  readonly name: string;
  /**
   * A condition of `set_style`; undefined for every feature; `else` for those that no other rule of the group matches.
   */
  readonly where: JsonObject | "else" | undefined;
  /** Of an `else`: the condition of the rules around it. */
  readonly within?: JsonObject | undefined;
  readonly minScale?: number | undefined;
  readonly maxScale?: number | undefined;
  readonly styles: readonly JsonObject[];
  readonly labels: readonly JsonObject[];
  /** The number of the list of rules that it belongs to. */
  readonly group: number;
  /** The numbers of the lists that its list is in. */
  readonly around?: readonly number[];
  /** Whether only the first rule of the group that matches draws, as categories do. */
  readonly isOnly?: boolean;
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
export const MOST_CLASSES = MOST.classes;

const keyOf = (value: unknown): string => JSON.stringify(value) ?? "";

interface Given {
  readonly collection: Collection;
  readonly notes: Notes;
}

/** Keys of conditions that hold for a feature together. */
type Together = ReadonlySet<string>;

/**
 * The classes in the order in which a feature is tried: a class for each set of conditions that a feature can meet
 * together, then the class of every feature.
 */
export function classesOf(rules: readonly Rule[], { notes, collection }: Given): ClassJson[] {
  const wheres = rules.flatMap(({ where, within }) => [where, within]).filter((where) => typeof where === "object");
  const conditions = new Map(wheres.map((where) => [keyOf(where), new Condition(where)]));
  const { together, alone } = setsOf(conditions, rules, collection);
  const whole = together && classesFor(together, conditions, rules);
  const isWhole = whole !== undefined && whole.length <= MOST.classes;
  const drawn = isWhole ? whole : classesFor(alone, conditions, rules);
  if (!isWhole && [...conditions.keys()].length > 1)
    notes.add("", "the conditions have too many combinations: of several rules that apply to a feature, only the first draws it"); // oxfmt-ignore
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

/** `sets`: those with the most conditions first, and the empty one last. */
function classesFor(
  sets: readonly Together[],
  conditions: ReadonlyMap<string, Condition>,
  rules: readonly Rule[],
): readonly ClassJson[] {
  const bounds = [...new Set(rules.flatMap(({ minScale = 0, maxScale = Infinity }) => [minScale, maxScale]))].sort(
    (one, other) => one - other,
  );
  const ranges = bounds.slice(0, -1).map((from, index) => {
    const to = bounds[index + 1]!;
    const active = rules.filter((rule) => isIn(rule, from, to));
    return { from, to, active, used: new Set(active.flatMap(({ where, within }) => [keyOf(where), keyOf(within)])) };
  });
  const classes = sets.flatMap((set) => {
    const met = [...set].map((key) => conditions.get(key)!);
    return joined(
      ranges.map(({ from, to, active, used }) =>
        [...set].every((key) => used.has(key)) ? toClass(drawnBy(active, set), met, [from, to]) : undefined,
      ),
    );
  });
  return classes.filter((each) => each !== undefined);
}

/** `together`: undefined where there are too many. `alone`: a set for each condition, with those that it implies. */
function setsOf(
  conditions: ReadonlyMap<string, Condition>,
  rules: readonly Rule[],
  collection: Collection,
): { readonly together: readonly Together[] | undefined; readonly alone: readonly Together[] } {
  const keys = [...conditions.keys()];
  const of = (key: string): Condition => conditions.get(key)!;
  const isJoined = joinable(rules);
  const implied = new Map(keys.map((key) => [key, keys.filter((other) => other !== key && isJoined(key, other) && of(key).implies(of(other)))])); // oxfmt-ignore
  const found: (readonly string[])[] = [];
  /** Finds the sets of `chosen` and further conditions from `index` on. Returns false where there are too many. */
  function extend(chosen: readonly string[], index: number): boolean {
    return keys.slice(index).every((key, further) => {
      const set = [...chosen, key];
      if (!chosen.every((other) => isJoined(key, other)) || !canBeMet(set.map(of), collection)) return true;
      found.push(set);
      return found.length <= MOST_SETS && extend(set, index + further + 1);
    });
  }
  const largestFirst = (sets: readonly (readonly string[])[]): readonly Together[] =>
    [...sets.toSorted((one, other) => other.length - one.length), []].map((set) => new Set(set));
  const isClosed = (set: readonly string[]): boolean =>
    set.every((key) => implied.get(key)!.every((other) => set.includes(other)));
  return {
    together: extend([], 0) ? largestFirst(found.filter(isClosed)) : undefined,
    alone: largestFirst(keys.map((key) => [key, ...implied.get(key)!])),
  };
}

/** The most sets of conditions that are looked at. */
const MOST_SETS = 2000;

/** Whether rules of two conditions can draw one feature together. */
function joinable(rules: readonly Rule[]): (one: string, other: string) => boolean {
  const groups = new Map<string, Set<number | undefined>>(); // undefined: one in which several rules draw
  for (const { where, within, group, isOnly } of rules)
    for (const key of [keyOf(where), keyOf(within)])
      groups.set(key, (groups.get(key) ?? new Set()).add(isOnly ? group : undefined));
  return (one, other) => {
    const both = new Set([...groups.get(one)!, ...groups.get(other)!]);
    return both.size > 1 || both.has(undefined);
  };
}

function isIn({ minScale = 0, maxScale = Infinity }: Rule, from: number, to: number): boolean {
  return minScale <= from && to <= maxScale;
}

/** The rules that draw the features that meet exactly the conditions of a set. */
function drawnBy(rules: readonly Rule[], set: Together): readonly Rule[] {
  const drawing = new Set<Rule>();
  const isTaken = (group: number, by: (rule: Rule) => boolean = () => true): boolean =>
    [...drawing].some((rule) => (rule.group === group || rule.around?.includes(group)) && by(rule));
  const meets = (where: JsonObject | undefined): boolean => where === undefined || set.has(keyOf(where));
  for (const rule of rules)
    if (rule.where !== "else" && meets(rule.where) && !(rule.isOnly && isTaken(rule.group))) drawing.add(rule);
  const others = rules.filter(({ where }) => where === "else");
  for (const rule of others.toSorted((one, other) => (other.around?.length ?? 0) - (one.around?.length ?? 0)))
    // QGIS writes labels as a rule for every feature beside those that paint
    if (meets(rule.within) && !isTaken(rule.group, (other) => rule.styles.length === 0 || other.styles.length > 0))
      drawing.add(rule);
  return rules.filter((rule) => drawing.has(rule));
}

function toClass(
  drawing: readonly Rule[],
  conditions: readonly Condition[],
  [from, to]: readonly [number, number],
): ClassJson | undefined {
  // a rule that draws nothing hides its features, unless there are no other rules
  if (drawing.length === 0) return undefined;
  const needed = conditions.filter((one, index) => !conditions.some((other, at) => at !== index && other.implies(one) && (at < index || !one.implies(other)))); // oxfmt-ignore
  const wheres = needed.map(({ json }) => json);
  return {
    name: nameOf(drawing, new Set(wheres.map(keyOf))),
    ...(wheres.length > 0 && { where: wheres.length === 1 ? wheres[0]! : { and: wheres } }),
    ...(from > 0 && { minScale: from }),
    ...(to < Infinity && { maxScale: to }),
    styles: drawing.flatMap(({ styles }) => styles),
    labels: drawing.flatMap(({ labels }) => labels),
  };
}

/** The names of the rules with the conditions of a class, without those that only label. */
function nameOf(drawing: readonly Rule[], conditions: ReadonlySet<string>): string {
  const own = drawing.filter(({ where, within }) => conditions.has(keyOf(where)) || conditions.has(keyOf(within)));
  const painting = own.filter(({ styles }) => styles.length > 0);
  const firsts = new Map<string, string>();
  for (const { where, name } of painting.length > 0 ? painting : own)
    if (!firsts.has(keyOf(where))) firsts.set(keyOf(where), name.trim());
  return ([...new Set(firsts.values())].filter(Boolean).join(", ") || drawing.at(-1)!.name.trim()).slice(0, MOST.name) || "All"; // oxfmt-ignore
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
