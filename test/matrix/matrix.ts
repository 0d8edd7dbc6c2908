/**
 * `npm run matrix [suite …] [test file …]`: runs the important tests, or the named ones, under the PostgreSQL, PostGIS
 * and MapServer of suites of Debian and Ubuntu, each in a chroot, which is made if it does not exist. It prints a line
 * for each, and the failures on stderr. It needs root, debootstrap and 2 GB for each suite, in `MATRIX_FOLDER` (default
 * /var/tmp/portolan-matrix), and for Ubuntu its keyring (`ubuntu-keyring` of Debian trixie and later). `MATRIX_CITUS`, a
 * folder with the source of Citus, has Citus built where it is not there yet, and `test/citus` run too.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const CHECKOUT = join(import.meta.dirname, "../..");
const FOLDER = process.env["MATRIX_FOLDER"] ?? "/var/tmp/portolan-matrix";
/** Where a chroot has its source. */
const CITUS_PLACE = "/mnt/citus";
const CITUS = process.env["MATRIX_CITUS"] === undefined ? undefined : resolve(process.env["MATRIX_CITUS"]);
const DEBIAN = {
  mirror: process.env["DEBIAN_MIRROR"] ?? "http://deb.debian.org/debian",
  components: "main",
  keyring: "/usr/share/keyrings/debian-archive-keyring.gpg",
  script: "sid", // for a suite that is newer than debootstrap
  updates: false, // updates of stable come in the suite itself
};
const UBUNTU = {
  mirror: process.env["UBUNTU_MIRROR"] ?? "http://archive.ubuntu.com/ubuntu",
  components: "main,universe",
  keyring: "/usr/share/keyrings/ubuntu-archive-keyring.gpg",
  script: "gutsy",
  updates: true,
};
/** Debian's stable, its predecessor and its successor; of Ubuntu the suites with PostgreSQL 14 and 16. */
const SUITES = { bookworm: DEBIAN, trixie: DEBIAN, forky: DEBIAN, jammy: UBUNTU, noble: UBUNTU };
const PACKAGES =
  "ca-certificates postgresql cgi-mapserver procps util-linux libatomic1 '^postgresql-[0-9]+-postgis-3$'";
/** Packages with which Citus is built. */
const BUILD_PACKAGES =
  "build-essential flex liblz4-dev libzstd-dev libpam0g-dev libselinux1-dev libkrb5-dev libxslt1-dev libicu-dev '^postgresql-server-dev-[0-9]+$'";
/** Packages that some suites lack. */
const WHERE_THERE = "nats-server";
const INSTALL = "DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends";
/** The tests that depend on the versions: SQL, catalogues, plans, types, geometry, maps. */
const FILES = [
  "test/sql/*.test.ts",
  "test/database/{withIdentity,watcher,driver}.test.ts",
  "test/access/*.test.ts",
  "test/events/*.test.ts",
  "test/types/*.test.ts",
  "test/filter/{operators,spatial,geometry}.test.ts",
  "test/graphql/cases.test.ts",
  "test/methods/{calls,functions,attacks}.test.ts",
  "test/ogc/{core,crs,editing}.test.ts",
  "test/maps/{requirements,rights}.test.ts",
  "test/tiles/vectorTiles.test.ts",
  ...(CITUS === undefined ? [] : ["test/citus/*.test.ts"]),
];

const named = process.argv.slice(2);
const asked = named.filter((name) => !name.endsWith(".ts"));
const files = (named.length > asked.length ? named.filter((name) => name.endsWith(".ts")) : FILES).flatMap(
  (pattern) => {
    const found = globSync(pattern, { cwd: CHECKOUT }).sort();
    if (found.length === 0) throw new Error(`no test file is ${pattern}`); // Mocha would continue without it
    return found;
  },
);
let failed = 0;
for (const suite of asked.length > 0 ? asked : Object.keys(SUITES)) {
  const root = join(FOLDER, suite);
  try {
    make(suite, root);
    const [versions, result] = [versionsOf(root), test(root)];
    if (!/ 0 failed/.test(result)) failed++;
    say(`${suite}: ${versions}: ${result}`);
  } catch (error) {
    failed++;
    say(`${suite}: not run: ${(error as Error).message}`);
  } finally {
    for (const place of [CHECKOUT, CITUS_PLACE, "/dev", "/proc"]) spawnSync("umount", ["--lazy", join(root, place)]);
  }
}
process.exitCode = failed > 0 ? 1 : 0;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function run(program: string, args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1e9 });
  if (status === 0) return;
  const words = error?.message ?? `${stdout}${stderr}`.trim().split("\n").slice(-5).join("; ");
  throw new Error(`${program} ${args[0] ?? ""} failed: ${words}`);
}

function inside(root: string, script: string): void {
  run("chroot", [root, "/bin/sh", "-ec", script]);
}

function make(suite: string, root: string): void {
  if (process.getuid?.() !== 0) throw new Error("a chroot takes root");
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(join(root, "etc/debian_version"))) {
    const found = (SUITES as Readonly<Record<string, typeof DEBIAN>>)[suite];
    if (!found) throw new Error(`it is none of ${Object.keys(SUITES).join(", ")}`);
    const { mirror, components, keyring, script, updates } = found;
    if (!existsSync(keyring)) throw new Error(`there is no ${keyring}`);
    const scripts = "/usr/share/debootstrap/scripts";
    run("debootstrap", [
      "--variant=minbase",
      "--include=ca-certificates",
      `--components=${components}`,
      `--keyring=${keyring}`,
      suite,
      root,
      mirror,
      ...(existsSync(join(scripts, suite)) ? [] : [join(scripts, script)]),
    ]);
    const places = [suite, ...(updates ? [`${suite}-updates`] : [])];
    const lines = places.map((place) => `deb ${mirror} ${place} ${components.replaceAll(",", " ")}\n`);
    writeFileSync(join(root, "etc/apt/sources.list"), lines.join(""));
  }
  for (const [what, place] of [
    [CHECKOUT, CHECKOUT],
    ["/dev", "/dev"],
    ["/proc", "/proc"],
    ...(CITUS === undefined ? [] : [[CITUS, CITUS_PLACE] as const]),
  ] as const) {
    mkdirSync(join(root, place), { recursive: true });
    if (spawnSync("mountpoint", ["--quiet", join(root, place)]).status !== 0)
      run("mount", ["--bind", what, join(root, place)]);
  }
  installPackages(root);
  if (CITUS !== undefined && citusOf(root) === undefined) {
    inside(root, `${INSTALL} ${BUILD_PACKAGES}`);
    inside(root, `${join(CHECKOUT, "test/citus/build.sh")} ${CITUS_PLACE}`);
  }
}

function installPackages(root: string): void {
  const installed = join(root, "etc/portolan-packages");
  if (existsSync(installed) && readFileSync(installed, "utf8") === PACKAGES) return;
  run("cp", ["--dereference", "/etc/resolv.conf", join(root, "etc/")]);
  run("cp", ["--recursive", "/etc/apt/apt.conf.d/.", join(root, "etc/apt/apt.conf.d/")]);
  mkdirSync(join(root, "etc/postgresql-common"), { recursive: true });
  writeFileSync(join(root, "etc/postgresql-common/createcluster.conf"), "create_main_cluster = false\n");
  inside(root, "apt-get update");
  inside(root, `${INSTALL} ${PACKAGES}`);
  inside(root, `if apt-cache show ${WHERE_THERE}; then ${INSTALL} ${WHERE_THERE}; fi`);
  writeFileSync(installed, PACKAGES);
}

/** The version of Citus in the chroot. */
function citusOf(root: string): string | undefined {
  const [control] = globSync("usr/share/postgresql/*/extension/citus.control", { cwd: root });
  return control && /^default_version = '(.+)'$/m.exec(readFileSync(join(root, control), "utf8"))?.[1];
}

function versionsOf(root: string): string {
  const of = (name: string, pattern: string): string => {
    const { stdout } = spawnSync("chroot", [root, "dpkg-query", "--show", "--showformat=${Version}\n", pattern], {
      encoding: "utf8",
    });
    return `${name} ${/(?:\d+:)?([\d.]+)/.exec(stdout)?.[1]?.replace(/\.$/, "") ?? "?"}`;
  };
  const citus = citusOf(root);
  return [
    of("PostgreSQL", "postgresql-[0-9][0-9]"),
    of("PostGIS", "postgresql-[0-9][0-9]-postgis-3"),
    of("MapServer", "cgi-mapserver"),
    ...(citus === undefined ? [] : [`Citus ${citus}`]),
  ].join(", ");
}

/** Mocha's closing line, with the names of the failures on stderr. */
function test(root: string): string {
  const script = `cd ${CHECKOUT} && PATH=${CHECKOUT}/node_modules/.bin:/usr/bin:/bin HOME=/root exec node --stack-size=3900 \
node_modules/mocha/bin/mocha.js ${files.join(" ")}`;
  const { stdout } = spawnSync("chroot", [root, "/bin/sh", "-c", script], { encoding: "utf8", maxBuffer: 1e9 });
  const result = [...stdout.matchAll(/\d+ passed, \d+ failed, \d+ skipped/g)].at(-1)?.[0]; // a soak runs Mocha too
  if (result === undefined) throw new Error(`the tests did not end: ${stdout.slice(-1000)}`);
  const failures = stdout.indexOf(" failing\n");
  if (failures >= 0) process.stderr.write(stdout.slice(failures));
  return result;
}
