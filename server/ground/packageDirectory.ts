import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The directory of the checkout or the installed package. */
export const PACKAGE_DIRECTORY = existsSync(join(import.meta.dirname, "../../package.json"))
  ? resolve(import.meta.dirname, "../..")
  : resolve(import.meta.dirname, "../../..");

/** The version of Portolan. */
export const { version: VERSION } = JSON.parse(readFileSync(join(PACKAGE_DIRECTORY, "package.json"), "utf8")) as {
  readonly version: string;
};
