/** An OpenLayers map in an element, with its stack of layers. */
import ScaleLine from "ol/control/ScaleLine.js";
import type { Extent } from "ol/extent.js";
import OlMap from "ol/Map.js";
import { toLonLat, transformExtent } from "ol/proj.js";
import View from "ol/View.js";
import "ol/ol.css";
import { useEffect, useRef, useState } from "react";
import { useStable } from "../../hooks/useStable.ts";
import { mapControls } from "../controls.ts";
import { LayerStack } from "./layerStack.ts";
import type { EmptyView } from "./emptiness.ts";
import type { MapSource } from "./mapSource.ts";
import { COARSEST } from "./tileStyle.ts";

export interface OlMapEvents {
  /** The map; null when it is gone. */
  readonly onMap: ((map: OlMap | null) => void) | undefined;
  readonly onPick: (coordinate: readonly number[]) => void;
  /** Called when the map rests. */
  /** Called with the view where the layers have drawn nothing in it, and with undefined where they have. */
  readonly onEmpty: ((view: EmptyView | undefined) => void) | undefined;
  readonly onMove: (place: { readonly center: [number, number]; readonly zoom: number }) => void;
}

const EDGE = 20_037_508.342789244;
const WORLD: Extent = [-EDGE, -EDGE, EDGE, EDGE];
/** The movement of a finger that still counts as a tap, in pixels. */
const MOVE_TOLERANCE = 4;
const MAX_ZOOM = 22;
/** More at once would take all that an account may have of the service, and other pages of it would wait. */
const MAX_TILES_LOADING = 4;
const DECIMALS = 6;

export function useOlMap(source: MapSource, events: OlMapEvents) {
  const target = useRef<HTMLDivElement>(null);
  const held = useRef<{ readonly map: OlMap; readonly stack: LayerStack }>(null);
  const [errors, setErrors] = useState<ReadonlyMap<string, Error>>(new Map());
  const [isBusy, setIsBusy] = useState(true);
  const stable = useStable({
    move: events.onMove,
    pick: events.onPick,
    tellEmpty: (view: EmptyView | undefined) => events.onEmpty?.(view),
    give: (map: OlMap | null) => events.onMap?.(map),
    tell: (id: string, error: Error | null) => setErrors((before) => withError(before, id, error)),
  });

  useEffect(() => {
    const element = target.current!;
    const map = makeMap(element);
    const stack = new LayerStack(map, source, stable.tell);
    held.current = { map, stack };
    map.on("loadstart", () => setIsBusy(true));
    map.on("loadend", () => setIsBusy(false));
    map.on("moveend", () => {
      const center = map.getView().getCenter();
      const zoom = Number((map.getView().getZoom() ?? 0).toFixed(3));
      if (center) stable.move({ center: rounded(toLonLat(center)), zoom });
    });
    let told: string | undefined;
    map.on("rendercomplete", () => {
      setIsBusy(false); // nothing had to be loaded
      if (map.getView().getInteracting() || map.getView().getAnimating()) return;
      const view = emptyViewOf(map, stack);
      if (JSON.stringify(view) === told) return;
      told = JSON.stringify(view);
      stable.tellEmpty(view);
    });
    map.on("singleclick", ({ coordinate }) => stable.pick(coordinate));
    stable.give(map);
    return () => {
      stable.give(null);
      stack.close();
      map.setTarget(undefined);
      map.dispose();
      held.current = null;
    };
  }, [source, stable]);

  return { target, held, errors, isBusy };
}

function makeMap(target: HTMLElement): OlMap {
  return new OlMap({
    target,
    pixelRatio: devicePixelRatio,
    view: new View({ extent: WORLD, showFullExtent: true, center: [0, 0], zoom: 1, maxZoom: MAX_ZOOM }),
    keyboardEventTarget: target,
    controls: mapControls({ collapsible: false }).extend([new ScaleLine()]),
    moveTolerance: MOVE_TOLERANCE,
    maxTilesLoading: MAX_TILES_LOADING,
  });
}

/** The errors with a change. Gives the same object where nothing has changed. */
function withError(before: ReadonlyMap<string, Error>, id: string, error: Error | null): ReadonlyMap<string, Error> {
  if (before.get(id)?.message === error?.message) return before;
  const after = new Map(before);
  if (error) after.set(id, error);
  else after.delete(id);
  return after;
}

function emptyViewOf(map: OlMap, stack: LayerStack): EmptyView | undefined {
  const view = map.getView();
  const extent = view.calculateExtent();
  const resolution = view.getResolution() ?? 1;
  if (!stack.isEmptyIn(extent, resolution)) return undefined;
  const [west = -180, south = -90, east = 180, north = 90] = transformExtent(extent, "EPSG:3857", "EPSG:4326");
  return {
    box: [Math.max(-180, west), Math.max(-90, south), Math.min(180, east), Math.min(90, north)],
    zoom: Math.max(0, Math.log2(COARSEST / resolution)),
  };
}

function rounded([lon = 0, lat = 0]: readonly number[]): [number, number] {
  const round = (value: number): number => Number(value.toFixed(DECIMALS));
  return [Math.max(-180, Math.min(180, round(lon))), Math.max(-90, Math.min(90, round(lat)))];
}
