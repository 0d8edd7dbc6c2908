import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { CLOSE } from "../../server/socket/closeCodes.ts";
import { until } from "../support/events.ts";
import { testGateway, tokenFor, type TestGateway } from "../support/gateway.ts";
import { SocketClient, connectAs, socketUrl } from "../support/webSocket.ts";

const SUBSCRIPTION = "subscription { CitiesMessageAdded { id } }";

describe("socket: protocol", () => {
  let gateway: TestGateway;
  const query = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);
  const connect = (search: string) => new SocketClient(`${socketUrl(gateway)}/${search}`);

  before(async () => {
    gateway = await testGateway({ config: { maxSubscriptionsPerSocket: 20, maxSocketsPerAddress: 1500 } });
  });
  after(() => gateway.close());

  it("no token: missing_token, then 4401", async () => {
    for (const search of ["", "?token=", "?tok=x"]) {
      const socket = connect(search);
      assert.equal((await socket.take("error"))["error"], "missing_token");
      assert.equal((await socket.closed).code, 4401);
    }
  });

  it("a token that is wrong, expired, of another service or no token at all: invalid_token, then 4401", async () => {
    const good = await gateway.token("guest");
    const elsewhere = await tokenFor(gateway.database, "https://elsewhere.example.org", "guest");
    for (const token of ["x", `${good}x`, good.slice(0, -10), elsewhere, "%00", "a".repeat(5000)]) {
      const socket = connect(`?token=${encodeURIComponent(token)}`);
      assert.equal((await socket.take("error"))["error"], "invalid_token");
      assert.equal((await socket.closed).code, 4401);
    }
  });

  it("a message before the verification of the token waits for it", async () => {
    const socket = connect(`?token=${await gateway.token("guest")}`);
    socket.webSocket.once("open", () => socket.send({ type: "ping" }));
    assert.deepEqual(await socket.take("pong"), { type: "pong" });
    socket.close();
  });

  it("an invalid message is an error, and the socket stays open", async () => {
    const socket = await connectAs(gateway, "guest");
    const bad: [unknown, string, RegExp?][] = [
      ["", "INVALID_JSON"],
      ["{", "INVALID_JSON"],
      ["hello", "INVALID_JSON"],
      ["{'type':'ping'}", "INVALID_JSON"],
      ['{"type":"ping"}{"type":"ping"}', "INVALID_JSON"],
      ["null", "INVALID_MESSAGE"],
      ["1", "INVALID_MESSAGE"],
      ['"ping"', "INVALID_MESSAGE"],
      [{}, "INVALID_MESSAGE"],
      [{ type: "nonsense" }, "INVALID_MESSAGE", /nonsense/],
      [{ type: 1 }, "INVALID_MESSAGE"],
      [{ type: null }, "INVALID_MESSAGE"],
      [{ type: "subscribe" }, "INVALID_MESSAGE", /id/],
      [{ type: "subscribe", id: 1, schema: "world", query: SUBSCRIPTION }, "INVALID_MESSAGE", /id/],
      [{ type: "subscribe", id: null, schema: "world", query: SUBSCRIPTION }, "INVALID_MESSAGE", /id/],
      [{ type: "subscribe", id: "", schema: "world", query: SUBSCRIPTION }, "INVALID_MESSAGE", /id/],
      [{ type: "subscribe", id: ["a"], schema: "world", query: SUBSCRIPTION }, "INVALID_MESSAGE", /id/],
      [{ type: "subscribe", id: "a".repeat(300), schema: "world", query: SUBSCRIPTION }, "INVALID_MESSAGE", /id/],
      [{ type: "subscribe", id: "a", query: SUBSCRIPTION }, "INVALID_MESSAGE", /schema/],
      [{ type: "subscribe", id: "a", schema: 1, query: SUBSCRIPTION }, "INVALID_MESSAGE", /schema/],
      [{ type: "subscribe", id: "a", schema: "world" }, "INVALID_MESSAGE", /query/],
      [{ type: "subscribe", id: "a", schema: "world", query: {} }, "INVALID_MESSAGE", /query/],
      [
        { type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION, variables: [] },
        "INVALID_MESSAGE",
        /variables/,
      ],
      [{ type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION, after: 5 }, "INVALID_MESSAGE", /after/],
      [{ type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION, filter: {} }, "INVALID_MESSAGE", /filter/],
      [{ type: "subscription", id: "a", schema: "world" }, "INVALID_MESSAGE", /rel/],
      [{ type: "subscription", id: "a", rel: "cities" }, "INVALID_MESSAGE", /schema/],
      [{ type: "subscription", id: "a", schema: "world", rel: "cities", op: "TRUNCATE" }, "INVALID_MESSAGE", /op/],
      [{ type: "subscription", id: "a", schema: "world", rel: "cities", columns: {} }, "INVALID_MESSAGE", /columns/],
      [{ type: "subscription", id: "a", schema: "world", rel: "cities", columns: [1] }, "INVALID_MESSAGE", /columns/],
      [{ type: "unsubscribe" }, "INVALID_MESSAGE", /id/],
      [{ type: "unsubscribe", id: "never" }, "INVALID_MESSAGE"],
      [{ type: "authenticate" }, "INVALID_MESSAGE", /token/],
      [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "INVALID_MESSAGE", /deep/],
      [`${"[".repeat(400_000)}`, "INVALID_JSON"],
    ];
    for (const [message, error, words] of bad) {
      socket.send(message);
      const answer = await socket.take("error");
      assert.equal(answer["error"], error, `${JSON.stringify(message).slice(0, 200)}: ${JSON.stringify(answer)}`);
      if (words) assert.match(answer["message"] as string, words);
    }
    socket.send({ type: "ping" });
    await socket.take("pong");
    assert.deepEqual(socket.received, []);
    socket.close();
  });

  it("an id in use is refused, and the first subscription continues", async () => {
    const socket = await connectAs(gateway, "guest");
    const message = { type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION };
    socket.send(message);
    socket.send(message);
    socket.send({ type: "subscription", id: "a", schema: "world", rel: "cities" });
    assert.equal((await socket.take("error"))["error"], "INVALID_MESSAGE");
    assert.equal((await socket.take("error"))["error"], "INVALID_MESSAGE");
    await socket.take("subscribe_ack");
    socket.close();
  });

  it("unsubscribe during its creation leaves nothing of it", async () => {
    const socket = await connectAs(gateway, "guest");
    socket.send({ type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION });
    socket.send({ type: "unsubscribe", id: "a" });
    assert.deepEqual(await socket.take({ id: "a" }), { type: "complete", id: "a" });
    socket.send({ type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION });
    assert.deepEqual(await socket.take({ id: "a" }), { type: "subscribe_ack", id: "a" });
    socket.close();
  });

  it("a binary message: 1003; one over the limit: 1009; text that is no UTF-8: 1007", async () => {
    const binary = await connectAs(gateway, "guest");
    binary.webSocket.send(Buffer.from('{"type":"ping"}'));
    assert.equal((await binary.closed).code, 1003);
    const large = await connectAs(gateway, "guest");
    large.send(`{"type":"ping","x":"${"x".repeat(10_000_000)}"}`);
    assert.equal((await large.closed).code, 1009);
    const broken = await connectAs(gateway, "guest");
    broken.webSocket.send(Buffer.from([0xc3, 0x28]), { binary: false });
    assert.equal((await broken.closed).code, 1007);
  });

  it("thousands of subscriptions on one socket: those over the cap are refused, root fields counted", async () => {
    const socket = await connectAs(gateway, "guest");
    for (let n = 0; n < 2000; n++)
      socket.send({ type: "subscribe", id: `s${n}`, schema: "world", query: SUBSCRIPTION });
    let acks = 0;
    for (let n = 0; n < 2000; n++) {
      const answer = await socket.take(({ id }) => id !== undefined);
      if (answer.type === "subscribe_ack") acks++;
      else assert.equal(answer["error"], "LIMIT_EXCEEDED");
    }
    assert.equal(acks, 20);
    await socket.ask({ type: "unsubscribe", id: "s0" });
    const two = "subscription { CitiesMessageAdded { id } CitiesMessageDeleted { id } }";
    const refused = await socket.ask({ type: "subscribe", id: "two", schema: "world", query: two });
    assert.equal(refused["error"], "LIMIT_EXCEEDED");
    const one = await socket.ask({ type: "subscribe", id: "one", schema: "world", query: SUBSCRIPTION });
    assert.equal(one.type, "subscribe_ack");
    socket.close();
  }).timeout(60_000);

  it("a thousand sockets without a token are all closed, and others served meanwhile", async () => {
    const all = Array.from({ length: 1000 }, () => connect(""));
    const socket = await connectAs(gateway, "guest");
    socket.send({ type: "ping" });
    await socket.take("pong");
    for (const { closed } of all) assert.equal((await closed).code, 4401);
    socket.close();
  }).timeout(60_000);

  it("expiry closes with 4401 in the middle of a subscription, unless the token is renewed", async () => {
    const [left, renewed] = await Promise.all(
      Array.from({ length: 2 }, async () =>
        new SocketClient(`${socketUrl(gateway)}/?token=${await gateway.token("guest", 2)}`).opened(),
      ),
    );
    for (const socket of [left!, renewed!])
      await socket.ask({ type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION });
    renewed!.send({ type: "authenticate", token: await gateway.token("guest") });
    await renewed!.take("authenticate_ack");
    assert.equal((await left!.take("error"))["error"], "invalid_token");
    assert.equal((await left!.closed).code, 4401);
    renewed!.send({ type: "ping" });
    await renewed!.take("pong");
    renewed!.close();
  }).timeout(30_000);

  it("authenticate with a bad token, or one of another account, ends the socket", async () => {
    for (const token of ["nonsense", await gateway.token("captain")]) {
      const socket = await connectAs(gateway, "guest");
      socket.send({ type: "authenticate", token });
      assert.equal((await socket.take("error"))["error"], "invalid_token");
      assert.equal((await socket.closed).code, 4401);
    }
  });

  it("an account that is removed, or whose password changed, is signed out", async () => {
    await query(
      "select portolan.create_user('leaver', 'a long password'), portolan.create_user('changer', 'a long password')",
    );
    const sockets = [await connectAs(gateway, "leaver"), await connectAs(gateway, "changer")];
    const stays = await connectAs(gateway, "guest");
    await query("select portolan.drop_user('leaver'), portolan.set_password('changer', 'another password')");
    for (const socket of sockets) {
      assert.equal((await socket.take("error"))["error"], "invalid_token");
      assert.equal((await socket.closed).code, 4401);
    }
    stays.send({ type: "ping" });
    await stays.take("pong");
    stays.close();
  }).timeout(30_000);

  it("PROTOCOL.md has every close code", () => {
    const text = readFileSync(new URL("../../PROTOCOL.md", import.meta.url), "utf8");
    for (const [code] of Object.values(CLOSE)) assert.match(text, new RegExp(`^\\| ${code} \\|`, "m"));
  });

  it("an upgrade elsewhere, or without the subprotocol, is refused over HTTP", async () => {
    const statusOf = (path: string, protocols: string[] = []) =>
      new Promise<number | undefined>((resolve) => {
        const webSocket = new WebSocket(socketUrl(gateway) + path, protocols);
        webSocket.on("unexpected-response", (_request, response) => resolve(response.statusCode));
        webSocket.on("error", () => undefined);
        webSocket.on("open", () => resolve(101));
      });
    assert.equal(await statusOf("/nowhere"), 404);
    assert.equal(await statusOf("/api/v4/users"), 404);
    assert.equal(await statusOf("/api/graphql/schema/world"), 400);
    assert.equal(await statusOf("/api/graphql/schema/world", ["graphql-ws"]), 400);
    assert.equal(await statusOf("/api/graphql/schema/%E0%A4%A", ["graphql-transport-ws"]), 404);
    await gateway.http.get("/ping").set({ Connection: "Upgrade", Upgrade: "h2c" }).expect(200);
  });

  it("more sockets than an account may have are refused", async () => {
    const small = await testGateway({ config: { maxSocketsPerAccount: 2 } });
    try {
      const connectVerified = async (account: string): Promise<SocketClient> => {
        const socket = await connectAs(small, account);
        socket.send({ type: "ping" });
        await socket.take("pong");
        return socket;
      };
      const first = await connectVerified("guest");
      await connectVerified("guest");
      const third = await connectAs(small, "guest");
      assert.equal((await third.take("error"))["error"], "LIMIT_EXCEEDED");
      assert.equal((await third.closed).code, 4429);
      await connectVerified("captain");
      first.close();
      await first.closed;
      await until(() =>
        connectVerified("guest").then(
          () => true,
          () => false,
        ),
      );
    } finally {
      await small.close();
    }
  }).timeout(60_000);

  it("a page of a foreign origin may not connect where origins are configured", async () => {
    const strict = await testGateway({ config: { corsOrigins: ["https://app.example.org"], maxSocketsPerAddress: 2 } });
    try {
      const url = `${socketUrl(strict)}/?token=${await strict.token("guest")}`;
      await assert.rejects(new SocketClient(url, [], { origin: "https://evil.example.org" }).opened(), /403/);
      await new SocketClient(url, [], { origin: "https://app.example.org" }).opened();
      await new SocketClient(url, [], { origin: strict.baseUrl }).opened();
      await assert.rejects(new SocketClient(url).opened(), /429/);
    } finally {
      await strict.close();
    }
  }).timeout(60_000);

  it("/metrics counts sockets and messages", async () => {
    const socket = await connectAs(gateway, "guest");
    const { text } = await gateway.http.get("/metrics").expect(200);
    assert.match(text, /^portolan_sockets\{protocol="portolan"\} [1-9]/m);
    assert.match(text, /^portolan_socket_messages_received_total\{protocol="portolan"\} \d+/m);
    assert.match(text, /^portolan_sockets_closed_total\{protocol="portolan",code="4401"\} \d+/m);
    socket.close();
  });
});

describe("socket: ends", () => {
  it("shutdown closes with 1001", async () => {
    const gateway = await testGateway();
    const socket = await connectAs(gateway, "guest");
    await socket.ask({ type: "subscribe", id: "a", schema: "world", query: SUBSCRIPTION });
    await gateway.close();
    assert.equal((await socket.closed).code, 1001);
  }).timeout(30_000);

  it("a peer without a sign of life is cut off", async () => {
    const gateway = await testGateway({ config: { socketPingIntervalMs: 200 } });
    try {
      const dead = new SocketClient(`${socketUrl(gateway)}/?token=${await gateway.token("guest")}`, [], {
        autoPong: false,
      });
      await dead.opened();
      const alive = await connectAs(gateway, "guest");
      assert.equal((await dead.closed).code, 1006);
      alive.send({ type: "ping" });
      await alive.take("pong");
    } finally {
      await gateway.close();
    }
  }).timeout(30_000);

  it("a client that stops reading is closed with 4429, and may resume; others are served", async () => {
    const gateway = await testGateway({ config: { maxSocketBufferBytes: 800_000 } });
    try {
      const message = {
        type: "subscribe",
        id: "a",
        schema: "world",
        query: "subscription { AreasMessageAdded { name } }",
      };
      const [slow, quick] = [await connectAs(gateway, "captain"), await connectAs(gateway, "captain")];
      for (const socket of [slow, quick]) await socket.ask(message);
      slow.webSocket.pause();
      let names = 0;
      for (let n = 0; n < 30; n++)
        await gateway.database.client.query(
          "insert into world.areas (name, path) select repeat(i::text, 5000), $1 || i from generate_series(1, 100) i",
          [`slow ${n} `],
        );
      while (names < 3000) {
        const { data } = await quick.take("subscription");
        names += (data as { AreasMessageAdded: unknown[] }).AreasMessageAdded.length;
      }
      await until(async () =>
        /slow_readers_total\{protocol="portolan"\} 1/.test((await gateway.http.get("/metrics")).text),
      );
      slow.webSocket.resume();
      assert.equal((await slow.closed).code, 4429);
      const { position } = slow.received.filter(({ type }) => type === "subscription").at(-1) ?? {};
      let seen = slow.received
        .filter(({ type }) => type === "subscription")
        .reduce((sum, { data }) => sum + (data as { AreasMessageAdded: unknown[] }).AreasMessageAdded.length, 0);
      assert.ok(seen < 3000);
      const back = await connectAs(gateway, "captain");
      await back.ask({ ...message, ...(position !== undefined && { after: position }) });
      while (position !== undefined && seen < 3000) {
        const { data } = await back.take("subscription");
        seen += (data as { AreasMessageAdded: unknown[] }).AreasMessageAdded.length;
      }
      assert.equal(seen, 3000);
    } finally {
      await gateway.close();
    }
  }).timeout(90_000);
});
