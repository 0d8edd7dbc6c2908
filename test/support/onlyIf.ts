import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A test that needs a program of the system, and says so in its name if that is missing. */
export function onlyIf(possible: boolean, need: string) {
  return (name: string, test: Mocha.Func | Mocha.AsyncFunc): Mocha.Test =>
    possible ? it(name, test) : it.skip(`${name} (needs ${need})`, test);
}

/** The same for a group of tests. */
export function describeOnlyIf(possible: boolean, need: string) {
  return (name: string, tests: (this: Mocha.Suite) => void): Mocha.Suite | void =>
    possible ? describe(name, tests) : describe.skip(`${name} (needs ${need})`, tests);
}

/** Whether this process may mount a file system. */
export function mountsTmpfs(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "portolan-mount-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder], { stdio: "ignore" });
  if (status === 0) spawnSync("umount", [folder]);
  rmdirSync(folder);
  return status === 0;
}
