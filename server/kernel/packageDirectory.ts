import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** The checkout or installed package itself. */
export const PACKAGE_DIRECTORY = existsSync(join(import.meta.dirname, "../../package.json"))
  ? resolve(import.meta.dirname, "../..")
  : resolve(import.meta.dirname, "../../..");
