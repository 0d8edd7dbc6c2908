/** Things that accounts save and share: queries, dashboards and views of tables. Each kind has the same calls. */
import { queryOptions } from "@tanstack/react-query";
import type { SavedVersion } from "./http/openapi.ts";
import { read, send } from "./http/rest.ts";

export type { SavedVersion };

/** The name that stands for all accounts in a list of sharing. */
export const EVERYBODY = "*";

export interface SavedThing {
  readonly name: string;
  readonly title?: string | null | undefined;
  readonly shared: readonly string[];
  readonly version: number;
  readonly may_change: boolean;
}

/** The calls of a kind, by the last part of its path, e.g. `views`. */
export function savedThings<Thing extends SavedThing>(plural: string) {
  return {
    all: queryOptions({
      queryKey: [plural],
      queryFn: ({ signal }) => read<readonly Thing[]>(`/${plural}`, signal),
    }),
    add: (item: Partial<Thing> & { readonly name: string }): Promise<void> => send("POST", `/${plural}`, item),
    /** Throws `ServiceError`, with CONFLICT where somebody has changed it since it was read. */
    change: ({ name, version }: Pick<Thing, "name" | "version">, members: Partial<Thing>): Promise<void> =>
      send("PATCH", `/${plural}/${name}`, { ...members, version }),
    /** Also where somebody has changed it since. */
    overwrite: ({ name }: Pick<Thing, "name">, members: Partial<Thing>): Promise<void> =>
      send("PATCH", `/${plural}/${name}`, members),
    remove: ({ name }: Pick<Thing, "name">): Promise<void> => send("DELETE", `/${plural}/${name}`),
  };
}

/** The last parts of the paths of the kinds. */
export const SAVED_KINDS = ["maps", "queries", "dashboards", "views"] as const;
export type SavedKind = (typeof SAVED_KINDS)[number];

export interface OwnedThing extends SavedThing {
  /** null: the operator's. */
  readonly owner: string | null;
}

/** The versions of one, the latest first. */
export function versionsOf(kind: SavedKind, name: string) {
  return queryOptions({
    queryKey: [kind, name, "versions"],
    queryFn: ({ signal }) => read<readonly SavedVersion[]>(`/${kind}/${name}/versions`, signal),
    staleTime: 0,
  });
}

/** Saves it again as it was in a version. */
export async function restoreVersion(kind: SavedKind, name: string, version: number): Promise<void> {
  await send("POST", `/${kind}/${name}/restore`, { version });
}

/** The texts that a person types for it. */
export interface SavedText {
  readonly name: string;
  readonly title: string;
  /** Accounts and groups, separated by commas or spaces. */
  readonly shared: string;
}

export function textOf(thing: Pick<SavedThing, "name" | "title" | "shared"> | undefined): SavedText {
  return { name: thing?.name ?? "", title: thing?.title ?? "", shared: thing?.shared.join(", ") ?? "" };
}

export function membersOf({ title, shared }: SavedText): { title: string | null; shared: string[] } {
  return { title: title === "" ? null : title, shared: shared.split(/[\s,]+/).filter(Boolean) };
}

/** The name suggested by a title: `Häfen der Welt` becomes `hafen-der-welt`. */
export function nameOf(title: string): string {
  return title
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 60);
}
