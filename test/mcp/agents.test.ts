/** Who asks at the agents' door: kept for all gateways of a database, listed, and ended. */
import assert from "node:assert/strict";
import { createLog } from "../../server/ground/log.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { requestsAs, type Requests } from "../management/requests.ts";
import { agentToken, connectAgent, type TestAgent } from "../support/agent.ts";
import { command } from "../support/commands.ts";
import { freePort } from "../support/freePort.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

interface Listed {
  readonly id: string;
  readonly account: string;
  readonly client_id: string;
  readonly software: string | null;
  readonly scope: string;
  readonly calls: number;
  readonly refused: number;
  readonly listens: boolean;
  readonly refusal: { readonly tool: string; readonly table?: string; readonly message: string } | null;
}

describe("agents", () => {
  let gateway: TestGateway;
  let other: Gateway;
  let otherUrl: string;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    const port = await freePort();
    otherUrl = `http://127.0.0.1:${port}`;
    gateway = await testGateway({ config: { mcp: true } });
    const { name, gatewayUrl: url, url: ownerUrl } = gateway.database;
    const { baseUrl } = gateway;
    const databases = { [name]: { url, ownerUrl } };
    other = await startGateway(
      makeConfig({ databases, port, baseUrl, mcp: true, mcpOrigins: [otherUrl] }),
      createLog("silent"),
    );
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(async () => {
    await other?.close();
    await gateway.close();
  });

  const listed = async (as: Requests): Promise<readonly Listed[]> =>
    (await as("get", "/agents").expect(200)).body as Listed[];
  const only = async (as: Requests, account: string): Promise<Listed> => {
    const found = (await listed(as)).filter((agent) => agent.account === account);
    assert.equal(found.length, 1);
    return found[0]!;
  };
  const atOther = (token: string): Promise<TestAgent> => connectAgent(gateway, "", { token, at: otherUrl });

  it("are listed with what they may do, what they asked and what they were refused, to each account its own", async () => {
    const agent = await connectAgent(gateway, "guest", { scope: "" });
    await agent.call("read", { table: "world.areas", limit: 1 });
    await agent.refused("sql", { sql: "select * from portolan.users" });
    await agent.close();
    const found = await only(guest, "guest");
    assert.deepEqual(
      { ...found, id: "", refusal: found.refusal?.tool },
      {
        ...found,
        id: "",
        client_id: "portolan-cli",
        software: "test 1",
        scope: "",
        calls: 2,
        refused: 1,
        refusal: "sql",
      },
    );
    assert.deepEqual(await only(captain, "guest"), found);
    const asked = (await guest("get", `/agents/${found.id}/requests`).expect(200)).body as { operation: string }[];
    assert.deepEqual(
      asked.map(({ operation }) => operation).filter((operation) => operation.startsWith("tools/call")),
      ["tools/call sql", "tools/call read world.areas"],
    );
    const eve = await connectAgent(gateway, "captain");
    await eve.call("describe");
    await eve.close();
    const ofCaptain = await only(captain, "captain");
    assert.deepEqual(
      (await listed(guest)).map(({ account }) => account),
      ["guest"],
    );
    await guest("get", `/agents/${ofCaptain.id}/requests`).expect(404);
    await guest("delete", `/agents/${ofCaptain.id}`).expect(404);
  });

  it("learn at one gateway why another refused them, each its own refusal", async () => {
    const { client, name } = gateway.database;
    await client.query(`
create table world.moorings (id int primary key); grant select on world.moorings to "guest@${name}";
create table world.berths (id int primary key); grant select on world.berths to "guest@${name}"`);
    const [one, two] = [await agentToken(gateway, "guest"), await agentToken(gateway, "guest")];
    const [first, second] = [
      await connectAgent(gateway, "", { token: one }),
      await connectAgent(gateway, "", { token: two }),
    ];
    const [firstThere, secondThere] = [await atOther(one), await atOther(two)];
    assert.equal((await firstThere.refused("explain_denial")).code, "NOT_FOUND");
    const rows = [{ id: 1 }];
    assert.equal((await first.refused("insert", { table: "world.moorings", rows })).code, "FORBIDDEN");
    assert.equal((await second.refused("insert", { table: "world.berths", rows })).code, "FORBIDDEN");
    const toldOf = async (agent: TestAgent) => {
      const told = await agent.call<{ lastRefusal: { tool: string }; table: string }>("explain_denial");
      return [told.lastRefusal.tool, told.table];
    };
    assert.deepEqual(await toldOf(firstThere), ["insert", "world.moorings"]);
    assert.deepEqual(await toldOf(secondThere), ["insert", "world.berths"]);
    for (const agent of [first, second, firstThere, secondThere]) await agent.close();
  });

  it("remember a refusal for want of the scope, whatever its text holds", async () => {
    const token = await agentToken(gateway, "guest", "");
    const send = (table: string) =>
      gateway.http
        .post(`/mcp/${gateway.database.name}`)
        .set({ Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" })
        .send({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "delete", arguments: { table, where: {} } },
        });
    assert.equal((await send("\u0000\ud800")).status, 403);
    assert.equal((await send("world.cities")).status, 403);
    const agent = await connectAgent(gateway, "", { token });
    const told = await agent.call<{ lastRefusal: { tool: string }; answers: { request: string; why: string[] }[] }>(
      "explain_denial",
    );
    assert.equal(told.lastRefusal.tool, "delete");
    assert.match(told.answers.find(({ request }) => request === "delete")!.why.join(), /mcp:write/);
    await agent.close();
  });

  it("end at once, at every gateway, with their streams, and the audit tells who ended them", async () => {
    const token = await agentToken(gateway, "captain", "mcp:write other");
    const agent = await connectAgent(gateway, "", { token });
    const there = await atOther(token);
    await there.call("describe");
    const subscription = await agent.client.listen({ toolsListChanged: true });
    let isEnded = false;
    void subscription.closed.then(() => (isEnded = true));
    const own = async () => (await listed(captain)).find(({ scope }) => scope === "mcp:write other");
    await until(async () => (await own())?.listens === true);
    await captain("delete", `/agents/${(await own())!.id}`).expect(204);
    await until(() => isEnded);
    for (const one of [agent, there]) {
      await until(() =>
        one.call("describe").then(
          () => false,
          () => true,
        ),
      );
      await one.close().catch(() => undefined);
    }
    assert.equal(await own(), undefined);
    const [entry] = (await captain("get", "/audit?event=agent.ended&limit=1").expect(200)).body as {
      account: string;
      details: { by: string };
    }[];
    assert.deepEqual([entry?.account, entry?.details.by], ["captain", "captain"]);
  });

  it("are listed and ended by the command line", async () => {
    const agent = await connectAgent(gateway, "guest", { scope: "by-command" });
    await agent.call("describe");
    const portolan = (...args: readonly string[]): string =>
      command(["agent", ...args], { env: { DATABASE_URL: gateway.database.url } }).stdout;
    await listed(captain); // writes what this gateway has yet to write
    const all = JSON.parse(portolan("list", "guest", "--json")) as (Listed & { scope: string })[];
    const { id } = all.find(({ scope }) => scope === "by-command")!;
    assert.match(portolan("requests", id), /tools\/call describe/);
    assert.match(portolan("end", id), /has ended/);
    await until(() =>
      agent.call("describe").then(
        () => false,
        () => true,
      ),
    );
    await agent.close().catch(() => undefined);
  });
});
