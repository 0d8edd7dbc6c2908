/** A login of an account that PostgreSQL refuses: who is told, and that nothing runs on a shared login instead. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import pg from "pg";
import pino from "pino";
import type { DatabaseConfig } from "../../server/kernel/config.ts";
import { withLogin } from "../../server/kernel/connectionString.ts";
import { prepareDatabase } from "../../server/prepareDatabase.ts";
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

describe("a login of an account that cannot connect", () => {
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

  /** Each door answers 503 with the reason, no code of the author runs, and accounts that need no such login are served. */
  async function isRefused(reason: RegExp): Promise<void> {
    told.length = 0;
    for (const [door, run] of Object.entries(doors())) {
      const { status, text } = await run();
      assert.ok(
        status === 503 || ((door === "graphql" || door === "method") && status === 200),
        `${door}: ${status} ${text}`,
      );
      assert.match(text, door === "map" ? /UNAVAILABLE/ : reason, door);
    }
    // a connection that is in use for a moment makes the pool try another one
    await until(async () => (await graphql("{ getPlain { id } }")).text === '{"data":{"getPlain":[{"id":"1"}]}}');
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

  /** Runs `callback` while pg_hba.conf begins with these lines; `isRead` tells whether the postmaster has read them. */
  async function withRules(
    lines: string,
    isRead: () => Promise<boolean>,
    callback: () => Promise<void>,
  ): Promise<void> {
    const { client } = gateway.database;
    const { rows: shown } = await client.query<{ hba_file: string }>("show hba_file");
    const file = shown[0]!.hba_file;
    const before = await readFile(file, "utf8");
    const reload = async (text: string): Promise<void> => {
      await writeFile(file, text);
      await client.query("select pg_reload_conf()");
    };
    try {
      await reload(`${lines}\n${before}`);
      await until(isRead);
      await callback();
    } finally {
      await reload(before);
      await until(async () => !(await isRead()));
    }
  }
  const rejecting = (role: string): string => `local all "${role}" reject\nhost all "${role}" all reject`;

  it("since pg_hba.conf rejects it", async () => {
    await isServed();
    const isRead = async (): Promise<boolean> => {
      await endConnections();
      return /refuses that login/.test((await doors().rows()).text);
    };
    await withRules(rejecting(login()), isRead, () => isRefused(/PostgreSQL refuses that login/));
    await isServed();
  });

  it("is told at the start, as that of requests is, in one line each", async () => {
    const { name, url, gatewayUrl } = gateway.database;
    const start = async (): Promise<string[]> => {
      const lines: string[] = [];
      const log = pino(
        { level: "warn" },
        { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
      );
      await prepareDatabase({ name, url: gatewayUrl, ownerUrl: url } as DatabaseConfig, log);
      return lines;
    };
    const usual = await start();
    const more = async (): Promise<string[]> => (await start()).filter((line) => !usual.includes(line));
    const isRejected = async (): Promise<boolean> => /rejects/.test(await refusalOf(`.pool@${name}`));
    const isLetIn = async (): Promise<boolean> => (await refusalOf(login())) === "";
    await withRules(rejecting(`.pool@${name}`), isRejected, async () => {
      const [line, ...others] = await more();
      assert.match(
        line ?? "",
        /^PostgreSQL refuses the login of requests, .*trusted owners .*can read the signing key \(.*pg_hba/,
      );
      assert.deepEqual(others, []);
    });
    const trusting = `local all "${login()}" trust\nhost all "${login()}" all trust`;
    await withRules(trusting, isLetIn, async () =>
      assert.deepEqual(await more(), ["PostgreSQL does not ask the roles of accounts for passwords"]),
    );
    assert.deepEqual(await more(), []);
  });

  /** With a wrong password; empty where it is let in. */
  async function refusalOf(role: string): Promise<string> {
    const client = new pg.Client({ connectionString: withLogin(gateway.database.gatewayUrl, role, "wrong") });
    const refusal = await client.connect().then(
      () => "",
      (error: Error) => error.message,
    );
    await client.end().catch(() => undefined); // it was never connected
    return refusal;
  }
  const poolLogin = (): string => `.pool@${gateway.database.name}`;
  const endRequests = () =>
    gateway.database.client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'portolan requests' and datname = current_database()",
    );
  const loginsOfRequests = async (): Promise<string[]> => {
    const { rows } = await gateway.database.client.query<{ usename: string }>(
      "select distinct usename from pg_stat_activity where application_name = 'portolan requests' and datname = current_database()",
    );
    return rows.map(({ usename }) => usename);
  };

  it("of all requests is 503 from when it was let in once, until it is again, and the gateway's own is not used", async () => {
    const plain = (): Promise<{ status: number; text: string }> => graphql("{ getPlain { id } }");
    await until(async () => (await plain()).status === 200);
    const isRejected = async (): Promise<boolean> => /rejects/.test(await refusalOf(poolLogin()));
    await withRules(rejecting(poolLogin()), isRejected, async () => {
      await endRequests();
      await until(async () => /does not let in the login that requests use/.test((await plain()).text));
      for (let n = 0; n < 5; n++) assert.match((await plain()).text, /"UNAVAILABLE"/);
      const rows = await ask("GET", "/api/v4/schemas/shop/tables/plain/rows");
      assert.equal(rows.status, 503);
      assert.deepEqual(await loginsOfRequests(), []);
    });
    await until(async () => (await plain()).text === '{"data":{"getPlain":[{"id":"1"}]}}');
    assert.deepEqual(await loginsOfRequests(), [poolLogin()]);
  });

  it("of all requests whose password was changed gets the right one again", async () => {
    await gateway.database.client.query(`alter role "${poolLogin()}" password 'another'`);
    await endRequests();
    // a connection that PostgreSQL has just ended may still be taken
    await until(async () => (await graphql("{ getPlain { id } }")).status === 200);
    assert.deepEqual(await loginsOfRequests(), [poolLogin()]);
  });

  it("of all requests that was never let in is the gateway's own, until it is", async () => {
    const { client, name } = gateway.database;
    const { rows } = await client.query<{ role: string }>("select role from portolan.users where name = 'eve'");
    const identity = { database: name, name: "eve", role: rows[0]!.role, roleMade: true, claims: {} };
    const database = openAsGateway(gateway.database, { tryPoolLoginMs: 100 });
    const whoAmI = (): Promise<string> =>
      database.withIdentity(identity, { service: "graphql", reach: [] }, async (transaction) => {
        const told = await transaction.query<{ who: string }>({ text: "select session_user::text as who" });
        return told.rows[0]!.who;
      });
    const isRejected = async (): Promise<boolean> => /rejects/.test(await refusalOf(poolLogin()));
    try {
      await withRules(rejecting(poolLogin()), isRejected, async () => assert.equal(await whoAmI(), "gateway"));
      await until(async () => (await whoAmI()) === poolLogin());
    } finally {
      await database.close();
    }
  });

  it("since the database takes no connections", async () => {
    const outside = new pg.Client({ connectionString: (await testCluster()).url("postgres") });
    await outside.connect();
    const allow = (how: boolean) => outside.query(`alter database ${gateway.database.name} allow_connections ${how}`);
    // the gateway's own queries have all their connections by then, so that only the account's is missing
    await Promise.all(Array.from({ length: 4 }, isServed));
    await endConnections();
    try {
      await allow(false);
      await isRefused(/PostgreSQL does not answer/);
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
