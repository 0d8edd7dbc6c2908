/** What the gateway registers of a connection that is logged in as an account, and for which connection it counts. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("the registration of a connection", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["shop"], trustedProxies: ["127.0.0.1"] },
      prepare: ({ client }) =>
        client.query(`
create schema shop;
grant usage on schema shop to public;
create function shop.told() returns text language sql stable as $$
  select concat_ws(' ', m.name, m.service, host(m.ip), portolan.claims() ->> 'jti') from portolan.me m
$$;
create role told_author;
alter function shop.told() owner to told_author;
select portolan.create_user('eve', null)`),
    });
  });
  after(async () => {
    await gateway.database.client.query("drop owned by told_author cascade; drop role told_author");
    await gateway.close();
  });

  /** What rules, policies and the audit would be told on this connection, if it were logged in as the account. */
  async function seen(): Promise<unknown> {
    const { client, name } = gateway.database;
    await client.query(`set session authorization "eve@${name}"`);
    const { rows } = await client.query(
      "select m.service, host(m.ip) as ip, portolan.claims() as claims from portolan.me m",
    );
    await client.query("reset session authorization");
    return rows[0];
  }

  it("is not that of another one, which had its number and its login", async () => {
    const { client, name } = gateway.database;
    const login = `eve@${name}`;
    await client.query(
      `select portolan.bind_own_session(pg_backend_pid(), $1, '192.0.2.7', 'eve', 'graphql', '{"jti": "one"}')`,
      [login],
    );
    assert.deepEqual(await seen(), { service: "graphql", ip: "192.0.2.7", claims: { jti: "one" } });
    await client.query("update portolan.own_sessions set started = started - interval '1 second'");
    assert.deepEqual(await seen(), { service: null, ip: null, claims: {} });
  });

  it("has account, interface, address and the claims of the token, and is written anew with the next token", async () => {
    const address = ["192.0.2.1", "192.0.2.2", "192.0.2.1"];
    for (const from of address) {
      const token = await gateway.token("eve");
      const { jti } = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as { jti: string };
      const ask = (path: string) =>
        gateway.http.post(path).set("Authorization", `Bearer ${token}`).set("X-Forwarded-For", from);
      const { body } = await ask("/api/graphql/schema/shop").send({ query: "{ told }" });
      assert.deepEqual(body, { data: { told: `eve graphql ${from} ${jti}` } });
      const { text } = await ask("/api/v4/sql").send({ q: "select shop.told() as told" });
      assert.match(text, new RegExp(`eve sql ${from} ${jti}`));
    }
  });
});
