import { number } from "../../words/words.ts";

/** The size of a file for display, in kB or MB of 1,000. */
export function sizeText(bytes: number): string {
  const withDigits = (size: number, digits: number): string =>
    number(size, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return bytes < 1e6 ? `${withDigits(bytes / 1e3, bytes < 1e4 ? 1 : 0)} kB` : `${withDigits(bytes / 1e6, 1)} MB`;
}
