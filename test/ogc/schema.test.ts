import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import pg from "pg";
import { until } from "../support/until.ts";
import { CRS84, hrefOf, ogcGateway, type Answer, type Json, type OgcGateway } from "./support.ts";

const SITES = "/collections/geo.sites";
const SCHEMA_REL = "http://www.opengis.net/def/rel/ogc/1.0/schema";

const FIXTURE = (guest: string): string => `
create type geo.state as enum ('open', 'shut');
create domain geo.code as text default 'x';
create table geo.owners (id uuid primary key, since date, geom geometry(Point, 4326));
create table geo.sites (
  id bigint generated always as identity primary key,
  name text not null,
  kind geo.state not null default 'open',
  size int, small int2, share float8 not null, part float4, price numeric(8, 2),
  built date, seen timestamptz, noted timestamp, lasts interval,
  place int references geo.places on delete cascade,
  owner uuid references geo.owners,
  hidden int references geo.secret,
  twice int generated always as (size * 2) stored,
  code geo.code not null,
  labels text[], states geo.state[], more jsonb, secret text not null default 'x',
  geom geometry(MultiPolygon, 4326) not null,
  door geometry(Point, 25832));
comment on table geo.sites is E'@title Sites\\nWhere one digs.';
comment on column geo.sites.name is E'@title Name of the site\\nAs on its plan.';
comment on column geo.sites.seen is '@instant';
insert into geo.sites (name, size, share, built, seen, noted, place, labels, more, geom) values
  ('Camp', 3, 0.5, '2020-01-01', '2020-01-02T03:04:05Z', '2020-01-02 03:04:05', 7, '{a,b}', '{"a": 1}',
   'srid=4326;multipolygon(((0 0, 1 0, 1 1, 0 0)))');
create table geo.moments (id int primary key, began date, ended timestamptz, geom geometry(Point, 4326));
create view geo.sized as select id, name, size * 2 as area, geom from geo.sites;
comment on view geo.sized is '@primaryKey id';
select portolan.set_authentication(t, 'None')
from unnest('{geo.owners,geo.sized}'::regclass[]) t;
grant usage on schema geo to "${guest}";
grant select (id, name, size, place, seen, geom) on geo.sites to "${guest}";
select portolan.enable_workflow('geo.owners')`;

describe("schemas of features", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      prepare: async ({ client, name }) => void (await client.query(FIXTURE(`guest@${name}`))),
    });
  });
  after(() => gateway.close());

  const get = async (path: string, as = "captain"): Promise<Answer> => {
    const answer = await gateway.get(path, { as });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const propertiesOf = async (path: string, as?: string): Promise<Json> => (await get(path, as)).json.properties;

  it("gives each column its type in one word, its format, title and place", async () => {
    const { headers, json } = await get(`${SITES}/schema`);
    assert.equal(headers.get("content-type"), "application/schema+json");
    assert.deepEqual(
      [json.$schema, json.$id, json.type, json.title, json.description, json.additionalProperties],
      [
        ...["https://json-schema.org/draft/2020-12/schema", `${gateway.root}${SITES}/schema`, "object", "Sites"],
        ...["Where one digs.", false],
      ],
    );
    const { properties } = json;
    const types = Object.entries<Json>(properties).map(([name, { type, format }]) => [name, type, format]);
    assert.deepEqual(types, [
      ["id", "integer", "int64"],
      ["name", "string", undefined],
      ["kind", "string", undefined],
      ["size", "integer", "int32"],
      ["small", "integer", undefined],
      ["share", "number", "double"],
      ["part", "number", "float"],
      ["price", "number", undefined],
      ["built", "string", "date"],
      ["seen", "string", "date-time"],
      ["noted", "string", "date-time"],
      ["lasts", "string", "duration"],
      ["place", "integer", "int32"],
      ["owner", "string", "uuid"],
      ["hidden", "integer", "int32"],
      ["twice", "integer", "int32"],
      ["code", "string", undefined],
      ["labels", "array", undefined],
      ["states", "array", undefined],
      ["more", "object", undefined],
      ["secret", "string", undefined],
      ["geom", undefined, "geometry-multipolygon"],
      ["door", undefined, "geometry-point"],
    ]);
    assert.deepEqual(properties.name, {
      title: "Name of the site",
      description: "As on its plan.",
      type: "string",
      "x-ogc-propertySeq": 2,
    });
    assert.deepEqual([properties.kind.title, properties.kind.enum], ["kind", ["open", "shut"]]);
    assert.deepEqual(properties.labels.items, { type: "string" });
    assert.deepEqual(properties.states.items, { type: "string", enum: ["open", "shut"] });
    const { kind, states } = await propertiesOf(`${SITES}/queryables`);
    assert.deepEqual([kind.type, kind.enum], ["string", ["open", "shut"]]);
    assert.deepEqual(states.items, { type: "string", enum: ["open", "shut"] });
    assert.deepEqual(json.required, ["id", "name", "kind", "share", "code", "secret", "geom"]);
  });

  it("marks the identifier, the geometry, the instant, references, and read-only columns", async () => {
    const properties = await propertiesOf(`${SITES}/schema`);
    const having = (keyword: string): Json =>
      Object.fromEntries(
        Object.entries<Json>(properties).flatMap(([name, { [keyword]: value }]) => (value ? [[name, value]] : [])),
      );
    assert.deepEqual(having("x-ogc-role"), {
      ...{ id: "id", seen: "primary-instant", place: "reference", owner: "reference", hidden: "reference" },
      geom: "primary-geometry",
    });
    assert.deepEqual(having("x-ogc-collectionId"), {
      ...{ place: "geo.places", owner: "geo.owners", hidden: "geo.secret" },
    });
    assert.deepEqual(having("readOnly"), { id: true, twice: true });
  });

  it("takes the only day or instant as the primary one, and of several only a marked one", async () => {
    assert.equal((await propertiesOf("/collections/geo.owners/schema")).since["x-ogc-role"], "primary-instant");
    for (const property of Object.values<Json>(await propertiesOf("/collections/geo.moments/schema")))
      assert.notEqual(property["x-ogc-role"], "primary-instant");
  });

  it("shows the columns of a workflow, and computed columns of a view, as read-only", async () => {
    const owners = await propertiesOf("/collections/geo.owners/schema");
    assert.deepEqual([owners.portolan_status.readOnly, owners.id.readOnly], [true, undefined]);
    const sized = await propertiesOf("/collections/geo.sized/schema");
    assert.deepEqual([sized.area.readOnly, sized.name.readOnly], [true, undefined]);
    for (const property of Object.values<Json>(await propertiesOf("/collections/geo.stored/schema")))
      assert.equal(property.readOnly, true); // a materialized view
  });

  it("the catalogue does not wait for a session that locks a view", async () => {
    const { client, url } = gateway.database;
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    try {
      await other.query("begin; lock table geo.sized in access exclusive mode");
      await client.query("set lock_timeout = '3s'");
      const { rows } = await client.query<{ n: number }>(
        "select jsonb_array_length(portolan.collections('{geo}') -> 'relations') as n",
      );
      assert.ok(rows[0]!.n > 10);
    } finally {
      await client.query("reset lock_timeout");
      await other.end();
    }
  });

  it("has no column that the caller may not read, and no reference to a collection that it may not read", async () => {
    const guest = await propertiesOf(`${SITES}/schema`, "guest");
    assert.deepEqual(Object.keys(guest), ["id", "name", "size", "seen", "place", "geom"]);
    assert.deepEqual(
      Object.values<Json>(guest).map((property) => property["x-ogc-propertySeq"]),
      [1, 2, 3, 4, 5, 6],
    );
    assert.equal(guest.place["x-ogc-collectionId"], "geo.places");
    await gateway.database.client.query(`grant select (hidden) on geo.sites to "guest@${gateway.database.name}"`);
    await until(async () => "hidden" in (await propertiesOf(`${SITES}/schema`, "guest")));
    const { hidden } = await propertiesOf(`${SITES}/schema`, "guest");
    assert.deepEqual([hidden["x-ogc-role"], hidden["x-ogc-collectionId"]], [undefined, undefined]);
    for (const type of ["create", "replace"]) {
      const body = (await propertiesOf(`${SITES}/schema?type=${type}`, "guest")).properties;
      assert.ok(!("secret" in body.properties) && !body.required.includes("secret"));
    }
  });

  describe("of bodies", () => {
    const validator = async (type: string): Promise<ValidateFunction> => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      for (const name of ["Geometry", "Point", "Polygon", "MultiPolygon"])
        ajv.addSchema(
          {
            type: "object",
            required: ["type", "coordinates"],
            properties: name === "Geometry" ? {} : { type: { const: name } },
          },
          `https://geojson.org/schema/${name}.json`,
        );
      return ajv.compile((await get(`${SITES}/schema?type=${type}`)).json);
    };
    const polygon = { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }; // oxfmt-ignore
    const feature = (properties: Json, geometry: Json = polygon): Json => ({ type: "Feature", geometry, properties });
    const least = { name: "Camp", share: 0.5 };

    it("require columns that are never null and have no default, and allow no others", async () => {
      for (const type of ["create", "replace"]) {
        const meets = await validator(type);
        assert.ok(meets(feature(least)), JSON.stringify(meets.errors));
        assert.ok(meets(feature({ ...least, id: 1, twice: 6, kind: "shut" })), JSON.stringify(meets.errors));
        assert.ok(meets(feature(least, { type: "MultiPolygon", coordinates: [] })));
        for (const wrong of [
          feature({ share: 0.5 }),
          feature({ ...least, other: 1 }),
          feature({ ...least, size: "3" }),
          feature({ ...least, kind: "new" }),
          feature(least, null),
          feature(least, { type: "Point", coordinates: [0, 0] }),
          { ...feature(least), type: "FeatureCollection" },
          least,
        ])
          assert.ok(!meets(wrong), JSON.stringify(wrong));
      }
    });

    it("accept a served feature that is sent back unchanged", async () => {
      const { json } = await get(`${SITES}/items/1`);
      const given = Object.entries<Json>(json.properties).filter(([, value]) => value !== null);
      const meets = await validator("replace");
      assert.ok(meets({ ...json, properties: Object.fromEntries(given) }), JSON.stringify(meets.errors));
    });

    it("require the key of a new feature, and not of one that has it in its address", async () => {
      const required = async (type: string): Promise<Json> =>
        (await propertiesOf(`/collections/geo.composite/schema?type=${type}`)).properties.required;
      assert.deepEqual([await required("create"), await required("replace")], [["a", "b"], undefined]);
    });
  });

  it("is linked from the collection: as schema, and as GeoJSON by describedby", async () => {
    const { links } = (await get(SITES)).json;
    assert.equal((await get(hrefOf(links, SCHEMA_REL))).json.$id, `${gateway.root}${SITES}/schema`);
    const { json } = await get(hrefOf(links, "describedby"));
    assert.deepEqual(
      [json.$id, json.properties.type.enum],
      [`${gateway.root}${SITES}/schema?type=replace`, ["Feature"]],
    );
  });

  it("is a page too", async () => {
    for (const query of ["", "&type=create"]) {
      const { headers, text } = await get(`${SITES}/schema?f=html${query}`);
      assert.match(headers.get("content-type") ?? "", /^text\/html/);
      for (const said of ["reference to geo.places", "primary-instant", "read only", "Name", "As on its plan."])
        assert.ok(text.includes(said), said);
    }
    assert.ok((await get(`${SITES}?f=html`)).text.includes(`${SITES}/schema`));
  });

  it("refuses every other type and parameter with 400, and a missing collection with 404", async () => {
    for (const [query, code] of [
      ["type=update", "INVALID_PARAMETER"],
      ["type=", "INVALID_PARAMETER"],
      ["type=create&type=replace", "INVALID_PARAMETER"],
      ["type=create,replace", "INVALID_PARAMETER"],
      [`crs=${CRS84}`, "UNKNOWN_PARAMETER"],
      ["f=xml", "INVALID_PARAMETER"],
    ] as const) {
      const { status, json } = await gateway.get(`${SITES}/schema?${query}`, { as: "captain" });
      assert.deepEqual([status, json.code], [400, code], query);
    }
    assert.equal((await gateway.get("/collections/geo.none/schema", { as: "captain" })).status, 404);
    assert.equal(
      (await gateway.get(`${SITES}/queryables?type=create`, { as: "captain" })).json.code,
      "UNKNOWN_PARAMETER",
    );
  });
});
