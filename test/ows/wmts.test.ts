import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOgrinfo, findOwslib } from "../../server/setup/programs.mjs";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";
import { describeOnlyIf, onlyIf } from "../support/onlyIf.ts";
import { ask, exceptionOf, pictureAt, queryOf, runProgram, type Kvp } from "./support.ts";

const TILE: Kvp = {
  service: "WMTS", version: "1.0.0", request: "GetTile", layer: "gis.squares", style: "default", format: "image/png",
  tilematrixset: "WebMercatorQuad", tilematrix: 6, tilerow: 21, tilecol: 33,
}; // oxfmt-ignore

describe("WMTS", () => {
  let gateway: MapGateway;
  let root: string;
  let token: string;
  let folder: string;
  const get = (kvp: Kvp, as: string | undefined = token) => ask(`${root}?${queryOf(kvp)}`, { token: as });

  before(async () => {
    gateway = await mapGateway({
      config: {
        ogc: { tileMatrixSets: { utm: { crs: 25832, bounds: [0, 5_000_000, 1_000_000, 6_000_000], levels: 5 } } },
      },
      prepare: ({ client }) => client.query("select portolan.set_privilege('gis.squares', 'guest', 'read')"),
    });
    root = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    token = await gateway.token("captain");
    folder = await mkdtemp(join(tmpdir(), "portolan-wmts-"));
  });
  after(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  it("gives the tiles of the OGC API, by a query and by the address in the capabilities", async () => {
    for (const [set, matrix, row, column] of [
      ["WebMercatorQuad", 6, 21, 33],
      ["WorldCRS84Quad", 5, 7, 33],
      ["utm", 1, 0, 1],
    ] as const) {
      const same = await gateway.ask(`/collections/gis.squares/map/tiles/${set}/${matrix}/${row}/${column}`, "captain");
      const expected = Buffer.from(await same.arrayBuffer());
      const kvp = { ...TILE, tilematrixset: set, tilematrix: matrix, tilerow: row, tilecol: column };
      const { bytes } = await pictureAt(`${root}?${queryOf(kvp)}`, { token });
      assert.ok(expected.equals(bytes), set);
    }
    const { text } = await get({ service: "WMTS", request: "GetCapabilities" });
    const template = /template="([^"]*gis\.squares[^"]*f=png)"/.exec(text)![1]!.replaceAll("&amp;", "&");
    const address = Object.entries({ Style: "default", TileMatrixSet: "WebMercatorQuad", TileMatrix: 6, TileRow: 21, TileCol: 33 })
      .reduce((filled, [name, value]) => filled.replace(`{${name}}`, String(value)), template); // oxfmt-ignore
    assert.ok(
      (await pictureAt(address, { token })).bytes.equals(
        (await pictureAt(`${root}?${queryOf(TILE)}`, { token })).bytes,
      ),
    );
    assert.equal((await get({ ...TILE, format: "image/jpeg", style: "" })).type, "image/jpeg");
  });

  it("has the same capabilities by a query and by their own address, of what the caller may see", async () => {
    const guest = await gateway.token("guest");
    const query = await get({ service: "WMTS", request: "GetCapabilities", acceptversions: "2.0.0,1.0.0" }, guest);
    const rest = await ask(`${root}/wmts/1.0.0/WMTSCapabilities.xml`, { token: guest });
    assert.equal(query.type, "application/xml");
    assert.equal(query.text, rest.text);
    assert.deepEqual([...query.text.matchAll(/<Layer>[^]*?<ows:Identifier>([^<]*)/g)].map(([, id]) => id), ["gis.squares"]); // oxfmt-ignore
    const other = await ask(`${root}/other/wmts/1.0.0/WMTSCapabilities.xml`, { token: guest });
    assert.doesNotMatch(other.text, /<Layer>/);
    assert.match(query.text, /<ows:Identifier>utm<\/ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::25832</);
    assert.match(query.text, /WebMercatorQuad<[^]*?<ScaleDenominator>559082264\.028/);
  });

  it("names the encodings of each operation, and each address of them answers", async () => {
    const { text } = await get({ service: "WMTS", request: "GetCapabilities" });
    const operations = [...text.matchAll(/<ows:Operation name="(\w+)">([^]*?)<\/ows:Operation>/g)].map(
      ([, name, about = ""]) => ({
        name,
        gets: [...about.matchAll(/<ows:Get xlink:href="([^"]*)">[^]*?<ows:Value>(\w+)</g)].map(([, href = "", encoding]) => ({ href, encoding })),
      }),
    ); // oxfmt-ignore
    assert.deepEqual(
      operations.map(({ name, gets }) => [name, ...gets.map(({ encoding }) => encoding)]),
      [
        ["GetCapabilities", "KVP", "RESTful"],
        ["GetTile", "KVP", "RESTful"],
        ["GetFeatureInfo", "KVP"],
      ],
    );
    const [capabilities, tile] = operations.map(({ gets }) => gets.at(-1)!.href);
    assert.equal((await ask(capabilities!, { token })).text, text);
    const templates = [...text.matchAll(/<ResourceURL [^>]*template="([^"]*)"/g)].map(([, template]) => template!);
    assert.ok(templates.length > 0 && templates.every((template) => template.startsWith(`${tile}/`)));
  });

  const INFO: Kvp = { ...TILE, request: "GetFeatureInfo", i: 222, j: 73, infoformat: "application/geo+json" };
  it("tells the features at a pixel of a tile", async () => {
    const { features } = JSON.parse((await get(INFO)).text) as { features: { id: number; layerName: string }[] };
    assert.deepEqual(features.map(({ layerName }) => layerName), ["gis.squares"]); // oxfmt-ignore
    assert.match((await get({ ...INFO, i: 0, j: 255, infoformat: "text/plain" })).text, /no features/);
    assert.match((await get({ ...INFO, infoformat: "text/html" })).text, /<td>/);
  });

  it("says which tiles have anything in them, and answers for those", async () => {
    const { text } = await get({ service: "WMTS", request: "GetCapabilities" });
    const layer = /<Layer>(?:(?!<\/Layer>)[^])*<ows:Identifier>gis\.squares<[^]*?<\/Layer>/.exec(text)![0];
    const set = /<TileMatrixSet>WebMercatorQuad<[^]*?<\/TileMatrixSetLink>/.exec(layer)![0];
    const [, minRow, maxRow, minCol, maxCol] = /<TileMatrix>6<\/TileMatrix><MinTileRow>(\d+)<\/MinTileRow><MaxTileRow>(\d+)<\/MaxTileRow><MinTileCol>(\d+)<\/MinTileCol><MaxTileCol>(\d+)</.exec(set)!; // oxfmt-ignore
    assert.deepEqual([minRow, maxRow, minCol, maxCol], ["21", "21", "33", "34"]);
    assert.equal((await get({ ...TILE, tilerow: minRow, tilecol: maxCol })).type, "image/png");
    assert.equal(exceptionOf(await get({ ...TILE, tilerow: Number(maxRow) + 2 })).code, "TileOutOfRange");
  });

  it("answers a bad request with an exception and its status", async () => {
    const bad: readonly (readonly [Kvp, string, number])[] = [
      ...["layer", "style", "format", "tilematrixset", "tilematrix", "tilerow", "tilecol", "version"].map(
        (name) => [{ ...TILE, [name]: undefined }, "MissingParameterValue", 400] as const,
      ),
      [{ ...TILE, version: "2.0.0" }, "InvalidParameterValue", 400],
      [{ ...TILE, request: "GetTiles" }, "InvalidParameterValue", 400],
      [{ request: "GetCapabilities", acceptversions: "1.0.0" }, "MissingParameterValue", 400],
      [{ ...TILE, format: "image/gif" }, "InvalidParameterValue", 400],
      [{ ...TILE, style: "pretty" }, "InvalidParameterValue", 400],
      [{ ...TILE, tilematrixset: "nothing" }, "InvalidParameterValue", 400],
      [{ ...TILE, tilematrix: 25 }, "InvalidParameterValue", 400],
      [{ ...TILE, tilematrix: "x" }, "InvalidParameterValue", 400],
      [{ ...TILE, tilerow: 64 }, "TileOutOfRange", 400],
      [{ ...TILE, tilecol: -1 }, "TileOutOfRange", 400],
      [{ ...TILE, tilecol: 0 }, "TileOutOfRange", 400],
      [{ ...TILE, layer: "gis.nothing" }, "InvalidParameterValue", 400],
      ...["i", "j", "infoformat"].map(
        (name) => [{ ...INFO, [name]: undefined }, "MissingParameterValue", 400] as const,
      ),
      [{ ...INFO, i: 256 }, "PointIJOutOfRange", 400],
      [{ ...INFO, j: -1 }, "InvalidParameterValue", 400],
      [{ ...INFO, infoformat: "text/xml" }, "InvalidParameterValue", 400],
      [{ ...INFO, tilerow: 64 }, "TileOutOfRange", 400],
      [{ ...INFO, layer: "gis.nothing" }, "InvalidParameterValue", 400],
      [{ service: "WMTS", request: "GetCapabilities", acceptversions: "0.9" }, "VersionNegotiationFailed", 400],
    ];
    for (const [kvp, code, status] of bad) {
      const answer = await get(kvp);
      assert.deepEqual([exceptionOf(answer).code, answer.status], [code, status], `${queryOf(kvp)} ${answer.text}`);
      assert.match(answer.text, /<ows:ExceptionReport xmlns:ows="http:\/\/www\.opengis\.net\/ows\/1\.1"/);
    }
    const messageOf = async (layer: string) => {
      const answer = await get({ ...TILE, layer }, await gateway.token("guest"));
      return exceptionOf(answer).message.replace(layer, "…") + answer.status;
    };
    assert.equal(await messageOf("gis.points"), await messageOf("gis.nothing"));
  });

  describe("clients", () => {
    const gdal = findOgrinfo()?.replace(/ogrinfo$/, "gdal_translate");
    onlyIf(gdal !== undefined, "GDAL")("GDAL reads the tiles", async () => {
      const source = `WMTS:${root}?service=WMTS&request=GetCapabilities,layer=gis.squares,tilematrixset=WebMercatorQuad,zoom_level=6`;
      const file = join(folder, "gdal.tif");
      const { output, code } = await runProgram(
        gdal!,
        ["-projwin", "1100000", "6700000", "1300000", "6500000", source, file],
        {
          GDAL_HTTP_USERPWD: "captain:captain",
        },
      );
      assert.equal(code, 0, output);
    });

    const python = findOwslib();
    describeOnlyIf(python !== undefined, "owslib")("OWSLib", () => {
      it("reads the capabilities and a tile", async () => {
        const { output, code } = await runProgram(python!, [
          "-c",
          `
import sys
from owslib.wmts import WebMapTileService
w = WebMapTileService(sys.argv[1], username="captain", password="captain")
assert w["gis.squares"].boundingBoxWGS84 == (10, 50, 12, 52), w["gis.squares"].boundingBoxWGS84
assert set(w.tilematrixsets) >= {"WebMercatorQuad", "WorldCRS84Quad", "utm"}, w.tilematrixsets
assert w.tilematrixsets["WebMercatorQuad"].tilematrix["6"].matrixwidth == 64
t = w.gettile(layer="gis.squares", tilematrixset="WebMercatorQuad", tilematrix="6", row="21", column="33", format="image/png")
assert t.read()[:4] == b"\\x89PNG"
print("well")
`,
          root,
        ]);
        assert.equal(code, 0, output);
        assert.match(output, /well/);
      });
    });
  });
});
