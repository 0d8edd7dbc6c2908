/** What the gateway registers of a connection that is logged in as an account, and for which connection it counts. */
import assert from "node:assert/strict";
import pg from "pg";
import { withLogin } from "../../server/kernel/connectionString.ts";
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

  const login = (): string => `eve@${gateway.database.name}`;

  /** A connection that has logged in as the account, beside the gateway's. */
  async function loggedIn(): Promise<pg.Client> {
    await gateway.database.client.query(`alter role "${login()}" login password 'known'`);
    const client = new pg.Client({ connectionString: withLogin(gateway.database.gatewayUrl, login(), "known") });
    await client.connect();
    return client;
  }

  async function bind(client: pg.Client): Promise<boolean> {
    const { rows: of } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const { rows } = await gateway.database.client.query<{ bound: boolean }>(
      `select portolan.bind_own_session($1, $2, '192.0.2.7', 'eve', 'graphql', '{"jti": "one"}') as bound`,
      [of[0]!.pid, login()],
    );
    return rows[0]!.bound;
  }

  /** What rules, policies and the audit are told on this connection. */
  async function seen(client: pg.Client): Promise<unknown> {
    const { rows } = await client.query(
      "select m.service, host(m.ip) as ip, portolan.claims() as claims from portolan.me m",
    );
    return rows[0];
  }

  it("is not that of another one, which had its number and its login", async () => {
    const client = await loggedIn();
    try {
      assert.equal(await bind(client), true);
      assert.deepEqual(await seen(client), { service: "graphql", ip: "192.0.2.7", claims: { jti: "one" } });
      await gateway.database.client.query("update portolan.own_sessions set started = started - interval '1 second'");
      assert.deepEqual(await seen(client), { service: null, ip: null, claims: {} });
    } finally {
      await client.end();
    }
  });

  it("is refused where the role that logged in is gone, and another one has its name", async () => {
    const client = await loggedIn();
    try {
      await gateway.database.client.query("select portolan.drop_user('eve'); select portolan.create_user('eve', null)");
      assert.equal(await bind(client), false);
    } finally {
      await client.end();
    }
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
