import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { deserialize } from "flatgeobuf/lib/mjs/geojson.js";
import { FEATURES_FORMATS } from "../../ogc/exchange/formats.ts";
import { queryParquet, readArrow } from "../support/columnar.ts";
import { until } from "../support/until.ts";
import { CRS84, epsg, hrefOf, ogcGateway, type Json, type OgcGateway } from "./support.ts";

const RECORD_SEPARATOR = "\x1e";

const FIXTURE = `
create table geo.types (
  id int primary key, small int2, big int8, real float4, double float8, exact numeric, scaled numeric(8, 2), flag boolean,
  text text, code uuid, tags text[], span int4range, document jsonb, day date, at timestamptz, took interval, blob bytea,
  geom geometry(Point, 4326), place geometry(Point, 4326));
insert into geo.types values
  (1, -7, 9007199254740993, 1.5, 2, 3, 4.25, true, 'a, "b"' || e'\\r\\nç=', '00000000-0000-0000-0000-000000000001',
   array['x', 'y'], '[1,4)', '{"a": [1, null]}', '2024-05-06', '2024-05-06 07:08:09.5+02', '1 day 02:03:04', '\\x00ff',
   'srid=4326;point(1 2)', 'srid=4326;point(3 4)'),
  (2, null, null, null, null, null, null, null, '', null, null, null, null, null, null, null, null, null, null),
  (3, 0, 0, 'NaN', 'Infinity', 1e20, 0, false, '=1+1', null, '{}', 'empty', 'null', null, null, null, null,
   'srid=4326;point(-5.123456789 6)', null);
create table geo.many (id int primary key, name text, height float8, geom geometry(Polygon, 4326));
insert into geo.many
select i, 'n' || i, i, st_buffer(st_setsrid(st_makepoint(i % 100, i / 100 - 30), 4326), 0.4, 2) from generate_series(1, 6000) i;
create table geo.heights (id int primary key, geom geometry);
insert into geo.heights values
  (1, 'srid=4326;point(1 2)'), (2, 'srid=4326;point z(3 4 5)'), (3, null), (4, 'srid=4326;linestring m(0 0 1, 1 1 2)'),
  (5, 'srid=4326;multipolygon z(((0 0 1, 1 0 2, 1 1 3, 0 0 1)), ((5 5 1, 9 5 1, 9 9 1, 5 5 1), (7 6 1, 8 6 1, 8 7 1, 7 6 1)))');
create table geo.wkt (id int primary key, "wKt" text, geom geometry(Point, 4326));
create table geo.fine (id int primary key, geom geometry(Point, 4326));
insert into geo.fine values (1, 'srid=4326;point(8.123456789 49.987654321)'), (2, 'srid=4326;point(-0.57 0.43)');
create table geo.ways (id int primary key, geom geometry(LineString, 4326));
insert into geo.ways values (1, 'srid=4326;linestring(0 0, 1 0.01, 2 0, 3 1, 4 0)'), (2, null);
create table geo.late (id int primary key, geom geometry(Point, 4326));
insert into geo.late values (1, 'srid=4326;point(1 1)'), (2, 'srid=4326;point(1 95)'), (3, 'srid=4326;point(3 3)');
create table geo.times (id int primary key, day date, at timestamptz, local timestamp, geom geometry(Point, 4326));
insert into geo.times values
  (1, '2024-05-06', '2024-05-06 07:08:09.5+02', '2024-05-06 07:08:09', 'srid=4326;point(1 1)'),
  (2, 'infinity', '-infinity', 'infinity', 'srid=4326;point(1 1)'),
  (3, '0044-03-15 BC', '0044-03-15 12:00Z BC', '0044-03-15 BC', 'srid=4326;point(1 1)');
select portolan.set_authentication(r::regclass, 'None')
from unnest(array['geo.types', 'geo.many', 'geo.heights', 'geo.wkt', 'geo.fine', 'geo.ways', 'geo.late', 'geo.times']) r`;

/** All formats except those with tests of their own: common promises hold for a new one too. */
const FLAT: Readonly<Record<string, string>> = Object.fromEntries(
  FEATURES_FORMATS.filter(({ name }) => !["json", "html", "jsonfg"].includes(name)).map(({ name, mediaType }) => [
    name,
    mediaType,
  ]),
);

/** Formats without other systems. */
const LONGITUDE_FIRST: ReadonlySet<string> = new Set(["parquet", "arrow", "kml"]);

describe("formats of features beside GeoJSON", () => {
  let gateway: OgcGateway;
  let directory: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), "portolan-formats-"));
    gateway = await ogcGateway({ prepare: ({ client }) => client.query(FIXTURE) });
  });
  after(async () => {
    await gateway.close();
    rmSync(directory, { recursive: true });
  });

  const items = (collection: string, query: string): string => `/collections/geo.${collection}/items?${query}`;

  async function bytes(path: string): Promise<{ headers: Headers; body: Uint8Array }> {
    const response = await fetch(path.startsWith("http") ? path : gateway.root + path);
    const body = await response.bytes();
    assert.equal(response.status, 200, Buffer.from(body).toString());
    return { headers: response.headers, body };
  }
  async function flatgeobuf(path: string, rect?: object): Promise<{ header: Json; features: Json[] }> {
    const { body } = await bytes(path);
    let header: Json;
    const features: Json[] = [];
    for await (const feature of deserialize(body, {
      headerMetaFn: (its: Json) => (header = its),
      ...(rect && { rect }),
    } as object))
      features.push(feature);
    return { header, features };
  }
  /**
   * GDAL's reading of a file: its features as GeoJSON texts. By way of Arrow, GDAL 3.10 makes 100,000 empty features of a
   * FlatGeobuf file with an index, also of its own, if the box of -spat has none.
   */
  async function byGdal(name: string, body: Uint8Array, ...options: string[]): Promise<Json[]> {
    const file = join(directory, name);
    writeFileSync(file, body);
    // without the name of the driver GDAL 3.10 takes a file for JSON-FG if a column of geometries is called place
    const named = name.endsWith(".geojsonl") ? `GeoJSONSeq:${file}` : file;
    const { stdout, stderr } = await promisify(execFile)(
      "ogr2ogr",
      [
        ...["--config", "OGR2OGR_USE_ARROW_API", "NO", "-f", "GeoJSON", "/vsistdout/", named],
        ...["-lco", "COORDINATE_PRECISION=9", ...options],
      ],
      { maxBuffer: 1e8 },
    );
    assert.equal(stderr, "");
    return (JSON.parse(stdout) as Json).features;
  }

  it("are named by f and by Accept, and by the links of a page and of its collection; geojson is another word for json", async () => {
    assert.ok(Object.keys(FLAT).length >= 3);
    for (const [name, type] of Object.entries(FLAT)) {
      for (const asked of [
        gateway.get(items("places", `f=${name}`)),
        gateway.get(items("places", ""), { headers: { accept: type } }),
        gateway.get(items("places", `f=${encodeURIComponent(type)}`)),
      ]) {
        const { status, headers } = await asked;
        assert.deepEqual([status, headers.get("content-type")?.split(";")[0]], [200, type]);
        assert.equal(headers.get("content-crs"), `<${CRS84}>`);
      }
      const page = await gateway.get(items("places", "f=geojson&limit=3"));
      assert.equal(page.headers.get("content-type"), "application/geo+json");
      const { json: collection } = await gateway.get("/collections/geo.places");
      for (const links of [page.json.links, collection.links])
        assert.ok(
          links.some((link: Json) => link.type === type && link.href.includes(`f=${name}`)),
          name,
        );
    }
    const { json: api } = await gateway.get("/api");
    const { content } = api.paths["/collections/{collectionId}/items"].get.responses[200];
    assert.deepEqual(
      Object.keys(content).sort(),
      [...Object.values(FLAT), ...["application/geo+json", "application/vnd.ogc.fg+json", "text/html"]].sort(),
    );
    for (const [word, name] of [
      ["flatgeobuf", "fgb"],
      ["geopackage", "gpkg"],
    ])
      assert.equal(
        (await gateway.get(items("places", `f=${word}&limit=1`))).headers.get("content-type"),
        (await gateway.get(items("places", `f=${name}&limit=1`))).headers.get("content-type"),
      );
    for (const path of [
      "/collections/geo.places/items/1?f=csv",
      "/collections?f=csv",
      "/collections/geo.places/map?f=fgb",
    ])
      assert.equal((await gateway.get(path)).status, 400, path);
  });

  it("csv has a header, RFC 4180's quotes, WKT, and values as GeoJSON has them", async () => {
    const { text } = await gateway.get(items("types", "f=csv"));
    assert.equal(
      text,
      [
        "id,small,big,real,double,exact,scaled,flag,text,code,tags,span,document,day,at,took,blob,place,WKT",
        '1,-7,9007199254740993,1.5,2.0,3.0,4.25,true,"a, ""b""\r\nç=",00000000-0000-0000-0000-000000000001,"[""x"",""y""]",' +
          '"{""lower"" : 1, ""upper"" : 4, ""lowerInclusive"" : true, ""upperInclusive"" : false}","{""a"": [1, null]}",' +
          '2024-05-06,2024-05-06T05:08:09.5+00:00,P1DT2H3M4S,AP8=,"{""type"":""Point"",""coordinates"":[3,4]}","POINT(1 2)"',
        '2,,,,,,,,"",,,,,,,,,,',
        `3,0,0,,,100000000000000000000.0,0.00,false,'=1+1,,[],"{""lower"" : null, ""upper"" : null, ""lowerInclusive"" : false, ""upperInclusive"" : false}",null,,,,,,"POINT(-5.123456789 6)"`,
        "",
      ].join("\r\n"),
    );
    const chosen = await gateway.get(items("types", "f=csv&properties=flag,text&limit=1&skipGeometry=true"));
    assert.equal(chosen.text.split("\r\n")[0], "id,flag,text,WKT");
    const named = await gateway.get(items("wkt", "f=csv"));
    assert.equal(named.text, "id,wKt,geom\r\n");
  });

  it("geojsonseq is each feature of the GeoJSON page, behind a record separator and before a line feed", async () => {
    const { json } = await gateway.get(items("kinds", "limit=100"));
    const { text } = await gateway.get(items("kinds", "limit=100&f=geojsonseq"));
    const texts = text.split(RECORD_SEPARATOR);
    assert.equal(texts.shift(), "");
    assert.ok(texts.every((each) => each.endsWith("}\n")));
    assert.deepEqual(
      texts.map((each) => JSON.parse(each) as Json),
      json.features,
    );
  });

  it("ndjson is each feature of the GeoJSON page in a line, and is read by GDAL", async () => {
    for (const query of ["limit=100", `limit=100&crs=${epsg(3857)}&skipGeometry=true`]) {
      const { json } = await gateway.get(items("kinds", query));
      const { headers, body } = await bytes(items("kinds", `${query}&f=ndjson`));
      assert.equal(headers.get("content-type"), "application/x-ndjson");
      const lines = Buffer.from(body).toString().split("\n");
      assert.equal(lines.pop(), "");
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as Json),
        json.features,
      );
    }
    const { body } = await bytes(items("types", "f=ndjson&sortby=id"));
    const read = await byGdal("types.geojsonl", body);
    assert.deepEqual(
      read.map(({ properties }) => properties.text as string),
      ['a, "b"\r\nç=', "", "=1+1"],
    );
    assert.equal((await gateway.get(items("nothing", "f=ndjson"))).text, "");
    assert.equal((await gateway.get("/collections/geo.kinds/items/1?f=ndjson")).status, 400);
  });

  it("fgb is read by FlatGeobuf's own reader and by GDAL: every type, null and kind of geometry", async () => {
    const { header, features } = await flatgeobuf(items("types", "f=fgb&sortby=id&filter=id%3C%3E2"));
    assert.deepEqual(
      header.columns.map(({ name, type }: Json) => [name, type]),
      [
        ["id", 5], ["small", 5], ["big", 7], ["real", 9], ["double", 10], ["exact", 11], ["scaled", 11], ["flag", 2],
        ["text", 11], ["code", 11], ["tags", 11], ["span", 11], ["document", 12], ["day", 13], ["at", 13], ["took", 11],
        ["blob", 11], ["place", 11],
      ],
    ); // oxfmt-ignore
    assert.deepEqual([header.geometryType, header.featuresCount, header.crs.code], [1, 2, 4326]);
    const [first, third] = features;
    assert.deepEqual(first.geometry, { type: "Point", coordinates: [1, 2] });
    // numbers of JavaScript, as its reader returns them
    assert.deepEqual(
      { ...first.properties, span: "" },
      {
        id: 1, small: -7, big: 9007199254740992, real: 1.5, double: 2, exact: "3.0", scaled: "4.25", flag: true,
        text: 'a, "b"\r\nç=', code: "00000000-0000-0000-0000-000000000001", tags: '["x","y"]', span: "",
        document: { a: [1, null] }, day: "2024-05-06", at: "2024-05-06T05:08:09.5+00:00", took: "P1DT2H3M4S",
        blob: "AP8=", place: '{"type":"Point","coordinates":[3,4]}',
      },
    ); // oxfmt-ignore
    assert.equal(third.properties.text, "=1+1");

    for (const collection of ["kinds", "heights", "types"])
      for (const query of ["", "&sortby=id"]) {
        const json = (await gateway.get(items(collection, "limit=100"))).json.features as Json[];
        const { body } = await bytes(items(collection, `limit=100&f=fgb${query}`));
        const read = await byGdal("read.fgb", body);
        const byId = new Map(read.map((feature) => [feature.properties.id, feature.geometry]));
        for (const { id, geometry } of json) {
          const flat = JSON.stringify(geometry && withoutZeroHeights(geometry));
          assert.equal(JSON.stringify(byId.get(id) && withoutZeroHeights(byId.get(id))), flat, `${collection} ${id}`);
        }
      }
  });

  it("kml is read by GDAL: every kind of geometry, names, and values with their types", async () => {
    for (const collection of ["kinds", "heights", "many"]) {
      const json = (await gateway.get(items(collection, "limit=100"))).json.features as Json[];
      const read = await byGdal("read.kml", (await bytes(items(collection, "limit=100&f=kml"))).body);
      assert.equal(read.length, json.length);
      for (const [index, { id, geometry }] of json.entries()) {
        const { properties, geometry: own } = read[index]!;
        assert.equal(Number(properties.id), id, "GDAL 3.10 reads id as text");
        if (collection === "many") assert.deepEqual([properties.Name, properties.height], [`n${id}`, Number(id)]);
        const flat = JSON.stringify(geometry && singled(withoutZeroHeights(geometry)));
        assert.equal(JSON.stringify(own && singled(withoutZeroHeights(own))), flat, `${collection} ${id}`);
      }
    }
    const text = (await gateway.get(items("types", "f=kml&sortby=id&filter=id%3C%3E2"))).text;
    const fields = [...text.matchAll(/<SimpleField name="(\w+)" type="(\w+)"/g)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    assert.deepEqual(fields.slice(0, 9), [
      ...["id int", "small int", "big string", "real float", "double double", "exact string", "scaled string"],
      ...["flag bool", "text string"],
    ]);
    const [first, third] = text.split("<Placemark>").slice(1) as [string, string];
    const values = Object.fromEntries([...first.matchAll(/<SimpleData name="(\w+)">([^<]*)/g)].map(([, name, value]) => [name, value])); // oxfmt-ignore
    assert.deepEqual(values, {
      id: "1", small: "-7", big: "9007199254740993", real: "1.5", double: "2", exact: "3.0", scaled: "4.25", flag: "true",
      text: "a, &quot;b&quot;\r\nç=", code: "00000000-0000-0000-0000-000000000001", tags: "[&quot;x&quot;,&quot;y&quot;]",
      span: values["span"], document: "{&quot;a&quot;: [1, null]}", day: "2024-05-06", at: "2024-05-06T05:08:09.5+00:00",
      took: "P1DT2H3M4S", blob: "AP8=", place: "{&quot;type&quot;:&quot;Point&quot;,&quot;coordinates&quot;:[3,4]}",
    }); // oxfmt-ignore
    assert.match(third, /<SimpleData name="text">=1\+1</);
    assert.match(third, /<Point><coordinates>-5.123456789,6<\/coordinates><\/Point><\/Placemark>/);
    const nothing = (await gateway.get(items("nothing", "f=kml"))).text;
    assert.match(nothing, /^<\?xml [^]*<Document><name>geo.nothing<\/name>[^]*<\/Document>\n<\/kml>\n$/);
  });

  it("fgb of a few has an index by which GDAL finds what a box has; of more than ogc.fgbIndexed, and sorted, none", async () => {
    const path = items("many", "limit=6000&f=fgb");
    const indexed = await bytes(path);
    assert.equal((await flatgeobuf(path)).header.indexNodeSize, 16);
    const sorted = await flatgeobuf(`${path}&sortby=-id`);
    assert.deepEqual([sorted.header.indexNodeSize, sorted.header.featuresCount], [0, 6000]);
    assert.deepEqual(sorted.features.map(({ properties }) => properties.id).slice(0, 3), [6000, 5999, 5998]);
    for (const box of [
      [20.5, -10.2, 33, 4.7],
      [99, 29, 100, 30],
      [-50, -50, -40, -40],
      [-180, -90, 180, 90],
    ]) {
      const { json } = await gateway.get(items("many", `limit=6000&bbox=${box.join()}`));
      const found = await byGdal("indexed.fgb", indexed.body, "-spat", ...box.map(String));
      assert.equal(found.length, json.features.length, box.join());
      const ids = (all: Json[], of: (feature: Json) => number): number[] => all.map(of).sort((a, b) => a - b);
      assert.deepEqual(
        ids(found, ({ properties }) => properties.id),
        ids(json.features, ({ id }) => id),
        box.join(),
      );
    }
    const other = await ogcGateway({
      config: { ogc: { fgbIndexed: 2 } },
      prepare: ({ client }) => client.query(FIXTURE),
    });
    try {
      for (const [limit, node] of [
        [2, 16],
        [3, 0],
        [6000, 0],
      ]) {
        const { header, features } = await flatgeobuf(`${other.root}${items("many", `limit=${limit}&f=fgb`)}`);
        assert.deepEqual([header.indexNodeSize, header.featuresCount, features.length], [node, limit, limit]);
      }
    } finally {
      await other.close();
    }
  });

  it("have numbers and the ways to other pages in their headers, of small pages and of large ones, forwards and back", async () => {
    for (const format of Object.keys(FLAT))
      for (const [query, matched] of [
        ["limit=7&filter=id%3C=20", 20],
        ["limit=2500", 6000],
        ["limit=2500&sortby=-height,name", 6000],
        ["limit=2500&filter=id%3E10", 5990],
      ] as const) {
        const expected: number[] = [];
        for (let next = items("many", query); next;) {
          const { json } = await gateway.get(next);
          expected.push(json.numberReturned as number);
          next = json.links.find(({ rel }: Json) => rel === "next")?.href;
        }
        const link = (headers: Headers, rel: string): string | undefined =>
          new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get("link") ?? "")?.[1];
        const returned: number[] = [];
        let last: string | undefined;
        for (let next: string | undefined = items("many", `${query}&f=${format}`); next;) {
          const { headers } = await bytes(next);
          assert.equal(headers.get("ogc-numbermatched"), String(matched), `${format} ${query}`);
          returned.push(Number(headers.get("ogc-numberreturned")));
          last = next;
          next = link(headers, "next");
          if (next) assert.match(next, new RegExp(`f=${format}`));
        }
        assert.deepEqual(returned, expected, `${format} ${query}`);
        const back = link((await bytes(last!)).headers, "prev")!;
        const before = await gateway.get(back.replace(`f=${format}`, "f=json"));
        const { headers, body } = await bytes(back);
        assert.equal(headers.get("ogc-numberreturned"), String(before.json.numberReturned));
        assert.equal(hrefOf(before.json.links, "next").replace("f=json", `f=${format}`), link(headers, "next"));
        if (format === "csv")
          assert.deepEqual(
            Buffer.from(body).toString().split("\r\n").slice(1, -1).map((line) => Number(line.split(",")[0])),
            before.json.features.map(({ id }: Json) => id),
          ); // oxfmt-ignore
        const head = await gateway.get(items("many", `${query}&f=${format}`), { method: "HEAD" });
        assert.deepEqual([head.text, head.headers.get("ogc-numbermatched")], ["", String(matched)]);
      }
  });

  it("are begun and ended properly without features", async () => {
    assert.equal((await gateway.get(items("nothing", "f=csv"))).text, "id,WKT\r\n");
    const { headers, text } = await gateway.get(items("nothing", "f=geojsonseq"));
    assert.deepEqual([text, headers.get("ogc-numbermatched"), headers.get("ogc-numberreturned")], ["", "0", "0"]);
    const { body } = await bytes(items("nothing", "f=fgb"));
    assert.deepEqual(await byGdal("nothing.fgb", body), []);
  });

  it("a first feature that cannot be given is 400; a later one is without geometry", async () => {
    for (const format of Object.keys(FLAT)) {
      const first = await gateway.get(items("late", `f=${format}&crs=${epsg(3857)}&offset=1`));
      const code = LONGITUDE_FIRST.has(format) ? "INVALID_CRS" : "INVALID_PARAMETER";
      assert.deepEqual([first.status, first.json.code], [400, code], format);
      const nan = await gateway.get(items("bad", `f=${format}&filter=id=3`));
      assert.deepEqual([nan.status, nan.json.code], [400, "INVALID_PARAMETER"], format);
    }
    const { text } = await gateway.get(items("late", `f=csv&crs=${epsg(3857)}`));
    assert.match(text, /\r\n1,"POINT[^"]*"\r\n2,\r\n3,"POINT/);
    const features = await byGdal("late.fgb", (await bytes(items("late", `f=fgb&crs=${epsg(3857)}`))).body);
    assert.deepEqual(features.map(({ geometry }) => geometry === null).sort(), [false, false, true]);
  });

  it("have lines with fewer positions, none further from the original than max-allowable-offset in units of crs", async () => {
    const at = async (query: string) =>
      (await gateway.get(items("ways", query))).json.features.map(({ geometry }: Json) => geometry?.coordinates.length);
    for (const query of ["", "sortby=id&limit=2"]) {
      assert.deepEqual(await at(query), [5, undefined]);
      assert.deepEqual(await at(`${query}&max-allowable-offset=0.1`), [4, undefined]);
      assert.deepEqual(await at(`${query}&max-allowable-offset=2`), [2, undefined]);
      assert.deepEqual(await at(`${query}&max-allowable-offset=0.001`), [5, undefined]);
    }
    assert.deepEqual(await at(`max-allowable-offset=1000&crs=${epsg(3857)}`), [5, undefined]);
    assert.deepEqual(await at(`max-allowable-offset=5000&crs=${epsg(3857)}`), [4, undefined]);
    const line = /"LINESTRING\(0 0,2 0,3 1,4 0\)"/;
    assert.match((await gateway.get(items("ways", "f=csv&max-allowable-offset=0.1"))).text, line);
    const { features } = await flatgeobuf(items("ways", "f=fgb&filter=id=1&max-allowable-offset=0.1"));
    assert.equal(features[0].geometry.coordinates.length, 4);
    assert.equal((await gateway.get(items("fine", "max-allowable-offset=9"))).json.features.length, 2);
  });

  it("have coordinates rounded to the decimals of precision, in text, in any system, whatever was asked before", async () => {
    const at = async (query: string) =>
      (await gateway.get(items("fine", query))).json.features.map(({ geometry }: Json) => geometry.coordinates);
    const whole = [[8.123456789, 49.987654321], [-0.57, 0.43]]; // oxfmt-ignore
    for (const query of ["", "sortby=id&limit=2"]) {
      assert.deepEqual(await at(query), whole);
      assert.deepEqual(await at(`${query}&precision=2`), [[8.12, 49.99], [-0.57, 0.43]]); // oxfmt-ignore
      assert.deepEqual(await at(`${query}&precision=0`), [[8, 50], [-1, 0]]); // oxfmt-ignore
      assert.deepEqual(await at(query), whole);
      assert.deepEqual(await at(`${query}&precision=15`), whole);
    }
    assert.deepEqual(await at(`precision=1&crs=${epsg(4326)}`), [[50, 8.1], [0.4, -0.6]]); // oxfmt-ignore
    const [[x]] = await at(`precision=0&crs=${epsg(3857)}`);
    assert.ok(Number.isInteger(x) && Math.abs(x - 904_299) < 2, String(x));
    assert.match((await gateway.get(items("fine", "f=csv&precision=1"))).text, /"POINT\(8\.1 50\)"/);
    assert.match((await gateway.get(items("fine", "f=geojsonseq&precision=1"))).text, /\[8\.1,50(\.0)?\]/);
    const { features } = await flatgeobuf(items("fine", "f=fgb&precision=1"));
    assert.deepEqual(
      features.map(({ geometry }) => geometry.coordinates).sort(([a], [b]) => b - a),
      whole,
    );
    const { json } = await gateway.get(items("fine", "limit=1&precision=1"));
    const next = (await gateway.get(hrefOf(json.links, "next"))).json;
    assert.match(hrefOf(next.links, "self"), /precision=1/);
    assert.deepEqual(next.features[0].geometry.coordinates, [-0.6, 0.4]);
  });

  it("parquet and arrow have the values of the GeoJSON page, and well-known binary", async () => {
    const { json } = await gateway.get(items("places", "limit=100"));
    const query = "limit=100&sortby=id";
    const parquet = await queryParquet(
      (await bytes(items("places", `${query}&f=parquet`))).body,
      "select * from $file order by id",
    );
    const arrow = readArrow((await bytes(items("places", `${query}&f=arrow`))).body);
    const ids = json.features.map(({ id }: Json) => id as number).sort((a: number, b: number) => a - b);
    for (const rows of [parquet, arrow]) assert.deepEqual(rows.map(({ id }) => id), ids); // oxfmt-ignore
    const file = (await bytes(items("types", "f=parquet&sortby=id"))).body;
    const [first, second] = await queryParquet(
      file,
      `select small, big, real, exact, flag, "text", code::varchar as code, tags, document::varchar as document,
        "day"::varchar as "day", epoch_us("at")::varchar as "at", took, hex(blob) as blob, place, geom::varchar as geom from $file`,
    );
    assert.deepEqual(first, {
      ...{ small: -7, big: "9007199254740993", real: 1.5, exact: "3.0", flag: true, text: 'a, "b"\r\nç=' },
      ...{ code: "00000000-0000-0000-0000-000000000001", tags: '["x","y"]', document: '{"a": [1, null]}' },
      ...{
        day: "2024-05-06",
        at: String(Date.parse("2024-05-06T05:08:09.5Z") * 1000),
        took: "P1DT2H3M4S",
        blob: "00FF",
      },
      ...{ place: '{"type":"Point","coordinates":[3,4]}', geom: "POINT (1 2)" },
    });
    assert.deepEqual([second?.["text"], second?.["geom"]], ["", null]);
    const [geo] = await queryParquet(
      (await bytes(items("many", "f=parquet&limit=10000"))).body,
      "select decode(value)::varchar as geo from parquet_kv_metadata($file) where decode(key) = 'geo'",
    );
    const { version, columns } = JSON.parse(String(geo?.["geo"])) as Json;
    assert.deepEqual([version, columns.geom.geometry_types, columns.geom.encoding], ["1.1.0", ["Polygon"], "WKB"]);
    assert.equal(
      (await queryParquet((await bytes(items("nothing", "f=parquet"))).body, "select * from $file")).length,
      0,
    );
    const heights = await queryParquet(
      (await bytes(items("heights", "f=parquet"))).body,
      "select id, geom::varchar as geom from $file where id in (2, 4) order by id",
    );
    assert.deepEqual(heights.map(({ geom }) => geom), ["POINT Z (3 4 5)", "LINESTRING (0 0, 1 1)"]); // oxfmt-ignore
  });

  it("gpkg is read by GDAL, in any system: each feature and its geometry", async () => {
    for (const collection of ["kinds", "heights", "places"]) {
      const json = (await gateway.get(items(collection, "limit=100"))).json.features as Json[];
      const { headers, body } = await bytes(items(collection, "limit=100&f=gpkg"));
      assert.equal(headers.get("content-type"), "application/geopackage+sqlite3");
      const read = await byGdal("read.gpkg", body, "-preserve_fid");
      const byId = new Map(read.map((feature) => [feature.id, feature.geometry]));
      for (const { id, geometry } of json) {
        const flat = JSON.stringify(geometry && withoutZeroHeights(geometry));
        assert.equal(JSON.stringify(byId.get(id) && withoutZeroHeights(byId.get(id))), flat, `${collection} ${id}`);
      }
    }
    const { body } = await bytes(items("lonlat", `f=gpkg&crs=${epsg(3857)}`));
    writeFileSync(join(directory, "mercator.gpkg"), body);
    const { stdout } = await promisify(execFile)("ogrinfo", ["-al", "-so", join(directory, "mercator.gpkg")]);
    assert.match(stdout, /ID\["EPSG",3857\]\]/);
    assert.equal((await byGdal("nothing.gpkg", (await bytes(items("nothing", "f=gpkg"))).body)).length, 0);
    assert.equal((await gateway.get(items("places", "f=gpkg"), { method: "HEAD" })).status, 200);
  });

  it("fgb and gpkg have no value for instants without end and before the year 1, which GDAL would read as others", async () => {
    for (const format of ["fgb", "gpkg"]) {
      const read = await byGdal(`times.${format}`, (await bytes(items("times", `f=${format}`))).body, "-preserve_fid");
      const byId = new Map(
        read.map(({ id: key, properties: { id = key, day = null, at = null, local = null } }) => [
          id,
          [day, at, local],
        ]),
      );
      assert.deepEqual([byId.get(2), byId.get(3)], [[null, null, null], [null, null, null]], format); // oxfmt-ignore
      assert.ok(
        byId.get(1)!.every((value) => value !== null),
        format,
      );
    }
  });

  it("keep a system's order of axes in text, and have x first in fgb", async () => {
    const query = `crs=${epsg(4326)}`;
    assert.match((await gateway.get(items("lonlat", `f=csv&${query}`))).text, /"POINT\(49\.4 8\.6\)"/);
    const { header, features } = await flatgeobuf(items("lonlat", `f=fgb&${query}`));
    assert.deepEqual([header.crs.code, features[0].geometry.coordinates], [4326, [8.6, 49.4]]);
    const mercator = await flatgeobuf(items("lonlat", `f=fgb&crs=${epsg(3857)}`));
    assert.equal(mercator.header.crs.code, 3857);
  });

  it("GDAL reads csv with its geometries, and takes a column of floats for one although its first are whole", async () => {
    const { body } = await bytes(items("many", "limit=3&f=csv"));
    const [feature] = await byGdal("many.csv", body, "-oo", "AUTODETECT_TYPE=YES", "-a_srs", "EPSG:4326");
    assert.equal(feature.geometry.type, "Polygon");
    const { stdout } = await promisify(execFile)("ogrinfo", [
      "-al",
      "-so",
      "-oo",
      "AUTODETECT_TYPE=YES",
      join(directory, "many.csv"),
    ]);
    assert.match(stdout, /height: Real/);
  });

  it("have no column that the caller may not read", async () => {
    await gateway.database.client.query(
      `create table geo.narrow (id int primary key, name text, geom geometry(Point, 4326), salary int);
      grant select (id, name, geom) on geo.narrow to "guest@${gateway.database.name}"`,
    );
    await until(async () => (await gateway.get(items("narrow", "f=csv"), { as: "guest" })).text === "id,name,WKT\r\n");
    assert.equal((await gateway.get(items("narrow", "f=csv&properties=salary"), { as: "guest" })).status, 400);
    assert.equal((await gateway.get("/collections/geo.secret/items?f=fgb")).status, 401);
  });
});

/** Heights of 0 are those that a column of several dimensions gives to features without one. */
function withoutZeroHeights(geometry: Json): Json {
  if (geometry.geometries) return { type: geometry.type, geometries: geometry.geometries.map(withoutZeroHeights) };
  const flat = (value: Json): Json =>
    Array.isArray(value[0]) ? value.map(flat) : value.length > 2 && value[2] === 0 ? value.slice(0, 2) : value;
  return { type: geometry.type, coordinates: flat(geometry.coordinates) };
}

/** With nine decimals; a list of one geometry is that geometry, since KML does not tell the two apart. */
function singled(geometry: Json): Json {
  const { type, coordinates } = JSON.parse(JSON.stringify(geometry), (_, value: unknown) =>
    typeof value === "number" ? Math.round(value * 1e9) / 1e9 : value,
  ) as Json;
  if (!coordinates) return geometry;
  const isOne = String(type).startsWith("Multi") && coordinates.length === 1;
  return isOne ? { type: type.slice("Multi".length), coordinates: coordinates[0] } : { type, coordinates };
}
