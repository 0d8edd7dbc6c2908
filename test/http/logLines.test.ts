/** A log that nobody reads. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LogLines } from "../../server/ground/logLines.ts";
import { until } from "../support/until.ts";

describe("the log, into a pipe that nobody reads", () => {
  it("takes memory for only some lines, and continues when somebody reads", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portolan-log-"));
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    const log = new LogLines(pipe);
    const line = `${"x".repeat(99_999)}\n`;
    for (let count = 0; count < 100; count++) log.write(line);
    let read = 0;
    const buffer = Buffer.alloc(1_000_000);
    let empty = 0;
    const readAll = (): boolean => {
      try {
        read += readSync(pipe, buffer);
        empty = 0;
      } catch {
        empty++; // there is nothing in it at the moment
      }
      return read > 3_900_000 && empty > 30;
    };
    await until(readAll);
    assert.ok(read < 5_000_000, `${read} of 10,000,000 characters were kept`);
    log.write("again\n");
    await until(() => {
      readAll();
      return buffer.includes("again\n");
    });
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  });
});
