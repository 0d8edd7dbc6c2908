// The bundled service: `node server/setup/buildProgram.mjs` writes it in a few files, because Node takes longer to find
// and read 2,000 modules than to run them. Built-in modules only, since every command runs this first.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

/** The folders whose modules are in the program. */
export const SOURCES = ["server", "plugins", "ogc"];

/** Where the programs of a checkout or an installed package are, each in a folder with the hash of what it was built from. */
export function programsOf(root) {
  return path.join(root, "dist", "program");
}

/** Names the folder of the newest program. */
export const CURRENT = "current";

/**
 * The path of the program to run. Undefined where none was built, or the sources of this checkout have changed since.
 * An installed package has no sources beside it.
 */
export function programOf(root) {
  const programs = programsOf(root);
  const current = path.join(programs, CURRENT);
  try {
    const main = path.join(programs, readFileSync(current, "utf8").trim(), "main.mjs");
    const isCurrent = !existsSync(path.join(root, "server/cli/main.ts")) || isOlder(root, statSync(current).mtimeMs);
    return isCurrent && existsSync(main) ? main : undefined;
  } catch {
    return undefined; // nothing was built
  }
}

/** A folder changes when a file comes or goes. */
function isOlder(root, builtAtMs) {
  const files = [...SOURCES, "package-lock.json"].map((name) => path.join(root, name));
  for (let at = 0; at < files.length; at++) {
    const entry = statSync(files[at]);
    if (entry.mtimeMs > builtAtMs) return false;
    if (entry.isDirectory()) files.push(...readdirSync(files[at]).map((name) => path.join(files[at], name)));
  }
  return true;
}

/** The files below a folder in a stable order, without what was built there. */
export function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== "dist")
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(file) : [file];
    });
}
