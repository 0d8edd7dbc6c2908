import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mapGateway, type MapGateway } from "../maps/fixture.ts";
import { pictureAt } from "../ows/support.ts";
import { until } from "../support/until.ts";

const [RED, GREEN, BLUE] = ["#ff0000", "#00ff00", "#0000ff"];
const TABLES = `
create table gis.plots (id integer primary key, kind text, n numeric, open boolean, geom geometry(Polygon, 4326));
insert into gis.plots values
  (1, 'park', 1, true, st_makeenvelope(0, 0, 1, 1, 4326)), (2, 'lake', 5, false, st_makeenvelope(1, 0, 2, 1, 4326)),
  (3, 'mill', 9, null, st_makeenvelope(2, 0, 3, 1, 4326))`;

const SLD = "application/vnd.ogc.sld+xml";
const MBS = "application/vnd.mapbox.style+json";
const QML = "application/x-qgis-qml";

/** Symbology Encoding 1.1 around rules. */
const sld = (rules: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
<NamedLayer><se:Name>plots</se:Name><UserStyle><se:Description><se:Title>Land use</se:Title></se:Description><se:FeatureTypeStyle>${rules}</se:FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
const fill = (colour: string): string =>
  `<se:PolygonSymbolizer><se:Fill><se:SvgParameter name="fill">${colour}</se:SvgParameter></se:Fill></se:PolygonSymbolizer>`;
const rule = (condition: string, colour: string): string =>
  `<se:Rule><se:Name>${colour}</se:Name>${condition}${fill(colour)}</se:Rule>`;
const equals = (name: string, value: string): string =>
  `<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>${name}</ogc:PropertyName><ogc:Literal>${value}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>`;

const qml = (inside: string): string =>
  `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n<qgis version="3.40.0">${inside}</qgis>`;
const symbol = (name: string, rgb: string): string =>
  `<symbol name="${name}" type="fill" alpha="1"><layer class="SimpleFill" enabled="1"><Option type="Map"><Option name="color" type="QString" value="${rgb},255"/><Option name="style" type="QString" value="solid"/><Option name="outline_style" type="QString" value="no"/></Option></layer></symbol>`;
const SYMBOLS = `<symbols>${symbol("0", "255,0,0")}${symbol("1", "0,255,0")}${symbol("2", "0,0,255")}</symbols>`;

/** The height of an l of DejaVu Sans, in sizes of the font. */
const L_HEIGHT = 0.76;

interface Answer {
  readonly status: number;
  readonly detail: string;
  readonly notes: readonly { readonly at: string; readonly message: string }[];
}

describe("styles of other programs", () => {
  let gateway: MapGateway;
  let root: string;
  let token: string;
  let guest: string;

  before(async () => {
    gateway = await mapGateway({
      config: { ogc: { stylesWrite: true } },
      prepare: async ({ client }) => void (await client.query(TABLES)),
    });
    root = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}/collections/gis.plots`;
    [token, guest] = await Promise.all([gateway.token("captain"), gateway.token("guest")]);
  });
  after(() => gateway.close());

  const put = async (name: string, type: string, body: string, as: string | undefined = token): Promise<Answer> => {
    const response = await fetch(`${root}/styles/${name}`, {
      method: "PUT",
      headers: { "content-type": type, ...(as !== "" && { authorization: `Bearer ${as}` }) },
      body,
    });
    return { detail: "", notes: [], ...((await response.json()) as object), status: response.status } as Answer;
  };
  const sheetOf = async (name: string, f = "sld"): Promise<string> =>
    (await fetch(`${root}/styles/${name}?f=${f}`, { headers: { authorization: `Bearer ${token}` } })).text();
  /** The colours of the three plots. */
  const colours = async (name: string): Promise<string[]> => {
    const { picture } = await pictureAt(
      `${root}/map?style=${name}&bbox=0,0,3,1&width=90&height=30&transparent=false&f=png`,
      { token },
    );
    return [15, 45, 75].map((x) => picture.at(x, 15).slice(0, 7));
  };
  const drawn = (name: string, expected: readonly string[]): Promise<void> =>
    until(async () => JSON.stringify(await colours(name).catch(() => [])) === JSON.stringify(expected));

  it("are read as QML by f=qml, whatever the media type says", async () => {
    const response = await fetch(`${root}/styles/named?f=qml`, {
      method: "PUT",
      headers: { "content-type": "application/xml", authorization: `Bearer ${token}` },
      body: qml(`<renderer-v2 type="singleSymbol">${SYMBOLS}</renderer-v2>`),
    });
    assert.deepEqual([response.status, await response.json()], [200, { notes: [] }]);
    await drawn("named", [RED, RED, RED]);
    const other = await fetch(`${root}/styles/named?f=qml`, {
      method: "PUT",
      headers: { "content-type": "application/xml", authorization: `Bearer ${token}` },
      body: sld(rule("<se:ElseFilter/>", RED)),
    });
    assert.equal(other.status, 400);
    assert.match(((await other.json()) as Answer).detail, /QML|qgis/i);
  });

  it("are there, and gone, for the next request", async () => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = async () => (await fetch(`${root}/styles/prompt?f=sld`, { headers })).status;
    for (let round = 0; round < 3; round++) {
      assert.deepEqual((await put("prompt", SLD, sld(rule("", RED)))).notes, []);
      assert.equal(await asked(), 200);
      assert.equal((await fetch(`${root}/styles/prompt`, { method: "DELETE", headers })).status, 204);
      assert.equal(await asked(), 404);
    }
  });

  it("are stored and removed, and the answer says so, where the collections cannot be read again at once", async () => {
    const { client } = gateway.database;
    const headers = { authorization: `Bearer ${token}` };
    const style = `${root}/styles/blind`;
    const written = async (body: string | null): Promise<number> => {
      const { rows } = await client.query<{ text: string }>(
        "select pg_get_functiondef(p.oid) as text from pg_proc p where p.oid = 'portolan.collections'::regproc",
      );
      const { text } = rows[0]!;
      const fails = "LANGUAGE plpgsql AS $function$ begin raise deadlock_detected; end $function$";
      try {
        await client.query(text.replace(/LANGUAGE [^]*/, fails));
        const method = body === null ? "DELETE" : "PUT";
        return (await fetch(style, { method, body, headers: { ...headers, "content-type": SLD } })).status;
      } finally {
        await client.query(text);
      }
    };
    const asked = async () => (await fetch(`${style}?f=sld`, { headers })).status;
    assert.equal(await written(sld(rule("", RED))), 200);
    await until(async () => (await asked()) === 200);
    assert.equal(await written(null), 204);
    await until(async () => (await asked()) === 404);
  });

  it("have the marks of SLD that QGIS writes", async () => {
    const marked = `<se:Rule><se:PointSymbolizer><se:Graphic><se:Mark><se:WellKnownName>regular_star</se:WellKnownName><se:Fill><se:SvgParameter name="fill">${RED}</se:SvgParameter></se:Fill></se:Mark><se:Size>10</se:Size><se:Rotation><ogc:Literal>50</ogc:Literal></se:Rotation></se:Graphic></se:PointSymbolizer></se:Rule>`;
    assert.deepEqual((await put("stars", SLD, sld(marked))).notes, []);
    const stored = () => fetch(`${root}/styles/stars?f=sld`, { headers: { authorization: `Bearer ${token}` } });
    await until(async () => /WellKnownName>star</.test(await (await stored()).text()));
  });

  it("are neither stored nor removed where ogc.stylesWrite is off: 405, with the methods that there are", async () => {
    const off = await mapGateway({});
    try {
      const styles = `${off.baseUrl}/api/v4/ogc/database/${off.database.name}/collections/gis.squares/styles`;
      const headers = { authorization: `Bearer ${await off.token("captain")}`, "content-type": QML };
      for (const [method, body] of [
        ["PUT", qml("")],
        ["DELETE", null],
      ] as const) {
        // oxfmt-ignore
        const response = await fetch(`${styles}/default`, { method, headers, body });
        assert.equal(response.status, 405, method);
        assert.match(response.headers.get("allow") ?? "", /^GET, HEAD(, OPTIONS)?$/);
        assert.equal(((await response.json()) as { code: string }).code, "METHOD_NOT_ALLOWED");
      }
    } finally {
      await off.close();
    }
  });

  it("SLD 1.1 and 1.0, QML and MapLibre are drawn as they say", async () => {
    const rules =
      rule(equals("kind", "park"), GREEN) + rule(equals("kind", "lake"), BLUE) + rule("<se:ElseFilter/>", RED);
    assert.deepEqual((await put("sld", SLD, sld(rules))).notes, []);
    await drawn("sld", [GREEN, BLUE, RED]);
    const old = sld(rules)
      .replace('version="1.1.0"', 'version="1.0.0"')
      .replaceAll("se:", "")
      .replaceAll("SvgParameter", "CssParameter")
      .replace(/<Description>(.*?)<\/Description>/, "$1");
    assert.deepEqual(await put("sld10", "text/xml", old), { status: 200, detail: "", notes: [] });
    await drawn("sld10", [GREEN, BLUE, RED]);
    const categories = `<renderer-v2 type="categorizedSymbol" attr="kind"><categories><category value="park" symbol="1" label="Parks" render="true"/><category value="lake" symbol="2" label="Lakes" render="true"/><category value="" symbol="0" label="" render="true"/></categories>${SYMBOLS}</renderer-v2>`;
    assert.deepEqual((await put("qml", QML, qml(categories))).notes, []);
    await drawn("qml", [GREEN, BLUE, RED]);
    const ranges = `<renderer-v2 type="graduatedSymbol" attr="n"><ranges><range lower="0" upper="2" symbol="2" label="few" render="true"/><range lower="2" upper="6" symbol="1" label="some" render="true"/><range lower="6" upper="9" symbol="0" label="many" render="true"/></ranges>${SYMBOLS}</renderer-v2>`;
    assert.equal((await put("ranges", "text/xml", qml(ranges))).status, 200);
    await drawn("ranges", [BLUE, GREEN, RED]);
    const nested = `<renderer-v2 type="RuleRenderer"><rules><rule filter="n &lt; 6" label="low"><rule filter="&quot;kind&quot; = 'park'" symbol="1" label="park"/><rule filter="kind in ('lake', 'sea')" symbol="2" label="water"/></rule><rule filter="ELSE" symbol="0" label="rest"/></rules>${SYMBOLS}</renderer-v2>`;
    assert.deepEqual((await put("rules", QML, qml(nested))).notes, []);
    await drawn("rules", [GREEN, BLUE, RED]);
    const style = {
      version: 8,
      name: "Land use",
      sources: { any: { type: "vector", url: "https://example.org/tiles.json" } },
      layers: [
        { id: "areas", type: "fill", source: "any", "source-layer": "gis.plots", paint: { "fill-color": ["match", ["get", "kind"], "park", GREEN, ["lake", "sea"], "rgb(0, 0, 255)", "red"] } },
        { id: "closed", type: "fill", source: "any", "source-layer": "gis.plots", filter: ["==", ["get", "open"], "maybe"], paint: {} },
      ],
    }; // oxfmt-ignore
    await put("mbs", MBS, JSON.stringify({ ...style, layers: style.layers.slice(0, 1) }));
    await drawn("mbs", [GREEN, BLUE, RED]);
  });

  /** A layer of a symbol with properties. */
  const layer = (kind: string, properties: Readonly<Record<string, string>>): string =>
    `<layer class="${kind}" enabled="1"><Option type="Map">${Object.entries(properties)
      .map(([name, value]) => `<Option name="${name}" value="${value}"/>`)
      .join("")}</Option></layer>`;
  const single = (layers: string): string =>
    qml(`<renderer-v2 type="singleSymbol"><symbols><symbol name="0" type="fill" alpha="1">${layers}</symbol></symbols></renderer-v2>`); // oxfmt-ignore
  const pixel = async (name: string, bbox: string, x: number, y: number): Promise<string> => {
    const { picture } = await pictureAt(
      `${root}/map?style=${name}&bbox=${bbox}&width=90&height=30&transparent=false&f=png`,
      { token },
    );
    return picture.at(x, y).slice(0, 7);
  };

  it("draw a feature by all rules that apply to it, one over the other, as QGIS does", async () => {
    const half = symbol("3", "0,0,255").replace('alpha="1"', 'alpha="0.5"');
    const rules = `<rules><rule filter="n &lt; 6" symbol="1" label="low"/><rule filter="kind = 'lake'" symbol="3" label="water"/><rule filter="n &gt; 6" label="high"><rule filter="kind = 'none'" symbol="1"/></rule><rule filter="ELSE" symbol="0" label="rest"/></rules>`;
    const { notes } = await put("overlap", QML, qml(`<renderer-v2 type="RuleRenderer">${rules}${SYMBOLS.replace("</symbols>", `${half}</symbols>`)}</renderer-v2>`)); // oxfmt-ignore
    assert.deepEqual(notes, []);
    await until(async () => (await colours("overlap").catch(() => []))[2] === RED);
    const [park, lake] = await colours("overlap");
    assert.equal(park, GREEN);
    assert.match(lake!, /^#00[78].[78].$/);
    const within = `<ogc:Filter><ogc:PropertyIsLessThan><ogc:PropertyName>n</ogc:PropertyName><ogc:Literal>6</ogc:Literal></ogc:PropertyIsLessThan></ogc:Filter>`;
    const label = `<se:Rule><se:TextSymbolizer><se:Label><ogc:PropertyName>kind</ogc:PropertyName></se:Label></se:TextSymbolizer></se:Rule>`;
    assert.deepEqual((await put("over", SLD, sld(rule(within, GREEN) + rule(equals("kind", "lake"), BLUE) + rule("<se:ElseFilter/>", RED)))).notes, []); // oxfmt-ignore
    await drawn("over", [GREEN, BLUE, RED]);
    await put("labelled", SLD, sld(rule(within, GREEN) + rule("<se:ElseFilter/>", RED) + label));
    await until(async () => (await pixel("labelled", "0,0,3,1", 63, 27).catch(() => "")) === RED);
    const many = Array.from({ length: 9 }, (_, index) => `<rule filter="kind LIKE '%${index}%'" symbol="1" label="${index}"/>`); // oxfmt-ignore
    const told = await put("many", QML, qml(`<renderer-v2 type="RuleRenderer"><rules>${many.join("")}</rules>${SYMBOLS}</renderer-v2>`)); // oxfmt-ignore
    assert.match(told.notes.map(({ message }) => message).join(), /too many combinations/);
  });

  it("have the brushes, outlines and gradients of QGIS, or a note", async () => {
    const brush = await put("dots", QML, single(layer("SimpleFill", { color: "255,0,0,255", style: "dense4", outline_style: "no" }))); // oxfmt-ignore
    assert.deepEqual(brush.notes, [{ at: "symbol / layer 1 SimpleFill", message: "the dots of the brush dense4 are drawn as a tint of 50 %" }]); // oxfmt-ignore
    const tint = /^#f.[78].[78].$/;
    await until(async () => tint.test((await colours("dots").catch(() => []))[0] ?? ""));
    const mark = `<se:Rule><se:PolygonSymbolizer><se:Fill><se:GraphicFill><se:Graphic><se:Mark><se:WellKnownName>brush://dense4</se:WellKnownName><se:Fill><se:SvgParameter name="fill">${RED}</se:SvgParameter></se:Fill></se:Mark></se:Graphic></se:GraphicFill></se:Fill></se:PolygonSymbolizer></se:Rule>`;
    assert.match((await put("dots-sld", SLD, sld(mark))).notes[0]!.message, /tint of 50 %/);
    await until(async () => tint.test((await colours("dots-sld").catch(() => []))[0] ?? ""));
    const edge = layer("SimpleLine", { line_color: "0,0,255,255", line_width: "8", line_width_unit: "Pixel" });
    assert.deepEqual((await put("edges", QML, single(edge))).notes, []);
    const line = `<se:Rule><se:LineSymbolizer><se:Stroke><se:SvgParameter name="stroke">${BLUE}</se:SvgParameter><se:SvgParameter name="stroke-width">8</se:SvgParameter></se:Stroke></se:LineSymbolizer></se:Rule>`;
    assert.deepEqual((await put("edges-sld", SLD, sld(line))).notes, []);
    for (const name of ["edges", "edges-sld"]) {
      await until(async () => (await pixel(name, "0,0,3,1", 1, 15).catch(() => "")) === BLUE);
      assert.notEqual(await pixel(name, "0,0,3,1", 15, 15), BLUE, "the inside of an outline");
    }
    const gradient = await put("gradient", QML, single(layer("GradientFill", { color: "0,0,0,255", gradient_color2: "255,255,255,255" }))); // oxfmt-ignore
    assert.match(gradient.notes[0]!.message, /no counterpart/);
    await until(async () => /^#(7f|80)/.test((await colours("gradient").catch(() => []))[0] ?? ""));
  });

  it("draw lengths on the ground in steps of scale", async () => {
    const fills = { color: "0,255,0,255", outline_color: "0,0,255,255", outline_width: "0.2", outline_width_unit: "MapUnit" }; // oxfmt-ignore
    const { notes } = await put("ground", QML, single(layer("SimpleFill", fills)));
    assert.deepEqual(notes, [{ at: "", message: "lengths on the ground (map units, metres) are drawn in steps of scale, up to 19 % too long or too short" }]); // oxfmt-ignore
    await until(async () => (await pixel("ground", "0,0,3,1", 1, 15).catch(() => "")) === BLUE);
    assert.equal(await pixel("ground", "0,0,3,1", 15, 15), GREEN);
    assert.equal(
      await pixel("ground", "0,0,0.3,0.1", 15, 15),
      BLUE,
      "a tenth of the width of the outline is 60 pixels",
    );
    assert.equal(await pixel("ground", "-12,-4,15,5", 41, 15), GREEN, "the outline is thinner than a pixel");
    const metres = `<se:Rule><se:LineSymbolizer uom="http://www.opengeospatial.org/se/units/metre"><se:Stroke><se:SvgParameter name="stroke">${BLUE}</se:SvgParameter><se:SvgParameter name="stroke-width">22000</se:SvgParameter></se:Stroke></se:LineSymbolizer></se:Rule>`;
    await put("metres", SLD, sld(metres));
    await until(async () => (await pixel("metres", "0,0,3,1", 1, 15).catch(() => "")) === BLUE);
    assert.equal(await pixel("metres", "0,0,0.3,0.1", 15, 15), BLUE);
  });

  it("have the labels of QGIS 2, which are properties of the layer", async () => {
    const properties = { "": "pal", "/enabled": "true", "/fieldName": "kind", "/fontSize": "12", "/textColorR": "1", "/textColorG": "2", "/textColorB": "3" }; // oxfmt-ignore
    const custom = Object.entries(properties).map(([key, value]) => `<property key="labeling${key}" value="${value}"/>`); // oxfmt-ignore
    await put("former", QML, qml(`<renderer-v2 type="singleSymbol">${SYMBOLS}</renderer-v2><customproperties>${custom.join("")}</customproperties>`)); // oxfmt-ignore
    const sheet = async (): Promise<string> =>
      (await fetch(`${root}/styles/former?f=sld`, { headers: { authorization: `Bearer ${token}` } })).text();
    await until(async () => (await sheet()).includes("TextSymbolizer"));
    assert.match(await sheet(), /<se:Label><ogc:PropertyName>kind<.*"font-size">16</);
    assert.match(await sheet(), /#010203/);
  });

  it("have the columns and expressions that decide in QGIS 2, or a note", async () => {
    const properties = (name: string, more: Readonly<Record<string, string>>): string =>
      `<layer class="${name}">${Object.entries(more)
        .map(([key, value]) => `<prop k="${key}" v="${value}"/>`)
        .join("")}</layer>`;
    const first = await put("decided", QML, single(properties("SimpleFill", { color: "1,2,3,255", color_expression: "kind || 'x'", outline_color: "0,0,0,255", outline_width: "1", outline_width_expression: "n" }))); // oxfmt-ignore
    assert.deepEqual(first.notes.map(({ message }) => message), [`color by "kind || 'x'" is not understood; the constant is drawn`]); // oxfmt-ignore
    await until(async () => /"stroke-width"><ogc:PropertyName>n</.test(await sheetOf("decided")));
    const later = await put("decided", QML, single(properties("SimpleFill", { color: "1,2,3,255", outline_color: "0,0,0,255", color_dd_active: "1", color_dd_useexpr: "0", color_dd_field: "kind", color_dd_expression: "ramp", angle_dd_active: "0", angle_dd_expression: "n" }))); // oxfmt-ignore
    assert.deepEqual(later.notes, []);
    await until(async () => /"fill"><ogc:PropertyName>kind</.test(await sheetOf("decided")));
    const turned = await put("decided", QML, single(properties("SimpleFill", { color: "1,2,3,255" })).replace("</renderer-v2>", `<rotation field="n"/><sizescale field="" scalemethod="area"/></renderer-v2>`)); // oxfmt-ignore
    assert.deepEqual(turned.notes, [{ at: "renderer-v2", message: 'the rotation by "n" is left out' }]);
  });

  it("have labels as high as the program that they come from draws them, on maps and in tiles", async () => {
    const documents = {
      qml: qml(`<renderer-v2 type="singleSymbol">${SYMBOLS}</renderer-v2><labeling type="simple"><settings><text-style fieldName="kind" fontSize="30" fontSizeUnit="Point" textColor="0,0,255,255"/></settings></labeling>`),
      sld: sld(`<se:Rule>${fill(RED)}<se:TextSymbolizer><se:Label><ogc:PropertyName>kind</ogc:PropertyName></se:Label><se:Font><se:SvgParameter name="font-size">40</se:SvgParameter></se:Font><se:Fill><se:SvgParameter name="fill">${BLUE}</se:SvgParameter></se:Fill></se:TextSymbolizer></se:Rule>`),
      mbs: JSON.stringify({ version: 8, layers: [{ type: "fill", paint: { "fill-color": RED } }, { type: "symbol", layout: { "text-field": "{kind}", "text-size": 40 }, paint: { "text-color": BLUE } }] }),
    }; // oxfmt-ignore
    const types = { qml: QML, sld: SLD, mbs: MBS };
    for (const [kind, document] of Object.entries(documents)) {
      const name = `letters-${kind}`;
      assert.equal((await put(name, types[kind as keyof typeof types], document)).status, 200);
      await until(async () => (await sheetOf(name)).includes("TextSymbolizer"));
      assert.match(await sheetOf(name), /"font-size">40</, kind);
      assert.match(await sheetOf(name, "mbs"), /"text-size":40[,}]/, kind);
      const { picture } = await pictureAt(`${root}/map?style=${name}&bbox=2,0,3,1&width=200&height=200&f=png`, {
        token,
      });
      const rows = Array.from({ length: 200 }, (_, y) => y).filter((y) =>
        Array.from({ length: 200 }, (_, x) => picture.at(x, y)).some((colour) => parseInt(colour.slice(5, 7), 16) > 64),
      );
      const height = rows.at(-1)! - rows[0]! + 1;
      assert.ok(Math.abs(height - 40 * L_HEIGHT) <= 1.5, `${kind}: "mill" is ${height} pixels high`);
    }
    const sized = (size: string): string =>
      sld(
        `<se:Rule><se:TextSymbolizer><se:Label><ogc:PropertyName>kind</ogc:PropertyName></se:Label><se:Font><se:SvgParameter name="font-size">${size}</se:SvgParameter></se:Font></se:TextSymbolizer></se:Rule>`,
      );
    const { notes } = await put("letters-n", SLD, sized("<ogc:PropertyName>n</ogc:PropertyName>"));
    assert.deepEqual(notes.map(({ message }) => message), ["the numbers of the column n are taken as points"]); // oxfmt-ignore
    const own = "<ogc:Div><ogc:PropertyName>n</ogc:PropertyName><ogc:Literal>0.75</ogc:Literal></ogc:Div>";
    assert.deepEqual((await put("letters-own", SLD, sized(own))).notes, []);
    for (const name of ["letters-n", "letters-own"])
      await until(async () => (await sheetOf(name)).includes(`"font-size">${own}<`));
  });

  it("tell what of them is left out, and where", async () => {
    const rules = rule(equals("colour", "x"), GREEN) + rule("<ogc:Filter><ogc:BBOX><ogc:PropertyName>geom</ogc:PropertyName></ogc:BBOX></ogc:Filter>", BLUE) + rule("", RED); // oxfmt-ignore
    const { status, notes } = await put("partly", SLD, sld(rules));
    assert.equal(status, 200);
    assert.deepEqual(notes.map(({ at }) => at), ['Rule 1 "#00ff00" / Filter', 'Rule 2 "#0000ff" / Filter']); // oxfmt-ignore
    assert.match(notes[0]!.message, /left out.*colour/);
    await drawn("partly", [RED, RED, RED]);
    const renderer = `<renderer-v2 type="RuleRenderer"><rules><rule filter="$area > 5" symbol="1" label="large"/><rule symbol="0" label="all"/></rules><symbols><symbol name="0" type="fill" alpha="1"><layer class="GradientFill" enabled="1"><Option type="Map"><Option name="color" value="255,0,0,255"/></Option></layer></symbol>${symbol("1", "0,0,255")}</symbols></renderer-v2>`;
    const told = await put("partly-qml", QML, qml(renderer));
    assert.deepEqual(told.notes.map(({ at }) => at).sort(), ['rule 1 "large"', 'rule 2 "all" / layer 1 GradientFill']); // oxfmt-ignore
    assert.match(told.notes.map(({ message }) => message).join(), /\$area/);
    const layers = [{ id: "a", type: "fill", filter: ["within", {}], paint: {} }, { id: "b", type: "fill", paint: { "fill-color": RED, "fill-pattern": "dots" } }, { id: "h", type: "heatmap" }]; // oxfmt-ignore
    const maplibre = await put("partly-mbs", MBS, JSON.stringify({ version: 8, layers }));
    assert.deepEqual(maplibre.notes.map(({ at }) => at).sort(), ['layer "a" / filter', 'layer "b" / fill-pattern', 'layer "h"']); // oxfmt-ignore
    const font = `<se:Rule><se:PointSymbolizer><se:Graphic><se:Mark><se:OnlineResource xlink:href="ttf://Arial#0x4D"/><se:Format>ttf</se:Format><se:MarkIndex>77</se:MarkIndex></se:Mark></se:Graphic></se:PointSymbolizer></se:Rule>`;
    assert.match((await put("partly-font", SLD, sld(font))).notes[0]!.message, /mark of a font or picture is not read/);
  });

  it("are never a way to files and other hosts, and cannot grow", async () => {
    let asked = 0;
    const other = createServer((_request, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/x.png`;
    try {
      const picture = `<se:Rule><se:PointSymbolizer><se:Graphic><se:ExternalGraphic><se:OnlineResource xlink:href="${elsewhere}"/><se:Format>image/png</se:Format></se:ExternalGraphic></se:Graphic></se:PointSymbolizer>${fill(RED)}</se:Rule>`;
      const { notes } = await put("outside", SLD, sld(picture));
      assert.match(notes.map(({ message }) => message).join(), /not fetched/);
      await drawn("outside", [RED, RED, RED]);
      for (const [type, doctype] of [
        [SLD, `<!DOCTYPE x SYSTEM "${elsewhere}">`],
        [SLD, `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>`],
        [SLD, `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`],
        [QML, `<!DOCTYPE qgis [<!ENTITY a SYSTEM "file:///etc/passwd">]>`],
        [QML, `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM' [<!ENTITY a "b">]>`],
      ] as const) {
        const body = sld(rule("", RED)).replace(/^<\?xml[^>]*>/, "");
        const { status, detail } = await put("typed", type, doctype + (type === QML ? "<qgis>&a;</qgis>" : body));
        assert.equal(status, 400, doctype);
        assert.match(detail, /document type|not well-formed/);
      }
      assert.equal(asked, 0);
    } finally {
      other.close();
    }
  });

  it("are refused where they are none, or nothing of them can be drawn", async () => {
    for (const [type, body, status, words] of [
      [SLD, "<a", 400, /not well-formed/],
      [SLD, "<a/>", 400, /no UserStyle/],
      [QML, "<a/>", 400, /not QML/],
      [QML, qml('<renderer-v2 type="heatmapRenderer"/>'), 400, /not supported/],
      [MBS, "{", 400, /not JSON/],
      [MBS, "{}", 400, /no list of layers/],
      [
        "application/json",
        JSON.stringify([{ name: "All", styles: [{ colour: RED }] }]),
        400,
        /style\[0\]\.styles\[0\].*colour/,
      ],
      [SLD, sld(rule(equals("nothing", "x"), RED)), 400, /Nothing of the style can be drawn/],
      [SLD, `${"<a>".repeat(300)}`, 400, /nested deeper/],
      ["image/png", "x", 415, /must be .*mapbox.style\+json, or .*sld\+xml.*, in UTF-8/],
      [SLD, " ".repeat(4_000_001), 413, /over 4000000 bytes/],
    ] as const) {
      const answer = await put("bad", type, body);
      assert.equal(answer.status, status, `${type} ${body.slice(0, 80)} ${answer.detail}`);
      assert.match(answer.detail, words);
    }
    assert.equal((await put("a%20b", SLD, sld(rule("", RED)))).status, 400);
    assert.equal((await put("ok", SLD, sld(rule("", RED)), "")).status, 401);
    assert.equal((await put("ok", SLD, sld(rule("", RED)), guest)).status, 403);
  });

  it("come out again as SLD and come in as the same", async () => {
    const authorization = `Bearer ${token}`;
    const sheet = async (name: string): Promise<string> =>
      (await fetch(`${root}/styles/${name}?f=sld`, { headers: { authorization } })).text();
    const first = await sheet("sld");
    assert.deepEqual((await put("again", SLD, first)).notes, []);
    await drawn("again", [GREEN, BLUE, RED]);
    const removed = await fetch(`${root}/styles/again`, { method: "DELETE", headers: { authorization } });
    assert.equal(removed.status, 204);
    await until(async () => (await fetch(`${root}/styles/again?f=sld`, { headers: { authorization } })).status === 404);
  });

  it("come over REST too, with notes, a title and the choice of the default one", async () => {
    const rest = `${gateway.baseUrl}/api/v4/schemas/gis/tables/plots/styles`;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const send = async (path: string, method: string, body?: object) => {
      const response = await fetch(rest + path, { method, headers, redirect: "manual", ...(body && { body: JSON.stringify(body) }) }); // oxfmt-ignore
      const text = await response.text();
      return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> };
    };
    const made = await send("", "POST", { name: "rest", document: sld(rule(equals("colour", "x"), GREEN) + rule("", BLUE)), default: true }); // oxfmt-ignore
    assert.equal(made.status, 201);
    assert.equal((made.body["notes"] as unknown[]).length, 1);
    const listed = (await send("", "GET")).body as unknown as { name: string; title: string; default: boolean }[];
    assert.deepEqual(listed.find(({ name }) => name === "rest"), { name: "rest", title: "Land use", default: true, classes: 1 }); // oxfmt-ignore
    await drawn("rest", [BLUE, BLUE, BLUE]);
    assert.equal((await send("/default", "PATCH", { default: true })).status, 303);
    assert.equal((await send("/rest", "PATCH", { title: "Other" })).status, 303);
    assert.deepEqual((({ title, default: isDefault }) => [title, isDefault])((await send("/rest", "GET")).body), ["Other", false]); // oxfmt-ignore
    assert.equal((await send("", "POST", { name: "x", document: "<a/>", classes: [] })).status, 400);
    assert.equal((await send("", "POST", { name: "x", document: "what" })).status, 400);
    assert.equal((await send("/rest", "DELETE")).status, 204);
    assert.equal((await send("/rest", "DELETE")).status, 404);
    assert.equal((await send("/rest", "GET")).status, 404);
  });
});
