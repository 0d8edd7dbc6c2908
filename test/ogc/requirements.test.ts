/** Every requirement of every class that `/conformance` names for features, and the test for it. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { FONT } from "../../ogc/styles/glyphRange.ts";
import { testBrowser } from "../support/browser.ts";
import { CRS84, epsg, hrefOf, idsOf, ogcGateway, type Answer, type Json, type OgcGateway } from "./support.ts";
import { FEATURES_FORMATS } from "../../ogc/exchange/formats.ts";

const PART1 = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf";
const PART2 = "http://www.opengis.net/spec/ogcapi-features-2/1.0/conf";

const PART3 = "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf";
/** Drafts (of 2024): the words are those of their repository. */
const PART6 = "http://www.opengis.net/spec/ogcapi-features-6/1.0/conf";
const PART8 = "http://www.opengis.net/spec/ogcapi-features-8/1.0/conf";
const SORTABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/sortables";
const SCHEMA_REL = "http://www.opengis.net/def/rel/ogc/1.0/schema";
const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";

/** OGC 23-058r2, under both of its names. */
const SCHEMAS = ["ogcapi-common-3", "ogcapi-features-5"].map((part) => `http://www.opengis.net/spec/${part}/1.0/conf`);
const OF_SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  schemas: [
    ...["json-schema", "properties", "additional-keywords", "role", "role-id", "property-seq", "unit", "definition"],
    "nullvalues",
  ],
  "advanced-property-roles": [
    ...["role-primary-geometry", "role-primary-instant", "role-primary-interval-start", "role-primary-interval-end"],
    ...["role-primary-interval", "primary-temporal-constraints", "role-type"],
  ],
  references: ["role-reference"],
  "returnables-and-receivables": ["link", "op", "response"],
  queryables: ["link", "op", "response"],
  sortables: ["link", "op", "response"],
};

/** A path with the tile that contains everything, the only style, and its letters. */
function inTile(path: string): string {
  return path
    .replace("{styleId}", "default")
    .replace("{fontStack}", FONT)
    .replace("{glyphRange}", "0-255.pbf")
    .replace("{sprite}", "sprite@2x.json")
    .replace("{tileMatrixSetId}", "WebMercatorQuad")
    .replace(/\{tile(Matrix|Row|Col)\}/g, "0");
}

/** The requirements of OGC 17-069r4, 18-058r1, 19-079r2 and 23-058r2, by the URI of the conformance class that tests them. */
const REQUIREMENTS: Readonly<Record<string, readonly string[]>> = {
  [`${PART1}/core`]: [
    ...["root-op", "root-success", "api-definition-op", "api-definition-success", "conformance-op"],
    ...["conformance-success", "http", "query-param-unknown", "query-param-invalid", "crs84", "fc-md-op"],
    ...["fc-md-success", "fc-md-links", "fc-md-items", "fc-md-items-links", "fc-md-extent", "fc-md-extent-multi"],
    ...["sfc-md-op", "sfc-md-success", "fc-op", "fc-limit-definition", "fc-limit-response-1", "fc-bbox-definition"],
    ...["fc-bbox-response", "fc-time-definition", "fc-time-response", "fc-response", "fc-links", "fc-rel-type"],
    ...["fc-timeStamp", "fc-numberMatched", "fc-numberReturned", "f-op", "f-success", "f-links"],
  ].map((name) => `/req/core/${name}`),
  [`${PART1}/html`]: ["/req/html/definition", "/req/html/content"],
  [`${PART1}/geojson`]: ["/req/geojson/definition", "/req/geojson/content"],
  [`${PART1}/oas30`]: [
    ...["oas-definition-1", "oas-definition-2", "oas-impl", "completeness", "exceptions-codes", "security"],
  ].map((name) => `/req/oas30/${name}`),
  [`${PART3}/queryables`]: [
    ...["get-queryables-op", "get-queryables-response", "expression-construction", "queryables-link"],
  ].map((name) => `/req/queryables/${name}`),
  [`${PART3}/filter`]: [
    ...["filter-param", "filter-lang-param", "filter-crs-param", "filter-crs-wgs84", "mixing-expressions", "response"],
    ...["get-functions-operation", "get-functions-response-json"],
  ].map((name) => `/req/filter/${name}`),
  [`${PART3}/features-filter`]: [
    ...["filter-param", "filter-lang-param", "filter-crs-param", "get-queryables-op", "queryables-link", "response"],
  ].map((name) => `/req/features-filter/${name}`),
  [`${PART8}/sortables`]: [
    "/req/sortables/get-sortables-op",
    "/req/sortables/get-sortables-success",
    "/req/sortables/sortables-link",
  ],
  [`${PART6}/properties`]: ["/req/properties/parameter", "/req/properties/response"],
  [`${PART8}/sorting`]: ["/req/sorting/sortby-definition", "/req/sorting/sortby-response"],
  [`${PART8}/features-sorting`]: [...["get-sortables-op", "response", "sortable-link", "sortby-param"]].map(
    (name) => `/req/features-sorting/${name}`,
  ),
  ...Object.fromEntries(
    SCHEMAS.flatMap((part) =>
      Object.entries(OF_SCHEMAS).map(([name, ids]) => [`${part}/${name}`, ids.map((id) => `/req/${name}/${id}`)]),
    ),
  ),
  [`${PART2}/crs`]: [
    ...["crs-uri", "fc-md-crs-list", "fc-md-storageCrs", "fc-md-storageCrs-valid-value", "fc-md-crs-list-global"],
    ...["fc-bbox-crs-definition", "fc-bbox-crs-valid-value", "fc-bbox-crs-valid-default-value", "fc-bbox-crs-action"],
    ...["fc-crs-definition", "fc-crs-valid-value", "fc-crs-default-value", "fc-crs-action", "geojson"],
    ...["ogc-crs-header", "ogc-crs-header-value"],
  ].map((name) => `/req/crs/${name}`),
};

const FEATURES_TYPES = FEATURES_FORMATS.map(({ mediaType }) => mediaType);
const PLACES = "/collections/geo.places";
/** The same point in five systems. */
const SAME_PLACE = ["lonlat", "etrs", "utm", "mercator", "sphere"].map((name) => `/collections/geo.${name}`);

describe("requirements of OGC API Features", () => {
  let gateway: OgcGateway;

  before(async () => {
    // as in the standard
    gateway = await ogcGateway({
      config: { ogc: { antimeridian: "split", datetimeIntervals: "accept", crs: [25832] } },
      prepare: ({ client }) =>
        client.query(`
create table geo.visits (
  id int primary key, place int references geo.places, at timestamp, tags text[], more jsonb, geom geometry(Point, 4326));
insert into geo.visits values (1, 7, '2026-01-31 12:00', '{a}', '[1]', 'srid=4326;point(1 1)');
select portolan.set_authentication('geo.visits', 'None')`),
    });
  });
  after(() => gateway.close());

  const ok = async (path: string, accept?: string): Promise<Answer> => {
    const answer = await gateway.get(path, accept === undefined ? {} : { headers: { accept } });
    assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 200)}`);
    return answer;
  };
  const mediaType = ({ headers }: Answer): string => (headers.get("content-type") ?? "").split(/; *charset/)[0]!;
  const collections = async (): Promise<Json[]> => (await ok("/collections?limit=1000")).json.collections;
  const pathOf = ({ id }: Json): string => `/collections/${encodeURIComponent(id)}`;
  const relsAndTypes = (links: Json[]): void => {
    for (const link of links) assert.ok(link.rel && link.type, JSON.stringify(link));
  };
  /** `self`, and one `alternate` for every other format. Each answers in the format that it names. */
  const selfAndAlternates = async (links: Json[], types: readonly string[]): Promise<void> => {
    relsAndTypes(links);
    const [self, ...others] = links.filter(({ rel }) => rel === "self" || rel === "alternate");
    assert.equal(self.rel, "self");
    assert.deepEqual([self, ...others].map(({ type }) => type).sort(), [...types].sort());
    for (const { href, type } of [self, ...others]) assert.equal(mediaType(await ok(href)), type);
  };
  const document = async (): Promise<Json> => (await ok("/api?f=json")).json;
  const parameter = async (template: string, name: string): Promise<Json> => {
    const { paths, components } = await document();
    const found = paths[template].get.parameters
      .map((each: Json) => (each.$ref ? components.parameters[each.$ref.split("/").pop()] : each))
      .find((each: Json) => each.name === name);
    assert.ok(found, `${template} has no parameter ${name}`);
    assert.deepEqual([found.in, found.required, found.style, found.explode], ["query", false, "form", false]);
    return found.schema;
  };
  const ITEMS = "/collections/{collectionId}/items";
  const ITEM = `${ITEMS}/{featureId}`;
  const near = (point: readonly number[], expected: readonly number[]): void => {
    assert.equal(point.length, expected.length);
    for (const [index, value] of expected.entries())
      assert.ok(Math.abs(point[index]! - value) < 1e-6, `${point.join()} is not ${expected.join()}`);
  };
  const positions = (coordinates: Json): number[][] =>
    typeof coordinates[0] === "number" ? [coordinates] : coordinates.flatMap(positions);
  const badValues = { limit: "0", bbox: "1,2,3", datetime: "yesterday", crs: "EPSG:4326", "bbox-crs": "4326" };
  const refused = async (path: string, code: string): Promise<void> => {
    const { status, json, headers } = await gateway.get(path);
    assert.deepEqual([status, json.code], [400, code], path);
    assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
    assert.ok(json.detail.length > 10);
  };
  const extentHoldsAll = async (): Promise<void> => {
    for (const collection of await collections()) {
      const extent: number[] | undefined = collection.extent?.spatial.bbox[0];
      const { features } = (await ok(`${pathOf(collection)}/items?limit=1000`)).json;
      for (const { geometry } of features.filter((feature: Json) => feature.geometry?.coordinates))
        for (const [x = NaN, y = NaN] of positions(geometry.coordinates)) {
          if (Math.abs(x) > 180 || Math.abs(y) > 90) continue; // where no extent can be
          assert.ok(extent, collection.id);
          const [minx = NaN, miny = NaN, maxx = NaN, maxy = NaN] = extent;
          // coordinates have nine decimals
          const margin = 1e-9;
          assert.ok(
            x >= minx - margin && y >= miny - margin && x <= maxx + margin && y <= maxy + margin,
            `${collection.id}: ${x}, ${y} is outside ${extent.join()}`,
          );
        }
    }
  };

  const TESTS: Readonly<Record<string, () => Promise<void>>> = {
    "/req/core/root-op": async () => void (await ok("/")),
    "/req/core/root-success": async () => {
      const { links } = (await ok("/")).json;
      for (const rel of ["service-desc", "service-doc", "conformance", "data"]) await ok(hrefOf(links, rel));
      assert.equal(hrefOf(links, "conformance"), `${gateway.root}/conformance`);
      assert.equal(hrefOf(links, "data"), `${gateway.root}/collections`);
    },
    "/req/core/api-definition-op": async () => {
      const { links } = (await ok("/")).json;
      for (const rel of ["service-desc", "service-doc"]) await ok(hrefOf(links, rel));
    },
    "/req/core/api-definition-success": async () => {
      const { links } = (await ok("/")).json;
      for (const { href, type } of links.filter(({ rel }: Json) => /^service-(desc|doc)$/.test(rel)))
        for (const address of [href, href.replace(/\?.*/, "")]) assert.equal(mediaType(await ok(address, type)), type);
    },
    "/req/core/conformance-op": async () => void (await ok("/conformance")),
    "/req/core/conformance-success": async () => {
      const { conformsTo } = (await ok("/conformance")).json;
      assert.ok(conformsTo.includes(`${PART1}/core`));
      for (const uri of conformsTo) assert.ok(URL.canParse(uri), uri);
      assert.equal(new Set(conformsTo).size, conformsTo.length);
    },
    "/req/core/http": async () => {
      for (const method of ["GET", "HEAD"]) {
        const version = await new Promise((resolve, reject) =>
          request(`${gateway.root}/collections`, { method }, (response) => {
            response.resume().on("end", () => resolve(response.httpVersion));
          })
            .on("error", reject)
            .end(),
        );
        assert.equal(version, "1.1");
      }
    },
    "/req/core/query-param-unknown": async () => {
      for (const path of ["/", "/conformance", "/collections", PLACES, `${PLACES}/items`, `${PLACES}/items/1`])
        await refused(`${path}?unknownQueryParameter=1`, "UNKNOWN_PARAMETER");
    },
    "/req/core/query-param-invalid": async () => {
      for (const [name, value] of Object.entries(badValues))
        await refused(`${PLACES}/items?${name}=${value}`, /crs/.test(name) ? "INVALID_CRS" : "INVALID_PARAMETER");
    },
    "/req/core/crs84": async () => {
      for (const path of SAME_PLACE) {
        const { features } = (await ok(`${path}/items`)).json;
        near(features[0].geometry.coordinates, [8.6, 49.4]);
        near((await ok(`${path}/items/1`)).json.geometry.coordinates, [8.6, 49.4]);
        assert.equal((await ok(path)).json.extent.spatial.crs, CRS84);
      }
    },
    "/req/core/fc-md-op": async () => void (await ok("/collections")),
    "/req/core/fc-md-success": async () => {
      const { json } = await ok("/collections"); // compared with the OpenAPI document, as every answer
      for (const { id, links } of json.collections) assert.ok(id && links);
    },
    "/req/core/fc-md-links": async () =>
      selfAndAlternates((await ok("/collections")).json.links, ["application/json", "text/html"]),
    "/req/core/fc-md-items": async () => {
      const { rows } = await gateway.database.client.query<{ n: number }>(
        `select count(distinct (c.oid, a.attnum))::int as n from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace in ('geo'::regnamespace, 'world'::regnamespace) and c.relkind in ('r', 'v', 'm')
           and a.atttypid::regtype::text in ('geometry', 'geography')
           and has_table_privilege((select role from portolan.users where name = 'anonymous'), c.oid, 'select')
           and c.relname <> 'off'`,
      );
      assert.equal((await collections()).length, rows[0]!.n);
    },
    "/req/core/fc-md-items-links": async () => {
      for (const { links, id } of await collections()) {
        relsAndTypes(links);
        const types = links.filter(({ rel }: Json) => rel === "items").map(({ type }: Json) => type);
        assert.deepEqual(types, FEATURES_TYPES, id);
      }
    },
    "/req/core/fc-md-extent": extentHoldsAll,
    "/req/core/fc-md-extent-multi": async () => {
      for (const { extent, id } of await collections()) {
        assert.ok(extent === undefined || extent.spatial.bbox.length === 1, id);
        assert.ok(extent?.temporal === undefined || extent.temporal.interval.length === 1, id);
      }
    },
    "/req/core/sfc-md-op": async () => {
      for (const collection of await collections()) await ok(pathOf(collection));
    },
    "/req/core/sfc-md-success": async () => {
      for (const listed of await collections()) {
        const { json } = await ok(pathOf(listed));
        for (const member of ["id", "title", "description", "extent", "itemType", "crs"])
          assert.deepEqual(json[member], listed[member], `${listed.id} ${member}`);
        const addresses = json.links.map(({ rel, href }: Json) => `${rel} ${href.replace(/\?f=json$/, "")}`);
        for (const { rel, href } of listed.links)
          assert.ok(addresses.includes(`${rel} ${href.replace(/\?f=json$/, "")}`), `${rel} ${href}`);
      }
    },
    "/req/core/fc-op": async () => {
      for (const collection of await collections()) await ok(`${pathOf(collection)}/items`);
    },
    "/req/core/fc-limit-definition": async () =>
      assert.deepEqual(await parameter(ITEMS, "limit"), { type: "integer", minimum: 1, maximum: 10_000, default: 10 }),
    "/req/core/fc-limit-response-1": async () => {
      const count = async (query: string): Promise<number> =>
        (await ok(`${PLACES}/items${query}`)).json.features.length;
      assert.deepEqual([await count(""), await count("?limit=7"), await count("?limit=95")], [10, 7, 95]);
      assert.equal(await count("?limit=1000000"), 95);
    },
    "/req/core/fc-bbox-definition": async () => {
      const schema = await parameter(ITEMS, "bbox");
      assert.deepEqual([schema.type, schema.items], ["array", { type: "number" }]);
      assert.deepEqual(schema.oneOf, [
        { minItems: 4, maxItems: 4 },
        { minItems: 6, maxItems: 6 },
      ]);
      for (const bbox of ["0,0,1,1", "0,0,-10,1,1,10", "175,-20,-175,-10"]) await ok(`${PLACES}/items?bbox=${bbox}`);
    },
    // without its C: a feature without geometry is in no rectangle (docs/guides/gis.md)
    "/req/core/fc-bbox-response": async () => {
      assert.deepEqual(idsOf(await ok(`${PLACES}/items?bbox=0.5,0.5,2.5,1.5`)), [11, 12]);
      assert.deepEqual(idsOf(await ok(`${PLACES}/items?bbox=0.5,0.5,-9,2.5,1.5,9`)), [11, 12]);
      assert.deepEqual(idsOf(await ok("/collections/geo.fiji/items?bbox=179,-18,-179.5,-17")), [1]);
      await refused(`${PLACES}/items?bbox=500,0,600,10`, "INVALID_PARAMETER");
    },
    "/req/core/fc-time-definition": async () =>
      assert.deepEqual(await parameter(ITEMS, "datetime"), { type: "string" }),
    "/req/core/fc-time-response": async () => {
      const instant = "2026-01-31T12:00:00Z";
      // no column of geo.places is a temporal geometry, so all features match
      for (const datetime of [instant, `${instant}/${instant}`, `../${instant}`, `/${instant}`, `${instant}/..`])
        assert.equal((await ok(`${PLACES}/items?datetime=${datetime}`)).json.numberMatched, 95, datetime);
    },
    "/req/core/fc-response": async () => {
      const { features } = (await ok(`${PLACES}/items?limit=100&kind=inn&bbox=0,0,9,0.5`)).json;
      assert.deepEqual(
        features.map(({ properties }: Json) => [properties.id, properties.kind]),
        [3, 6, 9].map((id) => [id, "inn"]),
      );
    },
    "/req/core/fc-links": async () => selfAndAlternates((await ok(`${PLACES}/items`)).json.links, FEATURES_TYPES),
    "/req/core/fc-rel-type": async () => {
      relsAndTypes((await ok(`${PLACES}/items?limit=3&offset=3`)).json.links);
    },
    "/req/core/fc-timeStamp": async () => {
      const before = Date.now();
      const at = Date.parse((await ok(`${PLACES}/items`)).json.timeStamp);
      assert.ok(at >= before && at <= Date.now());
    },
    "/req/core/fc-numberMatched": async () => {
      for (const [query, count] of [
        ["", 95],
        ["?kind=inn", 31],
        ["?bbox=0.5,0.5,2.5,1.5&limit=1", 2],
        ["?datetime=2026-01-31T12:00:00Z&limit=1", 95],
      ] as const)
        assert.equal((await ok(`${PLACES}/items${query}`)).json.numberMatched, count, query);
    },
    "/req/core/fc-numberReturned": async () => {
      for (const query of ["", "?limit=3", "?offset=93", "?offset=1000"]) {
        const { numberReturned, features } = (await ok(`${PLACES}/items${query}`)).json;
        assert.equal(numberReturned, features.length, query);
      }
    },
    "/req/core/f-op": async () => {
      for (const collection of await collections()) {
        const { features } = (await ok(`${pathOf(collection)}/items?limit=3`)).json;
        for (const { id } of features.filter((feature: Json) => feature.id !== undefined))
          await ok(`${pathOf(collection)}/items/${encodeURIComponent(id)}`);
      }
    },
    "/req/core/f-success": async () => assert.equal((await ok(`${PLACES}/items/7`)).json.properties.name, "place 7"),
    "/req/core/f-links": async () => {
      const { links } = (await ok(`${PLACES}/items/7`)).json;
      await selfAndAlternates(links, ["application/geo+json", "application/vnd.ogc.fg+json", "text/html"]);
      assert.equal((await ok(hrefOf(links, "collection"))).json.id, "geo.places");
    },

    "/req/html/definition": async () => {
      const { paths } = await document();
      for (const [path, { get }] of Object.entries<Json>(paths).filter(
        ([each]) => !/legend$|pmtiles$|(tileCol|glyphRange|sprite)\}$/.test(each),
      )) {
        assert.ok(get.responses[200].content["text/html"], path);
        const address = inTile(path).replace("{collectionId}", "geo.places").replace("{featureId}", "1");
        if (!/map$/.test(path) && !/geo\.|world\./.test(path))
          assert.equal(mediaType(await ok(address, "text/html")), "text/html", path);
      }
    },
    "/req/html/content": async () => {
      const browser = await testBrowser();
      try {
        const { page } = await browser.open(gateway.baseUrl);
        for (const path of ["/", "/conformance", "/collections", PLACES, `${PLACES}/items`, `${PLACES}/items/1`]) {
          await page.goto(`${gateway.root}${path}?f=html`);
          // in every format: the next page of an HTML page is an HTML page
          const bare = (href: string): string => href.replace(/([?&])f=\w+&?/, "$1").replace(/[?&]$/, "");
          const shown = await page
            .locator("body a")
            .evaluateAll((anchors) => anchors.map((anchor) => (anchor as unknown as { href: string }).href));
          const addresses = shown.map(bare);
          const { links } = (await ok(path)).json;
          for (const { href } of links.filter(({ type }: Json) => type !== "text/html"))
            assert.ok(addresses.includes(bare(href)), `${path} has no link to ${href}`);
          const text = await page.locator("body").innerText();
          if (path === "/conformance")
            for (const uri of (await ok(path)).json.conformsTo) assert.ok(text.includes(uri), uri);
          if (path.endsWith("/1"))
            for (const value of Object.values((await ok(path)).json.properties))
              assert.ok(value === null || text.includes(String(value)), String(value));
        }
      } finally {
        await browser.close();
      }
    },

    "/req/geojson/definition": async () => {
      for (const path of [`${PLACES}/items`, `${PLACES}/items/1`])
        assert.equal(mediaType(await ok(path, "application/geo+json")), "application/geo+json");
      for (const path of ["/", "/conformance", "/collections", PLACES])
        assert.equal(mediaType(await ok(path, "application/json")), "application/json");
    },
    "/req/geojson/content": async () => {
      const { json: list } = await ok(`${PLACES}/items`);
      assert.equal(list.type, "FeatureCollection");
      assert.ok(list.links);
      for (const { type, id, geometry, properties } of list.features) {
        assert.deepEqual([type, geometry.type], ["Feature", "Point"]);
        assert.equal(properties.id, id);
      }
      const { json: one } = await ok(`${PLACES}/items/7`);
      assert.deepEqual([one.type, one.id], ["Feature", 7]);
      assert.ok(one.links);
    },

    "/req/oas30/oas-definition-1": async () => {
      const { links } = (await ok("/")).json;
      const typeOf = (wanted: string): string => links.find(({ rel }: Json) => rel === wanted).type;
      assert.deepEqual(
        [typeOf("service-desc"), typeOf("service-doc")],
        ["application/vnd.oai.openapi+json;version=3.0", "text/html"],
      );
    },
    // test/ogc/openapi.test.ts validates it
    "/req/oas30/oas-definition-2": async () => assert.match((await document()).openapi, /^3\.0\.\d+$/),
    "/req/oas30/oas-impl": async () => {
      const { paths } = await document();
      for (const [path, { get }] of Object.entries<Json>(paths)) {
        if (/\/map(\/|$)|legend$|pmtiles$|\{sprite\}$/.test(path)) continue; // test/maps, test/tiles
        const id = /composite/.test(path) ? "1,x%252Fy" : /countries/.test(path) ? "AD" : "1";
        const address = inTile(path).replace("{collectionId}", "geo.places").replace("{featureId}", id);
        const isEmpty = /\{featureId\}$/.test(path) && (await gateway.get(address)).status === 404;
        if (isEmpty) continue; // of a relation without a key, or without rows
        for (const type of Object.keys(get.responses[200].content))
          assert.equal(mediaType(await ok(address, type)), type, path);
      }
    },
    "/req/oas30/completeness": async () => {
      const { paths, components } = await document();
      for (const [path, { get }] of Object.entries<Json>(paths))
        for (const [status, response] of Object.entries<Json>(get.responses)) {
          const { content } = response.$ref ? components.responses[response.$ref.split("/").pop()] : response;
          for (const { schema } of Object.values<Json>(content)) assert.ok(schema, `${path} ${status}`);
        }
    },
    "/req/oas30/exceptions-codes": async () => {
      const { paths } = await document();
      const provoked: readonly (readonly [template: string, path: string, asked: object, status: number])[] = [
        [ITEMS, `${PLACES}/items?limit=0`, {}, 400],
        [ITEMS, "/collections/geo.secret/items", {}, 401],
        [ITEMS, "/collections/geo.secret/items", { as: "guest" }, 403],
        [ITEMS, "/collections/geo.none/items", {}, 404],
        [ITEMS, `${PLACES}/items`, { headers: { accept: "image/png" } }, 406],
        [ITEM, `${PLACES}/items/none`, {}, 404],
        ["/collections", "/collections", { headers: { authorization: "Bearer x" } }, 401],
      ];
      for (const [template, path, asked, expected] of provoked) {
        const { status } = await gateway.get(path, asked);
        assert.equal(status, expected, path);
        assert.ok(paths[template].get.responses[status], `${template} says nothing of ${status}`);
      }
    },
    "/req/oas30/security": async () => {
      const { security, components } = await document();
      assert.deepEqual(security, [{}, { basic: [] }, { bearer: [] }, { openid: [] }]);
      assert.deepEqual(
        Object.values<Json>(components.securitySchemes).map(({ type, scheme }) => [type, scheme]),
        [
          ["http", "basic"],
          ["http", "bearer"],
          ["openIdConnect", undefined],
        ],
      );
      const { openIdConnectUrl } = components.securitySchemes.openid;
      assert.match(openIdConnectUrl, /^http:\/\/[^/]+\/\.well-known\/openid-configuration\?database=\w+$/);
      assert.equal((await fetch(openIdConnectUrl)).status, 200);
    },

    "/req/crs/crs-uri": async () => {
      for (const { crs } of await collections())
        for (const uri of crs)
          assert.match(uri, /^http:\/\/www\.opengis\.net\/def\/crs\/(OGC\/1\.3\/CRS84|EPSG\/0\/\d+)$/);
    },
    "/req/crs/fc-md-crs-list": async () => {
      for (const { crs, id } of await collections()) {
        assert.equal(crs[0], CRS84, id);
        for (const code of [4326, 3857, 25832]) assert.ok(crs.includes(epsg(code)), id);
        assert.equal(new Set(crs).size, crs.length, id);
      }
    },
    "/req/crs/fc-md-storageCrs": async () => {
      const stored = async (path: string): Promise<string> => (await ok(path)).json.storageCrs;
      assert.deepEqual(await Promise.all(SAME_PLACE.map(stored)), [4326, 4258, 25832, 3857, 4326].map(epsg));
    },
    "/req/crs/fc-md-storageCrs-valid-value": async () => {
      for (const { crs, storageCrs, id } of await collections())
        assert.ok(storageCrs === undefined || crs.includes(storageCrs), id);
    },
    "/req/crs/fc-md-crs-list-global": async () => {
      // each collection has its own list: none refers to a shared one
      for (const { crs, id } of await collections()) assert.ok(!crs.includes("#/crs"), id);
    },
    "/req/crs/fc-bbox-crs-definition": async () => {
      const { type, format } = await parameter(ITEMS, "bbox-crs");
      assert.deepEqual([type, format], ["string", "uri"]);
    },
    "/req/crs/fc-bbox-crs-valid-value": async () => {
      for (const value of [epsg(2000), "4326", "EPSG:4326"])
        await refused(`${PLACES}/items?bbox=0,0,1,1&bbox-crs=${value}`, "INVALID_CRS");
      for (const crs of (await ok(PLACES)).json.crs) await ok(`${PLACES}/items?bbox=0,0,1,1&bbox-crs=${crs}`);
    },
    "/req/crs/fc-bbox-crs-valid-default-value": async () => {
      for (const path of SAME_PLACE)
        for (const query of ["", `&bbox-crs=${CRS84}`])
          assert.equal((await ok(`${path}/items?bbox=8.5,49.3,8.7,49.5${query}`)).json.numberMatched, 1, path);
    },
    "/req/crs/fc-bbox-crs-action": async () => {
      for (const path of SAME_PLACE)
        for (const [crs, inside, outside] of [
          [epsg(4326), "49.3,8.5,49.5,8.7", "8.5,49.3,8.7,49.5"],
          [epsg(3857), "950000,6340000,965000,6350000", "970000,6340000,980000,6350000"],
          [epsg(25832), "470000,5471000,472000,5473000", "473000,5471000,475000,5473000"],
        ] as const)
          for (const [box, count] of [
            [inside, 1],
            [outside, 0],
          ] as const)
            assert.equal((await ok(`${path}/items?bbox=${box}&bbox-crs=${crs}`)).json.numberMatched, count, path);
    },
    "/req/crs/fc-crs-definition": async () => {
      for (const template of [ITEMS, ITEM]) {
        const { type, format } = await parameter(template, "crs");
        assert.deepEqual([type, format], ["string", "uri"]);
      }
    },
    "/req/crs/fc-crs-valid-value": async () => {
      for (const path of ["items", "items/1"]) {
        for (const value of [epsg(2000), "4326"]) await refused(`${PLACES}/${path}?crs=${value}`, "INVALID_CRS");
        for (const crs of (await ok(PLACES)).json.crs) await ok(`${PLACES}/${path}?crs=${crs}`);
      }
    },
    "/req/crs/fc-crs-default-value": async () => {
      for (const path of SAME_PLACE) {
        const { headers, json } = await ok(`${path}/items/1`);
        assert.equal(headers.get("content-crs"), `<${CRS84}>`);
        near(json.geometry.coordinates, [8.6, 49.4]);
      }
    },
    "/req/crs/fc-crs-action": async () => {
      for (const path of SAME_PLACE) {
        near((await ok(`${path}/items/1?crs=${epsg(4326)}`)).json.geometry.coordinates, [49.4, 8.6]);
        const [x, y] = (await ok(`${path}/items/1?crs=${epsg(25832)}`)).json.geometry.coordinates;
        assert.ok(Math.abs(x - 470_990) < 20 && Math.abs(y - 5_472_069) < 200, `${x} ${y}`);
      }
    },
    "/req/crs/geojson": async () => {
      // by arrangement: a client that requests another system gets GeoJSON in it, without the members that RFC 7946
      // removed
      const { headers, json } = await ok(`${PLACES}/items?crs=${epsg(3857)}`);
      assert.equal(headers.get("content-type"), "application/geo+json");
      assert.equal(json.crs, undefined);
    },
    "/req/crs/ogc-crs-header": async () => {
      for (const path of [`${PLACES}/items`, `${PLACES}/items/1`])
        for (const query of ["", `?crs=${epsg(3857)}`]) assert.ok((await ok(path + query)).headers.has("content-crs"));
    },
    "/req/crs/ogc-crs-header-value": async () => {
      for (const crs of (await ok(PLACES)).json.crs)
        assert.equal((await ok(`${PLACES}/items?crs=${crs}`)).headers.get("content-crs"), `<${crs}>`);
    },
  };

  const filtered = async (filter: string, more = ""): Promise<(string | number)[]> =>
    idsOf(await ok(`${PLACES}/items?limit=100&filter=${encodeURIComponent(filter)}${more}`));
  const queryablesOfAll = async (): Promise<void> => {
    for (const collection of await collections()) {
      const { headers, json } = await ok(hrefOf(collection.links, QUERYABLES_REL), "application/schema+json");
      assert.equal(headers.get("content-type"), "application/schema+json");
      assert.equal(json.$id, `${gateway.root}${pathOf(collection)}/queryables`);
    }
  };
  const filterParameters: Readonly<Record<string, () => Promise<void>>> = {
    "filter-param": async () => void assert.equal((await parameter(ITEMS, "filter")).type, "string"),
    "filter-lang-param": async () => {
      const { type, enum: languages, default: first } = await parameter(ITEMS, "filter-lang");
      assert.deepEqual([type, first], ["string", "cql2-text"]);
      for (const language of ["cql2-text", "cql2-json"]) assert.ok(languages.includes(language));
      assert.deepEqual(await filtered("size = 7", "&filter-lang=cql2-text"), await filtered("size = 7"));
    },
    "filter-crs-param": async () => {
      assert.equal((await parameter(ITEMS, "filter-crs")).default, CRS84);
      assert.deepEqual(await filtered("S_INTERSECTS(geom, POINT(2 9))", `&filter-crs=${epsg(4326)}`), [29]);
      await refused(`${PLACES}/items?filter=TRUE&filter-crs=${epsg(2154)}`, "INVALID_CRS");
    },
    response: async () => {
      assert.deepEqual(await filtered("size < 4"), [1, 2, 3]);
      assert.deepEqual(await filtered("size < 4 AND FALSE"), []);
      assert.deepEqual(await filtered("size < 4", "&kind=inn&bbox=2.5,-1,3.5,1"), [3]);
      for (const query of ["filter=size", "filter=TRUE&filter-lang=sql"])
        await refused(`${PLACES}/items?${query}`, "INVALID_PARAMETER");
      await refused(`${PLACES}/items?filter=TRUE&filter-crs=4326`, "INVALID_CRS");
    },
  };
  const sortablesOfAll = async (): Promise<void> => {
    for (const collection of await collections()) {
      const { json } = await ok(hrefOf(collection.links, SORTABLES_REL), "application/schema+json");
      assert.equal(json.$id, `${gateway.root}${pathOf(collection)}/sortables`);
      assert.deepEqual(
        [json.$schema, json.type, json.additionalProperties],
        ["https://json-schema.org/draft/2020-12/schema", "object", false],
      );
      for (const property of Object.values<Json>(json.properties)) assert.ok(property.type);
    }
  };
  const sorted = async (): Promise<void> => {
    assert.deepEqual(idsOf(await ok(`${PLACES}/items?limit=2&sortby=-size`)), [95, 94]);
    assert.deepEqual(idsOf(await ok(`${PLACES}/items?limit=2&sortby=kind,-size`)), [93, 90]);
    assert.deepEqual(idsOf(await ok(`${PLACES}/items?limit=2&sortby=${encodeURIComponent("+size")}`)), [1, 2]);
    await refused(`${PLACES}/items?sortby=geom`, "INVALID_PARAMETER");
  };
  const sortbyDefined = async (): Promise<void> => {
    const { type, minItems, items } = await parameter(ITEMS, "sortby");
    assert.deepEqual([type, minItems, items], ["array", 1, { type: "string", pattern: "[+|-]?[A-Za-z_].*" }]);
  };
  const under = (prefix: string): Record<string, () => Promise<void>> =>
    Object.fromEntries(Object.entries(filterParameters).map(([name, test]) => [prefix + name, test]));
  type SchemaKind = "schema" | "queryables" | "sortables";
  const RELS: Readonly<Record<SchemaKind, string>> = {
    schema: SCHEMA_REL,
    queryables: QUERYABLES_REL,
    sortables: SORTABLES_REL,
  };
  /** The link of every collection: its address, and the answer. */
  const schemasOf = async (kind: SchemaKind): Promise<readonly { readonly id: string; readonly json: Json }[]> =>
    Promise.all(
      (await collections()).map(async ({ id, links }) => {
        const { headers, json } = await ok(hrefOf(links, RELS[kind]), "application/schema+json");
        assert.equal(headers.get("content-type"), "application/schema+json", id);
        return { id, json };
      }),
    );
  const allSchemas = async (): Promise<readonly { readonly id: string; readonly json: Json }[]> =>
    (await Promise.all((["schema", "queryables", "sortables"] as const).map(schemasOf))).flat();
  const allProperties = async (): Promise<readonly Json[]> =>
    (await allSchemas()).flatMap(({ json }) => Object.values<Json>(json.properties));
  const isSpatial = ({ format }: Json): boolean => /^geometry-/.test(format ?? "");
  const isTemporal = ({ format }: Json): boolean => /^date(-time)?$/.test(format ?? "");
  /** The number of roles in a schema. Asserts that only such properties have one. */
  const countRole = async (role: string, fits: (property: Json) => boolean): Promise<readonly number[]> =>
    (await schemasOf("schema")).map(({ id, json }) => {
      const having = Object.values<Json>(json.properties).filter((property) => property["x-ogc-role"] === role);
      assert.ok(having.length <= 1, `${id} has ${having.length} of ${role}`);
      assert.ok(having.every(fits), `${id}: ${JSON.stringify(having)}`);
      return having.length;
    });
  const isUnused = (keyword: string) => async (): Promise<void> => {
    for (const property of await allProperties())
      assert.ok(!Object.hasOwn(property, keyword), JSON.stringify(property));
  };
  const noRole = (role: string) => async (): Promise<void> =>
    assert.ok(!(await countRole(role, () => true)).includes(1), role);
  const SCHEMA_TESTS: Readonly<Record<string, () => Promise<void>>> = {
    "/req/schemas/json-schema": async () => {
      for (const { json } of await allSchemas()) {
        new Ajv2020({ strict: false, validateFormats: false }).compile(json); // throws
        assert.deepEqual([json.$schema, json.type], ["https://json-schema.org/draft/2020-12/schema", "object"]);
        assert.ok(!json.$id.includes("?"));
        assert.deepEqual((await ok(json.$id, "application/schema+json")).json, json);
      }
    },
    "/req/schemas/properties": async () => {
      for (const { id, json } of await allSchemas()) {
        assert.equal(json.additionalProperties, false);
        for (const [name, property] of Object.entries<Json>(json.properties)) {
          const said = `${id} ${name}: ${JSON.stringify(property)}`;
          if (isSpatial(property)) assert.ok(!property.type && !property.$ref, said);
          else assert.match(property.type, /^(string|number|integer|boolean|object|array)$/, said);
          if (isTemporal(property)) assert.equal(property.type, "string", said);
        }
      }
      const { properties } = (await ok(`${PLACES}/schema`)).json;
      assert.deepEqual([properties.geom.format, properties.opened.format], ["geometry-point", "date"]);
      assert.deepEqual([properties.id.readOnly, properties.name.readOnly], [true, undefined]);
    },
    "/req/schemas/additional-keywords": async () => {
      const known = ["type", "format", "title", "description", "enum", "items", "minimum", "maximum", "readOnly"];
      for (const property of await allProperties())
        for (const keyword of Object.keys(property))
          assert.ok(known.includes(keyword) || keyword.startsWith("x-ogc-"), keyword);
    },
    "/req/schemas/role": async () => {
      for (const { "x-ogc-role": role } of await allProperties())
        assert.ok(role === undefined || typeof role === "string");
    },
    "/req/schemas/role-id": async () => {
      await countRole("id", ({ type }) => type === "string" || type === "integer");
      for (const { id, json } of await schemasOf("schema")) {
        const [name] = Object.entries<Json>(json.properties).find(([, each]) => each["x-ogc-role"] === "id") ?? [];
        const [feature] = (await ok(`/collections/${encodeURIComponent(id)}/items?limit=1`)).json.features;
        if (name !== undefined && feature) assert.equal(feature.id, feature.properties[name], id);
      }
    },
    "/req/schemas/property-seq": async () => {
      for (const { id, json } of await schemasOf("schema")) {
        const places = Object.values<Json>(json.properties).map((property) => property["x-ogc-propertySeq"]);
        assert.deepEqual(places, [...places.keys()].map((index) => index + 1), id); // oxfmt-ignore
      }
    },
    "/req/schemas/unit": isUnused("x-ogc-unit"),
    "/req/schemas/definition": isUnused("x-ogc-definition"),
    "/req/schemas/nullvalues": isUnused("x-ogc-nullValues"),
    "/req/advanced-property-roles/role-primary-geometry": async () =>
      assert.ok((await countRole("primary-geometry", isSpatial)).every((count) => count === 1)),
    "/req/advanced-property-roles/role-primary-instant": async () => {
      assert.ok((await countRole("primary-instant", isTemporal)).includes(1));
      assert.equal((await ok(`${PLACES}/schema`)).json.properties.opened["x-ogc-role"], "primary-instant");
    },
    "/req/advanced-property-roles/role-primary-interval-start": noRole("primary-interval-start"),
    "/req/advanced-property-roles/role-primary-interval-end": noRole("primary-interval-end"),
    "/req/advanced-property-roles/role-primary-interval": noRole("primary-interval"),
    "/req/advanced-property-roles/primary-temporal-constraints": async () => {
      for (const { "x-ogc-role": role } of await allProperties()) assert.ok(!/interval/.test(role ?? ""));
    },
    "/req/advanced-property-roles/role-type": noRole("type"),
    "/req/references/role-reference": async () => {
      const schemas = new Map((await schemasOf("schema")).map(({ id, json }) => [id, json]));
      const references = [...schemas.values()].flatMap(({ properties }) =>
        Object.values<Json>(properties).filter((property) => property["x-ogc-role"] === "reference"),
      );
      assert.ok(references.length > 0);
      for (const { type, "x-ogc-collectionId": id } of references) {
        assert.match(type, /^(string|integer)$/);
        const key = Object.values<Json>(schemas.get(id).properties).find((each) => each["x-ogc-role"] === "id");
        assert.equal(key.type, type);
      }
    },
    ...Object.fromEntries(
      (["schema", "queryables", "sortables"] as const).flatMap((kind) => {
        const name = kind === "schema" ? "returnables-and-receivables" : kind;
        const isServed = async (): Promise<void> => {
          for (const { id, json } of await schemasOf(kind))
            assert.equal(json.$id, `${gateway.root}${pathOf({ id })}/${kind}`);
        };
        return ["link", "op", "response"].map((each) => [`/req/${name}/${each}`, isServed]);
      }),
    ),
    "/req/returnables-and-receivables/response": async () => {
      for (const { id, json } of await schemasOf("schema")) {
        const names = Object.keys(json.properties);
        for (const { properties } of (await ok(`${pathOf({ id })}/items`)).json.features)
          for (const name of Object.keys(properties)) assert.ok(names.includes(name), `${id}: ${name}`);
      }
    },
    "/req/queryables/response": async () => {
      for (const name of Object.keys((await ok(`${PLACES}/queryables`)).json.properties))
        await ok(`${PLACES}/items?filter=${name}%20IS%20NULL`);
      await refused(`${PLACES}/items?filter=other%20IS%20NULL`, "INVALID_PARAMETER");
    },
    "/req/sortables/response": async () => {
      for (const { id, json } of await schemasOf("sortables"))
        for (const [name, property] of Object.entries<Json>(json.properties)) {
          assert.ok(!isSpatial(property) && !/^(object|array)$/.test(property.type), `${id} ${name}`);
          await ok(`${pathOf({ id })}/items?limit=1&sortby=${encodeURIComponent(name)}`);
        }
      await refused(`${PLACES}/items?sortby=other`, "INVALID_PARAMETER");
    },
  };
  Object.assign(TESTS, SCHEMA_TESTS, {
    ...under("/req/filter/"),
    ...under("/req/features-filter/"),
    "/req/properties/parameter": async () => {
      const { type, items } = await parameter(ITEMS, "properties");
      assert.deepEqual([type, items], ["array", { type: "string" }]);
    },
    // id and geometry stay, since every GeoJSON feature has them (/per/properties/required-properties)
    "/req/properties/response": async () => {
      const given = async (query: string): Promise<Json> =>
        (await ok(`${PLACES}/items?limit=1${query}`)).json.features[0];
      const whole = await given("");
      const names = Object.keys((await ok(`${PLACES}/schema`)).json.properties).filter((name) => name !== "geom");
      assert.deepEqual(Object.keys(whole.properties).sort(), names.sort());
      const { id, geometry, properties } = await given("&properties=size,name");
      assert.deepEqual([id, geometry, properties], [1, whole.geometry, { name: "place 1", size: 1 }]);
      await refused(`${PLACES}/items?properties=other`, "INVALID_PARAMETER");
    },
    "/req/sortables/get-sortables-op": sortablesOfAll,
    "/req/sortables/get-sortables-success": sortablesOfAll,
    "/req/sortables/sortables-link": sortablesOfAll,
    "/req/features-sorting/get-sortables-op": sortablesOfAll,
    "/req/features-sorting/sortable-link": sortablesOfAll,
    "/req/features-sorting/response": sorted,
    "/req/features-sorting/sortby-param": sortbyDefined,
    "/req/sorting/sortby-definition": sortbyDefined,
    "/req/sorting/sortby-response": sorted,
    "/req/queryables/get-queryables-op": queryablesOfAll,
    "/req/features-filter/get-queryables-op": queryablesOfAll,
    "/req/queryables/queryables-link": queryablesOfAll,
    "/req/features-filter/queryables-link": queryablesOfAll,
    "/req/queryables/get-queryables-response": async () => {
      for (const collection of await collections()) {
        const { json } = await ok(`${pathOf(collection)}/queryables`);
        assert.deepEqual([json.$schema, json.type], ["https://json-schema.org/draft/2020-12/schema", "object"]);
        for (const [name, property] of Object.entries<Json>(json.properties)) {
          const isSpatial = /^geometry-/.test(property.format ?? "");
          assert.ok(isSpatial ? !property.type && !property.$ref : property.type, `${collection.id} ${name}`);
        }
      }
      const { properties } = (await ok(`${PLACES}/queryables`)).json;
      assert.equal(properties.geom.format, "geometry-point");
      assert.deepEqual([properties.opened.type, properties.opened.format], ["string", "date"]);
    },
    "/req/queryables/expression-construction": async () => {
      const { properties, additionalProperties } = (await ok(`${PLACES}/queryables`)).json;
      assert.equal(additionalProperties, false);
      for (const name of Object.keys(properties)) await ok(`${PLACES}/items?filter=${name}%20IS%20NULL`);
      await refused(`${PLACES}/items?filter=other%20IS%20NULL`, "INVALID_PARAMETER");
    },
    "/req/filter/filter-crs-wgs84": async () =>
      assert.deepEqual(
        await filtered("S_INTERSECTS(geom, POINT(2 9))"),
        await filtered("S_INTERSECTS(geom, POINT(2 9))", `&filter-crs=${CRS84}`),
      ),
    "/req/filter/mixing-expressions": async () => assert.deepEqual(await filtered("size < 10", "&kind=inn"), [3, 6, 9]),
    "/req/filter/get-functions-operation": async () => void (await ok("/functions")),
    "/req/filter/get-functions-response-json": async () => {
      const { functions } = (await ok("/functions?f=json")).json;
      assert.ok(functions.length > 5);
      for (const each of functions) {
        assert.equal(typeof each.name, "string");
        assert.ok(Array.isArray(each.returns) && each.arguments.every(({ type }: Json) => Array.isArray(type)));
      }
    },
  });

  it("each class that is declared has its requirements here, and each requirement its test", async () => {
    const declared = (await ok("/conformance")).json.conformsTo.filter((uri: string) =>
      /ogcapi-(features|common)/.test(uri),
    );
    assert.ok(declared.length >= 5);
    const untested = declared.flatMap((uri: string) =>
      REQUIREMENTS[uri] ? REQUIREMENTS[uri].filter((id) => !Object.hasOwn(TESTS, id)) : [`all of ${uri}`],
    );
    assert.deepEqual(untested, []);
    assert.deepEqual(Object.keys(TESTS).sort(), [...new Set(Object.values(REQUIREMENTS).flat())].sort());
  });

  for (const [id, test] of Object.entries(TESTS)) it(id, test);
});
