/** The open map: its present layers, and its state in the address. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { SavedMap } from "../../service/maps.ts";
import type { Place } from "../../ui/map/layers/LayeredMap.tsx";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { placeText } from "../../ui/map/layers/place.ts";
import { firstLayers, toSaved, withId } from "./layerList.ts";

export interface OpenedMap {
  /** Undefined for a new map. */
  readonly saved: SavedMap | undefined;
  /** The first layer of a new map. */
  readonly first: string | undefined;
  readonly at: string | undefined;
  readonly place: Place | undefined;
}

export function useOpenMap({ saved, first, at: given, place }: OpenedMap) {
  const navigate = useNavigate();
  const [layers, setLayers] = useState<readonly ShownLayer[]>(() => saved?.layers.map(withId) ?? firstLayers(first));
  const [version, setVersion] = useState(saved?.version);
  const [now, setNow] = useState<Place>();
  const at = given ?? saved?.view?.time ?? undefined;
  const go = useCallback(
    (change: { readonly at?: string | undefined; readonly view?: string }) =>
      void navigate({ to: ".", search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  );
  return {
    layers,
    setLayers,
    /** The version that the layers come from, also when another has been read since. */
    version,
    setVersion,
    at,
    setAt: useCallback((instant: string | undefined) => go({ at: instant }), [go]),
    opened: useMemo(() => place ?? saved?.view ?? undefined, [place, saved]),
    /** The map in the form in which it would be saved. */
    draft: { layers: layers.map(toSaved), view: now && { ...now, time: at ?? null } },
    put: (next: ShownLayer): void => setLayers(layers.map((each) => (each.id === next.id ? next : each))),
    rest(next: Place): void {
      setNow(next);
      go({ view: placeText(next) });
    },
  };
}
