import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { tokenFor } from "../support/gateway.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { GatewayProcess } from "../support/process.ts";

const ROWS = "select n as id, 'Park ' || n as name, n * 1.5 as size from generate_series(1, 300000) n";

async function lengthOf(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  response.on("data", (chunk: Buffer) => (bytes += chunk.length));
  await once(response, "end");
  return bytes;
}

/** A gateway that has served nothing yet, and a function that posts to it as guest. */
async function freshGateway(database: TestDatabase) {
  const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
  const token = await tokenFor(database, gateway.baseUrl, "guest");
  async function post(path: string, accept: string, body: object): Promise<IncomingMessage> {
    const sent = request(gateway.baseUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, accept, "content-type": "application/json" },
    });
    sent.end(JSON.stringify(body));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return response;
  }
  return { gateway, post };
}

describeOnlyIf(process.platform === "linux", "Linux")("streams in a fresh process", () => {
  let database: TestDatabase;

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    await database.client.query(
      "select portolan.create_method('rows_' || f, $1, output_format => f) from unnest($2::text[]) f",
      [ROWS, ["csv", "ndjson"]],
    );
  });

  after(() => database?.drop());

  it("300,000 rows of csv and ndjson take less than 300 MB, from the first one on", async () => {
    const { gateway, post } = await freshGateway(database);
    await using _ends = gateway;
    for (const [method, accept] of [
      ["rows_csv", "text/csv"],
      ["rows_ndjson", "application/x-ndjson"],
    ] as const) {
      const response = await post("/api/v4/call", accept, { jsonrpc: "2.0", method, id: 1 });
      assert.ok((await lengthOf(response)) > 7_000_000, method);
    }
    assert.ok(gateway.peakMegabytes < 300, `${gateway.peakMegabytes} MB`);
  });

  it("a result of 1 GB in 1000 rows is sent whole in flat memory, and refused as one answer", async function () {
    this.timeout(240_000); // a gigabyte, on a machine with other work
    const { gateway, post } = await freshGateway(database);
    await using _ends = gateway;
    const ask = (accept: string): Promise<IncomingMessage> =>
      post("/api/v4/sql", accept, { q: "select repeat('x', 1000000) as wide from generate_series(1, 1000)" });
    assert.equal(await lengthOf(await ask("text/csv")), "wide\r\n".length + 1000 * 1_000_002);
    const refused = await Promise.all(Array.from({ length: 4 }, () => ask("application/json")));
    assert.deepEqual(
      refused.map(({ statusCode }) => statusCode),
      [400, 400, 400, 400],
    );
    assert.ok(gateway.peakMegabytes < 1000, `${gateway.peakMegabytes} MB`);
  });
});
