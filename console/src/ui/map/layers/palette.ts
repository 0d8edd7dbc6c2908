/** The colours of layers whose collections have no style. A layer gets one when it is added, and is saved with it. */
import type { MapLayer } from "../../../service/maps.ts";

/** By Okabe and Ito, without those that are too pale on paper: distinguishable for colour-blind people too. */
export const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"] as const;

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
