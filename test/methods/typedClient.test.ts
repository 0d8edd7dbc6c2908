import assert from "node:assert/strict";
import { createClient, RpcError } from "../../server/methods/client.ts";
import { command } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { as, type As } from "./requests.ts";

describe("portolan/client and portolan method", () => {
  let gateway: TestGateway;
  let guest: As;

  before(async () => {
    gateway = await testGateway();
    guest = await as(gateway, "guest");
  });

  after(() => gateway.close());

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
    const { gatewayUrl, url } = gateway.database;
    const portolan = (...args: string[]): string => {
      const env = { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url };
      const { status, stdout, stderr } = command(["method", ...args], { env });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    };
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
