/** The abstract tests of OGC API Maps Part 1 (OGC 20-058, annex A) for the classes that are declared, in our own words. */
import assert from "node:assert/strict";
import { CRS84, EPSG, mapGateway, type MapGateway } from "./fixture.ts";

const MAPS = "www.opengis.net/spec/ogcapi-maps-1/1.0/conf";
const MAP_RELS = ["http://www.opengis.net/def/rel/ogc/1.0/map", "https://www.opengis.net/def/rel/ogc/1.0/map"];
const SQUARES = "/collections/gis.red/map";
const BOX = "bbox=9,49,13,53";
const RED = "#ff0000ff";

interface Link {
  readonly rel: string;
  readonly type: string;
  readonly href: string;
  readonly title: string;
}

describe("OGC API Maps", () => {
  let gateway: MapGateway;
  const json = async (path: string) => (await gateway.ask(path, "captain")).json();
  const head = async (path: string) => {
    const response = await gateway.ask(path, "captain");
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  };
  /** A corner without data, the middle of the data. */
  const corners = async (query: string): Promise<[string, string]> => {
    const picture = await gateway.map(`${SQUARES}?${BOX}&width=40&height=40${query}`);
    return [picture.at(1, 1), picture.at(20, 20)];
  };

  before(async () => {
    gateway = await mapGateway({
      config: { ogc: { defaultSchema: "gis" } },
      styled: { red: { of: "squares", style: [{ name: "All", styles: [{ color: "#ff0000" }] }] } },
    });
  });
  after(() => gateway.close());

  it("/conf/core/map-op: a map is there in the formats that Accept names", async () => {
    for (const [accept, type] of [
      ["image/png", "image/png"],
      ["image/jpeg", "image/jpeg"],
      ["image/webp,image/jpeg;q=0.9,image/png;q=0.5", "image/jpeg"],
      ["image/tiff", "image/tiff"],
      ["*/*", "image/png"],
      ["text/html, image/gif, image/jpeg, */*; q=0.2", "image/png"], // Java 17, where a program names nothing
      ["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "image/png"], // Java 8
    ]) {
      const response = await fetch(
        `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}${SQUARES}?width=10`,
        { headers: { Accept: accept!, Authorization: `Bearer ${await gateway.token("captain")}` } },
      );
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), type);
      await response.arrayBuffer();
    }
  });

  it("/conf/core/map-response: status, Content-Crs as a bare URI, Content-Bbox in its order of axes", async () => {
    for (const [query, crs, bbox] of [
      ["", CRS84, [10, 50, 12, 52]],
      [`crs=${CRS84}`, CRS84, [10, 50, 12, 52]],
      [`crs=${EPSG}/4326`, `${EPSG}/4326`, [50, 10, 52, 12]],
      [`crs=${EPSG}/4326&${BOX}`, `${EPSG}/4326`, [49, 9, 53, 13]],
      [`crs=${EPSG}/3857`, `${EPSG}/3857`, [1113195, 6446276, 1335834, 6800125]],
    ] as const) {
      const { status, headers } = await head(`${SQUARES}?width=20&${query}`);
      assert.equal(status, 200);
      assert.equal(headers.get("content-crs"), crs);
      assert.deepEqual(headers.get("content-bbox")?.split(",").map(Number).map(Math.round), bbox);
    }
  });

  it("/conf/core/conformance-success: the classes are declared, in both spellings", async () => {
    const { conformsTo } = await json("/conformance?f=json");
    for (const name of [
      ...["core", "collection-map", "dataset-map", "collections-selection", "background", "spatial-subsetting"],
      ...["scaling", "display-resolution", "png", "jpeg", "tiff", "html", "api-operations", "cors"],
    ])
      for (const scheme of ["http", "https"])
        assert.ok(conformsTo.includes(`${scheme}://${MAPS}/${name}`), `${scheme} ${name}`);
  });

  it("/conf/collection-map/desc-links and /conf/dataset-map/landingpage: links to maps, which work", async () => {
    for (const path of ["/collections/gis.red?f=json", "/?f=json"]) {
      const links: Link[] = (await json(path)).links;
      for (const rel of MAP_RELS) {
        const [found, ...others] = links.filter((link) => link.rel === rel);
        assert.ok(found, `${path} ${rel}`);
        assert.deepEqual([others, found.type, new URL(found.href).search], [[], "image/png", ""]);
        assert.ok(found.title);
        // as clients append to it, and negotiate
        const query = path.startsWith("/?") ? "?collections=gis.red&width=10" : "?width=10";
        for (const type of ["image/png", "image/jpeg", "text/html"]) {
          const headers = { Accept: type, Authorization: `Bearer ${await gateway.token("captain")}` };
          const response: Response = await fetch(found.href + query, { headers });
          assert.equal(response.headers.get("content-type")?.split(";")[0], type);
          await response.arrayBuffer();
        }
        const formats = links.filter(({ rel: other, href }) => other === "alternate" && href.startsWith(found.href));
        assert.deepEqual(
          formats.map(({ type }) => type),
          ["image/png", "image/jpeg", "image/tiff", "text/html"],
        );
        for (const { href, type } of formats) {
          const headers = { Authorization: `Bearer ${await gateway.token("captain")}` };
          const response = await fetch(href, { headers });
          assert.equal(response.headers.get("content-type")?.split(";")[0], type);
          await response.arrayBuffer();
        }
      }
    }
    const list = await json("/collections?f=json");
    const red = list.collections.find(({ id }: { id: string }) => id === "gis.red");
    assert.ok(red.links.some(({ rel }: Link) => rel === MAP_RELS[0]));
  });

  it("/conf/dataset-map/desc-extent, desc-crs, operation: the landing page says where its map is, and in which systems", async () => {
    const { extent, crs } = await json("/?f=json");
    const [minx, miny, maxx, maxy] = extent.spatial.bbox[0];
    assert.equal(extent.spatial.crs, CRS84);
    assert.deepEqual([minx <= 9, miny <= 49.7, maxx >= 12, maxy >= 52], [true, true, true, true]);
    for (const uri of [CRS84, `${EPSG}/4326`, `${EPSG}/3857`, `${EPSG}/25832`]) assert.ok(crs.includes(uri), uri);
    for (const uri of crs) assert.equal((await head(`/map?${BOX}&width=10&crs=${uri}`)).status, 200, uri);
    // a caller who may not see it learns nothing about it
    const { extent: hidden, crs: none } = await (await gateway.ask("/?f=json")).json();
    assert.deepEqual([hidden, none], [undefined, undefined]);
  });

  it("/conf/collection-map/desc-crs, map-operation: a collection names its systems, that of its storage too", async () => {
    const { crs, storageCrs } = await json("/collections/gis.utm?f=json");
    assert.equal(storageCrs, `${EPSG}/25832`);
    assert.ok(crs.includes(storageCrs));
    assert.equal((await head(`/collections/gis.utm/map?width=10&crs=${storageCrs}`)).status, 200);
  });

  it("/conf/collection-map/desc-crs: storageCrsBbox is the extent in the storage's system, wherever that is not CRS84", async () => {
    const list = (await json("/collections?f=json")).collections;
    for (const [id, expected] of [
      ["gis.utm", [500_000, 5_500_000, 600_000, 5_600_000]],
      ["gis.red", [50, 10, 52, 12]],
      ["gis.geog", [50, 10, 51, 11]],
      ["gis.mixed", [50, 10, 51.75, 12]],
    ] as const)
      for (const { extent, storageCrs } of [
        await json(`/collections/${id}?f=json`),
        list.find((each: { id: string }) => each.id === id),
      ]) {
        assert.notEqual(storageCrs, CRS84);
        assert.deepEqual(extent.spatial.storageCrsBbox, [expected], id);
      }
    // without a feature there is no extent
    assert.equal((await json("/collections/gis.empty?f=json")).extent, undefined);
  });

  it("/conf/background/map-success: every combination of transparent and bgcolor", async () => {
    for (const [bgcolor, colour] of [
      ["", "#ffffff"],
      ["&bgcolor=0x102030", "#102030"],
      ["&bgcolor=teal", "#008080"],
    ] as const)
      for (const transparent of ["", "&transparent=true", "&transparent=false"]) {
        const [corner, middle] = await corners(bgcolor + transparent);
        const isOpaque = transparent.endsWith("false") || (transparent === "" && bgcolor !== "");
        assert.equal(middle, RED);
        if (isOpaque) assert.equal(corner, `${colour}ff`, bgcolor + transparent);
        else assert.equal(corner.slice(7), "00", bgcolor + transparent);
      }
  });

  it("/conf/background/bgcolor-definition: hexadecimal values and names, white without", async () => {
    for (const [query, background] of [
      ["&transparent=false", "#ffffffff"],
      ["&bgcolor=0x00FF80", "#00ff80ff"],
      ["&bgcolor=00ff80", "#00ff80ff"],
      ["&bgcolor=0x00ff80&transparent=false", "#00ff80ff"],
      ["&bgcolor=NavajoWhite", "#ffdeadff"],
    ])
      assert.deepEqual(await corners(query!), [background, RED], query);
  });

  it("/conf/background/transparent-definition: true unless a colour is given", async () => {
    assert.deepEqual(await corners(""), ["#00000000", RED]);
    assert.deepEqual(await corners("&transparent=true"), ["#00000000", RED]);
    const [corner] = await corners("&transparent=true&bgcolor=0x00ff80");
    assert.equal(corner.slice(7), "00");
  });

  it("/conf/collections-selection/collections-parameter: ids and full addresses; all of the default schema without", async () => {
    const one = await gateway.map(`/map?collections=gis.red&${BOX}&width=40&height=40`);
    assert.equal(one.at(20, 20), RED);
    const address = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}/collections/gis.red`;
    const full = await gateway.map(`/map?collections=${encodeURIComponent(address)}&${BOX}&width=40&height=40`);
    assert.equal(full.at(20, 20), RED);
    assert.notEqual((await gateway.map(`/map?${BOX}&width=40&height=40`)).at(15, 25), "#00000000");
  });

  it("/conf/collections-selection/collections-response: unknown 404, of several schemas 400, empty 400", async () => {
    for (const [ids, status, code] of [
      ["gis.nothing", 404, "COLLECTION_NOT_FOUND"],
      ["gis.red,gis.nothing", 404, "COLLECTION_NOT_FOUND"],
      ["http://elsewhere.example/collections/gis.red", 404, "COLLECTION_NOT_FOUND"],
      ["gis.red,other.squares", 400, "INVALID_PARAMETER"],
      ["gis.red,,gis.squares", 400, "INVALID_PARAMETER"],
      ["", 400, "INVALID_PARAMETER"],
      [
        encodeURIComponent(`${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}/collections/%zz`),
        400,
        "INVALID_PARAMETER",
      ],
      [Array(51).fill("gis.red").join(","), 400, "INVALID_PARAMETER"],
    ] as const) {
      const response = await gateway.ask(`/map?collections=${ids}&${BOX}&width=10`, "captain");
      assert.equal(response.status, status, ids);
      assert.equal((await response.json()).code, code);
    }
  });

  it("/conf/scaling/width-definition and height-definition: one gives the other by the box; 1024 without", async () => {
    const size = async (query: string): Promise<[number, number]> => {
      const { width, height } = await gateway.map(`${SQUARES}?${query}`);
      return [width, height];
    };
    assert.deepEqual(await size("bbox=10,50,12,51"), [1024, 512]);
    assert.deepEqual(await size("bbox=10,50,12,51&width=100"), [100, 50]);
    assert.deepEqual(await size("bbox=10,50,12,51&height=100"), [200, 100]);
    assert.deepEqual(await size("bbox=10,50,12,51&width=30&height=70"), [30, 70]);
    assert.deepEqual(await size("bbox=10,50,12,50.0001&width=5"), [5, 1]);
    // in EPSG:3857 the box is higher than in degrees
    const [width, height] = await size(`bbox=10,50,12,52&width=100&crs=${EPSG}/3857`);
    assert.equal(width, 100);
    assert.equal(height, 159);
  });

  it("/conf/spatial-subsetting/bbox-definition: the extent without, and the box in bbox-crs", async () => {
    const whole = await gateway.map(`${SQUARES}?width=40&height=40`);
    assert.deepEqual([whole.at(1, 1), whole.at(38, 38)], [RED, RED]);
    const west = await gateway.map(`${SQUARES}?bbox=49,8,53,12&bbox-crs=${EPSG}/4326&width=40&height=40`);
    assert.deepEqual([west.at(15, 20), west.at(25, 20)], ["#00000000", RED]);
  });

  it("/conf/crs/crs-definition: the systems of the collection, others are INVALID_CRS", async () => {
    const { crs } = await json("/collections/gis.red?f=json");
    for (const uri of crs) assert.equal((await head(`${SQUARES}?width=10&crs=${uri}`)).status, 200, uri);
    for (const uri of ["EPSG:4326", `${EPSG}/25832`, "http://example.org", "4326"]) {
      const response = await gateway.ask(`${SQUARES}?width=10&crs=${uri}`, "captain");
      assert.equal(response.status, 400);
      assert.equal((await response.json()).code, "INVALID_CRS");
    }
  });

  it("/conf/png/content, /conf/jpeg/content, /conf/tiff/content: the bytes are of the format", async () => {
    const first = async (f: string) =>
      (await head(`${SQUARES}?width=10&f=${encodeURIComponent(f)}`)).body.subarray(0, 4);
    for (const f of ["png", "image/png"]) assert.equal((await first(f)).toString("hex"), "89504e47");
    for (const f of ["jpeg", "image/jpeg"]) assert.equal((await first(f)).toString("hex").slice(0, 6), "ffd8ff");
    for (const f of ["tiff", "image/tiff"]) assert.match((await first(f)).toString("hex"), /^(49492a00|4d4d002a)$/);
  });

  it("/conf/jpeg/content: opaque whatever is asked for; never black", async () => {
    const { body } = await head(`${SQUARES}?${BOX}&width=64&height=64&f=jpeg&transparent=true`);
    // a white picture with a red square is small, and its header names three components
    assert.ok(body.includes(Buffer.from("ffc0", "hex")));
    const black = await head(`${SQUARES}?${BOX}&width=64&height=64&f=jpeg&bgcolor=black`);
    assert.notDeepEqual(body, black.body);
    const white = await head(`${SQUARES}?${BOX}&width=64&height=64&f=jpeg&bgcolor=white`);
    assert.deepEqual(body, white.body);
  });

  it("/conf/html/content: a page with the map", async () => {
    const response = await gateway.ask(`${SQUARES}?f=html`, "captain");
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(await response.text(), /<h1>Map of red<\/h1>/);
  });

  it("/conf/api-operations/completeness: the OpenAPI document has the operations and their parameters", async () => {
    const { paths, components } = await json("/api?f=json");
    for (const [path, more] of [
      ["/map", ["collections"]],
      ["/collections/{collectionId}/map", []],
    ] as const) {
      const { operationId, parameters, responses } = paths[path].get;
      assert.ok(operationId);
      const names = parameters.map(({ $ref, name }: { $ref?: string; name?: string }) =>
        $ref === undefined ? name : components.parameters[$ref.split("/").at(-1)!].name,
      );
      for (const name of [
        "bbox",
        "bbox-crs",
        "crs",
        "width",
        "height",
        "transparent",
        "bgcolor",
        "datetime",
        "f",
        ...more,
      ])
        assert.ok(names.includes(name), `${path} ${name}`);
      assert.ok(responses["200"].content["image/png"]);
      assert.ok(responses["502"]);
    }
  });

  it("/conf/api-operations/operation-id: the ids of the operations end as the standard has them", async () => {
    const { paths } = await json("/api?f=json");
    for (const [path, suffix] of [
      ["/map", ".dataset.getMap"],
      ["/collections/{collectionId}/map", ".collection.getMap"],
    ] as const) {
      const { operationId, responses } = paths[path].get;
      assert.ok(operationId.endsWith(suffix), operationId);
      for (const name of ["Content-Crs", "Content-Bbox", "Content-Datetime"])
        assert.ok(responses["200"].headers[name], `${path} ${name}`);
    }
  });

  it("/conf/cors/cors: other origins may read the map and its headers", async () => {
    const { headers } = await head(`${SQUARES}?width=10`);
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.match(headers.get("access-control-expose-headers") ?? "", /Content-Crs.*Content-Bbox/);
  });

  it("datetime does not matter where nothing is versioned; an interval is 400", async () => {
    assert.equal((await head(`${SQUARES}?width=10&datetime=2026-01-01T00:00:00Z`)).status, 200);
    assert.equal((await head(`${SQUARES}?width=10&datetime=2026-01-01/2026-02-01`)).status, 400);
  });

  it("HEAD has the headers of GET, other methods are 405", async () => {
    const url = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}${SQUARES}?width=10`;
    const authorization = { Authorization: `Bearer ${await gateway.token("captain")}` };
    const response = await fetch(url, { method: "HEAD", headers: authorization });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "image/png");
    assert.equal(response.headers.get("content-crs"), CRS84);
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const refused = await fetch(url, { method, headers: authorization });
      assert.equal(refused.status, 405);
      assert.equal(refused.headers.get("allow"), "GET, HEAD, OPTIONS");
    }
  });
});
