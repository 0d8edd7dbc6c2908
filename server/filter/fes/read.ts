/** Filters of OGC 09-026r2 (FES 2.0) and 04-095 (Filter 1.1), which are XML, → the syntax of CQL2, whose meaning they share. */
import { DECIMAL_TEXT } from "../../types/texts.ts";
import { isGmlBox, isGmlElement, readGml, readGmlBox } from "../../types/gml.ts";
import { quote } from "../../types/show.ts";
import { childOf, type XmlElement } from "../../types/xml.ts";
import { checkDepth, checkTokens, fail, locate, type FilterAxes, type Place, type Syntax } from "../cql2/syntax.ts";

export interface FesOptions {
  /** The column for a name in the filter, which may have a prefix and a path before it. `@gml:id` is handled elsewhere. */
  nameOf(text: string, element: XmlElement): string;
  /** Whether the name is that of a property which features may have by their schema, and none has, as `gml:name`. Default: no. */
  isAbsent?(text: string, element: XmlElement): boolean;
  /** Whether a column holds text. `matchCase` affects only such columns. */
  isText(name: string): boolean;
  /** The default geometry, for a rectangle that names none. */
  readonly geometry: string | undefined;
  /** The system for a name. Undefined name: the system of a geometry that names none. Throws an error of the gateway. */
  axesOf(srsName: string | undefined): FilterAxes;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  PropertyIsEqualTo: "=",
  PropertyIsNotEqualTo: "<>",
  PropertyIsLessThan: "<",
  PropertyIsGreaterThan: ">",
  PropertyIsLessThanOrEqualTo: "<=",
  PropertyIsGreaterThanOrEqualTo: ">=",
};

const SPATIAL: Readonly<Record<string, string>> = {
  Equals: "s_equals",
  Disjoint: "s_disjoint",
  Touches: "s_touches",
  Within: "s_within",
  Overlaps: "s_overlaps",
  Crosses: "s_crosses",
  Intersects: "s_intersects",
  Contains: "s_contains",
};

/** Without the prefix `t_`. */
const TEMPORAL: Readonly<Record<string, string>> = {
  After: "after",
  Before: "before",
  Begins: "starts",
  BegunBy: "startedby",
  TContains: "contains",
  During: "during",
  EndedBy: "finishedby",
  Ends: "finishes",
  TEquals: "equals",
  Meets: "meets",
  MetBy: "metby",
  TOverlaps: "overlaps",
  OverlappedBy: "overlappedby",
  AnyInteracts: "intersects",
};

const CALCULATIONS: Readonly<Record<string, string>> = { Add: "+", Sub: "-", Mul: "*", Div: "/" };

/** The attribute of each element that names a feature. */
const IDS: Readonly<Record<string, string>> = { ResourceId: "rid", FeatureId: "fid", GmlObjectId: "id" };

/** Names of the operators, for the capabilities. */
export const FES_OPERATORS = {
  comparison: [...Object.keys(COMPARISONS), "PropertyIsLike", "PropertyIsNull", "PropertyIsNil", "PropertyIsBetween"],
  spatial: ["BBOX", ...Object.keys(SPATIAL), "DWithin", "Beyond"],
  temporal: Object.keys(TEMPORAL),
} as const;

/** Metres in units of length, by the last word of their names. */
const METRES: Readonly<Record<string, number>> = {
  ...{ m: 1, metre: 1, metres: 1, meter: 1, meters: 1, km: 1000, kilometre: 1000, kilometres: 1000 },
  ...{ kilometer: 1000, kilometers: 1000, cm: 0.01, mm: 0.001, ft: 0.3048, foot: 0.3048, feet: 0.3048 },
  ...{ mi: 1609.344, mile: 1609.344, miles: 1609.344, nmi: 1852, "nautical miles": 1852, yd: 0.9144 },
  ...{ "[ft_i]": 0.3048, "[mi_i]": 1609.344, 9001: 1, 9036: 1000, 9002: 0.3048 },
};

const isName = ({ name }: XmlElement): boolean => name === "ValueReference" || name === "PropertyName";
const isId = ({ name }: XmlElement): boolean => Object.hasOwn(IDS, name);

class FesReader {
  readonly #options: FesOptions;
  #tokens = 0;

  constructor(options: FesOptions) {
    this.#options = options;
  }

  whole(filter: XmlElement): Syntax {
    const { children, at } = filter;
    if (children.length > 0 && children.every(isId)) return this.#ids(children, at);
    const [only, ...more] = children;
    if (!only || more.length > 0) return fail(at, `${filter.name} must have one operator, or ids of features`);
    return this.#operator(only, 1);
  }

  #operator(element: XmlElement, depth: number): Syntax {
    const { name, children, at } = element;
    checkTokens(++this.#tokens, at);
    checkDepth(depth, at);
    const nested = (): Syntax[] => children.map((child) => this.#operator(child, depth + 1));
    switch (name) {
      case "And":
      case "Or":
        if (children.length < 2) fail(at, `${name} must have two operators or more`);
        return call(name.toLowerCase(), nested(), at);
      case "Not":
        if (children.length !== 1) fail(at, "Not must have one operator");
        return call("not", nested(), at);
      case "PropertyIsLike":
        return this.#like(element);
      case "PropertyIsNull":
      case "PropertyIsNil":
        return this.#isNull(element);
      case "PropertyIsBetween":
        return this.#between(element);
      case "BBOX":
        return this.#box(element);
      case "DWithin":
      case "Beyond":
        return this.#near(element);
    }
    if (isId(element)) return this.#ids([element], at);
    const comparison = own(COMPARISONS, name);
    if (comparison !== undefined) return this.#comparison(element, comparison);
    const spatial = own(SPATIAL, name);
    if (spatial !== undefined) return call(spatial, this.#operands(element, 2), at);
    const temporal = own(TEMPORAL, name);
    if (temporal !== undefined) return call(`t_${temporal}`, this.#instants(element), at);
    if (name === "Function") return refuseFunction(element);
    return fail(at, `there is no operator ${quote(name)}`);
  }

  #ids(elements: readonly XmlElement[], at: Place): Syntax {
    const ids = elements.map((element): Syntax => {
      checkTokens(++this.#tokens, element.at);
      const attribute = IDS[element.name]!;
      const id = element.attributes.get(attribute);
      return id === undefined
        ? fail(element.at, `${element.name} must have the attribute ${attribute}`)
        : { kind: "text", value: id, at: element.at };
    });
    return call("resourceid", ids, at);
  }

  // Comparisons -----------------------------------------------------------------------------------

  #comparison(element: XmlElement, symbol: string): Syntax {
    const { attributes, at, children } = element;
    const names = children.filter(isName);
    const [first] = names;
    if (first && /(^|\/)@(\w+:)?id$/.test(first.text.trim()) && symbol === "=" && names.length === 1) {
      const id = children.find((child) => child !== first)?.text ?? "";
      return call("resourceid", [{ kind: "text", value: id.trim(), at }], at);
    }
    const operands = this.#operands(element, 2);
    const isFolded =
      /^(false|0)$/.test(attributes.get("matchCase") ?? "true") && operands.some((each) => this.#isText(each));
    return call(symbol, isFolded ? operands.map((each) => call("casei", [each], each.at)) : operands, at);
  }

  #isNull(element: XmlElement): Syntax {
    const { at, children } = element;
    const [only] = children;
    const isAbsent = only && children.length === 1 && isName(only) && this.#options.isAbsent?.(only.text.trim(), only);
    return isAbsent ? { kind: "boolean", value: true, at } : call("isnull", this.#operands(element, 1), at);
  }

  #isText(syntax: Syntax): boolean {
    return syntax.kind === "property" && this.#options.isText(syntax.name);
  }

  #like(element: XmlElement): Syntax {
    const { attributes, at } = element;
    const [left, right] = this.#operands(element, 2) as [Syntax, Syntax];
    if (right.kind !== "text") return fail(right.at, "PropertyIsLike must have a literal as its pattern");
    const sign = (...names: readonly string[]): string | undefined =>
      names.map((name) => attributes.get(name)).find((value) => value !== undefined && value !== "");
    const pattern = sqlPattern(right.value, {
      any: sign("wildCard"),
      one: sign("singleChar"),
      escape: sign("escapeChar", "escape"),
    });
    const isFolded = /^(false|0)$/.test(attributes.get("matchCase") ?? "true");
    return call(isFolded ? "ilike" : "like", [left, { ...right, value: pattern }], at);
  }

  #between(element: XmlElement): Syntax {
    const { at, children } = element;
    const [lower, upper] = [childOf(element, "LowerBoundary"), childOf(element, "UpperBoundary")];
    const [only] = children;
    if (!lower || !upper || !only || children.length !== 3)
      return fail(at, "PropertyIsBetween must have a value, a LowerBoundary and an UpperBoundary");
    const bounds = [lower, upper].map((bound) => this.#operands(bound, 1)[0]!);
    return call("between", [this.#operand(only), ...bounds], at);
  }

  #operands({ name, children, at }: XmlElement, count: number): Syntax[] {
    if (children.length !== count) fail(at, `${name} must have ${count === 1 ? "one operand" : "two operands"}`);
    return children.map((child) => this.#operand(child));
  }

  #operand(element: XmlElement): Syntax {
    const { name, at } = element;
    checkTokens(++this.#tokens, at);
    if (isName(element)) return this.#property(element);
    if (name === "Literal") {
      const [inside] = element.children;
      return inside ? this.#gml(inside) : { kind: "text", value: element.text, at };
    }
    const calculation = own(CALCULATIONS, name);
    if (calculation !== undefined) {
      const operands = this.#operands(element, 2);
      return call(
        calculation,
        operands.map((each) => (each.kind === "text" ? { ...each, kind: "number", value: numberText(each) } : each)),
        at,
      );
    }
    if (name === "Function") return refuseFunction(element);
    return isGmlElement(element) ? this.#gml(element) : fail(at, `${quote(name)} is not a value`);
  }

  #property(element: XmlElement): Syntax {
    const { at, text } = element;
    return { kind: "property", name: locate(at, () => this.#options.nameOf(text.trim(), element)), at };
  }

  // Geometries ------------------------------------------------------------------------------------

  #gml(element: XmlElement): Syntax {
    const { name, at } = element;
    if (name.startsWith("Time")) return instants(element);
    return locate(at, () => {
      if (!isGmlElement(element)) return fail(at, `${quote(name)} is not a value`);
      if (isGmlBox(element)) {
        const { numbers, srsName } = readGmlBox(element);
        return { kind: "bbox", numbers, axes: this.#options.axesOf(srsName), at };
      }
      const { json, srsName } = readGml(element);
      return { kind: "geometry", value: json, axes: this.#options.axesOf(srsName), at };
    });
  }

  #box(element: XmlElement): Syntax {
    const { children, at } = element;
    const box = children.find((child) => !isName(child));
    if (!box || children.length > 2)
      return fail(at, "BBOX must have a property, which may be left out, and an Envelope");
    const property = children.find(isName);
    const { geometry: named } = this.#options;
    if (!property && named === undefined) return fail(at, "the features have no geometry");
    const geometry: Syntax = property ? this.#property(property) : { kind: "property", name: named!, at };
    return call("s_intersects", [geometry, this.#operand(box)], at);
  }

  /** OGC 09-026r2 §7.8.3.3: on the earth's surface, as `dwithin` measures. */
  #near(element: XmlElement): Syntax {
    const { name, children, at } = element;
    const distance = childOf(element, "Distance");
    const others = children.filter((child) => child !== distance).map((child) => this.#operand(child));
    const [property, geometry] = others[0]?.kind === "property" ? others : others.toReversed();
    if (!distance || !property || !geometry || others.length !== 2)
      return fail(at, `${name} must have a property, a geometry and a Distance`);
    const unit = distance.attributes.get("uom") ?? distance.attributes.get("units") ?? "m";
    const metres = own(METRES, unit.replace(/^.*[:#/]/, "").toLowerCase());
    const value = Number(distance.text.trim() === "" ? NaN : distance.text);
    if (metres === undefined)
      return fail(distance.at, `${quote(unit)} is not a known unit of length: use m or km, for example`);
    if (!Number.isFinite(value) || value < 0)
      return fail(distance.at, "Distance must be a number that is not negative");
    const near = call(
      "dwithin",
      [property, geometry, { kind: "number", value: String(value * metres), at: distance.at }],
      at,
    );
    return name === "DWithin" ? near : call("not", [near], at);
  }

  // Time ------------------------------------------------------------------------------------------

  /** Text there is an instant or a day. */
  #instants(element: XmlElement): Syntax[] {
    return this.#operands(element, 2).map((each) => (each.kind === "text" ? instant(each.value, each.at) : each));
  }
}

function call(name: string, args: readonly Syntax[], at: Place): Syntax {
  return { kind: "call", name, args, at };
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function refuseFunction({ attributes, at }: XmlElement): never {
  return fail(
    at,
    `functions such as ${quote(attributes.get("name") ?? "")} are not supported here: use a CQL2 filter of the OGC API`,
  );
}

function numberText({ value, at }: { readonly value: string; readonly at: Place }): string {
  const text = value.trim();
  return DECIMAL_TEXT.test(text) ? text.replace(/^\+/, "") : fail(at, `${quote(text)} is not a number`);
}

interface Signs {
  readonly any: string | undefined;
  readonly one: string | undefined;
  readonly escape: string | undefined;
}

/** The pattern as LIKE of PostgreSQL has it. */
function sqlPattern(text: string, { any, one, escape }: Signs): string {
  let pattern = "";
  for (let at = 0; at < text.length;) {
    const starts = (sign: string | undefined): sign is string => sign !== undefined && text.startsWith(sign, at);
    if (starts(escape)) {
      at += escape.length;
      const next = text.slice(at, at + 1);
      pattern += escaped(next);
      at += next.length;
    } else if (starts(any)) {
      pattern += "%";
      at += any.length;
    } else if (starts(one)) {
      pattern += "_";
      at += one.length;
    } else pattern += escaped(text[at++]!);
  }
  return pattern;
}

const escaped = (character: string): string => (/[\\%_]/.test(character) ? `\\${character}` : character);

/** `gml:TimeInstant`, `gml:TimePeriod` and their substitutes. */
function instants(element: XmlElement): Syntax {
  const { name, at } = element;
  if (name === "TimeInstant") return instant((childOf(element, "timePosition") ?? element).text.trim(), at);
  if (name !== "TimePeriod") return fail(at, `${quote(name)} is not a supported time: use TimeInstant or TimePeriod`);
  const end = (...names: readonly string[]): Syntax | undefined => {
    const found = childOf(element, ...names);
    const position = found?.children[0] ? (childOf(found.children[0], "timePosition") ?? found.children[0]) : found;
    if (!position) return fail(at, "TimePeriod must have a begin and an end");
    const isOpen = position.attributes.get("indeterminatePosition") === "unknown";
    return isOpen ? undefined : instant(position.text.trim(), position.at);
  };
  return { kind: "interval", start: end("beginPosition", "begin"), end: end("endPosition", "end"), at };
}

const DAY = /^-?\d{4,6}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$/;

function instant(text: string, at: Place): Syntax {
  const value = text.trim();
  return DAY.test(value) ? { kind: "date", value: value.slice(0, 10), at } : { kind: "timestamp", value, at };
}

/** The syntax of an element `Filter`. Throws `Cql2Error`, whose places are characters of the document. */
export function readFes(filter: XmlElement, options: FesOptions): Syntax {
  return new FesReader(options).whole(filter);
}
