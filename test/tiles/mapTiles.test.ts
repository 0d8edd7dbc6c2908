import assert from "node:assert/strict";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { findMapserv } from "../../server/setup/programs.mjs";
import { until } from "../support/until.ts";
import { picture, type Picture } from "../maps/pixels.ts";
import { tileAt, tileGateway, type TileGateway } from "./fixture.ts";

const STYLE = (colour: string) => JSON.stringify([{ name: "All", styles: [{ color: colour }] }]);

describeOnlyIf(findMapserv() !== undefined, "MapServer")("a map tile", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({
      prepare: ({ client }) =>
        client.query(
          `select portolan.set_style('gis.squares', '${STYLE("#ff0000")}'), portolan.enable_events('gis.squares')`,
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

  it("is as large as its matrix says, and shows what is there, pixel by pixel", async () => {
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

  it("is a picture where there is nothing within the limits, and 404 beyond them", async () => {
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
    // a connection that is new makes it once more
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

  it("is refused to who may not read", async () => {
    assert.equal((await gateway.ask(of("hidden", 5))).status, 401);
    assert.equal((await gateway.ask(of("hidden", 5), { as: "guest" })).status, 403);
    assert.ok((await tile(of("hidden", 5), "captain")).count("#d1495b") > 5);
  });
});
