/** Colours for classes: a gradient for numbers, distinct colours for kinds. */
export const RAMPS = {
  Blues: ["#deebf7", "#08519c"],
  Greens: ["#e5f5e0", "#006d2c"],
  Oranges: ["#feedde", "#a63603"],
  Viridis: ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"],
  // by Okabe and Ito: distinguishable for colour-blind people too
  Kinds: ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999"],
} as const;
export type Ramp = keyof typeof RAMPS;

/** This many colours of a ramp. */
export function coloursOf(ramp: Ramp, count: number): readonly string[] {
  const stops: readonly string[] = RAMPS[ramp];
  return Array.from({ length: count }, (_, index) => {
    if (ramp === "Kinds") return stops[index % stops.length]!;
    const place = count === 1 ? 0.5 : index / (count - 1);
    const from = Math.min(stops.length - 2, Math.floor(place * (stops.length - 1)));
    return between(stops[from]!, stops[from + 1]!, place * (stops.length - 1) - from);
  });
}

function between(from: string, to: string, share: number): string {
  const part = (colour: string, index: number): number => parseInt(colour.slice(1 + 2 * index, 3 + 2 * index), 16);
  const mixed = [0, 1, 2].map((index) => Math.round(part(from, index) * (1 - share) + part(to, index) * share));
  return `#${mixed.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}
