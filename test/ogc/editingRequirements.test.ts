/**
 * Every requirement of the classes of OGC 20-002r1 (a draft; the words are those of its repository, 2026-06) that
 * `/conformance` names, and the test for it.
 */
import assert from "node:assert/strict";
import { validate } from "@readme/openapi-parser";
import { CRS84, epsg, ogcGateway, type Json, type OgcGateway } from "./support.ts";

const PART4 = "http://www.opengis.net/spec/ogcapi-features-4/1.0";

/** Requirements of GML, of queues and of PUT that creates apply to servers that have them. */
const REQUIREMENTS: Readonly<Record<string, readonly string[]>> = {
  "create-replace-delete": [
    "/req/core/methods",
    ...["post-op", "post-body", "post-content-type", "post-response", "post-response-rid"],
    ...["put-op", "put-body", "put-content-type", "put-response", "put-rid", "put-rid-exception"],
    ...["delete-op", "delete-response", "options-op", "options-response"],
  ],
  update: ["methods", "update-patch-op", "update-patch-body", "update-patch-response", "rid"],
  features: [
    ...["resources-endpoint", "resource-endpoint", "collection-endpoint", "content-crs-header", "default-crs"],
    ...[
      "crs-other-crs",
      "schema",
      "update-json-merge-patch",
      "geojson-create-replace",
      "representation-geojson-replace",
    ],
  ],
  "optimistic-locking-etags": [
    ...["get-etag-response", "put-etag-response", "patch-etag-response", "ifmatch-put-op", "ifmatch-put-eval"],
    ...["ifmatch-patch-op", "ifmatch-patch-eval"],
  ],
};

const ITEMS = "/collections/geo.trees/items";

describe("requirements of OGC API Features Part 4", () => {
  let gateway: OgcGateway;
  let authorization: string;

  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { crs: [25832] } },
      prepare: ({ client }) =>
        client.query(`
create table geo.trees (id serial primary key, name text not null, height int, geom geometry(Point, 4326));
comment on table geo.trees is '@ogc write'`),
    });
    authorization = `Bearer ${await gateway.token("captain")}`;
  });
  after(() => gateway.close());

  const tree = (name: string, more: object = {}): object => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [9, 50] },
    properties: { name },
    ...more,
  });
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/geo+json";
    const response = await fetch(path.startsWith("http") ? path : gateway.root + path, {
      method,
      headers: { authorization, ...(body && { "content-type": type }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: Json = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, json };
  }
  async function create(body = tree("an oak"), headers: Record<string, string> = {}): Promise<string> {
    const answer = await send("POST", ITEMS, body, headers);
    assert.equal(answer.status, 201);
    return answer.headers.get("location")!;
  }
  const get = async (address: string): Promise<Json> => (await send("GET", address)).json;

  it("conformance names the classes if some table can be written, and every requirement has a test", async function () {
    const { conformsTo } = await get("/conformance");
    const named = (conformsTo as string[]).filter((uri) => uri.startsWith(PART4)).sort();
    const expected = Object.keys(REQUIREMENTS).flatMap((name) => [`${PART4}/conf/${name}`, `${PART4}/req/${name}`]);
    assert.deepEqual(named, expected.sort());
    const titles = this.test!.parent!.tests.map(({ title }) => title).join(" ");
    for (const [name, ids] of Object.entries(REQUIREMENTS))
      for (const id of ids) {
        const whole = id.startsWith("/") ? id : `/req/${name}/${id}`;
        assert.ok(`${titles} `.includes(`${whole} `) || titles.includes(`${whole},`), `${whole} has no test`);
      }
  });

  it("/req/core/methods, /req/create-replace-delete/options-op, /req/create-replace-delete/options-response, /req/update/methods : OPTIONS is 200 with Allow", async () => {
    const address = await create();
    for (const [path, allow] of [
      [ITEMS, "GET, HEAD, POST, OPTIONS"],
      [address, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ] as const) {
      const { status, headers } = await send("OPTIONS", path);
      assert.deepEqual([status, headers.get("allow")], [200, allow]);
    }
  });

  it("/req/create-replace-delete/post-op, /req/create-replace-delete/post-body, /req/create-replace-delete/post-content-type, /req/create-replace-delete/post-response, /req/create-replace-delete/post-response-rid, /req/features/resources-endpoint, /req/features/resource-endpoint : POST is 201, with a new id", async () => {
    const [one, other] = [await create(), await create()];
    assert.notEqual(one, other);
    for (const address of [one, other]) {
      assert.ok(address.startsWith(`${gateway.root}${ITEMS}/`));
      assert.equal((await get(address)).properties.name, "an oak");
    }
    const untyped = await send("POST", ITEMS, tree("x"), { "content-type": "" });
    assert.equal(untyped.status, 415);
  });

  it("/req/create-replace-delete/put-op, /req/create-replace-delete/put-body, /req/create-replace-delete/put-content-type, /req/create-replace-delete/put-response, /req/create-replace-delete/put-rid, /req/features/geojson-create-replace : PUT replaces, and ignores an id", async () => {
    const address = await create();
    const body = tree("a beech", { id: 4711, geometry: { type: "Point", coordinates: [1, 2] } });
    assert.equal((await send("PUT", address, body)).status, 204);
    const { id, geometry, properties } = await get(address);
    assert.deepEqual(
      [String(id), geometry.coordinates, properties.name],
      [address.split("/").pop(), [1, 2], "a beech"],
    );
    assert.equal((await send("PUT", address, body, { "content-type": "text/plain" })).status, 415);
  });

  it("/req/create-replace-delete/put-rid-exception, /req/features/collection-endpoint : PUT makes no feature, and no collection says that it does", async () => {
    assert.equal((await send("PUT", `${ITEMS}/999999`, tree("x"))).status, 404);
    assert.equal((await send("PUT", `${ITEMS}/999999`, tree("x"), { "if-match": '"x"' })).status, 412);
    const { collections } = await get("/collections");
    for (const each of collections) assert.equal(each.supportsNonAutogeneratedResourceIds, undefined);
  });

  it("/req/create-replace-delete/delete-op, /req/create-replace-delete/delete-response : DELETE is 204", async () => {
    const address = await create();
    assert.equal((await send("DELETE", address)).status, 204);
    assert.equal((await send("GET", address)).status, 404);
  });

  it("/req/update/update-patch-op, /req/update/update-patch-body, /req/update/update-patch-response, /req/update/rid, /req/features/update-json-merge-patch : PATCH merges", async () => {
    const address = await create(tree("a yew", { properties: { name: "a yew", height: 3 } }));
    assert.equal((await send("PATCH", address, { id: 1, properties: { height: null } })).status, 204);
    assert.deepEqual((await get(address)).properties.height, null);
    const geom = { type: "Point", coordinates: [3, 4] };
    assert.equal((await send("PATCH", address, { name: "a lime", geom })).status, 204);
    const { geometry, properties } = await get(address);
    assert.deepEqual([geometry, properties.name], [geom, "a lime"]);
    assert.equal((await send("PATCH", address, { properties: { id: 1_000_000 } })).status, 400);
  });

  it("/req/features/content-crs-header, /req/features/default-crs, /req/features/crs-other-crs : bodies are in CRS84, or in what Content-Crs names", async () => {
    const shown = async (address: string): Promise<number[]> =>
      (await get(address)).geometry.coordinates.map((each: number) => Math.round(each * 1e6) / 1e6);
    assert.deepEqual(await shown(await create()), [9, 50]);
    const at = (coordinates: number[]): object => tree("x", { geometry: { type: "Point", coordinates } });
    for (const [uri, coordinates] of [
      [CRS84, [9, 50]],
      [epsg(4326), [50, 9]],
      [epsg(25832), [500000, 5538630.70286887]],
    ] as const) {
      const headers = { "content-crs": `<${uri}>` };
      const address = await create(at([...coordinates]), headers);
      assert.deepEqual(await shown(address), [9, 50]);
      assert.equal((await send("PUT", address, at([...coordinates]), headers)).status, 204);
      assert.deepEqual(await shown(address), [9, 50]);
      const { geometry } = at([...coordinates]) as Json;
      assert.equal((await send("PATCH", address, { geometry }, headers)).status, 204);
      assert.deepEqual(await shown(address), [9, 50]);
    }
    const { json, status } = await send("POST", ITEMS, at([1, 2]), { "content-crs": `<${epsg(31467)}>` });
    assert.deepEqual([status, json.code], [400, "INVALID_CRS"]);
  });

  it("/req/features/schema, /req/features/representation-geojson-replace : what the schemas say is taken", async () => {
    for (const type of ["", "?type=replace", "?type=create"]) {
      const { status, headers, json } = await send("GET", `/collections/geo.trees/schema${type}`);
      assert.deepEqual([status, headers.get("content-type"), json.type], [200, "application/schema+json", "object"]);
    }
    const { json } = await send("GET", "/collections/geo.trees/schema");
    assert.equal(json.additionalProperties, false);
    assert.equal((await send("POST", ITEMS, tree("x", { properties: { name: "x", nothing: 1 } }))).status, 400);
  });

  it("/req/optimistic-locking-etags/get-etag-response, /req/optimistic-locking-etags/put-etag-response, /req/optimistic-locking-etags/patch-etag-response, /req/optimistic-locking-etags/ifmatch-put-op, /req/optimistic-locking-etags/ifmatch-put-eval, /req/optimistic-locking-etags/ifmatch-patch-op, /req/optimistic-locking-etags/ifmatch-patch-eval : a write is for the version that was seen", async () => {
    const address = await create();
    let etag = (await send("GET", address)).headers.get("etag")!;
    for (const method of ["PUT", "PATCH"]) {
      const old = etag;
      const first = await send(method, address, tree("seen"), { "if-match": old });
      assert.equal(first.status, 204);
      etag = first.headers.get("etag")!;
      assert.notEqual(etag, old);
      assert.equal((await send(method, address, tree("late"), { "if-match": old })).status, 412);
      assert.equal((await send(method, address, tree("any"), { "if-match": "*" })).status, 204);
      etag = (await send("GET", address)).headers.get("etag")!;
    }
    assert.equal((await get(address)).properties.name, "any");
  });

  it("the document describes the bodies, at the addresses that take them", async () => {
    const document = (await send("GET", "/api?f=json")).json;
    const result = await validate(structuredClone(document) as Parameters<typeof validate>[0]);
    assert.ok(result.valid, JSON.stringify(result).slice(0, 500));
    const { paths, components } = document;
    const ofTrees = paths["/collections/geo.trees/items/{featureId}"];
    assert.deepEqual(Object.keys(ofTrees), ["get", "put", "patch", "delete"]);
    assert.deepEqual(Object.keys(ofTrees.patch.requestBody.content), ["application/merge-patch+json"]);
    assert.ok(paths["/collections/geo.trees/items"].post.responses[201].headers.Location);
    assert.deepEqual(Object.keys(paths["/collections/geo.places/items"]), ["get"]);
    assert.ok(components.schemas.createdFeatures && components.responses.Problem412);
    const rels = (await get("/collections/geo.trees")).links.map(({ rel }: Json) => rel);
    assert.ok(rels.includes("create-form") && rels.includes("edit-form"));
  });
});

describe("if writing is not switched on", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway();
  });
  after(() => gateway.close());

  it("no class is named, every method that writes is 405, and OPTIONS says so", async () => {
    const { conformsTo } = (await gateway.get("/conformance")).json;
    assert.deepEqual(
      (conformsTo as string[]).filter((uri) => uri.startsWith(PART4)),
      [],
    );
    for (const as of [undefined, "captain"]) {
      const asked = as === undefined ? {} : { as };
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        for (const path of ["/collections/geo.places/items", "/collections/geo.places/items/1"]) {
          const { status, headers } = await gateway.get(path, { ...asked, method });
          assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD, OPTIONS"], `${method} ${path}`);
        }
      const { status, headers } = await gateway.get("/collections/geo.places/items", { ...asked, method: "OPTIONS" });
      assert.deepEqual([status, headers.get("allow")], [200, "GET, HEAD, OPTIONS"]);
    }
  });
});

describe("writing under rules, workflow and history, with ogc.requireIfMatch", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { transactions: true, requireIfMatch: true } },
      prepare: async ({ client, name }) => {
        const role = `"warden@${name}"`;
        await client.query(`
create table geo.trees (id serial primary key, height int, geom geometry(Point, 4326));
create table geo.walls (id serial primary key, geom geometry(Point, 4326));
insert into geo.trees (height) values (1), (500);
select portolan.create_user('warden', null), portolan.create_user('novice', null);
grant usage on schema geo to ${role}, "novice@${name}";
grant select, insert, update, delete on geo.trees, geo.walls to ${role}, "novice@${name}";
grant usage on all sequences in schema geo to ${role}, "novice@${name}";
select portolan.enable_versioning('geo.trees');
select portolan.enable_workflow('geo.trees');
select portolan.set_workflow_role('geo.trees', 'warden', 'publisher');
select portolan.create_rule(
  '{"username": "warden", "schema": "geo", "table": "trees", "access": "limit", "filter": "height < 100"}');
select portolan.create_rule(
  '{"username": "warden", "schema": "geo", "table": "walls", "access": "deny", "request": "update"}')`);
      },
    });
  });
  after(() => gateway.close());

  async function send(
    method: string,
    path: string,
    as: string,
    { body, ifMatch }: { body?: object; ifMatch?: string } = {},
  ) {
    const response = await fetch(path.startsWith("http") ? path : gateway.root + path, {
      method,
      headers: {
        authorization: `Bearer ${await gateway.token(as)}`,
        ...(body && { "content-type": "application/json" }),
        ...(ifMatch !== undefined && { "if-match": ifMatch }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: Json = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, json };
  }
  const tree = (height: number): object => ({ type: "Feature", geometry: null, properties: { height } });

  it("a row outside of a limit rule is 403 to create and as a result, and does not exist for a change", async () => {
    assert.equal((await send("POST", ITEMS, "warden", { body: tree(500) })).status, 403);
    const made = await send("POST", ITEMS, "warden", { body: tree(5) });
    const address = made.headers.get("location")!;
    assert.equal((await send("PATCH", address, "warden", { body: { height: 500 }, ifMatch: "*" })).status, 403);
    assert.equal((await send("PATCH", address, "warden", { body: { height: 6 }, ifMatch: "*" })).status, 204);
    assert.equal((await send("DELETE", `${ITEMS}/2`, "warden", { ifMatch: "*" })).status, 412, "it cannot be seen");
    const { rows } = await gateway.database.client.query("select height from geo.trees order by id");
    assert.deepEqual(
      rows.map(({ height }) => height),
      [1, 500, 6],
    );
  });

  it("an account without a role in a workflow learns which it needs", async () => {
    const { status, json } = await send("POST", ITEMS, "novice", { body: tree(5) });
    assert.deepEqual([status, json.code], [403, "FORBIDDEN"]);
    assert.match(json.message, /author/);
    assert.equal((await send("DELETE", `${ITEMS}/1`, "novice", { ifMatch: "*" })).status, 403);
  });

  it("a denied method is not in Allow, and is 403", async () => {
    const { headers } = await send("POST", "/collections/geo.walls/items", "warden", {
      body: { ...tree(1), properties: {} },
    });
    const address = headers.get("location")!;
    assert.equal((await send("OPTIONS", address, "warden")).headers.get("allow"), "GET, HEAD, DELETE, OPTIONS");
    assert.equal((await send("PATCH", address, "warden", { body: { geometry: null }, ifMatch: "*" })).status, 403);
  });

  it("history keeps the earlier version", async () => {
    const { headers } = await send("POST", ITEMS, "warden", { body: tree(7) });
    const address = headers.get("location")!;
    const { headers: changed } = await send("PATCH", address, "warden", {
      body: { height: 8 },
      ifMatch: headers.get("etag")!,
    });
    assert.equal((await send("DELETE", address, "warden", { ifMatch: changed.get("etag")! })).status, 204);
    const { rows } = await gateway.database.client.query(
      "select height from geo__history.trees where id = $1 order by portolan_from",
      [address.split("/").pop()],
    );
    assert.deepEqual(
      rows.map(({ height }) => height),
      [7, 8],
    );
  });

  it("a write without If-Match is 428", async () => {
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const { status, json } = await send(method, `${ITEMS}/1`, "warden", {
        ...(method !== "DELETE" && { body: tree(3) }),
      });
      assert.deepEqual([status, json.code], [428, "PRECONDITION_REQUIRED"]);
    }
  });
});
