import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase } from "../support/databases.ts";
import { until } from "../support/events.ts";
import { tokenFor } from "../support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../support/process.ts";

const ROUNDS = 20;
const LOAD_SECONDS = 60;
const CLIENTS = 40;

describe("a long time", function () {
  this.timeout(600_000);

  it(`${ROUNDS} times kill -9: no PostgreSQL is left, every start works`, async () => {
    const parent = mkdtempSync(join(tmpdir(), "portolan-soak-"));
    chmodSync(parent, 0o755);
    const data = join(parent, "data");
    for (let round = 0; round < ROUNDS; round++) {
      const gateway = await GatewayProcess.start({ PORTOLAN_DATA: data, PORT: "0" });
      assert.equal((await fetch(`${gateway.baseUrl}/readyz`)).status, 200);
      await gateway.stop("SIGKILL");
    }
    const left = () => spawnSync("pgrep", ["-f", `postgres.*${data}`]).status === 0;
    for (let n = 0; n < 100 && left(); n++) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(left(), false);
    rmSync(parent, { recursive: true });
  });

  it(`${LOAD_SECONDS} s of requests, of which some are left in the middle, leak neither connections nor memory`, async () => {
    const database = await testDatabase({ kind: "demo" });
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
    const token = await tokenFor(database, gateway.baseUrl, "captain");
    const { hostname, port } = new URL(gateway.baseUrl);
    const url = `${gateway.baseUrl}/api/graphql/schema/world`;
    const body = (n: number) =>
      JSON.stringify({
        query: `{ a${n % 700}: getCities(limit: ${1 + (n % 50)}) { id name geom countries { name } } }`,
      });
    const counts = { answered: 0, left: 0, failed: 0 };
    const samples: number[] = [];
    const end = Date.now() + LOAD_SECONDS * 1000;

    async function client(first: number): Promise<void> {
      for (let n = first; Date.now() < end; n += CLIENTS) {
        if (n % 20 === 0) {
          const text = body(n);
          const socket = connect(Number(port), hostname);
          socket.on("error", () => undefined);
          socket.write(
            `POST /api/graphql/schema/world HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
          );
          await new Promise((resolve) => setTimeout(resolve, n % 7));
          socket.destroy();
          counts.left++;
          continue;
        }
        const response = await fetch(url, {
          method: "POST",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
          body: body(n),
        });
        const { errors } = (await response.json()) as { errors?: unknown };
        if (errors) counts.failed++;
        else counts.answered++;
      }
    }
    const sampler = setInterval(() => samples.push(megabytesOf(gateway.pid)), 5000);
    await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
    clearInterval(sampler);
    process.stdout.write(`      ${JSON.stringify(counts)}, MB: ${samples.map(Math.round).join(" ")}\n`);
    assert.equal(counts.failed, 0);
    let metrics = "";
    await until(
      async () => {
        metrics = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
        return /portolan_pool_connections\{[^}]*state="busy"\} 0/.test(metrics);
      },
      20_000,
      () => metrics,
    );
    const half = samples.slice(Math.floor(samples.length / 2));
    assert.ok(Math.max(...half) < 700 && (half.at(-1) ?? 0) < (half[0] ?? 0) * 1.25 + 50, "memory keeps growing");
    await gateway.stop();
    await database.drop();
  });
});
