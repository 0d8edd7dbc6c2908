import assert from "node:assert/strict";
import { validateStyleMin } from "@maplibre/maplibre-gl-style-spec";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";
import { picture, type Picture } from "../maps/pixels.ts";

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

const all = (drawing: object) => ({ of: "squares", style: [{ name: "All", styles: [drawing] }] });
const PATTERNS: Readonly<Record<string, object>> = {
  hatch: { color: "#ff0000", symbol: "hatch", size: 10, width: 2 },
  hatch_45: { color: "#ff0000", symbol: "hatch", size: 10, width: 2, angle: 45 },
  hatch_90: { color: "#ff0000", symbol: "hatch", size: 7, width: 3, angle: 90 },
  hatch_steep: { color: "#ff0000", symbol: "hatch", size: 12, width: 4, angle: -60 },
  hatch_bold: { color: "#ff0000", symbol: "hatch", size: 4, width: 4 },
  squares_of: { color: "#ff0000", symbol: "square", size: 8 },
  circles: { color: "#ff0000", symbol: "circle", size: 12 },
  triangles: { color: "#ff0000", symbol: "triangle", size: 10 },
  diamond: { color: "#ff0000", symbol: "diamond", size: 12 },
  star: { color: "#ff0000", symbol: "star", size: 14 },
  cross: { color: "#ff0000", symbol: "cross", size: 9 },
  turned: { color: "#ff0000", symbol: "square", size: 10, angle: 30 },
};

/** The part of the area that is painted, by the alpha of each pixel. */
function coverage(of: Picture, { x, y, width, height }: Omit<Place, "pixelRatio">): number {
  let sum = 0;
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) sum += Number.parseInt(of.at(column, row).slice(7), 16) / 255;
  return sum / (width * height);
}

describe("the patterns of styles for vector tiles", () => {
  let gateway: MapGateway;
  const collection = (name: string): string => `/collections/gis.${name}/styles/default`;
  const json = async <Answer>(path: string): Promise<Answer> =>
    (await (await gateway.ask(path, "captain")).json()) as Answer;
  const sprite = async (name: string, suffix = "") => {
    const places = await json<Record<string, Place>>(`${collection(name)}/sprite${suffix}.json`);
    const image = await gateway.ask(`${collection(name)}/sprite${suffix}.png`, "captain");
    assert.equal(image.headers.get("content-type"), "image/png");
    return { places, image: picture(Buffer.from(await image.arrayBuffer())) };
  };

  before(async () => {
    gateway = await mapGateway({
      styled: {
        ...Object.fromEntries(Object.entries(PATTERNS).map(([name, drawing]) => [name, all(drawing)])),
        ...Object.fromEntries(
          [0, 20, 45].map((angle) => [
            `wide_${angle}`,
            all({ color: "#ff0000", symbol: "hatch", size: 300, width: 60, angle }),
          ]),
        ),
        plain: all({ color: "#ff0000" }),
        by_column: all({ color: "tint", symbol: "hatch" }),
        two: {
          of: "squares",
          style: [
            { name: "Parks", where: { kind: { eq: "park" } }, styles: [PATTERNS["hatch"], { color: "#0000ff", symbol: "star", size: 12 }] }, // oxfmt-ignore
            { name: "Rest", styles: [PATTERNS["hatch"]] },
          ],
        },
        secret: {
          of: "squares",
          style: [{ name: "High", where: { height: { gt: 1 } }, styles: [PATTERNS["hatch"]] }],
        },
      },
    });
    await gateway.client.query(`
select portolan.set_privilege('gis.two', 'guest', 'read');
grant select (id, geom) on gis.secret to ${await roleOf("other")};
grant usage on schema gis to ${await roleOf("other")}`);
  });
  after(() => gateway.close());

  async function roleOf(account: string): Promise<string> {
    const { rows } = await gateway.client.query(
      "select quote_ident(role) as role from portolan.users where name = $1",
      [account],
    );
    return (rows as { role: string }[])[0]!.role;
  }

  for (const name of Object.keys(PATTERNS))
    it(`${name}: covers as much as on the map by MapServer`, async () => {
      const map = await gateway.map(`/collections/gis.${name}/map?bbox=10,50,12,52&width=480&height=480`, "captain");
      const { places, image } = await sprite(name);
      const [place] = Object.values(places);
      const [drawn, mapped] = [coverage(image, place!), coverage(map, { x: 0, y: 0, width: 480, height: 480 })];
      assert.ok(Math.abs(drawn - mapped) < 0.03 + 0.1 * mapped, `${drawn} of the pattern, ${mapped} of the map`);
    });

  it("have lines also where these are further apart than a picture is long", async () => {
    for (const angle of [0, 20, 45]) {
      const { places, image } = await sprite(`wide_${angle}`);
      const drawn = coverage(image, Object.values(places)[0]!);
      assert.ok(Math.abs(drawn - 60 / 300) < 0.01, `${angle}: ${drawn}`);
    }
  });

  it("come again after the same distance as on the map", async () => {
    for (const name of ["squares_of", "triangles", "hatch", "hatch_90"]) {
      const map = await gateway.map(`/collections/gis.${name}/map?bbox=10,50,12,52&width=480&height=480`, "captain");
      const { width, height } = Object.values((await sprite(name)).places)[0]!;
      for (const [column, row] of [
        [100, 100],
        [103, 107],
        [113, 102],
      ] as const) {
        assert.equal(map.at(column + 2 * width, row), map.at(column, row), `${name}: ${width} pixels across`);
        assert.equal(map.at(column, row + 2 * height), map.at(column, row), `${name}: ${height} pixels down`);
      }
    }
  });

  it("have a seam nowhere: the last column and row go on with the first", async () => {
    const { image, places } = await sprite("hatch_45");
    const { width, height } = Object.values(places)[0]!;
    // along a line of 45 degrees all pixels are equal, also over the edge
    for (let step = 0; step < 3 * width; step++)
      assert.equal(
        image.at(step % width, (((height - step) % height) + height) % height),
        image.at(0, 0),
        `step ${step}`,
      );
  });

  it("have twice the pixels for screens with them", async () => {
    const [one, two] = [await sprite("two"), await sprite("two", "@2x")];
    assert.deepEqual(Object.keys(one.places), Object.keys(two.places));
    assert.equal(Object.keys(one.places).length, 2); // the same hatch twice, and the stars
    for (const [name, { width, height, pixelRatio }] of Object.entries(one.places)) {
      const large = two.places[name]!;
      assert.deepEqual([large.width, large.height, large.pixelRatio], [2 * width, 2 * height, 2 * pixelRatio]);
    }
    assert.equal(two.image.height, 2 * one.image.height);
  });

  it("are named by the style, which stays valid", async () => {
    for (const path of [collection("two"), "/styles/default"]) {
      const style = await json<{ sprite: string; layers: { paint?: Record<string, unknown> }[] }>(
        `${path}?f=mbs${path === "/styles/default" ? "&collections=gis.two,gis.hatch_45" : ""}`,
      );
      assert.deepEqual(validateStyleMin(style as never), []);
      const named = style.layers.flatMap(({ paint }) => paint?.["fill-pattern"] ?? []);
      assert.ok(named.length > 2, path);
      const url = new URL(style.sprite);
      url.pathname += ".json"; // as MapLibre does
      const answer = await fetch(url, { headers: { authorization: `Bearer ${await gateway.token("captain")}` } });
      const places = Object.keys((await answer.json()) as object);
      assert.deepEqual([...new Set(named)].toSorted(), places.toSorted());
    }
  });

  it("are missing where a style has none, and where a column decides", async () => {
    for (const name of ["plain", "by_column"]) {
      const style = await json<{ sprite?: string; layers: { paint?: Record<string, unknown> }[] }>(
        `${collection(name)}?f=mbs`,
      );
      assert.equal(style.sprite, undefined, name);
      assert.ok(style.layers.every(({ paint }) => paint?.["fill-pattern"] === undefined));
      assert.deepEqual((await sprite(name)).places, {});
    }
  });

  it("are seen by those who may see the style, and nobody else", async () => {
    const status = async (path: string, account?: string): Promise<number> => (await gateway.ask(path, account)).status;
    assert.equal(await status(`${collection("two")}/sprite.json`, "guest"), 200);
    assert.equal(await status(`${collection("two")}/sprite.json`), 401);
    assert.equal(await status(`${collection("hatch")}/sprite.png`, "guest"), 403);
    assert.equal(await status(`${collection("secret")}/sprite.json`, "other"), 403);
    for (const wrong of ["sprite", "sprite.svg", "sprite@3x.png"])
      assert.equal(await status(`${collection("two")}/${wrong}`, "captain"), 404, wrong);
    assert.equal(await status("/collections/gis.two/styles/none/sprite.json", "captain"), 404);
    assert.equal(await status("/styles/other/sprite.json?collections=gis.two", "captain"), 404);
  });

  it("are answered by 304 where the client has them", async () => {
    const path = `${collection("two")}/sprite.png`;
    const etag = (await gateway.ask(path, "captain")).headers.get("etag");
    const again = await fetch(`${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}${path}`, {
      headers: { authorization: `Bearer ${await gateway.token("captain")}`, "if-none-match": etag! },
    });
    assert.equal(again.status, 304);
  });
});
