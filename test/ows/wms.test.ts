import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOgrinfo, findOwslib } from "../../server/setup/programs.mjs";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";
import { picture } from "../maps/pixels.ts";
import { describeOnlyIf, onlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";
import { ask, exceptionOf, pictureAt, queryOf, runProgram, type Kvp } from "./support.ts";

const MAP: Kvp = {
  service: "WMS", version: "1.3.0", request: "GetMap", layers: "gis.squares", styles: "", crs: "EPSG:4326",
  bbox: "50,10,52,13", width: 300, height: 200, format: "image/png",
}; // oxfmt-ignore
const MAP_111: Kvp = { ...MAP, version: "1.1.1", crs: undefined, srs: "EPSG:4326", bbox: "10,50,13,52" };
const INFO: Kvp = { ...MAP, request: "GetFeatureInfo", query_layers: "gis.squares", i: 50, j: 150 };

const TABLES = `
create table gis.past (id integer primary key, geom geometry(Polygon, 4326));
insert into gis.past values (1, st_makeenvelope(10, 50, 11, 51, 4326));
select portolan.set_style('gis.past', '[{"name": "All", "styles": [{"color": "#ff0000"}]}]');
select portolan.enable_versioning('gis.past');
create table gis.north (id integer primary key, name text, geom geometry(Point, 3035));
comment on table gis.north is E'@title Points & <others>\\n@keywords north, points & others\\n@license CC BY 4.0 https://example.org/by?a&b\\nNorth of them.';
insert into gis.north values (1, 'a', st_transform('srid=4326;point(10 52)'::geometry, 3035));
create table gis.scaled (id integer primary key, geom geometry(Point, 4326));
select portolan.set_style('gis.scaled', '[{"name": "Near", "minScale": 1000, "maxScale": 20000, "styles": [{"color": "#ff0000"}]}, {"name": "Far", "minScale": 20000, "maxScale": 50000, "styles": [{"color": "#ff0000"}]}]');
create table other.open (id integer primary key, geom geometry(Point, 4326));
insert into other.open values (1, 'srid=4326;point(10.5 50.5)');
select portolan.set_authentication('other.open', 'None');
select portolan.set_privilege('gis.squares', 'guest', 'read');`;

describe("WMS", () => {
  let gateway: MapGateway;
  let root: string;
  let token: string;
  let folder: string;
  const get = (kvp: Kvp, as: string | undefined = token) => ask(`${root}?${queryOf(kvp)}`, { token: as });
  const map = async (kvp: Kvp) => (await pictureAt(`${root}?${queryOf(kvp)}`, { token })).picture;

  before(async () => {
    gateway = await mapGateway({
      config: {
        ogc: {
          crs: [2180],
          contact: { name: "The harbour", email: "harbour@example.org", url: "https://example.org/harbour?a&b" },
        },
      },
      prepare: async ({ client }) => void (await client.query(TABLES)),
    });
    root = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    token = await gateway.token("captain");
    folder = await mkdtemp(join(tmpdir(), "portolan-wms-"));
  });
  after(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  describe("GetMap", () => {
    it("draws what the OGC API draws, in both versions", async () => {
      for (const [layers, crs, bbox, name] of [
        ["gis.squares", "EPSG:4326", "50,10,52,13", "EPSG/0/4326"],
        ["gis.squares,gis.lines,gis.points", "EPSG:4326", "50,10,52,13", "EPSG/0/4326"],
        ["gis.utm", "EPSG:25832", "400000,5400000,700000,5600000", "EPSG/0/25832"],
        ["gis.mixed", "EPSG:3857", "1000000,6400000,1600000,6800000", "EPSG/0/3857"],
        ["gis.squares", "CRS:84", "10,50,13,52", "OGC/1.3/CRS84"],
      ] as const) {
        const uri = `http://www.opengis.net/def/crs/${name}`;
        const same = await gateway.ask(
          `/map?${queryOf({ collections: layers, crs: uri, "bbox-crs": uri, bbox, width: 300, height: 200, f: "png", transparent: "true" })}`,
          "captain",
        );
        const expected = Buffer.from(await same.arrayBuffer());
        const picture130 = await pictureAt(
          `${root}?${queryOf({ ...MAP, layers, crs, bbox, transparent: "TRUE" })}`, { token }); // oxfmt-ignore
        assert.ok(expected.equals(picture130.bytes), `1.3.0 ${layers} ${crs}`);
        if (crs === "CRS:84") continue;
        const flipped = crs === "EPSG:4326" ? "10,50,13,52" : bbox;
        const picture111 = await pictureAt(
          `${root}?${queryOf({ ...MAP_111, layers, srs: crs, bbox: flipped, transparent: "TRUE" })}`, { token }); // oxfmt-ignore
        assert.ok(expected.equals(picture111.bytes), `1.1.1 ${layers} ${crs}`);
      }
    });

    it("follows the registry's order of axes in 1.3.0, whatever ogc.axisOrder says, and has x first in 1.1.1", async () => {
      // northing about 3,210,000 and easting 4,321,000
      const box = { width: 100, height: 100, layers: "gis.north" };
      const found = await map({ ...MAP, ...box, crs: "EPSG:3035", bbox: "3200000,4311000,3220000,4331000" });
      assert.ok(found.count("#ffffff") < 10_000);
      const swapped = await map({ ...MAP, ...box, crs: "EPSG:3035", bbox: "4311000,3200000,4331000,3220000" });
      assert.equal(swapped.count("#ffffff"), 10_000);
      const before = await map({ ...MAP_111, ...box, srs: "EPSG:3035", bbox: "4311000,3200000,4331000,3220000" });
      assert.ok(before.count("#ffffff") < 10_000);
    });

    it("has a white background unless it is to be transparent or of a colour", async () => {
      assert.equal((await map(MAP)).at(299, 0), "#ffffffff");
      assert.equal((await map({ ...MAP, transparent: "TRUE" })).at(299, 0), "#00000000");
      assert.equal((await map({ ...MAP, bgcolor: "0x102030" })).at(299, 0), "#102030ff");
    });

    it("draws symbols and lines for the resolution that QGIS and GeoServer ask for", async () => {
      const layers = "gis.lines,gis.points";
      const uri = "http://www.opengis.net/def/crs/EPSG/0/4326";
      const same = await gateway.ask(
        `/map?${queryOf({ collections: layers, crs: uri, "bbox-crs": uri, bbox: String(MAP["bbox"]), width: 300, height: 200, f: "png", transparent: "true", "mm-per-pixel": 0.127 })}`,
        "captain",
      );
      const expected = Buffer.from(await same.arrayBuffer());
      const drawn = async (kvp: Kvp) => (await pictureAt(`${root}?${queryOf({ ...MAP, layers, transparent: "TRUE", ...kvp })}`, { token })).bytes; // oxfmt-ignore
      assert.ok(!expected.equals(await drawn({})));
      for (const kvp of [
        { DPI: 200, MAP_RESOLUTION: 200, FORMAT_OPTIONS: "dpi:200" },
        { map_resolution: "200.0" },
        { format_options: "antialias:on;dpi:200" },
      ])
        assert.ok(expected.equals(await drawn(kvp as unknown as Kvp)), JSON.stringify(kvp));
      assert.ok((await drawn({})).equals(await drawn({ format_options: "antialias:full" })));
      assert.ok((await drawn({ dpi: 1200 })).equals(await drawn({ dpi: 1000 })));
      const { code, message } = exceptionOf(await get({ ...MAP, dpi: "fine" }));
      assert.deepEqual([code, message], ["InvalidParameterValue", 'DPI: expected a number of pixels per inch, got &quot;fine&quot;']); // oxfmt-ignore
    });

    it("draws a layer with history as of TIME", async () => {
      const past = { ...MAP, layers: "gis.past" };
      const { rows } = await gateway.client.query("select clock_timestamp() as now");
      const time = (rows[0] as { now: Date }).now.toISOString();
      await gateway.client.query("delete from gis.past");
      assert.equal((await map(past)).count("#ff0000"), 0);
      assert.equal((await map({ ...past, time: "current" })).count("#ff0000"), 0);
      assert.ok((await map({ ...past, time })).count("#ff0000") > 5000);
    });

    it("gives jpeg and tiff, and answers HEAD without a picture", async () => {
      const jpeg = await get({ ...MAP, format: "image/jpeg" });
      assert.equal(jpeg.type, "image/jpeg");
      assert.equal((await get({ ...MAP, format: "image/tiff" })).type, "image/tiff");
      const head = await ask(`${root}?${queryOf(MAP)}`, { token, method: "HEAD" });
      assert.deepEqual([head.status, head.type, head.text], [200, "image/png", ""]);
    });

    it("draws beyond the ends of the world", async () => {
      const wide = await map({ ...MAP, crs: "CRS:84", bbox: "-540,-270,540,270" });
      assert.ok(wide.count("#ffffff") > 50_000);
      await map({ ...MAP, crs: "EPSG:3857", bbox: "-60000000,-40000000,60000000,40000000" });
      await map({ ...MAP, layers: "gis.utm", crs: "EPSG:25832", bbox: "-60000000,-40000000,60000000,40000000" });
    });
  });

  it("takes names of parameters in any case, and ignores those that it does not know", async () => {
    const odd = Object.fromEntries(
      Object.entries(MAP).map(([name, value], i) => [i % 2 ? name.toUpperCase() : name, value]),
    );
    assert.equal((await get({ ...odd, TILED: "true" })).type, "image/png");
    assert.equal((await get({ ...MAP, service: undefined })).type, "image/png");
  });

  it("answers a bad request with an exception that names the parameter", async () => {
    const without = (kvp: Kvp, name: string): Kvp => ({ ...kvp, [name]: undefined });
    const bad: readonly (readonly [Kvp, string, RegExp])[] = [
      ...["layers", "styles", "crs", "bbox", "width", "height", "format"].map(
        (name) => [without(MAP, name), "MissingParameterValue", new RegExp(`^${name.toUpperCase()}: is missing`)] as const,
      ),
      [without(MAP, "version"), "MissingParameterValue", /VERSION/],
      [without(MAP_111, "srs"), "MissingParameterValue", /SRS/],
      [{ ...MAP, version: "1.2.0" }, "InvalidParameterValue", /1\.3\.0 or 1\.1\.1/],
      [{ ...MAP, service: "WMTSX" }, "InvalidParameterValue", /SERVICE/],
      [{ ...MAP, request: "GetMaps" }, "OperationNotSupported", /GetMaps/],
      [without(MAP, "request"), "MissingParameterValue", /REQUEST/],
      [{ service: "WMS" }, "MissingParameterValue", /REQUEST/],
      [{ request: "GetCapabilities" }, "MissingParameterValue", /SERVICE/],
      [{ ...MAP, crs: "EPSG:31467" }, "InvalidCRS", /EPSG:3857/],
      [{ ...MAP_111, srs: "EPSG:31467" }, "InvalidSRS", /EPSG:3857/],
      [{ ...MAP, format: "image/gif" }, "InvalidFormat", /image\/png/],
      [{ ...MAP, styles: "pretty" }, "StyleNotDefined", /pretty/],
      [{ ...MAP, styles: "default,default" }, "InvalidParameterValue", /STYLES/],
      [{ ...MAP, bbox: "52,10,50,13" }, "InvalidParameterValue", /BBOX/],
      [{ ...MAP, bbox: "50,10,50,13" }, "InvalidParameterValue", /BBOX/],
      [{ ...MAP, bbox: "50,10,52" }, "InvalidParameterValue", /BBOX/],
      [{ ...MAP, bbox: "50,10,52,NaN" }, "InvalidParameterValue", /BBOX/],
      [{ ...MAP, width: 0 }, "InvalidParameterValue", /WIDTH/],
      [{ ...MAP, width: 16_385 }, "InvalidParameterValue", /WIDTH/],
      [{ ...MAP, height: "1e3" }, "InvalidParameterValue", /HEIGHT/],
      [{ ...MAP, bgcolor: "blueish" }, "InvalidParameterValue", /BGCOLOR/],
      [{ ...MAP, transparent: "perhaps" }, "InvalidParameterValue", /TRANSPARENT/],
      [{ ...MAP, time: "yesterday" }, "InvalidDimensionValue", /TIME/],
      [{ ...MAP, time: "2026-01-01/2026-02-01" }, "InvalidDimensionValue", /TIME/],
      [{ ...MAP, layers: "gis.squares,,gis.lines" }, "InvalidParameterValue", /LAYERS/],
      [{ ...MAP, layers: "gis.nothing" }, "LayerNotDefined", /gis\.nothing/],
      [{ ...MAP, layers: "gis.squares,gis.nothing" }, "LayerNotDefined", /gis\.nothing/],
      [{ ...MAP, layers: Array.from({ length: 51 }, () => "gis.squares").join() }, "InvalidParameterValue", /50/],
      [{ ...MAP, sld: "http://127.0.0.1:1/style.sld" }, "OperationNotSupported", /SLD/],
      [{ ...MAP, sld_body: "<StyledLayerDescriptor/>" }, "OperationNotSupported", /SLD/],
      [{ ...MAP, CQL_FILTER: "id = 1" }, "InvalidParameterValue", /CQL_FILTER: is not supported\. Use FILTER/],
      [{ ...MAP, viewparams: "a:1" }, "InvalidParameterValue", /VIEWPARAMS: is not supported/],
      [without(INFO, "query_layers"), "MissingParameterValue", /QUERY_LAYERS/],
      [without(INFO, "i"), "MissingParameterValue", /I/],
      [{ ...INFO, i: 300 }, "InvalidPoint", /outside/],
      [{ ...INFO, j: -1 }, "InvalidPoint", /J/],
      [{ ...INFO, query_layers: "gis.lines" }, "LayerNotDefined", /gis\.lines/],
      [{ ...INFO, info_format: "application/vnd.ogc.gml" }, "InvalidFormat", /text\/plain/],
      [{ ...INFO, feature_count: 1001 }, "InvalidParameterValue", /FEATURE_COUNT/],
    ]; // oxfmt-ignore
    for (const [kvp, code, message] of bad) {
      const answer = await get(kvp);
      const found = exceptionOf(answer);
      assert.equal(found.code, code, `${queryOf(kvp)}: ${answer.text}`);
      assert.match(found.message, message);
    }
    const twice = await ask(`${root}?${queryOf(MAP)}&Layers=gis.lines`, { token });
    assert.match(exceptionOf(twice).message, /LAYERS: is given twice/);
  });

  it("writes exceptions as each version has them, with the status that lets clients show them", async () => {
    const now = await get({ ...MAP, layers: "gis.nothing" });
    assert.deepEqual([now.status, now.type], [200, "text/xml; charset=utf-8"]);
    assert.match(now.text, /<ServiceExceptionReport version="1\.3\.0" xmlns="http:\/\/www\.opengis\.net\/ogc"/);
    const before = await get({ ...MAP_111, layers: "gis.nothing" });
    assert.deepEqual([before.status, before.type], [200, "application/vnd.ogc.se_xml"]);
    assert.match(before.text, /<ServiceExceptionReport version="1\.1\.1">/);
    const post = await ask(`${root}?${queryOf(MAP)}`, { token, method: "POST", body: "" });
    assert.equal(exceptionOf(post).code, "OperationNotSupported");
  });

  it("negotiates the version of GetCapabilities", async () => {
    const versionOf = async (version: string | undefined) =>
      /<(?:WMS|WMT_MS)_Capabilities version="([^"]*)"/.exec(
        (await get({ service: "WMS", request: "GetCapabilities", version })).text,
      )?.[1];
    for (const [asked, given] of [
      [undefined, "1.3.0"],
      ["1.3.0", "1.3.0"],
      ["1.1.1", "1.1.1"],
      ["1.2.0", "1.1.1"],
      ["1.0.0", "1.1.1"],
      ["9.9.9", "1.3.0"],
    ] as const)
      // oxfmt-ignore
      assert.equal(await versionOf(asked), given, asked);
  });

  it("offers the layers that the caller may see, and knows no other", async () => {
    const layersOf = async (as: string | undefined, path = "") => {
      const { text } = await ask(`${root}${path}?service=WMS&request=GetCapabilities`, { token: as });
      return [...text.matchAll(/<Layer [^>]*><Name>([^<]*)/g)].map(([, name]) => name);
    };
    const guest = await gateway.token("guest");
    assert.deepEqual(await layersOf(undefined), ["other.open"]);
    assert.deepEqual(await layersOf(guest), ["gis.squares", "other.open"]);
    assert.deepEqual(await layersOf(guest, "/other"), ["other.open"]);
    assert.deepEqual(await layersOf(guest, "/none"), []);
    const messageOf = async (layers: string, as: string | undefined) =>
      exceptionOf(await ask(`${root}?${queryOf({ ...MAP, layers })}`, { token: as })).message.replace(layers, "…");
    for (const as of [undefined, guest])
      assert.equal(await messageOf("gis.points", as), await messageOf("gis.nothing", as));
    assert.equal((await get({ ...MAP, layers: "gis.squares" }, guest)).type, "image/png");
    const elsewhere = await ask(`${root}/other?${queryOf(MAP)}`, { token });
    assert.equal(exceptionOf(elsewhere).code, "LayerNotDefined");
    assert.equal((await ask(`${root}/gis?${queryOf({ ...MAP, layers: "squares" })}`, { token })).type, "image/png");
    assert.equal(exceptionOf(await ask(`${gateway.baseUrl}/ows/nowhere?${queryOf(MAP)}`, { token })).code, undefined);
  });

  it("learns at once that a right was taken, and that a table is new", async () => {
    const guest = await gateway.token("guest");
    await gateway.client.query("select portolan.set_privilege('gis.lines', 'guest', 'read')");
    const lines = { ...MAP, layers: "gis.lines" };
    assert.equal((await get(lines, guest)).type, "image/png");
    await gateway.client.query("select portolan.set_privilege('gis.lines', 'guest', 'none')");
    assert.equal(exceptionOf(await get(lines, guest)).code, "LayerNotDefined");
    await gateway.client.query("create table gis.fresh (id int primary key, geom geometry(Point, 4326))");
    assert.equal((await get({ ...MAP, layers: "gis.fresh" })).type, "image/png");
  });

  it("takes a name and password from the same machine, and says so where they are wrong", async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
    const right = await ask(`${root}?${queryOf(MAP)}`, { headers: basic("captain:captain") });
    assert.equal(right.type, "image/png");
    const wrong = await ask(`${root}?${queryOf(MAP)}`, { headers: basic("captain:mate") });
    assert.equal(wrong.status, 401);
    assert.match(wrong.headers.get("www-authenticate") ?? "", /^Basic/);
    assert.equal(exceptionOf(wrong).code, undefined);
  });

  describe("GetFeatureInfo", () => {
    it("takes as many layers as a map has", async () => {
      const layers = Array.from({ length: 51 }, () => "gis.squares").join();
      for (const kvp of [MAP, { ...INFO, query_layers: layers }])
        assert.equal(exceptionOf(await get({ ...kvp, layers })).message, "LAYERS: a map shows at most 50");
    });

    it("finds a line as far from the pixel as it is drawn", async () => {
      const line = { ...INFO, layers: "gis.lines", query_layers: "gis.lines", feature_count: 5 };
      const found = async (j: number, dpi?: number) =>
        !(await get({ ...line, i: 100, j, dpi })).text.includes("no features");
      const near = (await Promise.all(Array.from({ length: 200 }, (_, j) => found(j)))).filter(Boolean).length;
      const wide = (await Promise.all(Array.from({ length: 200 }, (_, j) => found(j, 300)))).filter(Boolean).length;
      assert.ok(near > 0 && wide > 2 * near, `${near} and ${wide} rows of pixels`);
    });

    it("tells the features at a pixel, the highest layer first, in each format", async () => {
      const both = {
        ...INFO,
        layers: "gis.squares,gis.points",
        query_layers: "gis.squares,gis.points",
        feature_count: 5,
      };
      const { text } = await get(both);
      assert.match(text, /points \(gis\.points\)[^]*size = 10[^]*squares \(gis\.squares\)[^]*kind = park/);
      const json = await get({ ...both, info_format: "application/json" });
      assert.equal(json.type, "application/geo+json");
      const { features } = JSON.parse(json.text) as { features: { id: number; layerName: string }[] };
      assert.deepEqual(features.map(({ id, layerName }) => `${layerName} ${id}`), ["gis.points 1", "gis.squares 1"]); // oxfmt-ignore
      assert.match((await get({ ...both, info_format: "text/html" })).text, /<td>#ff8000<\/td>/);
      assert.match((await get({ ...INFO, i: 250 })).text, /no features/);
      const before = { ...MAP_111, request: "GetFeatureInfo", query_layers: "gis.squares", x: 50, y: 150 };
      assert.match((await get(before)).text, /feature 1/);
    });
  });

  it("tells where the features of a layer are, by WFS", async () => {
    const kvp = { service: "WMS", request: "DescribeLayer", layers: "gis.squares" };
    const now = await get({ ...kvp, version: "1.3.0" });
    assert.match(now.text, /<owsType>wfs<[^]*<se:FeatureTypeName>p:gis\.squares</);
    const before = await get({ ...kvp, version: "1.1.1" });
    assert.match(
      before.text,
      /<LayerDescription name="gis\.squares" wfs="[^"]*" owsType="WFS"[^]*<Query typeName="p:gis\.squares"/,
    );
    const type = /FeatureTypeName>([^<]*)/.exec(now.text)![1];
    const found = await get({ service: "WFS", version: "2.0.0", request: "GetFeature", typenames: type });
    assert.match(found.text, /numberReturned="4"/);
    assert.equal(exceptionOf(await get({ ...kvp, version: "1.3.0", layers: "gis.nothing" })).code, "LayerNotDefined");
  });

  it("gives the legend of a layer", async () => {
    const kvp = {
      service: "WMS",
      version: "1.3.0",
      request: "GetLegendGraphic",
      layer: "gis.squares",
      format: "image/png",
    };
    const { bytes } = await pictureAt(`${root}?${queryOf(kvp)}`, { token });
    const same = Buffer.from(await (await gateway.ask("/collections/gis.squares/legend", "captain")).arrayBuffer());
    assert.ok(bytes.equals(same));
    assert.equal(exceptionOf(await get({ ...kvp, layer: "gis.nothing" })).code, "LayerNotDefined");
  });

  describe("its capabilities", () => {
    const capabilities = () => get({ service: "WMS", request: "GetCapabilities" });
    it("have titles, abstracts, systems, boxes in the order of axes, times and the contact", async () => {
      const { text } = await capabilities();
      const layer = (name: string) =>
        new RegExp(`<Layer [^>]*><Name>${name}</Name>[^]*?</Layer>`).exec(text)?.[0] ?? "";
      assert.match(
        layer("gis\\.north"),
        /<Title>Points &amp; &lt;others&gt;<\/Title><Abstract>North of them\.<\/Abstract>/,
      );
      assert.match(layer("gis\\.north"), /<BoundingBox CRS="EPSG:3035" minx="32\d+[^"]*" miny="43/);
      assert.match(layer("gis\\.squares"), /<BoundingBox CRS="EPSG:4326" minx="50" miny="10" maxx="52" maxy="12"\/>/);
      assert.match(layer("gis\\.squares"), /<BoundingBox CRS="CRS:84" minx="10" miny="50" maxx="12" maxy="52"\/>/);
      assert.match(
        layer("gis\\.past"),
        /<Dimension name="time" units="ISO8601" default="current" current="1">20[^<]*\/PT1S</,
      );
      assert.match(text, /<ContactOrganization>The harbour</);
      assert.match(text, /<CRS>EPSG:2180<\/CRS>/);
    });

    it("have the scales at which a layer is drawn in any of its styles", async () => {
      const ofLayer = async (name: string, version: string) => {
        const { text } = await get({ service: "WMS", version, request: "GetCapabilities" });
        return /<\/Style>((?:(?!<\/?Style>).)*)<\/Layer>/.exec(new RegExp(`<Name>${name}<[^]*?</Layer>`).exec(text)![0])![1];
      }; // oxfmt-ignore
      const limits = "<MinScaleDenominator>1000</MinScaleDenominator><MaxScaleDenominator>50000</MaxScaleDenominator>";
      assert.equal(await ofLayer("gis\\.scaled", "1.3.0"), limits);
      assert.match(
        (await ofLayer("gis\\.scaled", "1.1.1"))!,
        /^<ScaleHint min="0\.39597[0-9]+" max="19\.7989[0-9]+"\/>$/,
      );
      for (const version of ["1.3.0", "1.1.1"]) assert.equal(await ofLayer("gis\\.past", version), "");
    });

    it("have the contact in those of WFS and WMTS too", async () => {
      for (const kvp of [{ service: "WFS" }, { service: "WFS", version: "1.1.0" }, { service: "WMTS" }]) {
        const { text } = await get({ ...kvp, request: "GetCapabilities" });
        assert.equal(
          /<ows:ServiceProvider>[^]*<\/ows:ServiceProvider>/.exec(text)?.[0].replaceAll("ows:", ""),
          '<ServiceProvider><ProviderName>The harbour</ProviderName><ProviderSite xlink:href="https://example.org/harbour?a&amp;b"/><ServiceContact><IndividualName>The harbour</IndividualName><ContactInfo><Address><ElectronicMailAddress>harbour@example.org</ElectronicMailAddress></Address><OnlineResource xlink:href="https://example.org/harbour?a&amp;b"/></ContactInfo></ServiceContact></ServiceProvider>',
          JSON.stringify(kvp),
        );
      }
    });

    it("have a box of each layer and of the outermost one, also where there is no feature", async () => {
      await gateway.database.client
        .query(`create table gis.vacant (id integer primary key, geom geometry(Point, 25832));
        select portolan.set_authentication('gis.vacant', 'None')`);
      await until(async () => (await capabilities()).text.includes("gis.vacant"));
      for (const [kvp, box] of [
        [
          { version: "1.3.0" },
          '<BoundingBox CRS="CRS:84" minx="-180" miny="-90" maxx="180" maxy="90"/><BoundingBox CRS="EPSG:4326" minx="-90" miny="-180" maxx="90" maxy="180"/>',
        ],
        [{ version: "1.1.1" }, '<BoundingBox SRS="EPSG:4326" minx="-180" miny="-90" maxx="180" maxy="90"/>'],
      ] as const) {
        // oxfmt-ignore
        const { text } = await get({ service: "WMS", request: "GetCapabilities", ...kvp });
        const vacant = /<Layer [^>]*><Name>gis\.vacant<[^]*?<\/Layer>/.exec(text)![0];
        assert.ok(vacant.includes(box), vacant);
        const outermost = /<Layer><Title>[^]*?(?=<Layer )/.exec(text)![0];
        assert.match(outermost, kvp.version === "1.3.0" ? /<BoundingBox CRS="CRS:84" minx="-?[0-9][^]*<BoundingBox CRS="EPSG:4326"/ : /<BoundingBox SRS="EPSG:4326"/); // oxfmt-ignore
      }
      await gateway.database.client.query("drop table gis.vacant");
    });

    it("have keywords and licence of a layer, as the collection of the OGC API has", async () => {
      const { text } = await capabilities();
      const layer = /<Layer [^>]*><Name>gis\.north<[^]*?<\/Layer>/.exec(text)?.[0] ?? "";
      assert.match(
        layer,
        /<KeywordList><Keyword>north<\/Keyword><Keyword>points &amp; others<\/Keyword><\/KeywordList>/,
      );
      assert.match(
        layer,
        /<Attribution><Title>CC BY 4\.0<\/Title><OnlineResource [^>]*href="https:\/\/example\.org\/by\?a&amp;b"/,
      );
      for (const service of ["WFS", "WMTS"]) {
        const { text: other } = await get({ service, request: "GetCapabilities" });
        assert.match(other, /<ows:Keyword>points &amp; others</);
        assert.match(other, /<ows:Metadata xlink:href="https:\/\/example\.org\/by\?a&amp;b" xlink:title="CC BY 4\.0"/);
      }
      const collection = (await (await gateway.ask("/collections/gis.north", "captain")).json()) as { keywords: string[]; links: { rel: string; href: string }[] }; // oxfmt-ignore
      assert.deepEqual(collection.keywords, ["north", "points & others"]);
      assert.equal(collection.links.find(({ rel }) => rel === "license")?.href, "https://example.org/by?a&b");
      const api = (await (await gateway.ask("/api?f=json", "captain")).json()) as { externalDocs: { url: string } };
      assert.match((await ask(api.externalDocs.url, { token })).text, /WFS_Capabilities/);
    });

    it("say soon what changed", async () => {
      const { text: before } = await capabilities();
      assert.equal(
        (await capabilities()).text.replaceAll(/\/20[^/]*\/PT1S/g, ""),
        before.replaceAll(/\/20[^/]*\/PT1S/g, ""),
      );
      await gateway.client.query("insert into gis.points values (9, 5, 'srid=4326;point(20 60)')");
      // the place of a layer is kept for twenty times as long as it took to find out
      await until(async () => {
        const layer = /<Name>gis\.points<[^]*?<\/Layer>/.exec((await capabilities()).text)?.[0] ?? "";
        return layer.includes("<eastBoundLongitude>20<");
      });
      await gateway.client.query("delete from gis.points where id = 9");
    });
  });

  describe("clients", () => {
    const python = findOwslib();
    describeOnlyIf(python !== undefined, "owslib")("OWSLib", () => {
      it("reads the capabilities and a map of both versions, with a password", async () => {
        const { output, code } = await runProgram(python!, [
          "-c",
          `
import sys
from owslib.wms import WebMapService
for version, box in (("1.1.1", (10, 50, 13, 52)), ("1.3.0", (10, 50, 13, 52))):
    w = WebMapService(sys.argv[1], version=version, username="captain", password="captain")
    assert w["gis.squares"].title == "squares", w["gis.squares"].title
    assert w["gis.squares"].boundingBoxWGS84 == (10, 50, 12, 52), w["gis.squares"].boundingBoxWGS84
    assert "EPSG:25832" in w["gis.utm"].crsOptions, w["gis.utm"].crsOptions
    assert "image/png" in w.getOperationByName("GetMap").formatOptions
    assert "default" in w["gis.squares"].styles
    image = w.getmap(layers=["gis.squares"], styles=[""], srs="EPSG:4326", bbox=box, size=(300, 200), format="image/png", transparent=True)
    open(sys.argv[2] + version + ".png", "wb").write(image.read())
    info = w.getfeatureinfo(layers=["gis.squares"], styles=[""], srs="EPSG:4326", bbox=box, size=(300, 200), format="image/png",
      query_layers=["gis.squares"], info_format="text/plain", xy=(50, 150)).read()
    assert b"kind = park" in info, info
print("well")
`,
          root,
          join(folder, "owslib"),
        ]);
        assert.equal(code, 0, output);
        assert.match(output, /well/);
        const [before, now] = await Promise.all(
          ["1.1.1", "1.3.0"].map((version) => readFile(join(folder, `owslib${version}.png`))),
        );
        assert.ok(before!.equals(now!));
        assert.ok(picture(now!).count("#ffffff") < 60_000);
      });
    });

    const gdal = findOgrinfo()?.replace(/ogrinfo$/, "gdal_translate");
    onlyIf(gdal !== undefined, "GDAL")("GDAL reads a map", async () => {
      const file = join(folder, "gdal.png");
      const source = `<GDAL_WMS><Service name="WMS"><Version>1.3.0</Version><ServerUrl>${root}?</ServerUrl><Layers>gis.squares</Layers><CRS>EPSG:4326</CRS><ImageFormat>image/png</ImageFormat><Transparent>TRUE</Transparent><BBoxOrder>yxYX</BBoxOrder></Service><DataWindow><UpperLeftX>10</UpperLeftX><UpperLeftY>52</UpperLeftY><LowerRightX>13</LowerRightX><LowerRightY>50</LowerRightY><SizeX>300</SizeX><SizeY>200</SizeY></DataWindow><BandsCount>4</BandsCount><UserPwd>captain:captain</UserPwd></GDAL_WMS>`;
      const { output, code } = await runProgram(gdal!, ["-of", "PNG", "-outsize", "300", "200", source, file]);
      assert.equal(code, 0, output);
      assert.ok(picture(await readFile(file)).count("#ffffff") < 60_000);
    });
  });
});

describe("the option ows", () => {
  it("takes the classic services away", async () => {
    const gateway = await mapGateway({ config: { ows: false } });
    try {
      assert.equal((await fetch(`${gateway.baseUrl}/ows/${gateway.database.name}?${queryOf(MAP)}`)).status, 404);
    } finally {
      await gateway.close();
    }
  });

  it("takes no passwords over a connection that others can read, and none at all by basic: false", async () => {
    const headers = { authorization: `Basic ${Buffer.from("captain:captain").toString("base64")}` };
    const gateway = await mapGateway({ config: { trustedProxies: ["127.0.0.1/32"] } });
    try {
      const address = `${gateway.baseUrl}/ows/${gateway.database.name}?${queryOf(MAP)}`;
      const far = await ask(address, { headers: { ...headers, "x-forwarded-for": "192.0.2.7" } });
      assert.equal(far.status, 401);
      assert.match(exceptionOf(far).message, /TLS/);
      assert.equal((await ask(address, { headers })).status, 200);
    } finally {
      await gateway.close();
    }
    const without = await mapGateway({ config: { ows: { basic: false } } });
    try {
      const address = `${without.baseUrl}/ows/${without.database.name}?${queryOf(MAP)}`;
      const refused = await ask(address, { headers });
      assert.equal(refused.status, 401);
      assert.match(exceptionOf(refused).message, /send a token/);
      assert.doesNotMatch(refused.headers.get("www-authenticate") ?? "", /Basic/);
      assert.equal((await ask(address, { token: await without.token("captain") })).type, "image/png");
    } finally {
      await without.close();
    }
  });
});
