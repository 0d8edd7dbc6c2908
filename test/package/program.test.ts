/** The service as a few files, which `npm start` and the npm package run, and when a checkout runs its sources instead. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programOf, programsOf } from "../../server/setup/program.mjs";

const ROOT = join(import.meta.dirname, "../..");
/** Prints how many files were loaded, when the process ends. */
const COUNTER = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from "node:module";
let count = 0;
registerHooks({ load: (url, context, next) => { count += url.startsWith("file:") ? 1 : 0; return next(url, context); } });
process.on("exit", () => process.stderr.write(String(count)));`)}`;
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

describe("the program", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "portolan-program-"));
    write("server/cli/main.ts");
    write("plugins/one.ts");
    write("ogc/deep/er/two.ts");
    write("package-lock.json");
    for (const path of ["server/cli", "server", "plugins", "ogc/deep/er", "ogc/deep", "ogc"]) age(path);
    write("dist/program/abc/main.mjs");
    write("dist/program/current", "abc\n", new Date(AN_HOUR_AGO.getTime() + 1000));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function age(path: string, at = AN_HOUR_AGO): void {
    utimesSync(join(root, path), at, at);
  }
  function write(path: string, text = "", at = AN_HOUR_AGO): void {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
    age(path, at);
  }

  it("is the one that `current` names", () => {
    assert.equal(programOf(root), join(programsOf(root), "abc", "main.mjs"));
  });
  it("is not run after a source was changed", () => {
    write("ogc/deep/er/two.ts", "changed", new Date());
    assert.equal(programOf(root), undefined);
  });
  it("is not run after a source has come or gone", () => {
    rmSync(join(root, "ogc/deep/er/two.ts"));
    assert.equal(programOf(root), undefined);
  });
  it("is not run after other packages were installed", () => {
    write("package-lock.json", "{}", new Date());
    assert.equal(programOf(root), undefined);
  });
  it("is not there before the first build, or after its files are gone", () => {
    rmSync(join(root, "dist/program/abc"), { recursive: true });
    assert.equal(programOf(root), undefined);
    rmSync(join(root, "dist"), { recursive: true });
    assert.equal(programOf(root), undefined);
  });
  it("is run in an installed package, which has no sources", () => {
    for (const path of ["server", "plugins", "ogc", "package-lock.json"]) rmSync(join(root, path), { recursive: true });
    assert.equal(programOf(root), join(programsOf(root), "abc", "main.mjs"));
  });

  it("answers a command from a third of the files", () => {
    const run = (...args: readonly string[]): string =>
      execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" });
    run("server/setup/buildProgram.mjs");
    const files = (main: string): number => {
      const script = `"$0" --import '${COUNTER}' ${main} user list --help 2>&1 >/dev/null`;
      return Number(execFileSync("sh", ["-c", script, process.execPath], { cwd: ROOT, encoding: "utf8" }));
    };
    const [whole, few] = [files("server/cli/main.ts"), files("server/setup/portolan.mjs")];
    assert.ok(few > 0 && few * 3 <= whole, `${few} files, ${whole} without it`);
  });
});
