/** Files of collections that the service makes in the background and keeps for a while, for the account that asked for them. */
import { queryOptions } from "@tanstack/react-query";
import { ask, json } from "./http/ask.ts";
import { ogcPath } from "./maps.ts";

export interface Download {
  readonly id: string;
  readonly collection: string;
  /** The name of the format in `FILE_FORMATS`. */
  readonly format: string;
  readonly state: "running" | "done" | "failed" | "stopped";
  /** The number of features in it so far. */
  readonly rows: number;
  /** The size; null until the file is complete. */
  readonly bytes: number | null;
  /** The instant at which it is removed. */
  readonly expires: string;
  readonly error: string | null;
}

/** The interval for the progress of an unfinished file, in ms; no event reports it. */
const LOOK_MS = 1000;

/** The account's own files, latest first. */
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
  /** A filter in CQL2. */
  readonly filter?: string;
}

/** Starts a file. Throws `ServiceError` with the fault of the filter. */
export async function beginDownload(database: string, collection: string, wanted: WantedDownload): Promise<void> {
  await ask(`${ogcPath(database)}/collections/${encodeURIComponent(collection)}/downloads`, json(wanted));
}

/**
 * An address that the browser downloads by itself, however large the file is. Throws `ServiceError` where rights were
 * revoked.
 */
export async function addressOf(database: string, { id }: Download): Promise<string> {
  const response = await ask(`${pathOf(database, id)}/address`);
  return ((await response.json()) as { readonly href: string }).href;
}

/** Removes the file, or stops making it. */
export async function removeDownload(database: string, { id }: Download): Promise<void> {
  await ask(pathOf(database, id), { method: "DELETE" });
}

function pathOf(database: string, id: string): string {
  return `${ogcPath(database)}/downloads/${id}`;
}
