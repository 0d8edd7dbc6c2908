/** JSON-RPC and SQL over the socket, which gets the doors behind it. */
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { makeConfig } from "../../server/kernel/config.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { LocalHost } from "../../server/fleet/host.ts";
import { createLog } from "../../server/ground/log.ts";
import { createSockets, type Sockets } from "../../server/socket/sockets.ts";
import type { SocketContext } from "../../server/socket/session.ts";
import { SocketClient } from "../support/webSocket.ts";
import { until } from "../support/until.ts";

describe("socket: doors", () => {
  let server: Server;
  let sockets: Sockets;
  let running = 0;
  let most = 0;
  const contexts: SocketContext[] = [];
  const release: (() => void)[] = [];

  before(async () => {
    const identity = { database: "d", name: "ann", role: "ann@d", roleMade: true, claims: {} };
    const missing = (): never => {
      throw new GatewayError("NOT_FOUND");
    };
    sockets = createSockets({
      config: makeConfig(),
      registry: new Registry(),
      log: createLog("silent"),
      nonceFor: () => Promise.resolve(undefined),
      verify: () => Promise.resolve({ identity, expiresAtMs: Date.now() + 3_600_000 }),
      count: () => Promise.resolve(),
      host: new LocalHost(),
      noteSocket: () => undefined,
      databaseOf: missing,
      eventsOf: missing,
      run: missing,
      call: async (context, text) => {
        contexts.push(context);
        const message: unknown = JSON.parse(text);
        const { method, id } = (Array.isArray(message) ? message[0] : message) as { method: string; id?: number };
        if (method === "wait") {
          most = Math.max(most, ++running);
          await new Promise<void>((resolve) => release.push(resolve));
          running--;
        }
        if (method === "fail") throw new Error("not foreseen");
        return id === undefined ? undefined : JSON.stringify({ jsonrpc: "2.0", id, result: message });
      },
      refuseCall: () => undefined,
      sql: (_context, text) => Promise.resolve(JSON.stringify({ data: [JSON.parse(text)] })),
    });
    server = createServer().on("upgrade", sockets.upgrade);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(async () => {
    await sockets.close();
    server.close();
  });
  const connect = () => new SocketClient(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/?token=x`).opened();

  it("requests, batches and SQL are answered as the door answers, notifications with silence", async () => {
    const socket = await connect();
    socket.send({ jsonrpc: "2.0", method: "a" });
    socket.send({ jsonrpc: "2.0", method: "a", id: 1, params: { n: 9007199254740993n.toString() } });
    assert.deepEqual((await socket.take((message) => message["jsonrpc"] === "2.0"))["id"], 1);
    socket.send([{ jsonrpc: "2.0", method: "b", id: 2 }]);
    assert.deepEqual((await socket.take((message) => message["jsonrpc"] === "2.0"))["result"], [
      { jsonrpc: "2.0", method: "b", id: 2 },
    ]);
    socket.send({ q: "select 1" });
    assert.deepEqual(await socket.take((message) => "data" in message), { data: [{ q: "select 1" }] });
    socket.send({ jsonrpc: "2.0", method: "fail", id: 3 });
    const { errorId, ...error } = await socket.take("error");
    assert.deepEqual(error, { type: "error", error: "INTERNAL", message: "An internal error occurred" });
    assert.match(String(errorId), /^[0-9a-f-]{36}$/);
    assert.deepEqual(socket.received, []);
    socket.close();
  });

  it("so many requests run at a time, in the order in which they came; the rest wait", async () => {
    const socket = await connect();
    const count = 200;
    for (let id = 0; id < count; id++) socket.send({ jsonrpc: "2.0", method: "wait", id });
    const ids: unknown[] = [];
    while (ids.length < count) {
      await until(() => release.length > 0);
      release.shift()?.();
      ids.push((await socket.take((message) => message["jsonrpc"] === "2.0")).id);
    }
    assert.equal(most, 16);
    assert.deepEqual(ids, [...Array(count).keys()]);
    socket.close();
  }).timeout(30_000);

  it("a door hears when the socket ends", async () => {
    const socket = await connect();
    socket.send({ jsonrpc: "2.0", method: "wait", id: 1 });
    await until(() => release.length > 0);
    const { signal, identity } = contexts.at(-1)!;
    assert.deepEqual([signal.aborted, identity.name], [false, "ann"]);
    const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
    socket.close();
    await ended;
    release.shift()?.();
  });
});
