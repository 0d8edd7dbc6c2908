/** The layers of the open map, and the selected one. */
import type { MapLayer } from "../../service/maps.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import type { Collection } from "../../ui/map/layers/mapSource.ts";
import { t } from "../../words/words.ts";

let last = 0;

export function withId(layer: MapLayer): ShownLayer {
  return { ...layer, id: String(++last) };
}

/** A layer in the form in which it is saved. */
export function toSaved(layer: MapLayer | ShownLayer): MapLayer {
  const {
    id: _id,
    draft: _draft,
    written: _written,
    styled: _styled,
    isReplaced: _isReplaced,
    ...saved
  } = layer as ShownLayer;
  return saved;
}

/** The layers of a new map with one collection, or with none. */
export function firstLayers(collection: string | undefined): readonly ShownLayer[] {
  return [withId({ land: true }), ...(collection === undefined ? [] : [withId({ collection })])];
}

export function hasCollection({ collection }: ShownLayer): boolean {
  return collection !== undefined;
}

export function titleOf(layer: ShownLayer, collections: ReadonlyMap<string, Collection> | undefined): string {
  if (layer.title) return layer.title;
  if (layer.land) return t("Land");
  return layer.basemap ?? collections?.get(layer.collection!)?.title ?? layer.collection!;
}

/** `by`: 1 moves it one further to the front. */
export function moved(layers: readonly ShownLayer[], id: string, by: 1 | -1): readonly ShownLayer[] {
  const from = layers.findIndex((each) => each.id === id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= layers.length) return layers;
  const next = [...layers];
  [next[from], next[to]] = [next[to]!, next[from]!];
  return next;
}
