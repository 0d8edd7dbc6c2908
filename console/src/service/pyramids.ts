/** Vector tiles that are made beforehand, for super users. */
import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http/ask.ts";
import type { Pyramid, WantedPyramid } from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";
import { ogcPath } from "./maps.ts";

export type { Pyramid, WantedPyramid };

/** The interval for the progress of an unfinished pyramid, in ms; no event reports it. */
const LOOK_MS = 1000;

export const isBeingMade = ({ state }: Pyramid): boolean => state === "queued" || state === "running";

export const pyramids = queryOptions({
  queryKey: ["pyramids"],
  queryFn: ({ signal }) => answer(rest.GET("/pyramids", { signal })),
  refetchInterval: ({ state }) => (state.data?.some(isBeingMade) ? LOOK_MS : false),
});

/** Makes a pyramid. If it exists, only the missing tiles are made. */
export async function makePyramid(wanted: WantedPyramid): Promise<void> {
  await rest.POST("/pyramids", { body: wanted });
}

/** Stops making a pyramid. Finished tiles stay, and are served. */
export async function stopPyramid({ job }: Pyramid): Promise<void> {
  await rest.DELETE("/jobs/{id}", { params: { path: { id: String(job) } } });
}

export async function continuePyramid({ job }: Pyramid): Promise<void> {
  await rest.PATCH("/jobs/{id}", { params: { path: { id: String(job) } }, body: { state: "queued" } });
}

export async function removePyramid({ id }: Pyramid): Promise<void> {
  await rest.DELETE("/pyramids/{id}", { params: { path: { id: String(id) } } });
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
