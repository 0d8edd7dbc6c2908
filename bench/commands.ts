/** How long a command takes that only queries the database: the whole process, from `portolan` to its end. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { testDatabase } from "../test/support/databases.ts";
import { programEnv } from "../test/support/programEnv.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const CLI = join(import.meta.dirname, "../server/setup/portolan.mjs");
const RUNS = 15;
const COMMANDS = ["user list", "jobs list", "rule list", "audit", "doctor"];
const RULES = 10_000;
/** The process prints its processor time on stderr. A busy machine changes that less than the time on the clock. */
const TELL = `process.once("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write("CPU " + (user + system) / 1000) })`;

export const benchmark: Benchmark = {
  name: "Commands",
  async run() {
    const database = await testDatabase({ kind: "demo" });
    const env = {
      ...programEnv(),
      DATABASE_URL: database.gatewayUrl,
      OWNER_DATABASE_URL: database.url,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}`,
    };
    const once = (command: string): { wall: number; cpu: number } => {
      const began = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [CLI, ...command.split(" ")], { env, encoding: "utf8" });
      const wall = performance.now() - began;
      const cpu = Number(/CPU ([\d.]+)/.exec(stderr)?.[1]);
      if (status !== 0 || Number.isNaN(cpu)) throw new Error(`portolan ${command}: ${stderr}`);
      return { wall, cpu };
    };
    try {
      const measured = (command: string, what: string, target: string): Row => {
        once(command); // its code stays compiled after the first time
        const runs = Array.from({ length: RUNS }, () => once(command));
        const cpu = median(runs.map((run) => run.cpu));
        const wall = runs.map((run) => run.wall);
        return {
          what,
          ours: `${median(wall).toFixed(0)} ms, the best of ${RUNS} ${Math.min(...wall).toFixed(0)}`,
          peer: `${cpu.toFixed(0)} ms of the processor`,
          ratio: "",
          target,
        };
      };
      return [
        // `doctor` builds the schemas of GraphQL as the gateway does
        ...COMMANDS.map((command) => measured(command, `portolan ${command}`, command === "doctor" ? "" : "< 300 ms")),
        ...(await withRules(database.client, (folder) => {
          once(`export --out ${folder}`);
          return measured(`diff ${folder}`, `portolan diff of ${RULES} rules`, "< 2 s");
        })),
      ];
    } finally {
      await database.drop();
    }
  },
};

/** Runs it with an empty folder, in a database with many rules. */
async function withRules(client: pg.Client, run: (folder: string) => Row): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "portolan-bench-"));
  try {
    await client.query(
      `insert into portolan.rules (username, schema, "table", access, filter)
      select 'guest', 'world', 'later_' || i || '*', 'limit', 'id = ' || i from generate_series(1, $1::int) i`,
      [RULES],
    );
    return [run(folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
