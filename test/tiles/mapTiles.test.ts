import assert from "node:assert/strict";
import { decode } from "jpeg-js";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { findMapserv } from "../../server/setup/programs.mjs";
import { until } from "../support/until.ts";
import { picture, type Picture } from "../maps/pixels.ts";
import { tileAt, tileGateway, type TileGateway } from "./fixture.ts";

const STYLE = (colour: string) => JSON.stringify([{ name: "All", styles: [{ color: colour }] }]);

const MERCATOR = "http://www.opengis.net/def/crs/EPSG/0/3857";
/** The tiles of level 7 on both sides of 11.25° east. */
const BOTH = bothAt(7, 11.25, 50.5);
const EDGES = `
create table gis.edges (id int primary key, geom geometry(Point, 4326));
insert into gis.edges values (1, 'srid=4326;point(11.25 50.5)');
create table gis.names (id int primary key, name text, geom geometry(Point, 4326));
insert into gis.names values (1, 'Hohenwarte', 'srid=4326;point(11.25 50.5)'), (2, 'Far', 'srid=4326;point(10.2 50.2)');
select portolan.set_style('gis.edges', '[{"name": "All", "styles": [{"symbol": "square", "size": 20, "color": "#0000ff"}]}]');
select portolan.set_style('gis.names', '[{"name": "All", "styles": [{"color": "#0000ff", "size": 4}],
  "labels": [{"text": "name", "size": 14, "color": "#ff0000", "position": "uc"}]}]');
select portolan.set_authentication(t::regclass, 'None') from unnest('{gis.edges,gis.names}'::text[]) t`;

function bothAt(zoom: number, longitude: number, latitude: number): readonly number[] {
  const [, , row, column] = tileAt(zoom, longitude, latitude).split("/").map(Number);
  const edge = 20_037_508.342789244;
  const span = (2 * edge) / 2 ** zoom;
  return [(column! - 1) * span - edge, edge - (row! + 1) * span, (column! + 1) * span - edge, edge - row! * span];
}

describeOnlyIf(findMapserv() !== undefined, "MapServer")("a map tile", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({
      prepare: ({ client }) =>
        client.query(
          `select portolan.set_style('gis.squares', '${STYLE("#ff0000")}'), portolan.enable_events('gis.squares');
${EDGES}`,
        ),
    });
  });
  after(() => gateway.close());

  async function tile(path: string, as?: string): Promise<Picture> {
    const response = await gateway.ask(path, as === undefined ? {} : { as });
    assert.equal(response.status, 200, `${path}: ${response.status}`);
    assert.equal(response.headers.get("content-type"), "image/png");
    return picture(Buffer.from(await response.arrayBuffer()));
  }

  const of = (collection: string, zoom: number, longitude = 10.5, latitude = 50.5): string =>
    `/collections/gis.${collection}/map/tiles/${tileAt(zoom, longitude, latitude)}`;

  it("has the size of its matrix, and shows the features, pixel by pixel", async () => {
    const shown = await tile(of("squares", 5));
    assert.deepEqual([shown.width, shown.height], [256, 256]);
    const [, zoom, row, column] = tileAt(5, 10.5, 50.5).split("/").map(Number);
    const x = Math.floor((((10.5 + 180) / 360) * 2 ** zoom! - column!) * 256);
    const y = Math.floor(
      ((1 - Math.asinh(Math.tan((50.5 * Math.PI) / 180)) / Math.PI) / 2) * 2 ** zoom! * 256 - row! * 256,
    );
    assert.equal(shown.at(x, y), "#ff0000ff");
    assert.equal(shown.at(2, 2), "#00000000");
  });

  it("is named as png last, for clients that take the last", async () => {
    const response = await gateway.ask("/collections/gis.squares/map/tiles/WebMercatorQuad?f=json");
    const { links } = (await response.json()) as { links: { rel: string; type: string }[] };
    const types = links.flatMap(({ rel, type }) => (rel === "item" ? [type] : []));
    assert.deepEqual(types, ["image/jpeg", "image/png"]);
  });

  it("is in every set, as png and jpeg, of one collection and of several", async () => {
    for (const path of ["WorldCRS84Quad/3/1/8", "WorldMercatorWGS84Quad/5/10/16"])
      assert.ok((await tile(`/collections/gis.squares/map/tiles/${path}`)).count("#ff0000") > 10, path);
    const several = await tile(`/map/tiles/${tileAt(5, 10.5, 50.5)}?collections=gis.squares,gis.points`);
    assert.ok(several.count("#ff0000") > 10 && several.count("#d1495b") > 5);
    const all = await tile(`/map/tiles/${tileAt(5, 10.5, 50.5)}`);
    assert.ok(all.count("#ff0000") > 10);
    const jpeg = await gateway.ask(`${of("squares", 5)}?f=jpeg`);
    assert.equal(jpeg.headers.get("content-type"), "image/jpeg");
    assert.deepEqual([...new Uint8Array(await jpeg.arrayBuffer()).subarray(0, 3)], [0xff, 0xd8, 0xff]);
  });

  it("is a picture without features within the limits, and 404 beyond them", async () => {
    const empty = await tile(of("points", 10, 11, 51));
    assert.equal(empty.count("#00000000"), 256 * 256);
    assert.equal((await gateway.ask(of("points", 10, -60, 51))).status, 404);
    assert.equal((await gateway.ask("/collections/gis.points/map/tiles/WebMercatorQuad/30/0/0")).status, 404);
    assert.equal((await gateway.ask("/collections/gis.points/map/tiles/WebMercatorQuad/0/0/1")).status, 404);
  });

  it("takes a filter and a background", async () => {
    const some = await tile(`${of("squares", 5)}?filter=${encodeURIComponent("kind = 'lake'")}`);
    assert.ok(some.count("#ff0000") < (await tile(of("squares", 5))).count("#ff0000"));
    assert.equal((await tile(`${of("squares", 5)}?bgcolor=0x00FF00`)).at(2, 2), "#00ff00ff");
    assert.equal((await gateway.ask(`${of("squares", 5)}?filter=nothing%3D1`)).status, 400);
  });

  it("is kept until its table or its style changes", async () => {
    const made = async (): Promise<Record<string, number>> => {
      const text = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
      const found = text.matchAll(/portolan_tiles_total\{kind="map",from="(\w+)"\} (\d+)/g);
      return Object.fromEntries([...found].map(([, from, n]) => [from, Number(n)])) as Record<string, number>;
    };
    await tile(of("squares", 5));
    const before = await made();
    // a new connection draws it once more
    const etag = (await gateway.ask(of("squares", 5))).headers.get("etag")!;
    await until(async () => {
      await tile(of("squares", 5));
      return ((await made())["kept"] ?? 0) > (before["kept"] ?? 0);
    });
    assert.equal((await gateway.ask(of("squares", 5), { headers: { "if-none-match": etag } })).status, 304);
    await gateway.client.query("delete from gis.squares where id = 1");
    assert.notEqual((await gateway.ask(of("squares", 5))).headers.get("etag"), etag);
    await gateway.client.query(`select portolan.set_style('gis.squares', '${STYLE("#0000ff")}')`);
    while ((await tile(of("squares", 5))).count("#0000ff") === 0);
  });

  describe("over the edge between two tiles", () => {
    /** Two adjacent tiles, and the same place of one picture over both. */
    async function pair(collection: string, query = ""): Promise<Picture[]> {
      const [, zoom, row, column] = tileAt(7, 11.25, 50.5).split("/").map(Number); // 11.25 is an edge
      return Promise.all(
        [column! - 1, column!].map((each) =>
          tile(`/collections/gis.${collection}/map/tiles/WebMercatorQuad/${zoom}/${row}/${each}${query}`),
        ),
      );
    }
    const inColumn = ({ at, height }: Picture, x: number, colour: string): number =>
      Array.from({ length: height }, (_, y) => at(x, y)).filter((pixel) => pixel === colour).length;

    it("a symbol is whole", async () => {
      const [left, right] = await pair("edges");
      assert.ok(inColumn(left!, 255, "#0000ffff") > 15 && inColumn(right!, 0, "#0000ffff") > 15);
      assert.equal(inColumn(left!, 255, "#0000ffff"), inColumn(right!, 0, "#0000ffff"));
    });

    it("a label continues in the next tile", async () => {
      const [left, right] = await pair("names");
      const ink = ({ at, height }: Picture, from: number, to: number): number => {
        let count = 0;
        for (let x = from; x < to; x++) for (let y = 0; y < height; y++) if (at(x, y) !== "#00000000") count++;
        return count;
      };
      assert.ok(ink(left!, 226, 256) > 100 && ink(right!, 0, 30) > 100);
      // the same letters in one picture of both
      const shown = await gateway.ask(
        `/collections/gis.names/map?f=png&width=512&height=256&crs=${MERCATOR}&bbox-crs=${MERCATOR}&bbox=${BOTH.join(",")}`,
      );
      const whole = picture(Buffer.from(await shown.arrayBuffer()));
      const differing = [left!, right!].flatMap(({ at }, side) =>
        Array.from({ length: 256 * 256 }, (_, index): readonly [number, number] => [
          index % 256,
          Math.floor(index / 256),
        ]).filter(([x, y]) => (at(x, y) === "#00000000") !== (whole.at(x + side * 256, y) === "#00000000")),
      );
      assert.ok(differing.length < 40, `${differing.length} pixels differ`);
    });

    it("as jpeg too", async () => {
      const path = `/collections/gis.edges/map/tiles/${tileAt(7, 11.25, 50.5)}?f=jpeg&bgcolor=00FF00`;
      const { data, width, height } = decode(Buffer.from(await (await gateway.ask(path)).arrayBuffer()));
      assert.deepEqual([width, height], [256, 256]);
      const column = Array.from({ length: 256 }, (_, y) => [...data.subarray(y * 256 * 4, y * 256 * 4 + 3)]);
      assert.ok(column.filter(([red, green, blue]) => red! < 60 && green! < 60 && blue! > 200).length > 15);
      assert.ok(column.filter(([red, green, blue]) => red! < 60 && green! > 200 && blue! < 60).length > 200);
    });
  });

  it("is refused to an account that may not read", async () => {
    assert.equal((await gateway.ask(of("hidden", 5))).status, 401);
    assert.equal((await gateway.ask(of("hidden", 5), { as: "guest" })).status, 403);
    assert.ok((await tile(of("hidden", 5), "captain")).count("#d1495b") > 5);
  });
});
