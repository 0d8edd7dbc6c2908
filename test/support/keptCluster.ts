/**
 * The cluster of an earlier run, with its templates: to make it takes five seconds of processor time, and to copy it a tenth
 * of one. It is kept for a day, and as long as nothing changes of which it is made.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findPostgres } from "../../server/setup/programs.mjs";

const ROOT = join(import.meta.dirname, "../..");
/** What is kept between runs, of which nothing is missed that is removed. */
export const KEPT = join(ROOT, "node_modules/.cache/portolan");
const PREFIX = "cluster-";
const MADE_OF = [
  "sql/**/*.sql",
  "server/{demo,ground,kernel,setup}/**/*.{ts,mjs}",
  "server/operate/migrate.ts",
  "test/support/{databases,keptCluster,testServers}.ts",
];

/** Where the cluster of this day and this checkout is or would be. */
function placeOfToday(): string {
  const hash = createHash("sha256").update(new Date().toISOString().slice(0, 10));
  hash.update(JSON.stringify([findPostgres(), process.getuid?.()]));
  for (const name of globSync(MADE_OF, { cwd: ROOT }).sort()) hash.update(name).update(readFileSync(join(ROOT, name)));
  return join(KEPT, `${PREFIX}${hash.digest("hex").slice(0, 16)}`);
}

/** Copies it to `directory`, a folder of `startLocalCluster` that is not there yet. False if none is kept. */
export function takeKeptCluster(directory: string): boolean {
  const place = placeOfToday();
  return existsSync(place) && copy(place, directory);
}

export function isClusterKept(): boolean {
  return existsSync(placeOfToday());
}

/** Keeps a copy of the cluster in `directory`, which has been stopped, instead of those of other days. */
export function keepCluster(directory: string): void {
  const place = placeOfToday();
  mkdirSync(KEPT, { recursive: true });
  const draft = `${place}.${process.pid}`;
  if (!copy(directory, draft)) return;
  for (const name of ["postgres.log", "socket"]) rmSync(join(draft, name), { recursive: true, force: true });
  if (existsSync(place)) return rmSync(draft, { recursive: true }); // of a run beside this one
  renameSync(draft, place);
  const others = readdirSync(KEPT).filter((name) => name.startsWith(PREFIX) && join(KEPT, name) !== place);
  for (const name of others) rmSync(join(KEPT, name), { recursive: true, force: true });
}

/** With owners and rights, which PostgreSQL insists on. */
function copy(from: string, to: string): boolean {
  if (spawnSync("cp", ["-a", from, to]).status === 0) return true;
  rmSync(to, { recursive: true, force: true });
  return false;
}
