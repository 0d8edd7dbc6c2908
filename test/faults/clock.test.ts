/** The machine's clock is changed while PostgreSQL's stays. Waits and lifetimes depend on elapsed time. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFakeTime } from "../../server/setup/programs.mjs";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { GatewayProcess } from "../support/process.ts";
import { programEnv } from "../support/programEnv.ts";
import { until } from "../support/until.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");
const HOUR_SECONDS = 3600;
const library = findFakeTime();

describeOnlyIf(library !== undefined, "libfaketime")("a clock that jumps", () => {
  let database: TestDatabase;
  let gateway: GatewayProcess;
  let folder: string;
  let env: Record<string, string>;

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    folder = mkdtempSync(join(tmpdir(), "portolan-clock-"));
    set(0);
    env = {
      DATABASE_URL: database.gatewayUrl,
      OWNER_DATABASE_URL: database.url,
      LD_PRELOAD: library ?? "",
      FAKETIME_TIMESTAMP_FILE: join(folder, "clock"),
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    gateway = await GatewayProcess.start({ ...env, PORT: "0", WORKERS: "2" });
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  function set(seconds: number): void {
    writeFileSync(join(folder, "clock"), `${seconds < 0 ? "" : "+"}${seconds}\n`);
  }
  const workers = (): string => readFileSync(`/proc/${gateway.pid}/task/${gateway.pid}/children`, "utf8");
  const read = (token: string): Promise<Response> =>
    fetch(`${gateway.baseUrl}/api/graphql/schema/world`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: '{"query": "{ countCountries }"}',
    });
  async function signIn(): Promise<string> {
    const response = await fetch(`${gateway.baseUrl}/api/v4/oauth`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ grant_type: "password", username: "captain", password: "captain", client_id: "gc2-cli" }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return ((await response.json()) as { access_token: string }).access_token;
  }
  /**
   * Waits until the processes have been checked several times since the change of the clock. They are checked each
   * second.
   */
  async function isServed(): Promise<void> {
    const began = performance.now();
    let status = 0;
    await until(async () => {
      ({ status } = await fetch(`${gateway.baseUrl}/readyz`));
      return status === 200 && performance.now() - began > 3000;
    });
  }

  it("forward by a day: old tokens have ended, new sign-ins are served, and no process is taken for a hanging one", async () => {
    const [before, pids] = [await tokenFor(database, gateway.baseUrl, "captain"), workers()];
    assert.equal((await read(before)).status, 200);
    set(24 * HOUR_SECONDS);
    await until(async () => (await read(before)).status === 401);
    await isServed();
    assert.equal((await read(await signIn())).status, 200);
    assert.equal(workers(), pids, gateway.stderr);
  });

  it("back by two days: sign-ins are served, and changes of others are noticed", async () => {
    const pids = workers();
    set(-24 * HOUR_SECONDS);
    await isServed();
    const token = await signIn();
    assert.equal((await read(token)).status, 200);
    await database.client.query("select portolan.set_password('captain', 'another')");
    await until(async () => (await read(token)).status === 401);
    assert.equal(workers(), pids, gateway.stderr);
  });

  it("portolan doctor gives the difference to PostgreSQL's clock", () => {
    set(HOUR_SECONDS);
    const { stdout, status } = spawnSync(process.execPath, [CLI, "doctor"], {
      env: { ...programEnv(), ...env },
      encoding: "utf8",
    });
    assert.equal(status, 1);
    assert.match(stdout, /^FIX  \w+: the clocks of PostgreSQL and of this machine are 3\d{3}\.\d s apart$/m);
    assert.match(stdout, /synchronise both by NTP/);
  });
});
