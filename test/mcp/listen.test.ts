import assert from "node:assert/strict";
import { agentToken, connectAgent, type TestAgent } from "../support/agent.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const MOST = 1000;
const MANY = sized(50, MOST);

interface Told {
  readonly method?: string;
  readonly params?: { readonly uri?: string };
}

/** A stream that is read as it comes. */
class Stream {
  readonly told: Told[] = [];
  ended = false;
  readonly #controller = new AbortController();

  static async open(
    gateway: TestGateway,
    account: string,
    notifications: object,
    { lifetimeSeconds, token: given }: { readonly lifetimeSeconds?: number; readonly token?: string } = {},
  ): Promise<Stream> {
    const stream = new Stream();
    const token = given ?? (await agentToken(gateway, account, "", lifetimeSeconds));
    const response = await fetch(`${gateway.baseUrl}/mcp/${gateway.database.name}`, {
      method: "POST",
      signal: stream.#controller.signal,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "subscriptions/listen",
        params: { notifications, _meta: ENVELOPE },
      }),
    });
    if (response.headers.get("content-type") !== "text/event-stream")
      throw new Error(`${response.status} ${await response.text()}`);
    void stream.#read(response.body!);
    await until(() => stream.told.length > 0);
    return stream;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    try {
      let text = "";
      for await (const part of body) {
        text += Buffer.from(part).toString();
        const events = text.split("\n\n");
        text = events.pop()!;
        for (const event of events) {
          const [, data] = /^data: (.*)$/m.exec(event) ?? [];
          if (data !== undefined) this.told.push(JSON.parse(data) as Told);
        }
      }
    } catch {
      // closed below
    }
    this.ended = true;
  }

  close(): void {
    this.#controller.abort();
  }
}

describe("streams of the agents' door", function () {
  this.timeout(sized(60_000, 600_000));
  let gateway: TestGateway;
  let uri: string;
  before(async () => {
    gateway = await testGateway({
      config: { mcp: true },
      prepare: ({ client, name }) =>
        client.query(`
create table world.berths (id int primary key, owner text);
grant usage on schema world to "guest@${name}";
grant select on world.berths to "guest@${name}";
alter table world.berths enable row level security;
create policy own on world.berths using (owner = 'guest' or current_user not like 'guest@%');
select portolan.enable_events('world.berths');`),
    });
    uri = `portolan://${gateway.database.name}/world/berths`;
  });
  after(() => gateway.close());
  const query = (text: string) => gateway.database.client.query(text);
  const updates = ({ told }: Stream): number =>
    told.filter(({ method }) => method === "notifications/resources/updated").length;

  it("tell when rows that the account sees have changed, and of no others", async () => {
    const guest = await Stream.open(gateway, "guest", { resourceSubscriptions: [uri] });
    const captain = await Stream.open(gateway, "captain", { resourceSubscriptions: [uri] });
    await query("insert into world.berths values (1, 'ann')");
    await until(() => updates(captain) === 1);
    await query("insert into world.berths values (2, 'guest')");
    await until(() => updates(guest) === 1);
    assert.equal(guest.told.at(-1)?.params?.uri, uri);
    guest.close();
    captain.close();
  });

  it("refuse a table that the account may not see", async () => {
    await query("create table world.unseen (id int primary key); select portolan.enable_events('world.unseen')");
    const other = uri.replace("berths", "unseen");
    await assert.rejects(Stream.open(gateway, "guest", { resourceSubscriptions: [other] }), /40[34]/);
    await assert.rejects(Stream.open(gateway, "guest", { resourceSubscriptions: ["file:///x"] }), /400/);
  });

  it("tell when the account's tools or tables have changed", async () => {
    const stream = await Stream.open(gateway, "captain", { toolsListChanged: true, resourcesListChanged: true });
    await query("create table world.more (id int primary key)");
    await until(() => stream.told.some(({ method }) => method === "notifications/resources/list_changed"));
    await query("select portolan.create_method('added', 'select 1 as n')");
    await until(() => stream.told.some(({ method }) => method === "notifications/tools/list_changed"));
    stream.close();
  });

  it("end with the token, and when the account goes", async () => {
    const short = await Stream.open(gateway, "captain", { toolsListChanged: true }, { lifetimeSeconds: 2 });
    await until(() => short.ended);
    await query("select portolan.create_user('brief', null)");
    const brief = await Stream.open(gateway, "brief", { toolsListChanged: true });
    await query("select portolan.drop_user('brief')");
    await until(() => brief.ended);
  });

  const listeners = async (): Promise<number> =>
    Number(/portolan_mcp_listeners (\d+)/.exec((await gateway.http.get("/metrics")).text)![1]);

  it(`are told, ${MANY} of an account, while it goes on asking, and are given back when they leave`, async () => {
    const token = await agentToken(gateway, "captain");
    const both = { resourceSubscriptions: [uri], toolsListChanged: true };
    const streams = await Promise.all(
      Array.from({ length: MANY }, () => Stream.open(gateway, "captain", both, { token })),
    );
    assert.equal(await listeners(), MANY);
    await query("insert into world.berths values (3, 'guest')");
    await query("select portolan.create_method('added_for_many', 'select 1 as n')");
    const agent = await connectAgent(gateway, "", { token });
    const asked = agent.call("read", { table: "world.berths", limit: 1 });
    await until(() => streams.every((stream) => updates(stream) === 1));
    await until(() =>
      streams.every(({ told }) => told.some(({ method }) => method === "notifications/tools/list_changed")),
    );
    await asked;
    await agent.close();
    for (const stream of streams) stream.close();
    await until(async () => (await listeners()) === 0);
  });

  it(`are at most 1,000 of an account${MANY < MOST ? " (only with TEST_SIZE=large: a thousand streams)" : ""}`, async function () {
    if (MANY < MOST) this.skip();
    const token = await agentToken(gateway, "captain");
    const streams: Stream[] = [];
    for (let n = 0; n < MOST; n++)
      streams.push(await Stream.open(gateway, "captain", { toolsListChanged: true }, { token }));
    await assert.rejects(
      Stream.open(gateway, "captain", { toolsListChanged: true }, { token }),
      /400.*too many streams/,
    );
    const guest = await Stream.open(gateway, "guest", { toolsListChanged: true });
    for (const stream of [...streams, guest]) stream.close();
    await until(async () => (await listeners()) === 0);
  });

  it("are closed with a last answer when the service ends", async () => {
    const other = await testGateway({ config: { mcp: true } });
    const stream = await Stream.open(other, "captain", { toolsListChanged: true });
    await other.close();
    await until(() => stream.ended);
    assert.equal((stream.told.at(-1) as { id?: number }).id, 7);
  });

  it("are what the official client subscribes by", async () => {
    const agent: TestAgent = await connectAgent(gateway, "captain");
    const told: string[] = [];
    agent.client.setNotificationHandler("notifications/resources/updated", ({ params }) => void told.push(params.uri));
    const subscription = await agent.client.listen({ resourceSubscriptions: [uri] });
    await query("insert into world.berths values (9, 'ann')");
    await until(() => told.includes(uri));
    await subscription.close();
    await agent.close();
  });
});
