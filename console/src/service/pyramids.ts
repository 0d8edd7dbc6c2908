/** Vector tiles that are made beforehand, for super users. */
import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http/ask.ts";
import type { Pyramid, WantedPyramid } from "./http/openapi.ts";
import { read, send } from "./http/rest.ts";
import { ogcPath } from "./maps.ts";

export type { Pyramid, WantedPyramid };

/** The interval for the progress of an unfinished pyramid, in ms; no event reports it. */
const LOOK_MS = 1000;

export const isBeingMade = ({ state }: Pyramid): boolean => state === "queued" || state === "running";

export const pyramids = queryOptions({
  queryKey: ["pyramids"],
  queryFn: ({ signal }) => read<readonly Pyramid[]>("/pyramids", signal),
  refetchInterval: ({ state }) => (state.data?.some(isBeingMade) ? LOOK_MS : false),
});

/** Makes a pyramid. If it exists, only the missing tiles are made. */
export async function makePyramid(wanted: WantedPyramid): Promise<void> {
  await send("POST", "/pyramids", wanted);
}

/** Stops making a pyramid. Finished tiles stay, and are served. */
export async function stopPyramid({ job }: Pyramid): Promise<void> {
  await send("DELETE", `/jobs/${job}`);
}

export async function continuePyramid({ job }: Pyramid): Promise<void> {
  await send("PATCH", `/jobs/${job}`, { state: "queued" });
}

export async function removePyramid({ id }: Pyramid): Promise<void> {
  await send("DELETE", `/pyramids/${id}`);
}

/** The tile grids by their ids. */
export const tileMatrixSets = (database: string) =>
  queryOptions({
    queryKey: ["tile matrix sets", database],
    queryFn: async ({ signal }) => {
      const response = await ask(`${ogcPath(database)}/tileMatrixSets?f=json`, { signal });
      const { tileMatrixSets: sets } = (await response.json()) as {
        readonly tileMatrixSets: readonly { readonly id: string }[];
      };
      return sets.map(({ id }) => id);
    },
    staleTime: 60_000,
  });
