import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { EPSG, mapGateway, type MapGateway } from "./fixture.ts";
import { withHiddenColours } from "../../ogc/maps/mapPng.ts";

const RED = "#ff0000ff";
const MAP = "/collections/gis.red/map";
/** 40 by 20 pixels of 10 degrees: two columns are void on the left and on the right, one row above and below. */
const VOID = "bbox=-200,-100,200,100&width=40&height=20";
/** Void, world. */
const PLACES = [
  [0, 10],
  [20, 5],
] as const;

describe("background and void of maps", () => {
  let gateway: MapGateway;
  const colours = async (query: string, box = VOID): Promise<string[]> => {
    const map = await gateway.map(`${MAP}?${box}${query}`);
    return PLACES.map(([column, row]) => map.at(column, row));
  };

  before(async () => {
    gateway = await mapGateway({
      styled: { red: { of: "squares", style: [{ name: "All", styles: [{ color: "#ff0000" }] }] } },
    });
  });
  after(() => gateway.close());

  it("transparent pixels have the colour of bgcolor, with opacity 0", async () => {
    for (const query of ["&transparent=true&bgcolor=CC00CC", "&bgcolor=0xcc00cc&transparent=true"]) {
      const map = await gateway.map(`${MAP}?bbox=9,49,13,53&width=40&height=40${query}`);
      assert.deepEqual([map.at(1, 1), map.at(20, 20), map.at(38, 38)], ["#cc00cc00", RED, "#cc00cc00"]);
      assert.equal(map.count("#cc00cc00"), 1200);
    }
    // as large as before, also in a picture of one row
    const row = await gateway.map(`${MAP}?bbox=9,50.5,13,50.6&width=40&height=1&transparent=true&bgcolor=teal`);
    assert.deepEqual([row.width, row.height, row.at(0, 0), row.at(20, 0)], [40, 1, "#00808000", RED]);
    // no colour was requested
    assert.equal((await gateway.map(`${MAP}?bbox=9,49,13,53&width=40&height=40`)).at(1, 1), "#00000000");
  });

  it("the void is as the background by default", async () => {
    assert.deepEqual(await colours(""), ["#00000000", "#00000000"]);
    assert.deepEqual(await colours("&bgcolor=0x102030"), ["#102030ff", "#102030ff"]);
    assert.deepEqual(await colours("&transparent=true&bgcolor=0x102030"), ["#10203000", "#10203000"]);
    assert.deepEqual(await colours("&transparent=false"), ["#ffffffff", "#ffffffff"]);
  });

  it("void-color and void-transparent: every combination with the background", async () => {
    for (const [query, empty, world] of [
      ["&void-color=0x00FF00&bgcolor=0x102030", "#00ff00ff", "#102030ff"],
      ["&void-color=navy&bgcolor=0x102030&void-transparent=false", "#000080ff", "#102030ff"],
      ["&void-color=nAvY&transparent=false", "#000080ff", "#ffffffff"],
      ["&void-color=00ff00&void-transparent=false", "#00ff00ff", "#00000000"],
      ["&void-transparent=false", "#ffffffff", "#00000000"],
      ["&void-transparent=true&bgcolor=0x102030", "#10203000", "#102030ff"],
      ["&void-transparent=true&transparent=false", "#00000000", "#ffffffff"],
      ["&void-transparent=true&void-color=lime&transparent=false", "#00ff0000", "#ffffffff"],
      ["&void-color=lime", "#00ff0000", "#00000000"],
      ["&void-color=lime&bgcolor=navy&transparent=true", "#00ff0000", "#00008000"],
    ] as const)
      assert.deepEqual(await colours(query), [empty, world], query);
  });

  it("the void is everything beyond 180 and 90 degrees, to the pixel", async () => {
    const map = await gateway.map(`${MAP}?${VOID}&void-color=lime&bgcolor=navy`);
    for (const [column, row, colour] of [
      [1, 10, "#00ff00ff"],
      [2, 10, "#000080ff"],
      [37, 10, "#000080ff"],
      [38, 10, "#00ff00ff"],
      [20, 0, "#00ff00ff"],
      [20, 1, "#000080ff"],
      [20, 18, "#000080ff"],
      [20, 19, "#00ff00ff"],
    ] as const)
      assert.equal(map.at(column, row), colour, `${column} ${row}`);
    const inside = "bbox=-180,-90,180,90&width=36&height=18";
    assert.equal((await gateway.map(`${MAP}?${inside}&void-color=lime&bgcolor=navy`)).count("#00ff00"), 0);
  });

  it("Web Mercator has its own world, and data are drawn over both", async () => {
    const edge = 20_037_508.342789244;
    const box = `bbox=${-2 * edge},${-2 * edge},${2 * edge},${2 * edge}&bbox-crs=${EPSG}/3857&crs=${EPSG}/3857&width=40&height=40`;
    const map = await gateway.map(`${MAP}?${box}&void-color=lime&bgcolor=navy`);
    assert.deepEqual(
      [map.at(9, 20), map.at(10, 20), map.at(29, 20), map.at(30, 20), map.at(20, 9), map.at(20, 10)],
      ["#00ff00ff", "#000080ff", "#000080ff", "#00ff00ff", "#00ff00ff", "#000080ff"],
    );
    const data = await gateway.map(`${MAP}?bbox=9,49,13,53&width=40&height=40&void-color=lime&bgcolor=navy`);
    assert.deepEqual([data.at(20, 20), data.at(1, 1)], [RED, "#000080ff"]);
  });

  it("a system without a known end has no void", async () => {
    const box = `bbox=-9000000,-9000000,9000000,9000000&bbox-crs=${EPSG}/25832&crs=${EPSG}/25832&width=20&height=20`;
    const map = await gateway.map(`/collections/gis.utm/map?${box}&void-color=lime&bgcolor=navy`);
    assert.equal(map.count("#00ff00"), 0);
  });

  it("jpeg and tiff have a void too, and jpeg no transparency", async () => {
    const bytes = async (query: string): Promise<Buffer> => {
      const response = await gateway.ask(`${MAP}?${VOID}${query}`, "captain");
      assert.equal(response.status, 200);
      return Buffer.from(await response.arrayBuffer());
    };
    for (const f of ["jpeg", "tiff"]) {
      const plain = await bytes(`&f=${f}&bgcolor=navy`);
      assert.notDeepEqual(await bytes(`&f=${f}&bgcolor=navy&void-color=lime`), plain, f);
      assert.deepEqual(await bytes(`&f=${f}&bgcolor=navy&void-color=navy`), plain, f);
    }
    assert.deepEqual(await bytes("&f=jpeg&void-transparent=true"), await bytes("&f=jpeg"));
  });
});

describe("transparent pixels of a PNG", () => {
  it("of every filter of the format are read as they are", async () => {
    const width = 37;
    const height = 23;
    const original = new PNG({ width, height });
    for (let at = 0; at < original.data.length; at++)
      original.data[at] = at % 4 === 3 ? (at % 5 === 0 ? 0 : 255) : (at * 7919 + (at >> 5)) % 256;
    for (const filterType of [0, 1, 2, 3, 4] as const) {
      const written = PNG.sync.write(original, { filterType });
      const pieces = [written.subarray(0, 20), written.subarray(20)];
      const { data } = PNG.sync.read(
        Buffer.concat(await withHiddenColours(pieces, (column, row) => column * 256 + row)),
      );
      for (let pixel = 0; pixel < width * height; pixel++) {
        const at = pixel * 4;
        const expected =
          original.data[at + 3] === 0
            ? [0, pixel % width, Math.floor(pixel / width), 0]
            : [...original.data.subarray(at, at + 4)];
        assert.deepEqual([...data.subarray(at, at + 4)], expected, `filter ${filterType}, pixel ${pixel}`);
      }
    }
  });

  it("are refused in a picture without transparency", async () => {
    const opaque = PNG.sync.write(PNG.sync.read(readFileSync("ogc/example.png")), { colorType: 2 });
    await assert.rejects(
      withHiddenColours([opaque], () => 0),
      /without transparency/,
    );
  });
});
