/** The screen of a browser test: some tests have an ordinary one, the others a dense one. */
import { crc32 } from "node:zlib";
import { sized } from "./size.ts";

/** `PIXEL_RATIO=1.25 npm run test:some console` gives all tests one of them. */
const RATIOS = sized([1, 2], [1, 1.25, 2, 3]);

let ofTest = RATIOS[0]!;
let isAsked = false;

/**
 * Chooses by the name of the test, so that a failed test runs again on the same screen, also alone. `PIXEL_RATIO` (such as 1.25
 * or 3) gives all tests that ratio.
 */
export function choosePixelRatio(nameOfTest: string): void {
  const forced = process.env["PIXEL_RATIO"];
  ofTest = forced === undefined ? RATIOS[crc32(nameOfTest) % RATIOS.length]! : Number(forced);
  isAsked = false;
}

/** Pixels of the screen in one of CSS, for the running test. */
export function pixelRatioOfTest(): number {
  isAsked = true;
  return ofTest;
}

/** Adds the screen of a failed test to its error, if it had one. */
export function tellPixelRatio(error: Error | undefined): void {
  if (error && isAsked) error.message += ` (pixel ratio ${ofTest})`;
}
