/** A start that fails, and one that has nowhere to write its log. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeTemporaryFolder, removeLeftovers, removeTemporaryFolder } from "../../server/ground/temporaryFolder.ts";
import { testDatabase } from "../support/databases.ts";
import { GatewayProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

describe("a start that fails", () => {
  it("ends the process, also if the database and NATS are available and a folder cannot be made", async () => {
    const database = await testDatabase({ kind: "portolan" });
    const parent = mkdtempSync(join(tmpdir(), "portolan-no-folder-"));
    writeFileSync(join(parent, "file"), "");
    try {
      const gateway = await GatewayProcess.start(
        { DATABASE_URL: database.gatewayUrl, PORT: "0", MAP_DIRECTORY: join(parent, "file") },
        { wait: false },
      );
      await assert.rejects(gateway.ready, /the gateway ended: [^]*EEXIST|ENOTDIR/);
    } finally {
      rmSync(parent, { recursive: true });
      await database.drop();
    }
  });

  it("says that PostgreSQL asks for a password where the connection string has none", async () => {
    const database = await testDatabase();
    try {
      const url = database.gatewayUrl.replace(/:[^:@]*@/, "@");
      const gateway = await GatewayProcess.start({ DATABASE_URL: url, PORT: "0" }, { wait: false });
      await assert.rejects(gateway.ready, ({ message }: Error) => {
        assert.match(message, /cannot be served\. PostgreSQL asks for a password: give it in the connection string/);
        assert.ok(!message.includes("SASL"), message);
        return true;
      });
    } finally {
      await database.drop();
    }
  });

  it("does not happen because of a changed clock: the folders of this process stay until it removes them", async () => {
    const parent = mkdtempSync(join(tmpdir(), "portolan-parent-"));
    const own = makeTemporaryFolder("some-", parent);
    const { now } = Date;
    Date.now = () => now() + 3_600_000;
    try {
      removeLeftovers("some-", parent);
      assert.ok(existsSync(own));
      await removeTemporaryFolder(own);
      mkdirSync(own); // a foreign process, in a container where each process has the same id
      removeLeftovers("some-", parent);
      assert.ok(!existsSync(own));
    } finally {
      Date.now = now;
      rmSync(parent, { recursive: true });
    }
  });
});

describe("a start with a faulty database", () => {
  it("reports it with the remedy, as doctor does: disabled triggers, dropped code", async () => {
    const database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create table public.piers (id int primary key);
select portolan.enable_events('public.piers');
alter table public.piers disable trigger user;
drop function portolan.list_sizes()`);
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
    try {
      const said = () => gateway.stderr.split("\n").find((line) => line.includes("needs repair")) ?? "";
      await until(() => said() !== "");
      const { findings, statements } = JSON.parse(said()) as Record<"findings" | "statements", string[]>;
      assert.match(findings.join("\n"), /triggers of Portolan on public\.piers are switched off/);
      assert.match(findings.join("\n"), /function portolan\.list_sizes\(\) is missing/);
      assert.match(statements.join("\n"), /npx portolan migrate[^]*alter table public\.piers enable trigger /);
    } finally {
      await gateway.stop();
      await database.drop();
    }
  });
});

describe("a log that cannot be written, such as on a full disk,", () => {
  it("ends no gateway, and does not keep one from ending", async () => {
    const database = await testDatabase({ kind: "portolan" });
    const env = { DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "debug" };
    const gateway = await GatewayProcess.start(env, { logsTo: "/dev/full" });
    for (let n = 0; n < 100; n++) assert.equal((await fetch(`${gateway.baseUrl}/livez`)).status, 200);
    assert.equal(await gateway.stop(), 0);
    await database.drop();
  });
});
