// The step before `npm start` and `npm test`. It installs missing programs, and prints nothing if none is missing.
// Built-in modules only, and nothing newer than Node 18: the packages, and with them the project's own Node, come from here.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  findAuthlib,
  findChromium,
  findFakeTime,
  findHeadlessShell,
  findMapserv,
  findNatsServer,
  findProxies,
  findOgrinfo,
  findOwslib,
  findPgbouncer,
  findPostgres,
  findPrometheus,
  findSystemdAnalyze,
  HEADLESS_SHELL,
  OLDEST_POSTGRES,
} from "./programs.mjs";
import { filesBelow } from "./program.mjs";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const forTests = process.argv.includes("--test");
const { DATABASE_URL, PORTOLAN_PG_BIN } = process.env;

/**
 * The programs that the system must have, and their packages elsewhere. Those of Debian have a version where apt can be
 * asked: `debianPackages`.
 */
const needs = {
  postgresql: {
    title: `PostgreSQL ${OLDEST_POSTGRES} or later with its contrib modules`,
    debian: "postgresql",
    fedora: "postgresql-server postgresql-contrib",
    homebrew: "postgresql@17",
  },
  postgis: { title: "PostGIS 3", debian: "postgresql-<version>-postgis-3", fedora: "postgis", homebrew: "postgis" },
  mapserver: { title: "MapServer", debian: "cgi-mapserver", fedora: "mapserver", homebrew: "mapserver" },
  chromium: { title: "Chromium (for the tests)", debian: "chromium", fedora: "chromium", homebrew: "chromium" },
  gdal: { title: "GDAL (for the tests)", debian: "gdal-bin", fedora: "gdal", homebrew: "gdal" },
  proxies: {
    title: "HAProxy and nginx (for the tests)",
    debian: "haproxy nginx-light",
    fedora: "haproxy nginx",
    homebrew: "haproxy nginx",
  },
  nats: { title: "NATS (for the tests)", debian: "nats-server", fedora: "nats-server", homebrew: "nats-server" },
};

/** Programs of Debian's packages that single tests need. Where they cannot be installed, those tests are skipped. */
const ofSingleTests = {
  "python3-owslib": findOwslib,
  "python3-authlib": findAuthlib, // with requests, which OWSLib needs too
  pgbouncer: findPgbouncer,
  prometheus: findPrometheus,
  libfaketime: findFakeTime,
  systemd: findSystemdAnalyze,
};

if (!process.argv.includes("--source")) {
  installPackages();
  installPrograms();
  if (forTests) installForSingleTests();
}
exposeSource();
buildConsole();
buildProgram();

function installPackages() {
  const modules = path.join(checkout, "node_modules");
  const marker = path.join(modules, ".portolan-setup");
  const lock = readFileSync(path.join(checkout, "package-lock.json"));
  const wanted = `${process.platform} ${process.arch} ${createHash("sha256").update(lock).digest("hex")}\n`;
  const ownNodeRuns = () => run(path.join(modules, ".bin", "node"), ["--version"]).status === 0;

  if (read(marker) === wanted && ownNodeRuns()) return;
  if (!isInstalled(JSON.parse(lock), modules) || !ownNodeRuns()) {
    say("Installing the npm packages …");
    const npm = /npm-cli\.c?js$/.test(process.env.npm_execpath ?? "")
      ? [process.env.npm_node_execpath ?? process.execPath, process.env.npm_execpath]
      : ["npm"];
    const { status, error } = spawnSync(npm[0], [...npm.slice(1), "ci", "--include=dev", "--loglevel=error"], {
      cwd: checkout,
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) fail(`\`npm ci\` failed${error ? `: ${error.message}` : ""}. Its own message stands above.`);
    if (!ownNodeRuns()) {
      fail(
        "`npm ci` succeeded, but node_modules/.bin/node does not run. It comes with the npm package `node`, by its install\n" +
          "script: are scripts switched off (`npm config get ignore-scripts`)? Then run `npm rebuild node --ignore-scripts=false`.",
      );
    }
  }
  try {
    writeFileSync(marker, wanted);
  } catch {
    // A checkout that is not ours to write: the check only takes longer next time.
  }
}

/**
 * Makes `import "portolan"` use the sources in a checkout: where nothing was built, the files that `exports` of
 * package.json names only re-export the sources.
 */
function exposeSource() {
  const { exports = {} } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8"));
  const built = Object.values(exports)
    .flatMap((target) => (typeof target === "string" ? [] : Object.values(target)))
    .filter((file) => file.startsWith("./dist/"));
  for (const file of built) {
    const target = path.join(checkout, file);
    const source = path.join(checkout, file.replace(/^\.\/dist\//, "").replace(/(\.d\.ts|\.js)$/, ".ts"));
    if (existsSync(target) || !existsSync(source)) continue;
    try {
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, `export * from "${path.relative(path.dirname(target), source)}";\n`);
    } catch {
      return; // a checkout that is not ours to write
    }
  }
}

/** Builds the console where its sources or packages have changed since it was built. */
function buildConsole() {
  const source = path.join(checkout, "console");
  const vite = path.join(checkout, "node_modules", "vite", "bin", "vite.js");
  if (!existsSync(path.join(source, "vite.config.ts")) || !existsSync(vite)) return; // an installed package brings it built
  const marker = path.join(source, "dist", ".built");
  const hash = createHash("sha256").update(readFileSync(path.join(checkout, "package-lock.json")));
  const typesOfRest = path.join(source, "src", "service", "http", "openapi.ts"); // made by `npm run types`, and not built
  for (const file of filesBelow(source))
    if (file !== typesOfRest) hash.update(path.relative(source, file)).update(readFileSync(file));
  const wanted = `${hash.digest("hex")}\n`;
  if (read(marker) === wanted) return;
  say("Building the console …");
  const node = path.join(checkout, "node_modules", ".bin", "node");
  const config = path.join(source, "vite.config.ts");
  const { status } = spawnSync(node, [vite, "build", "--config", config, "--logLevel", "warn"], {
    cwd: checkout,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) fail("The console could not be built. The message of Vite stands above.");
  writeFileSync(marker, wanted);
}

/** Bundles the service into few files, which start in half the time. If that fails, the service runs from its sources. */
function buildProgram() {
  const node = path.join(checkout, "node_modules", ".bin", "node");
  if (!existsSync(path.join(checkout, "node_modules", "rolldown"))) return; // an installed package brings it built
  const { status } = spawnSync(node, [path.join(checkout, "server", "setup", "buildProgram.mjs")], {
    cwd: checkout,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0)
    say("The service could not be bundled into few files. It starts from its sources, which takes longer.");
}

/** Whether npm, run by hand, has already installed the packages of `lock`: npm keeps its own record. */
function isInstalled(lock, modules) {
  const record = read(path.join(modules, ".package-lock.json"));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(lock.packages).every(([location, wanted]) => {
    if (location === "" || (wanted.optional && !installed[location])) return true;
    return installed[location]?.version === wanted.version && installed[location]?.integrity === wanted.integrity;
  });
}

function installPrograms() {
  const missing = findMissing();
  if (missing.length === 0) return;
  const problem = mayInstall(missing) ? installByApt(missing) : undefined;
  const stillMissing = findMissing();
  if (stillMissing.length === 0) return;
  if (DATABASE_URL && !forTests) {
    say(
      "Warning: MapServer is missing, so there will be no maps. Packages: cgi-mapserver (Debian), mapserver (others).",
    );
  } else {
    fail(explain(stillMissing, problem));
  }
}

function installForSingleTests() {
  const packages = { ...ofSingleTests, [`postgresql-${findPostgres()?.major}-hypopg`]: () => findPostgres()?.hypopg };
  const missing = () => Object.keys(packages).filter((name) => !packages[name]());
  const wanted = missing();
  const mayInstall = process.getuid?.() === 0 && hasApt();
  if (mayInstall && !findHeadlessShell()) wanted.push(...available([HEADLESS_SHELL])); // the tests run without, but slower
  if (wanted.length === 0) return;
  if (mayInstall) {
    say(`Installing ${wanted.join(", ")} …`);
    if (available(wanted).length < wanted.length) updateApt();
    const problem = installPackagesOfApt(available(wanted));
    if (problem) say(`apt could not install them:\n${problem.replace(/^/gm, "    ")}`);
  }
  const left = missing().join(" ");
  if (left) say(`Some tests are skipped. The packages of Debian that they need: ${left}`);
}

function mayInstall(missing) {
  const elsewhere = PORTOLAN_PG_BIN && missing.includes("postgresql");
  return !elsewhere && process.getuid?.() === 0 && hasApt();
}

function findMissing() {
  const missing = [];
  if (forTests || !DATABASE_URL) {
    const postgres = findPostgres();
    if (!postgres?.pgcrypto) missing.push("postgresql");
    if (!postgres?.postgis) missing.push("postgis");
  }
  if (!findMapserv()) missing.push("mapserver");
  if (forTests && !findChromium()) missing.push("chromium");
  if (forTests && !findOgrinfo()) missing.push("gdal");
  if (forTests && !findNatsServer()) missing.push("nats");
  if (forTests && !findProxies()) missing.push("proxies");
  return missing;
}

/** The packages of Debian with the missing programs, as far as apt knows them. */
function debianPackages(missing) {
  const packages = [];
  if (missing.includes("postgresql") || missing.includes("postgis")) {
    const version = debianPostgresVersion();
    if (version !== undefined) {
      packages.push(
        `postgresql-${version}`,
        `postgresql-${version}-postgis-3`,
        `postgresql-${version}-postgis-3-scripts`,
      );
    }
  }
  if (missing.includes("mapserver")) packages.push("cgi-mapserver");
  if (missing.includes("chromium")) {
    const [shell = "chromium"] = available([HEADLESS_SHELL]);
    packages.push(shell, "fonts-dejavu-core");
  }
  if (missing.includes("gdal")) packages.push("gdal-bin");
  if (missing.includes("nats")) packages.push("nats-server");
  if (missing.includes("proxies")) packages.push("haproxy", "nginx-light");
  return available(packages);
}

/** The PostgreSQL to take from apt: the one that is installed, else the distribution's own, else the newest. */
function debianPostgresVersion() {
  const names = run("apt-cache", ["pkgnames", "postgresql-"]).stdout.split("\n");
  const versions = names
    .map((name) => Number(/^postgresql-(\d+)-postgis-3$/.exec(name)?.[1]))
    .filter((version) => version >= OLDEST_POSTGRES)
    .filter((version) => available([`postgresql-${version}`, `postgresql-${version}-postgis-3`]).length === 2);
  const usual = Number(/Depends: postgresql-(\d+)/.exec(run("apt-cache", ["show", "postgresql"]).stdout)?.[1]);
  return [findPostgres()?.major, usual, Math.max(...versions)].find((version) => versions.includes(version));
}

function available(packages) {
  if (packages.length === 0) return [];
  const shown = run("apt-cache", ["show", "--no-all-versions", ...packages]).stdout.matchAll(/^Package: (.+)$/gm);
  const names = new Set([...shown].map(([, name]) => name));
  return packages.filter((name) => names.has(name));
}

function hasApt() {
  return run("apt-get", ["--version"]).status === 0;
}

/** Returns apt's last lines if it failed. */
function installByApt(missing) {
  say(`Installing ${titlesOf(missing)} …`);
  const outdated = updateApt();
  const packages = debianPackages(missing);
  if (packages.length === 0) return outdated ?? "apt knows no package that brings it";
  const install = installPackagesOfApt;
  return missing.includes("postgresql") ? withoutMainCluster(install, () => install(packages)) : install(packages);
}

function updateApt() {
  return apt(["-o", "APT::Update::Error-Mode=any", "update"]);
}

function installPackagesOfApt(names) {
  return names.length === 0 ? undefined : apt(["install", "--yes", "--no-install-recommends", ...names]);
}

/** Debian's package would make and start a server of its own. It asks this file first, which is put back afterwards. */
function withoutMainCluster(install, callback) {
  const file = "/etc/postgresql-common/createcluster.conf";
  if (!existsSync(file)) {
    const problem = install(["postgresql-common"]);
    if (problem || !existsSync(file)) return problem ?? callback();
  }
  const settings = readFileSync(file);
  let signal;
  const remember = (name) => (signal = name);
  process.on("SIGINT", remember).on("SIGTERM", remember);
  try {
    writeFileSync(file, `${settings}\ncreate_main_cluster = false\n`);
    return callback();
  } finally {
    writeFileSync(file, settings);
    process.off("SIGINT", remember).off("SIGTERM", remember);
    if (signal) process.kill(process.pid, signal);
  }
}

/** Runs apt-get. Returns its last lines if it failed. */
function apt(args) {
  const { status, stdout, stderr } = run("apt-get", ["--quiet", "-o", "DPkg::Lock::Timeout=300", ...args], {
    DEBIAN_FRONTEND: "noninteractive",
  });
  return status === 0 ? undefined : `${stdout}\n${stderr}`.trim().split("\n").slice(-8).join("\n");
}

function explain(missing, problem) {
  const names = (system) => missing.map((name) => needs[name][system]).join(" ");
  const debian = hasApt() ? debianPackages(missing) : [];
  const lines = [
    `Missing on this system: ${titlesOf(missing)}.`,
    ...(problem ? ["Installing failed:", problem.replace(/^/gm, "    ")] : []),
    ...(PORTOLAN_PG_BIN && missing.includes("postgresql")
      ? [`PORTOLAN_PG_BIN is set, so PostgreSQL is looked for in ${PORTOLAN_PG_BIN} only.`]
      : []),
    "Install it:",
    `  Debian, Ubuntu  sudo apt-get install ${debian.length > 0 ? debian.join(" ") : names("debian")}`,
    `  Fedora          sudo dnf install ${names("fedora")}`,
    `  Homebrew        brew install ${names("homebrew")}`,
    "or use a PostgreSQL that runs elsewhere:",
    "  DATABASE_URL=postgres://user:password@host/database npm start",
  ];
  return lines.join("\n");
}

function titlesOf(missing) {
  return missing.map((name) => needs[name].title).join(", ");
}

function run(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", ...env },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function say(line) {
  console.error(`portolan: ${line}`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
