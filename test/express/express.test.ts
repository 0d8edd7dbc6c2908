import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { graphqlDoor, oauthDoor, openPortolan, type Portolan } from "../../server/express.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { SocketClient } from "../support/webSocket.ts";

describe("doors in an Express application of a team's own", () => {
  let test: TestDatabase;
  let portolan: Portolan;
  let server: Server;
  let address: string;

  before(async () => {
    test = await testDatabase({ kind: "demo" });
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    portolan = await openPortolan({
      databaseUrl: test.gatewayUrl,
      ownerDatabaseUrl: test.url,
      baseUrl: address,
      logLevel: "silent",
    });
    const app = express();
    app.get("/own", (_request, response) => void response.send("ours"));
    app.use(oauthDoor(portolan));
    app.use(graphqlDoor(portolan));
    app.use((_request, response) => void response.status(404).send("not ours"));
    server.on("request", app);
    server.on("upgrade", portolan.upgrade);
  });

  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await portolan.close();
    await test.drop();
  });

  async function signIn(): Promise<string> {
    const response = await fetch(`${address}/api/v4/oauth`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ grant_type: "password", username: "guest", password: "guest", client_id: "portolan-cli" }),
    });
    assert.equal(response.status, 200);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  it("answer at the paths of the service, with a token of the one at the other", async () => {
    const response = await fetch(`${address}/api/graphql/schema/world`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${await signIn()}` },
      body: JSON.stringify({ query: "{ getCountries(limit: 1) { code } }" }),
    });
    const { data } = (await response.json()) as { data: { getCountries: unknown[] } };
    assert.equal(data.getCountries.length, 1);
    assert.match(response.headers.get("x-request-id") ?? "", /./);
  });

  it("leave other requests to the application, also those of doors that are not mounted", async () => {
    assert.equal(await (await fetch(`${address}/own`)).text(), "ours");
    for (const path of ["/api/v4/users", "/readyz", "/elsewhere", "/%zz"]) {
      const response = await fetch(address + path);
      assert.deepEqual([response.status, await response.text()], [404, "not ours"], path);
    }
  });

  it("refuse in their own shape", async () => {
    const wrong = await fetch(`${address}/api/v4/oauth`, { method: "POST", body: "{" });
    assert.deepEqual(
      [wrong.status, Object.keys((await wrong.json()) as object)],
      [400, ["error", "error_description"]],
    );
    const put = await fetch(`${address}/api/graphql/schema/world`, { method: "PUT" });
    assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, POST, OPTIONS"]);
  });

  it("take WebSockets if the server passes its upgrades on", async () => {
    const token = encodeURIComponent(await signIn());
    const socket = await new SocketClient(`${address.replace("http", "ws")}/?token=${token}`).opened();
    socket.send({ type: "ping" });
    await socket.take("pong");
    socket.close();
  });
});
