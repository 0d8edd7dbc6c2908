/**
 * The relation behind a field or an object type. It is stored in the extensions, so that a server can check before an
 * operation runs whether a rule denies one of the relations.
 */
import { parseFilter } from "../../server/filter/parse.ts";
import type { Filter, Shape } from "../../server/filter/tree.ts";
import { databaseNameOf, type DatabaseName } from "./resources.ts";

export interface RelationAccess {
  readonly schema: string;
  readonly name: string;
  readonly request: "select" | "insert" | "update" | "delete";
}

/** The extensions of a field or type that makes `request` to the relation of `thing`, a resource or a codec. */
export function accesses(
  thing: { readonly extensions?: object | undefined },
  request: RelationAccess["request"],
): { portolan?: RelationAccess } {
  const relation = databaseNameOf(thing);
  return relation ? { portolan: { ...relation, request } } : {};
}

export function accessOf(thing: { readonly extensions: object }): RelationAccess | undefined {
  return (thing.extensions as { portolan?: RelationAccess }).portolan;
}

/** The extensions of a field that calls the function of `resource`. */
export function calls(resource: { readonly extensions?: object | undefined }): { portolanCalls?: DatabaseName } {
  const name = databaseNameOf(resource);
  return name ? { portolanCalls: name } : {};
}

/** The function that a field calls. */
export function callOf(field: { readonly extensions: object }): DatabaseName | undefined {
  return (field.extensions as { portolanCalls?: DatabaseName }).portolanCalls;
}

/** The relations that the value of an argument reads, besides the field's own. */
type Reads = (value: unknown) => readonly RelationAccess[];

/** The extensions of an argument that reads further relations. */
export function reads(toAccesses: Reads): { portolanReads: Reads } {
  return { portolanReads: toAccesses };
}

/** The extensions of an argument that is a filter over `shape`. */
export function filters(shape: Shape): { portolanReads: Reads } {
  return reads((where) => accessesOfFilter(where, shape));
}

/** Whether the value of an argument may read further relations. */
export function mayRead(argument: { readonly extensions: object }): boolean {
  return (argument.extensions as { portolanReads?: Reads }).portolanReads !== undefined;
}

/** The relations that the value of an argument reads, besides the field's own. */
export function accessesOfArgument(
  argument: { readonly extensions: object },
  value: unknown,
): readonly RelationAccess[] {
  const { portolanReads } = argument.extensions as { portolanReads?: Reads };
  try {
    return portolanReads?.(value) ?? [];
  } catch {
    return []; // the field itself reports the error
  }
}

function accessesOfFilter(where: unknown, shape: Shape): RelationAccess[] {
  const filter = parseFilter(where, shape);
  return filter ? relatedIn(filter) : [];
}

function relatedIn(filter: Filter): RelationAccess[] {
  if (filter.kind === "compare" || filter.kind === "call") return [];
  if (filter.kind === "not") return relatedIn(filter.filter);
  if (filter.kind !== "related") return filter.filters.flatMap(relatedIn);
  const { schema, relation: name } = filter.relation.target;
  return [{ schema, name, request: "select" }, ...relatedIn(filter.filter)];
}
