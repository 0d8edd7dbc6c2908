import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { SocketClient, socketUrl } from "../support/webSocket.ts";
import { until } from "../support/events.ts";

describe("sign-ins of one account", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create table world.notes (id int primary key, owner text);
alter table world.notes enable row level security;
create policy own on world.notes using (owner = (portolan.request_context()).name);
select portolan.set_privilege('world.notes', 'guest', 'read');
select portolan.enable_events('world.notes')`),
    });
  });

  after(() => gateway.close());

  async function signIn(): Promise<string> {
    const { status, body } = await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "password", username: "guest", password: "guest", client_id: "portolan-cli" });
    assert.equal(status, 200, JSON.stringify(body));
    return body.access_token as string;
  }

  it("are judged once for all of them, under row level security too, and each gets its events", async () => {
    const figure = async (name: string): Promise<number> =>
      Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, "m").exec((await gateway.http.get("/metrics")).text)?.[1] ?? 0);
    const sockets: SocketClient[] = [];
    for (let n = 0; n < 5; n++) {
      const socket = new SocketClient(`${socketUrl(gateway)}/?token=${await signIn()}`);
      sockets.push(await socket.opened());
      const subscription = { type: "subscription", id: "s", schema: "world", rel: "notes" };
      assert.equal((await socket.ask(subscription)).type, "subscription_ack");
    }
    await until(async () => (await figure("portolan_events_groups")) === 1);
    const judged = await figure("portolan_events_judged_total");
    await gateway.database.client.query("insert into world.notes values (1, 'guest'), (2, 'captain')");
    for (const socket of sockets) assert.match(JSON.stringify(await socket.take("batch")), /"INSERT":\[\["id","1"\]\]/);
    assert.equal((await figure("portolan_events_judged_total")) - judged, 2);
    for (const socket of sockets) socket.close();
  });
});
