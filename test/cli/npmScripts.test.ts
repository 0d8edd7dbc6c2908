/** `npm start` and `npm run dev`, unchanged, in a copy of the checkout with its own private cluster. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../support/events.ts";
import { programEnv } from "../support/programEnv.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The first start makes a cluster and the demo: seconds on an idle machine, and much longer beside other tests. */
const START_MS = 120_000;
const ENDS_MS = 30_000;

describe("npm scripts", function () {
  this.timeout(4 * START_MS);
  let copy: string;
  let data: string;

  before(() => {
    copy = mkdtempSync(join(tmpdir(), "portolan-npm-"));
    chmodSync(copy, 0o755);
    for (const name of ["server", "plugins", "ogc", "sql", "package.json", "package-lock.json", "README.md"])
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    // a copy by hard links, so that files which the set-up installs or removes stay its own
    assert.equal(spawnSync("cp", ["-al", join(ROOT, "node_modules"), copy]).status, 0);
    data = join(copy, "data");
    mkdirSync(data);
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  /** npm in a process group of its own, as a shell runs a command. */
  async function run(...args: readonly string[]) {
    const npm = spawn("npm", [...args], {
      cwd: copy,
      env: { ...programEnv(), HOME: copy, PORT: "0", PORTOLAN_DATA: data },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [npm.stdout, npm.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const starts = (): number => output.split("serves at ").length - 1;
    const group = -npm.pid!;
    try {
      await until(
        () => starts() === 1,
        START_MS,
        () => output,
      );
    } catch (error) {
      process.kill(group, "SIGTERM"); // so that the next test finds the data folder free
      await until(() => !isRunning(group));
      throw error;
    }
    return { npm, group, starts, output: () => output };
  }

  /** The processes of the group, and PostgreSQL on the data folder. */
  function isRunning(group: number): boolean {
    try {
      process.kill(group, 0);
      return true;
    } catch {
      return spawnSync("pgrep", ["-f", `postgres.*${data}`]).status === 0;
    }
  }

  async function ends(npm: ChildProcess, group: number, end: () => unknown): Promise<number | null> {
    const ended = once(npm, "exit") as Promise<[number | null]>;
    try {
      end();
      await until(
        () => !isRunning(group),
        ENDS_MS,
        () => "the gateway or its PostgreSQL still runs",
      );
      return (await ended)[0];
    } finally {
      if (isRunning(group)) process.kill(group, "SIGKILL");
    }
  }

  it("SIGTERM to npm start ends the gateway and its PostgreSQL, with exit code 0", async () => {
    const { npm, group } = await run("start");
    assert.equal(await ends(npm, group, () => npm.kill("SIGTERM")), 0);
  });

  it("Ctrl-C in the terminal of npm start, which reaches the gateway twice, ends both in order", async () => {
    const { npm, group, output } = await run("start");
    await ends(npm, group, () => process.kill(group, "SIGINT"));
    assert.match(output(), /"msg":"stopped"/);
  });

  it("kill -9 of npm leaves neither the gateway nor PostgreSQL behind", async () => {
    const { npm, group, output } = await run("start");
    await ends(npm, group, () => npm.kill("SIGKILL"));
    assert.match(output(), /"msg":"stopped"/);
  });

  it("npm run dev restarts after each atomic save of a file, and SIGTERM ends everything", async () => {
    const { npm, group, starts, output } = await run("run", "dev");
    try {
      const file = join(copy, "server/types/show.ts");
      for (const times of [2, 3]) {
        writeFileSync(`${file}.new`, `${readFileSync(file, "utf8")}// ${times}\n`);
        renameSync(`${file}.new`, file);
        await until(() => starts() === times, START_MS, output);
      }
    } finally {
      await ends(npm, group, () => npm.kill("SIGTERM"));
    }
  });
});
