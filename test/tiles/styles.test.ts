import assert from "node:assert/strict";
import { latest, validateStyleMin } from "@maplibre/maplibre-gl-style-spec";
import { PbfReader } from "pbf";
import { tileAt, tileGateway, type TileGateway } from "./fixture.ts";

interface Link {
  readonly rel: string;
  readonly href: string;
}

interface Layer {
  readonly id: string;
  readonly type: string;
  readonly "source-layer": string;
  readonly minzoom?: number;
  readonly maxzoom?: number;
  readonly filter?: unknown;
  readonly layout?: Readonly<Record<string, unknown>>;
  readonly paint?: Readonly<Record<string, unknown>>;
}

interface MapLibreStyle {
  readonly glyphs: string;
  readonly sources: Readonly<Record<string, { readonly url: string }>>;
  readonly layers: readonly Layer[];
}

/** Every member, as a number and as a column, and every symbol, position and shape. */
const EVERYTHING = [
  {
    name: "Parks",
    where: { kind: { eq: "park" } },
    styles: [
      { color: "shade", outlineColor: "#102030", width: "height", opacity: "height" },
      { symbol: "hatch", color: "#00ff00", size: 5, outlineColor: "#ff0000", pattern: [4, 2] },
    ],
    labels: [{ text: "{kind} ({height} m)", size: "height", color: "shade", outlineColor: "#ffffff", position: "uc" }],
  },
  {
    name: "High",
    where: { height: { gte: 20 } },
    minScale: 1000,
    maxScale: 100_000_000,
    styles: [{ color: "#0000ff" }],
    labels: [{ text: "kind", maxScale: 50_000 }],
  },
];
const POINTS = ["circle", "square", "triangle", "diamond", "star", "cross", "x", "hatch"].map((symbol, index) => ({
  name: symbol,
  where: { size: { eq: index } },
  styles: [{ symbol, size: "size", angle: 45, color: "#ff0000", outlineColor: "#000000", width: 2 }],
  labels: [{ text: "size", position: ["auto", "follow", "ul", "uc", "ur", "cl", "cc", "cr"][index] }],
}));
const LINES = [
  {
    name: "All",
    styles: [
      { color: "#ffffff", outlineColor: "#000000", width: 3 },
      { color: "#ff0000", symbol: "triangle", size: 6 },
      { color: "#ff0000", width: 2, pattern: [6, 4] },
    ],
    labels: [{ text: "id" }, { text: "id", position: "lc" }],
  },
];

const TABLES = `
alter table gis.squares add shade text;
update gis.squares set shade = '#ff00ff' where id = 1;
update gis.squares set shade = 'none' where id = 3;
select portolan.set_style('gis.squares', '${JSON.stringify(EVERYTHING)}');
select portolan.set_style('gis.points', '${JSON.stringify(POINTS)}');
select portolan.set_style('gis.lines', '${JSON.stringify(LINES)}');
create table gis.partly (id int primary key, secret int, geom geometry(Point, 4326));
insert into gis.partly values (1, 1, 'srid=4326;point(10.5 50.5)');
select portolan.set_style('gis.partly', '[{"name": "One", "where": {"secret": {"eq": 1}}, "styles": [{"color": "#ff0000"}]}]')`;

describe("the style of vector tiles", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({
      prepare: async ({ client }) => {
        await client.query(TABLES);
        await client.query(`grant select (id, geom) on gis.partly to "guest@${await nameOf(client)}"`);
      },
    });
  });
  after(() => gateway.close());

  const json = async (path: string, as?: string): Promise<unknown> => {
    const response = await gateway.ask(path, { ...(as && { as }), headers: { accept: "application/json" } });
    assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
    return response.json();
  };
  const styleOf = async (path: string): Promise<MapLibreStyle> => {
    const response = await gateway.ask(path);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("content-type"), "application/vnd.mapbox.style+json");
    const style = (await response.json()) as MapLibreStyle;
    const problems = validateStyleMin(style as unknown as Parameters<typeof validateStyleMin>[0], latest);
    assert.deepEqual(problems, [], path);
    return style;
  };
  const sheetOf = (name: string): string => `/collections/gis.${name}/styles/default?f=mbs`;

  it("is found from a collection, its tileset and the landing page", async () => {
    for (const path of ["/collections/gis.squares", "/collections/gis.squares/tiles/WebMercatorQuad", "/"]) {
      const { links } = (await json(path)) as { links: Link[] };
      const { href } = links.find(({ rel }) => rel === "http://www.opengis.net/def/rel/ogc/1.0/styles")!;
      const list = (await json(href)) as { default: string; styles: { id: string; links: Link[] }[] };
      assert.equal(list.default, "default");
      assert.deepEqual(
        list.styles.map(({ id }) => id),
        ["default"],
      );
      const sheet = list.styles[0]!.links.find(({ rel }) => rel === "stylesheet")!;
      const map = list.styles[0]!.links.find(({ rel }) => rel === "http://www.opengis.net/def/rel/ogc/1.0/map")!;
      const drawn = await fetch(`${map.href}?width=16`);
      assert.deepEqual([drawn.status, drawn.headers.get("content-type")], [200, "image/png"], map.href);
      assert.ok((await styleOf(sheet.href)).layers.length > 0);
    }
  });

  it("is valid for MapLibre, with every member of a style, for every collection", async () => {
    for (const name of ["squares", "points", "lines", "mixed", "poles", "keyless", "nothing", "parks", "sphere"])
      await styleOf(sheetOf(name));
    const { layers } = await styleOf(sheetOf("squares"));
    assert.deepEqual([...new Set(layers.map((layer) => layer["source-layer"]))], ["gis.squares"]);
    assert.deepEqual([...new Set(layers.map(({ type }) => type))], ["fill", "line", "symbol"]);
    assert.ok(
      layers.findIndex(({ type }) => type === "symbol") > layers.findLastIndex(({ type }) => type !== "symbol"),
    );
    const { layers: points } = await styleOf(sheetOf("points"));
    const marks = points.map(({ layout }) => layout?.["text-field"]).filter((text) => typeof text === "string");
    assert.deepEqual(marks, ["■", "▲", "◆", "★", "+", "✕"]);
  });

  it("draws between the zooms of its scales", async () => {
    const { layers } = await styleOf(sheetOf("squares"));
    const blues = layers.filter(({ paint }) => paint?.["fill-color"] === "#0000ff");
    // the world in 512 pixels is 1 : 279,541,132
    const isAt = (zoom: number, scale: number): void =>
      assert.ok(Math.abs(zoom - Math.log2(279_541_132 / scale)) < 1e-6, `${zoom} is not at 1 : ${scale}`);
    isAt(Math.min(...blues.map(({ minzoom }) => minzoom!)), 100_000_000);
    isAt(Math.max(...blues.map(({ maxzoom }) => maxzoom!)), 1000);
  });

  it("reads from its tiles the values that the database has computed: classes, colours, numbers within bounds, texts", async () => {
    const style = await styleOf(sheetOf("squares"));
    const tileJson = (await json(Object.values(style.sources)[0]!.url)) as { tiles: string[] };
    const [, zoom, row, column] = tileAt(5, 10.5, 50.5).split("/");
    const address = tileJson.tiles[0]!.replace("{z}", zoom!).replace("{y}", row!).replace("{x}", column!);
    const features = await gateway.features(address);
    const of = (id: number) => features.find(({ properties }) => properties["id"] === id)!.properties;
    const styled = (id: number) =>
      Object.entries(of(id))
        .filter(([name]) => name.startsWith("portolan:"))
        .map(([, value]) => value);
    assert.ok(styled(1).includes("#ff00ff") && styled(1).includes("park (10 m)") && styled(1).includes(10));
    assert.ok(!styled(3).includes("none"), "what is no colour is none");
    const classes = (id: number) => Object.entries(of(id)).filter(([name]) => name.startsWith("portolan:class"));
    assert.deepEqual([...new Set(classes(1).map(([, value]) => value))], [0]);
    assert.ok(classes(2).some(([, value]) => value === 1));
    assert.deepEqual(classes(-4), [], "what no class draws has none");
    const plain = await gateway.features(address.replace(/[?&]style=default/, (text) => (text[0] === "?" ? "?" : "")));
    assert.ok(plain.every(({ properties }) => !Object.keys(properties).some((name) => name.startsWith("portolan:"))));
  });

  it("of a request is a list of classes, whose values the tiles of that style have", async () => {
    const classes = [
      { name: "Park", where: { kind: "park" }, styles: [{ color: "#123456" }] },
      { name: "Else", styles: [{ color: "#654321" }] },
    ];
    const asked = (style: object): string =>
      `${sheetOf("squares")}&${new URLSearchParams({ "style-definition": JSON.stringify(style) })}`;
    const { layers, sources } = await styleOf(asked(classes));
    const fills = layers.filter(({ type }) => type === "fill").map(({ paint }) => paint?.["fill-color"]);
    assert.deepEqual([...fills].sort(), ["#123456", "#654321"]);
    const { tiles } = (await json(Object.values(sources)[0]!.url)) as { tiles: string[] };
    const [, zoom, row, column] = tileAt(5, 10.5, 50.5).split("/");
    const address = tiles[0]!.replace("{z}", zoom!).replace("{y}", row!).replace("{x}", column!);
    const classOf = async (at: string) =>
      (await gateway.features(at)).find(({ properties }) => properties["id"] === 1)!.properties["portolan:class0"];
    assert.equal(await classOf(address), 0);
    const [park, other] = classes as [object, object];
    const swapped = encodeURIComponent(
      JSON.stringify([other, park]).replace('"styles"', '"where":{"kind":"none"},"styles"'),
    );
    assert.equal(await classOf(address.replace(/style-definition=[^&]*/, `style-definition=${swapped}`)), 1);
    const { sources: plain } = await styleOf(asked([{ name: "All", styles: [{ color: "#123456" }] }]));
    assert.doesNotMatch(Object.values(plain)[0]!.url, /style/, "it needs no more than the kept tiles have");
    assert.equal((await gateway.ask(asked([{ name: "All", where: { nothing: 1 } }]))).status, 400);
    const secret = [{ name: "One", where: { secret: 1 }, styles: [{ color: "#ff0000" }] }];
    const hidden = `/collections/gis.partly/styles/default?${new URLSearchParams({ f: "mbs", "style-definition": JSON.stringify(secret) })}`;
    assert.equal((await gateway.ask(hidden, { as: "guest" })).status, 400);
  });

  it("requests no attributes if it needs only shapes", async () => {
    const { sources } = await styleOf(sheetOf("nothing"));
    assert.doesNotMatch(Object.values(sources)[0]!.url, /style=/);
  });

  it("of several collections has all of their layers, labels above the rest", async () => {
    const { layers } = await styleOf("/styles/default?f=mbs&collections=gis.squares,gis.points");
    assert.deepEqual([...new Set(layers.map((layer) => layer["source-layer"]))].sort(), ["gis.points", "gis.squares"]);
    assert.equal(new Set(layers.map(({ id }) => id)).size, layers.length);
    const all = await styleOf("/styles/default?f=mbs");
    assert.ok(!all.layers.some((layer) => layer["source-layer"] === "gis.hidden"));
    const { sources } = await styleOf("/styles/default?f=mbs&collections=gis.squares&filter=height%3E10");
    assert.match(Object.values(sources)[0]!.url, /collections=gis\.squares/);
    assert.match(Object.values(sources)[0]!.url, /filter=height%3E10/);
  });

  it("has the colours of the request where a collection has none of its own", async () => {
    const paintsOf = async (path: string) =>
      (await styleOf(path)).layers.map(({ type, paint }) => paint?.[`${type}-color`]);
    assert.deepEqual(await paintsOf(`${sheetOf("nothing")}&color=0072b2`), ["#0072b2"]);
    const both = "/styles/default?f=mbs&collections=gis.nothing,gis.squares";
    const of = async (color: string) => paintsOf(`${both}&color=${color}`);
    const [plain, ...styled] = await paintsOf(both);
    assert.deepEqual(await of("d55e00,0072b2"), ["#d55e00", ...styled], "a style stays as it is");
    assert.deepEqual(await of(",0072b2"), [plain, ...styled]);
    const { sources } = await styleOf(`${sheetOf("nothing")}&color=0072b2`);
    assert.doesNotMatch(Object.values(sources)[0]!.url, /color/);
    const map = await gateway.ask(
      "/collections/gis.points/map?bbox=10,50,11,51&width=200&height=200&f=png&color=0072b2",
    );
    assert.equal(map.status, 200);
    for (const path of [
      `${both}&color=0072b2`,
      "/styles/default?f=mbs&color=0072b2",
      `${sheetOf("nothing")}&color=bluish`,
    ])
      assert.equal((await gateway.ask(path)).status, 400, path);
  });

  it("is refused to an account that may not read the collection, or a column that the style needs", async () => {
    const status = async (path: string, as?: string) => (await gateway.ask(path, as ? { as } : {})).status;
    assert.deepEqual([await status(sheetOf("hidden")), await status(sheetOf("hidden"), "guest")], [401, 403]);
    assert.deepEqual(
      [await status(sheetOf("partly"), "guest"), await status(sheetOf("partly"), "captain")],
      [403, 200],
    );
    const tile = `/collections/gis.partly/tiles/${tileAt(5, 10.5, 50.5)}`;
    assert.deepEqual([await status(tile, "guest"), await status(`${tile}?style=default`, "guest")], [200, 403]);
    const all = (await json("/styles/default", "guest")) as MapLibreStyle;
    assert.ok(!all.layers.some((layer) => layer["source-layer"] === "gis.partly"));
    assert.equal(await status(`/tiles/${tileAt(5, 10.5, 50.5)}?style=default`, "guest"), 200);
  });

  it("is the only one", async () => {
    const code = async (path: string) => {
      const response = await gateway.ask(path);
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    assert.deepEqual(await code("/collections/gis.points/styles/night"), [404, "NOT_FOUND"]);
    assert.deepEqual(await code("/collections/gis.none/styles"), [404, "COLLECTION_NOT_FOUND"]);
    assert.deepEqual(await code("/collections/gis.points/styles/default?nonsense=1"), [400, "UNKNOWN_PARAMETER"]);
    assert.deepEqual(await code(`/collections/gis.points/tiles/${tileAt(5, 10.5, 50.5)}?style=night`), [
      400,
      "INVALID_PARAMETER",
    ]);
  });

  it("has a page, with its address", async () => {
    for (const path of ["/collections/gis.squares/styles", "/collections/gis.squares/styles/default", "/styles"]) {
      const response = await gateway.ask(`${path}?f=html`);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /styles\/default/);
    }
  });

  it("changes with the style of the collection, and so do its tiles", async () => {
    const before = await styleOf(sheetOf("keyless"));
    await gateway.client.query(
      `select portolan.set_style('gis.keyless', '[{"name": "One", "where": {"name": {"eq": "one"}}, "styles": [{"color": "#00ff00"}]}]')`,
    );
    while (JSON.stringify(await styleOf(sheetOf("keyless"))) === JSON.stringify(before));
    const [one] = await gateway.features(`/collections/gis.keyless/tiles/${tileAt(5, 10.5, 50.5)}?style=default`);
    assert.equal(one!.properties["portolan:class0"], 0);
  });

  describe("letters", () => {
    const glyphsAt = async (
      path: string,
    ): Promise<Map<number, { width: number; height: number; bitmap: Uint8Array }>> => {
      const response = await gateway.ask(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get("content-type"), "application/x-protobuf");
      assert.match(response.headers.get("cache-control")!, /public/);
      return readGlyphs(new Uint8Array(await response.arrayBuffer()));
    };

    it("are served as distances from their outlines", async () => {
      const { glyphs } = await styleOf(sheetOf("squares"));
      const address = glyphs.replace("{fontstack}", encodeURIComponent("DejaVu Sans")).replace("{range}", "0-255");
      const all = await glyphsAt(address);
      const { width, height, bitmap } = all.get("I".codePointAt(0)!)!;
      assert.equal(bitmap.length, (width + 6) * (height + 6));
      const at = (x: number, y: number): number => bitmap[y * (width + 6) + x]!;
      const middle = Math.floor((width + 6) / 2);
      assert.ok(at(middle, Math.floor((height + 6) / 2)) > 192, "the stem is inside");
      assert.ok(at(0, 0) < 192 && at(middle, 0) < 192, "the border is outside");
      const ring = all.get("O".codePointAt(0)!)!;
      const hole =
        ring.bitmap[Math.floor((ring.height + 6) / 2) * (ring.width + 6) + Math.floor((ring.width + 6) / 2)]!;
      assert.ok(hole < 192, "the hole of an O is outside");
      assert.deepEqual([...all.get(32)!.bitmap], [], "a space is empty");
      assert.ok((await glyphsAt("/glyphs/Arial,DejaVu%20Sans/9472-9727.pbf")).has("■".codePointAt(0)!));
      assert.equal((await glyphsAt("/glyphs/DejaVu%20Sans/20480-20735.pbf")).size, 0);
    });

    it("are only of that font and of whole ranges", async () => {
      for (const path of ["Arial/0-255", "DejaVu%20Sans/0-256", "DejaVu%20Sans/1-256", "DejaVu%20Sans/65536-65791"])
        assert.equal((await gateway.ask(`/glyphs/${path}.pbf`)).status, 404, path);
      for (const path of ["DejaVu%20Sans/x", "DejaVu%20Sans/-1-254.pbf", "DejaVu%20Sans/00-255", "%2e%2e/0-255.pbf"])
        assert.equal((await gateway.ask(`/glyphs/${path}`)).status, 404, path);
    });
  });
});

async function nameOf(client: TileGateway["client"]): Promise<string> {
  const { rows } = await client.query<{ name: string }>("select current_database() as name");
  return rows[0]!.name;
}

function readGlyphs(bytes: Uint8Array): Map<number, { width: number; height: number; bitmap: Uint8Array }> {
  const all = new Map<number, { width: number; height: number; bitmap: Uint8Array }>();
  const glyph = (tag: number, to: Record<number, unknown>, pbf: PbfReader): void => {
    if (tag === 2) to[2] = pbf.readBytes();
    else to[tag] = pbf.readVarint();
  };
  const stack = (tag: number, _to: null, pbf: PbfReader): void => {
    if (tag !== 3) return;
    const found = pbf.readMessage(glyph, {} as Record<number, unknown>);
    const [id, bitmap = new Uint8Array(), width, height] = [found[1], found[2], found[3], found[4]];
    all.set(id as number, { width: width as number, height: height as number, bitmap: bitmap as Uint8Array });
  };
  new PbfReader(bytes).readFields((tag: number, _to: null, pbf: PbfReader) => {
    if (tag === 1) pbf.readMessage(stack, null);
  }, null);
  return all;
}
