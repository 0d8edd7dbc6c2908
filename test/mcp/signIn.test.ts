/** A client that knows the address of the door alone finds out where to sign in, as the protocol's authorization says. */
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { decodeJwt } from "jose";
import { Person } from "../oauth/support.ts";
import { Application } from "../support/agentApplication.ts";
import { agentToken } from "../support/agent.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("the official client, which knows the address alone", function () {
  this.timeout(120_000);
  let gateway: TestGateway;
  let address: URL;
  before(async () => {
    gateway = await testGateway({ config: { mcp: true, registration: "open" } });
    address = new URL(`${gateway.baseUrl}/mcp/${gateway.database.name}`);
  });
  after(() => gateway.close());

  const transportOf = (application: Application) =>
    new StreamableHTTPClientTransport(address, { authProvider: application });
  const newClient = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });

  /** Connects, after the person has signed in and agreed. */
  async function connect(application: Application): Promise<Client> {
    const refused = transportOf(application);
    await assert.rejects(newClient().connect(refused), UnauthorizedError);
    const sentTo = application.sentTo!;
    assert.equal(sentTo.origin, gateway.baseUrl);
    const back = await new Person(gateway.baseUrl).authorize(sentTo.pathname + sentTo.search, "captain");
    await refused.finishAuth(back.searchParams);
    const client = newClient();
    await client.connect(transportOf(application));
    return client;
  }

  it("registers itself, has a person sign in, and gets a token for this door alone", async () => {
    const application = new Application();
    const client = await connect(application);
    const asked = application.sentTo!.searchParams;
    assert.equal(asked.get("resource"), address.href);
    assert.equal(asked.get("code_challenge_method"), "S256");
    assert.equal(asked.get("client_id"), application.information?.client_id);
    assert.equal(decodeJwt(application.kept!.access_token).aud, address.href);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === "read"));
    await client.close();
  });

  it("goes on with a new token when its own is good no longer", async () => {
    const application = new Application("mcp:write offline_access");
    const client = await connect(application);
    const before = application.kept!;
    application.kept = { ...before, access_token: "none" };
    const { isError } = await client.callTool({ name: "read", arguments: { table: "world.areas", limit: 1 } });
    assert.ok(!isError);
    assert.notEqual(application.kept.access_token, "none");
    await client.close();
  });

  it("is sent to the person again for the scope that a tool wants, and then writes", async () => {
    const application = new Application();
    const client = await connect(application);
    application.kept = {
      access_token: await agentToken(gateway, "captain", "openid"),
      token_type: "Bearer",
      issuer: gateway.baseUrl,
    };
    application.sentTo = undefined;
    const given = { table: "world.logbook", where: { entry: { eq: "by nobody" } }, dryRun: true };
    const write = () => client.callTool({ name: "delete", arguments: given });
    await assert.rejects(write(), UnauthorizedError);
    const sentTo = application.sentTo as unknown as URL;
    assert.match(sentTo.searchParams.get("scope") ?? "", /mcp:write/);
    const back = await new Person(gateway.baseUrl).authorize(sentTo.pathname + sentTo.search, "captain");
    await (client.transport as StreamableHTTPClientTransport).finishAuth(back.searchParams);
    assert.deepEqual((await write()).structuredContent, {
      table: "world.logbook",
      affected: 0,
      rows: [],
      dryRun: true,
    });
    await client.close();
  });
});
