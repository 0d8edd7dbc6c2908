import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs, type SocketClient } from "../support/webSocket.ts";

describe("socket: JSON-RPC and SQL", () => {
  let gateway: TestGateway;
  let socket: SocketClient;

  /** The text of the next message. */
  const answerTo = (message: unknown): Promise<string> =>
    new Promise((resolve) => {
      socket.webSocket.once("message", (data: Buffer) => resolve(data.toString("utf8")));
      socket.send(message);
    });

  before(async () => {
    gateway = await testGateway();
    await gateway.database.client.query(
      "select portolan.create_method('cityCount', 'select count(*)::int as n from world.cities where name like :like')",
    );
    await gateway.database.client.query("update portolan.methods set published = true");
    socket = await connectAs(gateway, "guest");
  });
  after(async () => {
    socket.close();
    await gateway.close();
  });

  it("answers a call, with the id as it came", async () => {
    const text = await answerTo(
      '{"jsonrpc":"2.0","method":"cityCount","params":{"like":"%"},"id":12345678901234567890}',
    );
    assert.match(text, /"id":12345678901234567890\}$/);
    assert.equal(typeof JSON.parse(text).result.data[0].n, "number");
  });

  it("answers a batch in one message, a notification not at all", async () => {
    const call = { jsonrpc: "2.0", method: "cityCount", params: { like: "B%" } };
    socket.send(call);
    const answers = JSON.parse(await answerTo([{ ...call, id: "a" }, call, { ...call, id: "b" }])) as { id: string }[];
    assert.deepEqual(
      answers.map(({ id }) => id),
      ["a", "b"],
    );
  });

  it("reports a failing call in JSON-RPC's own shape", async () => {
    assert.deepEqual(JSON.parse(await answerTo({ jsonrpc: "2.0", method: "nothing", id: 1 })), {
      jsonrpc: "2.0",
      error: { code: -32601, message: "Method not found" },
      id: 1,
    });
    assert.equal(JSON.parse(await answerTo([])).error.code, -32600);
  });

  it("reports a call that is nested too deeply by its id, and another message too", async () => {
    const deep = "[".repeat(100) + "]".repeat(100);
    const call = `{"jsonrpc":"2.0","method":"cityCount","params":{"like":${deep}},"id":7}`;
    const { error, id } = JSON.parse(await answerTo(call));
    assert.deepEqual([error.code, error.data.parameter, id], [-32602, "like", 7]);
    const subscription = `{"type":"subscription","id":"a","schema":"world","rel":"cities","where":${deep}}`;
    assert.deepEqual(JSON.parse(await answerTo(subscription)), {
      type: "error",
      id: "a",
      error: "INVALID_MESSAGE",
      message: "The message is nested deeper than 64 levels",
    });
  });

  it("reports a call over the rate limit in JSON-RPC's own shape, each request by its id", async () => {
    const limited = await testGateway({ config: { rateLimit: 2 } });
    try {
      const socket = await connectAs(limited, "guest");
      const call = { jsonrpc: "2.0", method: "nothing" };
      const detail = { code: -32603, message: "Internal error", data: { detail: "Too many requests" } };
      for (const id of [1, 2]) assert.equal(((await socket.ask({ ...call, id })) as any).error.code, -32601); // oxlint-disable-line typescript/no-explicit-any
      assert.deepEqual(await socket.ask({ ...call, id: 3 }), { jsonrpc: "2.0", error: detail, id: 3 });
      socket.send(call);
      socket.send([{ ...call, id: "a" }, call, 1, { ...call, id: "b" }]);
      const answers = (await socket.take(Array.isArray)) as unknown as { error: { code: number }; id: unknown }[];
      assert.deepEqual(
        answers.map(({ error, id }) => [error.code, id]),
        [
          [-32603, "a"],
          [-32600, null],
          [-32603, "b"],
        ],
      );
      socket.send({ q: "select 1" });
      assert.equal((await socket.take("error"))["error"], "RATE_LIMITED");
      assert.deepEqual(socket.received, []);
    } finally {
      await limited.close();
    }
  });

  it("dry-runs SQL and rolls it back", async () => {
    const logged = async () =>
      (await gateway.database.client.query("select count(*)::int as n from world.logbook")).rows[0].n as number;
    const before = await logged();
    const write = { q: "insert into world.logbook (city_id, entry) values (1, :entry)", params: { entry: "dry" } };
    const told = JSON.parse(await answerTo({ ...write, dry: true }));
    assert.deepEqual([told.affected_rows, told.notes?.length], [1, 1], JSON.stringify(told));
    const failed = JSON.parse(await answerTo({ ...write, params: { entry: null }, dry: true }));
    assert.deepEqual([failed.type, failed.sqlstate], ["error", "23502"], JSON.stringify(failed));
    assert.equal(await logged(), before);
    assert.equal(JSON.parse(await answerTo({ ...write, dry: false })).affected_rows, 1);
    assert.equal(await logged(), before + 1);
  });

  it("runs SQL as the account, and reports its error", async () => {
    const { data } = JSON.parse(await answerTo({ q: "select current_user::text as who" })) as {
      data: { who: string }[];
    };
    assert.deepEqual(data, [{ who: `guest@${gateway.database.name}` }]);
    const { type, error, sqlstate } = JSON.parse(await answerTo({ q: "select * from portolan.users" })) as Record<
      string,
      string
    >;
    assert.deepEqual([type, error, sqlstate], ["error", "FORBIDDEN", "42501"]);
  });
});
