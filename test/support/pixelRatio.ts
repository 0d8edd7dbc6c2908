/** Which screen a test of a browser has: some tests have an ordinary one, and the others a dense one. */
import { crc32 } from "node:zlib";

const RATIOS = [1, 2];

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

/** Pixels of the screen in one of CSS, for the test that runs. */
export function pixelRatioOfTest(): number {
  isAsked = true;
  return ofTest;
}

/** Says in what a test failed with which screen it had, where it had one. */
export function tellPixelRatio(error: Error | undefined): void {
  if (error && isAsked) error.message += ` (pixel ratio ${ofTest})`;
}
