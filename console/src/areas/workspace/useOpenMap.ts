/** The open map: its present layers, and its state in the address. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { MapLayer, SavedMap } from "../../service/maps.ts";
import { useKept } from "../../ui/hooks/useKept.ts";
import type { Place } from "../../ui/map/layers/LayeredMap.tsx";
import { coloured } from "../../ui/map/layers/palette.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import { placeText } from "../../ui/map/layers/place.ts";
import { firstLayers, toSaved, withId } from "./layerList.ts";

export interface OpenedMap {
  /** Undefined for a new map. */
  readonly saved: SavedMap | undefined;
  /** The first layer of a new map, or several, the lowest first. */
  readonly first: string | readonly string[] | undefined;
  readonly at: string | undefined;
  readonly place: Place | undefined;
}

/** Unsaved layers, as the browser keeps them. */
interface KeptLayers {
  readonly layers: readonly MapLayer[];
  /** The version of the map that they come from. */
  readonly version: number | undefined;
}

export function useOpenMap({ saved, first, at: given, place }: OpenedMap) {
  const navigate = useNavigate();
  const [kept, keep] = useKept(`map:${JSON.stringify([saved?.name, first])}`, "");
  const [layers, putLayers] = useState<readonly ShownLayer[]>(() =>
    kept === "" ? openLayers() : coloured((JSON.parse(kept) as KeptLayers).layers).map(withId),
  );
  const [version, putVersion] = useState(() =>
    kept === "" ? saved?.version : (JSON.parse(kept) as KeptLayers).version,
  );
  const [now, setNow] = useState<Place>();
  const at = given ?? saved?.view?.time ?? undefined;
  const go = useCallback(
    (change: { readonly at?: string | undefined; readonly view?: string }) =>
      void navigate({ to: ".", search: (before) => ({ ...before, ...change }), replace: true }),
    [navigate],
  );

  function openLayers(): readonly ShownLayer[] {
    return saved ? coloured(saved.layers).map(withId) : firstLayers(first);
  }

  function setVersion(next: number | undefined): void {
    putVersion(next);
    if (kept !== "") keep(JSON.stringify({ ...(JSON.parse(kept) as KeptLayers), version: next }));
  }

  function setLayers(next: readonly ShownLayer[]): void {
    putLayers(next);
    const before = saved ? coloured(saved.layers) : firstLayers(first);
    const isSame = JSON.stringify(next.map(toSaved)) === JSON.stringify(before.map(toSaved));
    const draft: KeptLayers = { layers: next.map(toSaved), version };
    keep(isSame ? undefined : JSON.stringify(draft));
  }

  return {
    layers,
    setLayers,
    /** Whether layers have changes that are not saved. */
    isChanged: kept !== "",
    /** The layers are saved, as a version of the map or as another map. */
    setSaved(next?: number): void {
      if (next !== undefined) putVersion(next);
      keep(undefined);
    },
    discard(): void {
      keep(undefined);
      putVersion(saved?.version);
      putLayers(openLayers());
    },
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
