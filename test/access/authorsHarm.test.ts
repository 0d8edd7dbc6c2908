/** Code of an author that does harm, through every interface: the caller is told, and nobody else notices. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

const TIMEOUT_MS = 1500;

/** What the author's code does next stands in its table `shop.mode`. A policy, a trigger and a computed column call it. */
const CODE = `
create role harm_author login password 'author';
create schema shop;
create extension dblink;
create table shop.mode (at text primary key, does text not null);
create table shop.orders (id int primary key, name text, geom geometry(point, 4326));
insert into shop.orders select i, 'a', st_setsrid(st_makepoint(i, i), 4326) from generate_series(1, 3) i;
create function shop.act(place text) returns boolean language plpgsql volatile security invoker as $$
declare
  v_does text := (select m.does from shop.mode m where m.at = place);
begin
  if session_user = 'harm_author' then
    return true; -- its own connection, from outside
  end if;
  case v_does
    when 'sleep' then perform pg_sleep(60);
    when 'sleep on' then
      for i in 1..60 loop
        begin
          perform set_config('statement_timeout', '0', false), pg_sleep(60);
        exception when query_canceled then null;
        end;
      end loop;
    when 'raise' then raise exception 'no such luck';
    when 'server going' then raise exception 'no such luck' using errcode = '57P01';
    when 'connection lost' then raise exception 'no such luck' using errcode = '08006';
    when 'cursor there' then raise exception 'no such luck' using errcode = '42P03';
    when 'outdated plan' then raise exception 'cached plan must not change result type' using errcode = '0A000';
    when 'no right' then raise exception 'no such luck' using errcode = '42501';
    when 'allocate' then perform length(repeat('x', ${sized(200_000_000, 1_000_000_000)}));
    when 'allocate too much' then perform length(repeat('x', 2000000000));
    when 'recurse' then return shop.act(place);
    when 'kill' then perform pg_terminate_backend(pg_backend_pid());
    when 'leave' then
      if exists (select from pg_cursors where name = 'left_behind') then
        return true; -- once in a transaction
      end if;
      execute 'declare left_behind cursor with hold for select 1';
      execute 'listen left_behind';
      perform shop.lock(), set_config('TimeZone', 'Asia/Tokyo', false), set_config('jwt.claims.admin', 'yes', false),
        set_config('role', 'none', false);
      if current_setting('transaction_read_only') = 'off' then
        execute 'create temporary table left_behind (id int)';
        execute 'create function pg_temp.left_behind() returns int language sql as ''select 1''';
      end if;
    when 'write again' then
      if coalesce(current_setting('harm.done', true), '') = '' then
        perform set_config('harm.done', 'yes', true),  dblink_exec('AGAIN', 'update shop.orders set name = ''from outside'' where id = 1');
      end if;
    else null;
  end case;
  return true;
end $$;
create function shop.lock() returns void language sql volatile security definer as $$
  select pg_advisory_lock(7), pg_advisory_lock_shared(8)
$$;
grant execute on function pg_advisory_lock(bigint), pg_advisory_lock_shared(bigint) to harm_author;
create function shop.on_write() returns trigger language plpgsql as 'begin perform shop.act(''trigger''); return new; end';
create trigger on_write after insert or update on shop.orders for each row execute function shop.on_write();
create function shop.label(o shop.orders) returns text language plpgsql stable as 'begin return shop.act(''column''); end';
create function shop.seen() returns text language sql volatile as $$
  select concat_ws(' ', current_user, current_setting('TimeZone'), nullif(current_setting('jwt.claims.admin', true), ''),
    current_setting('statement_timeout'),
    (select count(*) from pg_class where relname = 'left_behind') + (select count(*) from pg_proc where proname = 'left_behind'),
    (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()),
    (select count(*) from pg_listening_channels()), (select count(*) from pg_cursors where is_holdable))
$$;
alter table shop.orders enable row level security;
create policy seen on shop.orders using (shop.act('policy'));
grant usage on schema shop to public;
do 'begin execute format(''grant temporary on database %I to public'', current_database()); end';
grant select on shop.mode to public;
grant select, insert, update, delete on shop.orders to public;
alter function shop.act(text) owner to harm_author;
alter function shop.lock() owner to harm_author;
alter function shop.on_write() owner to harm_author;
alter function shop.label(shop.orders) owner to harm_author;
alter function shop.seen() owner to harm_author;
alter table shop.orders owner to harm_author;
alter schema shop owner to harm_author;
create table public.plain (id int primary key);
insert into public.plain values (1);
grant select on public.plain to public;`;

type Place = "policy" | "trigger" | "column";

interface Answer {
  readonly status: number;
  readonly text: string;
}

describe("harm that the code of an author does", function () {
  this.timeout(sized(120_000, 600_000));
  let gateway: TestGateway;
  let nextId = 100;

  before(async () => {
    gateway = await testGateway({
      config: {
        schemas: ["shop", "public"],
        ogc: { transactions: true },
        statementTimeoutMs: TIMEOUT_MS,
        mapTimeoutMs: 3000,
        poolSize: 4,
      },
      prepare: ({ client, url, name }) => {
        const { hostname, port } = new URL(url);
        const again = `host=${decodeURIComponent(hostname)} port=${port} dbname=${name} user=harm_author password=author`;
        return client.query(CODE.replace("AGAIN", again));
      },
    });
  });

  after(async () => {
    await gateway?.database.client.query("drop owned by harm_author cascade");
    await gateway?.close();
  });

  async function ask(
    account: string,
    method: string,
    path: string,
    { body, type = "application/json" }: { readonly body?: string; readonly type?: string } = {},
  ) {
    const response = await fetch(gateway.baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${await gateway.token(account)}`,
        ...(body !== undefined && { "Content-Type": type }),
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  }
  const graphql = (account: string, query: string, schema = "shop"): Promise<Answer> =>
    ask(account, "POST", `/api/graphql/schema/${schema}`, { body: JSON.stringify({ query }) });
  const ogc = (rest: string): string => `/api/v4/ogc/database/${gateway.database.name}/collections/shop.orders${rest}`;
  const ROWS = "/api/v4/schemas/shop/tables/orders";

  const DOORS: Readonly<Record<string, { readonly at: Place; readonly run: () => Promise<Answer> }>> = {
    "GraphQL, list": { at: "policy", run: () => graphql("guest", "{ getOrders { id name } }") },
    "GraphQL, computed column": { at: "column", run: () => graphql("guest", "{ getOrders { id label } }") },
    "GraphQL, insert": {
      at: "trigger",
      run: () => graphql("guest", `mutation { insertOrders(data: {id: ${nextId++}}) { id } }`),
    },
    "REST rows": { at: "policy", run: () => ask("guest", "GET", `${ROWS}/rows`) },
    import: {
      at: "trigger",
      run: () => ask("guest", "POST", `${ROWS}/import`, { body: `id,name\n${nextId++},z\n`, type: "text/csv" }),
    },
    items: { at: "policy", run: () => ask("guest", "GET", ogc("/items")) },
    item: { at: "policy", run: () => ask("guest", "GET", ogc("/items/1")) },
    "item that is written": {
      at: "trigger",
      run: () =>
        ask("guest", "PATCH", ogc("/items/1"), {
          body: '{"properties":{"name":"b"}}',
          type: "application/merge-patch+json",
        }),
    },
    tile: { at: "policy", run: () => ask("guest", "GET", ogc("/tiles/WebMercatorQuad/0/0/0")) },
    SQL: {
      at: "policy",
      run: () => ask("guest", "POST", "/api/v4/sql", { body: '{"q":"select id from shop.orders"}' }),
    },
  };
  /** Its words are MapServer's. */
  const MAP = { at: "policy", run: () => ask("guest", "GET", ogc("/map?width=64&height=64&bbox=0,0,4,4")) } as const;

  const failed = ({ status, text }: Answer): boolean => status >= 400 || /"errors":/.test(text);

  /** Lets the code do something, in one place or in all, and nothing elsewhere. */
  async function does(what: string, places: readonly Place[] = ["policy", "trigger", "column"]): Promise<void> {
    await gateway.database.client.query(
      "insert into shop.mode select unnest($2::text[]), $1 on conflict (at) do update set does = excluded.does",
      [what, places],
    );
  }

  /** Asks every door at once, while somebody else reads a table that has nothing to do with it. */
  async function drive(
    doors: Readonly<Record<string, { readonly run: () => Promise<Answer> }>>,
  ): Promise<Record<string, Answer>> {
    let isOver = false;
    const others = (async () => {
      for (let n = 0; n < 3 || !isOver; n++) {
        const { status, text } = await graphql("captain", "{ getPlain { id } }", "public");
        assert.deepEqual([status, text], [200, '{"data":{"getPlain":[{"id":"1"}]}}']);
      }
    })();
    const answers = await Promise.all(
      Object.entries(doors).map(async ([door, { run }]) => [door, await run()] as const),
    ).finally(() => (isOver = true));
    await others;
    return Object.fromEntries(answers);
  }

  /** All doors answer again, find nothing that was left, and no connection is in work. */
  async function isOver(before: string): Promise<void> {
    await does("nothing");
    const { client } = gateway.database;
    await until(async () => {
      const { rows } = await client.query<{ busy: string }>(
        "select query as busy from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and usename in ($1, $2)",
        [`guest@${gateway.database.name}`, "harm_author"],
      );
      return rows.length === 0;
    });
    // more at once than there are connections of one login, so that each of those is used
    const seen = await Promise.all(Array.from({ length: 12 }, () => graphql("guest", "mutation { seen }")));
    for (const { text } of seen) assert.equal(text, before);
    for (const [door, answer] of Object.entries(await drive({ ...DOORS, map: MAP })))
      assert.ok(!failed(answer), `${door}: ${answer.status} ${answer.text}`);
    const { rows } = await client.query(
      "select count(*)::int as locks from pg_locks where locktype = 'advisory' and objid in (7, 8) and database = (select oid from pg_database where datname = current_database())",
    );
    assert.deepEqual(rows, [{ locks: 0 }]);
    const { text } = await gateway.http.get("/metrics");
    assert.match(text, /^portolan_own_logins_waiting\{.*\} 0$/m);
  }

  /** What every door says of it. */
  const HARM: Readonly<Record<string, RegExp>> = {
    sleep: /504|TIMEOUT/,
    "sleep on": /50[34]|TIMEOUT|UNAVAILABLE/,
    raise: /no such luck/,
    "server going": /no such luck/,
    "connection lost": /no such luck/,
    "cursor there": /no such luck/,
    "outdated plan": /must not change/,
    "no right": /403|FORBIDDEN/,
    "allocate too much": /LIMIT_EXCEEDED/,
    recurse: /LIMIT_EXCEEDED/,
    kill: /403|FORBIDDEN/,
  };

  /** The others are alike. */
  const SMALL = /^(sleep on|server going|cursor there|outdated plan|allocate too much)$/;
  for (const [what, told] of Object.entries(HARM).filter(([each]) => sized(SMALL, /./).test(each)))
    it(`${what}: each door tells it, and nobody else sees anything of it`, async () => {
      await does("nothing");
      const { text: before } = await graphql("guest", "mutation { seen }");
      await does(what);
      const answers = await drive(DOORS);
      for (const [door, answer] of Object.entries(answers)) {
        assert.ok(failed(answer), `${door}: ${answer.status} ${answer.text}`);
        assert.match(`${answer.status} ${answer.text}`, told, door);
      }
      await isOver(before);
    });

  it("sleep on: of a map too, whose worker is ended", async () => {
    await does("nothing");
    const { text: before } = await graphql("guest", "mutation { seen }");
    await does("sleep on");
    const { map } = await drive({ map: MAP });
    assert.equal(map!.status, 502, map!.text);
    await isOver(before);
  });

  it("leave: cursors, channels, locks, settings and temporary things end with the request", async () => {
    await does("nothing");
    const { text: before } = await graphql("guest", "mutation { seen }");
    await does("leave");
    for (const [door, answer] of Object.entries(await drive({ ...DOORS, map: MAP })))
      assert.ok(!failed(answer), `${door}: ${answer.text}`);
    await isOver(before);
  });

  it("allocate: the memory of a request is PostgreSQL's, and given back", async () => {
    await does("nothing");
    const { text: before } = await graphql("guest", "mutation { seen }");
    await does("allocate");
    for (const [door, answer] of Object.entries(await drive(DOORS)))
      assert.ok(!failed(answer) || /TIMEOUT/.test(answer.text), `${door}: ${answer.text}`);
    await isOver(before);
  });

  it("write again: by a connection of its own, which cannot wait for the request that waits for it", async () => {
    await does("nothing");
    const { text: before } = await graphql("guest", "mutation { seen }");
    const { "REST rows": rows, "item that is written": written } = DOORS;
    const { client } = gateway.database;
    await does("write again", ["policy"]);
    const answers = await drive({ rows: rows! });
    assert.equal(answers["rows"]!.status, 200);
    assert.deepEqual((await client.query("select name from shop.orders where id = 1")).rows, [
      { name: "from outside" },
    ]);
    await does("nothing");
    await does("write again", ["trigger"]);
    assert.equal((await drive({ written: written! }))["written"]!.status, 504);
    await isOver(before);
  });
});
