import assert from "node:assert/strict";
import { hrefOf, idsOf, ogcGateway, type Answer, type Json, type OgcGateway } from "./support.ts";

const ITEMS = "/collections/geo.sorted/items";

describe("features in another order", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      prepare: async ({ client, name }) => {
        await client.query(`
create table geo.sorted (
  id int primary key, name text collate "de-x-icu", size int, price numeric, share float8, made timestamptz, odd point, secret int,
  geom geometry(Point, 4326));
insert into geo.sorted
select i, case when i % 7 = 0 then null else (array['Ähre', 'Zahn', 'ast', 'Öl', 'x,y'])[1 + i % 5] end,
  case when i % 4 = 0 then null else i % 3 end, i / 3.0, case when i % 5 = 0 then 'NaN'::float8 else -i end,
  timestamptz '2020-01-01' + i % 6 * interval '1 hour', null, -i, st_setsrid(st_makepoint(i, 1), 4326)
from generate_series(1, 53) i;
grant usage on schema geo to "guest@${name}";
grant select (id, name, geom) on geo.sorted to "guest@${name}";
grant select on geo.keyless to "guest@${name}";`);
      },
    });
  });
  after(() => gateway.close());

  const get = async (query: string, path = ITEMS): Promise<Answer> => {
    const answer = await gateway.get(path.includes("?") ? path : `${path}?${query}`, { as: "captain" });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };

  /** All ids, page by page, forward by `next` and back by `prev`. */
  async function walk(query: string, path = ITEMS): Promise<{ forth: (string | number)[]; back: (string | number)[] }> {
    const forth: (string | number)[] = [];
    let answer = await get(query, path);
    for (;;) {
      forth.push(...idsOf(answer));
      const next = answer.json.links.find(({ rel }: Json) => rel === "next");
      if (!next) break;
      answer = await get("", next.href);
    }
    const back = [...idsOf(answer)];
    for (;;) {
      const prev = answer.json.links.find(({ rel }: Json) => rel === "prev");
      if (!prev) return { forth, back };
      answer = await get("", prev.href);
      back.unshift(...idsOf(answer));
    }
  }

  for (const [sortby, order] of [
    ["name", "name"],
    ["-name", "name desc"],
    ["+size,-name", "size, name desc"],
    ["-size,price", "size desc, price"],
    ["share", "share"],
    ["-share,-made", "share desc, made desc"],
    ["made,size,name", "made, size, name"],
    ["-id", "id desc"],
  ] as const)
    it(`sortby=${sortby} is the order of PostgreSQL, on every page and back, whatever is null or equal`, async () => {
      const { rows } = await gateway.database.client.query<{ id: number }>(
        `select id from geo.sorted order by ${order}, id`,
      );
      const expected = rows.map(({ id }) => id);
      const query = `sortby=${encodeURIComponent(sortby)}`;
      assert.deepEqual(idsOf(await get(`limit=100&${query}`)), expected);
      const { forth, back } = await walk(`limit=7&${query}`);
      assert.deepEqual(forth, expected);
      assert.deepEqual(back, expected);
    });

  it("long texts are not part of an address: their pages are counted from the last short one", async () => {
    const { client } = gateway.database;
    await client.query(`
create table geo.long (id int primary key, body text, geom geometry(Point, 4326));
insert into geo.long select i, case when i in (5, 6, 13) then 'm' || i else repeat(chr(96 + i), 5000) || i end, 'srid=4326;point(1 1)'
from generate_series(1, 24) i;`);
    const { rows } = await client.query<{ id: number }>("select id from geo.long order by body, id");
    const path = "/collections/geo.long/items?limit=2&sortby=body&properties=id";
    const { forth, back } = await walk("", path);
    assert.deepEqual([forth, back], [rows.map(({ id }) => id), rows.map(({ id }) => id)]);
    for (let next: string | undefined = path; next;) {
      const { json, headers } = await get("", next);
      next = json.links.find(({ rel }: Json) => rel === "next")?.href;
      assert.ok((next?.length ?? 0) < 3000);
      assert.equal(/rel="next"/.test(headers.get("link") ?? ""), next !== undefined);
    }
  });

  it("a name with a comma stands in double quotes", async () => {
    await gateway.database.client.query(`
create table geo.commas (id int primary key, "a,b" int, """q" int, "-c" int, geom geometry(Point, 4326));
insert into geo.commas values (1, 2, 1, 3), (2, 1, 3, 2), (3, 3, 2, 1);`);
    const path = "/collections/geo.commas/items?sortby=";
    const sorted = async (sortby: string) => idsOf(await get("", path + encodeURIComponent(sortby)));
    assert.deepEqual(await sorted('"a,b"'), [2, 1, 3]);
    assert.deepEqual(await sorted('-"a,b",id'), [3, 1, 2]);
    assert.deepEqual(await sorted('"""q"'), [1, 3, 2]);
    assert.deepEqual(await sorted('"-c"'), [3, 2, 1]);
    assert.deepEqual(await sorted('-"-c"'), [1, 2, 3]);
    const { json } = await get("", `${path}id&properties=${encodeURIComponent('"a,b","-c"')}`);
    assert.deepEqual(json.features[0].properties, { "a,b": 2, "-c": 3 });
    for (const wrong of ['"a,b', '"a,b"x', '""', "id,"])
      assert.equal((await gateway.get(path + encodeURIComponent(wrong), { as: "captain" })).status, 400, wrong);
  });

  it("a + that was not percent-encoded is taken, and a filter goes with it", async () => {
    assert.deepEqual(idsOf(await get("limit=3&sortby=+price,-id")), [1, 2, 3]);
    assert.deepEqual(
      idsOf(await get(`limit=3&sortby=-price&filter=${encodeURIComponent("price < 10")}`)),
      [29, 28, 27],
    );
  });

  it("rows that others insert and delete move no page", async () => {
    const first = await get("limit=10&sortby=-price");
    await gateway.database.client.query(
      "insert into geo.sorted (id, price) values (100, 1000); delete from geo.sorted where id = 50",
    );
    assert.deepEqual(idsOf(await get("", hrefOf(first.json.links, "next")))[0], 43);
    await gateway.database.client.query(
      "delete from geo.sorted where id = 100; insert into geo.sorted (id, price, geom) values (50, 50 / 3.0, 'srid=4326;point(50 1)')",
    );
  });

  it("features without a key are paged by offset", async () => {
    const answer = await gateway.get("/collections/geo.keyless/items?limit=10&sortby=-name");
    assert.equal(answer.json.features[0].properties.name, "row 9");
    const next = await gateway.get(hrefOf(answer.json.links, "next"));
    assert.equal(next.json.features[0].properties.name, "row 22");
  });

  it("an unknown sortable, and a place in another order, is 400", async () => {
    const refused = async (query: string, message: RegExp, as = "captain"): Promise<void> => {
      const { status, json } = await gateway.get(query.startsWith("http") ? query : `${ITEMS}?${query}`, { as });
      assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"], query);
      assert.match(json.detail, message);
    };
    await refused("sortby=nothing", /no sortable "nothing"/);
    await refused("sortby=odd", /no sortable "odd"/);
    await refused("sortby=geom", /no sortable "geom"/);
    await refused("sortby=name,,id", /joined by commas/);
    await refused("sortby=name,-name", /each name once/);
    await refused("sortby=", /is empty/);
    await refused("sortby=secret", /no sortable "secret"/, "guest");
    const next = new URL(hrefOf((await get("limit=5&sortby=size,name")).json.links, "next"));
    next.searchParams.set("sortby", "name,size");
    await refused(next.href, /belongs to another collection or order/);
    next.searchParams.delete("sortby");
    await refused(next.href, /belongs to another collection or order/);
    assert.equal(
      (await gateway.get("/collections/geo.sorted/items/1?sortby=name", { as: "captain" })).json.code,
      "UNKNOWN_PARAMETER",
    );
  });

  it("properties and exclude-properties choose the columns of features, whatever they are sorted by", async () => {
    const given = async (query: string): Promise<string[]> =>
      Object.keys((await get(`limit=1&sortby=-price&${query}`)).json.features[0].properties);
    assert.deepEqual(await given("properties=size,name"), ["name", "size"]);
    assert.deepEqual(await given("properties=geom"), []);
    assert.deepEqual(await given("exclude-properties=size,name,odd,made,share,secret"), ["id", "price"]);
    const { features, links } = (await get("limit=1&properties=name&filter=size=1")).json;
    assert.ok(features[0].geometry && features[0].id);
    assert.deepEqual(Object.keys((await get("", hrefOf(links, "next"))).json.features[0].properties), ["name"]);
    assert.match((await get("f=html&properties=name")).text, /<th scope="col">name<\/th>\s*<\/tr>/);
    for (const [query, as] of [
      ["properties=nothing", "captain"],
      ["exclude-properties=nothing", "captain"],
      ["properties=name&exclude-properties=size", "captain"],
      ["properties=name,", "captain"],
      ["properties=secret", "guest"],
    ] as const) {
      const { status, json } = await gateway.get(`${ITEMS}?${query}`, { as });
      assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"], query);
    }
  });

  it("sortables are the columns that the caller may read and that have an order", async () => {
    const names = async (as: string): Promise<string[]> => {
      const { json, headers } = await gateway.get("/collections/geo.sorted/sortables", { as });
      assert.match(headers.get("content-type") ?? "", /^application\/schema\+json/);
      assert.equal(json.additionalProperties, false);
      return Object.keys(json.properties);
    };
    assert.deepEqual(await names("captain"), ["id", "name", "size", "price", "share", "made", "secret"]);
    assert.deepEqual(await names("guest"), ["id", "name"]);
    assert.match((await gateway.get("/collections/geo.sorted/sortables?f=html", { as: "guest" })).text, /sortables/);
    const { links } = (await gateway.get("/collections/geo.sorted", { as: "guest" })).json;
    hrefOf(links, "http://www.opengis.net/def/rel/ogc/1.0/sortables");
  });
});
