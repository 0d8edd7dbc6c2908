/** Saved views of tables, which accounts share. */
import type { View } from "./http/openapi.ts";
import { readViewSearch, type ViewSearch } from "./rows/viewSearch.ts";
import { savedThings } from "./saved.ts";

export type { View };

export const views = savedThings<View>("views");

type Settings = Pick<View, "kind" | "filter" | "sort" | "columns" | "fields">;

/** The settings of a view that shows the same as an address. */
export function settingsOf({ as, where, sort, look, fields }: ViewSearch): Settings {
  return {
    kind: as ?? "grid",
    filter: (where as Record<string, unknown> | undefined) ?? null,
    sort: sort ?? null,
    columns: (look as View["columns"]) ?? null,
    fields: fields ?? null,
  };
}

/** The address that shows a view. */
export function searchOf({ name, kind, filter, sort, columns, fields }: View): ViewSearch {
  return readViewSearch({ view: name, as: kind, where: filter, sort, look: columns, fields });
}

/** Whether an address differs from what its view has saved. */
export function isChanged(view: View, search: ViewSearch): boolean {
  return JSON.stringify(settingsOf(searchOf(view))) !== JSON.stringify(settingsOf(search));
}

/** The qualified name in SQL. */
export function relationName({ schema, table }: { readonly schema: string; readonly table: string }): string {
  return [schema, table].map((name) => `"${name.replaceAll('"', '""')}"`).join(".");
}
