/** Conditions of a style as Filter Encoding 1.1 (OGC 04-095), the form that Symbology Encoding uses. */
import type { Compare, Filter } from "../../server/filter/tree.ts";
import { xml, Xml } from "../ows/xml.ts";

const COMPARISONS: Readonly<Record<string, string>> = {
  eq: "PropertyIsEqualTo",
  neq: "PropertyIsNotEqualTo",
  gt: "PropertyIsGreaterThan",
  gte: "PropertyIsGreaterThanOrEqualTo",
  lt: "PropertyIsLessThan",
  lte: "PropertyIsLessThanOrEqualTo",
};

/** The condition; undefined where Filter Encoding cannot express it. */
export function sldFilter(filter: Filter): Xml | undefined {
  switch (filter.kind) {
    case "and":
    case "or":
      return joined(filter.kind, filter.filters.map(sldFilter));
    case "not":
      return negated(sldFilter(filter.filter));
    case "compare":
      return comparison(filter);
    case "related":
    case "call":
      return undefined;
  }
}

/**
 * The joined conditions; undefined where one of them is. Filter Encoding cannot express a condition that nothing meets.
 */
export function joined(kind: "and" | "or", filters: readonly (Xml | undefined)[]): Xml | undefined {
  if (filters.length === 0 || filters.includes(undefined)) return undefined;
  if (filters.length === 1) return filters[0];
  const tag = new Xml(kind === "and" ? "And" : "Or");
  return xml`<ogc:${tag}>${filters}</ogc:${tag}>`;
}

export function negated(filter: Xml | undefined): Xml | undefined {
  return filter && xml`<ogc:Not>${filter}</ogc:Not>`;
}

export const property = (name: string): Xml => xml`<ogc:PropertyName>${name}</ogc:PropertyName>`;

/** A pattern that matches only the text itself. */
const escapePattern = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

function comparison({ column: { name }, operator, value }: Compare): Xml | undefined {
  const literal = (each: unknown): Xml | undefined =>
    typeof each === "object" ? undefined : xml`<ogc:Literal>${String(each)}</ogc:Literal>`;
  const word = COMPARISONS[operator];
  if (word !== undefined) {
    const tag = new Xml(word);
    const given = literal(value);
    return given && xml`<ogc:${tag}>${property(name)}${given}</ogc:${tag}>`;
  }
  const like = (pattern: string, matchCase = true): Xml =>
    xml`<ogc:PropertyIsLike wildCard="%" singleChar="_" escapeChar="\\"${!matchCase && xml` matchCase="false"`}>${property(name)}<ogc:Literal>${pattern}</ogc:Literal></ogc:PropertyIsLike>`;
  const isNull = xml`<ogc:PropertyIsNull>${property(name)}</ogc:PropertyIsNull>`;
  switch (operator) {
    case "in":
    case "nin": {
      const each = (value as readonly unknown[]).map((one) => comparison({ kind: "compare", column: { name } as Compare["column"], operator: "eq", value: one })); // oxfmt-ignore
      const any = joined("or", each);
      return operator === "in" ? any : negated(any);
    }
    case "like":
    case "ilike":
      return like(String(value), operator === "like");
    case "startsWith":
      return like(`${escapePattern(String(value))}%`);
    case "endsWith":
      return like(`%${escapePattern(String(value))}`);
    case "isNull":
      return value === false ? negated(isNull) : isNull;
    default:
      return undefined;
  }
}
