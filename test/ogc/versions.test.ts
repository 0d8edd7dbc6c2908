import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { picture } from "../maps/pixels.ts";
import { ogcGateway, type OgcGateway } from "./support.ts";
import { until } from "../support/until.ts";

const RED = "#ff0000ff";

describe("ogc: history and rules", () => {
  let gateway: OgcGateway;
  /** Instants between the changes. */
  const instants: string[] = [];
  const query = async (text: string) => (await gateway.database.client.query(text)).rows;
  const mark = async (): Promise<void> => {
    await setTimeout(20); // instants differ by milliseconds
    instants.push((await query("select clock_timestamp()::timestamptz(3) as now"))[0].now.toISOString());
    await setTimeout(20);
  };
  const at = (index: number): string => `datetime=${instants[index] ?? ""}`;
  const names = async (search: string, as = "guest"): Promise<string[]> => {
    const { status, json, text } = await gateway.get(`/collections/town.houses/items?${search}`, { as });
    assert.equal(status, 200, text);
    return json.features.map(
      ({ id, properties }: { id: string; properties: { name: string } }) => `${id} ${properties.name}`,
    );
  };

  before(async () => {
    gateway = await ogcGateway({
      prepare: async ({ client }) => {
        await client.query(`
create schema town;
create table town.houses (id int primary key, name text, geom geometry(Point, 4326));
create index on town.houses using gist (geom);
create table town.plain (id int primary key, geom geometry(Point, 4326));
insert into town.plain values (1, 'srid=4326;point(1 1)');
select portolan.set_privilege(r, 'guest', 'read') from unnest('{town.houses,town.plain}'::regclass[]) r;
select portolan.set_style('town.houses', '[{"name": "All", "styles": [{"color": "#ff0000", "symbol": "square", "size": 20}]}]');
insert into town.houses values (1, 'old', 'srid=4326;point(1 1)'), (2, 'stays', 'srid=4326;point(3 1)');
select portolan.enable_versioning('town.houses');`);
      },
    });
    await mark();
    await query("update town.houses set name = 'new', geom = 'srid=4326;point(1 3)' where id = 1");
    await mark();
    await query(
      "delete from town.houses where id = 1; insert into town.houses values (3, 'late', 'srid=4326;point(3 3)')",
    );
    await mark();
  });
  after(() => gateway.close());

  it("items are those of the instant, whatever its offset, and name it", async () => {
    assert.deepEqual(await names(at(0)), ["1 old", "2 stays"]);
    assert.deepEqual(await names(at(1)), ["1 new", "2 stays"]);
    assert.deepEqual(await names(at(2)), ["2 stays", "3 late"]);
    assert.deepEqual(await names(""), ["2 stays", "3 late"]);
    assert.deepEqual(await names("datetime=2999-01-01"), ["2 stays", "3 late"]);
    assert.deepEqual(await names("datetime=1999-01-01"), []);
    const shifted = new Date(Date.parse(instants[0] ?? "") + 5.5 * 3_600_000).toISOString().replace("Z", "%2B05:30");
    assert.deepEqual(await names(`datetime=${shifted}`), ["1 old", "2 stays"]);
    const { headers, json } = await gateway.get(`/collections/town.houses/items?${at(0)}&bbox=0,0,2,2`, {
      as: "guest",
    });
    assert.equal(headers.get("content-datetime"), instants[0]);
    assert.equal(json.numberMatched, 1);
  });

  it("pages stay at their instant", async () => {
    const { json } = await gateway.get(`/collections/town.houses/items?${at(0)}&limit=1`, { as: "guest" });
    const { href } = json.links.find(({ rel }: { rel: string }) => rel === "next");
    const next = await gateway.get(href, { as: "guest" });
    assert.deepEqual(
      next.json.features.map(({ id }: { id: number }) => id),
      [2],
    );
    assert.equal(next.headers.get("content-datetime"), instants[0]);
  });

  it("a feature is that of the instant, and 404 if there was none", async () => {
    const old = await gateway.get(`/collections/town.houses/items/1?${at(0)}`, { as: "guest" });
    assert.equal(old.json.properties.name, "old");
    const self = old.json.links.find(({ rel }: { rel: string }) => rel === "self").href as string;
    assert.equal((await gateway.get(self, { as: "guest" })).json.properties.name, "old");
    for (const [path, status] of [
      [`1?${at(2)}`, 404],
      ["1", 404],
      [`3?${at(1)}`, 404],
      [`3?${at(2)}`, 200],
    ] as const)
      assert.equal((await gateway.get(`/collections/town.houses/items/${path}`, { as: "guest" })).status, status, path);
  });

  it("a map shows the pixels of the instant", async () => {
    const pixels = async (search: string): Promise<boolean[]> => {
      const response = await fetch(
        `${gateway.root}/collections/town.houses/map?bbox=0,0,4,4&width=80&height=80&${search}`,
        { headers: { Authorization: `Bearer ${await gateway.token("guest")}` } },
      );
      assert.equal(response.status, 200);
      const map = picture(Buffer.from(await response.arrayBuffer()));
      return [
        [20, 60],
        [20, 20],
        [60, 20],
      ].map(([column = 0, row = 0]) => map.at(column, row) === RED);
    };
    assert.deepEqual(await pixels(at(0)), [true, false, false]);
    assert.deepEqual(await pixels(at(1)), [false, true, false]);
    assert.deepEqual(await pixels(at(2)), [false, false, true]);
    assert.deepEqual(await pixels(at(0)), [true, false, false]);
    assert.deepEqual(await pixels(""), [false, false, true]);
  });

  it("the collection has a temporal extent; datetime changes nothing elsewhere; an interval is 400", async () => {
    const { json } = await gateway.get("/collections/town.houses", { as: "guest" });
    const [[since, end]] = json.extent.temporal.interval;
    assert.ok(Date.parse(since) <= Date.parse(instants[0] ?? ""));
    assert.equal(end, null);
    assert.equal(json.extent.temporal.trs, "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian");
    const plain = await gateway.get("/collections/town.plain/items?datetime=1999-01-01", { as: "guest" });
    assert.equal(plain.json.numberMatched, 1);
    assert.equal(plain.headers.get("content-datetime"), null);
    const interval = await gateway.get(`/collections/town.houses/items?${at(0)}/..`, { as: "guest" });
    assert.equal(interval.status, 400);
  });

  it("a rule limits present and earlier rows, and a rule that denies is 403 on every route", async () => {
    await query(`insert into portolan.rules (username, schema, "table", access, filter)
values ('guest', 'town', 'houses', 'limit', 'id = 2')`);
    assert.deepEqual(await names(""), ["2 stays"]);
    assert.deepEqual(await names(at(0)), ["2 stays"]);
    await query(`delete from portolan.rules;
insert into portolan.rules (username, service, schema, "table", access) values ('guest', 'ogc', 'town', 'houses', 'deny')`);
    const refused = async (): Promise<number[]> =>
      Promise.all(
        ["", "/items", "/items/2", `/items?${at(0)}`, "/map"].map(
          async (path) => (await gateway.get(`/collections/town.houses${path}`, { as: "guest" })).status,
        ),
      );
    await until(async () => (await refused()).every((status) => status === 403));
    const { json } = await gateway.get("/collections?limit=1000", { as: "guest" });
    const ids = json.collections.map(({ id }: { id: string }) => id);
    assert.ok(ids.includes("town.plain"));
    assert.ok(!ids.includes("town.houses"));
    assert.deepEqual(await names("", "captain"), ["2 stays", "3 late"]);
    await query("delete from portolan.rules");
  });
});
