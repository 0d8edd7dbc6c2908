import assert from "node:assert/strict";
import { until } from "../support/until.ts";
import { epsg, hrefOf, idsOf, ogcGateway, type Answer, type Json, type OgcGateway } from "./support.ts";

const ITEMS = "/collections/geo.places/items";
const encode = encodeURIComponent;
/** Two polygons, one in the other. */
const OVERLAPPING = "MULTIPOLYGON(((0 0,20 0,20 20,0 0)),((0 0,10 0,10 10,0 0)))";

describe("the parameter filter of items", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { crs: [25832] } },
      prepare: async ({ client, name }) => {
        await client.query(`
create table geo.staff (
  id int primary key, name text, salary int, filter text, note text, shape point, geom geometry(Point, 4326));
comment on column geo.staff.filter is '@filterable';
comment on column geo.staff.note is '@filterable off';
insert into geo.staff values
  (1, 'ann', 100, 'x', 'n', null, 'srid=4326;point(1 1)'), (2, 'Bob', 200, 'y', 'n', null, 'srid=4326;point(2 2)');
create table geo.overlapping (id int primary key, geom geometry(MultiPolygon, 4326));
insert into geo.overlapping values (1, 'srid=4326;${OVERLAPPING}');
select portolan.set_authentication('geo.overlapping', 'None');
grant usage on schema geo to "guest@${name}";
grant select (id, name, filter, note, geom) on geo.staff to "guest@${name}";`);
      },
    });
  });
  after(() => gateway.close());

  const find = (filter: string, more = "", as?: string): Promise<Answer> =>
    gateway.get(`${ITEMS}?limit=1000&filter=${encode(filter)}${more}`, as === undefined ? {} : { as });
  const refused = async (answer: Promise<Answer>, position: number | undefined, message: RegExp): Promise<void> => {
    const { status, json, headers } = await answer;
    assert.deepEqual([status, json.code, json.position], [400, "INVALID_PARAMETER", position], JSON.stringify(json));
    assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
    assert.match(json.detail, message);
  };

  it("keeps the features that meet it, as text and as JSON, and counts them", async () => {
    for (const [filter, ids] of [
      ["size = 7", [7]],
      ["size + 1 BETWEEN 4 AND 5 OR name LIKE '%e 95'", [3, 4, 95]],
      ["CASEI(kind) = CASEI('INN') AND size < 8 AND NOT open", [3]],
      ["price > 95", [95]],
      ["T_DURING(opened, INTERVAL('2020-01-09', '2020-01-12'))", [9, 10]],
      ["S_INTERSECTS(geom, BBOX(4.5,4.5,5.5,5.5))", [55]],
      ['( ( "size" = ( - (-3)) ) AND "name" IS NOT NULL AND (CASEI(name) LIKE CASEI(\'PLACE%\')) )', [3]],
      ["TRUE AND id = 5", [5]],
    ] as const) {
      const answer = await find(filter);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(idsOf(answer), ids, filter);
      assert.equal(answer.json.numberMatched, ids.length, filter);
    }
    const json = {
      op: "and",
      args: [
        { op: "<", args: [{ property: "size" }, 4] },
        { op: "isNull", args: [{ property: "ref" }] },
      ],
    };
    assert.deepEqual(idsOf(await find(JSON.stringify(json), "&filter-lang=cql2-json")), [1, 2, 3]);
    assert.deepEqual(idsOf(await find("opened = '2020-01-05' AND name ILIKE 'PLACE%'", "&filter-lang=cql-text")), [4]);
    assert.equal((await find("TRUE")).json.numberMatched, 95);
  });

  it("takes days and instants as answers write them", async () => {
    await gateway.database.client.query(`
create table geo.moments (id int primary key, zoned timestamptz, local timestamp, day date, geom geometry(Point, 4326));
insert into geo.moments select i, t::timestamptz, t::timestamp, t::date, 'srid=4326;point(1 1)'
from unnest('{2020-01-01 01:00:00.123456,0044-03-15 10:00:00 BC,12020-01-01 00:00:00,infinity,-infinity}'::text[]) with ordinality u (t, i);
set timezone to 'UTC';
select portolan.set_authentication('geo.moments', 'None');`);
    const path = "/collections/geo.moments/items";
    await until(async () => (await gateway.get(path)).status === 200);
    const { features } = (await gateway.get(path)).json;
    assert.equal(features.length, 5);
    const idsWhere = async (filter: string) => {
      const answer = await gateway.get(`${path}?filter=${encode(filter)}`);
      assert.equal(answer.status, 200, `${filter}: ${answer.text}`);
      return idsOf(answer);
    };
    for (const { id, properties } of features) {
      for (const name of ["zoned", "local"])
        assert.deepEqual(await idsWhere(`${name} = TIMESTAMP('${properties[name]}')`), [id]);
      assert.deepEqual(await idsWhere(`day = DATE('${properties.day}')`), [id]);
    }
    for (const name of ["zoned", "local"]) {
      assert.deepEqual(await idsWhere(`${name} = TIMESTAMP('2020-01-01T02:30:00.123456+01:30')`), [1], name);
      assert.deepEqual(await idsWhere(`${name} < TIMESTAMP('0044-03-15T12:00:00+01:00 BC')`), [2, 5], name);
      const during = `T_DURING(${name},INTERVAL('0045-01-01 BC','2021-01-01T00:00:00+00:00'))`;
      assert.deepEqual(await idsWhere(during), [1, 2], name);
    }
  });

  it("works with all other parameters, and stays in the links of pages", async () => {
    assert.deepEqual(idsOf(await find("size < 20", "&kind=inn&bbox=-1,-1,5.5,5.5")), [3, 12, 15]);
    const first = await gateway.get(`${ITEMS}?limit=2&filter=${encode("kind = 'inn' AND size > 50")}`);
    assert.deepEqual(idsOf(first), [51, 54]);
    assert.equal(first.json.numberMatched, 15);
    const second = await gateway.get(hrefOf(first.json.links, "next"));
    assert.deepEqual(idsOf(second), [57, 60]);
    assert.deepEqual(idsOf(await gateway.get(hrefOf(second.json.links, "prev"))), [51, 54]);
    const page = await gateway.get(`${ITEMS}?f=html&filter=${encode("name = 'place 7'")}`);
    assert.match(page.text, /1 on this page, 1 in all/);
    assert.match(page.text, /name=&quot;filter&quot;|name="filter"/);
  });

  it("takes geometries in filter-crs, in its axis order", async () => {
    const crs = (uri: string): string => `&filter-crs=${encode(uri)}`;
    assert.deepEqual(idsOf(await find("S_INTERSECTS(geom, POINT(2 9))", crs(epsg(4326)))), [29]);
    assert.deepEqual(
      idsOf(await find("S_INTERSECTS(geom, BBOX(950000,100000,1010000,120000))", crs(epsg(3857)))),
      [19],
    );
    assert.deepEqual(idsOf(await find("S_INTERSECTS(geom, BBOX(1.5,8.5,2.5,9.5))", crs("[EPSG:4326]"))), [29]);
    const { status, json } = await find("S_INTERSECTS(geom, POINT(2 9))", "&filter-crs=EPSG:4326");
    assert.deepEqual([status, json.code], [400, "INVALID_CRS"]);
  });

  it("reads a + as itself beside spaces as %20, as QGIS sends them, and as a space in a form", async () => {
    for (const [query, ids] of [
      ["(size%20+%201)%20=%205", [4]],
      ["(name%20=%20%27x+%27)%20OR%20(size%20=%202+1)", [3]],
      ["size+%3D+5", [5]],
      ["size+%2B+1+%3D+5", [4]],
      ["size=5", [5]],
    ] as const)
      assert.deepEqual(idsOf(await gateway.get(`/collections/geo.places/items?limit=5&filter=${query}`)), ids, query);
    await gateway.database.client.query("update geo.places set name = 'A+B C' where id = 9");
    const { json } = await gateway.get("/collections/geo.places/items?limit=5&filter=(name%20=%20'A+B%20C')");
    assert.deepEqual([json.numberMatched, json.features[0]?.id], [1, 9]);
    const own = json.links.find(({ rel }: Json) => rel === "self").href;
    assert.equal((await gateway.get(own)).json.numberMatched, 1, own);
    await gateway.database.client.query("update geo.places set name = 'place 9' where id = 9");
  });

  it("that is wrong is 400 with the position of the error", async () => {
    await refused(find("size = "), 8, /expected a value/);
    await refused(find("sizes = 5"), 1, /no property "sizes"/);
    await refused(find("size = 'x'"), 8, /cannot be compared/);
    await refused(find('{"op": "=", "args": [{"property": "sizes"}, 5]}', "&filter-lang=cql2-json"), 22, /no property/);
    await refused(find("{", "&filter-lang=cql2-json"), 2, /not JSON/);
    await refused(find("size = 5", "&filter-lang=cql3"), undefined, /filter-lang: expected cql2-text/);
    await refused(find(""), undefined, /is empty/);
    await refused(find(`${"(".repeat(101)}open${")".repeat(101)}`), 102, /nested deeper/);
    await refused(find("size = 5", "&filter=open"), undefined, /given twice/);
    await refused(find(`size in (${Array.from({ length: 3000 }, () => 1).join(",")})`), 5007, /more than 5000 parts/);
  });

  it("that cannot be calculated is 400, and says no more than PostgreSQL does", async () => {
    await refused(find("1 / (size - 5) > 1"), undefined, /division by zero/);
    await refused(find("price ^ 10000 > 1"), undefined, /out of range/);
  });

  it("is 400 in items, tiles and maps if its geometry, or that of a feature, crosses itself and is undecidable", async () => {
    const triangle = "POLYGON((0 0,10 0,10 10,0 0))";
    for (const [filter, table, condition] of [
      [`S_INTERSECTS(geom,${OVERLAPPING})`, "kinds", `st_intersects(geom, 'srid=4326;${OVERLAPPING}')`],
      [`S_OVERLAPS(geom,${triangle})`, "overlapping", `st_overlaps(geom, 'srid=4326;${triangle}')`],
    ] as const) {
      // GEOS 3.13 decides both
      const decided = await gateway.database.client.query(`select id from geo.${table} where ${condition}`).then(
        ({ rows }) => rows as readonly { id: number }[],
        ({ message }: Error) => void assert.match(message, /TopologyException/),
      );
      for (const path of ["items?", "tiles/WebMercatorQuad/0/0/0?", "map?width=50&bbox=-1,-1,30,30&"]) {
        const answer = await gateway.get(`/collections/geo.${table}/${path}filter=${encode(filter)}`);
        const { status, json } = answer;
        const found = decided?.length === 0 && path.startsWith("tiles") ? 204 : 200;
        assert.deepEqual([status, json?.code], decided ? [found, undefined] : [400, "INVALID_PARAMETER"], path);
        if (!decided) assert.match(json.detail, /TopologyException.*invalid/, path);
        else if (path === "items?") assert.deepEqual(new Set(idsOf(answer)), new Set(decided.map(({ id }) => id)));
      }
    }
    const { json } = await gateway.get("/collections/geo.overlapping/items?bbox=1,0,12,12");
    assert.equal(json.numberMatched, 1, "as a box asks for it");
  });

  it("is not a parameter of one feature or of the collection", async () => {
    for (const path of [
      `${ITEMS}/7?filter=size=7`,
      "/collections/geo.places?filter=size=7",
      "/collections?filter=TRUE",
    ])
      assert.equal((await gateway.get(path)).json.code, "UNKNOWN_PARAMETER", path);
  });

  it("too long for the head of a request, 64 kB, is 414 as a problem", async () => {
    assert.equal((await find(`name = '${"x".repeat(60_000)}'`)).status, 200);
    const { status, json } = await find(`name = '${"x".repeat(100_000)}'`);
    assert.deepEqual([status, json.status, json.code], [414, 414, "URI_TOO_LONG"]);
  });

  describe("names only what the caller may read", () => {
    const staff = (filter: string, as: string): Promise<Answer> =>
      gateway.get(`/collections/geo.staff/items?filter=${encode(filter)}`, { as });

    it("a column that may not be selected is unknown, in the same words as a missing one", async () => {
      assert.deepEqual(idsOf(await staff("salary > 150", "captain")), [2]);
      await refused(staff("salary > 150", "guest"), 1, /^filter: there is no property "salary" \(character 1\)$/);
      await refused(staff("salarx > 150", "guest"), 1, /^filter: there is no property "salarx" \(character 1\)$/);
      const names = async (as: string): Promise<string[]> =>
        Object.keys((await gateway.get("/collections/geo.staff/queryables", { as })).json.properties);
      assert.deepEqual(await names("captain"), ["id", "name", "salary", "filter", "geom"]);
      assert.deepEqual(await names("guest"), ["id", "name", "filter", "geom"]);
    });

    it("q looks only into columns that the caller may select", async () => {
      const found = async (term: string, as: string): Promise<readonly unknown[]> =>
        idsOf(await gateway.get(`/collections/geo.staff/items?q=${term}`, { as }));
      await gateway.database.client.query(`revoke select (filter) on geo.staff from "guest@${gateway.database.name}"`);
      assert.deepEqual([await found("x", "captain"), await found("x", "guest")], [[1], []]);
      await gateway.database.client.query(`grant select (filter) on geo.staff to "guest@${gateway.database.name}"`);
      assert.deepEqual(await found("x", "guest"), [1]);
      assert.deepEqual(await found("n,BOB", "guest"), [1, 2], "the note is not filterable, and names have these");
    });

    it("a filter that was accepted for one caller or at one time is checked again for another, or later", async () => {
      const { client, name } = gateway.database;
      const asked = (as: string): Promise<Answer> =>
        gateway.get(`/collections/geo.staff/items?filter=${encode("filter = 'x' AND name = 'ann'")}`, { as });
      const statusOf = async (as: string): Promise<number> => (await asked(as)).status;
      for (let turn = 0; turn < 2; turn++)
        assert.deepEqual([await statusOf("guest"), await statusOf("captain")], [200, 200]);
      await client.query(`revoke select (name) on geo.staff from "guest@${name}"`);
      await refused(asked("guest"), 18, /name/);
      assert.equal(await statusOf("captain"), 200, "which may still read it");
      await client.query(`grant select (name) on geo.staff to "guest@${name}"`);
      assert.equal(await statusOf("guest"), 200);
      // the same text is another comparison, or none, once the column is another
      await client.query(
        "alter table geo.staff rename column name to label; alter table geo.staff add column name int",
      );
      await until(async () => (await statusOf("captain")) === 400);
      await client.query("alter table geo.staff drop column name; alter table geo.staff rename column label to name");
      await until(async () => (await statusOf("guest")) === 200);
      assert.deepEqual(idsOf(await asked("guest")), [1]);
    });

    it("one marked @filterable off is hidden from it too", async () => {
      await refused(staff("note = 'n'", "captain"), 1, /no property "note"/);
    });

    it("a parameter wins over a filterable column of the same name", async () => {
      assert.deepEqual(idsOf(await staff("filter = 'x'", "captain")), [1]);
    });

    it("a caller who may not read the collection learns that, and not the error of the filter", async () => {
      for (const filter of ["nothing = 1", "id = 1", "("]) {
        const path = `/collections/geo.secret/items?filter=${encode(filter)}`;
        assert.equal((await gateway.get(path)).status, 401);
        assert.equal((await gateway.get(path, { as: "guest" })).status, 403);
      }
    });
  });

  describe("is described", () => {
    it("by queryables with types and formats", async () => {
      const { headers, json } = await gateway.get("/collections/geo.places/queryables");
      assert.match(headers.get("content-type") ?? "", /^application\/schema\+json/);
      assert.equal(json.$schema, "https://json-schema.org/draft/2020-12/schema");
      assert.equal(json.$id, `${gateway.root}/collections/geo.places/queryables`);
      assert.deepEqual([json.type, json.additionalProperties], ["object", false]);
      assert.deepEqual(json.properties.geom, { format: "geometry-point" });
      assert.deepEqual(json.properties.opened, { type: "string", format: "date" });
      for (const property of Object.values<Json>(json.properties))
        assert.ok(property.type || property.format.startsWith("geometry-"));
      const { json: any } = await gateway.get("/collections/geo.kinds/queryables");
      assert.equal(any.properties.geom.format, "geometry-any");
    });

    it("by the queryables of all collections, since each filter applies to all", async () => {
      const { status, json } = await gateway.get("/queryables");
      assert.equal(status, 200);
      assert.ok(!("salary" in json.properties));
    });

    it("by the functions it may call", async () => {
      const { json } = await gateway.get("/functions");
      const dwithin = json.functions.find(({ name }: Json) => name === "dwithin");
      assert.deepEqual(dwithin.returns, ["boolean"]);
      assert.deepEqual(
        dwithin.arguments.map(({ type }: Json) => type),
        [["geometry"], ["geometry"], ["number"]],
      );
      for (const { name, arguments: all } of json.functions) assert.ok(name && Array.isArray(all));
      assert.match((await gateway.get("/functions?f=html")).text, /dwithin\(/);
      hrefOf((await gateway.get("/")).json.links, "http://www.opengis.net/def/rel/ogc/1.0/functions");
    });

    it("by the OpenAPI document", async () => {
      const { json } = await gateway.get("/api?f=json");
      assert.deepEqual(json.components.parameters["filter-lang"].schema, {
        type: "string",
        enum: ["cql2-text", "cql2-json", "cql-text"],
        default: "cql2-text",
      });
      const taken = (path: string): string[] =>
        json.paths[path].get.parameters.map((each: Json) => each.$ref.split("/").pop());
      for (const path of ["/collections/{collectionId}/items", "/collections/{collectionId}/map", "/map"])
        for (const name of ["filter", "filter-lang", "filter-crs"])
          assert.ok(
            taken(path).some((each) => each.replace(/_\d+$/, "") === name),
            `${path} ${name}`,
          );
      assert.ok(!taken("/collections/{collectionId}/items/{featureId}").includes("filter"));
    });

    it("by the classes of CQL2", async () => {
      const { conformsTo } = (await gateway.get("/conformance")).json;
      for (const name of ["basic-cql2", "arithmetic", "accent-insensitive-comparison", "cql2-json"])
        assert.ok(conformsTo.includes(`http://www.opengis.net/spec/cql2/1.0/conf/${name}`), name);
    });
  });
});

describe("filters without the extension unaccent", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({ prepare: async ({ client }) => void (await client.query("drop extension unaccent")) });
  });
  after(() => gateway.close());

  it("accenti is refused, and its class is not declared", async () => {
    const { status, json } = await gateway.get(`${ITEMS}?filter=${encode("ACCENTI(name) = 'x'")}`);
    assert.deepEqual([status, json.code, json.position], [400, "INVALID_PARAMETER", 1]);
    assert.match(json.detail, /unaccent/);
    const { conformsTo } = (await gateway.get("/conformance")).json;
    assert.ok(!conformsTo.some((uri: string) => uri.includes("accent-insensitive")));
  });
});

describe("queryables for QGIS", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({ config: { ogc: { qgisQueryables: true } } });
  });
  after(() => gateway.close());

  it("have the $ref of geometries, and the class the name of drafts, if the option says so", async () => {
    const { json } = await gateway.get("/collections/geo.places/queryables");
    assert.equal(json.properties.geom.$ref, "https://geojson.org/schema/Point.json");
    const { conformsTo } = (await gateway.get("/conformance")).json;
    assert.ok(conformsTo.includes("http://www.opengis.net/spec/cql2/1.0/conf/basic-spatial-operators"));
  });
});
