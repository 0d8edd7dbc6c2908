/** What code of a trusted role leaves behind on a connection, and who has that next. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const FUNCTIONS = `
create schema shop;
grant usage on schema shop to public;
create function shop.leave() returns int language plpgsql volatile security definer as $$
begin
  perform set_config('TimeZone', 'Asia/Tokyo', false), set_config('jwt.claims.admin', 'yes', false);
  perform pg_advisory_lock(7);
  execute 'create temporary table left_behind (id int)';
  execute 'listen left_behind';
  execute 'declare left_behind cursor with hold for select 1';
  return 1;
end $$;
create table shop.guarded (id int primary key, zone text default set_config('TimeZone', 'Asia/Tokyo', false));
insert into shop.guarded values (1, null);
alter table shop.guarded enable row level security;
create policy sets on shop.guarded using (set_config('jwt.claims.admin', 'yes', false) is not null);
create view shop.looks as select id, set_config('TimeZone', 'Asia/Tokyo', false) as zone from generate_series(1, 3) id;
create extension if not exists pg_trgm schema public;
create view shop.similar as select id, public.set_limit(0.9)::text as zone from generate_series(1, 3) id;
create table shop.defaulted (like shop.guarded including defaults, primary key (id));
grant select on shop.guarded, shop.looks, shop.similar to public;
grant select, insert on shop.defaulted to public;
create function shop.hold(id int) returns boolean language plpgsql stable security definer as $$
begin
  perform pg_advisory_lock(8), set_config('TimeZone', 'Asia/Tokyo', false);
  return true;
end $$;
create table shop.held (id int primary key);
insert into shop.held values (1);
alter table shop.held enable row level security;
create policy holds on shop.held using (shop.hold(id));
create table shop.tried (id int primary key);
insert into shop.tried values (1);
grant select on shop.held, shop.tried to public;
create function shop.replace() returns int language plpgsql volatile as $$
declare
  v_name text;
begin
  for v_name in select name from pg_prepared_statements where statement ~ 'getSeen|seen' loop
    execute format('deallocate %I', v_name);
    execute format('prepare %I as select 666', v_name);
  end loop;
  execute 'prepare left_behind as select 1';
  return 1;
end $$;
create function shop.forget() returns int language plpgsql volatile as $$
declare
  v_name text;
begin
  for v_name in select name from pg_prepared_statements where not from_sql limit 1 loop
    execute format('deallocate %I', v_name);
  end loop;
  return pg_backend_pid();
end $$;
create function shop.process() returns int language plpgsql stable as $$ begin return pg_backend_pid(); end $$;
create function shop.seen() returns text language sql stable as $$
  select concat_ws(' ', current_setting('TimeZone'), nullif(current_setting('jwt.claims.admin', true), ''),
    nullif(current_setting('pg_trgm.similarity_threshold', true), '0.3'),
    (select count(*) from pg_class where relname = 'left_behind'),
    (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()),
    (select count(*) from pg_listening_channels()), (select count(*) from pg_cursors where is_holdable),
    (select count(*) from pg_prepared_statements where from_sql))
$$`;

describe("what code of a trusted role leaves behind", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      config: { schemas: ["shop"], poolSize: 1 },
      prepare: ({ client }) => client.query(FUNCTIONS),
    });
  });

  after(() => gateway.close());

  const seen = async (account: string): Promise<unknown> => (await gateway.graphql(account, "shop", "{ seen }")).body;

  it("ends with the request, for the same account and for others", async () => {
    const before = await seen("captain");
    assert.match(JSON.stringify(before), / 0 0 0 0 0"/);
    assert.deepEqual((await gateway.graphql("guest", "shop", "mutation { leave }")).body, { data: { leave: 1 } });
    assert.deepEqual(await seen("guest"), before);
    assert.deepEqual(await seen("captain"), before);
  });

  it("ends with the request also where no function of anybody's is called: in views, policies and defaults", async () => {
    const before = await seen("captain");
    const own = await seen("guest");
    for (const query of [
      "{ getLooks { id zone } }",
      "{ getSimilar { id zone } }",
      "{ getGuarded { id } }",
      "mutation { insertDefaulted(data: {id: ID}) { zone } }",
    ])
      for (let n = 0; n < 4; n++) {
        const { body } = await gateway.graphql("guest", "shop", query.replace("ID", String(n)));
        assert.ok("data" in body && !("errors" in body), JSON.stringify(body));
        assert.deepEqual(await seen("guest"), own, query);
        assert.deepEqual(await seen("captain"), before, query);
      }
  });

  it("ends with the question what an account sees, also under rules that are only tried", async () => {
    const before = await seen("captain");
    const own = await seen("guest");
    const explain = async (question: object): Promise<void> => {
      const response = await fetch(`${gateway.baseUrl}/api/v4/access/explain`, {
        method: "POST",
        headers: { Authorization: `Bearer ${await gateway.token("captain")}`, "Content-Type": "application/json" },
        body: JSON.stringify({ account: "guest", ...question }),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.equal((JSON.parse(text) as { count: number }).count, 1);
    };
    for (const question of [
      { relation: "shop.held" },
      {
        relation: "shop.tried",
        rules: [{ schema: "shop", table: "tried", access: "limit", filter: "shop.hold(id)" }],
      },
    ]) {
      await explain(question);
      assert.deepEqual(await seen("guest"), own);
      assert.deepEqual(await seen("captain"), before);
    }
  });

  it("is closed with the connection where it has replaced prepared statements", async () => {
    const before = await seen("captain");
    assert.deepEqual((await gateway.graphql("guest", "shop", "mutation { replace }")).body, { data: { replace: 1 } });
    assert.deepEqual(await seen("captain"), before);
  });

  it("is closed with the connection where it has let a prepared statement go, and kept where not", async () => {
    const process = async (query: string): Promise<unknown> => {
      const { body } = await gateway.graphql("guest", "shop", query);
      return (Object.values((body as { data: object }).data) as unknown[])[0];
    };
    const first = await process("{ process }");
    for (let n = 0; n < 4; n++) assert.equal(await process("{ process }"), first);
    assert.equal(await process("mutation { forget }"), first);
    assert.notEqual(await process("{ process }"), first);
  });

  it("ends with the connection after a thousand requests: no command resets what a language keeps", async () => {
    const pids: unknown[] = [];
    while (pids.length < 1100) {
      const asked = Array.from({ length: 20 }, () => gateway.graphql("guest", "shop", "{ process }"));
      for (const { body } of await Promise.all(asked)) pids.push((body as { data: { process: unknown } }).data.process);
    }
    assert.equal(new Set(pids.slice(0, 900)).size, 1);
    assert.equal(new Set(pids).size, 2);
  });

  it("keeps the connection of an account that calls its methods, whatever is prepared on it", async () => {
    await gateway.database.client.query(
      "select portolan.create_method('process', 'select pg_backend_pid() as pid, :n::int as n'), portolan.create_method('other', 'select pg_backend_pid() as pid')",
    );
    const token = await gateway.token("captain");
    const pids = new Set<unknown>();
    for (let n = 0; n < 12; n++) {
      const method = n % 2 === 0 ? "process" : "other";
      const message = { jsonrpc: "2.0", method, id: 1, params: n % 2 === 0 ? { n } : {} };
      const { body } = await gateway.http.post("/api/v4/call").set("Authorization", `Bearer ${token}`).send(message);
      const { data } = (body as { result: { data: { pid: number }[] } }).result;
      pids.add(data[0]!.pid);
    }
    // the end of a read is not waited for, so that the next call may take another one of the six; 12 where each is closed
    assert.ok(pids.size <= 6, `${pids.size} connections`);
  });
});

const METHODS = `
create schema kept;
grant usage on schema kept to public;
create table kept.places (id int primary key, name text);
insert into kept.places values (1, 'one');
create table kept.others as table kept.places;
create function kept.lies() returns int language plpgsql stable security definer as $$
begin
  perform set_config('TimeZone', 'Asia/Tokyo', false), pg_advisory_lock(7);
  return 1;
end $$;
create view kept.hides as select id, kept.lies() as lies from kept.places;
create table kept.guarded (id int primary key);
insert into kept.guarded values (1);
alter table kept.guarded enable row level security;
create policy lies on kept.guarded using (kept.lies() = 1);
grant select on all tables in schema kept to public;
select portolan.create_method(m.name, m.q)
from (values
  ('plain', 'select p.id, upper(p.name) as name, count(*) over () as every from kept.places p order by p.id'),
  ('again', 'select id from kept.others where id = :id'),
  ('random', 'select random() < 2 as yes from kept.places'),
  ('function', 'select kept.lies()'),
  ('view', 'select lies from kept.hides'),
  ('policy', 'select id from kept.guarded'),
  ('set', 'select set_config(''TimeZone'', ''Asia/Tokyo'', false)'),
  ('seen', 'select current_setting(''TimeZone'') as zone, count(*) as locks from pg_locks where locktype = ''advisory'' and pid = pg_backend_pid()')
) m (name, q)`;

describe("what a stored method leaves behind", () => {
  let gateway: TestGateway;
  let token: string;

  before(async () => {
    gateway = await testGateway({
      config: { schemas: ["kept"], ownPoolSize: 1 },
      prepare: ({ client }) => client.query(METHODS),
    });
    token = await gateway.token("captain");
  });

  after(() => gateway.close());

  const call = async (method: string, params = {}): Promise<unknown> => {
    const message = { jsonrpc: "2.0", method, id: 1, params };
    const { body } = await gateway.http.post("/api/v4/call").set("Authorization", `Bearer ${token}`).send(message);
    assert.ok("result" in body, JSON.stringify(body));
    return (body as { result: { data: unknown } }).result.data;
  };

  /** The end of the account's latest request, once PostgreSQL has come to it. */
  const ended = async (): Promise<string> => {
    let query: string | undefined;
    await until(async () => {
      const { rows } = await gateway.database.client.query<{ query: string }>(
        "select query from pg_stat_activity where application_name = 'portolan own sql' and state = 'idle' and datname = current_database()",
      );
      query = rows.length === 1 ? rows[0]!.query : undefined;
      return query !== undefined;
    });
    return query!;
  };

  it("ends with the request, whatever the code that it runs is said to do", async () => {
    const before = await call("seen");
    assert.match(JSON.stringify(before), /"locks":0/);
    for (const method of ["function", "view", "policy", "set"])
      for (let n = 0; n < 3; n++) {
        assert.equal(((await call(method)) as unknown[]).length, 1);
        assert.deepEqual(await call("seen"), before, method);
      }
  });

  it("is nothing where it runs PostgreSQL's own functions alone: nothing is reset", async () => {
    for (const [method, params] of [["plain"], ["again", { id: 1 }], ["random"]] as const) {
      await call(method, params);
      assert.match(await ended(), /reset all/, `${method}, whose functions are not known yet`);
      await until(async () => {
        await call(method, params);
        return !/reset all/.test(await ended());
      });
    }
    await call("function");
    assert.match(await ended(), /reset all/);
  });

  it("ends with the request from when its table gets code", async () => {
    const { client } = gateway.database;
    const before = await call("seen");
    for (let n = 0; n < 2; n++) await call("plain");
    await client.query(`
alter table kept.places enable row level security;
create policy lies on kept.places using (kept.lies() = 1);`);
    await until(async () => {
      await call("plain");
      return /reset all/.test(await ended());
    });
    assert.deepEqual(await call("seen"), before);
  });

  it("ends with the request where an author decides what its names mean", async () => {
    const { client } = gateway.database;
    const isReset = async (): Promise<boolean> => {
      await call("again", { id: 1 });
      return /reset all/.test(await ended());
    };
    await until(async () => !(await isReset()));
    await client.query("create role kept_author; grant create on schema public to kept_author");
    try {
      await until(isReset);
    } finally {
      await client.query("revoke create on schema public from kept_author; drop role kept_author");
    }
  });
});
