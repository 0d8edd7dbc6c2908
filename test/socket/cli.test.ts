import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { programEnv } from "../support/programEnv.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");

describe("portolan events", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway();
  });
  after(() => gateway.close());

  function start(...args: string[]) {
    const { gatewayUrl, url } = gateway.database;
    const child = spawn(process.execPath, [CLI, "events", ...args], {
      cwd: tmpdir(),
      env: { ...programEnv(), DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url, BASE_URL: gateway.baseUrl },
    });
    const output = {
      stdout: "",
      stderr: "",
      ended: once(child, "close").then(([code]) => code as number | null),
      child,
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    return output;
  }

  it("prints writes to a table as JSON lines, until it is stopped", async () => {
    const run = start("world.countries", "--columns", "code,name", "--where", "code like 'X%'");
    await until(
      () => run.stderr.includes("following"),
      undefined,
      () => run.stderr,
    );
    await gateway.database.client.query(`
begin;
insert into world.countries (code, name) values ('XA', 'Xanadu'), ('WA', 'Elsewhere');
update world.countries set name = 'Kubla' where code = 'XA';
delete from world.countries where code in ('XA', 'WA');
commit`);
    await until(
      () => run.stdout.split("\n").length > 3,
      undefined,
      () => run.stdout,
    );
    run.child.kill("SIGINT");
    assert.equal(await run.ended, 0, run.stderr);
    const lines = run.stdout.trim().split("\n");
    const told = lines.map((line) => {
      const { position, ...rest } = JSON.parse(line);
      assert.match(position, /^\w+-\w+-\w+$/);
      return rest;
    });
    assert.deepEqual(told, [
      { op: "INSERT", key: "XA", row: { code: "XA", name: "Xanadu" } },
      { op: "UPDATE", key: "XA", row: { code: "XA", name: "Kubla" } },
      { op: "DELETE", key: "XA", row: { code: "XA", name: "Kubla" } },
    ]);
  }).timeout(60_000);

  it("reports an error in one sentence", async () => {
    for (const [args, words] of [
      [["nowhere"], /schema\.table/],
      [["world.nowhere"], /no table world\.nowhere/],
      [["world.countries", "--as", "nobody"], /no account "nobody"/],
      [["world.countries", "--where", "nope = 1"], /nope/],
      [["world.routes", "--as", "guest"], /may not select/],
    ] as const) {
      const run = start(...args);
      assert.equal(await run.ended, 1);
      assert.match(run.stderr, words);
      assert.equal(run.stderr.trim().split("\n").length, 1, run.stderr);
    }
  }).timeout(60_000);
});
