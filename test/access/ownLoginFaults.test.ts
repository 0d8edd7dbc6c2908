/** A login of an account that PostgreSQL does not let in: who is told, and that nothing runs on a shared login instead. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import pg from "pg";
import { openAsGateway, testCluster } from "../support/databases.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const CODE = `
create role refused_author login;
create schema shop;
create table shop.orders (id int primary key, geom geometry(point, 4326), who text);
insert into shop.orders values (1, st_setsrid(st_makepoint(1, 1), 4326));
create function shop.tell() returns boolean language plpgsql volatile as $$
begin
  perform pg_notify('told', session_user);
  return true;
end $$;
alter table shop.orders enable row level security;
create policy tells on shop.orders using (shop.tell());
create function shop.who() returns text language sql stable as $$
  select concat_ws(' ', session_user, current_setting('application_name'))
$$;
grant usage on schema shop to public;
grant select on shop.orders to public;
alter table shop.orders owner to refused_author;
alter function shop.tell() owner to refused_author;
alter function shop.who() owner to refused_author;
create table shop.plain (id int primary key);
insert into shop.plain values (1);
grant select on shop.plain to public;
select portolan.create_user('eve', null), portolan.create_method('orders', 'select id from shop.orders')`;

describe("a login of an account that cannot connect", function () {
  this.timeout(180_000);
  let gateway: TestGateway;
  let token: string;
  const told: string[] = [];

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["shop"] },
      prepare: ({ client }) => client.query(CODE),
    });
    token = await gateway.token("eve");
    const { client } = gateway.database;
    client.on("notification", ({ payload = "" }) => told.push(payload));
    await client.query("listen told");
    await graphql("{ getPlain { id } }"); // so that the shared login has a connection
  });
  after(async () => {
    await gateway.database.client.query("drop owned by refused_author cascade; drop role refused_author");
    await gateway.close();
  });

  async function ask(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    const response = await fetch(gateway.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  }
  const graphql = (query: string) => ask("POST", "/api/graphql/schema/shop", JSON.stringify({ query }));
  const ogc = (path: string) =>
    ask("GET", `/api/v4/ogc/database/${gateway.database.name}/collections/shop.orders${path}`);
  const login = (): string => `eve@${gateway.database.name}`;

  const doors = () => ({
    graphql: () => graphql("{ getOrders { id } }"),
    rows: () => ask("GET", "/api/v4/schemas/shop/tables/orders/rows"),
    items: () => ogc("/items"),
    tile: () => ogc("/tiles/WebMercatorQuad/0/0/0"),
    map: () => ogc("/map?width=32&height=32&bbox=0,0,3,3"),
    sql: () => ask("POST", "/api/v4/sql", '{"q":"select id from shop.orders"}'),
    method: () => ask("POST", "/api/v4/call", '{"jsonrpc":"2.0","id":1,"method":"orders"}'),
  });

  const endConnections = () =>
    gateway.database.client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [
      login(),
    ]);

  /** Each door says 503 with the reason, nothing of the author's runs, and who needs no such login is served. */
  async function isRefused(reason: RegExp, isOthersServed = true): Promise<void> {
    told.length = 0;
    for (const [door, run] of Object.entries(doors())) {
      const { status, text } = await run();
      assert.ok(
        status === 503 || ((door === "graphql" || door === "method") && status === 200),
        `${door}: ${status} ${text}`,
      );
      assert.match(text, door === "map" ? /UNAVAILABLE/ : reason, door);
    }
    if (isOthersServed) assert.equal((await graphql("{ getPlain { id } }")).text, '{"data":{"getPlain":[{"id":"1"}]}}');
    await gateway.database.client.query("notify told, 'end'");
    await until(() => told.includes("end"));
    assert.deepEqual(told, ["end"]);
  }

  async function isServed(): Promise<void> {
    for (const [door, run] of Object.entries(doors())) {
      const { status, text } = await run();
      assert.ok(status === 200 && !/"errors?":/.test(text), `${door}: ${status} ${text}`);
    }
  }

  it("since pg_hba.conf rejects it", async () => {
    await isServed();
    const { client } = gateway.database;
    const { rows: shown } = await client.query<{ hba_file: string }>("show hba_file");
    const file = shown[0]!.hba_file;
    const before = await readFile(file, "utf8");
    const reload = async (text: string): Promise<void> => {
      await writeFile(file, text);
      await client.query("select pg_reload_conf()");
      const { rows } = await client.query<{ count: number }>("select count(*)::int from pg_hba_file_rules");
      assert.ok(rows[0]!.count > 0);
    };
    try {
      await reload(`local all "${login()}" reject\nhost all "${login()}" all reject\n${before}`);
      await until(async () => {
        await endConnections();
        return /does not let it in/.test((await doors().rows()).text); // the postmaster has read the file
      });
      await isRefused(/PostgreSQL does not let it in/);
    } finally {
      await reload(before);
    }
    await until(async () => (await doors().rows()).status === 200);
    await isServed();
  });

  it("since the database takes no connections", async () => {
    const outside = new pg.Client({ connectionString: (await testCluster()).url("postgres") });
    await outside.connect();
    const allow = (how: boolean) => outside.query(`alter database ${gateway.database.name} allow_connections ${how}`);
    await endConnections();
    try {
      await allow(false);
      // the gateway's own connections may be among those that cannot be made
      await isRefused(/PostgreSQL does not answer it|The service is not available/, false);
    } finally {
      await allow(true);
      await outside.end();
    }
    await isServed();
  });

  it("is never a pooler's: behind one in transaction mode it connects to PostgreSQL itself", async () => {
    const { gatewayUrl, client } = gateway.database;
    const database = openAsGateway(gateway.database, {
      pooledUrl: `${gatewayUrl}${gatewayUrl.includes("?") ? "&" : "?"}fallback_application_name=pooler`,
    });
    try {
      const { rows } = await client.query<{ role: string }>("select role from portolan.users where name = 'eve'");
      const identity = {
        database: gateway.database.name,
        name: "eve",
        role: rows[0]!.role,
        roleMade: true,
        claims: {},
      };
      const told = await database.withIdentity(
        identity,
        { service: "graphql", reach: [{ schema: "shop", name: "who", request: "call" }] },
        (transaction) => transaction.query<{ who: string }>({ text: "select shop.who()" }),
      );
      assert.deepEqual(told.rows, [{ who: `${login()} portolan own sql` }]);
    } finally {
      await database.close();
    }
  });
});
