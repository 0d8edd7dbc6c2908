/** A filter as a list of conditions that must all hold. Each is a list of conditions of which one must hold. */

export type Groups = readonly (readonly object[])[];

export function toGroups(where: object | undefined): Groups {
  return listOf(where, "and").map((group) => listOf(group, "or"));
}

export function toWhere(groups: Groups): object | undefined {
  const all = groups
    .filter((group) => group.length > 0)
    .map((group) => (group.length === 1 ? group[0]! : { or: group }));
  return all.length <= 1 ? all[0] : { and: all };
}

/** The filter without the condition at a place of a group. */
export function without(groups: Groups, group: number, place: number): Groups {
  return groups.with(group, groups[group]!.toSpliced(place, 1));
}

/** Joins a group with the next one by "or". */
export function joinedByOr(groups: Groups, group: number): Groups {
  return groups.toSpliced(group, 2, [...groups[group]!, ...(groups[group + 1] ?? [])]);
}

/** Splits a group at a place by "and". */
export function splitByAnd(groups: Groups, group: number, place: number): Groups {
  const all = groups[group]!;
  return groups.toSpliced(group, 1, all.slice(0, place), all.slice(place));
}

/** The members of `{and: […]}` or `{or: […]}`; any other filter alone. */
function listOf(where: object | undefined, word: "and" | "or"): readonly object[] {
  if (!where) return [];
  const list = (where as Readonly<Record<string, unknown>>)[word];
  return Array.isArray(list) && list.length > 0 && Object.keys(where).length === 1 ? (list as object[]) : [where];
}
