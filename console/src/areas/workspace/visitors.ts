/** The layers of a public map that its visitors do not see. */
import { useQuery } from "@tanstack/react-query";
import { askAsNobody } from "../../service/http/askAsNobody.ts";
import type { MapLayer, SavedMap } from "../../service/maps.ts";
import { EVERYBODY } from "../../service/saved.ts";
import { collectionsOf, type MapSource } from "../../ui/map/layers/mapSource.ts";

export type IsHidden = (layer: MapLayer) => boolean;

/** Whether the public page leaves a layer out. It is asked only for a map with a public page that the caller may change. */
export function useHiddenFromVisitors(source: MapSource, saved: SavedMap | undefined): IsHidden {
  const isAsked = saved !== undefined && saved.may_change && saved.shared.includes(EVERYBODY);
  const { data } = useQuery({
    ...collectionsOf({ ...source, caller: "", ask: askAsNobody }),
    staleTime: 0, // somebody may grant the table in another window
    retry: false,
    enabled: isAsked,
  });
  return ({ collection }) => isAsked && data !== undefined && collection !== undefined && !data.has(collection);
}
