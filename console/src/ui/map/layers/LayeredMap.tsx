/** A map of several layers. Its view stays the same while layers are added and removed. */
import { useQuery } from "@tanstack/react-query";
import { createEmpty, extend, type Extent } from "ol/extent.js";
import type OlMap from "ol/Map.js";
import { fromLonLat, toLonLat } from "ol/proj.js";
import { Maximize } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { MapView } from "../../../service/maps.ts";
import { Icon } from "../../Icon.tsx";
import type { EmptyView } from "./emptiness.ts";
import type { ShownLayer } from "./layerStack.ts";
import { collectionsOf, type Collection, type MapSource } from "./mapSource.ts";
import { toMetres } from "./mercator.ts";
import { useOlMap } from "./useOlMap.ts";
import { t } from "../../../words/words.ts";

export type Place = Pick<MapView, "center" | "zoom">;

export interface LayeredMapProps {
  readonly label: string;
  readonly source: MapSource;
  /** The layers, the lowest first. */
  readonly layers: readonly ShownLayer[];
  readonly at: string | undefined;
  /** The initial view; undefined for everything that the layers have. */
  readonly place: Place | undefined;
  /** Errors of layers, by their ids. */
  readonly onErrors?: (errors: ReadonlyMap<string, Error>) => void;
  /** Called when the map rests. */
  readonly onMove?: (place: Place) => void;
  /**
   * Called on a click, a tap, or Enter in the middle of the map: with the point in degrees, and the width of a pixel
   * there.
   */
  readonly onPick?: (lonLat: readonly [number, number], degreesInPixel: number) => void;
  /** Called with the view where the layers draw nothing in it, and with undefined where they do. */
  readonly onEmpty?: (view: EmptyView | undefined) => void;
  /** Called with the map itself, for code that draws on it; with null when it is gone. */
  readonly onMap?: (map: OlMap | null) => void;
}

export function LayeredMap({
  label,
  source,
  layers,
  at,
  place,
  onErrors,
  onMove,
  onPick,
  onEmpty,
  onMap,
}: LayeredMapProps) {
  const collections = useQuery(collectionsOf(source));
  const [hasPlace, setHasPlace] = useState(place !== undefined);
  const rested = useRef<string>(null);
  const { target, held, errors, isBusy } = useOlMap(source, {
    onMap,
    onEmpty,
    onPick: pick,
    onMove(next) {
      rested.current = JSON.stringify(next);
      onMove?.(next);
    },
  });

  function pick(coordinate: readonly number[] | undefined): void {
    if (!coordinate || !onPick) return;
    const resolution = held.current?.map.getView().getResolution() ?? 1;
    const [left = 0] = toLonLat([coordinate[0]! - resolution / 2, coordinate[1]!]);
    const [right = 0] = toLonLat([coordinate[0]! + resolution / 2, coordinate[1]!]);
    onPick(toLonLat([...coordinate]) as [number, number], right - left);
  }

  useEffect(() => {
    if (collections.data) held.current?.stack.show({ layers, at }, collections.data);
  }, [held, collections.data, layers, at]);

  const wanted = place && JSON.stringify({ center: place.center, zoom: place.zoom });
  useEffect(() => {
    if (wanted === undefined || wanted === rested.current) return; // the map already shows it
    const { center, zoom } = JSON.parse(wanted) as Place;
    const view = held.current?.map.getView();
    view?.setCenter(fromLonLat([...center]));
    view?.setZoom(zoom);
    setHasPlace(true);
  }, [held, wanted]);

  useEffect(() => {
    if (hasPlace || !collections.data || layers.length === 0) return;
    const extent = extentOfLayers(layers, collections.data);
    if (!extent) return; // the first layer with data will set the view
    keepFitted(held.current!.map, extent);
    setHasPlace(true);
  }, [held, hasPlace, collections.data, layers]);

  useEffect(
    () => onErrors?.(collections.error ? new Map([["", collections.error]]) : errors),
    [onErrors, errors, collections.error],
  );

  return (
    <div
      ref={target}
      className="map layered"
      role="application"
      aria-label={label}
      aria-busy={isBusy || collections.isPending}
      aria-description={t("Arrow keys move the map, plus and minus zoom, Enter asks what is in the middle.")}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target === event.currentTarget)
          pick(held.current?.map.getView().getCenter());
      }}
    >
      <ZoomToAll layers={layers} collections={collections.data} onZoom={(extent) => fitTo(held.current!.map, extent)} />
    </div>
  );
}

interface ZoomToAllProps {
  readonly layers: readonly ShownLayer[];
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  readonly onZoom: (extent: Extent) => void;
}

/** Zooms to all that the visible layers have. */
function ZoomToAll({ layers, collections, onZoom }: ZoomToAllProps) {
  const whole = useMemo(() => {
    const visible = layers.filter((layer) => layer.visible ?? true);
    return collections && extentOfLayers(visible, collections);
  }, [collections, layers]);
  if (!whole) return null;
  return (
    <button
      type="button"
      className="zoom-to-all"
      aria-label={t("Zoom to everything")}
      title={t("Zoom to everything")}
      onClick={() => onZoom(whole)}
    >
      <Icon of={Maximize} size={16} />
    </button>
  );
}

/** Shows an extent, also when the map gets another size, until somebody moves it. */
function keepFitted(map: OlMap, extent: Extent): void {
  const fitAgain = (): void => fitTo(map, extent);
  const target = map.getTargetElement();
  const stop = (): void => {
    map.un("change:size", fitAgain);
    for (const name of ["pointerdown", "wheel", "keydown"]) target?.removeEventListener(name, stop, { capture: true });
  };
  fitAgain();
  map.on("change:size", fitAgain);
  for (const name of ["pointerdown", "wheel", "keydown"])
    target?.addEventListener(name, stop, { capture: true, passive: true });
}

export function fitTo(map: OlMap, extent: Extent, maxZoom = 16): void {
  map.getView().fit(extent, { padding: [24, 24, 24, 24], maxZoom });
}

/** The extent; undefined where no layer has data of its own. */
function extentOfLayers(
  layers: readonly ShownLayer[],
  collections: ReadonlyMap<string, Collection>,
): Extent | undefined {
  const whole = createEmpty();
  for (const { collection } of layers) {
    const extent = collection === undefined ? undefined : collections.get(collection)?.extent;
    if (extent) extend(whole, toMetres(extent));
  }
  return whole.every(Number.isFinite) ? whole : undefined;
}
