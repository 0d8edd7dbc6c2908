import assert from "node:assert/strict";
import { CRS84, EPSG, mapGateway, type MapGateway } from "./fixture.ts";

const RED = "#ff0000ff";
const BLUE = "#0000ffff";
const NOTHING = "#00000000";
const MAP = "/collections/gis.red/map";

/** Red is two by two degrees from 10° east, 50° north; `dot` is a circle of 10 pixels at 10.5°, 50.5° and 11.5°, 51.5°. */
describe("center, scale-denominator, mm-per-pixel and subset of maps", () => {
  let gateway: MapGateway;
  /** The rectangle that a map names as shown. */
  const bboxOf = async (path: string): Promise<number[]> => {
    const response = await gateway.ask(path, "captain");
    assert.equal(response.status, 200, `${path}: ${response.ok ? "" : await response.text()}`);
    await response.arrayBuffer();
    return (response.headers.get("content-bbox") ?? "").split(",").map(Number);
  };
  const assertNear = (actual: readonly number[], expected: readonly number[], tolerance: number): void => {
    assert.equal(actual.length, expected.length);
    for (const [index, number] of expected.entries())
      assert.ok(Math.abs(actual[index]! - number) <= tolerance, `${actual.join()} is not ${expected.join()}`);
  };

  before(async () => {
    const red = [{ name: "All", styles: [{ color: "#ff0000" }] }];
    gateway = await mapGateway({
      config: { ogc: { defaultSchema: "gis" } },
      styled: {
        red: { of: "squares", style: red },
        utm_red: { of: "utm", style: red },
        dot: { of: "points", style: [{ name: "All", styles: [{ symbol: "square", size: 10, color: "#0000ff" }] }] },
        near_and_far: {
          of: "squares",
          style: [
            { name: "Near", maxScale: 500_000, styles: [{ color: "#ff0000" }] },
            { name: "Far", minScale: 500_000, styles: [{ color: "#0000ff" }] },
          ],
        },
      },
    });
  });
  after(() => gateway.close());

  it("center moves the map, at the scale of the whole", async () => {
    assert.deepEqual(await bboxOf(`${MAP}?center=10,50`), [9, 49, 11, 51]);
    const map = await gateway.map(`${MAP}?center=10,50`);
    assert.deepEqual([map.width, map.height], [1024, 1024]);
    assert.deepEqual([map.at(520, 500), map.at(1020, 5)], [RED, RED]);
    assert.deepEqual([map.at(500, 500), map.at(520, 520)], [NOTHING, NOTHING]);
    // a smaller picture shows less, and the missing side follows from the other
    assert.deepEqual(await bboxOf(`${MAP}?center=11,51&width=512`), [10.5, 50.5, 11.5, 51.5]);
    assert.deepEqual(await bboxOf(`${MAP}?center=11,51&width=512&height=1024`), [10.5, 50, 11.5, 52]);
    assert.equal((await gateway.map(`${MAP}?center=11,51&height=100`)).width, 100);
  });

  it("center is in center-crs and its order of axes, in every form of a system's name", async () => {
    const expected = await bboxOf(`${MAP}?center=10,50&width=10`);
    for (const name of [
      `${EPSG}/4326`,
      `${EPSG}/4326`.replace("http:", "https:"),
      "[EPSG:4326]",
      encodeURIComponent("[EPSG:4326]"),
    ])
      assert.deepEqual(await bboxOf(`${MAP}?center=50,10&width=10&center-crs=${name}`), expected, name);
    for (const name of [CRS84, CRS84.replace("http:", "https:"), "[OGC:CRS84]"])
      assert.deepEqual(await bboxOf(`${MAP}?center=10,50&width=10&center-crs=${name}`), expected, name);
    const utm = await bboxOf(`/collections/gis.utm_red/map?center=500000,5500000&center-crs=[EPSG:25832]&width=10`);
    assertNear([(utm[0]! + utm[2]!) / 2], [9], 1e-9);
    // without a center it has no effect
    assert.deepEqual(await bboxOf(`${MAP}?width=10&center-crs=[EPSG:4326]`), [10, 50, 12, 52]);
  });

  it("scale-denominator is of the world's metres where the map is, also where degrees and Web Mercator are narrower", async () => {
    // 280 m a pixel; OGC 20-058 §9.4 gives the length of a degree at 51° north
    const latitude = (51 * Math.PI) / 180;
    const metresNorth = 111132.92 - 559.82 * Math.cos(2 * latitude) + 1.175 * Math.cos(4 * latitude);
    const metresEast = 111412.84 * Math.cos(latitude) - 93.5 * Math.cos(3 * latitude);
    const [x, y] = [14_000 / metresEast, 14_000 / metresNorth];
    assertNear(
      await bboxOf(`${MAP}?center=11,51&scale-denominator=1000000&width=100`),
      [11 - x, 51 - y, 11 + x, 51 + y],
      1e-4,
    );
    const [minx, miny, maxx, maxy] = await bboxOf(
      `${MAP}?center=11,51&scale-denominator=1000000&width=100&crs=${EPSG}/3857`,
    );
    assertNear([(maxx! - minx!) / 100, (maxy! - miny!) / 100], [280 / Math.cos(latitude), 280 / Math.cos(latitude)], 2);
    assert.ok(Math.abs(maxx! - minx! - (maxy! - miny!)) < 1e-6, "pixels of a projected system are squares");
    const utm = await bboxOf(
      `/collections/gis.utm_red/map?center=550000,5550000&center-crs=${EPSG}/25832&crs=${EPSG}/25832&scale-denominator=1000000&width=100&height=50`,
    );
    assertNear(utm, [536_000, 5_543_000, 564_000, 5_557_000], 30);
  });

  it("scale-denominator alone is around the middle of the data; with a rectangle it gives the size of the picture", async () => {
    const [minx, miny, maxx, maxy] = await bboxOf(`${MAP}?scale-denominator=1000000`);
    assertNear([(minx! + maxx!) / 2, (miny! + maxy!) / 2], [11, 51], 1e-9);
    for (const box of ["bbox=10,50,12,52", "subset=Lat(50:52),Lon(10:12)"]) {
      const { width, height } = await gateway.map(`${MAP}?${box}&scale-denominator=1000000`);
      assertNear([width, height], [140_378 / 280, 222_500 / 280], 2);
    }
    const { width } = await gateway.map(`${MAP}?bbox=10,50,12,52&scale-denominator=1000000&mm-per-pixel=0.14`);
    assertNear([width], [140_378 / 140], 2);
  });

  it("mm-per-pixel: symbols and the choice of classes are by the size of the screen", async () => {
    const size = async (query: string): Promise<number> =>
      Math.sqrt(
        (await gateway.map(`/collections/gis.dot/map?bbox=10,50,11,51&width=200&height=200${query}`)).count(BLUE),
      );
    // without the edges, which are not pure blue
    assertNear([await size(""), await size("&mm-per-pixel=0.28")], [9, 9], 1.5);
    assertNear([await size("&mm-per-pixel=0.14"), await size("&mm-per-pixel=0.56")], [19, 4], 1.5);
    const colour = async (query: string): Promise<string> =>
      (await gateway.map(`/collections/gis.near_and_far/map?${query}`)).at(20, 20);
    // a degree in 1000 pixels of 0.28 mm is 1 : 397 570 by the equator, in pixels of half the side 1 : 795 140
    assert.equal(await colour("bbox=10,50,11,51&width=1000"), RED);
    assert.equal(await colour("bbox=10,50,11,51&width=1000&mm-per-pixel=0.14"), BLUE);
    assert.equal(await colour("bbox=10,50,11,51&width=1000&mm-per-pixel=0.56"), RED);
  });

  it("styles use the requested scale, from minScale on and below maxScale", async () => {
    for (const [scale, colour] of [
      [499_999, RED],
      [500_000, BLUE],
    ] as const)
      for (const crs of [CRS84, `${EPSG}/3857`]) {
        const map = await gateway.map(
          `/collections/gis.near_and_far/map?center=11,51&width=40&scale-denominator=${scale}&crs=${crs}`,
        );
        assert.equal(map.at(20, 20), colour, `${scale} ${crs}`);
      }
  });

  it("subset is the rectangle of its intervals, in the axes of subset-crs; an axis that is not named is unlimited", async () => {
    for (const subset of [
      "subset=Lat(49:53),Lon(9:13)",
      "subset=Lon(9:13)&subset=Lat(49:53)",
      "subset=longitude(9:13),LAT(49:53)",
      `subset=Lat(49:53),Lon(9:13)&subset-crs=[EPSG:4326]`,
    ]) {
      assert.deepEqual(await bboxOf(`${MAP}?${subset}&width=40`), [9, 49, 13, 53], subset);
      const map = await gateway.map(`${MAP}?${subset}&width=40`);
      assert.deepEqual([map.at(9, 20), map.at(11, 20), map.at(29, 20), map.at(30, 20)], [NOTHING, RED, RED, NOTHING]);
    }
    assert.deepEqual(await bboxOf(`${MAP}?subset=Lat(51:53)&width=40`), [10, 51, 12, 53]);
    const utm = "/collections/gis.utm_red/map";
    for (const names of [
      ["E", "N"],
      ["x", "y"],
      ["Easting", "Northing"],
    ])
      assert.deepEqual(
        await bboxOf(
          `${utm}?subset=${names[0]}(400000:600000),${names[1]}(5400000:5600000)&subset-crs=https://www.opengis.net/def/crs/EPSG/0/25832&crs=${EPSG}/25832&width=40`,
        ),
        [400_000, 5_400_000, 600_000, 5_600_000],
      );
  });

  it("subset: partly outside the world is what is inside, wholly outside is 204, low above high goes over the antimeridian", async () => {
    assert.deepEqual(await bboxOf(`${MAP}?subset=Lat(45:95),Lon(10:200)&width=40`), [10, 45, 180, 90]);
    for (const subset of ["Lat(91:95)", "Lon(181:190)", "Lon(-200:-190),Lat(0:10)"]) {
      const response = await gateway.ask(`${MAP}?subset=${subset}`, "captain");
      assert.equal(response.status, 204, subset);
      assert.equal((await response.arrayBuffer()).byteLength, 0);
    }
    // a caller who may not read it does not even learn that
    assert.equal((await gateway.ask(`${MAP}?subset=Lat(91:95)`)).status, 401);
    assert.deepEqual(await bboxOf(`${MAP}?subset=Lon(170:-170),Lat(40:60)&width=40`), [170, 40, -170, 60]);
  });

  it("around a center near the antimeridian its other side is shown too", async () => {
    await gateway.client.query(
      "insert into gis.points values (3, 10, 'srid=4326;point(179.9 0)'), (4, 10, 'srid=4326;point(-179.9 0)')",
    );
    try {
      for (const center of ["180,0", "-180,0", "179.99,0", "-179.99,0"]) {
        const path = `/collections/gis.points/map?center=${center}&scale-denominator=1000000&width=200&height=40&transparent=false`;
        const [west, , east] = await bboxOf(path);
        assert.ok(west! > 179 && east! < -179, `${center}: ${west} ${east}`);
        const map = await gateway.map(path);
        const drawn = [...Array(200).keys()].filter((column) => map.at(column, 20) !== "#ffffffff");
        assert.ok(drawn.some((column) => column < 90) && drawn.some((column) => column > 110), drawn.join());
      }
    } finally {
      await gateway.client.query("delete from gis.points where id in (3, 4)");
    }
  });

  const BAD: readonly (readonly [query: string, says: RegExp])[] = [
    ...["0", "-1", "NaN", "Infinity", "x", "1e11", "0.5", "1,2", "0x10"].map(
      (value) => [`scale-denominator=${value}`, /^scale-denominator: expected a number from 1 to 10000000000/] as const,
    ),
    ["scale-denominator=", /^scale-denominator: is empty/],
    ["scale-denominator=1000&scale-denominator=1000", /^scale-denominator: is given twice/],
    [
      "scale-denominator=1000&bbox=10,50,12,52&width=10",
      /^scale-denominator: cannot be combined with both bbox and width/,
    ],
    [
      "scale-denominator=1000&bbox=10,50,12,52&width=10&height=10",
      /^scale-denominator: cannot be combined with both bbox/,
    ],
    [
      "scale-denominator=1000&subset=Lat(50:52)&height=10",
      /^scale-denominator: cannot be combined with both subset and height/,
    ],
    [
      "scale-denominator=100&bbox=10,50,12,52",
      /^scale-denominator: the picture would have \d+ by \d+ pixels, more than 16384/,
    ],
    ...["0", "-0.28", "NaN", "0.001", "3", "0,28"].map(
      (value) => [`mm-per-pixel=${value}`, /^mm-per-pixel: expected a number from 0.03 to 2.5/] as const,
    ),
    ["mm-per-pixel=0.3&mm-per-pixel=0.3", /^mm-per-pixel: is given twice/],
    ...["1", "1,2,3", "a,b", "NaN,1", "1,", "181,0", "0,91", "10;50"].map(
      (value) => [`center=${value}`, /^center: expected two numbers, longitude,latitude/] as const,
    ),
    [`center=100,50&center-crs=${EPSG}/4326`, /^center: expected two numbers, latitude,longitude, within the world/],
    ["center=10,50&center=10,50", /^center: is given twice/],
    ["center=10,50&bbox=10,50,12,52", /^center: does not go with bbox/],
    ["center=10,50&subset=Lat(50:52)", /^center: does not go with subset/],
    ["center=10,90&scale-denominator=1000", /^center: there is no scale at this place/],
    ["subset=Lat(50:52)&bbox=10,50,12,52", /^subset: does not go with bbox/],
    ...[
      ...["E(1:2)", "h(1:2)", "time(1:2)", "Lat(50)", "Lat(50:)", "Lat(:50)", "Lat(*:50)", "Lat(a:b)", "Lat(NaN:1)"],
      ...["Lat(50:52", "Lat[50:52]", "50:52", "Lat(50:52),", "Lat(52:50)", "Lat(50:50)", "Lon(10:10)", "Lat(1:2:3)"],
      ...["Lat(50:51),Lat(51:52)", "Lat(50:51),latitude(51:52)", 'Lat("50":"51")', "Lat(1e999:2)"],
    ].map(
      (value) =>
        [`subset=${value}`, /^subset: expected intervals of the axes of .*Lon\(low:high\),Lat\(low:high\)/] as const,
    ),
    ["subset=Lat(50:51)&subset=Lat(51:52)", /each axis once/],
    ["subset=E(2:1)&subset-crs=[EPSG:3857]", /^subset: expected .*E\(low:high\),N\(low:high\), from low to high/],
    ["void-color=nocolour", /^void-color: expected 0xRRGGBB, RRGGBB or the name/],
    ["void-color=red&void-color=red", /^void-color: is given twice/],
    ["void-transparent=yes", /^void-transparent: expected true or false/],
  ];
  it("impossible values are 400 and name the possible ones", async () => {
    for (const path of [MAP, "/map"])
      for (const [query, says] of BAD) {
        const response = await gateway.ask(`${path}?${query}`, "captain");
        const body = await response.json();
        assert.equal(response.status, 400, `${query}: ${JSON.stringify(body)}`);
        assert.equal(body.code, "INVALID_PARAMETER", query);
        assert.match(body.detail, says, query);
      }
  });

  it("a system that is not in the list is INVALID_CRS in every form; crs and bbox-crs take the list alone", async () => {
    for (const name of ["center-crs", "subset-crs"])
      for (const value of [
        "[EPSG:25833]",
        "EPSG:4326",
        "4326",
        "[EPSG:4326",
        "[OGC:CRS83]",
        "https://example.org",
        "",
      ]) {
        const response = await gateway.ask(`${MAP}?${name}=${value}`, "captain");
        assert.equal(response.status, 400, `${name}=${value}`);
        assert.equal((await response.json()).code, "INVALID_CRS", `${name}=${value}`);
      }
    for (const query of [
      "crs=[EPSG:4326]",
      "bbox=50,10,52,12&bbox-crs=[EPSG:4326]",
      `crs=${CRS84.replace("http", "https")}`,
    ])
      for (const path of [MAP, "/collections/gis.red/items"])
        assert.equal((await (await gateway.ask(`${path}?${query}`, "captain")).json()).code, "INVALID_CRS", query);
  });

  it("/map takes them too", async () => {
    const query = "collections=gis.red&center=10,50&scale-denominator=5000000&mm-per-pixel=0.14&width=40";
    assert.equal((await gateway.map(`/map?${query}`)).at(21, 18), RED);
    assert.deepEqual(await bboxOf("/map?collections=gis.red&subset=Lat(50:51)&width=40"), [10, 50, 12, 51]);
  });

  it("/api describes them, with types, limits and defaults", async () => {
    const { paths, components } = await (await gateway.ask("/api?f=json", "captain")).json();
    const expected = {
      "scale-denominator": { type: "number", minimum: 1, maximum: 1e10 },
      "mm-per-pixel": { type: "number", minimum: 0.03, maximum: 2.5, default: 0.28 },
      center: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
      "void-color": { type: "string" },
      "void-transparent": { type: "boolean" },
    };
    for (const path of ["/map", "/collections/{collectionId}/map"]) {
      const parameters = paths[path].get.parameters.map(
        ({ $ref }: { $ref: string }) => components.parameters[$ref.split("/").at(-1)!],
      );
      const schemaOf = (wanted: string) => parameters.find(({ name }: { name: string }) => name === wanted)?.schema;
      for (const [name, schema] of Object.entries(expected)) assert.deepEqual(schemaOf(name), schema, name);
      for (const name of ["center-crs", "subset-crs"]) assert.equal(schemaOf(name).default, CRS84);
      assert.match("Lat(50:52),Lon(10:12)", new RegExp(schemaOf("subset").pattern));
    }
  });
});

describe('ogc.crsForms: "all"', () => {
  let gateway: MapGateway;
  before(async () => {
    gateway = await mapGateway({ config: { ogc: { crsForms: "all" } } });
  });
  after(() => gateway.close());

  it("crs and bbox-crs take https and CURIEs, and answers name the system by its URI", async () => {
    for (const form of ["[EPSG:3857]", "https://www.opengis.net/def/crs/EPSG/0/3857"]) {
      const map = await gateway.ask(`/collections/gis.squares/map?width=10&crs=${form}`, "captain");
      assert.equal(map.headers.get("content-crs"), `${EPSG}/3857`);
      const box = `bbox=1113194,6446275,1335834,6800125&bbox-crs=${form}`;
      const items = await gateway.ask(`/collections/gis.squares/items?${box}&crs=${form}`, "captain");
      assert.equal(items.headers.get("content-crs"), `<${EPSG}/3857>`);
      assert.equal((await items.json()).numberMatched, 4);
    }
    assert.equal((await gateway.ask("/collections/gis.squares/map?crs=EPSG:3857", "captain")).status, 400);
  });

  it("only then the class crs of maps is declared", async () => {
    const declared = async (of: MapGateway): Promise<boolean> =>
      (await (await of.ask("/conformance?f=json")).json()).conformsTo.some((uri: string) =>
        uri.endsWith("ogcapi-maps-1/1.0/conf/crs"),
      );
    assert.equal(await declared(gateway), true);
    const other = await mapGateway();
    try {
      assert.equal(await declared(other), false);
    } finally {
      await other.close();
    }
  });
});
