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

/** The relations that the value of an argument reads, beside the one that the field is of. */
type Reads = (value: unknown) => readonly Touch[];

/** The extensions of an argument that reads further relations. */
export function reads(toTouches: Reads): { portolanReads: Reads } {
  return { portolanReads: toTouches };
}

/** The extensions of an argument that is a filter over `shape`. */
export function filters(shape: Shape): { portolanReads: Reads } {
  return reads((where) => touchesOfFilter(where, shape));
}

/** Whether the value of an argument may read further relations. */
export function mayRead(argument: { readonly extensions: object }): boolean {
  return (argument.extensions as { portolanReads?: Reads }).portolanReads !== undefined;
}

/** The relations that the value of an argument reads, beside the one that the field is of. */
export function touchesOfArgument(argument: { readonly extensions: object }, value: unknown): readonly Touch[] {
  return (argument.extensions as { portolanReads?: Reads }).portolanReads?.(value) ?? [];
}

function touchesOfFilter(where: unknown, shape: Shape): Touch[] {
  if (where === undefined || where === null) return [];
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
