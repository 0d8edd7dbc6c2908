import assert from "node:assert/strict";
import { testGateway, tokenFor } from "../support/gateway.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { HAS_SECURITY_INVOKER, SECURITY_INVOKER } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { ogcGateway, type Json, type OgcGateway } from "./support.ts";

const basic = (name: string, password = name) => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` });

describe("the right to read a collection", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      prepare: async ({ client, name }) => {
        await client.query(`
create table geo.staff (id int primary key, name text, salary int, geom geometry(Point, 4326));
insert into geo.staff values (1, 'ann', 100, 'srid=4326;point(1 1)'), (2, 'bob', 200, 'srid=4326;point(2 2)');
grant usage on schema geo to "guest@${name}";
grant select (id, name, geom) on geo.staff to "guest@${name}";
create table geo.own (id int primary key, owner text, geom geometry(Point, 4326));
insert into geo.own values (1, 'guest', 'srid=4326;point(1 1)'), (2, 'captain', 'srid=4326;point(20 20)'), (3, 'guest', 'srid=4326;point(3 3)');
alter table geo.own enable row level security;
create policy own on geo.own using (owner = (portolan.request_context()).name);
select portolan.set_authentication('geo.own', 'None');
select portolan.set_privilege('geo.own', 'guest', 'read');
create view geo.over_secret ${SECURITY_INVOKER} as select * from geo.secret;
create view geo.failing as
  select id, st_setsrid(st_makepoint(1 / (id - id), 1), 4326)::geometry(Point, 4326) as geom from geo.own;
grant select on geo.over_secret, geo.failing to "guest@${name}"`);
      },
    });
  });
  after(() => gateway.close());

  const paths = (id: string): string[] => [
    `/collections/${id}`,
    `/collections/${id}/items`,
    `/collections/${id}/items/1`,
    `/collections/${id}/queryables`,
    `/collections/${id}/schema`,
  ];

  it("anonymous reads what is public, and gets 401 with Basic first for what is not", async () => {
    for (const path of paths("world.countries").slice(0, 2)) assert.equal((await gateway.get(path)).status, 200);
    for (const path of paths("geo.secret")) {
      const { status, headers, json } = await gateway.get(path);
      assert.deepEqual([status, json.code], [401, "UNAUTHENTICATED"], path);
      assert.match(headers.get("www-authenticate") ?? "", /^Basic realm="Portolan", charset="UTF-8", Bearer/);
    }
  });

  it("an account without the right gets 403, by token and by password; one with it 200", async () => {
    for (const path of paths("geo.secret")) {
      const { status, json } = await gateway.get(path, { as: "guest" });
      assert.deepEqual([status, json.code], [403, "FORBIDDEN"], path);
      assert.equal((await gateway.get(path, { headers: basic("guest") })).status, 403);
      assert.equal((await gateway.get(path, { as: "captain" })).status, 200);
      assert.equal((await gateway.get(path, { headers: basic("captain") })).status, 200);
    }
  });

  it("404 is only for collections that do not exist, whoever asks", async () => {
    for (const asked of [{}, { as: "guest" }, { as: "captain" }]) {
      for (const id of [
        "geo.none",
        "none.places",
        "geo",
        "geo.off",
        "geo.places.name",
        "pg_catalog.pg_class",
        "portolan.users",
        "%00",
        "a%2Fb",
        "geo.places'",
      ])
        assert.deepEqual(
          [
            (await gateway.get(`/collections/${id}`, asked)).status,
            (await gateway.get(`/collections/${id}/items`, asked)).json.code,
          ],
          [404, "COLLECTION_NOT_FOUND"],
          id,
        );
      assert.equal((await gateway.get("/collections/geo.places/items/1000", asked)).json.code, "FEATURE_NOT_FOUND");
    }
    assert.equal((await gateway.get(`${gateway.baseUrl}/api/v4/ogc/database/none/collections`)).status, 404);
    assert.equal((await gateway.get("/nothing")).status, 404);
  });

  it("a bad credential is 401 everywhere, and never anonymous", async () => {
    const other = await testGateway();
    const foreign = await tokenFor(other.database, gateway.baseUrl, "captain");
    await other.close();
    for (const authorization of [
      "Bearer nonsense",
      `Bearer ${foreign}`,
      `Bearer ${await gateway.token("captain", -10)}`,
      "Bearer",
      "Basic",
      "Basic !!!",
      basic("captain", "wrong").authorization,
      basic("nobody").authorization,
      "Digest x",
      "",
    ])
      for (const path of [
        "/",
        "/conformance",
        "/api",
        "/collections",
        "/collections/world.countries",
        "/collections/world.countries/items",
      ]) {
        if (authorization === "") continue;
        // after ten failures from one address no further one is answered at once
        if (authorization.startsWith("Basic ") && !["/", "/collections/world.countries/items"].includes(path)) continue;
        const { status, headers } = await gateway.get(path, { headers: { authorization } });
        assert.equal(status, 401, `${authorization.slice(0, 12)} ${path}`);
        assert.match(headers.get("www-authenticate") ?? "", /^Basic .*Bearer/);
      }
  });

  it("the list and the OpenAPI document show what the caller may read", async () => {
    const listed = async (asked: object) =>
      (await gateway.get("/collections", asked)).json.collections.map(({ id }: Json) => id);
    const documented = async (asked: object) => Object.keys((await gateway.get("/api", asked)).json.paths);
    for (const [asked, sees] of [
      [{}, false],
      [{ as: "guest" }, false],
      [{ as: "captain" }, true],
    ] as const) {
      assert.equal((await listed(asked)).includes("geo.secret"), sees);
      assert.equal((await documented(asked)).includes("/collections/geo.secret/items"), sees);
    }
    assert.ok((await listed({ as: "guest" })).includes("world.cities"));
    assert.ok(!(await listed({})).includes("world.cities"));
  });

  onlyIf(HAS_SECURITY_INVOKER, "PostgreSQL 15")(
    "a view that cannot be read leaves the list as it is, without its extent",
    async () => {
      const { status, json } = await gateway.get("/collections", { as: "guest" });
      assert.equal(status, 200);
      for (const id of ["geo.over_secret", "geo.failing"]) {
        const { extent } = json.collections.find((collection: Json) => collection.id === id);
        assert.equal(extent?.spatial, undefined, id);
      }
      const { extent } = json.collections.find(({ id }: Json) => id === "world.cities");
      assert.ok(extent.spatial.bbox);
      assert.equal((await gateway.get("/collections/geo.over_secret", { as: "guest" })).status, 403);
    },
  );

  it("a granted or revoked right takes effect at once", async () => {
    await gateway.database.client.query("select portolan.set_privilege('geo.secret', 'guest', 'read')");
    assert.equal((await gateway.get("/collections/geo.secret/items", { as: "guest" })).json.numberMatched, 1);
    await gateway.database.client.query("select portolan.set_privilege('geo.secret', 'guest', 'none')");
    assert.equal((await gateway.get("/collections/geo.secret/items", { as: "guest" })).status, 403);
  });

  it("takes effect at once for an earlier caller, whatever is granted, revoked, denied by a rule, or gone", async () => {
    const { client, name } = gateway.database;
    const paths = [
      "/collections/geo.often/items",
      "/collections/geo.often/items/1",
      "/collections/geo.often/items?f=html",
    ];
    const ask = (): Promise<unknown[]> =>
      Promise.all(
        paths.map(async (path) => {
          const { status, text } = await gateway.get(path, { as: "guest" });
          return status === 200 ? text.includes("secret") : status;
        }),
      );
    await client.query(`
create table geo.often (id int primary key, word text, geom geometry(Point, 4326));
insert into geo.often values (1, 'secret', 'srid=4326;point(1 1)');
select portolan.set_privilege('geo.often', 'guest', 'read')`);
    const role = `"guest@${name}"`;
    const steps: [change: string, expected: unknown][] = [
      ["select", true],
      [`revoke select on geo.often from ${role}`, 403],
      [`grant select (id, geom) on geo.often to ${role}`, false],
      [`grant select (word) on geo.often to ${role}`, true],
      [`revoke select (word) on geo.often from ${role}`, false],
      [`grant select on geo.often to ${role}`, true],
      [
        `select portolan.create_rule('{"username": "guest", "schema": "geo", "table": "often", "access": "deny"}')`,
        403,
      ],
      ["select portolan.drop_rule(max(id)) from portolan.rules", true],
      ["drop table geo.often", 404],
    ];
    for (const [change, expected] of steps) {
      await client.query(change);
      for (const time of ["first", "second", "third"])
        assert.deepEqual(
          await ask(),
          paths.map(() => expected),
          `${time} after ${change}`,
        );
    }
  });

  it("columns that the account may not read do not exist", async () => {
    const { json } = await gateway.get("/collections/geo.staff/items", { as: "guest" });
    assert.deepEqual(
      json.features.map(({ properties }: Json) => properties),
      [
        { id: 1, name: "ann" },
        { id: 2, name: "bob" },
      ],
    );
    assert.deepEqual(
      Object.keys((await gateway.get("/collections/geo.staff/items/1", { as: "captain" })).json.properties),
      ["id", "name", "salary"],
    );
    const { json: document } = await gateway.get("/api", { as: "guest" });
    const { schemas } = document.components;
    const schemaOf = (reference: Json) => schemas[reference.$ref.split("/").pop()];
    const { responses } = document.paths["/collections/geo.staff/items/{featureId}"].get;
    const feature = schemaOf(responses[200].content["application/geo+json"].schema);
    assert.deepEqual(Object.keys(feature.properties.properties.properties), ["id", "name"]);
  });

  it("row security chooses the features, their number and their extent", async () => {
    for (const [asked, ids, extent] of [
      [{ as: "guest" }, [1, 3], [1, 1, 3, 3]],
      [{ as: "captain" }, [2], [20, 20, 20, 20]],
      [{}, [], undefined],
    ] as const) {
      const { json } = await gateway.get("/collections/geo.own/items", asked);
      assert.deepEqual([json.features.map(({ id }: Json) => id), json.numberMatched], [ids, ids.length]);
      assert.deepEqual((await gateway.get("/collections/geo.own", asked)).json.extent?.spatial.bbox[0], extent);
    }
    assert.equal((await gateway.get("/collections/geo.own/items/2", { as: "guest" })).status, 404);
  });

  it("row security keeps the spatial index if && is leakproof; without the mark answers are right", async () => {
    const { client } = gateway.database;
    const find = async () => (await gateway.get("/collections/geo.own/items?bbox=0,0,5,5", { as: "guest" })).json;
    const mark = async (word: string) => client.query(`alter function geometry_overlaps(geometry, geometry) ${word}`);
    for (const word of ["not leakproof", "leakproof"]) {
      await mark(word);
      const { features, numberMatched } = await find();
      assert.deepEqual([features.map(({ id }: Json) => id), numberMatched], [[1, 3], 2], word);
    }
    await client.query(`
create index on geo.own using gist (geom);
insert into geo.own select i, 'guest', st_setsrid(st_makepoint(30 + i % 100, 30 + i % 50), 4326) from generate_series(100, 20000) i;
analyze geo.own`);
    const plan = async (): Promise<string> => {
      await client.query("begin");
      try {
        await client.query(`set local role "guest@${gateway.database.name}"`);
        const { rows } = await client.query(
          "explain select from geo.own where geom && st_makeenvelope(0, 0, 5, 5, 4326)",
        );
        return JSON.stringify(rows);
      } finally {
        await client.query("rollback");
      }
    };
    assert.match(await plan(), /Index/);
    await mark("not leakproof");
    assert.doesNotMatch(await plan(), /Index Scan/);
    await mark("leakproof");
    assert.equal((await find()).numberMatched, 2);
  });

  it("answers of accounts are not for shared caches", async () => {
    const { headers } = await gateway.get("/collections/geo.own/items", { as: "guest" });
    assert.match(headers.get("cache-control") ?? "", /private/);
    assert.match(headers.get("vary") ?? "", /Authorization/);
  });

  it("a column that is revoked between the check and the statement is left out, and nobody is refused", async () => {
    const { client, name } = gateway.database;
    await client.query(`create table geo.taken (id int primary key, name text, salary int, geom geometry(Point, 4326));
insert into geo.taken values (1, 'ann', 100, 'srid=4326;point(1 1)')`);
    const doors = [`/api/v4/ogc/database/${name}/collections/geo.taken/items`, "/api/v4/schemas/geo/tables/taken/rows"];
    const ask = async (path: string): Promise<Response> =>
      fetch(gateway.baseUrl + path, { headers: { Authorization: `Bearer ${await gateway.token("guest")}` } });
    for (const path of doors) {
      await client.query(`grant select on geo.taken to "guest@${name}"`);
      await until(async () => (await ask(path)).status === 200);
      await client.query("begin; lock table geo.taken in access exclusive mode");
      const asking = ask(path);
      await until(async () => {
        const { rows: waiting } = await client.query(
          "select from pg_locks where relation = 'geo.taken'::regclass and not granted",
        );
        return waiting.length > 0;
      });
      await client.query(
        `revoke select on geo.taken from "guest@${name}"; grant select (id, name, geom) on geo.taken to "guest@${name}"; commit`,
      );
      const response = await asking;
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.match(text, /ann/);
      assert.doesNotMatch(text, /salary/);
    }
  });
});
