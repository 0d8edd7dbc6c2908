/** The widths of a screen and a phone, in light and dark colours. */
import { sized } from "./size.ts";

export interface Look {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
}

export const SCHEMES = ["light", "dark"] as const;

const of = (colorScheme: Look["colorScheme"]): readonly Look[] => [
  { width: 1440, height: 900, colorScheme },
  { width: 390, height: 800, colorScheme },
];
const [light, dark] = [of("light"), of("dark")];

/** Each width and each colour scheme; their combinations in the large form only. */
export const LOOKS: readonly Look[] = sized([light[0]!, dark[1]!], [...light, ...dark]);
