import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOgrinfo, findOwslib } from "../../server/setup/programs.mjs";
import { ogcGateway, type OgcGateway } from "../ogc/support.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { ask, exceptionOf, queryOf, runProgram, type Answer, type Kvp } from "./support.ts";

const GET: Kvp = { service: "WFS", version: "2.0.0", request: "GetFeature", typenames: "geo.places", count: 3 };
const GET_110: Kvp = {
  service: "WFS",
  version: "1.1.0",
  request: "GetFeature",
  typename: "geo.places",
  maxfeatures: 3,
};

const TABLES = `
create table geo.north (id integer primary key, geom geometry(Point, 3035));
insert into geo.north values (1, st_transform('srid=4326;point(10 52)'::geometry, 3035));
create table geo.areas (id integer primary key, "odd name" text, ok boolean, size float8, since date, until timestamp, geom geometry(MultiPolygon, 4326));
insert into geo.areas values
  (1, 'a <b> & "c"', true, 'Infinity', '0044-03-15 BC', 'infinity', 'srid=4326;multipolygon(((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))'), (2, null, null, null, null, '2026-01-31 12:00', null);
create table geo.shapes (id integer primary key, geom geometry);
insert into geo.shapes select n, st_setsrid(shape::geometry, 4326) from unnest(array[
  'point(1.5 -2)', 'point z (1 2 3)', 'point m (1 2 3)', 'linestring(1 2, 3 4)', 'polygon((0 0, 1 0, 1 1, 0 0), (.5 .1, .6 .1, .6 .2, .5 .1))',
  'multipoint(1 2, 3 4)', 'multilinestring zm ((1 2 3 4, 5 6 7 8))', 'multipolygon z (((0 0 1, 1 0 1, 1 1 1, 0 0 1)))',
  'geometrycollection(point(1 2), multipoint(3 4, 5 6), polygon((0 0, 1 0, 1 1, 0 0)))', 'point empty']) with ordinality as s (shape, n);
insert into geo.shapes values (11, 'srid=4326;point(nan 1)');
create table geo.named (name text primary key, size integer, note text, geom geometry(Point, 4326));
insert into geo.named select name, nullif(n, 3), case when n > 2 then 'note' end, 'srid=4326;point(1 2)' from unnest(array['a-1.B', '_x', 'a b', 'ü', '<&">', '_x0041_']) with ordinality as s (name, n);
create table geo.past (id integer primary key, geom geometry(Point, 4326));
insert into geo.past values (1, 'srid=4326;point(1 1)');
select portolan.set_authentication(name, 'None') from unnest('{geo.north,geo.areas,geo.shapes,geo.named,geo.past}'::regclass[]) as name;
select portolan.enable_versioning('geo.past')`;

const getFeature = (queries: string, attributes = "", request = "GetFeature"): string =>
  `<wfs:${request} xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" service="WFS" ${/version=/.test(attributes) ? "" : 'version="2.0.0"'} ${attributes}>${queries}</wfs:${request}>`;
const filter = (content: string): string =>
  `<fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2">${content}</fes:Filter>`;

describe("WFS", () => {
  let gateway: OgcGateway;
  let root: string;
  let folder: string;
  const get = (kvp: Kvp, token?: string): Promise<Answer> => ask(`${root}?${queryOf(kvp)}`, { token });
  const post = (body: string, headers: Readonly<Record<string, string>> = { "content-type": "application/xml" }) =>
    ask(root, { method: "POST", body, headers });
  const idsIn = ({ text }: Pick<Answer, "text">): string[] =>
    [...text.matchAll(/<p:[^ >]+ gml:id="([^"]*)"/g)].map(([, id]) => id!);

  before(async () => {
    gateway = await ogcGateway({ prepare: ({ client }) => client.query(TABLES) });
    root = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    folder = await mkdtemp(join(tmpdir(), "portolan-wfs-"));
  });
  after(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  it("gives features as GML 3.2 and 3.1, with ids, values and geometries", async () => {
    const now = await get({ ...GET, typenames: "p:geo.areas" });
    assert.equal(now.type, "application/gml+xml; version=3.2");
    assert.match(now.text, /<wfs:FeatureCollection [^>]*numberMatched="2" numberReturned="2"/);
    assert.match(now.text, /xmlns:gml="http:\/\/www\.opengis\.net\/gml\/3\.2"/);
    assert.match(
      now.text,
      /<p:odd_x0020_name>a &lt;b&gt; &amp; &quot;c&quot;<\/p:odd_x0020_name><p:ok>true<\/p:ok><p:size>INF<\/p:size><p:since>-0044-03-15<\/p:since><p:geom>/,
    );
    assert.match(now.text, /<p:id>2<\/p:id><p:until>2026-01-31T12:00:00<\/p:until><\/p:geo\.areas>/);
    assert.match(now.text, /<gml:MultiSurface gml:id="geo\.areas\.1\.g1" srsName="urn:ogc:def:crs:EPSG::4326">/);
    assert.match(now.text, /<gml:Polygon gml:id="geo\.areas\.1\.g3"[^]*?<gml:posList[^>]*>5 5 5 6 6 6 5 5</);
    const before = await get({ ...GET_110, typename: "geo.areas" });
    assert.equal(before.type, "text/xml; subtype=gml/3.1.1");
    assert.match(before.text, /numberOfFeatures="2"[^]*<gml:featureMember><p:geo\.areas gml:id="geo\.areas\.1">/);
    assert.match(before.text, /xmlns:gml="http:\/\/www\.opengis\.net\/gml"/);
  });

  it("writes each kind of geometry as PostGIS does", async () => {
    const { rows } = await gateway.database.client.query<{ gml: string | null }>(
      "select case when not st_isempty(geom) and id < 11 then st_asgml(3, st_flipcoordinates(geom), 9, 5) end as gml from geo.shapes order by id",
    );
    const shapesOf = ({ text }: Answer): (string | null)[] =>
      [...text.matchAll(/<p:geo\.shapes .*?<\/p:geo\.shapes>/g)].map(
        ([feature]) => /<p:geom>(.*)<\/p:geom>/.exec(feature)?.[1] ?? null,
      );
    const all = { ...GET, typenames: "geo.shapes", count: undefined };
    const now = shapesOf(await get(all));
    assert.deepEqual(
      now.map((text) => text?.replaceAll(/ gml:id="geo\.shapes\.\d+\.g\d+"/g, "") ?? null),
      rows.map(({ gml }) => gml),
    );
    assert.match(now[8]!, /gml:id="geo\.shapes\.9\.g5"/);
    const before = shapesOf(await get({ ...GET_110, typename: "geo.shapes", maxfeatures: undefined }));
    assert.deepEqual(before, rows.map(({ gml }) => gml)); // oxfmt-ignore
    const lines = { ...all, filter: filter('<fes:ResourceId rid="geo.shapes.9"/>') };
    assert.deepEqual(shapesOf(await get(lines)), [now[8]]);
  });

  it("takes the properties of every feature of GML as null, of which a table has none", async () => {
    const matched = async (condition: string, kvp: Kvp = GET) =>
      /numberMatched="(\d+)"/.exec(
        (await get({ ...kvp, typenames: "geo.places", filter: filter(condition) })).text,
      )?.[1];
    const isNull = (name: string) =>
      `<fes:PropertyIsNull><fes:ValueReference>${name}</fes:ValueReference></fes:PropertyIsNull>`;
    assert.equal(await matched(isNull("gml:description")), "95");
    assert.equal(await matched(`<fes:Not>${isNull("gml:identifier")}</fes:Not>`), "0");
    assert.equal(await matched(isNull("gml:name")), "0", "a column of the table");
    assert.equal(await matched(isNull("description")), undefined);
  });

  it("names a system by the form that has its order of axes", async () => {
    const nameOf = async (srsname?: string, kvp: Kvp = { ...GET, typenames: "geo.lonlat", count: 1 }) =>
      /srsName="([^"]*)"/.exec((await get({ ...kvp, srsname })).text)?.[1];
    assert.equal(await nameOf(), "urn:ogc:def:crs:EPSG::4326");
    assert.equal(await nameOf("EPSG:4326"), "http://www.opengis.net/gml/srs/epsg.xml#4326");
    assert.equal(await nameOf("urn:ogc:def:crs:OGC:1.3:CRS84"), "urn:ogc:def:crs:OGC:1.3:CRS84");
    assert.equal(await nameOf("EPSG:3857"), "urn:ogc:def:crs:EPSG::3857");
    assert.equal(await nameOf("EPSG:3035", { ...GET, typenames: "geo.north" }), "http://www.opengis.net/gml/srs/epsg.xml#3035"); // oxfmt-ignore
  });

  it("has the order of axes that the name of the system means", async () => {
    const posOf = async (kvp: Kvp) =>
      /<gml:pos[^>]*>([^<]*)/
        .exec((await get(kvp)).text)?.[1]
        ?.split(" ")
        .map(Number);
    const lonlat = { ...GET, typenames: "geo.lonlat" };
    assert.deepEqual(await posOf(lonlat), [49.4, 8.6]);
    assert.deepEqual(await posOf({ ...lonlat, srsname: "http://www.opengis.net/def/crs/EPSG/0/4326" }), [49.4, 8.6]);
    assert.deepEqual(await posOf({ ...lonlat, srsname: "EPSG:4326" }), [8.6, 49.4]);
    const [northing = 0, easting = 0] = (await posOf({ ...GET, typenames: "geo.north" })) ?? [];
    assert.ok(northing < 3_300_000 && easting > 4_300_000);
    const json = JSON.parse(
      (await get({ ...lonlat, outputformat: "application/json", srsname: "urn:ogc:def:crs:EPSG::4326" })).text,
    );
    assert.deepEqual(json.features[0].geometry.coordinates, [8.6, 49.4]);
  });

  it("chooses by box, in the order of axes of its system, and by id; sorts, pages and counts", async () => {
    const box = { ...GET, count: 100 };
    assert.equal(idsIn(await get({ ...box, bbox: "0.5,0.5,1.5,2.5,urn:ogc:def:crs:EPSG::4326" })).length, 2);
    assert.deepEqual(idsIn(await get({ ...box, bbox: "0.5,0.5,1.5,2.5" })), ["geo.places.11", "geo.places.12"]);
    assert.deepEqual(idsIn(await get({ ...box, bbox: "0.5,0.5,2.5,1.5,EPSG:4326" })), [
      "geo.places.11",
      "geo.places.12",
    ]);
    assert.deepEqual(
      idsIn(await get({ ...GET, typenames: undefined, resourceid: "geo.places.7,geo.places.5,geo.places.999" })),
      ["geo.places.5", "geo.places.7"],
    );
    assert.deepEqual(idsIn(await get({ ...GET, sortby: "size DESC" })), [
      "geo.places.95",
      "geo.places.94",
      "geo.places.93",
    ]);
    const second = await get({ ...GET, startindex: 3 });
    assert.deepEqual(idsIn(second), ["geo.places.4", "geo.places.5", "geo.places.6"]);
    assert.match(
      second.text,
      /numberMatched="95" numberReturned="3" next="[^"]*startIndex=6" previous="[^"]*startIndex=0"/,
    );
    const hits = await get({ ...GET, resulttype: "hits" });
    assert.match(hits.text, /numberMatched="95" numberReturned="0"/);
    assert.match((await get({ ...GET_110, resulttype: "hits" })).text, /numberOfFeatures="95"/);
    assert.deepEqual(idsIn(await get(GET_110)), ["geo.places.1", "geo.places.2", "geo.places.3"]);
    const some = await get({ ...GET, propertyname: "name" });
    assert.match(some.text, /<p:name>/);
    assert.doesNotMatch(some.text, /<p:kind>/);
  });

  it("streams all features as GeoJSON, with their number", async () => {
    const { text, type } = await get({ ...GET, count: undefined, outputformat: "application/json" });
    assert.equal(type, "application/geo+json");
    const json = JSON.parse(text);
    assert.deepEqual([json.features.length, json.numberMatched, json.numberReturned], [95, 95, 95]);
  });

  it("takes a type by its name with the schema and without it in one request", async () => {
    const address = `${root}/geo?${queryOf({ ...GET, typenames: "(places)(geo.places)", count: undefined, resourceid: undefined, bbox: undefined })}`;
    const answer = await ask(
      `${address}&filter=${encodeURIComponent(
        [1, 2].map((id) => `(${filter(`<fes:ResourceId rid="geo.places.${id}"/>`)})`).join(""),
      )}`,
    );
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(idsIn(answer), ["geo.places.1", "geo.places.2"]);
  });

  it("answers long parameters at once", async () => {
    const texts: Kvp[] = [
      { request: "DescribeFeatureType", namespaces: `xmlns(a,${" ".repeat(30_000)}` },
      { bbox: `${"1".repeat(30_000)}x,1,2,3` },
      { filter: `(${filter("<fes:Not/>")}${" ".repeat(30_000)})x` },
    ];
    for (const text of texts) {
      const started = process.cpuUsage();
      const answer = await get({ ...GET, ...text });
      const { user } = process.cpuUsage(started);
      assert.ok(answer.status === 400 || answer.status === 200, answer.text.slice(0, 300));
      assert.ok(user < 3_000_000, `${Object.keys(text).join()}: ${user} µs`); // some took minutes
    }
  });

  it("leaves an escape that is no character as it is", async () => {
    const answer = await get({ ...GET, typenames: "_xFFFFFF_" });
    assert.deepEqual([answer.status, exceptionOf(answer).code], [400, "InvalidParameterValue"]);
  });

  it("shows a type with history as of TIME", async () => {
    const { rows } = await gateway.database.client.query("select clock_timestamp() as now");
    const time = (rows[0] as { now: Date }).now.toISOString();
    await gateway.database.client.query("delete from geo.past");
    const past = { ...GET, typenames: "geo.past" };
    assert.deepEqual([idsIn(await get(past)), idsIn(await get({ ...past, time }))], [[], ["geo.past.1"]]);
  });

  it("has the stored query GetFeatureById, whose answer is the feature itself", async () => {
    const stored = {
      service: "WFS",
      version: "2.0.0",
      request: "GetFeature",
      storedquery_id: "urn:ogc:def:query:OGC-WFS::GetFeatureById",
    };
    const { text } = await get({ ...stored, id: "geo.places.7" });
    assert.match(text, /^<\?xml[^>]*\?>\n<p:geo\.places xmlns:p="[^"]*" xmlns:gml="[^"]*" gml:id="geo\.places\.7">/);
    const missing = await get({ ...stored, id: "geo.places.999" });
    assert.deepEqual([missing.status, exceptionOf(missing).code], [404, "NotFound"]);
    assert.match((await get({ ...stored, request: "ListStoredQueries" })).text, /GetFeatureById/);
    assert.match((await get({ ...stored, request: "DescribeStoredQueries" })).text, /<wfs:Parameter name="ID"/);
  });

  it("gives each key an id that XML can have, by which the feature is found", async () => {
    const all = await get({ ...GET, typenames: "geo.named", count: undefined });
    const ids = idsIn(all);
    const geometries = [...all.text.matchAll(/<gml:Point gml:id="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(geometries, ids.map((id) => `${id}.g1`)); // oxfmt-ignore
    const names: string[] = [];
    for (const id of ids) {
      const { text } = await get({ ...GET, typenames: undefined, storedquery_id: "urn:ogc:def:query:OGC-WFS::GetFeatureById", id });
      names.push(/<p:name>([^]*)<\/p:name>/.exec(text)![1]!);
    } // oxfmt-ignore
    assert.deepEqual(new Set(names), new Set(["a-1.B", "_x", "a b", "ü", "&lt;&amp;&quot;&gt;", "_x0041_"]));
    assert.ok(ids.includes("geo.named.a-1.B") && ids.includes("geo.named.a_x0020_b"), String(ids));
    assert.match(all.text, /<p:name>_x<\/p:name><p:size>2<\/p:size><p:geom>/);
    assert.match(all.text, /<p:name>a b<\/p:name><p:note>note<\/p:note><p:geom>/);
  });

  describe("asked by POST", () => {
    it("takes queries with filters, projections, order and pages in both versions", async () => {
      const { text: found } = await post(
        getFeature(
          `<wfs:Query typeNames="x:geo.places" xmlns:x="${root}" srsName="EPSG:4326"><wfs:PropertyName>x:name</wfs:PropertyName>${filter(
            `<fes:And><fes:PropertyIsEqualTo><fes:ValueReference>x:kind</fes:ValueReference><fes:Literal>inn</fes:Literal></fes:PropertyIsEqualTo><fes:BBOX><fes:ValueReference>geom</fes:ValueReference><gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326"><gml:lowerCorner>0 0</gml:lowerCorner><gml:upperCorner>9 3</gml:upperCorner></gml:Envelope></fes:BBOX></fes:And>`,
          )}<fes:SortBy><fes:SortProperty><fes:ValueReference>size</fes:ValueReference><fes:SortOrder>DESC</fes:SortOrder></fes:SortProperty></fes:SortBy></wfs:Query>`,
          'count="2"',
        ),
      );
      assert.deepEqual(idsIn({ text: found }), ["geo.places.93", "geo.places.90"]);
      assert.match(found, /<p:name>place 93<[^]*?<gml:pos[^>]*>3 9</);
      assert.doesNotMatch(found, /<p:kind>/);
      assert.match(found, /numberMatched="13" numberReturned="2"/);
      const next = /next="([^"]*)"/.exec(found)![1]!.replaceAll("&amp;", "&");
      assert.deepEqual(idsIn(await ask(next)), ["geo.places.81", "geo.places.72"]);
      const before = await post(
        `<wfs:GetFeature xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" service="WFS" version="1.1.0" maxFeatures="2"><wfs:Query typeName="p:geo.places"><ogc:Filter><ogc:PropertyIsGreaterThan><ogc:PropertyName>size</ogc:PropertyName><ogc:Literal>93.5</ogc:Literal></ogc:PropertyIsGreaterThan></ogc:Filter></wfs:Query><wfs:Query typeName="p:geo.lonlat"/></wfs:GetFeature>`,
      );
      assert.deepEqual(idsIn(before), ["geo.places.94", "geo.places.95"]);
      const { text: hits } = await post(getFeature('<wfs:Query typeNames="geo.places"/>', 'resultType="hits"'));
      const first = /numberMatched="95" numberReturned="0" next="([^"]*)"/.exec(hits)![1]!.replaceAll("&amp;", "&");
      assert.equal(idsIn(await ask(`${first}&count=2`)).length, 2);
    });

    it("has a collection for each query, over which a page goes on", async () => {
      const both = '<wfs:Query typeNames="geo.places"/><wfs:Query typeNames="geo.lonlat"/>';
      const { text } = await post(getFeature(both, 'startIndex="94" count="5"'));
      assert.match(text, /^[^]*?numberMatched="96" numberReturned="2"/);
      assert.deepEqual([...text.matchAll(/<wfs:member><wfs:FeatureCollection [^>]*numberMatched="(\d+)" numberReturned="(\d+)"/g)].map(([, ...n]) => n), [["95", "1"], ["1", "1"]]); // oxfmt-ignore
      assert.deepEqual(idsIn({ text }), ["geo.places.95", "geo.lonlat.1"]);
      const kvp = { ...GET, typenames: "(geo.places)(geo.lonlat)", count: 100, filter: `(${filter('<fes:ResourceId rid="geo.places.3"/>')})(${filter('<fes:ResourceId rid="geo.lonlat.1"/>')})` }; // oxfmt-ignore
      const json = await get({ ...kvp, outputformat: "application/json" });
      assert.deepEqual(JSON.parse(json.text).features.map(({ id }: { id: number }) => id), [3, 1]); // oxfmt-ignore
    });

    it("has the values of a property, the ids, and stored queries", async () => {
      const values = (reference: string, query = '<wfs:Query typeNames="geo.places"/>') =>
        post(getFeature(query, `count="2" valueReference="${reference}"`, "GetPropertyValue"));
      const { text } = await values("p:size");
      assert.match(text, /<wfs:ValueCollection [^>]*numberMatched="95" numberReturned="2"/);
      assert.match(text, /<wfs:member><p:size>1<\/p:size><\/wfs:member>\s*<wfs:member><p:size>2</);
      assert.match((await values("ref")).text, /numberMatched="0" numberReturned="0"/);
      assert.match((await values("geom")).text, /<wfs:member><p:geom><gml:Point gml:id="geo.places.1.g1"/);
      assert.match((await values("@gml:id")).text, /<wfs:member>geo\.places\.1<\/wfs:member>/);
      const stored = `<wfs:StoredQuery id="urn:ogc:def:query:OGC-WFS::GetFeatureById"><wfs:Parameter name="ID">geo.places.7</wfs:Parameter></wfs:StoredQuery>`;
      assert.match((await values("name", stored)).text, /<wfs:member><p:name>place 7</);
      assert.match((await post(getFeature(stored, ""))).text, /^<\?xml[^>]*\?>\n<p:geo\.places /);
      assert.equal(exceptionOf(await values("nothing")).code, "InvalidParameterValue");
      assert.equal(exceptionOf(await values("")).code, "InvalidParameterValue");
      assert.equal(exceptionOf(await post(getFeature("", "", "GetPropertyValue"))).code, "MissingParameterValue");
    });

    it("has capabilities, schemas and the list of stored queries", async () => {
      const wfs = 'xmlns:wfs="http://www.opengis.net/wfs/2.0" service="WFS"';
      const accept =
        '<ows:AcceptVersions xmlns:ows="http://www.opengis.net/ows/1.1"><ows:Version>1.1.0</ows:Version></ows:AcceptVersions>';
      const capabilities = await post(`<wfs:GetCapabilities ${wfs}>${accept}</wfs:GetCapabilities>`);
      assert.match(capabilities.text, /<wfs:WFS_Capabilities version="1\.1\.0"/);
      const schema = await post(
        `<wfs:DescribeFeatureType ${wfs} version="2.0.0"><wfs:TypeName>p:geo.areas</wfs:TypeName></wfs:DescribeFeatureType>`,
      );
      assert.match(schema.text, /name="geo\.areas"/);
      assert.doesNotMatch(schema.text, /geo\.places/);
      assert.match((await post(`<wfs:ListStoredQueries ${wfs} version="2.0.0"/>`)).text, /GetFeatureById/);
    });

    it("answers a bad request with an exception and its status", async () => {
      const query = (attributes: string, inside = "") => getFeature(`<wfs:Query ${attributes}>${inside}</wfs:Query>`);
      const bad: readonly (readonly [xml: string, code: string | undefined, status: number, message: RegExp])[] = [
        ["", "OperationParsingFailed", 400, /is empty|is not well-formed/],
        ["<wfs:GetFeature>", "OperationParsingFailed", 400, /is not well-formed/],
        [`<!DOCTYPE x [<!ENTITY a "b">]>${query('typeNames="geo.places"')}`, "OperationParsingFailed", 400, /document type/],
        [`<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>${query('typeNames="&b;"')}`, "OperationParsingFailed", 400, /document type/],
        [getFeature("<a>".repeat(10_000)), "OperationParsingFailed", 400, /nested deeper/],
        [getFeature("", "", "Nothing"), "OperationNotSupported", 501, /there is no request &quot;Nothing/],
        [getFeature("", "", "LockFeature"), "OperationNotSupported", 501, /[Ll]ocks are not supported/],
        [getFeature("", "", "GetFeatureWithLock"), "OperationNotSupported", 501, /[Ll]ocks are not supported/],
        [getFeature("", 'version="1.0.0"'), "InvalidParameterValue", 400, /VERSION/],
        [getFeature(""), "MissingParameterValue", 400, /TYPENAMES/],
        [query(""), "MissingParameterValue", 400, /TYPENAMES/],
        [query('typeNames="geo.secret"'), "InvalidParameterValue", 400, /no collection/],
        [query('typeNames="x:geo.places" xmlns:x="urn:other"'), "InvalidParameterValue", 400, /no collection/],
        [query('typeNames="geo.places geo.lonlat"'), "OperationNotSupported", 501, /joins are not supported/],
        [query('typeNames="geo.places"', filter("<fes:Nothing/>")), "InvalidParameterValue", 400, /no operator &quot;Nothing/],
        [query('typeNames="geo.places"', filter('<fes:ResourceId rid="x"/><fes:Not/>')), "InvalidParameterValue", 400, /one operator/],
        [query('typeNames="geo.places"', filter('<fes:ResourceId rid="geo.lonlat.1"/>')), "InvalidParameterValue", 400, /is not a feature of geo.places/],
        [query('typeNames="geo.places" srsName="EPSG:1"'), "InvalidParameterValue", 400, /SRSNAME/],
        [query('typeNames="geo.places"', "<wfs:PropertyName>nothing</wfs:PropertyName>"), "InvalidParameterValue", 400, /no property/],
        [getFeature('<wfs:StoredQuery id="mine"/>'), "InvalidParameterValue", 400, /GetFeatureById/],
      ]; // oxfmt-ignore
      for (const [xml, code, status, message] of bad) {
        const answer = await post(xml);
        const found = exceptionOf(answer);
        assert.deepEqual([found.code, answer.status], [code, status], `${xml.slice(0, 200)} ${answer.text}`);
        assert.match(found.message, message);
      }
      for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json", ""]) {
        const answer = await post(query('typeNames="geo.places"'), { "content-type": type });
        assert.equal(answer.status, 415, type);
        assert.match(answer.text, /ExceptionReport/);
      }
    });
  });

  it("answers a bad request with an exception and its status", async () => {
    const bad: readonly (readonly [Kvp, string, number])[] = [
      [{ ...GET, typenames: undefined }, "MissingParameterValue", 400],
      [{ ...GET, typenames: "geo.nowhere" }, "InvalidParameterValue", 400],
      [{ ...GET, typenames: "geo.places,geo.lonlat" }, "OperationNotSupported", 501],
      [{ ...GET, version: undefined }, "MissingParameterValue", 400],
      [{ ...GET, version: "1.0.0" }, "InvalidParameterValue", 400],
      [{ ...GET, count: -1 }, "InvalidParameterValue", 400],
      [{ ...GET, startindex: "x" }, "InvalidParameterValue", 400],
      [{ ...GET, resulttype: "some" }, "InvalidParameterValue", 400],
      [{ ...GET, outputformat: "shape-zip" }, "InvalidParameterValue", 400],
      [{ ...GET, srsname: "urn:ogc:def:crs:EPSG::31467" }, "InvalidParameterValue", 400],
      [{ ...GET, srsname: "nonsense" }, "InvalidParameterValue", 400],
      [{ ...GET, bbox: "0,0,1" }, "InvalidParameterValue", 400],
      [{ ...GET, bbox: "2,2,1,1" }, "InvalidParameterValue", 400],
      [{ ...GET, sortby: "nothing" }, "InvalidParameterValue", 400],
      [{ ...GET, propertyname: "nothing" }, "InvalidParameterValue", 400],
      [{ ...GET, filter: "<Filter/>" }, "InvalidParameterValue", 400],
      [{ ...GET, filter: "<Filter" }, "InvalidParameterValue", 400],
      [{ ...GET, filter: "<Filter/>", bbox: "0,0,1,1" }, "InvalidParameterValue", 400],
      [{ ...GET, typenames: "x:geo.places", namespaces: "xmlns(x,urn:other)" }, "InvalidParameterValue", 400],
      [{ ...GET, request: "GetPropertyValue" }, "MissingParameterValue", 400],
      [{ ...GET_110, request: "GetPropertyValue", valuereference: "name" }, "OperationNotSupported", 501],
      [{ ...GET, request: "Transaction" }, "OperationNotSupported", 501],
      [{ ...GET, request: "LockFeature" }, "OperationNotSupported", 501],
      [{ service: "WFS", request: "GetCapabilities", acceptversions: "1.0.0" }, "VersionNegotiationFailed", 400],
      [{ ...GET, storedquery_id: "mine" }, "InvalidParameterValue", 400],
    ]; // oxfmt-ignore
    for (const [kvp, code, status] of bad) {
      const answer = await get(kvp);
      assert.deepEqual([exceptionOf(answer).code, answer.status], [code, status], `${queryOf(kvp)} ${answer.text}`);
    }
    const messageOf = async (typenames: string) =>
      exceptionOf(await get({ ...GET, typenames })).message.replace(typenames, "…");
    assert.equal(await messageOf("geo.secret"), await messageOf("geo.nowhere"));
    assert.match(
      (await get({ ...GET_110, typename: "geo.nowhere" })).text,
      /xmlns:ows="http:\/\/www\.opengis\.net\/ows" version="1\.0\.0"/,
    );
  });

  it("describes the types that the caller may see", async () => {
    for (const version of ["2.0.0", "1.1.0"]) {
      const { text } = await get({ service: "WFS", request: "GetCapabilities", version });
      assert.match(text, new RegExp(`<wfs:WFS_Capabilities version="${version.replaceAll(".", "\\.")}"`));
      assert.match(text, /<wfs:Name>p:geo\.places</);
      assert.doesNotMatch(text, /geo\.secret/);
      const schema = await get({ service: "WFS", version, request: "DescribeFeatureType", typenames: "p:geo.areas" });
      assert.match(schema.text, /<xsd:element name="odd_x0020_name" type="xsd:string"/);
      assert.match(schema.text, /<xsd:element name="geom" type="gml:MultiSurfacePropertyType"/);
      assert.doesNotMatch(schema.text, /geo\.places/);
    }
    const all = await get({ service: "WFS", version: "2.0.0", request: "DescribeFeatureType" });
    assert.match(all.text, /name="geo\.places"[^]*name="geo\.two"/);
  });

  describe("clients", () => {
    const ogrinfo = findOgrinfo();
    describeOnlyIf(ogrinfo !== undefined, "GDAL")("GDAL", () => {
      for (const version of ["2.0.0", "1.1.0"])
        it(`reads types, features and geometries by ${version}`, async () => {
          const { output, code } = await runProgram(ogrinfo!, [
            "-al",
            `WFS:${root}?VERSION=${version}`,
            "p:geo.areas",
            "p:geo.north",
          ]);
          assert.equal(code, 0, output);
          assert.match(output, /MULTI(POLYGON|SURFACE) \(\(\(0 0,1 0,1 1,0 0\)\),\(\(5 5,6 5,6 6,5 5\)\)\)/);
          assert.match(output, /POINT \(4321000 3210000\)/); // x first, as GDAL shows it
          assert.match(output, /Feature Count: 2/);
        });
    });

    const python = findOwslib();
    describeOnlyIf(python !== undefined, "owslib")("OWSLib", () => {
      it("reads capabilities, schema and features of both versions", async () => {
        const { output, code } = await runProgram(python!, ["-c", `
import sys, json
from owslib import fes
from owslib.wfs import WebFeatureService
for version in ("2.0.0", "1.1.0"):
    w = WebFeatureService(sys.argv[1], version=version)
    assert "p:geo.places" in w.contents and "p:geo.secret" not in w.contents, list(w.contents)
    assert w["p:geo.places"].boundingBoxWGS84 == (0, 0, 9, 9), w["p:geo.places"].boundingBoxWGS84
    s = w.get_schema("p:geo.places")
    assert s["properties"]["name"] == "string" and s["geometry"] == "Point", s
    r = w.getfeature(typename=["p:geo.places"], bbox=(0.5, 0.5, 1.5, 2.5, "urn:ogc:def:crs:EPSG::4326"), outputFormat="application/json").read()
    assert [f["id"] for f in json.loads(r)["features"]] == [11, 21], r
    if version == "1.1.0":  # its requests of 2.0.0 have no place for a filter
        constraint = fes.And([fes.PropertyIsLike("name", "place 9*", wildCard="*", singleChar=".", escapeChar="!"), fes.Not([fes.PropertyIsEqualTo("size", "91")])])
        text = fes.FilterRequest().setConstraint(constraint, tostring=True)
        r = w.getfeature(typename=["p:geo.places"], filter=text if isinstance(text, str) else text.decode(), outputFormat="application/json").read()
        assert [f["id"] for f in json.loads(r)["features"]] == [9, 90, 92, 93, 94, 95], (version, r[:300])
print("well")
`, root]); // oxfmt-ignore
        assert.equal(code, 0, output);
        assert.match(output, /well/);
      });
    });
  });
});
