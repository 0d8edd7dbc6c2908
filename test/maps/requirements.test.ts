/** Every requirement of OGC API Maps Part 1 (OGC 20-058) whose class `/conformance` names, each tested once. */
import assert from "node:assert/strict";
import { CRS84, EPSG, mapGateway, type MapGateway } from "./fixture.ts";
import type { Picture } from "./pixels.ts";

/** Classes and their requirements, as clauses 7 to 24 of the standard list them. A class that is declared must be here. */
const REQUIREMENTS: Readonly<Record<string, readonly string[]>> = {
  core: ["map-op", "map-response", "conformance-success"],
  background: [
    ...["bgcolor-definition", "transparent-definition", "void-color-definition", "void-transparent-definition"],
    "map-success",
  ],
  "collections-selection": ["collections-parameter", "collections-response"],
  scaling: ["width-definition", "height-definition", "scale-denominator-definition"],
  "display-resolution": ["mm-per-pixel-definition", "map-success"],
  "spatial-subsetting": [
    ...["bbox-crs", "subset-crs", "center-crs", "bbox-definition", "subset-definition", "subset-response"],
    ...["center-definition", "width-height", "map-success"],
  ],
  crs: ["crs-definition", "map-success"],
  "collection-map": ["desc-links", "desc-crs", "map-operation"],
  "dataset-map": ["landingpage", "desc-extent", "desc-crs", "operation"],
  "styled-map": ["desc-links", "map-operation"],
  tilesets: ["desc-links", "tiles-parameters"],
  png: ["content"],
  jpeg: ["content"],
  tiff: ["content"],
  html: ["content"],
  "api-operations": ["completeness", "operation-id"],
  cors: ["cors"],
};

const MAP = "/collections/gis.red/map";
const BOX = "bbox=9,49,13,53&width=40&height=40";
const UTM = `${EPSG}/25832`;
const RED = "#ff0000ff";
const NOTHING = "#00000000";
const MAP_REL = "https://www.opengis.net/def/rel/ogc/1.0/map";

interface Link {
  readonly rel: string;
  readonly href: string;
}

describe("requirements of OGC API Maps", () => {
  let gateway: MapGateway;
  const json = async (path: string) => (await gateway.ask(path, "captain")).json();
  const answer = async (path: string) => {
    const response = await gateway.ask(path, "captain");
    const body = Buffer.from(await response.arrayBuffer());
    const bbox = (response.headers.get("content-bbox") ?? "").split(",").map(Number);
    return { status: response.status, headers: response.headers, body, bbox };
  };
  const is400 = async (query: string): Promise<void> =>
    assert.equal((await answer(`${MAP}?${query}`)).status, 400, query);
  /** A place without data and one with. */
  const colours = async (query: string): Promise<string[]> => {
    const map = await gateway.map(`${MAP}?${BOX}&${query}`);
    return [map.at(1, 1), map.at(20, 20)];
  };
  const voidColour = async (query: string): Promise<string> =>
    (await gateway.map(`${MAP}?bbox=-200,-100,200,100&width=40&height=20&${query}`)).at(0, 10);
  const size = async (query: string): Promise<number[]> => {
    const { width, height } = await gateway.map(`${MAP}?${query}`);
    return [width, height];
  };
  /**
   * A parameter of systems: CRS84 by default, the storage's system too, URIs and safe CURIEs; alone it has no effect.
   */
  const isCrsParameter = async (name: string, degrees: string, metres: string): Promise<void> => {
    const utm = "/collections/gis.utm/map?width=10";
    const { bbox } = await answer(`${utm}&${degrees}`);
    for (const value of [CRS84, "[OGC:CRS84]", CRS84.replace("http:", "https:")])
      assert.deepEqual((await answer(`${utm}&${degrees}&${name}=${value}`)).bbox, bbox, value);
    const inMetres = (await answer(`${utm}&${metres}&${name}=${UTM}`)).bbox;
    for (const value of [UTM, "[EPSG:25832]", UTM.replace("http:", "https:")])
      assert.deepEqual((await answer(`${utm}&${metres}&${name}=${value}`)).bbox, inMetres, value);
    assert.equal((await answer(`${utm}&${name}=${UTM}`)).status, 200);
    assert.equal((await answer(`${utm}&${degrees}&${name}=${EPSG}/25833`)).status, 400);
  };

  before(async () => {
    gateway = await mapGateway({
      config: { ogc: { crsForms: "all" } },
      styled: { red: { of: "squares", style: [{ name: "All", styles: [{ color: "#ff0000" }] }] } },
    });
  });
  after(() => gateway.close());

  const TESTS: Readonly<Record<string, () => Promise<void>>> = {
    "core/map-op": async () => {
      for (const path of ["/map", MAP]) assert.equal((await answer(`${path}?width=10`)).status, 200, path);
    },
    "core/map-response": async () => {
      const { status, headers, bbox, body } = await answer(`${MAP}?width=10&crs=${EPSG}/4326`);
      assert.deepEqual([status, headers.get("content-crs"), bbox], [200, `${EPSG}/4326`, [50, 10, 52, 12]]);
      assert.equal(body.subarray(1, 4).toString(), "PNG");
    },
    "core/conformance-success": async () => {
      const { conformsTo } = await json("/conformance?f=json");
      for (const name of Object.keys(REQUIREMENTS))
        assert.ok(conformsTo.includes(`https://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/${name}`), name);
    },
    "background/bgcolor-definition": async () => {
      for (const bgcolor of ["0x008080", "008080", "TEAL", "teal"])
        assert.deepEqual(await colours(`bgcolor=${bgcolor}`), ["#008080ff", RED]);
      assert.deepEqual(await colours("transparent=false"), ["#ffffffff", RED]);
      await is400("bgcolor=0x12345");
    },
    "background/transparent-definition": async () => {
      assert.deepEqual(await colours(""), [NOTHING, RED]);
      assert.deepEqual(await colours("bgcolor=teal"), ["#008080ff", RED]);
      assert.deepEqual(await colours("bgcolor=CC00CC&transparent=true"), ["#cc00cc00", RED]);
      await is400("transparent=1");
    },
    "background/void-color-definition": async () => {
      for (const colour of ["0x00FF00", "00ff00", "LIME"])
        assert.equal(await voidColour(`transparent=false&void-color=${colour}`), "#00ff00ff");
      assert.equal(await voidColour("bgcolor=navy"), "#000080ff");
      await is400("void-color=green-ish");
    },
    "background/void-transparent-definition": async () => {
      assert.equal(await voidColour("transparent=false&void-transparent=true"), NOTHING);
      assert.equal(await voidColour("bgcolor=navy&void-transparent=true"), "#00008000");
      assert.equal(await voidColour("transparent=false"), "#ffffffff");
      await is400("void-transparent=maybe");
    },
    "background/map-success": async () => {
      for (const [query, colour] of [
        ["bgcolor=123456", "#123456ff"],
        ["transparent=false", "#ffffffff"],
        ["transparent=true", NOTHING],
      ] as const)
        assert.deepEqual(await colours(query), [colour, RED]);
      assert.equal(await voidColour("bgcolor=123456&void-color=654321"), "#654321ff");
    },
    "collections-selection/collections-parameter": async () => {
      const { href } = (await json("/collections/gis.red?f=json")).links.find(({ rel }: Link) => rel === "self");
      for (const id of ["gis.red", href.split("?")[0]])
        assert.equal((await gateway.map(`/map?collections=${encodeURIComponent(id)}&${BOX}`)).at(20, 20), RED);
    },
    "collections-selection/collections-response": async () => {
      const at = async (ids: string) => (await gateway.map(`/map?collections=${ids}&${BOX}`)).at(13, 27);
      assert.equal(await at("gis.utm,gis.red"), RED);
      assert.notEqual(await at("gis.red,gis.geog"), RED);
      assert.equal(await at("gis.empty"), NOTHING);
    },
    "scaling/width-definition": async () => {
      assert.deepEqual(await size("bbox=10,50,12,51&width=100"), [100, 50]);
      for (const width of ["0", "-1", "1.5", "x", "16385"]) await is400(`width=${width}`);
      await is400("width=10&scale-denominator=1000000&bbox=10,50,12,52");
    },
    "scaling/height-definition": async () => {
      assert.deepEqual(await size("bbox=10,50,12,51&height=50"), [100, 50]);
      for (const height of ["0", "-1", "1.5", "x", "16385"]) await is400(`height=${height}`);
      await is400("height=10&scale-denominator=1000000&subset=Lat(50:51)");
    },
    "scaling/scale-denominator-definition": async () => {
      // 280 m a pixel, 111 km a degree to the north
      const [, height = 0] = await size("bbox=10,50,12,52&scale-denominator=1000000");
      assert.ok(Math.abs(height - (2 * 111_240) / 280) < 2, String(height));
      const { bbox } = await answer(`${MAP}?center=11,51&height=100&scale-denominator=1000000`);
      assert.ok(Math.abs((bbox[3]! - bbox[1]!) * 111_240 - 28_000) < 30, bbox.join());
    },
    "display-resolution/mm-per-pixel-definition": async () => {
      const usual = await size("bbox=10,50,12,52&scale-denominator=1000000");
      assert.deepEqual(await size("bbox=10,50,12,52&scale-denominator=1000000&mm-per-pixel=0.28"), usual);
      for (const value of ["0", "-0.28", "x"]) await is400(`mm-per-pixel=${value}`);
    },
    "display-resolution/map-success": async () => {
      const [width = 0] = await size("bbox=10,50,12,52&scale-denominator=1000000");
      const [fine = 0] = await size("bbox=10,50,12,52&scale-denominator=1000000&mm-per-pixel=0.14");
      assert.ok(Math.abs(fine - 2 * width) <= 1, `${fine} ${width}`);
      const drawn = async (query: string) =>
        (await gateway.map(`/collections/gis.points/map?${BOX}${query}`)).count("#");
      assert.ok((await drawn("&mm-per-pixel=0.14")) > 2 * (await drawn("")));
    },
    "spatial-subsetting/bbox-crs": () =>
      isCrsParameter("bbox-crs", "bbox=9,50,10,51", "bbox=400000,5400000,600000,5600000"),
    "spatial-subsetting/subset-crs": () =>
      isCrsParameter("subset-crs", "subset=Lat(50:51)", "subset=E(400000:600000),N(5400000:5600000)"),
    "spatial-subsetting/center-crs": () => isCrsParameter("center-crs", "center=9,50", "center=500000,5500000"),
    "spatial-subsetting/bbox-definition": async () => {
      assert.deepEqual((await answer(`${MAP}?width=10&bbox=9,49,13,53`)).bbox, [9, 49, 13, 53]);
      assert.deepEqual((await answer(`${MAP}?width=10&bbox=9,49,0,13,53,1`)).bbox, [9, 49, 13, 53]);
      await is400("bbox=9,49,13,53&center=11,51");
      await is400("bbox=9,49,13,53&subset=Lon(9:13)");
    },
    "spatial-subsetting/subset-definition": async () => {
      for (const query of ["subset=Lat(49:53),Lon(9:13)", "subset=Lat(49:53)&subset=Lon(9:13)"])
        assert.deepEqual((await answer(`${MAP}?width=10&${query}`)).bbox, [9, 49, 13, 53]);
      await is400("subset=E(1:2)");
      assert.equal((await answer(`${MAP}?subset=Lat(95:99)`)).status, 204);
      assert.deepEqual((await answer(`${MAP}?width=10&subset=Lon(170:-170),Lat(0:10)`)).bbox, [170, 0, -170, 10]);
    },
    "spatial-subsetting/subset-response": async () => {
      const map = await gateway.map(`${MAP}?subset=Lat(49:53),Lon(9:13)&width=40`);
      assert.deepEqual([map.at(9, 20), map.at(11, 20)], [NOTHING, RED]);
    },
    "spatial-subsetting/center-definition": async () => {
      const { bbox } = await answer(`${MAP}?center=10,50&width=10`);
      assert.deepEqual([(bbox[0]! + bbox[2]!) / 2, (bbox[1]! + bbox[3]!) / 2], [10, 50]);
      await is400("center=11,51&subset=Lat(50:51)");
    },
    "spatial-subsetting/width-height": async () => {
      const wide = await answer(`${MAP}?center=11,51&width=200&height=100&scale-denominator=1000000`);
      const narrow = await answer(`${MAP}?center=11,51&width=100&height=100&scale-denominator=1000000`);
      assert.ok(Math.abs((wide.bbox[2]! - 11) / (narrow.bbox[2]! - 11) - 2) < 1e-9);
    },
    "spatial-subsetting/map-success": async () => {
      assert.equal((await gateway.map(`${MAP}?bbox=11.9,51.9,14,54&width=40&height=40`)).at(0, 39), RED);
    },
    "crs/crs-definition": async () => {
      for (const uri of (await json("/collections/gis.red?f=json")).crs)
        assert.equal((await answer(`${MAP}?width=10&crs=${uri}`)).headers.get("content-crs"), uri);
      for (const value of ["[EPSG:3857]", "https://www.opengis.net/def/crs/EPSG/0/3857"])
        assert.equal((await answer(`${MAP}?width=10&crs=${value}`)).headers.get("content-crs"), `${EPSG}/3857`);
      for (const name of ["bbox-crs", "subset-crs"])
        assert.equal((await answer(`${MAP}?width=10&crs=[EPSG:3857]&${name}=[EPSG:3857]`)).status, 200);
      await is400("crs=[EPSG:25833]");
    },
    "crs/map-success": async () => {
      // in Web Mercator the northern half is higher
      const { width, height } = await gateway.map(`${MAP}?bbox=10,50,12,52&width=100&crs=[EPSG:3857]`);
      assert.deepEqual([width, height], [100, 159]);
    },
    "collection-map/desc-links": async () => {
      const { collections } = await json("/collections?f=json");
      for (const { id, links } of collections) {
        const { href } = links.find(({ rel }: Link) => rel === MAP_REL);
        assert.ok(href.endsWith(`/collections/${id}/map`), href);
      }
    },
    "collection-map/desc-crs": async () => {
      for (const { crs, storageCrs, extent, id } of (await json("/collections?f=json")).collections) {
        assert.ok(crs.includes(CRS84) && crs.includes(storageCrs), id);
        if (extent) assert.equal(extent.spatial.storageCrsBbox[0].length, 4, id);
      }
    },
    "collection-map/map-operation": async () => {
      for (const { id } of (await json("/collections?f=json")).collections)
        assert.equal((await answer(`/collections/${id}/map?width=10`)).status, 200, id);
    },
    "dataset-map/landingpage": async () => {
      const { href } = (await json("/?f=json")).links.find(({ rel }: Link) => rel === MAP_REL);
      assert.ok(href.endsWith("/map"), href);
    },
    "dataset-map/desc-extent": async () => {
      assert.equal((await json("/?f=json")).extent.spatial.bbox[0].length, 4);
    },
    "dataset-map/desc-crs": async () => {
      for (const uri of (await json("/?f=json")).crs)
        assert.equal((await answer(`/map?${BOX}&crs=${uri}`)).status, 200, uri);
    },
    "dataset-map/operation": async () => {
      assert.notEqual((await gateway.map(`/map?${BOX}`)).at(20, 20), NOTHING);
    },
    "png/content": async () => {
      const { headers, body } = await answer(`${MAP}?width=10&f=png`);
      assert.deepEqual([headers.get("content-type"), body.subarray(0, 4).toString("hex")], ["image/png", "89504e47"]);
    },
    "jpeg/content": async () => {
      const { headers, body } = await answer(`${MAP}?width=10&f=jpeg`);
      assert.deepEqual([headers.get("content-type"), body.subarray(0, 3).toString("hex")], ["image/jpeg", "ffd8ff"]);
    },
    "tiff/content": async () => {
      const { headers, body } = await answer(`${MAP}?width=10&f=tiff`);
      assert.equal(headers.get("content-type"), "image/tiff");
      assert.match(body.subarray(0, 4).toString("hex"), /^(49492a00|4d4d002a)$/);
    },
    "tilesets/desc-links": async () => {
      for (const path of ["/", "/collections/gis.red"]) {
        const { links } = (await json(`${path}?f=json`)) as { links: Link[] };
        const { href } = links.find(({ rel }) => rel === "https://www.opengis.net/def/rel/ogc/1.0/tilesets-map")!;
        const { tilesets } = (await json(href.replace(/^.*\/ogc\/database\/[^/]+/, ""))) as { tilesets: unknown[] };
        assert.ok(tilesets.length > 0, href);
      }
    },
    "tilesets/tiles-parameters": async () => {
      const tile = "/collections/gis.red/map/tiles/WebMercatorQuad/5/10/16";
      const of = async (query: string): Promise<Picture> => gateway.map(`${tile}?${query}`);
      const sizeOf = async (query: string): Promise<number[]> => {
        const { width, height } = await of(query);
        return [width, height];
      };
      assert.deepEqual(await sizeOf("width=512"), [512, 512]);
      assert.deepEqual(await sizeOf("height=128"), [128, 128]);
      assert.deepEqual(await sizeOf("width=300&height=100"), [300, 100]);
      const red = async (query: string): Promise<number> => (await of(query)).count("#ff0000");
      assert.ok(Math.abs((await red("width=512")) / (await red("")) - 4) < 0.3, "the same, larger");
      assert.equal((await of("bgcolor=00FF00")).at(0, 0), "#00ff00ff");
      assert.equal((await of("bgcolor=00FF00&transparent=true")).at(0, 0), "#00ff0000");
      for (const query of [
        "void-color=00FF00",
        "void-transparent=true",
        "mm-per-pixel=0.56",
        "scale-denominator=50000000",
      ])
        assert.deepEqual(await sizeOf(query), [256, 256], query);
      for (const query of ["width=0", "width=2049", "mm-per-pixel=9", "scale-denominator=0", "bbox=1,2,3,4"])
        assert.equal((await answer(`${tile}?${query}`)).status, 400, query);
    },
    "styled-map/desc-links": async () => {
      for (const path of ["", "/collections/gis.red"]) {
        const { styles } = (await json(`${path}/styles?f=json`)) as { styles: { id: string; links: Link[] }[] };
        const [map] = styles.map(({ id, links }) => [id, links.find(({ rel }) => rel === MAP_REL)?.href] as const);
        assert.deepEqual(map?.[0], "default");
        assert.ok(map[1]!.endsWith(`${path}/styles/default/map`), map[1]);
      }
    },
    "styled-map/map-operation": async () => {
      for (const [plain, styled] of [
        [MAP, "/collections/gis.red/styles/default/map"],
        ["/map", "/styles/default/map"],
      ] as const) {
        const query = plain === MAP ? BOX : `${BOX}&collections=gis.red`;
        const map = await gateway.map(`${styled}?${query}`);
        assert.deepEqual([map.at(1, 1), map.at(20, 20)], [NOTHING, RED]);
        const [one, other] = await Promise.all([plain, styled].map((path) => answer(`${path}?${query}`)));
        assert.ok(one!.body.equals(other!.body), styled);
        const missing = await gateway.ask(`${styled.replace("default", "night")}?${query}`, "captain");
        assert.deepEqual([missing.status, ((await missing.json()) as { code: string }).code], [404, "NOT_FOUND"]);
        // as without a style: what nobody may read, an unknown parameter, a read-only table
        const [asked, refused] = await Promise.all([plain, styled].map((path) => gateway.ask(`${path}?${query}`)));
        assert.deepEqual([refused!.status, asked!.status], [401, 401]);
        assert.equal((await answer(`${styled}?${query}&colour=red`)).status, 400);
        assert.equal((await answer(`${styled}?${query}&style-definition=[]`)).status, 400);
        const page = await answer(`${styled}?${query}&f=html`);
        assert.match(page.body.toString(), new RegExp(`action="[^"]*${styled}"`));
      }
    },
    "html/content": async () => {
      const { headers, body } = await answer(`${MAP}?f=html`);
      assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
      assert.match(body.toString(), /id="picture"/);
    },
    "api-operations/completeness": async () => {
      const { paths, components } = await json("/api?f=json");
      for (const path of ["/map", "/collections/{collectionId}/map"]) {
        const names = paths[path].get.parameters.map(
          ({ $ref }: { $ref: string }) => components.parameters[$ref.split("/").at(-1)!].name,
        );
        for (const name of [
          ...["bgcolor", "transparent", "void-color", "void-transparent", "width", "height", "scale-denominator"],
          ...["mm-per-pixel", "bbox", "bbox-crs", "subset", "subset-crs", "center", "center-crs", "crs"],
          ...(path === "/map" ? ["collections"] : []),
        ])
          assert.ok(names.includes(name), `${path} ${name}`);
      }
    },
    "api-operations/operation-id": async () => {
      const { paths } = await json("/api?f=json");
      assert.match(paths["/map"].get.operationId, /\.dataset\.getMap$/);
      assert.match(paths["/collections/{collectionId}/map"].get.operationId, /\.collection\.getMap$/);
      assert.match(paths["/styles/{styleId}/map"].get.operationId, /\.dataset\.style\.getMap$/);
      const ofCollection = paths["/collections/{collectionId}/styles/{styleId}/map"].get;
      assert.match(ofCollection.operationId, /\.collection\.style\.getMap$/);
    },
    "cors/cors": async () => {
      const { headers } = await answer(`${MAP}?width=10`);
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.match(headers.get("access-control-expose-headers") ?? "", /Content-Crs.*Content-Bbox/);
    },
  };

  for (const [name, requirements] of Object.entries(REQUIREMENTS))
    for (const requirement of requirements)
      it(`/req/${name}/${requirement}`, () => {
        const test = TESTS[`${name}/${requirement}`];
        assert.ok(test, "a requirement of a class that is declared has no test");
        return test();
      });

  it("every declared class has tests, and no other class", async () => {
    const { conformsTo } = await json("/conformance?f=json");
    const declared = conformsTo.flatMap(
      (uri: string) => /^https:\/\/www\.opengis\.net\/spec\/ogcapi-maps-1\/1\.0\/conf\/(.+)$/.exec(uri)?.[1] ?? [],
    );
    assert.deepEqual(declared.toSorted(), Object.keys(REQUIREMENTS).toSorted());
    const ids = Object.entries(REQUIREMENTS).flatMap(([name, all]) => all.map((each) => `${name}/${each}`));
    assert.deepEqual(Object.keys(TESTS).toSorted(), ids.toSorted());
  });
});
