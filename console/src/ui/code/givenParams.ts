/** The given parameters, in the form of calls. */
import type { Params } from "../../service/methods.ts";
import type { Column } from "../../service/rows/relations.ts";
import { toData, type Given } from "../forms/GivenValues.tsx";

/**
 * The parameters of a call. An untouched one is null, unless it is optional. Throws where a text is not a value of its
 * type.
 */
export function toParams(columns: readonly Column[], given: Given): Params {
  const left = columns.filter(({ hasDefault }) => !hasDefault).map(({ name }) => [name, null] as const);
  return { ...Object.fromEntries(left), ...toData(columns, given) };
}

/** The same for display. Incomplete values are left out. */
export function paramsToShow(columns: readonly Column[], given: Given): Params {
  try {
    return toParams(columns, given);
  } catch {
    return toParams(columns, {});
  }
}
