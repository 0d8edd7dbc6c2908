/** The time from the command to the first answer with an existing cluster, and the memory of an idle gateway. */
import { mkdtempSync, chmodSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GatewayProcess, megabytesOf } from "../test/support/process.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const STARTS = 5;
/** V8 frees the memory of the start when a process has been idle for about ten seconds. */
const REST_MS = 15_000;

export const benchmark: Benchmark = {
  name: "Start and memory",
  async run() {
    const parent = mkdtempSync(join(tmpdir(), "portolan-bench-"));
    chmodSync(parent, 0o755);
    const env = { PORTOLAN_DATA: join(parent, "data"), PORT: "0" };
    try {
      await (await GatewayProcess.start(env)).stop(); // makes the cluster and the demo
      const seconds: number[] = [];
      let megabytes = NaN;
      for (let n = 0; n < STARTS; n++) {
        const started = performance.now();
        const gateway = await GatewayProcess.start(env);
        await fetch(`${gateway.baseUrl}/readyz`);
        seconds.push((performance.now() - started) / 1000);
        if (n === STARTS - 1) {
          await new Promise((resolve) => setTimeout(resolve, REST_MS));
          megabytes = megabytesOf(gateway.pid);
        }
        await gateway.stop();
      }
      return [
        { what: "start, warm", ours: `${median(seconds).toFixed(2)} s`, peer: "", ratio: "", target: "≤ 1 s" },
        { what: "idle memory", ours: `${Math.round(megabytes)} MB`, peer: "", ratio: "", target: "≤ 150 MB" },
      ];
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  },
};
