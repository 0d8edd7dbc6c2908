/**
 * Which relation a field or an object type stands for, kept in its extensions, so that a server can ask before it runs an
 * operation whether a rule denies one of them.
 */
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
