import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findMapserv, findPostgres } from "../../server/setup/programs.mjs";
import { onlyIf } from "../support/onlyIf.ts";

const isRoot = process.getuid?.() === 0;

/** Runs the set-up step on a small separate checkout, as a user who may install nothing. */
describe("set-up", () => {
  let checkout: string;

  beforeEach(() => {
    checkout = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "portolan-setup-")));
    fs.chmodSync(checkout, 0o755);
    const folder = path.join(checkout, "server/setup");
    fs.mkdirSync(folder, { recursive: true });
    for (const name of ["setup.mjs", "programs.mjs", "program.mjs"]) {
      fs.copyFileSync(new URL(`../../server/setup/${name}`, import.meta.url), path.join(folder, name));
    }
    // The one package is a stand-in for the npm package `node`, so that npm needs no network.
    write("node/package.json", { name: "node", version: "1.0.0", bin: { node: "run" } });
    write("node/run", `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    fs.chmodSync(path.join(checkout, "node/run"), 0o755);
    const dependencies = { node: "file:node" };
    write("package.json", { name: "checkout", devDependencies: dependencies });
    write("package-lock.json", {
      name: "checkout",
      lockfileVersion: 3,
      packages: {
        "": { name: "checkout", devDependencies: dependencies },
        node: { version: "1.0.0", dev: true, bin: { node: "run" } },
        "node_modules/node": { resolved: "node", link: true },
      },
    });
  });

  afterEach(() => fs.rmSync(checkout, { recursive: true, force: true }));

  function write(file: string, content: object | string): void {
    fs.mkdirSync(path.dirname(path.join(checkout, file)), { recursive: true });
    fs.writeFileSync(path.join(checkout, file), typeof content === "string" ? content : JSON.stringify(content));
  }

  function setUp({ args = [], env = {}, asNobody = true }: { args?: string[]; env?: object; asNobody?: boolean } = {}) {
    const { DATABASE_URL: _, PORTOLAN_PG_BIN: __, ...inherited } = process.env;
    const user = isRoot && asNobody ? { uid: 65534, gid: 65534 } : {};
    const script = path.join(checkout, "server/setup/setup.mjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      ...user,
      cwd: checkout,
      encoding: "utf8",
      env: { ...inherited, ...env },
    });
    return { status, output: stdout + stderr };
  }

  const nowhere = { PORTOLAN_PG_BIN: "/nonexistent" };

  it("installs the npm packages once, then is quiet", () => {
    const first = setUp({ asNobody: false });
    assert.match(first.output, /^portolan: Installing the npm packages …$/m);
    assert.equal(first.status, 0, first.output);
    assert.deepEqual(setUp(), { status: 0, output: "" });
    const forTests = setUp({ args: ["--test"] });
    assert.match(forTests.output, /^(portolan: Some tests are skipped\..*\n)?$/);
    assert.equal(forTests.status, 0);
  });

  it("accepts packages that were installed by hand with npm", () => {
    const npm = spawnSync("npm", ["ci"], { cwd: checkout, encoding: "utf8" });
    assert.equal(npm.status, 0, npm.stderr);
    assert.deepEqual(setUp({ asNobody: false }), { status: 0, output: "" });
  });

  it("builds the console again when a source has changed, but not for the types that are made from the sources", () => {
    write("console/vite.config.ts", "");
    write("console/src/main.tsx", "");
    setUp({ asNobody: false });
    write("node_modules/vite/bin/vite.js", 'require("fs").mkdirSync("console/dist", { recursive: true });');
    const builds = () => /Building the console/.test(setUp({ asNobody: false }).output);
    assert.equal(builds(), true);
    assert.equal(builds(), false);
    write("console/src/service/http/openapi.ts", "export type Made = unknown;");
    assert.equal(builds(), false);
    write("console/src/main.tsx", "changed");
    assert.equal(builds(), true);
  });

  it("installs the npm packages again when the lock file has changed", () => {
    setUp({ asNobody: false });
    const lock = JSON.parse(fs.readFileSync(path.join(checkout, "package-lock.json"), "utf8"));
    lock.packages.node.version = "1.0.1";
    write("package-lock.json", lock);
    write("node/package.json", { name: "node", version: "1.0.1", bin: { node: "run" } });
    assert.match(setUp({ asNobody: false }).output, /Installing the npm packages/);
    assert.deepEqual(setUp(), { status: 0, output: "" });
  });

  it("makes the package's own name mean the source of a checkout, and leaves the build", () => {
    const built = { types: "./dist/plugins/preset.d.ts", default: "./dist/plugins/preset.js" };
    write("package.json", { name: "checkout", exports: { ".": built, "./package.json": "./package.json" } });
    write("plugins/preset.ts", "export const preset = 1;");
    assert.deepEqual(setUp({ args: ["--source"], asNobody: false }), { status: 0, output: "" });
    const file = path.join(checkout, "dist/plugins/preset.js");
    assert.equal(fs.readFileSync(file, "utf8"), 'export * from "../../plugins/preset.ts";\n');
    write("dist/plugins/preset.js", "built");
    setUp({ args: ["--source"], asNobody: false });
    assert.equal(fs.readFileSync(file, "utf8"), "built");
  });

  it("reports a failure of npm, or a Node that does not run", () => {
    write("node/run", "#!/bin/sh\nexit 1\n");
    const noNode = setUp({ asNobody: false });
    assert.match(noNode.output, /node_modules\/\.bin\/node does not run/);
    assert.equal(noNode.status, 1);
    write("package.json", { name: "checkout", dependencies: { other: "file:other" } });
    const failed = setUp({ asNobody: false });
    assert.match(failed.output, /portolan: `npm ci` failed/);
    assert.equal(failed.status, 1);
  });

  it("names the packages of Debian, Fedora and Homebrew, and DATABASE_URL, when it may not install them", () => {
    setUp({ asNobody: false });
    for (const args of [[], ["--test"]]) {
      const { status, output } = setUp({ args, env: { ...nowhere, PATH: "", CHROMIUM: "/nonexistent" } });
      assert.equal(status, 1);
      assert.match(output, /^portolan: Missing on this system: PostgreSQL 14 or later .*PostGIS 3/);
      assert.match(output, /Debian, Ubuntu +sudo apt-get install postgresql\S* .*postgis/);
      assert.match(output, /Fedora +sudo dnf install postgresql-server postgresql-contrib postgis/);
      assert.match(output, /Homebrew +brew install postgresql@\d+ postgis/);
      assert.match(output, /DATABASE_URL=postgres:\/\/\S+ npm start/);
      assert.equal(output.includes("hromium"), args.length > 0);
      assert.equal(output.match(/portolan: /g)?.length, 1);
    }
  });

  describe("the needs of single tests", () => {
    /** The programs of a PATH, without those of single tests. */
    function pathOf(programs: Readonly<Record<string, string>>): string {
      for (const name of ["chromium", "ogrinfo", "nats-server", "haproxy", "nginx"]) write(`bin/${name}`, "");
      for (const [name, script] of Object.entries(programs)) write(`bin/${name}`, `#!/bin/sh\n${script}\n`);
      for (const name of fs.readdirSync(path.join(checkout, "bin")))
        fs.chmodSync(path.join(checkout, "bin", name), 0o755);
      fs.symlinkSync("/bin/cat", path.join(checkout, "bin/cat"));
      return path.join(checkout, "bin");
    }

    it("are named if they may not be installed", () => {
      setUp({ asNobody: false });
      const { status, output } = setUp({ args: ["--test"], env: { PATH: pathOf({}), CHROMIUM: "" } });
      assert.match(
        output,
        /^portolan: Some tests are skipped\. The packages of Debian that they need: .*prometheus.*$/m,
      );
      assert.equal(status, 0);
    });

    onlyIf(isRoot, "root")("is installed by apt, as far as apt knows it", () => {
      setUp({ asNobody: false });
      const log = path.join(checkout, "apt.log");
      const PATH = pathOf({
        "apt-get": `echo "$@" >> ${log}`,
        "apt-cache": 'for name in "$@"; do [ "$name" = systemd ] || echo "Package: $name"; done',
      });
      const { status, output } = setUp({ args: ["--test"], env: { PATH, CHROMIUM: "" }, asNobody: false });
      assert.equal(status, 0, output);
      const [, install = ""] = fs
        .readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => !line.includes("--version"));
      assert.match(install, / install --yes --no-install-recommends .*prometheus/);
      assert.doesNotMatch(install, /systemd/);
    });
  });

  it("need no PostgreSQL if DATABASE_URL names one, except for the tests", () => {
    setUp({ asNobody: false });
    const env = { ...nowhere, DATABASE_URL: "postgres://elsewhere/db" };
    assert.deepEqual(setUp({ env }), { status: 0, output: "" });
    assert.equal(setUp({ env, args: ["--test"] }).status, 1);
  });

  it("find PostgreSQL's programs by version, and in PORTOLAN_PG_BIN", () => {
    const postgres = findPostgres()!;
    assert.ok(postgres.postgis && postgres.pgcrypto);
    assert.deepEqual(findPostgres({ major: postgres.major }), postgres);
    assert.equal(findPostgres({ major: 9 }), undefined);
    assert.ok(findMapserv());
    process.env["PORTOLAN_PG_BIN"] = "/nonexistent";
    try {
      assert.equal(findPostgres(), undefined);
    } finally {
      delete process.env["PORTOLAN_PG_BIN"];
    }
  });
});
