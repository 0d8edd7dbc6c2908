/**
 * Which relation a field or an object type stands for, kept in its extensions, so that a server can ask before it runs an
 * operation whether a rule denies one of them.
 */
import { parseFilter } from "../server/filter/parse.ts";
import type { Filter, Shape } from "../server/filter/tree.ts";
import { databaseNameOf } from "./resources.ts";

export interface Touch {
  readonly schema: string;
  readonly name: string;
  readonly request: "select" | "insert" | "update" | "delete";
}

/** The extensions of a field or type that does `request` on what `thing`, a resource or a codec, stands for. */
export function touches(
  thing: { readonly extensions?: object | undefined },
  request: Touch["request"],
): { portolan?: Touch } {
  const relation = databaseNameOf(thing);
  return relation ? { portolan: { ...relation, request } } : {};
}

export function touchOf(thing: { readonly extensions: object }): Touch | undefined {
  return (thing.extensions as { portolan?: Touch }).portolan;
}

/** The extensions of an argument that is a filter over `shape`. */
export function filters(shape: Shape): { portolanFilter: Shape } {
  return { portolanFilter: shape };
}

/** The relations that the value of such an argument reads beside the one that it filters; none where it is no filter. */
export function touchesOfFilter(argument: { readonly extensions: object }, where: unknown): Touch[] {
  const { portolanFilter: shape } = argument.extensions as { portolanFilter?: Shape };
  if (!shape || typeof where !== "object" || where === null) return [];
  try {
    const filter = parseFilter(where, shape);
    return filter ? relatedIn(filter) : [];
  } catch {
    return []; // the field itself says what is wrong
  }
}

function relatedIn(filter: Filter): Touch[] {
  if (filter.kind === "compare" || filter.kind === "call") return [];
  if (filter.kind === "not") return relatedIn(filter.filter);
  if (filter.kind !== "related") return filter.filters.flatMap(relatedIn);
  const { schema, relation: name } = filter.relation.target;
  return [{ schema, name, request: "select" }, ...relatedIn(filter.filter)];
}
