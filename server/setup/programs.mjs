// The system's programs that Portolan runs: where PostgreSQL, MapServer and Chromium are. Built-in modules only, for
// setup.mjs must run on an old Node, before any package is there.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** The oldest PostgreSQL that Portolan works with. */
export const OLDEST_POSTGRES = 14;

/** Folders whose entries name a PostgreSQL version: Debian, Red Hat by postgresql.org, Homebrew, Postgres.app. */
const versionedFolders = [
  ["/usr/lib/postgresql", /^\d+$/],
  ["/usr", /^pgsql-\d+$/],
  ["/opt/homebrew/opt", /^postgresql@\d+$/],
  ["/usr/local/opt", /^postgresql@\d+$/],
  ["/home/linuxbrew/.linuxbrew/opt", /^postgresql@\d+$/],
  ["/Applications/Postgres.app/Contents/Versions", /^\d+$/],
];

/**
 * The server programs of PostgreSQL: those that have PostGIS and pgcrypto before those that have not, then the newest.
 * `major`: this version only; default any from 14. The environment's `PORTOLAN_PG_BIN` (a folder) is searched alone.
 * Gives the folder of `initdb` and `postgres`, their major version, and whether they can load these extensions and hypopg;
 * undefined where there are none.
 *
 * @param {{ major?: number }} [options]
 * @returns {{ bin: string, major: number, postgis: boolean, pgcrypto: boolean, hypopg: boolean } | undefined}
 */
export function findPostgres({ major } = {}) {
  const found = new Map();
  for (const folder of postgresFolders()) {
    if (!isProgram(path.join(folder, "initdb")) || !isProgram(path.join(folder, "postgres"))) continue;
    const bin = path.dirname(realpathSync(path.join(folder, "postgres")));
    if (found.has(bin) || !isProgram(path.join(bin, "initdb"))) continue;
    const version = versionOf(bin);
    if (major === undefined ? version >= OLDEST_POSTGRES : version === major) {
      found.set(bin, { bin, major: version, ...extensionsOf(bin, version) });
    }
  }
  const completeness = (postgres) => Number(postgres.postgis) + Number(postgres.pgcrypto);
  return [...found.values()].sort((a, b) => completeness(b) - completeness(a) || b.major - a.major)[0];
}

/**
 * The path of `psql`, or undefined: that of the server programs, else what PATH has.
 *
 * @returns {string | undefined}
 */
export function findPsql() {
  const beside = path.join(findPostgres()?.bin ?? "/nonexistent", "psql");
  return isProgram(beside) ? beside : findProgram(["psql"], ["/opt/homebrew/bin", "/usr/local/bin"]);
}

/**
 * The path of MapServer's `mapserv`, or undefined. The environment's `PORTOLAN_MAPSERV` (a file) is looked for alone.
 *
 * @returns {string | undefined}
 */
export function findMapserv() {
  const { PORTOLAN_MAPSERV } = process.env;
  if (PORTOLAN_MAPSERV) return isProgram(PORTOLAN_MAPSERV) ? PORTOLAN_MAPSERV : undefined;
  const folders = ["/usr/lib/cgi-bin", "/usr/libexec", "/usr/libexec/mapserver", "/opt/homebrew/bin", "/usr/local/bin"];
  return findProgram(["mapserv"], folders);
}

/** Chromium without windows, which takes a quarter less processor time than all of it. Debian's package has the same name. */
export const HEADLESS_SHELL = "chromium-headless-shell";

/** @returns {string | undefined} */
export function findHeadlessShell() {
  return findProgram([HEADLESS_SHELL], []);
}

/**
 * The path of a Chromium that the tests can drive, or undefined. The environment's `CHROMIUM` (a file) comes first.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const { CHROMIUM } = process.env;
  if (CHROMIUM) return isProgram(CHROMIUM) ? CHROMIUM : undefined;
  const names = [HEADLESS_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const applications = ["Chromium", "Google Chrome"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  return findProgram(names, []) ?? applications.find(isProgram);
}

/**
 * The path of GDAL's `ogrinfo`, or undefined.
 *
 * @returns {string | undefined}
 */
export function findOgrinfo() {
  return findProgram(["ogrinfo"], ["/opt/homebrew/bin", "/usr/local/bin"]);
}

/**
 * The path of `nats-server`, for the tests of fleets, or undefined.
 *
 * @returns {string | undefined}
 */
export function findNatsServer() {
  return findProgram(["nats-server"], ["/usr/sbin", "/opt/homebrew/bin", "/usr/local/bin"]);
}

/**
 * The paths of HAProxy and nginx, for the tests of what `deploy/` has for them, or undefined where one is missing.
 *
 * @returns {{ haproxy: string, nginx: string } | undefined}
 */
export function findProxies() {
  const folders = ["/usr/sbin", "/opt/homebrew/bin", "/usr/local/sbin", "/usr/local/bin"];
  const [haproxy, nginx] = ["haproxy", "nginx"].map((name) => findProgram([name], folders));
  return haproxy && nginx ? { haproxy, nginx } : undefined;
}

/**
 * The path of libfaketime's library, by which tests set a clock, or undefined.
 *
 * @returns {string | undefined}
 */
export function findFakeTime() {
  return ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"]
    .map((folder) => path.join(folder, "faketime", "libfaketimeMT.so.1"))
    .find((file) => existsSync(file));
}

/**
 * The path of `spawn-fcgi`, by which the benchmark of maps runs MapServer alone, or undefined.
 *
 * @returns {string | undefined}
 */
export function findSpawnFcgi() {
  return findProgram(["spawn-fcgi"], ["/opt/homebrew/bin", "/usr/local/bin"]);
}

/**
 * The path of a Python that has OWSLib, or undefined.
 *
 * @returns {string | undefined}
 */
export function findOwslib() {
  return findPythonWith("owslib.ogcapi.features");
}

/**
 * The path of a Python that has authlib and the requests it is used with, or undefined.
 *
 * @returns {string | undefined}
 */
export function findAuthlib() {
  return findPythonWith("authlib.integrations.requests_client");
}

/**
 * The path of a Python that has pyarrow, or undefined.
 *
 * @returns {string | undefined}
 */
export function findPyarrow() {
  return findPythonWith("pyarrow.parquet");
}

/**
 * @param {string} module
 * @returns {string | undefined}
 */
function findPythonWith(module) {
  const pythons = [...pathFolders(), "/usr/bin"].map((folder) => path.join(folder, "python3")).filter(isProgram);
  return pythons.find((python) => spawnSync(python, ["-c", `import ${module}`]).status === 0);
}

/**
 * The path of PgBouncer, or undefined.
 *
 * @returns {string | undefined}
 */
export function findPgbouncer() {
  return findProgram(["pgbouncer"], ["/usr/sbin", "/usr/bin"]);
}

/**
 * The paths of Patroni and etcd, for the soak of `deploy/patroni`, or undefined where one is missing.
 *
 * @returns {{ patroni: string, etcd: string } | undefined}
 */
export function findPatroni() {
  const [patroni, etcd] = ["patroni", "etcd"].map((name) => findProgram([name], ["/usr/bin", "/usr/local/bin"]));
  return patroni && etcd ? { patroni, etcd } : undefined;
}

/**
 * The path of Prometheus where its `promtool` is there too, or undefined.
 *
 * @returns {string | undefined}
 */
export function findPrometheus() {
  return findProgram(["promtool"], []) && findProgram(["prometheus"], []);
}

/**
 * The path of `systemd-analyze`, or undefined.
 *
 * @returns {string | undefined}
 */
export function findSystemdAnalyze() {
  return findProgram(["systemd-analyze"], []);
}

/**
 * The path of `qgis_process`, or undefined.
 *
 * @returns {string | undefined}
 */
export function findQgisProcess() {
  return findProgram(["qgis_process"], ["/Applications/QGIS.app/Contents/MacOS/bin"]);
}

function postgresFolders() {
  const { PORTOLAN_PG_BIN } = process.env;
  if (PORTOLAN_PG_BIN) return [PORTOLAN_PG_BIN];
  const versioned = versionedFolders.flatMap(([folder, pattern]) =>
    list(folder)
      .filter((name) => pattern.test(name))
      .map((name) => path.join(folder, name, "bin")),
  );
  return [...versioned, ...pathFolders(), "/usr/local/pgsql/bin"];
}

/** Major version of the programs in `bin`. Most packages name it in the path, which saves starting a process. */
function versionOf(bin) {
  const named = /(?:postgresql[/@]?|pgsql-|Versions\/)(\d+)(?:\/|$)/.exec(bin);
  if (named) return Number(named[1]);
  const { stdout } = spawnSync(path.join(bin, "postgres"), ["--version"], { encoding: "utf8" });
  return Number(/(\d+)/.exec(stdout ?? "")?.[1] ?? 0);
}

function extensionsOf(bin, version) {
  const likely = ["../share/postgresql", "../share", "../share/pgsql", `../../../../share/postgresql/${version}`]
    .map((folder) => path.join(bin, folder))
    .concat(`/usr/share/postgresql${version}`);
  const has = (name, folders) =>
    folders.some((folder) => existsSync(path.join(folder, "extension", `${name}.control`)));
  let share = likely;
  if (!has("postgis", likely) && isProgram(path.join(bin, "pg_config"))) {
    const { stdout } = spawnSync(path.join(bin, "pg_config"), ["--sharedir"], { encoding: "utf8" });
    if (stdout) share = [...likely, stdout.trim()];
  }
  return { postgis: has("postgis", share), pgcrypto: has("pgcrypto", share), hypopg: has("hypopg", share) };
}

function findProgram(names, moreFolders) {
  const files = names.flatMap((name) => [...pathFolders(), ...moreFolders].map((folder) => path.join(folder, name)));
  return files.find(isProgram);
}

function pathFolders() {
  return (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
