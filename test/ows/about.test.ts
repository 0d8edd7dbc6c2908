import assert from "node:assert/strict";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";
import { until } from "../support/until.ts";
import { ask, queryOf } from "./support.ts";

describe("what a dataset says of itself", () => {
  let gateway: MapGateway;
  let token: string;
  let ows: string;
  let api: string;

  before(async () => {
    gateway = await mapGateway({
      config: { schemas: ["gis"] },
      prepare: async ({ client }) =>
        void (await client.query(
          `comment on schema gis is E'@title Land & water\\n@abstract What the office surveys.\\n@keywords land, water\\n@license CC BY 4.0 https://example.org/by'`,
        )),
    });
    token = await gateway.token("captain");
    ows = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    api = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
  });
  after(() => gateway.close());

  it("is the comment of its schema, in the capabilities of each service", async () => {
    for (const root of [ows, `${ows}/gis`])
      for (const kvp of [
        { service: "WMS" },
        { service: "WMS", version: "1.1.1" },
        { service: "WMTS" },
        { service: "WFS" },
        { service: "WFS", version: "1.1.0" },
      ]) {
        const { text } = await ask(`${root}?${queryOf({ ...kvp, request: "GetCapabilities" })}`, { token });
        const what = `${root} ${JSON.stringify(kvp)}`;
        const head = /<(?:ows:ServiceIdentification|Service)>([^]*?)<\/(?:ows:ServiceIdentification|Service)>/.exec(
          text,
        )![1]!;
        assert.match(head, /Title>Land &amp; water</, what);
        assert.match(head, /Abstract>What the office surveys\.</, what);
        assert.match(head, /Keyword>land<[^]*Keyword>water</, what);
        assert.match(head, /AccessConstraints>CC BY 4\.0 https:\/\/example\.org\/by</, what);
      }
  });

  it("is on the landing page, in /api, and the licence of its collections", async () => {
    const read = async (path: string) => (await (await fetch(api + path, { headers: { authorization: `Bearer ${token}` } })).json()) as Record<string, unknown>; // oxfmt-ignore
    const { title, description, keywords, links } = await read("/?f=json");
    assert.deepEqual([title, description, keywords], ["Land & water", "What the office surveys.", ["land", "water"]]);
    const licence = (all: unknown) =>
      (all as { rel: string; href: string }[]).find(({ rel }) => rel === "license")?.href;
    assert.equal(licence(links), "https://example.org/by");
    const { info } = (await read("/api?f=json")) as { info: { title: string; description: string; license: object } };
    assert.equal(info.title, "Land & water");
    assert.match(info.description, /^What the office surveys\./);
    assert.deepEqual(info.license, { name: "CC BY 4.0", url: "https://example.org/by" });
    assert.equal(licence((await read("/collections/gis.squares?f=json"))["links"]), "https://example.org/by");
  });

  it("changes with the comment, and a client that has the document is told so", async () => {
    const address = `${ows}?${queryOf({ service: "WMS", request: "GetCapabilities" })}`;
    const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
    const first = await fetch(address, { headers });
    assert.equal(first.headers.get("content-encoding"), "gzip");
    assert.equal(first.headers.get("expires"), "Thu, 01 Jan 1970 00:00:00 GMT", "QGIS would keep it for a day");
    const text = await first.text();
    const again = { headers: { ...headers, "if-none-match": first.headers.get("etag")! } };
    assert.equal((await fetch(address, again)).status, 304);
    const plain = await fetch(address, { headers: { ...headers, "accept-encoding": "identity" } });
    assert.equal(plain.headers.get("content-encoding"), null);
    assert.equal(await plain.text(), text);
    await gateway.database.client.query("comment on schema gis is '@title Only water'");
    await until(async () => (await (await fetch(address, again)).text()).includes("<Title>Only water</Title>"));
  });

  it("is told of many layers with their rectangles, also of those that fail or are empty", async () => {
    await gateway.database.client.query(`
do $$ begin
  for i in 1..40 loop
    execute format('create table gis.many%s (id integer primary key, geom geometry(Point, 4326))', i);
    execute format('insert into gis.many%s values (1, ''srid=4326;point(%s 1)'')', i, i);
  end loop;
end $$;
truncate gis.many7; insert into gis.many8 values (2, 'srid=4326;point(NaN 3)')`);
    const capabilities = async () => (await ask(`${ows}?${queryOf({ service: "WMS", request: "GetCapabilities" })}`, { token })).text; // oxfmt-ignore
    await until(async () => (await capabilities()).includes("gis.many40"));
    const text = await capabilities();
    const westOf = (name: string) => new RegExp(`<Name>${name}</Name>[^]*?<westBoundLongitude>([^<]*)<`).exec(text)![1];
    assert.deepEqual(["gis.many1", "gis.many7", "gis.many8", "gis.many40"].map(westOf), ["1", "-180", "8", "40"]);
    await gateway.database.client.query("insert into gis.many1 values (2, 'srid=4326;point(-5 1)')");
    await until(async () => /<Name>gis\.many1<[^]*?<westBoundLongitude>-5</.test(await capabilities()));
  });

  it("is made once for callers who see the same layers in other extents", async () => {
    const { client } = gateway.database;
    await client.query(`
do $$ begin for i in 41..200 loop execute format('create table gis.many%s (id integer primary key, geom geometry(Point, 4326))', i); end loop; end $$;
alter table gis.many1 enable row level security;
create policy own on gis.many1 for select using (current_user like 'captain%' or id = 1);
select portolan.set_privilege(c.oid::regclass, 'guest', 'read') from pg_class c where relnamespace = 'gis'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f')`);
    const guest = await gateway.token("guest");
    const address = `${ows}?${queryOf({ service: "WMS", request: "GetCapabilities" })}`;
    const read = async (as: string) => (await ask(address, { token: as })).text;
    const costOf = async (callers: readonly string[]) => {
      const costs: number[] = [];
      for (let measured = 0; measured < 3; measured++) {
        const started = process.cpuUsage();
        for (let round = 0; round < 6; round++) for (const caller of callers) await read(caller);
        const { user, system } = process.cpuUsage(started);
        costs.push(user + system);
      }
      return Math.min(...costs); // the gateway may build the schema of the new tables meanwhile
    };
    await until(async () => (await read(guest)).includes("gis.many200"));
    for (const caller of [guest, token]) await until(async () => (await read(caller)) === (await read(caller)));
    assert.notEqual(await read(guest), await read(token));
    const [one, both] = [await costOf([guest, guest]), await costOf([guest, token])];
    assert.ok(both < 3 * one + 50_000, `${one} µs for one caller, ${both} µs for two`);
  });
});
