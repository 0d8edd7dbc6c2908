/** The given parameters, in the form of calls. */
import type { Params } from "../../service/methods.ts";
import type { Column } from "../../service/rows/relations.ts";
import { toData, type Given } from "../forms/GivenValues.tsx";

/** A parameter that was left alone is null, unless it may be left out. Throws where one is no value of its type. */
export function toParams(columns: readonly Column[], given: Given): Params {
  const left = columns.filter(({ hasDefault }) => !hasDefault).map(({ name }) => [name, null] as const);
  return { ...Object.fromEntries(left), ...toData(columns, given) };
}

/** The same for display: incomplete values are left out. */
export function paramsToShow(columns: readonly Column[], given: Given): Params {
  try {
    return toParams(columns, given);
  } catch {
    return toParams(columns, {});
  }
}
