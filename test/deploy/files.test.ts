/** The other files of `deploy/`: Portolan knows each variable that they set, and versions are those of the package. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "js-yaml";
import { describeOptions } from "../../server/kernel/config.ts";
import { findSystemdAnalyze } from "../../server/setup/programs.mjs";
import { onlyIf } from "../support/onlyIf.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(ROOT, "deploy", name), "utf8");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

describe("deploy: files", () => {
  const known = new Set(describeOptions().map(({ env }) => env));

  function assertKnown(names: readonly string[], file: string): void {
    assert.ok(names.length > 1, file);
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
      file,
    );
  }

  it("set only existing options", () => {
    const compose = load(read("compose.yaml")) as { services: { portolan: { environment: Record<string, string> } } };
    assertKnown(Object.keys(compose.services.portolan.environment), "compose.yaml");
    const names = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = ""]) => name);
    assertKnown(names(read("systemd/portolan.env"), /^#?([A-Z][A-Z_]+)=/gm), "portolan.env");
    const [, inImage = ""] = /^ENV (.+)$/m.exec(read("Dockerfile")) ?? [];
    assertKnown(names(inImage, /([A-Z]+)=/g), "Dockerfile");
    const values = load(read("helm/portolan/values.yaml")) as { options: Record<string, string> };
    const inTemplate = names(read("helm/portolan/templates/_helpers.tpl"), /name: ([A-Z][A-Z_]+),/g);
    assertKnown([...Object.keys(values.options), ...inTemplate], "the chart");
  });

  it("have the version of the package", () => {
    const chart = load(read("helm/portolan/Chart.yaml")) as { appVersion: string };
    assert.equal(chart.appVersion, version);
    assert.match(read("Dockerfile"), new RegExp(`^ARG PACKAGE=portolan@${version.replaceAll(".", "\\.")}$`, "m"));
    const compose = load(read("compose.yaml")) as {
      services: { portolan: { build: { args: { PACKAGE: string } } } };
    };
    assert.equal(compose.services.portolan.build.args.PACKAGE, `\${PORTOLAN_PACKAGE:-portolan@${version}}`);
  });

  onlyIf(findSystemdAnalyze() !== undefined, "systemd-analyze")("portolan.service is a unit without a fault", () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-unit-"));
    const unit = join(folder, "portolan.service");
    writeFileSync(unit, read("systemd/portolan.service").replace(/(?<=^ExecStart=)\S+/m, process.execPath));
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], {
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true });
    assert.deepEqual([status, stdout + stderr], [0, ""]);
  });

  onlyIf(findSystemdAnalyze() !== undefined, "systemd-analyze")(
    "portolan.service is exposed little, by the measure of systemd",
    () => {
      const { stdout } = spawnSync(
        "systemd-analyze",
        ["security", "--offline=yes", "--no-pager", join(ROOT, "deploy/systemd/portolan.service")],
        { encoding: "utf8" },
      );
      const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
      assert.ok(Number(exposure) <= 2, stdout);
    },
  );

  it("the unit and the image keep the memory of glibc small", () => {
    for (const name of ["systemd/portolan.service", "Dockerfile"])
      assert.match(read(name), /^(Environment=|ENV )MALLOC_ARENA_MAX=2$/m, name);
  });

  it("the container of compose has no capabilities, and gets none", () => {
    const { services } = load(read("compose.yaml")) as {
      services: { portolan: { cap_drop: unknown; security_opt: unknown; read_only: unknown } };
    };
    const { cap_drop, security_opt, read_only } = services.portolan;
    assert.deepEqual([cap_drop, security_opt, read_only], [["ALL"], ["no-new-privileges:true"], true]);
  });

  it("a shell reads portolan.env as systemd does, also a value with characters that are special to the shell", () => {
    const url = "postgres://a:p$x@h/c?sslmode=require&b=c";
    const input = `set -a\n${read("systemd/portolan.env").replaceAll(/(?<=DATABASE_URL=').*(?=')/g, () => url)}\nenv`;
    const { stdout } = spawnSync("sh", ["-s"], { encoding: "utf8", input, env: { PATH: "/usr/bin:/bin" } });
    assert.deepEqual(stdout.match(/^\w*DATABASE_URL=.*$/gm)?.sort(), [
      `DATABASE_URL=${url}`,
      `OWNER_DATABASE_URL=${url}`,
    ]);
  });

  it("install.sh runs in a plain shell, and requires root", () => {
    const checked = spawnSync("sh", ["-n", join(ROOT, "deploy/install.sh")], { encoding: "utf8" });
    assert.deepEqual([checked.status, checked.stderr], [0, ""]);
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const { status, stderr } = spawnSync("sh", ["-s"], { encoding: "utf8", input: read("install.sh"), ...nobody });
    assert.deepEqual([status, stderr], [1, "install.sh: must be run as root\n"]);
  });
});
