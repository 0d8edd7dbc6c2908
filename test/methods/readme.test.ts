import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, RpcError } from "../../server/methods/client.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { as, type As } from "./requests.ts";

const ROOT = join(import.meta.dirname, "../..");
const chapter = /^## Stored methods\n([^]*?)^## /m.exec(readFileSync(join(ROOT, "README.md"), "utf8"))?.[1] ?? "";
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(chapter)?.[1] ?? "";

describe("README.md, from a SQL statement to a typed call", () => {
  let gateway: TestGateway;
  let guest: As;
  let folder: string;

  before(async () => {
    gateway = await testGateway();
    guest = await as(gateway, "guest");
    folder = mkdtempSync(join(tmpdir(), "portolan-readme-"));
  });

  after(async () => {
    rmSync(folder, { recursive: true });
    await gateway.close();
  });

  it("the statement, the declaration and the program are as they say", async () => {
    await gateway.database.client.query(block("sql"));
    await guest.dry("citiesOf", { code: "DE", after: 0 });
    const out = join(folder, "methods.ts");
    execFileSync(process.execPath, [join(ROOT, "server/setup/portolan.mjs"), "interfaces", "--out", out], {
      env: {
        PATH: process.env["PATH"],
        DATABASE_URL: gateway.database.gatewayUrl,
        OWNER_DATABASE_URL: gateway.database.url,
      },
    });
    const declared = /`(citiesOf\(params[^`]*)`/.exec(chapter)?.[1]?.replaceAll(/\s+/g, " ");
    assert.ok(declared && readFileSync(out, "utf8").includes(`  ${declared}\n`), readFileSync(out, "utf8"));
    assert.match(await guest.interfaces(), /citiesOf/);

    const program = join(folder, "program.ts");
    const text = block("ts")
      .replace("portolan/client", join(ROOT, "server/methods/client.ts"))
      .replace("http://127.0.0.1:7575", gateway.baseUrl);
    writeFileSync(program, text);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(ROOT, "tsconfig.json"),
        compilerOptions: {
          rewriteRelativeImportExtensions: false,
          types: ["node"],
          typeRoots: [join(ROOT, "node_modules/@types")],
        },
        files: ["program.ts"],
      }),
    );
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder], { stdio: "pipe" });
    const token = await gateway.token("guest");
    // not in this process, which is the gateway too
    const { promisify } = await import("node:util");
    const { execFile } = await import("node:child_process");
    const { stdout } = await promisify(execFile)(process.execPath, [program, token]);
    assert.equal(stdout, "Berlin Germany\n");
  });

  it("the client knows batches, notifications and errors", async () => {
    interface Methods {
      add(params: { a: number; b: number }): Promise<{ sum: number }[]>;
      note(params: { entry: string }): Promise<Record<string, never>[]>;
    }
    await guest.define(
      { method: "add", q: "select :a::int + :b::int as sum" },
      { method: "note", q: "insert into world.logbook (city_id, entry) values (1, :entry)" },
    );
    const client = createClient<Methods>({ url: gateway.baseUrl, token: () => gateway.token("guest") });
    assert.deepEqual(await client.methods.add({ a: 1, b: 2 }), [{ sum: 3 }]);
    const [first, second] = await client.batch((m) => [m.add({ a: 1, b: 1 }), m.note({ entry: "by batch" })]);
    assert.deepEqual([first[0]?.sum, second], [2, []]);
    await client.notify((m) => m.note({ entry: "by notification" }));
    const { rows } = await gateway.database.client.query(
      "select count(*)::int as n from world.logbook where entry like 'by %'",
    );
    assert.equal(rows[0].n, 2);
    await assert.rejects(client.methods.add({ a: 1 } as never), (error) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual(
        [error.code, error.data["parameter"], error.message],
        [-32602, "b", "Invalid params: b is missing"],
      );
      return true;
    });
    await assert.rejects(
      client.batch((m) => [m.add({ a: 1, b: 1 }), m.add({ a: 2_147_483_647, b: 1 })]),
      { code: -32602 },
    );
    await assert.rejects(
      createClient<Methods>({ url: gateway.baseUrl, token: "wrong" }).methods.add({ a: 1, b: 1 }),
      RpcError,
    );
  });

  it("portolan method stores, lists and removes", () => {
    const portolan = (...args: string[]) =>
      execFileSync(process.execPath, [join(ROOT, "server/setup/portolan.mjs"), "method", ...args], {
        encoding: "utf8",
        stdio: "pipe",
        env: {
          PATH: process.env["PATH"],
          DATABASE_URL: gateway.database.gatewayUrl,
          OWNER_DATABASE_URL: gateway.database.url,
        },
      });
    assert.match(
      portolan("add", "by_hand", "select :n::int + 1 as n", "--description", "One more"),
      /by_hand is stored/,
    );
    assert.match(portolan("list"), /by_hand .*json .*One more/);
    assert.throws(() => portolan("add", "bad", "drop table x"), /must be a SELECT, VALUES, WITH/);
    assert.match(portolan("remove", "by_hand"), /by_hand is removed/);
    assert.throws(() => portolan("remove", "by_hand"), /there is no method/);
  });
});
