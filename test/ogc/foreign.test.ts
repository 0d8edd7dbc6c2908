import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { CRS84, hrefOf, idsOf, ogcGateway, type OgcGateway } from "./support.ts";

const TABLES = `
create table public.trees (id int, species text, planted date, height float8, geom geometry(Point, 4326));
insert into public.trees
select i, 'species ' || i % 3, date '2020-01-01' + i, i + 0.5, st_setsrid(st_makepoint(i % 10, i / 10), 4326)
from generate_series(1, 40) i;
create table public.plots (a int, b text, geom geography(Polygon, 4326));
insert into public.plots values (1, 'x/y', 'polygon((8 49, 9 49, 9 50, 8 49))'), (2, 'z', null);`;

/** A connection string as options of `create server` and `create user mapping`. */
function optionsOf(address: string): { server: string; mapping: string } {
  const { hostname, port, username, password, pathname } = new URL(address);
  const list = (options: Record<string, string>): string =>
    Object.entries(options)
      .map(([name, value]) => `${name} '${decodeURIComponent(value).replaceAll("'", "''")}'`)
      .join(", ");
  return {
    server: list({ host: hostname, port, dbname: pathname.slice(1) }),
    mapping: list({ user: username, password, password_required: "false" }),
  };
}

describe("foreign tables as collections", () => {
  let far: TestDatabase;
  let gateway: OgcGateway;

  before(async () => {
    far = await testDatabase({ kind: "postgis" });
    await far.client.query(TABLES);
    const { server, mapping } = optionsOf(far.url);
    gateway = await ogcGateway({
      prepare: ({ client }) =>
        client.query(`
create extension postgres_fdw;
create server far foreign data wrapper postgres_fdw options (${server});
create user mapping for public server far options (${mapping});
create schema abroad;
create foreign table abroad.trees (
  id int not null, species text, planted date, height float8, geom geometry(Point, 4326)) server far options (schema_name 'public');
comment on foreign table abroad.trees is E'@primaryKey id\\n@title Trees abroad\\nThey stand elsewhere.';
comment on column abroad.trees.species is '@filterable';
create foreign table abroad.plots (a int, b text, geom geography(Polygon, 4326)) server far options (schema_name 'public');
comment on foreign table abroad.plots is '@primaryKey a,b';
create foreign table abroad.keyless (species text, geom geometry(Point, 4326))
  server far options (schema_name 'public', table_name 'trees');
create foreign table abroad.hidden (id int, geom geometry(Point, 4326)) server far options (schema_name 'public', table_name 'trees');
select portolan.set_authentication(r::regclass, 'None')
from unnest(array['abroad.trees', 'abroad.plots', 'abroad.keyless']) r;
select portolan.set_privilege('abroad.hidden', 'guest', 'none');`),
    });
  });
  after(async () => {
    await gateway.close();
    await far.drop();
  });

  it("are listed with title, description and their present extent", async () => {
    const { status, json } = await gateway.get("/collections/abroad.trees");
    assert.equal(status, 200);
    assert.deepEqual(
      [json.title, json.description, json.extent.spatial.bbox],
      ["Trees abroad", "They stand elsewhere.", [[0, 0, 9, 4]]],
    );
    const { json: list } = await gateway.get("/collections?limit=1000");
    const ids = (list.collections as { id: string }[]).map(({ id }) => id).filter((id) => id.startsWith("abroad."));
    assert.deepEqual(ids.sort(), ["abroad.keyless", "abroad.plots", "abroad.trees"]);
    assert.equal((await gateway.get("/collections/abroad.hidden/items")).status, 401);
  });

  it("items: pages by key, each feature once, with the number of all; changes show at once", async () => {
    const seen: unknown[] = [];
    let address: string | undefined = "/collections/abroad.trees/items?limit=15";
    while (address !== undefined) {
      const page = await gateway.get(address);
      assert.equal(page.status, 200, page.text);
      assert.equal(page.json.numberMatched, 40);
      seen.push(...idsOf(page));
      const hasNext = (page.json.links as { rel: string }[]).some(({ rel }) => rel === "next");
      address = hasNext ? hrefOf(page.json.links, "next") : undefined;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    await far.client.query("insert into public.trees values (41, 'late', null, null, 'srid=4326;point(50 50)')");
    const { json } = await gateway.get("/collections/abroad.trees/items?limit=10&offset=38");
    await far.client.query("delete from public.trees where id = 41");
    assert.deepEqual([json.numberMatched, json.features.at(-1).properties.species], [41, "late"]);
  });

  it("an item by the key that @primaryKey names, of one column and of two", async () => {
    const { status, json } = await gateway.get("/collections/abroad.trees/items/7");
    assert.equal(status, 200);
    assert.deepEqual(
      [json.id, json.geometry, json.properties],
      [7, { type: "Point", coordinates: [7, 0] }, { id: 7, species: "species 1", planted: "2020-01-08", height: 7.5 }],
    );
    const plots = await gateway.get("/collections/abroad.plots/items");
    assert.deepEqual(idsOf(plots), ["1,x%2Fy", "2,z"]);
    const plot = await gateway.get(`/collections/abroad.plots/items/${encodeURIComponent("1,x%2Fy")}`);
    assert.deepEqual([plot.status, plot.json.geometry.type], [200, "Polygon"]);
    for (const id of ["999", "x", "7,7"])
      assert.equal((await gateway.get(`/collections/abroad.trees/items/${id}`)).status, 404, id);
  });

  it("bbox, its CRS, the answer's CRS and filters, also of a geography and without a key", async () => {
    const inBox = "bbox=2.5,0.5,5.5,2.5";
    const box = [13, 14, 15, 23, 24, 25];
    assert.deepEqual(idsOf(await gateway.get(`/collections/abroad.trees/items?${inBox}`)), box);
    const mercator = "bbox=278298,55660,612257,278300&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857";
    assert.deepEqual(idsOf(await gateway.get(`/collections/abroad.trees/items?${mercator}`)), box);
    const flipped = await gateway.get(
      `/collections/abroad.trees/items?${inBox}&limit=1&crs=http://www.opengis.net/def/crs/EPSG/0/4326`,
    );
    assert.deepEqual(flipped.json.features[0].geometry.coordinates, [1, 3]);
    const filtered = await gateway.get(`/collections/abroad.trees/items?${inBox}&species=species%201&crs=${CRS84}`);
    assert.deepEqual(idsOf(filtered), [13, 25]);
    assert.deepEqual(idsOf(await gateway.get("/collections/abroad.plots/items?bbox=8,49,10,51")), ["1,x%2Fy"]);
    const keyless = await gateway.get(`/collections/abroad.keyless/items?${inBox}`);
    assert.deepEqual([keyless.json.numberMatched, keyless.json.features[0].id], [6, undefined]);
  });

  it("a server that does not answer is an error that reveals nothing about it", async () => {
    await gateway.database.client.query("alter server far options (set port '1')");
    try {
      const { status, text } = await gateway.get("/collections/abroad.trees/items?limit=1");
      assert.equal(status, 503, text);
      assert.doesNotMatch(text, /socket|port|far|postgres/i);
    } finally {
      const { port } = new URL(far.url);
      await gateway.database.client.query(`alter server far options (set port '${port}')`);
    }
    assert.equal((await gateway.get("/collections/abroad.trees/items?limit=1")).status, 200);
  });
});
