/** A table that becomes an author's, and a trusted role's again, while requests run. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

const TABLES = `
create role owning_author login;
create schema shop;
grant usage on schema shop to public;
create table shop.orders (id int primary key, account text, geom geometry(point, 4326), who text);
insert into shop.orders
select i, (array['ann', 'ben'])[1 + i % 2], st_setsrid(st_makepoint(i / 10.0, 1), 4326) from generate_series(1, 20) i;
alter table shop.orders enable row level security;
create policy own on shop.orders using (account = portolan.claims() ->> 'uid');
create view shop.seen with (security_barrier) as select id, account, session_user::text as login from shop.orders;
grant select on shop.orders, shop.seen to public;
select portolan.create_user(name, null) from unnest('{ann,ben}'::text[]) name`;

describe("a table whose owner changes while requests run", () => {
  let gateway: TestGateway;
  const tokens = new Map<string, string>();

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["shop"], poolSize: 3 },
      prepare: ({ client }) => client.query(TABLES),
    });
    for (const account of ["ann", "ben"]) tokens.set(account, await gateway.token(account));
  });
  after(async () => {
    await gateway.database.client.query("drop owned by owning_author cascade; drop role owning_author");
    await gateway.close();
  });

  async function ask(
    account: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; text: string }> {
    const response = await fetch(gateway.baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${tokens.get(account)}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }
  const graphql = (account: string, query: string) => ask(account, "POST", "/api/graphql/schema/shop", { query });
  const items = (path: string): string =>
    `/api/v4/ogc/database/${gateway.database.name}/collections/shop.orders/items${path}`;

  /** The ids that a door shows, and what it should. */
  const DOORS: Readonly<Record<string, (account: string) => Promise<{ status: number; text: string }>>> = {
    list: (account) => graphql(account, "{ getOrders(orderBy: {id: asc}) { id account } }"),
    twice: (account) => graphql(account, "{ a: getOrders(orderBy: {id: asc}) { account } b: countOrders }"),
    rows: (account) =>
      ask(account, "GET", '/api/v4/schemas/shop/tables/orders/rows?columns=["id","account"]&format=csv'),
    items: (account) => ask(account, "GET", items("?limit=100&f=csv")),
    item: (account) => ask(account, "GET", items(account === "ann" ? "/2?f=json" : "/1?f=json")),
  };
  const stamps = /"timeStamp":"[^"]*"/g;

  async function login(): Promise<string> {
    const { text } = await graphql("ann", "{ getSeen(limit: 1) { login } }");
    return (JSON.parse(text) as { data: { getSeen: { login: string }[] } }).data.getSeen[0]!.login;
  }
  const own = (to: string) =>
    gateway.database.client.query(`alter table shop.orders owner to ${to}; alter view shop.seen owner to ${to}`);

  it("moves to the account's login and back, and every answer meanwhile has the rows of who asks", async () => {
    const { name } = gateway.database;
    const expected = new Map<string, string>();
    for (const account of tokens.keys())
      for (const [door, run] of Object.entries(DOORS)) {
        const { status, text } = await run(account);
        assert.equal(status, 200, `${door}: ${text}`);
        assert.ok(text.includes(account) && !text.includes(account === "ann" ? "ben" : "ann"), `${door}: ${text}`);
        expected.set(`${account} ${door}`, text.replace(stamps, ""));
      }
    let isOver = false;
    let answers = 0;
    const load = [...tokens.keys()].flatMap((account) =>
      Object.entries(DOORS).map(async ([door, run]) => {
        while (!isOver) {
          const { status, text } = await run(account);
          assert.equal(status, 200, `${account} ${door}: ${text}`);
          assert.equal(text.replace(stamps, ""), expected.get(`${account} ${door}`), `${account} ${door}`);
          answers++;
        }
      }),
    );
    try {
      for (let round = 0; round < sized(3, 20); round++) {
        await own("owning_author");
        await until(async () => (await login()) === `ann@${name}`);
        await own("postgres");
        await until(async () => (await login()) === `.pool@${name}`);
      }
    } finally {
      isOver = true;
      await Promise.all(load);
    }
    assert.ok(answers > 20, String(answers));
  });

  it("a transaction that has begun ends on its login, and the next one is on the account's", async () => {
    const { client, name } = gateway.database;
    await client.query(`
create function shop.wait_for(lock int) returns int language sql volatile security definer as $$
  select 1 from pg_advisory_xact_lock(lock)
$$;
create function shop.told() returns text language sql volatile as 'select session_user::text'`);
    const ask = () => graphql("ann", "mutation { waitFor(lock: 42) told }");
    const answer = (told: string): string => JSON.stringify({ data: { waitFor: 1, told } });
    await until(async () => (await ask()).text === answer(`.pool@${name}`));
    await client.query("select pg_advisory_lock(42)");
    const between = ask();
    await until(async () => {
      const { rows } = await client.query("select from pg_locks where locktype = 'advisory' and not granted");
      return rows.length === 1;
    });
    await client.query("alter function shop.told() owner to owning_author");
    await client.query("select pg_advisory_unlock(42)");
    assert.equal((await between).text, answer(`.pool@${name}`));
    await until(async () => (await ask()).text === answer(`ann@${name}`));
    await client.query("alter function shop.told() owner to postgres");
    await until(async () => (await ask()).text === answer(`.pool@${name}`));
  });
});
