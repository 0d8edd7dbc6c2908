/** The layers of the open map, and the selected one. */
import type { MapLayer } from "../../service/maps.ts";
import { coloured } from "../../ui/map/layers/palette.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";

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

/** The layers of a new map with these collections, the lowest first. */
export function firstLayers(collections: string | readonly string[] = []): readonly ShownLayer[] {
  return coloured([withId({ land: true }), ...[collections].flat().map((collection) => withId({ collection }))]);
}

export function hasCollection({ collection }: ShownLayer): boolean {
  return collection !== undefined;
}

/** The layers with one more. What lies beneath the others is added below them; a basemap covers the land. */
export function withAdded(layers: readonly ShownLayer[], added: ShownLayer): readonly ShownLayer[] {
  if (added.land) return [added, ...layers];
  if (added.basemap === undefined) return [...layers, added];
  const ground = layers.findIndex(({ land, basemap }) => !land && basemap === undefined);
  return layers.toSpliced(ground === -1 ? layers.length : ground, 0, added);
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
