import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The directory of the checkout or the installed package: the nearest one with a package.json above this code. */
export const PACKAGE_DIRECTORY = above(import.meta.dirname);

/** Whether this is a checkout, where the sources lie as they are written. */
export const IS_CHECKOUT = existsSync(join(PACKAGE_DIRECTORY, "server", "cli", "main.ts"));

/** The version of Portolan. */
export const { version: VERSION } = JSON.parse(readFileSync(join(PACKAGE_DIRECTORY, "package.json"), "utf8")) as {
  readonly version: string;
};

/**
 * The place of a file or folder that is no module, such as SQL or a style sheet, by its path in the checkout. A module cannot go by
 * its own place: most run as a part of one file.
 */
export function besideCode(path: string): string {
  return join(PACKAGE_DIRECTORY, IS_CHECKOUT ? "" : "dist", path);
}

function above(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : above(dirname(folder));
}
