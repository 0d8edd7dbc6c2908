/** Code of a schema owner who is not trusted, run through every interface: as whom it runs, and what it leaves behind. */
import assert from "node:assert/strict";
import { command } from "../support/commands.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { GRANTS_FOR_OTHERS } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Tells who it runs as, and who it can become: by NOTIFY, which a reading transaction may send. */
const TRAP = `
create role author login;
create schema shop;
create function shop.trap(way text) returns boolean language plpgsql volatile as $$
declare
  v_became text := '';
begin
  begin
    perform set_config('role', 'none', true);
    perform portolan.secrets();
    v_became := 'the gateway';
  exception when others then
    null;
  end;
  begin
    perform set_config('role', 'captain@' || current_database(), true);
    if session_user <> current_user then
      v_became := v_became || 'captain';
    end if;
  exception when others then
    null;
  end;
  perform pg_notify('trap', concat_ws(' ', way, session_user, v_became));
  perform set_config('TimeZone', 'Asia/Tokyo', false), set_config('jwt.claims.admin', 'yes', false);
  return true;
end $$;
create table shop.orders (id int primary key, name text, geom geometry(point, 4326));
create function shop.on_write() returns trigger language plpgsql as $$
begin
  perform shop.trap('trigger');
  return new;
end $$;
insert into shop.orders values (1, 'one', st_setsrid(st_makepoint(1, 1), 4326)), (2, 'two', st_setsrid(st_makepoint(2, 2), 4326));
create trigger on_write before insert or update on shop.orders for each row execute function shop.on_write();
alter table shop.orders enable row level security;
create policy own on shop.orders using (shop.trap('policy'));
create function shop.label(o shop.orders) returns text language sql stable as $$ select shop.trap('computed')::text $$;
create function shop.total() returns int language plpgsql stable as $$ begin perform shop.trap('function'); return 1; end $$;
alter function shop.trap(text) owner to author;
alter function shop.on_write() owner to author;
alter function shop.label(shop.orders) owner to author;
alter function shop.total() owner to author;
alter table shop.orders owner to author;
grant usage on schema shop to public;
grant select, insert, update, delete on shop.orders to public;
alter schema shop owner to author;
create table public.plain (id int primary key, zone text default current_setting('TimeZone'), admin text default current_setting('jwt.claims.admin', true));
grant select, insert on public.plain to public`;

describe("code of a schema owner who is not trusted", () => {
  let gateway: TestGateway;
  const told: string[] = [];

  before(async () => {
    gateway = await testGateway({
      config: { schemas: ["shop", "public", "world"], ogc: { transactions: true } },
      prepare: ({ client }) => client.query(TRAP),
    });
    gateway.database.client.on("notification", ({ payload = "" }) => told.push(payload));
    await gateway.database.client.query("listen trap");
  });

  after(() => gateway.close());

  /** What the trap has told since the last time. */
  async function tellings(): Promise<string[]> {
    await until(() => told.length > 0);
    return [...new Set(told.splice(0))].sort();
  }

  async function rest(account: string, path: string, init: { method?: string; type?: string; body?: string } = {}) {
    const response = await fetch(gateway.baseUrl + path, {
      method: init.method ?? "GET",
      headers: {
        Authorization: `Bearer ${await gateway.token(account)}`,
        ...(init.body !== undefined && { "Content-Type": init.type ?? "application/json" }),
      },
      ...(init.body !== undefined && { body: init.body }),
    });
    return { status: response.status, text: await response.text() };
  }

  const ogc = (rest: string): string => `/api/v4/ogc/database/${gateway.database.name}/collections/shop.orders${rest}`;

  it("is told by the catalogue: who, and through what", async () => {
    const { client } = gateway.database;
    const { rows } = await client.query<{ owner: string; via: string }>(
      "select owner, via from portolan.code_owners('shop.orders')",
    );
    assert.ok(rows.some(({ owner, via }) => owner === "author" && via.includes("policy own on shop.orders")));
    assert.deepEqual((await client.query("select * from portolan.code_owners('public.plain')")).rows, []);
  });

  it("is not run to try rules, which takes DDL and the caller in one transaction", async () => {
    const explain = (rules?: readonly object[]) =>
      rest("captain", "/api/v4/access/explain", {
        method: "POST",
        body: JSON.stringify({ account: "guest", relation: "shop.orders", ...(rules && { rules }) }),
      });
    const { status, text } = await explain([{ username: "guest", table: "orders", access: "deny" }]);
    assert.deepEqual([status, JSON.parse(text).code], [403, "UNTRUSTED_CODE"], text);
    assert.equal((await explain()).status, 200);
  });

  it("is told to super users: over REST, by the command line and by doctor", async () => {
    const path = (table: string): string => `/api/v4/schemas/${table.replace(".", "/tables/")}/code-owners`;
    const { status, text } = await rest("captain", path("shop.orders"));
    assert.equal(status, 200, text);
    const owners = JSON.parse(text) as { owner: string; via: string; reads: boolean }[];
    assert.ok(owners.some(({ owner, via, reads }) => owner === "author" && reads && via.includes("policy own")));
    assert.ok(owners.some(({ via, reads }) => !reads && via.includes("trigger on_write")));
    assert.deepEqual(await rest("captain", path("public.plain")), { status: 200, text: "[]" });
    assert.equal((await rest("guest", path("shop.orders"))).status, 403);
    const inSchema = await rest("captain", "/api/v4/schemas/shop/code-owners");
    assert.deepEqual(JSON.parse(inSchema.text), [{ table: "orders", reads: "author", writes: "author" }]);
    assert.equal((await rest("guest", "/api/v4/schemas/shop/code-owners")).status, 403);
    assert.equal((await rest("captain", "/api/v4/schemas/none/code-owners")).status, 404);
    assert.equal((await rest("captain", path("shop.none"))).status, 404);
    const { gatewayUrl, url } = gateway.database;
    const portolan = (...args: string[]): string =>
      command(args, { env: { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url } }).stdout;
    assert.match(portolan("code-owners", "shop.orders"), /author .*policy own on shop\.orders/);
    const doctor = portolan("doctor");
    assert.match(doctor, /a super user who reads shop\.orders runs code of the untrusted role author/);
    const unread = `a super user who reads world\\.cities can run code of untrusted roles: .* functions of owner@${gateway.database.name}\n.*trustedFunctions`;
    assert.match(doctor, new RegExp(unread));
  });

  it("runs as the account itself, and becomes nobody, through every interface", async () => {
    const login = `guest@${gateway.database.name}`;
    const ways: Record<string, () => Promise<{ status: number; text: string }>> = {
      list: async () => gateway.graphql("guest", "shop", "{ getOrders { id name label } }"),
      function: async () => gateway.graphql("guest", "shop", "{ total }"),
      insert: async () =>
        gateway.graphql("guest", "shop", 'mutation { insertOrders(data: {id: 3, name: "x"}) { id } }'),
      update: async () =>
        gateway.graphql("guest", "shop", 'mutation { updateOrders(id: "3", data: {name: "y"}) { id } }'),
      rows: () => rest("guest", "/api/v4/schemas/shop/tables/orders/rows"),
      import: () =>
        rest("guest", "/api/v4/schemas/shop/tables/orders/import", {
          method: "POST",
          type: "text/csv",
          body: "id,name\n4,z\n",
        }),
      items: () => rest("guest", ogc("/items")),
      item: () => rest("guest", ogc("/items/1")),
      map: () => rest("guest", ogc("/map?width=64&height=64&bbox=0,0,3,3")),
      tile: () => rest("guest", ogc("/tiles/WebMercatorQuad/0/0/0")),
      sql: () =>
        rest("guest", "/api/v4/sql", {
          method: "POST",
          body: JSON.stringify({ q: "select count(*) from shop.orders" }),
        }),
    };
    for (const [way, ask] of Object.entries(ways)) {
      const { status, text } = (await ask()) as { status: number; text: string };
      assert.ok(status < 300, `${way}: ${status} ${text}`);
      for (const telling of await tellings()) assert.match(telling, new RegExp(`^\\w+ ${login} *$`), way);
    }
  });

  it("meets the rules of the interface that the request came through, and reads the claims of the token", async () => {
    const { client } = gateway.database;
    await client.query(`create table shop.signs (id int primary key, name text);
insert into shop.signs values (1, 'seen');
create function shop.who() returns text language sql stable as $$ select portolan.claims() ->> 'sub' $$;
create function shop.forged() returns text language plpgsql volatile as $$
begin
  perform set_config('request.jwt.claims', '{"sub":"captain"}', true), set_config('portolan.service', 'ogc', true);
  return (select concat_ws(' ', m.name, m.service, portolan.claims() ->> 'sub') from portolan.me m);
end $$;
grant select on shop.signs to public;
alter table shop.signs owner to author;
alter function shop.who() owner to author;
alter function shop.forged() owner to author;
select portolan.create_rule('{"username":"guest","service":"graphql","schema":"shop","table":"signs","access":"deny"}')`);
    await until(async () => {
      const { body } = await gateway.graphql("guest", "shop", "mutation { forged }");
      return "data" in (body as object);
    });
    const forged = await gateway.graphql("guest", "shop", "mutation { forged }");
    assert.deepEqual(forged.body, { data: { forged: "guest graphql guest" } });
    const { body } = await gateway.graphql("guest", "shop", "{ getSigns { name } }");
    assert.match(JSON.stringify(body), /FORBIDDEN/);
    const read = { method: "POST", body: JSON.stringify({ q: "select name from shop.signs" }) };
    assert.match((await rest("guest", "/api/v4/sql", read)).text, /seen/);
  });

  it("sees in a session that nobody registered what every rule that limits leaves, and none that allows one interface", async () => {
    const { client, name } = gateway.database;
    await client.query(`create table public.mapped (id int primary key);
insert into public.mapped values (1), (2);
select portolan.set_privilege('public.mapped', 'guest', 'read');
select portolan.create_rule('{"username":"guest","service":"ogc","schema":"public","table":"mapped","access":"allow","priority":1}');
select portolan.create_rule('{"username":"guest","service":"rpc","schema":"public","table":"mapped","access":"limit","filter":"id = 2","priority":2}')`);
    await client.query(`begin; set local session authorization "guest@${name}"`);
    const { rows } = await client.query("select id from public.mapped");
    await client.query("rollback");
    assert.deepEqual(rows, [{ id: 2 }]);
  });

  it("is not believed who wrote, and from where: history, workflow and audit name who was registered", async () => {
    const { client } = gateway.database;
    await client.query(`create function shop.forge() returns int language plpgsql volatile as $$
begin
  perform set_config('portolan.user', 'captain', false), set_config('portolan.ip', '203.0.113.66', false);
  return 1;
end $$;
create table shop.papers (id int primary key, name text);
grant select, insert on shop.papers to public;
alter function shop.forge() owner to author;
alter table shop.papers owner to author;
select portolan.enable_workflow('shop.papers');
select portolan.set_workflow_role('shop.papers', 'guest', 'publisher');
select portolan.enable_versioning('shop.papers')`);
    const text = 'mutation { forge insertPapers(data: {id: 1, name: "x"}) { id } }';
    let answer: unknown;
    await until(async () => {
      answer = (await gateway.graphql("guest", "shop", text)).body;
      return Boolean((answer as { data?: { forge?: number } }).data?.forge);
    });
    assert.deepEqual(answer, { data: { forge: 1, insertPapers: [{ id: "1" }] } });
    const { rows } = await client.query(
      `select portolan.writer(h.portolan_by) as writer, a.account, a.address
      from shop__history.papers h, portolan.audit a
      where h.portolan_to = 'infinity' and a.details ->> 'key' = '1' and a.details ->> 'relation' = 'shop.papers'`,
    );
    assert.deepEqual(rows, [{ writer: "guest", account: "guest", address: "127.0.0.1" }]);
  });

  it("is 503 with the reason where the account's login cannot connect, and serves again when it can", async () => {
    const { client, name } = gateway.database;
    const login = `guest@${name}`;
    const ask = {
      list: async () => (await gateway.graphql("guest", "shop", "{ getOrders { id } }")).body as object,
      map: () => rest("guest", ogc("/map?width=64&height=64&bbox=0,0,3,3")),
      items: () => rest("guest", ogc("/items")),
    };
    /** No connection of the account is left, MapServer's included. */
    const change = async (how: string): Promise<void> => {
      await client.query(`alter role "${login}" ${how}`);
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [login]);
    };
    await change("password 'somebody else has set it'");
    assert.equal((await ask.map()).status, 200);
    await change("password 'and once more'");
    assert.ok("data" in (await ask.list()));
    await change("nologin");
    assert.equal((await ask.items()).status, 200);
    await change("connection limit 0");
    told.length = 0;
    const refused = /UNAVAILABLE.*PostgreSQL has no more connections|PostgreSQL has no more connections.*UNAVAILABLE/;
    assert.match(JSON.stringify(await ask.list()), refused);
    const items = await ask.items();
    assert.deepEqual([items.status, refused.test(items.text)], [503, true], items.text);
    const map = await ask.map();
    assert.deepEqual([map.status, JSON.parse(map.text).code], [503, "UNAVAILABLE"]);
    assert.deepEqual(told, []);
    await change("connection limit 24");
    assert.equal((await ask.map()).status, 200);
    assert.ok("data" in (await ask.list()));
    await tellings();
  });

  it("gives the account no setting that its next connection begins with", async () => {
    const { client, name } = gateway.database;
    await client.query(`create function shop.stay() returns int language plpgsql volatile as $$
begin
  execute format('alter role %I set search_path = shop', session_user);
  execute format('alter role %I in database %I set timezone = ''Asia/Tokyo''', session_user, current_database());
  return 1;
end $$;
create function shop.path() returns text language sql volatile as $$
  select concat_ws(' ', current_setting('search_path'), current_setting('TimeZone'))
$$;
alter function shop.stay() owner to author;
alter function shop.path() owner to author`);
    const path = async (): Promise<unknown> => (await gateway.graphql("guest", "shop", "mutation { path }")).body;
    await until(async () => "data" in ((await path()) as object));
    const before = await path();
    assert.deepEqual((await gateway.graphql("guest", "shop", "mutation { stay }")).body, { data: { stay: 1 } });
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [`guest@${name}`]);
    await until(async () => "data" in ((await path()) as object));
    assert.deepEqual(await path(), before);
  });

  it("gives the account no setting that ends each of its connections, also with another password", async () => {
    const { client, name } = gateway.database;
    await client.query(`create function shop.shut() returns int language plpgsql volatile as $$
begin
  execute format('alter role %I set local_preload_libraries = missing', session_user);
  execute format('alter role %I password ''other''', session_user);
  return 1;
end $$;
alter function shop.shut() owner to author`);
    const shut = async (): Promise<unknown> => (await gateway.graphql("guest", "shop", "mutation { shut }")).body;
    for (let time = 0; time < 2; time++) {
      await until(async () => "data" in ((await shut()) as object));
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [
        `guest@${name}`,
      ]);
    }
    await until(async () => (await gateway.graphql("guest", "shop", "{ getOrders { id } }")).status === 200);
  });

  onlyIf(GRANTS_FOR_OTHERS, "PostgreSQL before 16")(
    "does not keep the account's role, where that could give itself",
    async () => {
      const { client, name } = gateway.database;
      const role = `guest@${name}`;
      const isMember = async (): Promise<boolean> =>
        (await client.query<{ is: boolean }>("select pg_has_role('author', $1, 'member') as is", [role])).rows[0]!.is;
      await client.query(`grant "${role}" to author granted by "${role}"`);
      assert.equal(await isMember(), true);
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", [role]);
      await until(async () => "data" in (await gateway.graphql("guest", "shop", "mutation { path }")).body);
      assert.equal(await isMember(), false);
    },
  );

  it("leaves no setting to the next request", async () => {
    await gateway.graphql("guest", "shop", "{ getOrders { id } }");
    const { body } = await gateway.graphql("guest", "public", "mutation { insertPlain(data: {id: 1}) { zone admin } }");
    const { insertPlain } = (body as { data: { insertPlain: readonly { zone: string; admin: string | null }[] } }).data;
    assert.notEqual(insertPlain[0]?.zone, "Asia/Tokyo");
    assert.ok(!insertPlain[0]?.admin);
  });
});
