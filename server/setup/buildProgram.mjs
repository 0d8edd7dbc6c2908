// `node server/setup/buildProgram.mjs`: puts the service together in few files, for `npm start` and for the npm package. Quiet where
// the present one is of the same sources. One that runs keeps its files, from which it may still load.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { CURRENT, filesBelow, programsOf, SOURCES } from "./program.mjs";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const programs = programsOf(checkout);
const KEPT = 3;

/**
 * Packages that each start loads, and whose objects nothing outside the program sees: they become a part of it. All other packages
 * stay outside: a team's plugins share GraphQL and PostGraphile with it, some read files beside their code, and some are loaded
 * when they are needed.
 */
const INSIDE = new Set([
  "@modelcontextprotocol/server", // it must have the same zod
  "@node-oauth/oauth2-server",
  "@opentelemetry/api",
  "commander",
  "compression",
  "cookie",
  "cors",
  "find-my-way",
  "flatbuffers",
  "helmet",
  "jose",
  "jpeg-js",
  "lru-cache",
  "negotiator",
  "pbf",
  "pg-promise",
  "pngjs",
  "prom-client",
  "saxes",
  "serve-static",
  "zod",
]);
/** What packages inside may not bring a second time. */
const SHARED = /^(graphql|pg)(\/|$)/;

const began = new Date();
const sources = SOURCES.flatMap((name) => filesBelow(path.join(checkout, name)));
const hash = createHash("sha256").update(readFileSync(path.join(checkout, "package-lock.json")));
for (const file of sources) hash.update(path.relative(checkout, file)).update(readFileSync(file));
const name = hash.digest("hex").slice(0, 16);

mkdirSync(programs, { recursive: true });
if (!readdirSync(programs).includes(name)) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: path.join(checkout, "server/cli/main.ts"),
    platform: "node",
    logLevel: "warn",
    external: (id, from) => isPackage(id) && isOutside(id, from),
  });
  const folder = path.join(programs, `.new-${process.pid}`); // not a temporary one of the system, which only its maker may read
  await bundle.write({
    dir: folder,
    format: "esm",
    entryFileNames: "main.mjs",
    chunkFileNames: "[name]-[hash].mjs",
    keepNames: true,
  });
  await bundle.close();
  renameSync(folder, path.join(programs, name));
}
writeFileSync(path.join(programs, CURRENT), `${name}\n`);
utimesSync(path.join(programs, CURRENT), began, began); // a source that was changed meanwhile is a newer one
utimesSync(path.join(programs, name), began, began);
for (const old of oldest()) rmSync(path.join(programs, old), { recursive: true, force: true });

function isPackage(id) {
  return !id.startsWith(".") && !path.isAbsolute(id) && !id.startsWith("\0");
}

function isOutside(id, from) {
  if (id.startsWith("@oxc-project/runtime")) return false; // what older versions of Node lack of the language
  if (from?.includes(`${path.sep}node_modules${path.sep}`)) return SHARED.test(id);
  return !INSIDE.has(id.split("/", id.startsWith("@") ? 2 : 1).join("/"));
}

/** All programs but the newest. */
function oldest() {
  return readdirSync(programs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({ name: entry.name, atMs: statSync(path.join(programs, entry.name)).mtimeMs }))
    .sort((a, b) => b.atMs - a.atMs)
    .slice(KEPT)
    .map((entry) => entry.name);
}
