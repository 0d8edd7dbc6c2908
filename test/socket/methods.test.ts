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

  it("tells a failing call in JSON-RPC's own shape", async () => {
    assert.deepEqual(JSON.parse(await answerTo({ jsonrpc: "2.0", method: "nothing", id: 1 })), {
      jsonrpc: "2.0",
      error: { code: -32601, message: "Method not found" },
      id: 1,
    });
    assert.equal(JSON.parse(await answerTo([])).error.code, -32600);
  });

  it("runs SQL as the account, and tells its error", async () => {
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
