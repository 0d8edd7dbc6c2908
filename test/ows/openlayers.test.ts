import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { testBrowser, type TestBrowser } from "../support/browser.ts";
import { tileGateway, type TileGateway } from "../tiles/fixture.ts";

/** Of OpenLayers, what the page of a map has as `ol`. */
interface OpenLayers {
  readonly format: Readonly<Record<string, new (options?: object) => { read(text: string): Capabilities; readFeatures(text: string): { getId(): string; getGeometry(): { getExtent(): number[] } }[]; writeGetFeature(options: object): Node }>>; // oxfmt-ignore
  readonly Map: new (options: object) => { once(name: string, then: () => void): void; getPixelFromCoordinate(place: readonly number[]): number[] }; // oxfmt-ignore
  readonly View: new (options: object) => object;
  readonly layer: Readonly<Record<string, new (options: object) => object>>;
  readonly source: Readonly<Record<"ImageWMS" | "TileWMS", new (options: object) => object>> & {
    readonly WMTS: (new (options: object) => { getTileUrlFunction(): (tile: readonly number[], ratio: number, projection: unknown) => string; getProjection(): unknown }) & { optionsFromCapabilities(capabilities: unknown, options: object): object }; // oxfmt-ignore
  };
}
interface Layer {
  readonly Name: string;
  readonly Style: readonly {
    readonly Name: string;
    readonly LegendURL: readonly { readonly OnlineResource: string }[];
  }[];
}
interface Capabilities {
  readonly Capability: { readonly Layer: { readonly Layer: readonly Layer[] } };
}

const RED = JSON.stringify([{ name: "All", styles: [{ color: "#ff0000" }] }]);

describe("OpenLayers", () => {
  let gateway: TileGateway;
  let browser: TestBrowser;
  let page: Page;
  let ows: string;

  before(async () => {
    gateway = await tileGateway({
      prepare: ({ client }) => client.query(`select portolan.set_style('gis.squares', '${RED}', 'night')`),
    });
    browser = await testBrowser();
    ({ page } = await browser.open(gateway.baseUrl));
    await page.goto(`${gateway.root}/collections/gis.squares/map?f=html`);
    ows = `${gateway.baseUrl}/ows/${gateway.database.name}`;
  });
  after(async () => {
    await browser.close();
    await gateway.close();
  });

  it("reads the capabilities of WMS with layers, styles and legends, and the legends are there", async () => {
    for (const version of ["1.3.0", "1.1.1"]) {
      const layers = await page.evaluate(async (address) => {
        const { ol } = window as unknown as { ol: OpenLayers };
        const text = await (await fetch(address)).text();
        return new ol.format["WMSCapabilities"]!().read(text).Capability.Layer.Layer;
      }, `${ows}?service=WMS&version=${version}&request=GetCapabilities`);
      const squares = layers.find(({ Name }) => Name === "gis.squares")!;
      assert.deepEqual(squares.Style.map(({ Name }) => Name), ["default", "night"], version); // oxfmt-ignore
      const legend = await fetch(squares.Style[1]!.LegendURL[0]!.OnlineResource);
      assert.equal(legend.headers.get("content-type"), "image/png");
      assert.ok(!layers.some(({ Name }) => Name === "gis.hidden"));
    }
  });

  it("makes a source of WMTS out of the capabilities, in a style, whose tiles are there", async () => {
    const type = await page.evaluate(async (address) => {
      const { ol } = window as unknown as { ol: OpenLayers };
      const capabilities = new ol.format["WMTSCapabilities"]!().read(await (await fetch(address)).text());
      const wanted = { layer: "gis.squares", style: "night", matrixSet: "WebMercatorQuad" };
      const source = new ol.source.WMTS(ol.source.WMTS.optionsFromCapabilities(capabilities, wanted));
      const url = source.getTileUrlFunction()([10, 541, 347], 1, source.getProjection());
      const answer = await fetch(url);
      return [new URL(url).searchParams.get("style"), answer.status, answer.headers.get("content-type")];
    }, `${ows}?service=WMTS&request=GetCapabilities`);
    assert.deepEqual(type, ["night", 200, "image/png"]);
  });

  for (const [source, type] of [
    ["ImageWMS", "Image"],
    ["TileWMS", "Tile"],
  ] as const)
    it(`draws the pictures of a source ${source} in the colour of the style, at their place`, async () => {
      const colours = await page.evaluate(
        async ({ url, source: name, type: layer }) => {
          const { ol } = window as unknown as { ol: OpenLayers };
          const target = document.body.appendChild(document.createElement("div"));
          target.style.cssText = "width: 300px; height: 300px";
          const params = { LAYERS: "gis.squares", STYLES: "night" };
          const map = new ol.Map({
            target,
            pixelRatio: 1,
            controls: [],
            layers: [new ol.layer[layer]!({ source: new ol.source[name]({ url, params }) })],
            view: new ol.View({ projection: "EPSG:4326", center: [11, 51], resolution: 0.01 }),
          });
          await new Promise<void>((resolve) => map.once("rendercomplete", resolve));
          const canvas = target.querySelector("canvas")!;
          const found = [[10.5, 51.5], [11.5, 50.5], [9.7, 51]].map((place) => {
            const [x = 0, y = 0] = map.getPixelFromCoordinate(place);
            return [...canvas.getContext("2d")!.getImageData(x, y, 1, 1).data].join();
          }); // oxfmt-ignore
          target.remove();
          return found;
        },
        { url: ows, source, type },
      );
      assert.deepEqual(colours, ["255,0,0,255", "255,0,0,255", "0,0,0,0"]);
    });

  it("writes a request of WFS and reads the features", async () => {
    const features = await page.evaluate(async (address) => {
      const { ol } = window as unknown as { ol: OpenLayers };
      const format = new ol.format["WFS"]!({ version: "1.1.0" });
      const asked = format.writeGetFeature({
        featureNS: address, featurePrefix: "p", featureTypes: ["gis.points"], srsName: "urn:ogc:def:crs:EPSG::4326", outputFormat: "application/geo+json",
      }); // oxfmt-ignore
      const body = new XMLSerializer().serializeToString(asked);
      const answer = await fetch(address, { method: "POST", headers: { "content-type": "text/xml" }, body });
      const all = new ol.format["GeoJSON"]!().readFeatures(await answer.text());
      return all.map((feature) => [feature.getId(), feature.getGeometry().getExtent().slice(0, 2)]);
    }, ows);
    assert.deepEqual(features.map(([, place]) => place), [[10.5, 50.5], [11.5, 51.5]]); // oxfmt-ignore
  });
});
