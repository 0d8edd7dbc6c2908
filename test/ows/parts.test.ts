import assert from "node:assert/strict";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";
import { ask, pictureAt, queryOf, type Kvp } from "./support.ts";

const BOX: Kvp = {
  service: "WMS", version: "1.3.0", layers: "gis.squares", styles: "", crs: "CRS:84", bbox: "10,50,12,52",
  width: 200, height: 200, format: "image/png",
}; // oxfmt-ignore
const MAP = queryOf({ ...BOX, request: "GetMap" });
const INFO = queryOf({ ...BOX, request: "GetFeatureInfo", query_layers: "gis.squares", i: 50, j: 150 });

describe("rules of the services ows and wfst", () => {
  let gateway: MapGateway;
  let token: string;
  const rule = (members: object) =>
    gateway.client.query("select portolan.create_rule($1)", [JSON.stringify({ username: "guest", ...members })]);
  const items = async () => gateway.ask("/collections/gis.squares/items", "guest");
  const maps = async () =>
    gateway.ask("/collections/gis.squares/map?bbox=10,50,12,52&width=200&height=200&f=png", "guest");
  const wms = (query: string) => ask(`${gateway.baseUrl}/ows/${gateway.database.name}?${query}`, { token });
  /** `true` for each of features, vector tiles, pixel, map, map tiles, picture, list. */
  async function open(): Promise<Record<string, boolean>> {
    const [features, tile, map, mapTile, list] = await Promise.all([
      items(),
      gateway.ask("/collections/gis.squares/tiles/WebMercatorQuad/0/0/0", "guest"),
      maps(),
      gateway.ask("/collections/gis.squares/map/tiles/WebMercatorQuad/0/0/0", "guest"),
      gateway.ask("/collections", "guest"),
    ]);
    const { collections } = (await list.json()) as { collections: { id: string }[] };
    return {
      features: features.status === 200,
      tile: tile.status === 200,
      pixel: !(await wms(INFO)).text.includes("LayerNotDefined"),
      map: map.status === 200,
      mapTile: mapTile.status === 200,
      picture: (await wms(MAP)).type === "image/png",
      list: collections.some(({ id }) => id === "gis.squares"),
    };
  }

  before(async () => {
    gateway = await mapGateway({
      prepare: ({ client }) => client.query("select portolan.set_privilege('gis.squares', 'guest', 'read')"),
    });
    token = await gateway.token("guest");
  });
  after(() => gateway.close());
  afterEach(() => gateway.client.query("delete from portolan.rules"));

  const PICTURES = { map: true, mapTile: true, picture: true };
  const FEATURES = { features: true, tile: true, pixel: true };
  const closed = (of: object) => Object.fromEntries(Object.keys(of).map((name) => [name, false]));

  it("are about pictures and about features; the list shows what both parts may be seen of", async () => {
    assert.deepEqual(await open(), { ...FEATURES, ...PICTURES, list: true });
    await rule({ service: "wfst", access: "deny" });
    assert.deepEqual(await open(), { ...closed(FEATURES), ...PICTURES, list: false });
    await gateway.client.query("delete from portolan.rules");
    await rule({ service: "ows", access: "deny" });
    assert.deepEqual(await open(), { ...FEATURES, ...closed(PICTURES), list: false });
    await gateway.client.query("delete from portolan.rules");
    await rule({ service: "ogc", access: "deny" });
    assert.deepEqual(await open(), { ...closed(FEATURES), ...closed(PICTURES), list: false });
  });

  it("limit the rows of one part, and leave the other as it is", async () => {
    const areaOf = async () =>
      (await pictureAt(`${gateway.baseUrl}/ows/${gateway.database.name}?${MAP}`, { token })).picture.count("#ffffff");
    const all = await areaOf();
    await rule({ service: "ows", access: "limit", filter: "id = 1" });
    const some = await areaOf();
    assert.ok(some > all + 20_000, `${all} ${some}`);
    assert.equal(((await (await items()).json()) as { features: unknown[] }).features.length, 4);
    await gateway.client.query("delete from portolan.rules");
    await rule({ service: "wfst", access: "limit", filter: "id = 1" });
    assert.equal(await areaOf(), all);
    assert.equal(((await (await items()).json()) as { features: unknown[] }).features.length, 1);
  });

  it("let an allow rule of a part go before a deny rule of all", async () => {
    await rule({ service: "ows", access: "allow" });
    await rule({ service: "ogc", access: "deny", priority: 1 });
    assert.deepEqual(await open(), { ...closed(FEATURES), ...PICTURES, list: false });
  });
});
