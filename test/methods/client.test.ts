import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient, createSocketClient, RpcError, type Client } from "../../server/methods/client.ts";
import { compile } from "../support/compile.ts";
import { until } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { as, type As } from "./requests.ts";

const CLIENT = join(import.meta.dirname, "../../server/methods/client.ts");

interface Methods {
  add(params: { a: number; b: number }): Promise<{ sum: number | null }[]>;
  held(params?: Record<string, never>): Promise<{ held: number }[]>;
  slow(params: { seconds: number }): Promise<{ slow: string | null }[]>;
  note(params: { entry: string }): Promise<Record<string, never>[]>;
  "odd.name-1"(params?: Record<string, never>): Promise<{ n: number }[]>;
}

describe("portolan/client over a WebSocket", () => {
  let gateway: TestGateway;
  let guest: As;
  let client: Client<Methods>;
  /** The number of requests for a token, one for each socket. */
  let tokens = 0;

  const entries = async (like: string): Promise<number> => {
    const { rows } = await gateway.database.client.query(
      "select count(*)::int as n from world.logbook where entry like $1",
      [like],
    );
    return rows[0].n as number;
  };
  const connect = (lifetimeSeconds?: number): Client<Methods> =>
    createSocketClient<Methods>({
      url: gateway.baseUrl,
      token: () => {
        tokens++;
        return gateway.token("guest", lifetimeSeconds);
      },
    });

  before(async () => {
    gateway = await testGateway();
    guest = await as(gateway, "guest");
    await guest.define(
      { method: "add", q: "select :a::int + :b::int as sum" },
      { method: "slow", q: "select pg_sleep(:seconds)::text as slow" },
      { method: "held", q: "select count(*)::int as held from world.graticule" },
      { method: "note", q: "insert into world.logbook (city_id, entry) select 1, :entry from pg_sleep(0.2)" },
      { method: "odd.name-1", q: "select 1 as n" },
    );
    client = connect();
  });

  after(async () => {
    client.close();
    await gateway.close();
  });

  it("answers each call with its own rows, whatever the order in which they end, over one socket", async () => {
    const lock = gateway.database.client;
    await lock.query("begin; lock table world.graticule");
    const held = client.methods.held();
    const quick = await Promise.all([
      ...Array.from({ length: 50 }, (_, n) => client.methods.add({ a: n, b: 1 })),
      client.methods["odd.name-1"](),
    ]);
    await lock.query("commit"); // the first call has no answer before this
    assert.deepEqual(await held, [{ held: 35 }]);
    assert.deepEqual(
      quick.map(([row]) => row),
      [...Array.from({ length: 50 }, (_, n) => ({ sum: n + 1 })), { n: 1 }],
    );
    assert.equal(tokens, 1);
  });

  it("a batch is one transaction, its results in order", async () => {
    const [one, none, two] = await client.batch((m) => [
      m.add({ a: 1, b: 1 }),
      m.note({ entry: "socket batch" }),
      m.add({ a: 2, b: 2 }),
    ]);
    assert.deepEqual([one, none, two], [[{ sum: 2 }], [], [{ sum: 4 }]]);
    await assert.rejects(
      client.batch((m) => [m.note({ entry: "socket rolled back" }), m.add({ a: 2_147_483_647, b: 1 })]),
      { name: "RpcError", code: -32602 },
    );
    assert.deepEqual([await entries("socket batch"), await entries("socket rolled back")], [1, 0]);
    assert.deepEqual(await client.batch(() => []), []);
  });

  it("rejects with the error of the call, and the others live", async () => {
    const [bad, good, unknown] = await Promise.allSettled([
      client.methods.add({ a: 1 } as never),
      client.methods.add({ a: 1, b: 1 }),
      (client.methods as unknown as Record<string, () => Promise<unknown>>)["nowhere"]!(),
    ]);
    assert.ok(bad.status === "rejected" && bad.reason instanceof RpcError);
    assert.deepEqual(
      [bad.reason.code, bad.reason.data["parameter"], bad.reason.message],
      [-32602, "b", "Invalid params: b is missing"],
    );
    assert.deepEqual(good.status, "fulfilled");
    assert.ok(unknown.status === "rejected" && (unknown.reason as RpcError).code === -32601);
  });

  it("a notification is executed, even if the client closes at once, and its errors are not reported", async () => {
    await client.notify((m) => [m.note({ entry: "socket note 1" }), m.note({ entry: "socket note 2" })]);
    await client.notify((m) => m.add({ a: 1 } as never));
    const leaving = connect();
    await leaving.notify((m) => m.note({ entry: "socket note 3" }));
    leaving.close();
    await until(async () => (await entries("socket note %")) === 3);
    assert.deepEqual(await client.methods.add({ a: 1, b: 1 }), [{ sum: 2 }]);
  });

  it("an error without a request leaves no call waiting, and the next one works", async () => {
    for (const attempt of [
      () => client.batch((m) => Array.from({ length: 1001 }, () => m.add({ a: 1, b: 1 }))),
      () => client.methods.add(Array.from({ length: 10_001 }, () => ({ a: 1, b: 1 })) as never),
    ]) {
      await assert.rejects(attempt(), (error: RpcError) => error instanceof RpcError && error.code === -32600);
      assert.deepEqual(await client.methods.add({ a: 1, b: 1 }), [{ sum: 2 }]);
    }
    const deep = client.methods.note({ entry: JSON.parse("[".repeat(100) + "]".repeat(100)) as never });
    await assert.rejects(deep, { name: "RpcError", code: -32602 });
    await assert.rejects(client.methods.note({ entry: "x".repeat(2_000_000) }), /the socket has closed \(1009/);
    assert.deepEqual(await client.methods.add({ a: 1, b: 1 }), [{ sum: 2 }]);
  });

  it("when the token ends waiting calls are rejected, and the next call opens a socket with a new one", async () => {
    tokens = 0;
    const short = connect(2);
    assert.deepEqual(await short.methods.add({ a: 1, b: 1 }), [{ sum: 2 }]);
    await assert.rejects(short.methods.slow({ seconds: 10 }), /The access token has ended|closed \(4401/);
    assert.deepEqual(await short.methods.add({ a: 1, b: 2 }), [{ sum: 3 }]);
    assert.equal(tokens, 2);
    short.close();
  });

  it("a token that is refused, or that cannot be had, rejects the call", async () => {
    const wrong = createSocketClient<Methods>({ url: gateway.baseUrl, token: "wrong" });
    await assert.rejects(wrong.methods.add({ a: 1, b: 1 }), { name: "RpcError", data: { code: "invalid_token" } });
    let asked = 0;
    const late = createSocketClient<Methods>({
      url: gateway.baseUrl,
      token: () => {
        if (++asked === 1) throw new Error("no token now");
        return gateway.token("guest");
      },
    });
    await assert.rejects(late.methods.add({ a: 1, b: 1 }), /no token now/);
    assert.deepEqual(await late.methods.add({ a: 1, b: 1 }), [{ sum: 2 }]);
    late.close();
  });

  it("close() rejects waiting calls; a later call opens another socket, which the end of the first does not affect", async () => {
    tokens = 0;
    const closing = connect();
    await closing.methods.add({ a: 1, b: 1 });
    const waiting = closing.methods.slow({ seconds: 10 });
    const rejected = assert.rejects(waiting, /the socket has closed/);
    await until(async () => {
      const { rows } = await gateway.database.client.query(
        "select from pg_stat_activity where query like '%pg_sleep(%' and state = 'active' and pid <> pg_backend_pid()",
      );
      return rows.length > 0;
    });
    closing.close();
    const next = closing.methods.slow({ seconds: 0.5 });
    await rejected;
    assert.deepEqual(await next, [{ slow: "" }]);
    assert.equal(tokens, 2);
    closing.close();
  });

  it("rejects if nobody listens, and connects once somebody does", async () => {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const nobody = createSocketClient<Methods>({ url: `http://127.0.0.1:${port}`, token: "x" });
    await assert.rejects(nobody.methods.add({ a: 1, b: 1 }), /the socket has closed \(1006/);
    await assert.rejects(
      nobody.batch((m) => [m.add({ a: 1, b: 1 })]),
      /the socket has closed/,
    );
    nobody.close();
  });

  it("over HTTP an answer of a proxy is an RpcError too", async () => {
    const between = createClient<Methods>({
      url: "http://x",
      token: "x",
      fetch: () => Promise.resolve(new Response("<h1>Bad Gateway</h1>", { status: 502, statusText: "Bad Gateway" })),
    });
    await assert.rejects(between.methods.add({ a: 1, b: 1 }), {
      name: "RpcError",
      message: "Bad Gateway",
      data: { status: 502 },
    });
  });

  it("takes the generated interface for its types, under tsc --strict", async () => {
    await guest.dry("add", { a: 1, b: 1 });
    await guest.dry("note", { entry: "typed" });
    const program = (last: string): string => `
import { createClient, createSocketClient, type Client } from ${JSON.stringify(CLIENT)};
import type { Methods } from "./methods.ts";
const options = { url: "http://x", token: async () => "x" };
for (const client of [createSocketClient<Methods>(options), createClient<Methods>(options)] satisfies Client<Methods>[]) {
  const rows: { sum: number | null }[] = await client.methods.add({ a: 1, b: 2 });
  const [first, , third]: [{ sum: number | null }[], Record<string, never>[], { sum: number | null }[]] =
    await client.batch((m) => [m.add({ a: 1, b: 2 }), m.note({ entry: "x" }), m.add({ a: 1, b: 2 })]);
  const nothing: void = await client.notify((m) => m.note({ entry: "x" }));
  client.close();
  ${last}
  console.log(rows, first, third, nothing);
}
export {};`;
    const files = { "methods.ts": await guest.interfaces(), "package.json": '{"type":"module"}' };
    assert.equal(compile({ ...files, "program.ts": program("") }), "");
    const wrong = [
      "await client.methods.add({ a: 1 });",
      'await client.methods.add({ a: "1", b: 2 });',
      "await client.methods.nowhere();",
      "(await client.methods.add({ a: 1, b: 2 }))[0]!.sum.toFixed();",
      "(await client.batch((m) => [m.add({ a: 1, b: 2 })]))[1];",
    ];
    const complaints = compile({ ...files, "program.ts": program(wrong.join("\n")) });
    for (const complaint of [
      /Property 'b' is missing/,
      /'string' is not assignable to type 'number'/,
      /'nowhere' does not exist/,
      /possibly 'null'/,
      /has no element at index '1'/,
    ])
      assert.match(complaints, complaint);
    assert.equal(complaints.match(/error TS/g)?.length, wrong.length, complaints);
  });
});
