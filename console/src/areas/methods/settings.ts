/** The settings of a method besides its statement, in the form of the fields and of the interface. */
import type { Definition, Method } from "../../service/methods.ts";
import { t } from "../../words/words.ts";

export type Settings = Readonly<
  Record<
    | "description"
    | "output_format"
    | "srs"
    | "timeout_ms"
    | "max_rows"
    | "cache_seconds"
    | "type_hints"
    | "type_formats",
    string
  >
>;

export type Members = Omit<Definition, "q"> & Pick<Method, "description" | "cache_seconds">;

export function settingsOf(method: Method): Settings {
  const number = (value: number | null): string => (value === null ? "" : String(value));
  const object = (value: object | null): string => (value === null ? "" : JSON.stringify(value));
  return {
    description: method.description ?? "",
    output_format: method.output_format,
    srs: String(method.srs),
    timeout_ms: number(method.timeout_ms),
    max_rows: number(method.max_rows),
    cache_seconds: number(method.cache_seconds),
    type_hints: object(method.type_hints),
    type_formats: object(method.type_formats),
  };
}

/** The members of the settings. Throws where one of them is not JSON. */
export function membersOf(settings: Settings): Members {
  const number = (text: string): number | null => (text.trim() === "" ? null : Number(text));
  const { description } = settings;
  return {
    description: description === "" ? null : description,
    output_format: settings.output_format as Method["output_format"],
    srs: Number(settings.srs),
    timeout_ms: number(settings.timeout_ms),
    max_rows: number(settings.max_rows),
    cache_seconds: number(settings.cache_seconds),
    type_hints: toObject(t("Types"), settings.type_hints),
    type_formats: toObject(t("Patterns of dates"), settings.type_formats),
  };
}

function toObject(name: string, text: string): Readonly<Record<string, string>> | null {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    throw new Error(t("{name}: this is not JSON.", { name }));
  }
}

/** The settings that differ from the stored ones: a change of anything but the description unpublishes the method. */
export function changesOf(method: Method, members: Members & { readonly q: string }): Partial<Method> {
  const stored: Readonly<Record<string, unknown>> = { ...method };
  const changed = Object.entries(members).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name]),
  );
  return Object.fromEntries(changed);
}
