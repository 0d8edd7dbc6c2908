import assert from "node:assert/strict";
import { parseXml, type XmlElement } from "../../server/types/xml.ts";
import { ask, exceptionOf, pictureAt, queryOf, type Kvp } from "../ows/support.ts";
import { until } from "../support/until.ts";
import { mapGateway, type MapGateway } from "./fixture.ts";

const style = (color: string): string => JSON.stringify([{ name: "All", styles: [{ color }] }]);
const [RED, BLUE, GREEN] = ["#ff0000", "#0000ff", "#00ff00"];
const MAP: Kvp = {
  service: "WMS", version: "1.3.0", request: "GetMap", layers: "gis.squares", styles: "", crs: "EPSG:4326",
  bbox: "50,10,51,11", width: 20, height: 20, format: "image/png",
}; // oxfmt-ignore
const all = (element: XmlElement, name: string): XmlElement[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => all(child, name)),
];

describe("several styles of a collection", () => {
  let gateway: MapGateway;
  let token: string;
  let ows: string;
  let ogc: string;
  const query = (text: string, values: readonly unknown[] = []) =>
    gateway.database.client.query(text, [...values]) as Promise<{ rows: Record<string, unknown>[] }>;
  /** The colour in the middle of a picture. */
  const colourAt = async (address: string): Promise<string> =>
    (await pictureAt(address, { token })).picture.at(10, 10).slice(0, 7);
  const drawn = (kvp: Kvp = {}): Promise<string> => colourAt(`${ows}?${queryOf({ ...MAP, ...kvp })}`);
  const MAP_QUERY = "bbox=10,50,11,51&width=20&height=20&f=png";

  before(async () => {
    gateway = await mapGateway({
      prepare: async ({ client }) =>
        void (await client.query(`
select portolan.set_style('gis.squares', '${style(RED)}');
select portolan.set_style('gis.squares', '${style(BLUE)}', 'night', 'By night');
select portolan.set_style('gis.squares', '[{"name": "Parks", "where": {"id": {"gt": 0}}, "styles": [{"color": "${GREEN}"}]}]', 'Land.use')`)),
    });
    token = await gateway.token("captain");
    ows = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    ogc = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
  });
  after(() => gateway.close());

  it("are drawn by their names, over WMS, OGC API Maps, WMTS and map tiles", async () => {
    assert.equal(await drawn(), RED);
    assert.equal(await drawn({ styles: "default" }), RED);
    assert.equal(await drawn({ styles: "night" }), BLUE);
    assert.equal(await drawn({ layers: "gis.squares,gis.squares", styles: "night,Land.use" }), GREEN);
    assert.equal(await drawn({ layers: "gis.squares,gis.squares", styles: "Land.use,night" }), BLUE);
    assert.equal(await colourAt(`${ogc}/collections/gis.squares/map?${MAP_QUERY}`), RED);
    assert.equal(await colourAt(`${ogc}/collections/gis.squares/map?${MAP_QUERY}&style=night`), BLUE);
    assert.equal(await colourAt(`${ogc}/collections/gis.squares/styles/Land.use/map?${MAP_QUERY}`), GREEN);
    const tile = `${ogc}/collections/gis.squares/map/tiles/WebMercatorQuad/10/347/541`;
    assert.equal(await colourAt(`${tile}?f=png`), RED);
    assert.equal(await colourAt(`${tile}?f=png&style=night`), BLUE, "a tile of another style is not the kept one");
    const wmts: Kvp = {
      service: "WMTS", version: "1.0.0", request: "GetTile", layer: "gis.squares", style: "Land.use", format: "image/png",
      tilematrixset: "WebMercatorQuad", tilematrix: "10", tilerow: "347", tilecol: "541",
    }; // oxfmt-ignore
    assert.equal(await colourAt(`${ows}?${queryOf(wmts)}`), GREEN);
    assert.equal(await colourAt(`${ows}?${queryOf({ ...wmts, style: "" })}`), RED);
  });

  it("are one list in capabilities, OGC API Styles and the tiles' style documents, the default one first", async () => {
    const headers = { authorization: `Bearer ${token}` };
    const styles = (await (await fetch(`${ogc}/collections/gis.squares/styles`, { headers })).json()) as {
      default: string;
      styles: { id: string; title: string; links: { rel: string; href: string }[] }[];
    };
    assert.equal(styles.default, "default");
    assert.deepEqual(styles.styles.map(({ id, title }) => [id, title]), [
      ["default", "squares"], ["Land.use", "squares"], ["night", "By night"],
    ]); // oxfmt-ignore
    const sheets = styles.styles.flatMap(({ links }) => links.filter(({ rel }) => rel === "stylesheet"));
    const sheet = async (name: string): Promise<string> =>
      (await fetch(sheets.find(({ href }) => href.includes(name))!.href, { headers })).text();
    assert.match(await sheet("/night?f=sld"), new RegExp(BLUE));
    const tiles = JSON.parse(await sheet("/Land.use?f=mbs")) as { sources: { portolan: { url: string } } };
    assert.match(tiles.sources.portolan.url, /style=Land.use/);
    const tile = `${ogc}/collections/gis.squares/tiles/WebMercatorQuad/10/347/541`;
    const [plain, styled] = await Promise.all([tile, `${tile}?style=Land.use`].map((each) => fetch(each, { headers }).then((answer) => answer.text()))); // oxfmt-ignore
    assert.ok(styled!.includes("portolan:class0") && !plain!.includes("portolan:class0"), "a tile has what its style chooses by"); // oxfmt-ignore
    for (const kvp of [{ service: "WMS" }, { service: "WMS", version: "1.1.1" }, { service: "WMTS" }]) {
      const { text } = await ask(`${ows}?${queryOf({ ...kvp, request: "GetCapabilities" })}`, { token });
      const layers = all(parseXml(text.replace(/<!DOCTYPE[^>]*>/, "")), "Layer");
      const layer = layers.find(({ children }) => children.some((child) => child.text === "gis.squares"))!;
      const names = all(layer, "Style").map(({ children }) => children.find(({ name }) => name === "Name" || name === "Identifier")!.text); // oxfmt-ignore
      assert.deepEqual(names, ["default", "Land.use", "night"], JSON.stringify(kvp));
      const online = all(layer, kvp["service"] === "WMTS" ? "LegendURL" : "OnlineResource");
      const hrefs = online.flatMap(({ attributes }) => attributes.get("href") ?? []);
      const night = hrefs.find((href) => href.endsWith("style=night"));
      assert.ok(night !== undefined, `a style has its legend: ${JSON.stringify(kvp)}`);
      assert.ok((await pictureAt(night, { token })).picture.count(BLUE) > 0);
    }
    const legend = { service: "WMS", version: "1.3.0", request: "GetLegendGraphic", layer: "gis.squares", format: "image/png" }; // oxfmt-ignore
    const [red, blue] = await Promise.all([undefined, "night"].map((name) => pictureAt(`${ows}?${queryOf({ ...legend, style: name })}`, { token }))); // oxfmt-ignore
    assert.ok(red!.picture.count(RED) > 0 && red!.picture.count(BLUE) === 0);
    assert.ok(blue!.picture.count(BLUE) > 0 && blue!.picture.count(RED) === 0);
  });

  it("that there are not are refused in each service's own words", async () => {
    const wms = await ask(`${ows}?${queryOf({ ...MAP, styles: "day" })}`, { token });
    assert.deepEqual(exceptionOf(wms), { code: "StyleNotDefined", message: "The layer gis.squares has no style &quot;day&quot;" }); // oxfmt-ignore
    const headers = { authorization: `Bearer ${token}` };
    for (const [path, status, words] of [
      [`/collections/gis.squares/styles/day?f=mbs`, 404, /gis\.squares has no style "day"/],
      [`/collections/gis.squares/map?${MAP_QUERY}&style=day`, 400, /there is default, Land\.use, night/],
      [`/styles/night/map?${MAP_QUERY}`, 404, /of several collections/],
    ] as const) {
      const answer = await fetch(`${ogc}${path}`, { headers });
      assert.equal(answer.status, status, path);
      assert.match(await answer.text().then((text) => (JSON.parse(text) as { detail: string }).detail), words);
    }
    await assert.rejects(query(`select portolan.set_style('gis.squares', '${style(RED)}', 'a b')`), /name: must be/);
    await assert.rejects(query(`select portolan.set_style('gis.squares', null, 'day')`), /has no style "day"/);
    await assert.rejects(query(`select portolan.set_default_style('gis.squares', 'day')`), /has no style "day"/);
  });

  it("have one that is the default, until another is chosen or it is removed", async () => {
    await query("select portolan.set_default_style('gis.squares', 'night')");
    await until(async () => (await drawn()) === BLUE);
    assert.equal(await drawn({ styles: "default" }), RED, "a name goes on to mean its style");
    const { rows } = await query("select name, is_default from portolan.list_styles('gis.squares')");
    assert.deepEqual(rows, [
      { name: "Land.use", is_default: false }, { name: "default", is_default: false }, { name: "night", is_default: true },
    ]); // oxfmt-ignore
    await query("select portolan.set_style('gis.squares', null, 'night')");
    await until(async () => (await drawn()) === RED);
  });
});
