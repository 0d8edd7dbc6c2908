import assert from "node:assert/strict";
import { until } from "../support/events.ts";
import { CRS84, EPSG, mapGateway, type MapGateway } from "./fixture.ts";

const BOX = "bbox=9,49,13,53&width=40&height=40";
const RED = "#ff0000ff";
const BLUE = "#0000ffff";
const style = (color: string): unknown => [{ name: "All", styles: [{ color }] }];

describe("the map without collections", () => {
  /** Ids of the collections that a map names as shown, the lowest first. */
  const shownIn = (response: Response): string[] =>
    [...(response.headers.get("link") ?? "").matchAll(/collections\/([^>]+)>; rel="collection"/g)].map(([, id]) => id!);
  const shown = async (gateway: MapGateway, account = "captain"): Promise<string[]> => {
    const response = await gateway.ask(`/map?${BOX}`, account);
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    return shownIn(response);
  };
  /** The number of maps that MapServer could not draw. */
  const failures = async ({ http }: MapGateway): Promise<number> => {
    const { text } = await http.get("/metrics");
    return Number(/^portolan_map_duration_seconds_count\{result="failed"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const asCaptain = async (gateway: MapGateway) => ({ Authorization: `Bearer ${await gateway.token("captain")}` });

  describe("of several schemas", () => {
    let gateway: MapGateway;
    before(async () => {
      gateway = await mapGateway({
        config: { ogc: { mapCrs: "storage" }, catalogueIntervalMs: 50 },
        styled: { zz: { of: "squares", style: style("#ff0000") } },
        prepare: async ({ client }) => {
          await client.query("insert into other.squares values (1, st_makeenvelope(10, 50, 11, 51, 4326))");
          await client.query("select portolan.set_style('other.squares', $1)", [JSON.stringify(style("#0000ff"))]);
        },
      });
    });
    after(() => gateway.close());

    it("shows everything that the caller may see, by schema and name, in CRS84", async () => {
      const response = await gateway.ask(`/map?${BOX}`, "captain");
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-crs"), CRS84);
      const ids = shownIn(response);
      assert.deepEqual([ids[0], ids.at(-2), ids.at(-1)], ["gis.curves", "gis.zz", "other.squares"]);
      const map = await gateway.map(`/map?${BOX}`);
      assert.deepEqual([map.at(15, 25), map.at(25, 15)], [BLUE, RED]);
    });

    it("the landing page leads to it, and says where it is", async () => {
      const { links, extent, crs } = await (await gateway.ask("/?f=json", "captain")).json();
      const [link] = links.filter(({ rel }: { rel: string }) => rel.endsWith("/map"));
      const response = await fetch(link.href, { headers: await asCaptain(gateway) });
      assert.equal(response.headers.get("content-type"), "image/png");
      await response.arrayBuffer();
      assert.deepEqual(extent.spatial.bbox[0].map(Math.round), [9, 50, 12, 52]);
      assert.ok(crs.includes(`${EPSG}/25832`));
    });

    it("its page requests no collections, since they are of several schemas", async () => {
      const html = await (await gateway.ask("/map?f=html", "captain")).text();
      assert.doesNotMatch(html, /name="collections"/);
      assert.match(html, /"address":"[^"]*\/map"/);
    });

    it("has only what the caller may see, and is 400 for a caller who sees nothing", async () => {
      await gateway.client.query("select portolan.set_privilege('gis.zz', 'guest', 'read')");
      assert.deepEqual(await shown(gateway, "guest"), ["gis.zz"]);
      const nothing = await gateway.ask("/map", "other");
      assert.equal(nothing.status, 400);
      assert.match((await nothing.json()).detail, /^collections: the caller may see none/);
    });

    it("named collections are still of one schema", async () => {
      const response = await gateway.ask(`/map?collections=gis.zz,other.squares&${BOX}`, "captain");
      assert.equal(response.status, 400);
      assert.match((await response.json()).detail, /^collections: all must be of one schema/);
    });

    it("leaves out a collection that cannot be drawn, and its own map reports that", async () => {
      await gateway.client.query(`
create view gis.broken as select id, st_translate(geom, 1 / (id - id), 0)::geometry(Polygon, 4326) as geom from gis.squares;
create view gis.broken_too as select * from gis.broken;
create view gis.unreadable with (security_barrier) as select id, geom from gis.squares`);
      for (const id of ["gis.broken", "gis.broken_too", "gis.unreadable"])
        await until(async () => {
          const response = await gateway.ask(`/collections/${id}`, "captain");
          await response.arrayBuffer();
          return response.status === 200;
        });
      assert.equal((await gateway.ask(`/collections/gis.broken/map?${BOX}`, "captain")).status, 502);
      const before = await failures(gateway);
      const ids = await shown(gateway);
      assert.equal((await failures(gateway)) - before, 2, "each of the two is drawn once");
      assert.ok(!ids.includes("gis.broken") && !ids.includes("gis.broken_too"));
      for (const id of ["gis.unreadable", "gis.zz", "other.squares"]) assert.ok(ids.includes(id), id);
      assert.equal((await gateway.ask(`/map?collections=gis.broken,gis.zz&${BOX}`, "captain")).status, 502);
      await gateway.client.query("drop view gis.broken_too, gis.broken, gis.unreadable");
    });

    it("leaves out a style that needs columns which the caller may not read", async () => {
      await gateway.client.query(`
create table gis.tinted (like gis.squares including all); insert into gis.tinted select * from gis.squares;
select portolan.set_style('gis.tinted', '[{"name": "All", "styles": [{"color": "tint"}]}]')`);
      await gateway.client.query(`grant select (id, geom) on gis.tinted to "guest@${gateway.database.name}"`);
      while ((await gateway.ask("/collections/gis.tinted", "guest")).status !== 200);
      assert.equal((await gateway.ask(`/collections/gis.tinted/map?${BOX}`, "guest")).status, 403);
      assert.deepEqual(await shown(gateway, "guest"), ["gis.zz"]);
    });
  });

  it("shows ogc.mapCollections at most: more is 400 with the number, and the others by name", async () => {
    const gateway = await mapGateway({ config: { ogc: { mapCollections: 3 } } });
    try {
      const response = await gateway.ask("/map", "captain");
      assert.equal(response.status, 400);
      assert.match(
        (await response.json()).detail,
        /^collections: there are 14, but a map shows at most 3: name the wanted ones$/,
      );
      assert.equal(
        (await gateway.ask(`/map?collections=gis.squares,gis.lines,gis.points&${BOX}`, "captain")).status,
        200,
      );
      const four = await gateway.ask("/map?collections=gis.squares,gis.lines,gis.points,gis.utm", "captain");
      assert.equal(four.status, 400);
      const { links } = await (await gateway.ask("/?f=json", "captain")).json();
      assert.ok(links.some(({ rel }: { rel: string }) => rel.endsWith("/map")));
    } finally {
      await gateway.close();
    }
  });

  it("ogc.defaultSchema is one schema alone; its common system is told with mapCrs storage", async () => {
    const gateway = await mapGateway({ config: { ogc: { defaultSchema: "other", mapCrs: "storage" } } });
    try {
      await gateway.client.query("insert into other.squares values (1, st_makeenvelope(10, 50, 11, 51, 4326))");
      const response = await gateway.ask("/map?width=10", "captain");
      assert.deepEqual(shownIn(response), ["other.squares"]);
      const { storageCrs, extent } = await (await gateway.ask("/?f=json", "captain")).json();
      assert.equal(response.headers.get("content-crs"), storageCrs);
      assert.equal(storageCrs, `${EPSG}/4326`);
      assert.deepEqual(extent.spatial.storageCrsBbox, [[50, 10, 51, 11]]);
    } finally {
      await gateway.close();
    }
  });
});
