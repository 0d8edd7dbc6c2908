import assert from "node:assert/strict";
import { fromArrayBuffer } from "geotiff";
import { CRS84, EPSG, mapGateway, type MapGateway } from "./fixture.ts";

const all = (drawing: object) => [{ name: "All", styles: [drawing] }];

const STYLED = {
  red: { of: "squares", style: all({ color: "#ff0000" }) },
  kinds: {
    of: "squares",
    style: [
      { name: "High park", where: { kind: "park", height: { gte: 30 } }, styles: [{ color: "#ff0000" }] },
      { name: "Park", where: { kind: { ilike: "PARK" } }, styles: [{ color: "#00ff00" }] },
      { name: "Lake", where: { or: [{ kind: "lake" }, { height: { in: [99] } }] }, styles: [{ color: "#0000ff" }] },
    ],
  },
  rest: {
    of: "squares",
    style: [
      { name: "None", where: { kind: null }, styles: [{ color: "#ff00ff" }] },
      { name: "Rest", styles: [{ color: "#00ffff" }] },
    ],
  },
  driven: { of: "squares", style: all({ color: "tint" }) },
  outlined: { of: "squares", style: all({ outlineColor: "#ff0000", width: 4 }) },
  hatched: { of: "squares", style: all({ color: "#ff0000", symbol: "hatch", size: 10, angle: 45, width: 2 }) },
  half: { of: "squares", style: all({ color: "#ff0000", opacity: 50 }) },
  twice: {
    of: "squares",
    style: [{ name: "All", styles: [{ color: "#ff0000" }, { outlineColor: "#0000ff", width: 6 }] }],
  },
  road: { of: "lines", style: all({ color: "#ff0000", width: 6 }) },
  dashed: { of: "lines", style: all({ color: "#ff0000", width: 6, pattern: [10, 10] }) },
  cased: { of: "lines", style: all({ color: "#ff0000", outlineColor: "#0000ff", width: 6 }) },
  dots: { of: "points", style: all({ color: "#ff0000", size: 20 }) },
  sized: { of: "points", style: all({ color: "#ff0000", size: "size", symbol: "square" }) },
  crosses: { of: "points", style: all({ color: "#ff0000", size: 21, symbol: "cross", width: 3 }) },
  no_size: { of: "points", style: all({ color: "#ff0000", size: 0 }) },
  no_hatch: { of: "squares", style: all({ color: "#ff0000", symbol: "hatch", size: 0, outlineColor: "#0000ff" }) },
  mixed_red: { of: "mixed", style: all({ color: "#ff0000", width: 5, size: 12 }) },
  scaled: {
    of: "squares",
    style: [
      { name: "Far", minScale: 5_000_000, styles: [{ color: "#ff0000" }] },
      { name: "Near park", maxScale: 1_000_000, where: { kind: "park" }, styles: [{ color: "#00ff00" }] },
      { name: "Near", maxScale: 5_000_000, styles: [{ color: "#0000ff" }] },
    ],
  },
  labelled: {
    of: "squares",
    style: [{ name: "All", styles: [], labels: [{ text: "No {id}", size: 20, color: "#ff0000", position: "cc" }] }],
  },
  label_scales: {
    of: "squares",
    style: [{ name: "All", labels: [{ text: "kind", size: 20, color: "#ff0000", maxScale: 1000 }] }],
  },
  utm_red: { of: "utm", style: all({ color: "#ff0000" }) },
  geog_red: { of: "geog", style: all({ color: "#ff0000" }) },
  tin_red: { of: "tin", style: all({ color: "#ff0000" }) },
  triangle_red: { of: "triangle", style: all({ color: "#ff0000" }) },
  surface_red: { of: "surface", style: all({ color: "#ff0000" }) },
  nested_red: { of: "nested", style: all({ color: "#ff0000" }) },
  curve_red: { of: "curves", style: all({ color: "#ff0000" }) },
};

/** Columns without a system: the rows have one, or nothing has. */
const WITHOUT_SRID = `
create table gis.free (id integer primary key, geom geometry);
insert into gis.free values
  (1, st_makeenvelope(10, 50, 11, 51)), (2, st_makeenvelope(11, 51, 12, 52, 4326)),
  (3, st_transform(st_makeenvelope(10, 51, 11, 52, 4326), 3857)),
  (4, 'srid=25832;polygon((1e30 1e30, 2e30 1e30, 2e30 2e30, 1e30 1e30))'), (5, null);
create table gis.free_polygons (id integer primary key, geom geometry(Polygon));
insert into gis.free_polygons values (1, st_makeenvelope(10, 50, 11, 51));
create view gis.free_view as select id, st_buffer(geom, 0) as geom from gis.squares where id = 4;`;

const RED = "#ff0000ff";
const GREEN = "#00ff00ff";
const BLUE = "#0000ffff";
const NOTHING = "#00000000";

describe("maps, pixel by pixel", () => {
  let gateway: MapGateway;
  const box = "bbox=10,50,12,52&width=200&height=200";
  /** The map of the four squares: columns and rows of 100 pixels each, north up. */
  const map = (collection: string, query = box) => gateway.map(`/collections/gis.${collection}/map?${query}`);
  const [SW, SE, NW, NE] = [
    [50, 150],
    [150, 150],
    [50, 50],
    [150, 50],
  ] as const;

  before(async () => {
    gateway = await mapGateway({
      styled: STYLED,
      prepare: async ({ client }) => {
        await client.query(WITHOUT_SRID);
        for (const name of ["free", "free_polygons", "free_view"])
          await client.query("select portolan.set_style($1::regclass, $2)", [
            `gis.${name}`,
            JSON.stringify(all({ color: "#ff0000" })),
          ]);
      },
    });
  });
  after(() => gateway.close());

  it("draws polygons at their place, in the requested size", async () => {
    const picture = await map("red", "bbox=9,49,13,53&width=400&height=400");
    assert.deepEqual([picture.width, picture.height], [400, 400]);
    assert.equal(picture.at(200, 200), RED);
    assert.equal(picture.at(101, 101), RED);
    assert.equal(picture.at(298, 298), RED);
    for (const [column, row] of [
      [50, 200],
      [350, 200],
      [200, 50],
      [200, 350],
    ] as const)
      assert.equal(picture.at(column, row), NOTHING);
  });

  it("is exact at its edges and within, whatever the shape of its pixels", async () => {
    for (const [width, height] of [
      [40, 40],
      [40, 41],
      [40, 44],
      [80, 40],
    ] as const) {
      const picture = await map("kinds", `bbox=10,50,12,52&width=${width}&height=${height}&bgcolor=white`);
      const [east, south] = [width / 2, Math.floor(height / 2)];
      assert.deepEqual(
        [picture.at(0, 0), picture.at(east - 1, 0), picture.at(0, height - 1), picture.at(east - 1, height - 1)],
        [RED, RED, GREEN, GREEN],
        `${width} × ${height}`,
      );
      assert.deepEqual([picture.at(width - 1, 0), picture.at(width - 1, height - 1)], ["#ffffffff", BLUE]);
      if (height % 2 === 0) assert.deepEqual([picture.at(0, south - 1), picture.at(0, south)], [RED, GREEN]);
    }
  });

  it("shows the outermost points of an extent", async () => {
    const picture = await map("dots", "width=200");
    assert.deepEqual([picture.at(0, 199), picture.at(199, 0)], [RED, RED]);
  });

  it("draws the first class whose condition holds, and nothing for features of none", async () => {
    const picture = await map("kinds");
    assert.equal(picture.at(...SW), GREEN);
    assert.equal(picture.at(...SE), BLUE);
    assert.equal(picture.at(...NW), RED);
    assert.equal(picture.at(...NE), NOTHING);
  });

  it("draws the rest in a class without a condition, and finds null", async () => {
    const picture = await map("rest");
    assert.equal(picture.at(...NE), "#ff00ffff");
    assert.equal(picture.at(...SW), "#00ffffff");
  });

  it("takes colours from a column", async () => {
    const picture = await map("driven");
    assert.deepEqual(
      [SW, SE, NW, NE].map(([column, row]) => picture.at(column, row)),
      ["#ff8000ff", "#0080ffff", "#80ff00ff", NOTHING],
    );
  });

  it("takes sizes from a column", async () => {
    const picture = await map("sized");
    assert.deepEqual(
      [3, 6].map((right) => picture.at(50 + right, 150)),
      [RED, NOTHING],
    );
    assert.deepEqual(
      [8, 12].map((right) => picture.at(150 + right, 50)),
      [RED, NOTHING],
    );
  });

  it("draws outlines alone, and one drawing over the other", async () => {
    const outline = await map("outlined");
    assert.equal(outline.at(...SW), NOTHING);
    assert.equal(outline.at(100, 50), RED);
    const both = await map("twice");
    assert.equal(both.at(...SW), RED);
    assert.equal(both.at(100, 50), BLUE);
  });

  it("draws hatches: part of the area", async () => {
    const count = (await map("hatched")).count("#ff0000");
    assert.ok(count > 4000 && count < 36_000, String(count));
  });

  it("draws half transparent colours", async () => {
    assert.match((await map("half")).at(...SW), /^#f[b-f]0000(7e|7f|80)$/);
  });

  it("draws lines, dashed lines and lines with a casing", async () => {
    const line = await map("road");
    assert.equal(line.at(100, 100), RED);
    assert.equal(line.at(100, 105), NOTHING);
    const dashes = (await map("dashed")).count("#ff0000");
    assert.ok(dashes > 300 && dashes < 0.75 * line.count("#ff0000"), String(dashes));
    const cased = await map("cased");
    assert.equal(cased.at(100, 100), RED);
    assert.ok(cased.count("#0000ff") > 200);
  });

  it("draws points as circles and crosses", async () => {
    const dots = await map("dots");
    assert.equal(dots.at(50, 150), RED);
    assert.equal(dots.at(50 + 9, 150 + 9), NOTHING);
    assert.equal(dots.at(150, 50), RED);
    const crosses = await map("crosses");
    assert.equal(crosses.at(50, 150), RED);
    assert.equal(crosses.at(50 + 6, 150 + 6), NOTHING);
  });

  it("draws nothing at size 0, but has a legend", async () => {
    assert.equal((await map("no_size")).at(50, 150), NOTHING);
    const hatch = await map("no_hatch");
    assert.equal(hatch.count("#ff0000"), 0);
    assert.ok(hatch.count("#0000f") > 100);
    for (const name of ["no_size", "no_hatch"]) await gateway.map(`/collections/gis.${name}/legend`);
  });

  it("draws every kind of geometry of a column that takes any, collections too, and skips null and empty", async () => {
    const picture = await map("mixed_red");
    assert.equal(picture.at(...SW), RED, "polygon");
    assert.equal(picture.at(20, 50), RED, "line");
    assert.equal(picture.at(150, 150), RED, "point");
    assert.equal(picture.at(175, 25), RED, "point of a collection");
    assert.equal(picture.at(115, 95), RED, "polygon of a collection");
    assert.equal(picture.at(197, 197), RED, "TIN");
    assert.equal(picture.at(189, 189), NOTHING);
  });

  for (const table of ["tin", "triangle", "surface"])
    it(`draws triangles and surfaces: ${table}`, async () => {
      const picture = await map(`${table}_red`);
      assert.equal(picture.at(150, 150), RED);
      assert.equal(picture.at(60, 60), NOTHING);
    });

  it("draws triangles in collections, beside other parts", async () => {
    const picture = await map("nested_red");
    assert.equal(picture.at(150, 150), RED, "triangle");
    assert.equal(picture.at(20, 20), RED, "polygon");
    assert.equal(picture.at(60, 60), NOTHING);
  });

  it("draws curves, geography, views and tables in other systems", async () => {
    const curve = await map("curve_red");
    assert.equal(curve.at(100, 100), RED);
    assert.equal(curve.at(6, 6), NOTHING);
    const geography = await map("geog_red");
    assert.equal(geography.at(...SW), RED);
    assert.equal(geography.at(...NE), NOTHING);
    const view = await map("parks");
    assert.notEqual(view.at(...SW), NOTHING);
    assert.equal(view.at(...SE), NOTHING);
    const utm = await map(
      "utm_red",
      `crs=${EPSG}/25832&bbox-crs=${EPSG}/25832&bbox=400000,5400000,600000,5600000&width=200`,
    );
    assert.equal(utm.at(...NE), RED);
    assert.equal(utm.at(...SW), NOTHING);
  });

  it("draws columns without a system: rows in theirs, the others as longitude and latitude", async () => {
    const red = async (name: string, query = box): Promise<string> => {
      const picture = await map(name, query);
      const quadrants = { SW, SE, NW, NE };
      return Object.entries(quadrants)
        .filter(([, [column, row]]) => picture.at(column, row) === RED)
        .map(([quadrant]) => quadrant)
        .join(" ");
    };
    assert.equal(await red("free"), "SW NW NE");
    assert.equal(await red("free", `${box}&crs=${EPSG}/3857`), "SW NW NE");
    assert.equal(await red("free_polygons"), "SW");
    assert.equal(await red("free_view"), "NE");
  });

  it("an empty collection is an empty map", async () => {
    assert.equal((await map("empty", "width=50")).at(25, 12), NOTHING);
  });

  for (const [name, query] of Object.entries({
    CRS84: `bbox=10,50,11,51&bbox-crs=${CRS84}&crs=${CRS84}`,
    "EPSG:4326, latitude first": `bbox=50,10,51,11&bbox-crs=${EPSG}/4326&crs=${EPSG}/4326`,
    "a box in CRS84, a map in EPSG:4326": `bbox=10,50,11,51&crs=${EPSG}/4326`,
    "EPSG:3857": `bbox=1113194.91,6446275.84,1224514.40,6621293.72&bbox-crs=${EPSG}/3857&crs=${EPSG}/3857`,
    "a box in EPSG:4326, a map in EPSG:3857": `bbox=50,10,51,11&bbox-crs=${EPSG}/4326&crs=${EPSG}/3857`,
  }))
    it(`shows the south-western square, whole and alone, in ${name}`, async () => {
      const picture = await map("kinds", `${query}&width=100&height=100`);
      for (const [column, row] of [
        [2, 2],
        [97, 2],
        [2, 97],
        [97, 97],
        [50, 50],
      ] as const)
        assert.equal(picture.at(column, row), GREEN, `${column}, ${row}`);
    });

  it("north is up whatever the order of axes", async () => {
    const picture = await map("kinds", `bbox=50,10,52,12&bbox-crs=${EPSG}/4326&crs=${EPSG}/4326&width=200`);
    assert.equal(picture.at(...NW), RED);
    assert.equal(picture.at(...SE), BLUE);
  });

  it("stretches where width and height do not fit the box", async () => {
    const picture = await map("kinds", "bbox=10,50,12,52&width=200&height=50");
    assert.equal(picture.at(50, 12), RED);
    assert.equal(picture.at(50, 37), GREEN);
    assert.equal(picture.at(150, 37), BLUE);
  });

  it("draws one column, one row and one pixel, in every format", async () => {
    const column = await map("kinds", "bbox=10.2,50.2,10.6,51.8&width=1&height=4");
    assert.deepEqual([column.width, column.height], [1, 4]);
    assert.deepEqual(
      [0, 1, 2, 3].map((each) => column.at(0, each)),
      [RED, RED, GREEN, GREEN],
    );
    const row = await map("kinds", "bbox=10.2,50.2,11.8,50.6&width=4&height=1");
    assert.deepEqual([row.width, row.height], [4, 1]);
    assert.deepEqual(
      [0, 1, 2, 3].map((each) => row.at(each, 0)),
      [GREEN, GREEN, BLUE, BLUE],
    );
    const one = await map("kinds", "bbox=11.2,50.2,11.8,50.8&width=1");
    assert.deepEqual([one.width, one.height, one.at(0, 0)], [1, 1, BLUE]);
    const largest = await map("kinds", "bbox=10.2,50.2,10.6,51.8&width=1&height=16384&bgcolor=white");
    assert.deepEqual([largest.height, largest.at(0, 100), largest.at(0, 16_283)], [16_384, RED, GREEN]);
    const bytes = async (f: string): Promise<Buffer> => {
      const path = `/collections/gis.kinds/map?bbox=10.2,50.2,10.6,51.8&width=1&height=4&f=${f}`;
      const response = await gateway.ask(path, "captain");
      assert.equal(response.status, 200, f);
      assert.equal(response.headers.get("content-bbox"), "10.2,50.2,10.6,51.8");
      return Buffer.from(await response.arrayBuffer());
    };
    const jpeg = await bytes("jpeg");
    const header = jpeg.indexOf("ffc0", 0, "hex");
    assert.deepEqual([jpeg.readUInt16BE(header + 5), jpeg.readUInt16BE(header + 7)], [4, 1]);
    const tiff = await (await fromArrayBuffer(new Uint8Array(await bytes("tiff")).buffer)).getImage();
    assert.deepEqual([tiff.getWidth(), tiff.getHeight()], [1, 4]);
    assert.deepEqual(
      tiff.getBoundingBox().map((side) => Math.round(side * 1e6) / 1e6),
      [10.2, 50.2, 10.6, 51.8],
    );
    const values = await tiff.readRasters({ interleave: true });
    assert.deepEqual([...(values as Uint8Array)].slice(0, 4), [255, 0, 0, 255]);
    assert.deepEqual([...(values as Uint8Array)].slice(12), [0, 255, 0, 255]);
  });

  it("draws classes within their scales; others come before those that are out of theirs", async () => {
    // a pixel is 0.28 mm: 2 degrees of latitude 51 in 200 pixels are 1 : 2.5 million
    const middle = await map("scaled");
    assert.equal(middle.at(...SW), BLUE);
    const near = await map("scaled", "bbox=10,50,12,52&width=1000&height=1000");
    assert.equal(near.at(250, 750), GREEN);
    assert.equal(near.at(750, 750), BLUE);
    const far = await map("scaled", "bbox=10,50,12,52&width=50&height=50");
    assert.equal(far.at(12, 37), RED);
  });

  it("writes labels, within their scales", async () => {
    assert.ok((await map("labelled")).count("#ff0000") > 100);
    assert.equal((await map("label_scales")).count("#ff0000"), 0);
    assert.ok((await map("label_scales", "bbox=10.4999,50.4999,10.5001,50.5001&width=400")).count("#ff0000") > 100);
  });

  it("draws several collections in the order given", async () => {
    const over = await gateway.map(`/map?collections=gis.red,gis.kinds&${box}`);
    assert.equal(over.at(...SE), BLUE);
    assert.equal(over.at(...NE), RED);
    const under = await gateway.map(`/map?collections=gis.kinds,gis.red&${box}`);
    assert.equal(under.at(...SE), RED);
  });
});
