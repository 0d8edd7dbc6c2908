/** Rights that PostgreSQL asks for only when it parses or plans a statement, on a connection where another account has run it. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const TABLES = `
create schema shop; create schema store;
create table store.labels (id int primary key, label text not null);
insert into store.labels select i, 'label ' || i from generate_series(1, 9) i;
create function store.price(id int) returns int language sql stable security definer as 'select id * 3';
create table shop.goods (
  id int primary key, label int references store.labels, geom geometry(Point, 4326) default st_setsrid(st_makepoint(1, 2), 4326)
);
insert into shop.goods select i, i from generate_series(1, 9) i;
create function shop.cost(id int) returns int language sql stable as 'select id * 10';
create function shop.rate(id int) returns int language plpgsql immutable as 'begin return id * 7; end';
create view shop.costs as select id, geom, shop.cost(id) as cost from shop.goods;
create view shop.rates as select id, geom, shop.rate(3) as rate from shop.goods;
comment on view shop.costs is '@primaryKey id';
comment on view shop.rates is '@primaryKey id';
create function shop.margin(id int) returns int language sql stable as 'select id * 5';
create table shop.few (id int primary key);
insert into shop.few values (1);
analyze shop.few;
create view shop.kinds as select id, 1 as kind, id as value from shop.few union all select id + 1, 2, shop.margin(id) from shop.few;
comment on view shop.kinds is '@primaryKey id';
create table shop.orders (id int primary key, cost int default shop.cost(4));
create function shop.total() returns int language plpgsql stable as 'begin return (select sum(shop.cost(g.id)) from shop.goods g); end';
create function shop.dearest() returns int language plpgsql stable as 'begin return (select max(store.price(g.id)) from shop.goods g); end';
create schema yard;
create table yard.tools (id int primary key);
insert into yard.tools values (1);
create table store.sums (id int primary key, sum int); insert into store.sums values (1, 42);
create function shop.summed() returns int language plpgsql immutable as 'begin return (select sum(sum) from store.sums); end';
create view shop.summed_goods as select id, shop.summed() as sum from shop.goods;
create view shop.padded_goods as select id, lpad('x', 3 + (id > 0)::int) as padded from shop.goods;
comment on view shop.summed_goods is '@primaryKey id';
create role plans_author;
create function shop.cheapest() returns int language plpgsql stable as 'begin return (select min(store.price(g.id)) from shop.goods g); end';
alter function shop.cheapest() owner to plans_author;
create role plans_members;
create role plans_others;
create function shop.planned() returns text language sql immutable as 'select clock_timestamp()::text || random()';
create function shop.plan() returns text language plpgsql stable as 'begin return shop.planned(); end';
select portolan.create_user(name, null) from unnest(array['ann', 'ben', 'cy', 'dan', 'eve', 'fay', 'hal', 'ida']) name;
do $$ begin
  execute format('grant plans_members to %I, %I', 'cy@' || current_database(), 'dan@' || current_database());
  execute format('grant plans_others to %I, %I', 'eve@' || current_database(), 'fay@' || current_database());
  execute format('grant usage on schema shop to plans_others');
  execute format('grant plans_members to %I, %I', 'hal@' || current_database(), 'ida@' || current_database());
  execute format('grant select on store.sums to %I', 'hal@' || current_database());
  execute format('grant usage on schema shop, store, yard to %I, plans_members', 'ann@' || current_database());
  execute format('grant usage on schema shop to %I', 'ben@' || current_database());
  execute format('grant select on shop.goods, shop.costs, shop.rates, shop.kinds, shop.summed_goods, shop.padded_goods, store.labels, yard.tools to public');
  execute format('grant select, insert on shop.orders to public');
  execute 'revoke execute on function shop.cost, shop.rate, shop.margin from public';
  execute format('grant execute on function shop.cost, shop.rate, shop.margin to %I, plans_members', 'ann@' || current_database());
end $$`;

describe("rights that PostgreSQL asks for when it plans", () => {
  let gateway: TestGateway;
  let next = 100;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: {
        schemas: ["shop", "store", "yard"],
        poolSize: 1,
        trustedFunctions: ["shop.total()", "shop.dearest()", "shop.plan()", "shop.summed()"],
      },
      prepare: ({ client }) => client.query(TABLES),
    });
  });

  after(() => gateway.close());

  const graphql =
    (query: string) =>
    async (account: string): Promise<string> =>
      JSON.stringify((await gateway.graphql(account, "shop", query.replace("ID", String(next++)))).body);
  const get =
    (path: string) =>
    async (account: string): Promise<string> => {
      const { status } = await gateway.http
        .get(path.replace("DATABASE", gateway.database.name))
        .set("Authorization", `Bearer ${await gateway.token(account)}`);
      return status === 403 ? "permission denied" : String(status);
    };
  const ITEMS = "/api/v4/ogc/database/DATABASE/collections";

  const READS: Readonly<Record<string, (account: string) => Promise<string>>> = {
    "a function of a view, GraphQL": graphql("{ getCosts(limit: 2) { id cost } }"),
    "a function of a view, features": get(`${ITEMS}/shop.costs/items?limit=3`),
    "a function of a view, one feature": get(`${ITEMS}/shop.costs/items/3`),
    "a function of a view, rows": get("/api/v4/schemas/shop/tables/costs/rows?limit=2"),
    "a function whose result is known beforehand, GraphQL": graphql("{ getRates(limit: 2) { id rate } }"),
    "a function whose result is known beforehand, features": get(`${ITEMS}/shop.rates/items?limit=3`),
    "a function of a default": graphql("mutation { insertOrders(data: {id: ID}) { id cost } }"),
    "a function that a function calls": graphql("{ total }"),
    "a schema that a function names": graphql("{ dearest }"),
    "a schema that an author's function names": graphql("{ cheapest }"),
    "the schema of a related table": graphql("{ getGoods(limit: 2) { id labels { label } } }"),
    "the schema of a table": get("/api/v4/schemas/yard/tables/tools/rows?limit=2"),
  };

  for (const [right, ask] of Object.entries(READS)) {
    it(`${right}: refused to an account without it, after others with it`, async () => {
      for (let n = 0; n < 12; n++)
        for (const name of ["ann", "cy", "dan"]) assert.doesNotMatch(await ask(name), /denied/);
      for (let n = 0; n < 3; n++) for (const name of ["ben", "eve", "fay"]) assert.match(await ask(name), /denied/);
      for (const name of ["dan", "ann"]) assert.doesNotMatch(await ask(name), /denied/);
      for (const name of ["eve", "ben"]) assert.match(await ask(name), /denied/);
    });
  }

  it("are asked although the first parameters of the account let the planner leave a function out", async () => {
    const kind = (value: number): ((account: string) => Promise<string>) =>
      graphql(`{ getKinds(where: { kind: { eq: ${value} } }) { value } }`);
    // after so many runs PostgreSQL keeps one plan for all parameters
    for (let n = 0; n < 30; n++) assert.match(await kind(2)("ann"), /"value":5/);
    assert.match(await kind(1)("ben"), /"value":1/);
    assert.match(await kind(2)("ben"), /denied/);
  });

  it("are refused to an account while another one with the same memberships gets a further one", async () => {
    const { client, name } = gateway.database;
    const asked = Object.entries(READS).flatMap(([right, ask]) => (right.includes("that a function") ? [] : [ask]));
    for (let round = 0; round < 5; round++) {
      for (const ask of asked) assert.match(await ask("eve"), /denied/);
      await client.query(`grant plans_members to "fay@${name}"`);
      for (const ask of asked) {
        for (let n = 0; n < 12; n++) assert.doesNotMatch(await ask("fay"), /denied/);
        assert.match(await ask("eve"), /denied/);
      }
      await client.query(`revoke plans_members from "fay@${name}"`);
      await until(async () => /denied/.test(await asked[0]!("fay")));
    }
  });

  it("keeps the plans of functions among accounts that are members of the same roles, and of nobody else", async () => {
    const plan = graphql("{ plan }");
    // they are read again at times, and each account counts alone until then
    await until(async () => {
      const cy = await plan("cy");
      assert.match(cy, /"plan":/);
      const dan = await plan("dan");
      const eve = await plan("eve");
      const fay = await plan("fay");
      assert.equal(new Set([cy, eve, await plan("ann"), await plan("cy")]).size, 4);
      return cy === dan && eve === fay;
    });
  });

  it("ends where a role is taken from an account, also for what it has read before", async () => {
    const asked = Object.values(READS);
    for (let n = 0; n < 12; n++) for (const ask of asked) assert.doesNotMatch(await ask("cy"), /denied/);
    await gateway.database.client.query(
      `revoke plans_members from "cy@${gateway.database.name}"; grant usage on schema shop to "cy@${gateway.database.name}"`,
    );
    await until(async () => /denied/.test(await asked[0]!("cy")));
    for (const ask of asked) assert.match(await ask("cy"), /denied/);
  });

  it("ends where another role takes the name of an account's role, although no membership has changed", async () => {
    const asked = Object.values(READS);
    for (let n = 0; n < 12; n++) for (const ask of asked) assert.doesNotMatch(await ask("dan"), /denied/);
    const { client, name } = gateway.database;
    await client.query(
      `alter role "dan@${name}" rename to "gil@${name}"; alter role "eve@${name}" rename to "dan@${name}"`,
    );
    const endsMs = performance.now() + 10_000; // twice the time that is promised
    for (const ask of asked) await until(async () => /denied/.test(await ask("dan")), endsMs - performance.now());
    await client.query(
      `alter role "dan@${name}" rename to "eve@${name}"; alter role "gil@${name}" rename to "dan@${name}"`,
    );
  });

  it("keeps to itself what an account reads by a right of its own, although others are members of the same roles", async () => {
    const rows = get("/api/v4/schemas/shop/tables/summed_goods/rows?limit=2");
    assert.match(await rows("ida"), /denied/);
    for (let n = 0; n < 12; n++) assert.equal(await rows("hal"), "200");
    for (let n = 0; n < 3; n++) assert.match(await rows("ida"), /denied/);
  });

  it("ends where a role is given to an account and taken again before the gateway looks", async () => {
    const { client, name } = gateway.database;
    const view = READS["a function of a view, rows"]!;
    const called = READS["a function that a function calls"]!;
    const beganMs = performance.now();
    await until(() => performance.now() - beganMs > 1500); // it has noticed what the tests before have changed
    for (const ask of [view, called]) {
      for (let n = 0; n < 12; n++) assert.doesNotMatch(await ask("ida"), /denied/);
      await client.query(`grant plans_members to "fay@${name}"`);
      for (let n = 0; n < 2; n++) assert.doesNotMatch(await ask("fay"), /denied/);
      await client.query(`revoke plans_members from "fay@${name}"`);
      if (ask === view) for (let n = 0; n < 12; n++) assert.doesNotMatch(await ask("ida"), /denied/);
      await until(async () => /denied/.test(await ask("fay")), 10_000); // twice the time that is promised
    }
  });

  it("ends where a function of PostgreSQL itself is taken from everybody but one account", async () => {
    const rows = get("/api/v4/schemas/shop/tables/padded_goods/rows?limit=2");
    const names = ["hal", "ida", "dan"];
    for (let n = 0; n < 12; n++) for (const name of names) assert.equal(await rows(name), "200");
    const { client, name } = gateway.database;
    await client.query(
      `revoke execute on function lpad(text, int) from public; grant execute on function lpad(text, int) to "hal@${name}"`,
    );
    await until(async () => {
      for (let n = 0; n < 3; n++) assert.equal(await rows("hal"), "200");
      return /denied/.test(await rows("ida"));
    }, 10_000); // twice the time that is promised
    for (let n = 0; n < 12; n++) assert.equal(await rows("hal"), "200");
    for (const other of ["ida", "dan"]) assert.match(await rows(other), /denied/);
    await client.query("grant execute on function lpad(text, int) to public");
  });
});
