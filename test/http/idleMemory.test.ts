import assert from "node:assert/strict";
import { testDatabase } from "../support/databases.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";
import { until } from "../support/until.ts";

describe("the memory of a service that nobody asks", function () {
  this.timeout(120_000);

  it("is less than its start needed", async () => {
    const database = await testDatabase({ kind: "demo" });
    try {
      await using gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0" });
      await until(() => megabytesOf(gateway.pid) < 0.85 * gateway.peakMegabytes);
      assert.equal((await fetch(`${gateway.baseUrl}/readyz`)).status, 200);
    } finally {
      await database.drop();
    }
  });
});
