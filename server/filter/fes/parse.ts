/** Filters in XML, FES 2.0 and Filter 1.1, → the syntax tree of the filter language. */
import { GatewayError } from "../../ground/errors.ts";
import type { XmlElement } from "../../types/xml.ts";
import { CRS84_AXES } from "../cql2/literals.ts";
import { resolve } from "../cql2/resolve.ts";
import { Cql2Error } from "../cql2/syntax.ts";
import { isTrue } from "../nodes.ts";
import type { Filter, Shape } from "../tree.ts";
import { kindOf } from "../cql2/terms.ts";
import { readFes, type FesOptions } from "./read.ts";

export interface FesFilterOptions extends Omit<FesOptions, "isText"> {
  /** The condition that a row is one of the features of these ids. */
  ofIds(ids: readonly string[]): Filter;
}

/**
 * The filter of an element `Filter` over `shape`; undefined for one that every row meets. Literals are compared as the property
 * beside them is: as numbers, days, instants, text. Throws `BAD_USER_INPUT`, and `LIMIT_EXCEEDED` beyond the limits of CQL2, with
 * the place in the document.
 */
export function parseFes(
  element: XmlElement,
  shape: Shape,
  { ofIds, ...options }: FesFilterOptions,
): Filter | undefined {
  const isText = (name: string): boolean => {
    const type = shape.column(name)?.type;
    return type !== undefined && kindOf(type) === "text";
  };
  try {
    const syntax = readFes(element, { ...options, isText });
    const filter = resolve(syntax, shape, { axes: CRS84_AXES, looseText: true, ofIds });
    return isTrue(filter) ? undefined : filter;
  } catch (error) {
    if (!(error instanceof Cql2Error)) throw error;
    throw new GatewayError(error.code, `${error.message} (character ${Number(error.at) + 1})`);
  }
}
