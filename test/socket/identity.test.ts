/** The visible rows of a socket follow its account, in every gateway. */
import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway } from "../../server/main.ts";
import { testGateway, tokenFor, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { SocketClient, connectAs } from "../support/webSocket.ts";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("socket: accounts", () => {
  let gateway: TestGateway;
  const query = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create schema port;
create table port.parcels (id int primary key, town text);
alter table port.parcels enable row level security;
create policy own on port.parcels using (town = current_setting('request.jwt.claims')::json -> 'properties' ->> 'town');
select portolan.create_user('porter', 'a long password', properties => '{"town": "Kiel"}');
grant usage on schema port to "porter@${name}";
grant select on port.parcels to "porter@${name}";
select portolan.enable_events('port.parcels');`),
    });
  });
  after(() => gateway.close());

  it("properties that change while subscribed count from then on, and nothing is lost", async () => {
    const socket = await connectAs(gateway, "porter");
    const graphql = { type: "subscribe", schema: "port", query: "subscription { ParcelsMessageAdded { id } }" };
    await socket.ask({ ...graphql, id: "a" });
    await socket.ask({ type: "subscription", id: "b", schema: "port", rel: "parcels" });
    await query("insert into port.parcels values (1, 'Kiel'), (2, 'Oslo')");
    const added = async () => (await socket.take({ id: "a" }))["data"];
    assert.deepEqual(await added(), { ParcelsMessageAdded: [{ id: "1" }] });
    await query(`update portolan.users set properties = '{"town": "Oslo"}' where name = 'porter'`);
    // rows of Oslo are not the account's until the change has taken effect
    let n = 10;
    await until(async () => {
      await query("insert into port.parcels values ($1, 'Oslo')", [n++]);
      return socket.received.some(({ id, data }) => id === "a" && JSON.stringify(data).includes('"id"'));
    });
    await query("insert into port.parcels values (10000, 'Kiel'), (10001, 'Oslo')");
    const last = (message: unknown) => JSON.stringify(message).includes("10001");
    const text = JSON.stringify(await socket.take((message) => message.id === "a" && last(message)));
    assert.ok(!text.includes('"10000"'));
    await socket.take((message) => message.id === "b" && last(message));
    assert.deepEqual(
      socket.received.filter(({ type }) => type !== "subscription" && type !== "batch"),
      [],
    );
    socket.close();
  }).timeout(60_000);

  it("two gateways deliver the same, whichever of them wrote or reads", async () => {
    const { database } = gateway;
    const port = await freePort();
    const other = await startGateway(
      makeConfig({
        databases: { [database.name]: { url: database.gatewayUrl, ownerUrl: database.url } },
        baseUrl: gateway.baseUrl,
        port,
      }),
      createLog("silent"),
    );
    try {
      const text = "subscription { CountriesMessageAdded { code } CountriesMessageDeleted { code } }";
      const here = await connectAs(gateway, "captain");
      // it has the address that its clients know, which is the first one's
      const token = await tokenFor(database, gateway.baseUrl, "captain");
      const there = await new SocketClient(`ws://127.0.0.1:${port}/?token=${token}`).opened();
      for (const socket of [here, there])
        assert.equal(
          (await socket.ask({ type: "subscribe", id: "a", schema: "world", query: text })).type,
          "subscribe_ack",
        );
      const mutation = 'mutation { insertCountries(data: { code: "XA", name: "Xanadu" }) { code } }';
      await there.ask({ type: "subscribe", id: "m", schema: "world", query: mutation });
      await query("delete from world.countries where code = 'XA'");
      const positions: unknown[] = [];
      for (const socket of [here, there]) {
        assert.deepEqual((await socket.take({ id: "a" }))["data"], {
          CountriesMessageAdded: [{ code: "XA" }],
          CountriesMessageDeleted: null,
        });
        const { data, position } = await socket.take({ id: "a" });
        assert.deepEqual(data, { CountriesMessageAdded: null, CountriesMessageDeleted: [{ code: "XA" }] });
        positions.push(position);
      }
      // a position of one is valid at the other
      here.close();
      await query("insert into world.countries (code, name) values ('XB', 'Erewhon')");
      there.send({ type: "subscribe", id: "b", schema: "world", query: text, after: positions[0] });
      await there.take({ type: "subscribe_ack", id: "b" });
      assert.deepEqual((await there.take({ type: "subscription", id: "b" }))["data"], {
        CountriesMessageAdded: [{ code: "XB" }],
        CountriesMessageDeleted: null,
      });
      await query("delete from world.countries where code = 'XB'");
      there.close();
    } finally {
      await other.close();
    }
  }).timeout(60_000);
});
