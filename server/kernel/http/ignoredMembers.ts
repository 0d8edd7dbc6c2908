/** Members that other services have and that mean nothing here: taken without effect, and named in `notes`. */
import { z } from "zod";

/** Members of a statement that are taken without effect. */
export const IGNORED_OF_SQL = ["base64", "convert_types"] as const;

/** Schemas of such members. */
export function ignored<Name extends string>(names: readonly Name[]): Record<Name, z.ZodOptional<z.ZodUnknown>> {
  const one = z.unknown().optional().meta({ deprecated: true, description: "Taken without effect; `notes` says so" });
  return Object.fromEntries(names.map((name) => [name, one])) as Record<Name, typeof one>;
}

/** `notes` about those of the members that an object has; nothing where it has none. */
export function notesOnIgnored(json: object, names: readonly string[]): { readonly notes?: readonly string[] } {
  const notes = names
    .filter((name) => Object.hasOwn(json, name))
    .map((name) => `${name} has no meaning here and was ignored`);
  return notes.length > 0 ? { notes } : {};
}

export function withoutIgnored<Body extends object>(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))) as Body;
}
