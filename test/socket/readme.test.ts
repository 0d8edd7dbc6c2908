/** The examples of README.md, as they stand there. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { until } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

describe("the examples of README.md on events", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway();
  });
  after(() => gateway.close());

  for (const [name, expected] of [
    ["ws", [/subscribe_ack/, /subscription_ack/, /Nowhere Town/, /Seen from afar/]],
    ["graphql-ws", [/CitiesMessageAdded: \[ .*Nowhere Town/, /CitiesMessageDeleted/]],
  ] as const)
    it(`${name}: prints what is written`, async () => {
      const [, code = ""] = new RegExp(`<!-- example: ${name} -->\\s+\`\`\`js\\n([^]*?)\`\`\``).exec(README) ?? [];
      assert.ok(code.includes("127.0.0.1:7575"));
      const child = spawn(
        process.execPath,
        ["--input-type=module", "-e", code.replaceAll("127.0.0.1:7575", new URL(gateway.baseUrl).host)],
        {
          cwd: new URL("../..", import.meta.url),
          env: { PATH: process.env["PATH"], TOKEN: await gateway.token("guest") },
        },
      );
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      try {
        await until(
          async () => {
            await gateway.database.client.query(`
insert into world.cities (name, zone, country_code, area_id, geom)
select 'Nowhere Town', 'Nowhere/Town', country_code, area_id, geom from world.cities limit 1;
insert into world.logbook (city_id, entry, author) select min(id), 'Seen from afar', 'guest' from world.cities;
delete from world.cities where zone = 'Nowhere/Town'; delete from world.logbook where entry = 'Seen from afar'`);
            return expected.every((pattern) => pattern.test(output));
          },
          20_000,
          () => output,
        );
      } finally {
        child.kill();
      }
    }).timeout(60_000);
});
