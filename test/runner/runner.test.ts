/** `npm test`: the files in two processes, one closing line, and an end by itself. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onlyIf } from "../support/onlyIf.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("the test runner", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "portolan-runner-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Runs test files as `npm run test:mocha` does, or without `parallel` as a person does by hand. */
  async function mocha(files: Readonly<Record<string, string>>, parallel: boolean) {
    const paths = Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });
    const args = ["node_modules/mocha/bin/mocha.js", ...(parallel ? ["--parallel", "--jobs", "2"] : []), ...paths];
    return new Promise<{ code: unknown; output: string }>((resolve) =>
      execFile(process.execPath, args, { cwd: ROOT, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? (error.killed ? "it has not ended" : error.code) : 0, output: stdout + stderr }),
      ),
    );
  }

  for (const parallel of [true, false]) {
    const how = parallel ? "in two processes" : "in one process";

    it(`${how}: counts what passed, failed and was skipped in one closing line`, async () => {
      const { code, output } = await mocha(
        {
          "a.test.mjs": `it("a", () => {}); it("b", () => {}); it.skip("c")`,
          "b.test.mjs": `it("d", () => {}); it("e", () => { throw new Error("no luck"); })`,
        },
        parallel,
      );
      assert.deepEqual(output.match(/^\d+ passed.*$/gm), ["3 passed, 1 failed, 1 skipped"], output);
      assert.match(output, /no luck/);
      assert.equal(code, 1);
    });

    it(`${how}: ends by itself, and a resource that would prevent that is a named failure`, async () => {
      const { code, output } = await mocha(
        {
          "kind.test.mjs": `it("a", () => { setTimeout(() => {}, 100) })`,
          "server.test.mjs": `import { createServer } from "node:net"; it("b", () => { createServer().listen(0) })`,
        },
        parallel,
      );
      assert.match(output, parallel ? /server\.test\.mjs keeps the process alive by TCPServerWrap$/m : /a file keeps/);
      assert.deepEqual(output.match(/^\d+ passed.*$/gm), ["2 passed, 1 failed, 0 skipped"], output);
      assert.doesNotMatch(output, /kind\.test\.mjs keeps/);
      assert.equal(code, 1, "the server is still there, but mocha has ended");
    });
  }

  const onLinux = onlyIf(process.platform === "linux", "Linux");
  onLinux("names the files that took longest at the end, with the processor time of their programs", async () => {
    const spin = "while (process.cpuUsage().user < 1.5e6);";
    const busy = `import { spawnSync } from "node:child_process"; it("spins", () => { spawnSync(process.execPath, ["-e", ${JSON.stringify(spin)}]) })`;
    const others = Array.from({ length: 15 }, (_, index) => [`${index}.test.mjs`, `it("a", () => {})`]);
    const { output } = await mocha({ ...Object.fromEntries(others), "busy.test.mjs": busy }, true);
    const [, seconds] = /s +[\d.]+ % +(\d+) s of processor \S+busy\.test\.mjs$/m.exec(output) ?? [];
    assert.ok(Number(seconds) >= 1, output);
    assert.match(output, /^ +\d+ s in all +\d+ s of processor$/m);
  });

  describe("npm run test:some", () => {
    const some = (...args: string[]) =>
      new Promise<{ code: unknown; output: string }>((resolve) =>
        execFile(
          "npm",
          ["run", "--silent", "test:some", ...args],
          { cwd: ROOT, timeout: 60_000 },
          (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
        ),
      );

    it("runs the files whose path contains the pattern, and passes options on", async () => {
      const { code, output } = await some("graphql/schemaListing", "--", "-g", "list only the columns");
      assert.match(output, /^1 passed, 0 failed, 0 skipped$/m);
      assert.equal(code, 0);
    });

    it("fails if no path contains the pattern", async () => {
      const { code, output } = await some("no/such/test");
      assert.match(output, /^No test file has no\/such\/test in its path\.$/m);
      assert.equal(code, 1);
    });
  });
});
