import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

describe("npm pack", function () {
  this.timeout(400_000);
  let folder: string;
  const tarballs: string[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "portolan-pack-"));
    let source = ROOT;
    for (const copy of ["one", "another place"]) {
      const checkout = join(folder, copy, "checkout");
      mkdirSync(checkout, { recursive: true });
      for (const name of readdirSync(source))
        if (!["node_modules", "dist", ".git", ".portolan"].includes(name))
          cpSync(join(source, name), join(checkout, name), { recursive: true });
      source = checkout; // this checkout may be changed meanwhile
      symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
      const pack = 'npm pack --silent --pack-destination "$PWD/.."';
      const asOthers = copy === "one" ? "" : "umask 077; chmod -R go= .; export TZ=Asia/Tokyo; ";
      execFileSync("sh", ["-ec", asOthers + pack], { cwd: checkout, stdio: ["ignore", "pipe", "pipe"] });
      tarballs.push(...readdirSync(join(folder, copy)).filter((name) => name.endsWith(".tgz")).map((name) => join(folder, copy, name))); // oxfmt-ignore
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("gives the same bytes whenever, wherever and by whom it is run", () => {
    const [first, second] = tarballs.map((file) => createHash("sha512").update(readFileSync(file)).digest("hex"));
    assert.ok(first);
    assert.equal(first, second);
  });

  it("has a bill of materials and the licences of all that it needs", () => {
    const [tarball = ""] = tarballs;
    const read = (name: string): string =>
      execFileSync("tar", ["-xzOf", tarball, `package/${name}`], { encoding: "utf8", maxBuffer: 1e8 });
    interface Component {
      readonly name: string;
      readonly purl: string;
      readonly licenses?: readonly unknown[];
    }
    const { bomFormat, components } = JSON.parse(read("sbom.cdx.json")) as {
      bomFormat: string;
      components: Component[];
    };
    assert.equal(bomFormat, "CycloneDX");
    const names = new Set(components.map(({ name }) => name));
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    for (const name of Object.keys(dependencies)) assert.ok(names.has(name), name);
    for (const name of ["grafast", "react", "@codemirror/view"]) assert.ok(names.has(name), name);
    assert.ok(!names.has("mocha"));
    assert.deepEqual(
      components.filter(({ licenses }) => !licenses).map(({ purl }) => purl),
      [],
    );
    const licences = read("LICENSES.md");
    for (const { name } of components) assert.ok(licences.includes(`| ${name} |`), name);
    // none that would require users to publish their sources
    assert.doesNotMatch(licences, /\| [^|]*\b(A?GPL|LGPL|SSPL|BUSL)/);
  });
});
