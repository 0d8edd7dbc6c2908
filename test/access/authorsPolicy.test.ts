/** What the option `authors` does at each door: where the code of an author runs, or what refuses it. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { connectAs } from "../support/webSocket.ts";

/** It tells by NOTIFY which login it runs on. */
const CODE = `
create role policy_author login;
create schema shop;
create function shop.tell() returns boolean language plpgsql volatile as $$
begin
  perform pg_notify('told', session_user);
  return true;
end $$;
create table shop.orders (id int primary key, name text, geom geometry(point, 4326));
insert into shop.orders select i, 'a', st_setsrid(st_makepoint(i, i), 4326) from generate_series(1, 3) i;
alter table shop.orders enable row level security;
create policy tells on shop.orders using (shop.tell());
create function shop.act() returns int language plpgsql volatile as 'begin perform shop.tell(); return 1; end';
grant usage on schema shop to public;
grant select, insert, update on shop.orders to public;
alter table shop.orders owner to policy_author;
alter function shop.tell() owner to policy_author;
alter function shop.act() owner to policy_author;
create table shop.plain (id int primary key, geom geometry(point, 4326));
insert into shop.plain values (1, st_setsrid(st_makepoint(1, 1), 4326));
grant select on shop.plain to public;
select portolan.create_user('eve', null), portolan.create_user('chief', null, superuser => true),
  portolan.enable_events('shop.orders'), portolan.enable_versioning('shop.orders'),
  portolan.create_method('of_orders', 'select id from shop.orders')`;

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Who runs it where authors are trusted: the gateway's login; with \`login\` the account. */
interface Door {
  readonly run: (gateway: TestGateway) => Promise<Answer>;
  /** SQL that the account wrote is on a login of the account, whatever the option says. */
  readonly isOwnSql?: boolean;
}

interface Request {
  readonly account?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
  readonly type?: string | undefined;
}

async function ask(gateway: TestGateway, { account = "eve", method, path, body, type }: Request) {
  const response = await fetch(gateway.baseUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${await gateway.token(account)}`,
      ...(body !== undefined && { "Content-Type": type ?? "application/json" }),
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, text: await response.text() };
}

const graphql = (query: string): Door => ({
  run: (gateway) => ask(gateway, { method: "POST", path: "/api/graphql/schema/shop", body: JSON.stringify({ query }) }),
});
const rest = (method: string, path: string, body?: string, more: Pick<Request, "type" | "account"> = {}): Door => ({
  run: (gateway) => ask(gateway, { method, path: `/api/v4${path}`, body, ...more }),
});
const ogc = (path: string): Door => ({
  run: (gateway) =>
    ask(gateway, {
      method: "GET",
      path: `/api/v4/ogc/database/${gateway.database.name}/collections/shop.orders${path}`,
    }),
});
const TABLE = "/schemas/shop/tables/orders";
const NOW = (): string => new Date().toISOString();

const DOORS: Readonly<Record<string, Door>> = {
  "GraphQL, list": graphql("{ getOrders { id } }"),
  "GraphQL, page": graphql("{ pageOrders(first: 1) { totalCount } }"),
  "GraphQL, asOf": { run: (gateway) => graphql(`{ getOrders(asOf: "${NOW()}") { id } }`).run(gateway) },
  "GraphQL, update": graphql('mutation { updateOrders(id: "1", data: {name: "b"}) { id } }'),
  "GraphQL, function": graphql("mutation { act }"),
  rows: rest("GET", `${TABLE}/rows`),
  "rows, asOf": { run: (gateway) => rest("GET", `${TABLE}/rows?asOf=${NOW()}`).run(gateway) },
  classes: rest("GET", `${TABLE}/classes?column=id`),
  import: rest("POST", `${TABLE}/import`, "id,name\n7,z\n", { type: "text/csv" }),
  "see as": rest("POST", "/access/explain", '{"account":"eve","relation":"shop.orders"}', { account: "chief" }),
  items: ogc("/items"),
  item: ogc("/items/1"),
  tile: ogc("/tiles/WebMercatorQuad/0/0/0"),
  map: ogc("/map?width=32&height=32&bbox=0,0,4,4"),
  "map tile": ogc("/map/tiles/WebMercatorQuad/0/0/0"),
  SQL: { ...rest("POST", "/sql", '{"q":"select id from shop.orders"}'), isOwnSql: true },
  method: { ...rest("POST", "/call", '{"jsonrpc":"2.0","id":1,"method":"of_orders"}'), isOwnSql: true },
};

for (const authors of ["refuse", "trust", "login"] as const)
  describe(`authors: ${authors}`, () => {
    let gateway: TestGateway;
    const told: string[] = [];

    before(async () => {
      gateway = await testGateway({
        kind: "portolan",
        config: { schemas: ["shop"], authors },
        prepare: ({ client }) => client.query(CODE),
      });
      const { client } = gateway.database;
      client.on("notification", ({ payload = "" }) => told.push(payload));
      await client.query("listen told");
    });
    after(async () => {
      await gateway.database.client.query("drop owned by policy_author cascade; drop role policy_author");
      await gateway.close();
    });

    /** Which logins the code ran on, of all that was told before this. */
    async function logins(): Promise<string[]> {
      await gateway.database.client.query("notify told, 'end'");
      await until(() => told.includes("end"));
      return [...new Set(told.splice(0))].filter((login) => login !== "end");
    }
    const own = (): string => `eve@${gateway.database.name}`;

    for (const [door, { run, isOwnSql = false }] of Object.entries(DOORS)) {
      const isRefused = authors === "refuse" && !isOwnSql;
      it(`${door}: ${isRefused ? "is refused" : authors === "trust" && !isOwnSql ? "on the gateway's login" : "on the account's login"}`, async () => {
        await logins();
        const { status, text } = await run(gateway);
        if (isRefused) {
          assert.match(text, /UNTRUSTED_CODE/);
          assert.match(text, /shop\.\w+ runs code of the role policy_author/);
          assert.ok(status === 403 || door.startsWith("GraphQL"), String(status));
          assert.deepEqual(await logins(), []);
        } else {
          assert.ok(status < 300 && !text.includes('"errors"'), `${status} ${text}`);
          // what is taken back sends no notification
          if (door !== "see as" || authors === "login") await until(() => told.length > 0);
          else return assert.deepEqual(await logins(), []);
          assert.deepEqual(await logins(), [authors === "trust" && !isOwnSql ? "gateway" : own()]);
        }
      });
    }

    it("events: are judged in the same way", async () => {
      const socket = await connectAs(gateway, "eve");
      const subscribed = await socket.ask({ type: "subscription", id: "1", schema: "shop", rel: "orders" });
      await logins();
      await gateway.database.client.query("update shop.orders set name = 'told' where id = 2");
      if (authors === "refuse") {
        const failed =
          subscribed.type === "error"
            ? subscribed
            : await socket.take((message) => /UNTRUSTED|rror/.test(JSON.stringify(message)));
        assert.match(JSON.stringify(failed), /UNTRUSTED_CODE/);
      } else {
        await socket.take((message) => JSON.stringify(message).includes("told"));
        assert.deepEqual(
          (await logins()).filter((login) => login !== "postgres"),
          [authors === "trust" ? "gateway" : own()],
        );
      }
      socket.close();
    });

    it("what runs no code of an author is served as ever", async () => {
      const { text } = await graphql("{ getPlain { id } }").run(gateway);
      assert.equal(text, '{"data":{"getPlain":[{"id":"1"}]}}');
    });

    if (authors === "refuse")
      it("a table that the gateway does not know yet is refused for what it is", async () => {
        await gateway.database.client.query(
          "create table shop.late (id int primary key); grant select on shop.late to public; alter table shop.late owner to policy_author",
        );
        const { status, text } = await rest("GET", "/schemas/shop/tables/late/rows").run(gateway);
        assert.equal(status, 403, text);
        assert.match(text, /does not know shop\.late yet|shop\.late runs code of the role policy_author/);
        assert.doesNotMatch(text, /public/);
      });
  });
