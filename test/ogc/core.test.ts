/** The abstract tests of OGC API Features Part 1 (OGC 17-069r4, annex A), in our own words. */
import assert from "node:assert/strict";
import { CRS84, epsg, hrefOf, idsOf, ogcGateway, type Json, type OgcGateway } from "./support.ts";

describe("OGC API Features Part 1: Core", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway();
  });
  after(() => gateway.close());

  const rels = (links: Json): string[] => links.map(({ rel }: Json) => rel);

  it("/conf/core/http: answers over HTTP 1.1, also to HEAD, with no body", async () => {
    for (const path of [
      "/",
      "/conformance",
      "/collections",
      "/collections/geo.places",
      "/collections/geo.places/items",
    ]) {
      const [get, head] = [await gateway.get(path), await gateway.get(path, { method: "HEAD" })];
      assert.equal(head.status, 200);
      assert.equal(head.text, "");
      for (const header of ["content-type", "link", "content-crs"])
        assert.equal(head.headers.get(header), get.headers.get(header), `${path} ${header}`);
    }
  });

  it("/conf/core/root-op, root-success: the landing page links the API, its conformance and its data", async () => {
    const { status, json } = await gateway.get("/");
    assert.equal(status, 200);
    for (const rel of ["self", "alternate", "service-desc", "service-doc", "conformance", "data"])
      assert.ok(rels(json.links).includes(rel), rel);
    assert.equal((await gateway.get("")).status, 200);
  });

  it("/conf/core/api-definition-op, api-definition-success: the linked definition is OpenAPI 3.0", async () => {
    const { json: landing } = await gateway.get("/");
    const answer = await gateway.get(hrefOf(landing.links, "service-desc"));
    assert.equal(answer.headers.get("content-type"), "application/vnd.oai.openapi+json;version=3.0");
    assert.match(answer.json.openapi, /^3\.0\./);
    const page = await gateway.get(hrefOf(landing.links, "service-doc"));
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  });

  it("/conf/core/conformance-op, conformance-success: declares core, OpenAPI, HTML, GeoJSON and CRS", async () => {
    const { json } = await gateway.get("/conformance");
    const part1 = "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf";
    for (const uri of [
      ...["core", "oas30", "html", "geojson"].map((name) => `${part1}/${name}`),
      "http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs",
    ])
      assert.ok(json.conformsTo.includes(uri), uri);
  });

  it("/conf/core/fc-md-op, fc-md-success, fc-md-links, fc-md-items: lists every collection that may be read", async () => {
    const { json } = await gateway.get("/collections");
    const ids = json.collections.map(({ id }: Json) => id);
    for (const id of [
      "geo.kinds",
      "geo.places",
      "geo.seen",
      "geo.stored",
      "geo.two",
      "geo.two.shape%2Eof",
      "geo.odd%2Ename%2C %25",
    ])
      assert.ok(ids.includes(id), id);
    for (const id of ["geo.off", "geo.secret"]) assert.ok(!ids.includes(id), id);
    assert.deepEqual(rels(json.links).slice(0, 2), ["self", "alternate"]);
    for (const collection of json.collections) assert.ok(rels(collection.links).includes("items"), collection.id);
  });

  it("/conf/core/fc-md-extent: the extent is that of the features; of none there is none", async () => {
    const extentOf = async (id: string): Promise<Json> => (await gateway.get(`/collections/${id}`)).json.extent;
    assert.deepEqual(await extentOf("geo.places"), {
      spatial: { bbox: [[0, 0, 9, 9]], crs: CRS84, storageCrsBbox: [[0, 0, 9, 9]] },
      temporal: {
        interval: [["2020-01-02T00:00:00Z", "2020-04-05T23:59:59Z"]],
        trs: "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian",
      },
    });
    assert.deepEqual((await extentOf("geo.lonlat")).spatial.bbox, [[8.6, 49.4, 8.6, 49.4]]);
    for (const id of ["geo.utm", "geo.mercator", "geo.etrs", "geo.sphere", "geo.mixed"])
      for (const [index, value] of [8.6, 49.4, 8.6, 49.4].entries())
        assert.ok(Math.abs((await extentOf(id)).spatial.bbox[0][index] - value) < 1e-6, id);
    assert.equal(await extentOf("geo.nothing"), undefined);
  });

  it("/conf/core/sfc-md-op, sfc-md-success: a collection is described as in the list", async () => {
    const { json: list } = await gateway.get("/collections");
    for (const listed of list.collections) {
      const { json } = await gateway.get(`/collections/${encodeURIComponent(listed.id)}`);
      for (const member of ["id", "title", "description", "crs", "storageCrs", "extent", "itemType"])
        assert.deepEqual(json[member], listed[member], `${listed.id} ${member}`);
      assert.ok(rels(json.links).includes("self"));
    }
    const { json } = await gateway.get("/collections/geo.kinds");
    assert.deepEqual([json.title, json.description], ["Kinds of geometry", "One of each."]);
  });

  it("/conf/core/fc-op, fc-response, fc-links, fc-timeStamp, fc-numberMatched, fc-numberReturned: features of a collection", async () => {
    const before = Date.now();
    const { json, headers } = await gateway.get("/collections/geo.places/items");
    assert.equal(headers.get("content-type"), "application/geo+json");
    assert.equal(json.type, "FeatureCollection");
    assert.ok(Date.parse(json.timeStamp) >= before - 1000);
    assert.deepEqual([json.numberMatched, json.numberReturned, json.features.length], [95, 10, 10]);
    const formats = rels(json.links).filter((rel) => rel === "alternate");
    assert.ok(formats.length > 0);
    assert.deepEqual(rels(json.links), ["self", ...formats, "collection", "next"]);
    for (const link of json.links)
      for (const member of ["rel", "type", "title", "href"]) assert.ok(link[member], member);
    assert.match(headers.get("link") ?? "", /rel="next"/);
  });

  it("/conf/core/fc-limit-definition, fc-limit-response: limit is kept, and clamped at its maximum", async () => {
    for (const limit of [1, 7, 95])
      assert.equal((await gateway.get(`/collections/geo.places/items?limit=${limit}`)).json.features.length, limit);
    assert.equal((await gateway.get("/collections/geo.places/items?limit=10001")).json.numberReturned, 95);
    assert.equal((await gateway.get("/collections?limit=999999")).status, 200);
  });

  it("offset skips, beyond the end too", async () => {
    assert.deepEqual(idsOf(await gateway.get("/collections/geo.places/items?limit=2&offset=50")), [51, 52]);
    const beyond = (await gateway.get("/collections/geo.places/items?offset=1000")).json;
    assert.deepEqual([beyond.numberReturned, beyond.numberMatched, beyond.features], [0, 95, []]);
  });

  describe("/conf/core/fc-bbox-definition, fc-bbox-response", () => {
    const cases: readonly (readonly [query: string, ids: readonly number[]])[] = [
      ["bbox=0.5,0.5,2.5,1.5", [11, 12]],
      ["bbox=1,1,2,1", [11, 12]],
      ["bbox=1,1,1,1", [11]],
      ["bbox=0.5,0.5,-100,2.5,1.5,100", [11, 12]],
      ["bbox=50,50,60,60", []],
      [`bbox=0.5,0.5,1.5,2.5&bbox-crs=${epsg(4326)}`, [11, 12]],
      [`bbox=55660,55660,278300,167000&bbox-crs=${epsg(3857)}`, [11, 12]],
    ];
    for (const [query, ids] of cases)
      it(query, async () => {
        const answer = await gateway.get(`/collections/geo.places/items?limit=100&${query}`);
        assert.deepEqual(idsOf(answer), ids);
        assert.equal(answer.json.numberMatched, ids.length);
      });

    it("the whole world contains everything with a geometry", async () => {
      const { json } = await gateway.get("/collections/geo.kinds/items?limit=100&bbox=-180,-90,180,90");
      assert.equal(json.numberReturned, 17);
    });

    it("shares a point with the geometry itself, not with its box alone", async () => {
      // in the hole of a polygon, and in the corner of a triangle's box
      for (const box of ["3.3,2.1,3.9,2.4", "20.05,20.8,20.1,20.9"])
        assert.deepEqual(idsOf(await gateway.get(`/collections/geo.kinds/items?limit=100&bbox=${box}`)), [], box);
    });

    for (const id of ["lonlat", "etrs", "utm", "mercator", "sphere", "mixed"])
      for (const crs of [CRS84, epsg(4326), epsg(3857)])
        it(`finds the features of geo.${id} by a box in ${crs}`, async () => {
          const boxes: Record<string, [string, string]> = {
            [CRS84]: ["8.59,49.39,8.61,49.41", "8.61,49.39,8.63,49.41"],
            [epsg(4326)]: ["49.39,8.59,49.41,8.61", "49.39,8.61,49.41,8.63"],
            [epsg(3857)]: ["957000,6340000,958000,6350000", "958000,6340000,959000,6350000"],
          };
          const count = id === "mixed" ? 3 : 1;
          for (const [index, expected] of [count, 0].entries()) {
            const path = `/collections/geo.${id}/items?bbox=${boxes[crs]![index]}&bbox-crs=${crs}`;
            assert.equal((await gateway.get(path)).json.numberMatched, expected, path);
          }
        });

    it("takes heights: a feature without one is at every height", async () => {
      const find = async (z: string) =>
        idsOf(
          await gateway.get(
            `/collections/geo.kinds/items?limit=100&bbox=4.5,5.5,${z.split(",")[0]},5.5,8.5,${z.split(",")[1]}`,
          ),
        );
      assert.deepEqual(await find("0,1000"), [3, 8, 9, 10]);
      assert.deepEqual(await find("0,100"), [3, 9, 10]);
    });
  });

  it("/conf/core/fc-time-definition, fc-time-response: datetime does not matter where nothing is versioned", async () => {
    for (const datetime of [
      "2020-01-01T00:00:00Z",
      "2020-01-01",
      "2020-06-30T12:00:00.123456%2B02:00",
      "1000-01-01T00:00:00Z",
    ])
      assert.equal((await gateway.get(`/collections/geo.places/items?datetime=${datetime}`)).json.numberMatched, 95);
  });

  describe("/rec/core/fc-filters: name=value of filterable columns", () => {
    const cases: readonly (readonly [query: string, ids: readonly number[]])[] = [
      ["name=place%207", [7]],
      ["size=12", [12]],
      ["kind=inn&bbox=0,0,9,0.5", [3, 6, 9]],
      ["opened=2020-01-03&open=true", [2]],
      ["name=%27%3B%20drop%20table%20geo.places%20--", []],
    ];
    for (const [query, ids] of cases)
      it(query, async () => assert.deepEqual(idsOf(await gateway.get(`/collections/geo.places/items?${query}`)), ids));

    it("keeps them in the links of pages, and describes them as queryables, as every column that a filter may name", async () => {
      const { json } = await gateway.get("/collections/geo.places/items?kind=inn&limit=5");
      assert.deepEqual(idsOf(await gateway.get(hrefOf(json.links, "next"))), [18, 21, 24, 27, 30]);
      const { json: queryables } = await gateway.get("/collections/geo.places/queryables");
      assert.deepEqual(Object.keys(queryables.properties), [
        ...["id", "name", "kind", "size", "price", "opened", "open", "ref", "hidden", "geom"],
      ]);
      assert.equal(queryables.properties.name.description, "What it is called.");
    });

    it("a column that is not marked is an unknown parameter; a value of another type is a bad one", async () => {
      assert.equal((await gateway.get("/collections/geo.places/items?hidden=x")).json.code, "UNKNOWN_PARAMETER");
      for (const query of ["size=many", "opened=soon", "open=perhaps", "size=1&size=2", "size="]) {
        const { status, json } = await gateway.get(`/collections/geo.places/items?${query}`);
        assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"], query);
      }
    });
  });

  it("/conf/core/f-op, f-success, f-links: one feature, with links to itself and its collection", async () => {
    const { json, headers } = await gateway.get("/collections/geo.places/items/7");
    assert.deepEqual([json.type, json.id, json.properties.name], ["Feature", 7, "place 7"]);
    assert.deepEqual(json.geometry, { type: "Point", coordinates: [7, 0] });
    assert.deepEqual(rels(json.links), ["self", "alternate", "alternate", "collection"]); // HTML and JSON-FG
    assert.equal(headers.get("content-crs"), `<${CRS84}>`);
  });

  it("/conf/html: every resource is a page for who asks for HTML, and links it", async () => {
    for (const path of [
      "/",
      "/conformance",
      "/collections",
      "/collections/geo.places",
      "/collections/geo.places/items",
      "/collections/geo.places/items/1",
      "/api",
    ]) {
      const page = await gateway.get(path, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/, path);
      assert.match(page.text, /^<!doctype html>/, path);
      assert.match((await gateway.get(path)).headers.get("link") ?? "", /rel="alternate"; type="text\/html"/, path);
    }
  });

  it("f and Accept choose the format; an unknown one is 400 or 406", async () => {
    const type = async (query: string, accept?: string) =>
      (await gateway.get(`/collections/geo.places/items${query}`, { headers: accept ? { accept } : {} })).headers.get(
        "content-type",
      );
    for (const query of ["?f=json", "?f=application/geo%2Bjson", "?f=application/geo+json", "?f=application/json"])
      assert.equal(await type(query, "text/html"), "application/geo+json");
    assert.equal(await type("", "application/json"), "application/geo+json");
    assert.equal(await type("", "text/html;q=0.1, application/geo+json"), "application/geo+json");
    assert.equal(await type("", "text/html, image/gif, image/jpeg, */*; q=0.2"), "application/geo+json");
    assert.match((await type("", "text/html, image/gif, image/jpeg"))!, /^text\/html/);
    assert.match((await type("?f=html"))!, /^text\/html/);
    assert.equal((await gateway.get("/collections/geo.places/items?f=xml")).status, 400);
    assert.equal(
      (await gateway.get("/collections/geo.places/items", { headers: { accept: "image/png" } })).status,
      406,
    );
  });

  it("/conf/core/query-param-unknown, query-param-invalid: 400 with a code", async () => {
    for (const path of [
      "/",
      "/conformance",
      "/collections",
      "/api",
      "/collections/geo.places",
      "/collections/geo.places/items",
      "/collections/geo.places/items/1",
    ]) {
      const { status, json } = await gateway.get(`${path}?nonsense=1`);
      assert.deepEqual([status, json.code, json.message], [400, "UNKNOWN_PARAMETER", json.detail], path);
    }
    assert.equal((await gateway.get("/collections/geo.places/items/1?bbox=1,2,3,4")).json.code, "UNKNOWN_PARAMETER");
  });

  it("takes no method that writes", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const path of ["/", "/collections", "/collections/geo.places/items", "/collections/geo.places/items/1"]) {
        const { status, headers } = await gateway.get(path, { method });
        assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD, OPTIONS"], `${method} ${path}`);
      }
    const { status, headers } = await gateway.get("/collections", { method: "OPTIONS" });
    assert.deepEqual([status, headers.get("allow")], [204, "GET, HEAD, OPTIONS"]);
    const preflight = await gateway.get("/collections", {
      method: "OPTIONS",
      headers: { Origin: "https://map.example", "Access-Control-Request-Method": "GET" },
    });
    assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "*"]);
  });

  it("the list of collections is paged", async () => {
    const seen: string[] = [];
    let path = "/collections?limit=5";
    for (;;) {
      const { json } = await gateway.get(path);
      assert.equal(json.numberMatched, 20);
      seen.push(...json.collections.map(({ id }: Json) => id));
      const next = json.links.find(({ rel }: Json) => rel === "next");
      if (!next) break;
      path = next.href;
    }
    assert.equal(new Set(seen).size, 20);
    assert.deepEqual(
      seen,
      (await gateway.get("/collections")).json.collections.map(({ id }: Json) => id),
    );
  });

  it("q finds the features that have one of its terms in a property of text, on every page and with a filter", async () => {
    const items = "/collections/geo.places/items?limit=100";
    const found = async (query: string): Promise<readonly unknown[]> => idsOf(await gateway.get(`${items}&${query}`));
    const nineties = [9, 90, 91, 92, 93, 94, 95];
    assert.deepEqual(await found("q=place 9"), nineties);
    assert.deepEqual(await found("q=%20PLACE%20%20%209%20"), nineties);
    assert.deepEqual(await found("q=ace+94,ace+95,nowhere"), [94, 95]);
    assert.deepEqual(await found("q=9+place"), []);
    assert.deepEqual(await found("q=INN&filter=size%3C10"), [3, 6, 9]);
    assert.deepEqual(await found("q=inn&kind=mill"), []);
    for (const pattern of ["%25", "_", "place%25", "%5C", "pl_ce", "'"])
      assert.deepEqual(await found(`q=${pattern}`), []);
    assert.deepEqual(await found("q=0.5"), [], "numbers are not searched");
    const { json: first } = await gateway.get("/collections/geo.places/items?limit=4&q=place 9");
    assert.deepEqual([first.numberMatched, first.numberReturned], [7, 4]);
    assert.deepEqual(idsOf(await gateway.get(hrefOf(first.links, "next"))), nineties.slice(4));
    assert.match(
      (await gateway.get(`${items}&q=inn&f=html`)).text,
      /name="q"\s+value="inn"/,
      "the form of the page keeps it",
    );
    assert.deepEqual((await gateway.get("/collections/geo.kinds/items?q=point")).json.features.length > 0, true);
    assert.deepEqual((await gateway.get("/collections/geo.two/items?q=1")).json.features, [], "it has no text");
  });

  it("skipGeometry is taken as Python writes it", async () => {
    const { json } = await gateway.get("/collections/geo.places/items?limit=1&skipGeometry=True");
    assert.equal(json.features[0].geometry, null);
    assert.ok(
      (await gateway.get("/collections/geo.places/items?limit=1&skipGeometry=False")).json.features[0].geometry,
    );
  });

  it("skipGeometry=true gives the same features without their geometries, on every page", async () => {
    const items = "/collections/geo.places/items";
    const { json: whole } = await gateway.get(`${items}?limit=100`);
    const { json: bare, headers } = await gateway.get(`${items}?limit=100&skipGeometry=true`);
    assert.ok(headers.get("content-crs"));
    assert.deepEqual(
      bare.features,
      whole.features.map((feature: Json) => ({ ...feature, geometry: null })),
    );
    assert.ok(whole.features.some(({ geometry }: Json) => geometry !== null));
    assert.deepEqual((await gateway.get(`${items}?limit=100&skipGeometry=false`)).json.features, whole.features);

    const { json: first } = await gateway.get(`${items}?limit=2&skipGeometry=true&bbox=-180,-90,180,90`);
    const { json: second } = await gateway.get(hrefOf(first.links, "next"));
    const { json: back } = await gateway.get(hrefOf(second.links, "prev"));
    for (const page of [first, second, back]) {
      assert.deepEqual([...new Set(page.features.map(({ geometry }: Json) => geometry))], [null]);
      assert.match(hrefOf(page.links, "self"), /skipGeometry=true/);
    }
    assert.deepEqual(
      back.features.map(({ id }: Json) => id),
      first.features.map(({ id }: Json) => id),
    );
    const page = await gateway.get(`${items}?skipGeometry=true&f=html`);
    assert.equal(page.status, 200);
    assert.match(page.text, /name="skipGeometry"\s+value="true"/, "the form of the page keeps it");
  });
});
