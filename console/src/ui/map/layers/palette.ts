/** The colours of layers whose collections have no style. A layer gets one when it is added, and is saved with it. */
import type { MapLayer } from "../../../service/maps.ts";

/**
 * Each has a contrast of 3 : 1 to the land and the sea of both themes (WCAG 2.2, 1.4.11), and colour-blind people can tell
 * them apart as well as those of Okabe and Ito, most of which are too pale for that.
 */
export const PALETTE = ["#0055dd", "#bb2200", "#2a6a4a", "#992299", "#004455", "#332200"] as const;

/** The layers, the lowest first, each with a colour. Those that have one keep it. */
export function coloured<Layer extends MapLayer>(layers: readonly Layer[]): readonly Layer[] {
  const all = [...layers];
  all.forEach((layer, index) => {
    if (isDrawn(layer) && layer.color === undefined) all[index] = { ...layer, color: colourAt(all, index) };
  });
  return all;
}

/** The colour that the fewest layers have, and neither neighbour where that is possible. */
function colourAt(layers: readonly MapLayer[], place: number): string {
  const below = layers.slice(0, place).findLast(isDrawn)?.color;
  const above = layers.slice(place + 1).find(isDrawn)?.color;
  const uses = (colour: string): number =>
    layers.filter(({ color }) => color === colour).length + (colour === below || colour === above ? layers.length : 0);
  return PALETTE.reduce<string>((best, each) => (uses(each) < uses(best) ? each : best), PALETTE[0]);
}

function isDrawn({ collection }: MapLayer): boolean {
  return collection !== undefined;
}
