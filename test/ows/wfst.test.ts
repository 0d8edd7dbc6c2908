import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOgrinfo } from "../../server/setup/programs.mjs";
import { ogcGateway, type OgcGateway } from "../ogc/support.ts";
import pg from "pg";
import { until } from "../support/until.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { ask, exceptionOf, runProgram, type Answer } from "./support.ts";

/** `editor` may do everything, `clerk` change some columns, `reader` only read. */
const TABLES = (role: (name: string) => string): string => `
create table geo.sites (
  id serial primary key, name text not null unique, size int check (size > 0), share float8 default 0.5, open boolean, built date,
  seen timestamptz, tags text[], more jsonb, twice int generated always as (size * 2) stored, secret text default 'hidden',
  geom geometry(MultiPolygon, 4326));
create table geo.north (id int primary key, geom geometry(Point, 3035));
create table geo.towns (id int primary key, name text, geom geometry(Point, 25832));
create table geo.trees (id int primary key, name text, geom geometry(Point, 4326));
create table geo.drafts (id int primary key, name text, geom geometry(Point, 4326));
select portolan.create_user(u, null) from unnest('{editor,clerk,reader}'::text[]) u;
grant usage on schema geo to ${role("editor")}, ${role("clerk")}, ${role("reader")};
grant select, insert, update, delete on all tables in schema geo to ${role("editor")};
grant usage on all sequences in schema geo to ${role("editor")}, ${role("clerk")};
grant select on all tables in schema geo to ${role("reader")};
grant select (id, name, size, geom), insert (name, geom), update (name, geom) on geo.sites to ${role("clerk")};
select portolan.enable_versioning('geo.trees');
select portolan.enable_versioning('geo.drafts');
select portolan.enable_workflow('geo.drafts');
select portolan.set_workflow_role('geo.drafts', 'editor', 'author');
create table geo.flow (id int primary key, name text, geom geometry(Point, 4326));
select portolan.create_user(u, null) from unnest('{abe,rea,pia}'::text[]) u;
select portolan.set_privilege('geo.flow', u, 'write') from unnest('{editor,abe,rea,pia,clerk}'::text[]) u;
select portolan.enable_versioning('geo.flow');
select portolan.enable_workflow('geo.flow');
select portolan.set_workflow_role('geo.flow', u, r)
  from (values ('editor', 'author'), ('abe', 'author'), ('rea', 'reviewer'), ('pia', 'publisher')) v (u, r)`;

/** Latitude first. */
const AREA = (list = "0 0 0 1 1 1 0 0", srsName = ""): string =>
  `<gml:MultiSurface gml:id="m" ${srsName}><gml:surfaceMember><gml:Polygon gml:id="a"><gml:exterior><gml:LinearRing><gml:posList>${list}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMember></gml:MultiSurface>`;
const POINT = (pos: string, srsName = ""): string =>
  `<gml:Point gml:id="p" ${srsName}><gml:pos>${pos}</gml:pos></gml:Point>`;
const byId = (...ids: readonly string[]): string =>
  `<fes:Filter>${ids.map((id) => `<fes:ResourceId rid="${id}"/>`).join("")}</fes:Filter>`;
const site = (name: string, more = ""): string =>
  `<p:geo.sites><p:name>${name}</p:name>${more}<p:geom>${AREA()}</p:geom></p:geo.sites>`;
const insert = (...features: readonly string[]): string => `<wfs:Insert>${features.join("")}</wfs:Insert>`;
const update = (type: string, filter: string, ...properties: readonly (readonly [string, string?])[]): string =>
  `<wfs:Update typeName="p:${type}">${properties
    .map(
      ([name, value]) =>
        `<wfs:Property><wfs:ValueReference>${name}</wfs:ValueReference>${value === undefined ? "" : `<wfs:Value>${value}</wfs:Value>`}</wfs:Property>`,
    )
    .join("")}${filter}</wfs:Update>`;
const remove = (type: string, filter: string): string => `<wfs:Delete typeName="p:${type}">${filter}</wfs:Delete>`;
const replace = (feature: string, filter: string): string => `<wfs:Replace>${feature}${filter}</wfs:Replace>`;

const LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="http://example.org/a.xml#b"';

describe("WFS-T", () => {
  let gateway: OgcGateway;
  let root: string;
  let folder: string;

  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { transactions: true, maxBodyBytes: 2_000_000 } },
      prepare: ({ client, name }) => client.query(TABLES((account) => `"${account}@${name}"`)),
    });
    root = `${gateway.baseUrl}/ows/${gateway.database.name}`;
    folder = await mkdtemp(join(tmpdir(), "portolan-wfst-"));
  });
  after(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  const send = async (
    body: string,
    { as = "editor", ...headers }: Readonly<Record<string, string>> & { readonly as?: string } = {},
  ): Promise<Answer> =>
    ask(root, {
      method: "POST",
      body,
      token: as === "" ? undefined : await gateway.token(as),
      headers: { "content-type": "text/xml", ...headers },
    });
  const transaction = (actions: string, attributes = ""): string =>
    `<wfs:Transaction xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:p="${root}" service="WFS" version="2.0.0" ${attributes}>${actions}</wfs:Transaction>`;
  const write = (actions: string, headers: Parameters<typeof send>[1] = {}) => send(transaction(actions), headers);
  const totals = ({ text }: Answer): string =>
    [...text.matchAll(/<wfs:total(\w+)>(\d+)</g)].map(([, word, number]) => `${word} ${number}`).join(", ");
  const idsIn = ({ text }: Answer): string[] => [...text.matchAll(/(?:rid|fid)="([^"]*)"/g)].map(([, id]) => id!);
  const rows = async (query: string): Promise<unknown[]> => (await gateway.database.client.query(query)).rows;
  const sites = async (): Promise<string> => JSON.stringify(await rows("select * from geo.sites order by id"));

  it("inserts, updates, replaces and deletes, in one transaction", async () => {
    const made = await write(
      insert(
        site(
          "a &amp; <![CDATA[<b>]]>",
          '<p:size>3</p:size><p:share>-INF</p:share><p:open>true</p:open><p:built>-0044-03-15</p:built><p:seen>2026-01-31T12:00:00+02:00</p:seen><p:tags>["x","y"]</p:tags><p:more>{"a":12345678901234567890}</p:more><p:twice>9</p:twice><gml:boundedBy/>',
        ),
        site("second", '<p:size/><p:secret xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"/>'),
      ) + insert(`<p:geo.north><p:id>1</p:id><p:geom>${POINT("3210000 4321000")}</p:geom></p:geo.north><p:geo.north><p:id>2</p:id><p:geom>${POINT("10 52", 'srsName="EPSG:4326"')}</p:geom></p:geo.north>`),
    ); // oxfmt-ignore
    assert.equal(totals(made), "Inserted 4, Updated 0, Replaced 0, Deleted 0", made.text);
    const [first = "", second = "", ...north] = idsIn(made);
    assert.deepEqual(north, ["geo.north.1", "geo.north.2"]);
    const [row] =
      await rows(`select name, size, share::text, open, built::text, seen at time zone 'UTC' = '2026-01-31 10:00' as seen, tags, more::text, twice, secret,
      st_astext(geom) as geom from geo.sites where id = ${first.split(".")[2]}`);
    assert.deepEqual(row, {
      ...{
        name: "a & <b>",
        size: 3,
        share: "-Infinity",
        open: true,
        built: "0044-03-15 BC",
        seen: true,
        tags: ["x", "y"],
      },
      ...{ more: '{"a": 12345678901234567890}', twice: 6, secret: "hidden", geom: "MULTIPOLYGON(((0 0,1 0,1 1,0 0)))" },
    });
    assert.deepEqual(await rows("select round(st_x(geom)) as x, round(st_y(st_transform(geom, 4326))) as y from geo.north order by id"), [{ x: 4321000, y: 52 }, { x: 4321000, y: 52 }]); // oxfmt-ignore
    const changed = await write(
      update("geo.sites", byId(first, second), ["p:geo.sites/p:open[1]", "false"]) +
        update("geo.sites", byId(first), ["geom", AREA("0 0 0 2 2 2 0 0", 'srsName="EPSG:4326"')], ["size"]) +
        replace(site("third"), byId(second)) +
        remove("geo.north", "<fes:Filter><fes:BBOX><gml:Envelope srsName='EPSG:4326'><gml:lowerCorner>0 0</gml:lowerCorner><gml:upperCorner>20 60</gml:upperCorner></gml:Envelope></fes:BBOX></fes:Filter>"),
    ); // oxfmt-ignore
    assert.equal(totals(changed), "Inserted 0, Updated 3, Replaced 1, Deleted 2", changed.text);
    assert.deepEqual(await rows("select name, open, size, share, st_astext(geom) as geom from geo.sites order by id"), [
      { name: "a & <b>", open: false, size: null, share: -Infinity, geom: "MULTIPOLYGON(((0 0,0 2,2 2,0 0)))" },
      { name: "third", open: null, size: null, share: 0.5, geom: "MULTIPOLYGON(((0 0,1 0,1 1,0 0)))" },
    ]);
    assert.equal(totals(await write(remove("geo.sites", byId("geo.sites.999")))), "Inserted 0, Updated 0, Replaced 0, Deleted 0"); // oxfmt-ignore
  });

  it("speaks 1.1.0 too, with ids that the client gives", async () => {
    const old = (actions: string): string =>
      `<Transaction xmlns="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:p="${root}" service="WFS" version="1.1.0">${actions}</Transaction>`;
    const made = await send(
      old(
        `<Insert handle="mine" idgen="UseExisting"><gml:FeatureCollection><gml:featureMember><p:geo.trees gml:id="geo.trees.70"><p:name>elm</p:name><p:geom><gml:Point srsName="EPSG:4326"><gml:pos>1 2</gml:pos></gml:Point></p:geom></p:geo.trees></gml:featureMember></gml:FeatureCollection></Insert>`,
      ),
    );
    assert.match(made.text, /<wfs:totalInserted>1<[^]*<wfs:InsertResults><wfs:Feature handle="mine"><ids:FeatureId fid="geo\.trees\.70"\/>/); // oxfmt-ignore
    const changed = await send(
      old(
        `<Update typeName="p:geo.trees"><Property><Name>p:name</Name><Value>oak</Value></Property><ogc:Filter><ogc:FeatureId fid="geo.trees.70"/></ogc:Filter></Update>`,
      ),
    );
    assert.match(changed.text, /<wfs:totalUpdated>1<[^]*fid="none"/);
    assert.deepEqual(await rows("select name, st_astext(geom) as geom from geo.trees where id = 70"), [{ name: "oak", geom: "POINT(1 2)" }]); // oxfmt-ignore
  });

  it("takes each geometry in its own system, wherever it stands among the properties", async () => {
    const old = (actions: string): string =>
      `<Transaction xmlns="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:p="${root}" service="WFS" version="1.1.0">${actions}</Transaction>`;
    const mercator = POINT("957347.6 6360130.7", 'srsName="urn:ogc:def:crs:EPSG::3857"');
    const point = mercator.replace(' gml:id="p"', "");
    const place = "round(st_x(st_transform(geom, 4326))::numeric, 1)::float8 as x, round(st_y(st_transform(geom, 4326))::numeric, 1)::float8 as y"; // oxfmt-ignore
    const townOf = async () => (await rows(`select name, ${place} from geo.towns where id = 1`))[0];
    await rows("insert into geo.towns values (1, 'before', null)");
    const now = await write(update("geo.towns", byId("geo.towns.1"), ["name", "now"], ["geom", mercator]));
    assert.equal(totals(now), "Inserted 0, Updated 1, Replaced 0, Deleted 0", now.text);
    assert.deepEqual(await townOf(), { name: "now", x: 8.6, y: 49.5 });
    await rows("update geo.towns set geom = null");
    const before = await send(
      old(
        `<Update typeName="p:geo.towns"><Property><Name>name</Name><Value>old</Value></Property><Property><Name>geom</Name><Value>${point}</Value></Property><ogc:Filter><ogc:FeatureId fid="geo.towns.1"/></ogc:Filter></Update>`,
      ),
    );
    assert.match(before.text, /<wfs:totalUpdated>1</);
    assert.deepEqual(await townOf(), { name: "old", x: 8.6, y: 49.5 });
    // a type with two geometries
    const area = '<gml:Polygon gml:id="a" srsName="EPSG:4326"><gml:exterior><gml:LinearRing><gml:posList>8 49 9 49 9 50 8 49</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>'; // oxfmt-ignore
    const two = (id: number, geom: string): string =>
      `<p:geo.two><p:id>${id}</p:id><p:shape.of>${area}</p:shape.of><p:geom>${geom}</p:geom></p:geo.two>`;
    const places = async () =>
      rows(`select ${place}, st_srid("shape.of") as srid from geo.two where id > 1 order by id`);
    const degrees = POINT("8.6 49.5", 'srsName="EPSG:4326"');
    const made = await write(insert(two(2, mercator), two(3, degrees)));
    assert.equal(totals(made), "Inserted 2, Updated 0, Replaced 0, Deleted 0", made.text);
    const there = { x: 8.6, y: 49.5, srid: 25832 };
    assert.deepEqual(await places(), [there, there]);
    await rows("update geo.two set geom = null where id > 1");
    const changed = await write(
      replace(two(2, mercator), byId("geo.two.2")) + update("geo.two", byId("geo.two.3"), ["shape.of", area], ["geom", mercator]), // oxfmt-ignore
    );
    assert.equal(totals(changed), "Inserted 0, Updated 1, Replaced 1, Deleted 0", changed.text);
    assert.deepEqual(await places(), [there, there]);
  });

  it("takes what QGIS writes where it reads 2.0.0: version 1.0.0, x first", async () => {
    const qgis = (actions: string): Promise<Answer> =>
      send(
        `<Transaction xmlns="http://www.opengis.net/wfs" version="1.0.0" xmlns:p="${root}" xmlns:gml="http://www.opengis.net/gml" service="WFS">${actions}</Transaction>`,
      );
    const ring = (list: string): string =>
      `<gml:MultiPolygon srsName="urn:ogc:def:crs:EPSG::4326"><gml:polygonMember><gml:Polygon><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates ts=" " cs=",">${list}</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon></gml:polygonMember></gml:MultiPolygon>`;
    const chosen = (id: string): string =>
      `<Filter xmlns="http://www.opengis.net/ogc"><FeatureId fid="${id}"/></Filter>`;
    const made = await qgis(
      `<Insert><geo.sites xmlns="${root}"><name xmlns="${root}">by QGIS</name><geom xmlns="${root}">${ring("1,2 2,2 2,4 1,2")}</geom></geo.sites></Insert>`,
    );
    const [id = ""] = idsIn(made);
    assert.match(
      made.text,
      /<wfs:WFS_TransactionResponse version="1\.0\.0"[^]*<wfs:InsertResult><ogc:FeatureId fid="geo\.sites\.\d+"\/><\/wfs:InsertResult><wfs:TransactionResult><wfs:Status><wfs:SUCCESS\/>/,
    );
    const place = async () =>
      (await rows("select st_astext(geom) as geom, size from geo.sites where name = 'by QGIS'"))[0];
    assert.deepEqual(await place(), { geom: "MULTIPOLYGON(((1 2,2 2,2 4,1 2)))", size: null });
    const property = (name: string, value: string): string =>
      `<Property><Name>${name}</Name><Value>${value}</Value></Property>`;
    const changed = await qgis(
      `<Update typeName="p:geo.sites">${property("size", "7")}${property("geom", ring("3,4 4,4 4,6 3,4"))}${chosen(id)}</Update>`,
    );
    assert.match(changed.text, /<wfs:SUCCESS\/>/);
    assert.deepEqual(await place(), { geom: "MULTIPOLYGON(((3 4,4 4,4 6,3 4)))", size: 7 });
    const area = `<Filter xmlns="http://www.opengis.net/ogc"><BBOX><PropertyName>geom</PropertyName><gml:Box><gml:coordinates>0,0 9,9</gml:coordinates></gml:Box></BBOX></Filter>`;
    assert.match(
      exceptionOf(await qgis(`<Delete typeName="p:geo.sites">${area}</Delete>`)).message,
      /only by FeatureId/,
    );
    assert.match((await qgis(`<Delete typeName="p:geo.sites">${chosen(id)}</Delete>`)).text, /<wfs:SUCCESS\/>/);
    assert.equal(await place(), undefined);
    const read = await send(
      `<GetFeature xmlns="http://www.opengis.net/wfs" service="WFS" version="1.0.0"><Query typeName="p:geo.sites"/></GetFeature>`,
    );
    assert.match(exceptionOf(read).message, /expected 2\.0\.0 or 1\.1\.0/);
  });

  it("inserts and deletes one feature in one transaction, also with history", async () => {
    const tree = `<p:geo.trees><p:id>5</p:id><p:name>elm</p:name><p:geom>${POINT("1 1")}</p:geom></p:geo.trees>`;
    const both = await write(insert(tree) + update("geo.trees", byId("geo.trees.5"), ["name", "oak"]) + remove("geo.trees", byId("geo.trees.5"))); // oxfmt-ignore
    assert.equal(totals(both), "Inserted 1, Updated 1, Replaced 0, Deleted 1", both.text);
    assert.deepEqual(await rows("select 1 from geo.trees where id = 5"), []);
    assert.equal(totals(await write(insert(tree))), "Inserted 1, Updated 0, Replaced 0, Deleted 0");
  });

  it("is all or nothing, and says which action failed and why", async () => {
    await write(insert(site("kept")));
    const before = await sites();
    const filter = byId("geo.sites.1");
    const bad: readonly (readonly [actions: string, code: string, status: number, message: RegExp])[] = [
      [insert(site("x"), site("kept")), "OperationProcessingFailed", 403, /features\[1\]: name: /],
      [insert(site("x", "<p:size>-1</p:size>")), "InvalidValue", 400, /size: .*check/],
      [insert(site("x", "<p:size>one</p:size>")), "InvalidValue", 400, /size: expected a whole number/],
      [insert(site("x", "<p:size>99999999999</p:size>")), "InvalidValue", 400, /out of the range/],
      [insert(site("x", "<p:built>someday</p:built>")), "InvalidValue", 400, /date/],
      [insert(site("x", "<p:more>{</p:more>")), "InvalidValue", 400, /more: expected JSON/],
      [insert(site("x", "<p:nothing>1</p:nothing>")), "InvalidValue", 400, /no property/],
      [insert(site("x", `<p:size>${POINT("1 1")}</p:size>`)), "InvalidValue", 400, /size: expected text/],
      [insert(`<p:geo.sites><p:name>x</p:name><p:geom>${POINT("1 1")}</p:geom></p:geo.sites>`), "InvalidValue", 400, /expected a MultiPolygon or Polygon, got a Point/],
      [insert(`<p:geo.sites><p:name>x</p:name><p:geom>${AREA("0 0 1 1 0 0")}</p:geom></p:geo.sites>`), "InvalidValue", 400, /ring/],
      [insert(`<p:geo.sites><p:name>x</p:name><p:geom>${AREA("95 0 95 1 96 1 95 0")}</p:geom></p:geo.sites>`), "InvalidValue", 400, /latitude/],
      [insert(`<p:geo.sites><p:name>x</p:name><p:geom>${AREA("0 0 0 1 1 1 0 0", 'srsName="EPSG:1"')}</p:geom></p:geo.sites>`), "InvalidParameterValue", 400, /EPSG:1/],
      ...['<gml:Polygon HREF/>', '<gml:MultiSurface><gml:surfaceMember HREF/></gml:MultiSurface>'].map((geometry) => [insert(`<p:geo.sites><p:name>x</p:name><p:geom>${geometry.replace("HREF", LINK)}</p:geom></p:geo.sites>`), "OperationParsingFailed", 400, /refers to another element/] as const),
      [insert(`<p:geo.sites><p:name>x</p:name><p:geom ${LINK}/></p:geo.sites>`), "OperationParsingFailed", 400, /geom: refers to another place/],
      [insert("<p:geo.nowhere/>"), "InvalidValue", 400, /no collection/],
      [insert('<x:geo.sites xmlns:x="urn:other"/>'), "InvalidValue", 400, /no collection/],
      [update("geo.nowhere", filter, ["size", "1"]), "InvalidParameterValue", 400, /no collection/],
      [insert(""), "MissingParameterValue", 400, /no feature/],
      ["<wfs:Insert idgen='ReplaceDuplicate'><p:geo.sites/></wfs:Insert>", "InvalidParameterValue", 400, /idgen/],
      [update("geo.sites", filter), "MissingParameterValue", 400, /no Property/],
      [update("geo.sites", filter, ["nothing", "1"]), "InvalidValue", 400, /no property/],
      [update("geo.sites", filter, ["size[2]", "1"]), "InvalidValue", 400, /no path/],
      [update("geo.sites", filter, ["id", "77"]), "InvalidValue", 400, /the key of a feature cannot be changed/],
      [update("geo.sites", "<fes:Filter><fes:Not/></fes:Filter>", ["size", "1"]), "InvalidParameterValue", 400, /FILTER/],
      [remove("geo.sites", ""), "MissingParameterValue", 400, /no Filter/],
      ["<wfs:Delete/>", "MissingParameterValue", 400, /typeName/],
      [remove("geo.stored", byId("geo.stored.1")), "InvalidParameterValue", 400, /cannot be written/],
      [replace(site("x"), "<fes:Filter><fes:Not><fes:PropertyIsNull><fes:ValueReference>name</fes:ValueReference></fes:PropertyIsNull></fes:Not></fes:Filter>"), "InvalidValue", 400, /more than one feature/],
      [replace(site("x"), ""), "MissingParameterValue", 400, /no Filter/],
      ["<wfs:Native vendorId='x' safeToIgnore='false'/>", "InvalidParameterValue", 400, /vendor/],
      ["<wfs:Something/>", "OperationParsingFailed", 400, /no action/],
    ]; // oxfmt-ignore
    for (const [actions, code, status, message] of bad) {
      const answer = await write(insert(site("first")) + actions);
      const found = exceptionOf(answer);
      assert.deepEqual([found.code, answer.status], [code, status], `${actions} ${answer.text}`);
      assert.match(found.message, message);
    }
    assert.equal(await sites(), before);
  });

  it("leaves out what others delete meanwhile, keeps what they change, and refuses what the account may not write", async () => {
    const { client, url, name } = gateway.database;
    await client.query(`
create table geo.raced (a int, b text, owner text, size int, geom geometry(Point, 4326), primary key (a, b));
grant select, insert, update, delete on geo.raced to "editor@${name}"`);
    const put = (): Promise<unknown> =>
      client.query(`
truncate geo.raced;
insert into geo.raced select n, 'x/' || n, case n when 3 then 'other' else 'editor' end, n from generate_series(1, 3) n`);
    const left = (): Promise<unknown[]> => rows("select a, size from geo.raced order by a");
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    /** Runs a write that has to wait for `first`, of another session, which commits then. */
    const after = async (first: string, ...call: Parameters<typeof write>): Promise<Answer> => {
      await other.query(`begin; ${first}`);
      const writing = write(...call);
      await until(async () => {
        const waiting = await rows(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'raced' and datname = current_database()",
        );
        return waiting.length > 0;
      });
      await other.query("commit");
      return writing;
    };
    const all = `<fes:Filter><fes:PropertyIsGreaterThan><fes:ValueReference>size</fes:ValueReference><fes:Literal>0</fes:Literal></fes:PropertyIsGreaterThan></fes:Filter>`;
    try {
      await put();
      await until(async () => (await write(update("geo.raced", all, ["owner", "editor"]))).status === 200); // it is known
      await put();
      const removed = await after("delete from geo.raced where a = 2", remove("geo.raced", all));
      assert.equal(totals(removed), "Inserted 0, Updated 0, Replaced 0, Deleted 2", removed.text);
      assert.deepEqual(await left(), []);
      await put();
      const updated = await after(
        "update geo.raced set size = -1 where a = 1",
        update("geo.raced", all, ["size", "9"]),
      );
      assert.equal(totals(updated), "Inserted 0, Updated 2, Replaced 0, Deleted 0", updated.text);
      assert.deepEqual(await left(), [{ a: 1, size: -1 }, { a: 2, size: 9 }, { a: 3, size: 9 }]); // oxfmt-ignore
      // a policy refuses one, whatever others delete
      await client.query(`
alter table geo.raced enable row level security;
create policy reads on geo.raced for select using (true);
create policy writes on geo.raced for delete using (owner = 'editor')`);
      await put();
      const refused = await after("delete from geo.raced where a = 2", remove("geo.raced", all));
      assert.equal(refused.status, 403, refused.text);
      assert.match(refused.text, /may not write all of these features/);
      assert.deepEqual(await left(), [{ a: 1, size: 1 }, { a: 3, size: 3 }]); // oxfmt-ignore
      await client.query("alter table geo.raced disable row level security");
      // a version that was right when it was looked at
      await put();
      const headers = { authorization: `Bearer ${await gateway.token("editor")}` };
      const items = `${gateway.root}/collections/geo.raced/items`;
      const page = (await (await fetch(`${items}?limit=1`, { headers })).json()) as { features: { id: string }[] };
      const item = await fetch(`${items}/${encodeURIComponent(page.features[0]!.id)}`, { headers });
      const etag = item.headers.get("etag")!;
      const one = `<fes:Filter><fes:PropertyIsEqualTo><fes:ValueReference>a</fes:ValueReference><fes:Literal>1</fes:Literal></fes:PropertyIsEqualTo></fes:Filter>`;
      const stale = await after("update geo.raced set size = 7 where a = 1", update("geo.raced", one, ["size", "9"]), {
        "if-match": etag,
      });
      assert.equal(stale.status, 412, stale.text);
      assert.deepEqual((await left())[0], { a: 1, size: 7 });
    } finally {
      await other.end();
    }
  });

  it("takes nothing but XML that is posted, by an account, in bounds", async () => {
    const xml = transaction(insert(site("forged")));
    const before = await sites();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json"])
      assert.equal((await send(xml, { "content-type": type })).status, 415);
    const kvp = await ask(`${root}?service=WFS&version=2.0.0&request=Transaction&operation=Delete&typename=geo.sites`, {
      token: await gateway.token("editor"),
    });
    assert.deepEqual([exceptionOf(kvp).code, kvp.status], ["OperationNotSupported", 501]);
    const nobody = await send(xml, { as: "" });
    assert.deepEqual([nobody.status, nobody.type], [401, "text/xml; charset=utf-8"]);
    const large = await write(insert(...Array.from({ length: 20_000 }, (_, index) => site(`large ${index}`))));
    assert.equal(large.status, 413, large.text);
    const entities = await send(xml.replace("<wfs:Trans", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><wfs:Trans').replace("forged", "&a;")); // oxfmt-ignore
    assert.deepEqual([exceptionOf(entities).code, entities.status], ["OperationParsingFailed", 400]);
    assert.equal(exceptionOf(await send(xml.replace('version="2.0.0"', 'version="2.0.0" lockId="1"'))).code, "InvalidParameterValue"); // oxfmt-ignore
    assert.equal(await sites(), before);
  });

  it("has the rights of the account: columns, rules of wfst, workflow, and versions by If-Match", async () => {
    const made = await write(insert(site("of all")), { as: "clerk" });
    const [id = ""] = idsIn(made);
    assert.equal(totals(made), "Inserted 1, Updated 0, Replaced 0, Deleted 0", made.text);
    const refused = async (actions: string, as: string, headers: Readonly<Record<string, string>> = {}) => {
      const answer = await write(actions, { as, ...headers });
      return `${answer.status} ${exceptionOf(answer).message}`;
    };
    assert.match(await refused(insert(site("x", "<p:size>1</p:size>")), "clerk"), /^403 size: the account may not write it/); // oxfmt-ignore
    assert.match(await refused(update("geo.sites", byId(id), ["size", "1"]), "clerk"), /^403 size/);
    assert.equal(totals(await write(update("geo.sites", byId(id), ["size"], ["name", "renamed"]), { as: "clerk" })), "Inserted 0, Updated 1, Replaced 0, Deleted 0"); // oxfmt-ignore
    assert.match(await refused(insert(site("x", "<p:secret>1</p:secret>")), "clerk"), /^400 .*no property/);
    assert.match(await refused(remove("geo.sites", byId(id)), "reader"), /^403 .*may not delete/);
    assert.match(await refused(insert("<p:geo.secret/>"), "reader"), /^400 .*no collection|^403/);
    const { client } = gateway.database;
    await client.query(`select portolan.create_rule('{"username": "editor", "service": "wfst", "table": "sites", "schema": "geo", "access": "limit", "filter": "name <> ''renamed''"}')`); // oxfmt-ignore
    assert.equal(totals(await write(remove("geo.sites", byId(id)))), "Inserted 0, Updated 0, Replaced 0, Deleted 0");
    assert.match(await refused(insert(site("renamed")), "editor"), /^403/);
    await client.query("delete from portolan.rules");
    const draft = `<p:geo.drafts><p:id>1</p:id><p:name>new</p:name><p:geom>${POINT("1 1")}</p:geom></p:geo.drafts>`;
    assert.equal(totals(await write(insert(draft))), "Inserted 1, Updated 0, Replaced 0, Deleted 0");
    assert.match(await refused(insert(draft.replace("<p:id>1", "<p:id>2")), "reader"), /^403/);
    const [, , key = ""] = id.split(".");
    const { headers } = await gateway.get(`/collections/geo.sites/items/${key}`, { as: "editor" });
    const etag = headers.get("etag") ?? "";
    assert.match(await refused(update("geo.sites", byId(id), ["size", "5"]), "editor", { "if-match": '"b3RoZXI"' }), /^412/); // oxfmt-ignore
    assert.equal(totals(await write(update("geo.sites", byId(id), ["size", "5"]), { "if-match": etag })), "Inserted 0, Updated 1, Replaced 0, Deleted 0"); // oxfmt-ignore
    assert.match(await refused(remove("geo.sites", byId(id)), "editor", { "if-match": etag }), /^412/);
  });

  it("writes rows of a workflow with history as the OGC API and psql do, for each account and state", async () => {
    const { client, name: database } = gateway.database;
    const accounts = ["editor", "rea", "pia", "clerk"];
    const tokens = new Map(await Promise.all(accounts.map(async (as) => [as, await gateway.token(as)] as const)));
    const post = (body: string, as: string): Promise<unknown> =>
      ask(root, { method: "POST", body, token: tokens.get(as), headers: { "content-type": "text/xml" } });
    const states = [[1, "editor"], [1, "abe"], [2, "editor"], [3, "editor"]] as const; // oxfmt-ignore
    const point = JSON.stringify({ type: "Point", coordinates: [1, 1] });
    const psql = async (as: string, text: string): Promise<void> => {
      await client.query(`set session authorization "${as}@${database}"`);
      await client.query(text).catch((error: { code?: string }) => assert.equal(error.code, "42501"));
      await client.query("reset session authorization");
    };
    const api = async (as: string, method: string, path: string, body?: object): Promise<unknown> =>
      fetch(`${gateway.root}/collections/geo.flow/items${path}`, {
        method,
        headers: { authorization: `Bearer ${tokens.get(as)}`, ...(body && { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/geo+json" }) }, // oxfmt-ignore
        ...(body && { body: JSON.stringify(body) }),
      });
    const old = (actions: string): string =>
      `<wfs:Transaction xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:p="${root}" service="WFS" version="1.1.0">${actions}</wfs:Transaction>`;
    const oldId = (id: number): string => `<ogc:Filter><ogc:FeatureId fid="geo.flow.${id}"/></ogc:Filter>`;
    const feature = (id: number): string =>
      `<p:geo.flow><p:id>${id}</p:id><p:name>new</p:name><p:geom>${POINT("1 1").replace(' gml:id="p"', "")}</p:geom></p:geo.flow>`;
    type Act = (as: string, id: number) => Promise<unknown>;
    const ACTIONS: Readonly<Record<string, readonly Act[]>> = {
      insert: [
        (as, id) => psql(as, `insert into geo.flow (id, name, geom) values (${id}, 'new', st_geomfromgeojson('${point}'))`), // oxfmt-ignore
        (as, id) => api(as, "POST", "", { type: "Feature", geometry: JSON.parse(point) as unknown, properties: { id, name: "new" } }), // oxfmt-ignore
        (as, id) => post(transaction(insert(feature(id).replace("<gml:Point", '<gml:Point gml:id="p"'))), as),
        (as, id) => post(old(insert(feature(id))), as),
      ],
      update: [
        (as, id) => psql(as, `update geo.flow set name = 'new' where id = ${id}`),
        (as, id) => api(as, "PATCH", `/${id}`, { properties: { name: "new" } }),
        (as, id) => post(transaction(update("geo.flow", byId(`geo.flow.${id}`), ["name", "new"])), as),
        (as, id) => post(old(update("geo.flow", oldId(id), ["name", "new"]).replaceAll("wfs:ValueReference", "wfs:Name")), as), // oxfmt-ignore
      ],
      delete: [
        (as, id) => psql(as, `delete from geo.flow where id = ${id}`),
        (as, id) => api(as, "DELETE", `/${id}`),
        (as, id) => post(transaction(remove("geo.flow", byId(`geo.flow.${id}`))), as),
        (as, id) => post(old(remove("geo.flow", oldId(id))), as),
      ],
    };
    const trials = accounts.flatMap((as) =>
      Object.entries(ACTIONS).flatMap(
        ([action, acts]) =>
        (action === "insert" ? [[0, ""] as const] : states).map(([status, author]) => ({ as, action, acts, status, author })), // oxfmt-ignore
      ),
    );
    const idOf = (trial: number, door: number): number => 1000 + trial * 4 + door;
    const there = trials.flatMap(({ status, author }, trial) => [0, 1, 2, 3].flatMap((door) => (status === 0 ? [] : [{ id: idOf(trial, door), status, author }]))); // oxfmt-ignore
    const values = JSON.stringify(there);
    await client.query("insert into geo.flow (id, name, geom) select id, 'old', st_setsrid(st_makepoint(1, 1), 4326) from json_to_recordset($1) v (id int)", [values]); // oxfmt-ignore
    await client.query("set session_replication_role = replica");
    await client.query("update geo.flow f set portolan_status = v.status, portolan_workflow = jsonb_build_object('author', v.author) from json_to_recordset($1) v (id int, status int, author text) where f.id = v.id", [values]); // oxfmt-ignore
    await client.query("reset session_replication_role; delete from portolan.audit where event like 'workflow.%'");
    for (const [trial, { as, acts }] of trials.entries())
      await Promise.all(acts.map((act, door) => act(as, idOf(trial, door))));
    const { rows: found } = await client.query<{ id: number; told: object }>(
      `select i as id, jsonb_build_object(
  'row', (select to_jsonb(f) - '{id,portolan_from}'::text[] from geo.flow f where id = i),
  'audit', (select jsonb_agg(jsonb_build_array(event, account, details - 'key') order by event) from portolan.audit where event like 'workflow.%' and details ->> 'key' = i::text),
  'history', (select jsonb_agg(jsonb_build_array(record ->> 'name', record ->> 'portolan_status', written_by, ended_by) order by valid_from) from portolan.history('geo.flow', i::text))) as told
from generate_series(1000, ${idOf(trials.length, 0) - 1}) i`,
    );
    const told = new Map(found.map((each) => [each.id, each.told]));
    let changed = 0;
    for (const [trial, { as, action, status, author }] of trials.entries()) {
      const [first, ...others] = [0, 1, 2, 3].map((door) => told.get(idOf(trial, door)));
      if (JSON.stringify(first).includes("workflow.")) changed++;
      for (const other of others) assert.deepEqual(other, first, `${as} ${action} ${status} ${author}`);
    }
    assert.ok(changed > 10 && changed < trials.length - 10, `${changed} of ${trials.length} were written`);
  });

  const ogrinfo = findOgrinfo();
  it("offers in its capabilities only what the account may write", async () => {
    const capabilities = async (version: string, as?: string) =>
      (await ask(`${root}?service=WFS&version=${version}&request=GetCapabilities`, { token: as && (await gateway.token(as)) })).text; // oxfmt-ignore
    for (const [as, offers] of [
      ["editor", true],
      [undefined, false],
      ["reader", false],
      ["editor", true],
      ["clerk", true],
    ] as const) {
      // oxfmt-ignore
      const [now, before] = [await capabilities("2.0.0", as), await capabilities("1.1.0", as)];
      assert.equal(/<ows:Operation name="Transaction">/.test(now), offers, as);
      assert.equal(/<ows:Operation name="Transaction">/.test(before), offers, as);
      assert.match(now, new RegExp(`name="ImplementsTransactionalWFS">.{0,60}>${offers ? "TRUE" : "FALSE"}<`), as);
      if (!offers) assert.doesNotMatch(before, /<wfs:Operation>(Insert|Update|Delete)</);
    }
    const ofSites = async (as: string) =>
      [.../<wfs:Name>p:geo\.sites<[^]*?<\/wfs:Operations>/.exec(await capabilities("1.1.0", as))![0].matchAll(/<wfs:Operation>(\w+)/g)].map(([, name]) => name); // oxfmt-ignore
    assert.deepEqual(await ofSites("editor"), ["Query", "Insert", "Update", "Delete"]);
    assert.deepEqual(await ofSites("clerk"), ["Query", "Insert", "Update"]);
    assert.deepEqual(await ofSites("reader"), ["Query"]);
  });

  describeOnlyIf(ogrinfo !== undefined, "GDAL")("GDAL", () => {
    for (const version of ["2.0.0", "1.1.0"])
      it(`inserts, updates and deletes by ${version}`, async () => {
        const env = { GDAL_HTTP_HEADERS: `Authorization: Bearer ${await gateway.token("editor")}` };
        const first = version === "2.0.0" ? 100 : 200;
        const file = join(folder, `${first}.geojson`);
        const feature = (id: number) => ({ type: "Feature", properties: { id, name: `tree ${id}` }, geometry: { type: "Point", coordinates: [10, 52] } }); // oxfmt-ignore
        await writeFile(file, JSON.stringify({ type: "FeatureCollection", features: [feature(first), feature(first + 1)] })); // oxfmt-ignore
        const source = `WFS:${root}?VERSION=${version}`;
        const run = async (program: string, ...words: readonly string[]): Promise<string> => {
          const { output, code } = await runProgram(ogrinfo!.replace(/ogrinfo$/, program), words, env);
          assert.equal(code, 0, output);
          return output;
        };
        await run("ogr2ogr", "-update", "-append", "-nln", "p:geo.trees", source, file);
        assert.deepEqual(await rows(`select id, name, st_astext(geom) as geom from geo.trees where id >= ${first} and id < ${first + 100} order by id`), [first, first + 1].map((id) => ({ id, name: `tree ${id}`, geom: "POINT(10 52)" }))); // oxfmt-ignore
        const found = await run("ogrinfo", source, "p:geo.trees", "-where", `name = 'tree ${first}'`);
        assert.match(found, /Feature Count: 1/);
        await run("ogrinfo", "-update", source, "-sql", `DELETE FROM p:geo.trees WHERE id = ${first}`);
        assert.deepEqual(await rows(`select id from geo.trees where id >= ${first} and id < ${first + 100}`), [{ id: first + 1 }]); // oxfmt-ignore
      });
  });
});
