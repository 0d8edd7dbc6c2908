/** Files of collections that the service makes in the background and keeps for a while, for the account that asked for them. */
import { queryOptions } from "@tanstack/react-query";
import { ask, json } from "./http/ask.ts";
import { ogcPath } from "./maps.ts";

export interface Download {
  readonly id: string;
  readonly collection: string;
  /** Its name in `FILE_FORMATS`. */
  readonly format: string;
  readonly state: "running" | "done" | "failed" | "stopped";
  /** So many features are in it by now. */
  readonly rows: number;
  /** Null until it is complete. */
  readonly bytes: number | null;
  /** When it is removed. */
  readonly expires: string;
  readonly error: string | null;
}

/** The interval for the progress of a file that is being made, which no event reports. */
const LOOK_MS = 1000;

/** The account's own, latest first. */
export const downloadsOf = (database: string) =>
  queryOptions({
    queryKey: ["downloads", database],
    queryFn: async ({ signal }) => {
      const response = await ask(`${ogcPath(database)}/downloads`, { signal });
      return ((await response.json()) as { readonly downloads: readonly Download[] }).downloads;
    },
    refetchInterval: ({ state }) => (state.data?.some((each) => each.state === "running") ? LOOK_MS : false),
  });

export interface WantedDownload {
  readonly format: string;
  /** In CQL2. */
  readonly filter?: string;
}

/** Throws `ServiceError`, which has what is wrong with the filter. */
export async function beginDownload(database: string, collection: string, wanted: WantedDownload): Promise<void> {
  await ask(`${ogcPath(database)}/collections/${encodeURIComponent(collection)}/downloads`, json(wanted));
}

/** An address that the browser loads by itself, however large the file is. Throws `ServiceError` where rights were taken. */
export async function addressOf(database: string, { id }: Download): Promise<string> {
  const response = await ask(`${pathOf(database, id)}/address`);
  return ((await response.json()) as { readonly href: string }).href;
}

/** Ends the making of it where it is not complete. */
export async function removeDownload(database: string, { id }: Download): Promise<void> {
  await ask(pathOf(database, id), { method: "DELETE" });
}

function pathOf(database: string, id: string): string {
  return `${ogcPath(database)}/downloads/${id}`;
}
