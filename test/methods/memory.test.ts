import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { GatewayProcess } from "../support/process.ts";

const ROWS = "select n as id, 'Park ' || n as name, n * 1.5 as size from generate_series(1, 300000) n";

describe("streams in a fresh process", () => {
  let database: TestDatabase;

  before(async function () {
    if (process.platform !== "linux") this.skip();
    database = await testDatabase({ kind: "demo" });
    await database.client.query(
      "select portolan.create_method('rows_' || f, $1, output_format => f) from unnest($2::text[]) f",
      [ROWS, ["csv", "ndjson"]],
    );
  });

  after(() => database?.drop());

  it("300,000 rows of csv and ndjson take less than 300 MB, from the first one on", async () => {
    await using gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      LOG_LEVEL: "warn",
    });
    const token = await tokenFor(database, gateway.baseUrl, "guest");
    for (const [method, accept] of [
      ["rows_csv", "text/csv"],
      ["rows_ndjson", "application/x-ndjson"],
    ] as const) {
      const sent = request(`${gateway.baseUrl}/api/v4/call`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, accept, "content-type": "application/json" },
      });
      sent.end(JSON.stringify({ jsonrpc: "2.0", method, id: 1 }));
      const [response] = await once(sent, "response");
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      await once(response, "end");
      assert.ok(bytes > 7_000_000, `${method}: ${bytes} bytes`);
    }
    const [, kilobytes = ""] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.pid}/status`, "utf8")) ?? [];
    assert.ok(Number(kilobytes) < 300_000, `${kilobytes} kB`);
  });
});
