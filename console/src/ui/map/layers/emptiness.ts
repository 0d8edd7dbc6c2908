/** The reason why a layer draws nothing in the view, and what leads to something. */
import type { Box } from "../../../service/maps.ts";
import { readStyle } from "./collectionLayers.ts";
import { shownStyleOf, type ShownLayer } from "./layerStack.ts";
import { collectionPathOf, type Collection, type MapSource } from "./mapSource.ts";

/** The part of the world that a map shows while its layers draw nothing there. */
export interface EmptyView {
  /** In degrees. */
  readonly box: Box;
  /** As styles have it, where the world has 512 pixels at 0. */
  readonly zoom: number;
}

export type Reason =
  /** `zoom`: the nearest at which a class is drawn. */
  | { readonly kind: "scale"; readonly zoom: number }
  | { readonly kind: "class" }
  /** `box`: where they are. */
  | { readonly kind: "elsewhere"; readonly box: Box }
  | { readonly kind: "filter" }
  | { readonly kind: "time" }
  | { readonly kind: "none" };

const WORLD: Box = [-180, -90, 180, 90];
/** The rows whose extent is shown where a filter leaves others out. */
const MOST = 100;
/** How far within the limits of a scale the map goes. */
const WITHIN = 0.05;

export async function reasonOf(
  source: MapSource,
  {
    layer,
    collection,
    view,
    at,
  }: {
    readonly layer: ShownLayer;
    readonly collection: Collection;
    readonly view: EmptyView;
    readonly at: string | undefined;
  },
  signal: AbortSignal,
): Promise<Reason> {
  const filter = layer.filter ?? undefined;
  const ask = (box: Box, more: Asked, limit = 1): Promise<readonly Shape[]> =>
    shapesOf(source, collection.id, { box, limit, ...more }, signal);
  if ((await ask(view.box, { filter, at })).length > 0) return drawnAt(source, layer, view.zoom);
  const shapes = await ask(WORLD, { filter, at }, filter === undefined ? 1 : MOST);
  if (shapes.length > 0)
    return { kind: "elsewhere", box: (filter === undefined ? collection.extent : undefined) ?? boxOf(shapes) };
  if (filter !== undefined && (await ask(WORLD, { filter: undefined, at })).length > 0) return { kind: "filter" };
  const isPast = at !== undefined && collection.since !== undefined;
  if (isPast && (await ask(WORLD, { filter, at: undefined })).length > 0) return { kind: "time" };
  return { kind: "none" };
}

/** Rows are in the view: no class is drawn at this scale, or none takes them. */
async function drawnAt(source: MapSource, layer: ShownLayer, zoom: number): Promise<Reason> {
  const { layers } = await readStyle(source, layer.collection!, { own: shownStyleOf(layer) });
  const ends = layers.map(({ minzoom = 0, maxzoom = Infinity }) => [minzoom, maxzoom] as const);
  if (ends.length === 0 || ends.some(([min, max]) => zoom >= min && zoom < max)) return { kind: "class" };
  const near = ends.map(([min, max]) => (zoom < min ? min + WITHIN : max - WITHIN));
  return { kind: "scale", zoom: near.toSorted((one, other) => Math.abs(one - zoom) - Math.abs(other - zoom))[0]! };
}

interface Asked {
  readonly filter: string | undefined;
  readonly at: string | undefined;
}

interface Shape {
  readonly geometry: { readonly coordinates?: unknown; readonly geometries?: unknown } | null;
}

async function shapesOf(
  source: MapSource,
  id: string,
  { box, limit, filter, at }: Asked & { readonly box: Box; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly Shape[]> {
  const query = new URLSearchParams({
    f: "json",
    limit: String(limit),
    bbox: box.join(","),
    ...(filter !== undefined && { filter }),
    ...(at !== undefined && { datetime: at }),
  });
  const response = await source.ask(`${collectionPathOf(source, id)}/items?${query}`, { signal });
  return ((await response.json()) as { readonly features: readonly Shape[] }).features;
}

function boxOf(shapes: readonly Shape[]): Box {
  let [west, south, east, north] = [180, 90, -180, -90];
  const walk = (part: unknown): void => {
    if (!Array.isArray(part)) return;
    const [x, y] = part as readonly unknown[];
    if (typeof x !== "number" || typeof y !== "number") return part.forEach(walk);
    [west, south, east, north] = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
  };
  for (const { geometry } of shapes) {
    walk(geometry?.coordinates);
    for (const each of (geometry?.geometries ?? []) as readonly { coordinates?: unknown }[]) walk(each.coordinates);
  }
  return west <= east && south <= north ? [west, south, east, north] : WORLD;
}
