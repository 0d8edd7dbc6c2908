import assert from "node:assert/strict";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { CRS84, epsg, hrefOf, ogcGateway, type Answer, type Asked, type Json, type OgcGateway } from "./support.ts";

const SITES = "/collections/geo.sites";
const ITEMS = `${SITES}/items`;

/** `editor` may do everything, `clerk` change some columns, `reader` only read. */
const FIXTURE = (role: (name: string) => string): string => `
create table geo.owners (id int primary key, geom geometry(Point, 4326));
insert into geo.owners values (1, 'srid=4326;point(1 1)');
create table geo.sites (
  id serial primary key,
  name text not null unique,
  size int check (size > 0), price numeric(30, 10), share float8 default 0.5,
  state text not null default 'open',
  built date, seen timestamptz, noted timestamp,
  short varchar(5), owner int references geo.owners, tags text[], more jsonb,
  twice int generated always as (size * 2) stored,
  secret text not null default 'hidden',
  geom geometry(MultiPolygon, 4326),
  door geometry(Point, 25832));
create table geo.curve_polygon (id int generated always as identity primary key, geom geometry(CurvePolygon, 4326));
create table geo.multi_surface (id int generated always as identity primary key, geom geometry(MultiSurface, 4326));
create table geo.compound_curve (id int generated always as identity primary key, geom geometry(CompoundCurve, 4326));
create table geo.multi_curve (id int generated always as identity primary key, geom geometry(MultiCurve, 4326));
create table geo.heights (id int generated always as identity primary key, geom geometry(PointZ, 4326));
create table geo.flats (id uuid primary key default gen_random_uuid(), geom geometry(Point, 25832));
create table geo.globes (id int primary key, geom geography(Point, 4326));
create table geo.sound (id int primary key, geom geometry(Polygon, 4326) constraint is_sound check (st_isvalid(geom)));
create table geo.pairs (a int, b text, note text, geom geometry(Point, 4326), primary key (a, b));
create table geo.deferred (
  id int primary key, other int references geo.deferred deferrable initially deferred, geom geometry(Point, 4326));
create view geo.open_sites as select id, name, size, size * 3 as thrice, geom from geo.sites where state = 'open'
  with check option;
comment on view geo.open_sites is '@primaryKey id';
create view geo.counted as select kind, count(*) as number, st_collect(geom) as geom from geo.places group by kind;
comment on view geo.counted is '@primaryKey kind';
select portolan.create_user(u, null)
from unnest('{editor,clerk,reader}'::text[]) u;
grant usage on schema geo to ${role("editor")}, ${role("clerk")}, ${role("reader")};
grant select, insert, update, delete on all tables in schema geo to ${role("editor")};
grant usage on all sequences in schema geo to ${role("editor")}, ${role("clerk")};
grant select on all tables in schema geo to ${role("reader")};
grant select (id, name, size, state, share, geom), insert (name, geom), update (name, geom) on geo.sites to ${role("clerk")}`;

const SQUARE = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};
const OTHER = {
  type: "Polygon",
  coordinates: [
    [
      [5, 5],
      [6, 5],
      [6, 6],
      [5, 5],
    ],
  ],
};

interface Sent {
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const TYPES: Readonly<Record<string, string>> = { PATCH: "application/merge-patch+json" };

describe("writing features", () => {
  let gateway: OgcGateway;
  let count = 0;

  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { transactions: true, crs: [25832], maxBodyBytes: 2_000_000 } },
      prepare: ({ client, name }) => client.query(FIXTURE((account) => `"${account}@${name}"`)),
    });
  });
  after(() => gateway.close());

  const send = async (method: string, path: string, { as = "editor", headers, body }: Sent = {}): Promise<Answer> => {
    const response = await fetch(path.startsWith("http") ? path : gateway.root + path, {
      method,
      headers: {
        ...(as !== "" && { authorization: `Bearer ${await gateway.token(as)}` }),
        ...(body !== undefined && { "content-type": TYPES[method] ?? "application/geo+json" }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === "string" ? body : Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const json: Json = text === "" ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, text, json };
  };
  const site = (properties: object = {}, geometry: object | null = SQUARE): object => ({
    type: "Feature",
    geometry,
    properties: { name: `site ${++count}`, ...properties },
  });
  const sql = async (text: string, values: unknown[] = []): Promise<Json[]> =>
    (await gateway.database.client.query(text, values)).rows;
  /** Creates a site, and gives its address. */
  const create = async (properties: object = {}, geometry: object | null = SQUARE): Promise<string> => {
    const { status, headers, text } = await send("POST", ITEMS, { body: site(properties, geometry) });
    assert.equal(status, 201, text);
    return headers.get("location")!;
  };
  const rowOf = async (address: string): Promise<Json> => {
    const [row] = await sql("select *, st_astext(geom) as wkt from geo.sites where id = $1", [
      address.split("/").pop(),
    ]);
    return row;
  };
  const get = (address: string, asked: Asked = {}): Promise<Answer> => gateway.get(address, { as: "editor", ...asked });
  const refused = (answer: Answer, status: number, code: string, message: RegExp): void => {
    assert.deepEqual([answer.status, answer.json?.code], [status, code], answer.text);
    assert.match(answer.json.message, message);
    assert.equal(answer.headers.get("content-type"), "application/problem+json; charset=utf-8");
  };

  describe("POST", () => {
    it("creates a feature, which is at its Location", async () => {
      const { status, headers, text } = await send("POST", ITEMS, { body: site({ size: 3, tags: ["a"] }) });
      assert.deepEqual([status, text], [201, ""]);
      const location = headers.get("location")!;
      assert.match(location, /\/items\/\d+$/);
      const { json, headers: shown } = await get(location);
      assert.deepEqual([json.properties.size, json.properties.twice, json.properties.tags], [3, 6, ["a"]]);
      assert.deepEqual(json.geometry.coordinates, [SQUARE.coordinates], "a polygon has become one of many");
      const version = (etag: string | null): string => /^"([^".]+)/.exec(etag ?? "")![1]!;
      assert.equal(version(headers.get("etag")), version(shown.get("etag")));
    });

    it("Prefer: return=representation answers with the feature", async () => {
      const { status, headers, json } = await send("POST", ITEMS, {
        body: site({ name: "shown" }),
        headers: { prefer: "return=representation" },
      });
      assert.deepEqual([status, json.properties.name, json.properties.share], [201, "shown", 0.5]);
      assert.deepEqual(
        [headers.get("content-type"), headers.get("preference-applied"), headers.get("content-crs")],
        ["application/geo+json", "return=representation", `<${CRS84}>`],
      );
      assert.equal(hrefOf(json.links, "self").replace(/\?.*/, ""), headers.get("location"));
    });

    it("creates the features of a collection, all or none, in their order", async () => {
      const features = [site({ size: 1 }), site(), site({ size: 2 }), { ...site(), id: "not kept" }];
      const { status, headers, json } = await send("POST", ITEMS, { body: { type: "FeatureCollection", features } });
      assert.deepEqual([status, headers.get("location")], [201, null]);
      const names: string[] = [];
      for (const { id, href } of json.features) {
        const feature = (await get(href)).json;
        assert.equal(feature.id, id);
        names.push(feature.properties.name);
      }
      assert.deepEqual(
        names,
        features.map((feature: Json) => feature.properties.name),
      );
      assert.deepEqual((await send("POST", ITEMS, { body: { type: "FeatureCollection", features: [] } })).json, {
        features: [],
      });
    });

    it("names the wrong feature and property of 10,000, and keeps none of them", async () => {
      const [{ before }] = await sql("select count(*)::int as before from geo.sites");
      const features = Array.from({ length: 10_000 }, (_, index) => site({ name: `many ${index}` }));
      const bad: readonly [object, RegExp][] = [
        [{ size: "x" }, /^features\[9998\]\.properties\.size: expected a whole number/],
        [{ built: "2020-13-45" }, /^features\[9998\]\.properties\.built: /],
        [{ short: "too long" }, /^features\[9998\]\.properties\.short: /],
      ];
      for (const [property, message] of bad) {
        features[9998] = site(property);
        const answer = await send("POST", ITEMS, { body: { type: "FeatureCollection", features } });
        refused(answer, 400, "BAD_USER_INPUT", message);
      }
      features[9998] = site(
        {},
        {
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [1, 1],
            ],
          ],
        },
      );
      refused(
        await send("POST", ITEMS, { body: { type: "FeatureCollection", features } }),
        400,
        "BAD_USER_INPUT",
        /^features\[9998\]\.geometry/,
      );
      features[9998] = site({ name: "many 7" });
      const answer = await send("POST", ITEMS, { body: { type: "FeatureCollection", features } });
      refused(answer, 409, "CONFLICT", /^features\[9998\]: name: /);
      assert.deepEqual(answer.json.columns, ["name"]);
      const constrained: readonly [object, RegExp][] = [
        [{ size: 0 }, /^features\[9998\]: size: /],
        [{ name: null }, /^features\[9998\]: name: /],
        [{ owner: 77 }, /^features\[9998\]: owner: /],
      ];
      for (const [property, message] of constrained) {
        features[9998] = site(property);
        const body = { type: "FeatureCollection", features };
        refused(await send("POST", ITEMS, { body }), 400, "BAD_USER_INPUT", message);
      }
      assert.deepEqual(await sql("select count(*)::int as before from geo.sites"), [{ before }]);
    });

    it("takes null as absent if a column has a default, and ignores read-only members", async () => {
      const body = { ...site({ id: null, state: null, share: null, twice: 77 }), id: 1, bbox: [0, 0, 1, 1], links: [] };
      const row = await rowOf((await send("POST", ITEMS, { body })).headers.get("location")!);
      assert.deepEqual([row.state, row.share, row.secret, row.twice], ["open", null, "hidden", null]);
    });

    it("takes a key that is given, and never that of another row", async () => {
      const body = { ...site(), properties: { name: "keyed", id: 900_001 } };
      assert.match((await send("POST", ITEMS, { body })).headers.get("location")!, /\/900001$/);
      refused(
        await send("POST", ITEMS, { body: { ...body, properties: { name: "again", id: 900_001 } } }),
        409,
        "CONFLICT",
        /^id: /,
      );
      const flat = { type: "Feature", geometry: null, properties: { a: 1, b: "x/y,é", note: "n" } };
      const { headers } = await send("POST", "/collections/geo.pairs/items", { body: flat });
      assert.equal((await get(headers.get("location")!)).json.properties.b, "x/y,é");
    });

    it("gives the reason in the status line too, in ASCII", async () => {
      const token = await gateway.token("editor");
      const answer = await fetch(`${gateway.root}/collections/geo.heights/items`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ type: "Feature", properties: { "größe\n": 1 }, geometry: SQUARE }),
      });
      assert.equal(answer.status, 400);
      const { detail } = (await answer.json()) as { detail: string };
      assert.equal(answer.statusText, detail.replace(/[^\x20-\x7e]+/g, "?").slice(0, 200));
    });

    it("names the column of a check, a null, a foreign key and a value that does not fit", async () => {
      const cases: readonly [object, number, RegExp][] = [
        [{ size: 0 }, 400, /^size: /],
        [{ name: null }, 400, /^name: /],
        [{ owner: 77 }, 400, /^owner: /],
        [{ price: 1e25 }, 400, /price: /],
        [{ short: "too long" }, 400, /^properties\.short: /],
        [{ seen: "yesterday, perhaps" }, 400, /^properties\.seen: /],
        [{ more: { a: "\u0000" } }, 400, /more/],
      ];
      for (const [property, status, message] of cases)
        refused(await send("POST", ITEMS, { body: site(property) }), status, "BAD_USER_INPUT", message);
      const body = { type: "Feature", geometry: null, properties: { id: 1, other: 5 } };
      const deferred = await send("POST", "/collections/geo.deferred/items", { body });
      refused(deferred, 400, "BAD_USER_INPUT", /^other: /); // PostgreSQL reports it at the end of the transaction
      assert.deepEqual(await sql("select from geo.deferred"), []);
    });

    it("keeps every digit of a number", async () => {
      const text = JSON.stringify(site({ more: { n: "?" } })).replace('"?"', "12345678901234567890.123");
      const { headers } = await send("POST", ITEMS, {
        body: text.replace('"more"', '"price":12345678901234567890.12,"more"'),
      });
      const row = await rowOf(headers.get("location")!);
      assert.equal(row.price, "12345678901234567890.1200000000");
      const [{ more }] = await sql("select more::text from geo.sites where id = $1", [row.id]);
      assert.equal(more, '{"n": 12345678901234567890.123}');
    });

    it("reads a moment without zone as UTC, and stores UTC where the column has no zone", async () => {
      await gateway.database.client.query(`alter role "editor@${gateway.database.name}" set timezone to 'Asia/Tokyo'`);
      const row = await rowOf(await create({ seen: "2026-01-02T03:04:05", noted: "2026-01-02T03:04:05.25+02:00" }));
      assert.equal(row.seen.toISOString(), "2026-01-02T03:04:05.000Z");
      const [{ noted }] = await sql("select noted::text from geo.sites where id = $1", [row.id]);
      assert.equal(noted, "2026-01-02 01:04:05.25");
    });
  });

  describe("geometries", () => {
    const point = (coordinates: unknown, more: object = {}): object => ({
      type: "Feature",
      geometry: { type: "Point", coordinates },
      properties: {},
      ...more,
    });
    const wktOf = async (table: string): Promise<string> =>
      (await sql(`select st_asewkt(geom::geometry, 4) as wkt from geo.${table} order by ctid desc limit 1`))[0].wkt;

    it("become curves if the column has curves", async () => {
      for (const [name, geometry, stored] of [
        ["curve_polygon", SQUARE, "CURVEPOLYGON((0 0,1 0,1 1,0 0))"],
        ["multi_surface", SQUARE, "MULTISURFACE(((0 0,1 0,1 1,0 0)))"],
        [
          "compound_curve",
          { type: "LineString", coordinates: SQUARE.coordinates[0] },
          "COMPOUNDCURVE((0 0,1 0,1 1,0 0))",
        ],
        ["multi_curve", { type: "LineString", coordinates: SQUARE.coordinates[0] }, "MULTICURVE((0 0,1 0,1 1,0 0))"],
      ] as const) {
        const body = { type: "Feature", properties: {}, geometry };
        const { status, text } = await send("POST", `/collections/geo.${name}/items`, { body });
        assert.equal(status, 201, text);
        assert.equal(await wktOf(name), `SRID=4326;${stored}`);
        const wrong = await send("POST", `/collections/geo.${name}/items`, { body: point([1, 2]) });
        refused(wrong, 400, "BAD_USER_INPUT", /expected a (Multi)?(Polygon|LineString)( or \w+)?, got a Point/);
      }
    });

    it("get a height of 0 if the column has heights, and lose theirs if it has none", async () => {
      assert.equal((await send("POST", "/collections/geo.heights/items", { body: point([1, 2]) })).status, 201);
      assert.equal(await wktOf("heights"), "SRID=4326;POINT(1 2 0)");
      assert.equal((await send("POST", "/collections/geo.flats/items", { body: point([9, 50, 7]) })).status, 201);
      assert.match(await wktOf("flats"), /^SRID=25832;POINT\(500000 5538630\.7\d*\)$/);
      const body = point([1, 2, 3], { properties: { id: 1 } });
      assert.equal((await send("POST", "/collections/geo.globes/items", { body })).status, 201);
      assert.equal(await wktOf("globes"), "SRID=4326;POINT(1 2)");
    });

    it("are in the system of Content-Crs, in its order of axes, with angle brackets or without", async () => {
      for (const [system, coordinates] of [
        [epsg(4326), [50, 9]],
        [`<${epsg(4326)}>`, [50, 9]],
        [epsg(25832), [500000, 5538630.70286887]],
        [`<${CRS84}>`, [9, 50]],
      ] as const) {
        const headers = { "content-crs": system, prefer: "return=representation" };
        const {
          status,
          json,
          headers: got,
        } = await send("POST", "/collections/geo.flats/items", {
          body: point(coordinates),
          headers,
        });
        assert.equal(status, 201);
        assert.equal(got.get("content-crs"), `<${system.replace(/[<>]/g, "")}>`);
        for (const [index, value] of coordinates.entries())
          assert.ok(Math.abs(json.geometry.coordinates[index] - value) < 1e-3, system);
        assert.match(await wktOf("flats"), /^SRID=25832;POINT\(500000 5538630.7/);
      }
      const unknown = { "content-crs": epsg(2154) };
      refused(
        await send("POST", "/collections/geo.flats/items", { body: point([1, 2]), headers: unknown }),
        400,
        "INVALID_CRS",
        /2154/,
      );
    });

    it("that cannot be stored are refused with the reason", async () => {
      const flats = "/collections/geo.flats/items";
      const cases: readonly [Json, RegExp][] = [
        [point([1, 95]), /latitude/],
        [point([1]), /position/],
        [point([1, null]), /position/],
        [point(["1", "2"]), /position/],
        [{ ...point([]), geometry: SQUARE }, /expected a Point, got a Polygon/],
        [{ ...point([]), geometry: { type: "Circle", coordinates: [] } }, /geometry/],
        [{ ...point([]), geometry: "POINT(1 2)" }, /expected a GeoJSON geometry/],
        [
          { ...point([1, 2]), crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::25832" } } },
          /Content-Crs/,
        ],
        [{ ...point([1, 2]), geometry: undefined }, /geometry/],
      ];
      for (const [body, message] of cases) refused(await send("POST", flats, { body }), 400, "BAD_USER_INPUT", message);
      const nan = JSON.stringify(point([1, 2])).replace("[1,2]", "[NaN,2]");
      refused(await send("POST", flats, { body: nan }), 400, "BAD_USER_INPUT", /not valid JSON/);
      const huge = JSON.stringify(point([1, 2])).replace("[1,2]", "[1e999,2]");
      refused(await send("POST", flats, { body: huge }), 400, "BAD_USER_INPUT", /position/);
      const headers = { "content-crs": epsg(4326) };
      refused(await send("POST", flats, { body: point([95, 1]), headers }), 400, "BAD_USER_INPUT", /latitude/);
    });

    it("that are wrong change nothing, in every kind of request", async () => {
      const address = await create();
      const before = await rowOf(address);
      const open = SQUARE.coordinates[0]!.slice(0, 3);
      const cases: readonly object[] = [
        { type: "Polygon", coordinates: [open] },
        { type: "Polygon", coordinates: [[...open, [0, 0.5]]] },
        { type: "Polygon", coordinates: [[open[0], open[0]]] },
        { type: "Polygon", coordinates: SQUARE.coordinates[0] },
        { type: "Polygon", coordinates: [SQUARE.coordinates] },
        { type: "Polygon", coordinates: SQUARE.coordinates.map((ring) => ring.map((each) => [...each, 1, 2, 3])) },
        { type: "Polygon", coordinates: SQUARE.coordinates.map((ring) => ring.map(([x]) => [x])) },
        { type: "Polygon", coordinates: SQUARE.coordinates.map((ring) => ring.map(([x]) => [x, 91])) },
        { type: "Polygon", coordinates: null },
        { type: "Polygon" },
        { type: "MultiPolygon", coordinates: SQUARE.coordinates },
        { type: "polygon", coordinates: SQUARE.coordinates },
        { type: "MultiPoint", coordinates: [[0, 0]] },
        { type: "GeometryCollection", geometries: [SQUARE] },
        { coordinates: SQUARE.coordinates },
      ];
      for (const geometry of cases) {
        const [body, shown] = [site({}, geometry), JSON.stringify(geometry)];
        const collection = { type: "FeatureCollection", features: [site(), body] };
        for (const [method, path, sent] of [
          ["POST", ITEMS, body],
          ["POST", ITEMS, collection],
          ["PUT", address, body],
          ["PATCH", address, body],
          ["PATCH", address, { geom: geometry }],
        ] as const) {
          const answer = await send(method, path, { body: sent });
          assert.deepEqual([answer.status, answer.json?.code], [400, "BAD_USER_INPUT"], `${method} ${shown}`);
          assert.match(answer.json.message, /geom(etry)?[:.]/, shown);
        }
      }
      assert.deepEqual(await rowOf(address), before);
      assert.deepEqual(await sql("select from geo.sites where name = $1", [`site ${count}`]), []);
    });

    const bow = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    };

    it("that cross themselves are stored unchanged, as PostGIS does", async () => {
      assert.match((await rowOf(await create({}, bow))).wkt, /^MULTIPOLYGON/);
      assert.equal((await rowOf(await create({}, null))).wkt, null);
    });

    it("that cross themselves are refused if a check of the table says so, with the name of the column", async () => {
      const sound = "/collections/geo.sound/items";
      const of = (id: number, geometry: object): object => ({ type: "Feature", geometry, properties: { id } });
      assert.equal((await send("POST", sound, { body: of(1, SQUARE) })).status, 201);
      for (const [method, path, body] of [
        ["POST", sound, of(2, bow)],
        ["POST", sound, { type: "FeatureCollection", features: [of(2, OTHER), of(3, bow)] }],
        ["PUT", `${sound}/1`, of(1, bow)],
        ["PATCH", `${sound}/1`, { geometry: bow }],
      ] as const) {
        const answer = await send(method, path, { body });
        refused(
          answer,
          400,
          "BAD_USER_INPUT",
          "features" in body ? /^features\[1\]: geom: .*is_sound/ : /^geom: .*is_sound/,
        );
        assert.deepEqual(answer.json.columns, ["geom"]);
      }
      assert.deepEqual(
        await sql("select id, st_equals(geom, st_geomfromgeojson($1)) as same from geo.sound", [SQUARE]),
        [{ id: 1, same: true }],
      );
    });

    it("in properties are in longitude and latitude, as answers have them", async () => {
      const address = await create({ door: { type: "Point", coordinates: [9, 50] } });
      const { json } = await get(address);
      assert.deepEqual(
        json.properties.door.coordinates.map((each: number) => Math.round(each * 1e6) / 1e6),
        [9, 50],
      );
      refused(
        await send("POST", ITEMS, { body: site({ door: SQUARE }) }),
        400,
        "BAD_USER_INPUT",
        /^properties\.door: /,
      );
    });
  });

  describe("PUT", () => {
    it("sets its members, and the rest to the default", async () => {
      const address = await create({ name: "first", size: 3, share: 9, state: "shut" });
      await sql("update geo.sites set secret = 'kept' where name = 'first'");
      const { status, headers, text } = await send("PUT", address, { body: site({ name: "second" }, OTHER) });
      assert.deepEqual([status, text], [204, ""]);
      assert.ok(headers.get("etag"));
      const row = await rowOf(address);
      assert.deepEqual([row.name, row.size, row.share, row.state, row.secret], ["second", null, 0.5, "open", "hidden"]);
      assert.match(row.wkt, /5 5/);
    });

    it("keeps columns that the caller may not see, and refuses a change of those that it may only see", async () => {
      const address = await create({ size: 3, state: "shut" });
      await sql("update geo.sites set secret = 'kept' where id = $1", [address.split("/").pop()]);
      const { properties, geometry } = (await gateway.get(address, { as: "clerk" })).json;
      assert.deepEqual(Object.keys(properties), ["id", "name", "size", "share", "state"]);
      const body = { type: "Feature", geometry, properties: { ...properties, name: "by a clerk" } };
      assert.equal((await send("PUT", address, { as: "clerk", body })).status, 204);
      const row = await rowOf(address);
      assert.deepEqual([row.name, row.size, row.state, row.secret], ["by a clerk", 3, "shut", "kept"]);
      const changed = { ...body, properties: { ...properties, size: 4 } };
      refused(await send("PUT", address, { as: "clerk", body: changed }), 403, "FORBIDDEN", /^size: /);
      refused(
        await send("PATCH", address, { as: "clerk", body: { properties: { size: 4 } } }),
        403,
        "FORBIDDEN",
        /^size: /,
      );
      refused(await send("POST", ITEMS, { as: "clerk", body: site({ size: 4 }) }), 403, "FORBIDDEN", /^size: /);
      refused(
        await send("POST", ITEMS, { as: "clerk", body: site({ secret: "x" }) }),
        400,
        "BAD_USER_INPUT",
        /has no property "secret"/,
      );
      assert.equal((await send("POST", ITEMS, { as: "clerk", body: site({ size: null }) })).status, 201);
    });

    it("ignores the key in its properties; there is no feature to replace with an unknown id", async () => {
      const address = await create();
      const body = { ...site({ name: "mine", id: 1 }), id: 7 };
      assert.equal((await send("PUT", address, { body })).status, 204);
      assert.equal((await rowOf(address)).name, "mine");
      refused(await send("PUT", `${ITEMS}/800000`, { body }), 404, "FEATURE_NOT_FOUND", /800000/);
      refused(await send("PUT", `${ITEMS}/words`, { body }), 404, "FEATURE_NOT_FOUND", /words/);
      const headers = { "if-match": "*" };
      refused(await send("PUT", `${ITEMS}/800000`, { body, headers }), 412, "PRECONDITION_FAILED", /If-Match/);
    });

    it("Prefer: return=representation answers 200 with the feature", async () => {
      const headers = { prefer: 'handling=lenient, return="representation"' };
      const { status, json } = await send("PUT", await create(), { body: site({ size: 8 }), headers });
      assert.deepEqual([status, json.properties.size, json.properties.twice], [200, 8, 16]);
    });
  });

  describe("PATCH", () => {
    it("changes what it names, in GeoJSON's shape or in that of the schema", async () => {
      const address = await create({ size: 3, share: 9, tags: ["a", "b"] });
      assert.equal((await send("PATCH", address, { body: { properties: { size: 4, share: null } } })).status, 204);
      let row = await rowOf(address);
      assert.deepEqual([row.size, row.share, row.tags], [4, null, ["a", "b"]]);
      assert.equal((await send("PATCH", address, { body: { size: 5, tags: ["c"], geom: OTHER } })).status, 204);
      row = await rowOf(address);
      assert.deepEqual([row.size, row.tags], [5, ["c"]]);
      assert.match(row.wkt, /5 5/);
      assert.equal((await send("PATCH", address, { body: { type: "Feature", geometry: null } })).status, 204);
      assert.equal((await rowOf(address)).wkt, null);
      assert.equal((await send("PATCH", address, { body: {} })).status, 204);
      assert.equal((await rowOf(address)).size, 5);
    });

    it("merges objects of json, and replaces all else", async () => {
      const address = await create({ more: { a: { b: 1, c: [1, 2] }, d: "x" } });
      await send("PATCH", address, { body: { properties: { more: { a: { b: null, c: [3], e: { f: null } } } } } });
      assert.deepEqual((await rowOf(address)).more, { a: { c: [3], e: {} }, d: "x" });
      await send("PATCH", address, { body: { properties: { more: [1] } } });
      assert.deepEqual((await rowOf(address)).more, [1]);
      await send("PATCH", address, { body: { properties: { more: { g: 1, h: null } } } });
      assert.deepEqual((await rowOf(address)).more, { g: 1 });
    });

    it("does not change the key", async () => {
      const address = await create();
      const id = Number(address.split("/").pop());
      refused(await send("PATCH", address, { body: { properties: { id: 1 } } }), 400, "BAD_USER_INPUT", /key/);
      assert.equal((await send("PATCH", address, { body: { id: 1, properties: { id, size: 2 } } })).status, 204);
      assert.equal((await rowOf(address)).size, 2);
      const [height] = (
        await send("POST", "/collections/geo.heights/items", {
          body: { type: "FeatureCollection", features: [{ type: "Feature", geometry: null, properties: null }] },
        })
      ).json.features;
      refused(await send("PATCH", height.href, { body: { properties: { id: 0 } } }), 400, "BAD_USER_INPUT", /key/);
    });

    it("refuses other members beside those of a feature", async () => {
      const address = await create();
      refused(await send("PATCH", address, { body: { id: 1, size: 3 } }), 400, "BAD_USER_INPUT", /"size"/);
      refused(await send("PATCH", address, { body: { nothing: 3 } }), 400, "BAD_USER_INPUT", /no property "nothing"/);
      refused(await send("PATCH", address, { body: { type: "Point" } }), 400, "BAD_USER_INPUT", /Feature/);
      refused(
        await send("PATCH", address, { body: { geometry: { coordinates: [] } } }),
        400,
        "BAD_USER_INPUT",
        /geometry/,
      );
    });
  });

  describe("DELETE", () => {
    it("removes the feature, once", async () => {
      const address = await create();
      const { status, text } = await send("DELETE", address);
      assert.deepEqual([status, text], [204, ""]);
      assert.equal((await get(address)).status, 404);
      refused(await send("DELETE", address), 404, "FEATURE_NOT_FOUND", /There is no feature/);
    });

    it("of a row that others refer to is a conflict", async () => {
      await create({ owner: 1 });
      refused(await send("DELETE", "/collections/geo.owners/items/1"), 409, "CONFLICT", /foreign key/);
    });
  });

  describe("If-Match", () => {
    const etagOf = async (path: string): Promise<string> => (await get(path)).headers.get("etag")!;

    it("matches a tag of the same version, in any system and format", async () => {
      const address = await create();
      for (const query of ["", `?crs=${encodeURIComponent(epsg(4326))}`, "?f=html"]) {
        const headers = { "if-match": await etagOf(address + query) };
        const { status, headers: got } = await send("PATCH", address, { body: { size: 3 }, headers });
        assert.equal(status, 204, query);
        refused(await send("PATCH", address, { body: { size: 4 }, headers }), 412, "PRECONDITION_FAILED", /If-Match/);
        const next = { "if-match": `"nothing", ${got.get("etag")!}` };
        assert.equal((await send("PUT", address, { body: site(), headers: next })).status, 204);
      }
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const headers = { "if-match": '"MTIz"' };
        const body = method === "DELETE" ? undefined : site();
        refused(await send(method, address, { body, headers }), 412, "PRECONDITION_FAILED", /If-Match/);
      }
      assert.equal((await send("DELETE", address, { headers: { "if-match": await etagOf(address) } })).status, 204);
    });

    it("matches no weak tag, and a strong one however its answer was compressed", async () => {
      const address = await create();
      const tags = new Set<string>();
      for (const encoding of ["identity", "gzip", "br"]) {
        const { headers } = await get(`${address}?f=html`, { headers: { "accept-encoding": encoding } });
        const tag = headers.get("etag")!;
        assert.match(
          tag,
          encoding === "identity" ? /^"[\w-]+\.[\w-]+"$/ : new RegExp(`^"[\\w-]+\\.[\\w-]+;${encoding}"$`),
        );
        tags.add(tag);
        const again = { "accept-encoding": encoding, "if-none-match": tag };
        assert.equal((await get(`${address}?f=html`, { headers: again })).status, 304);
        refused(
          await send("PATCH", address, { body: { size: 3 }, headers: { "if-match": `W/${tag}` } }),
          412,
          "PRECONDITION_FAILED",
          /If-Match/,
        );
      }
      assert.equal(tags.size, 3);
      const headers = { "if-match": [...tags].at(-1)! };
      assert.equal((await send("PATCH", address, { body: { size: 3 }, headers })).status, 204);
    });

    it("lets one of two editors win if both have seen the same version", async () => {
      const address = await create();
      const headers = { "if-match": await etagOf(address) };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, size) => send("PATCH", address, { body: { size: size + 1 }, headers })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [204, ...Array<number>(7).fill(412)]);
      const winner = answers.findIndex(({ status }) => status === 204);
      assert.equal((await rowOf(address)).size, winner + 1);
    });

    it("covers the columns that the caller may read, if that is not all", async () => {
      const address = await create();
      const { headers } = await gateway.get(address, { as: "clerk" });
      const ifMatch = { "if-match": headers.get("etag")! };
      await sql("update geo.sites set secret = 'other' where id = $1", [address.split("/").pop()]);
      assert.equal((await send("PATCH", address, { as: "clerk", body: { name: "x1" }, headers: ifMatch })).status, 204);
      assert.equal((await send("PATCH", address, { as: "clerk", body: { name: "x2" }, headers: ifMatch })).status, 412);
    });
  });

  describe("bodies", () => {
    it("must have a media type that a form of another site cannot send", async () => {
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/json; charset=latin1",
      ]) {
        const headers = { "content-type": type };
        refused(await send("POST", ITEMS, { body: site(), headers }), 415, "UNSUPPORTED_MEDIA_TYPE", /geo\+json/);
        refused(await send("PATCH", `${ITEMS}/1`, { body: {}, headers }), 415, "UNSUPPORTED_MEDIA_TYPE", /merge-patch/);
      }
      const headers = { "content-type": "application/json; charset=UTF-8" };
      assert.equal((await send("POST", ITEMS, { body: site(), headers })).status, 201);
    });

    it("over ogc.maxBodyBytes are 413, however they are sent", async () => {
      const body = JSON.stringify(site({ state: "x".repeat(2_000_000) }));
      refused(await send("POST", ITEMS, { body }), 413, "TOO_LARGE", /2000000/);
    });

    it("of 200 MB are 413 before they have arrived, with a length and without, and take no memory", async () => {
      const authorization = `Bearer ${await gateway.token("editor")}`;
      const piece = Buffer.alloc(1_000_000, "x");
      const before = process.memoryUsage().rss;
      for (const length of [{ "content-length": "200000000" }, {}]) {
        let sent = 0;
        const status = await new Promise<number | undefined>((resolve, reject) => {
          const headers = { authorization, "content-type": "application/geo+json", ...length };
          const sending = request(gateway.root + ITEMS, { method: "POST", headers });
          // the connection may end after the answer, while the rest is being sent
          sending.on("error", (error) => void setImmediate(reject, error));
          sending.on("response", (response) => {
            resolve(response.statusCode);
            response.resume();
            sending.destroy();
          });
          const more = (): void => {
            while (sent < 200 && !sending.destroyed) {
              sent++;
              if (!sending.write(piece)) return void sending.once("drain", more);
            }
          };
          more();
        });
        assert.equal(status, 413);
        assert.ok(sent < 200, "the answer comes before the end of the body");
      }
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < 60_000_000, `${grown} bytes more`);
      assert.equal((await send("POST", ITEMS, { body: site() })).status, 201);
    });

    it("that are not UTF-8 or not JSON, are nested too deeply or have a member twice are 400", async () => {
      const cases: readonly [string, RegExp][] = [
        ["", /not valid JSON/],
        ["[]", /must be a GeoJSON feature/],
        ["{", /not valid JSON/],
        [`{"type":"Feature","geometry":null,"properties":{"name":"a","name":"b"}}`, /the member "name" twice/],
        [`{"type":"Feature","geometry":null,"properties":{"name":"a","more":[{"x\\"":1,"x\\u0022":2}]}}`, /twice/],
        [
          `{"type":"Feature","geometry":null,"properties":{"name":"a","more":${"[".repeat(500)}${"]".repeat(500)}}}`,
          /deep/,
        ],
        [`{"type":"Feature","geometry":null,"properties":{"name":"\\ud800"}}`, /Unicode/],
        [`{"type":"Feature","geometry":null,"properties":[]}`, /properties/],
        [`{"type":"Feature","geometry":null,"properties":{"name":"a","__proto__":1}}`, /no property "__proto__"/],
        [`{"type":"FeatureCollection","features":{}}`, /features: must be a list/],
        [`{"type":"FeatureCollection","features":[null]}`, /^features\[0\]/],
        [`{"type":"Feature","geometry":null,"properties":{"name":"a","nothing":1}}`, /no property "nothing"/],
        [`{"type":"Feature","geometry":null,"properties":{"name":"a","geom":null}}`, /no property "geom"/],
      ];
      for (const [body, message] of cases)
        refused(
          await send("POST", ITEMS, { body, headers: { "content-type": "application/geo+json" } }),
          400,
          "BAD_USER_INPUT",
          message,
        );
      // its letters would be stored as the replacement character
      const latin1 = Buffer.from(JSON.stringify(site({ name: "Straße" })), "latin1");
      for (const [coding, body] of Object.entries({ identity: latin1, gzip: gzipSync(latin1) }))
        refused(
          await send("POST", ITEMS, {
            body,
            headers: { "content-type": "application/geo+json", "content-encoding": coding },
          }),
          400,
          "BAD_USER_INPUT",
          /not UTF-8/,
        );
      const names = `{"type":"Feature","geometry":null,"properties":{"name":"a \\\\\\" : {","more":{"a":{"b":1},"b":{"b":1}}}}`;
      assert.equal((await send("POST", ITEMS, { body: names })).status, 201);
    });

    it("of collections are accepted in any notation, and refused as a whole if any part is not JSON", async () => {
      const names = ['a "}]" of \\', "{[,:]}", "\\\\", "features"].map((name) => `${name} ${++count}`);
      const [one, two, three, four] = names.map((name) =>
        JSON.stringify(site({ name, more: { features: [{ name }] } })),
      );
      const list = `[ ${one} ,\n\t${two!.replaceAll('"name"', '"na\\u006de"')}\r\n,${three},${four} ]`;
      const body = ` {"note":{"features":[{"a":"}]"}]},"b":["features"],"features" :\n${list}, "type":"FeatureCollection"}\n`;
      const headers = { "content-type": "application/geo+json" };
      const { status, json } = await send("POST", ITEMS, { body, headers });
      assert.equal(status, 201);
      const ids = json.features.map(({ id }: Json) => id);
      const rows = await sql("select name, more from geo.sites where id = any($1) order by array_position($1, id)", [
        ids,
      ]);
      assert.deepEqual(rows, names.map((name) => ({ name, more: { features: [{ name }] } }))); // oxfmt-ignore

      const [{ before }] = await sql("select count(*)::int as before from geo.sites");
      const good = JSON.stringify(site());
      const nested = (levels: number): string =>
        JSON.stringify(site({ more: 0 })).replace('"more":0', `"more":${"[".repeat(levels)}${"]".repeat(levels)}`);
      for (const [features, message] of [
        [`[${good},]`, /not valid JSON/],
        [`[,${good}]`, /not valid JSON/],
        [`[${good},,${good}]`, /not valid JSON/],
        [`[${good} ${good}]`, /not valid JSON/],
        [`[${good}\u00a0]`, /not valid JSON/],
        [`[${good},{"type":"Feature"]`, /not valid JSON/],
        [`[${good},{"type":"Feature","a":[1}]`, /not valid JSON/],
        [`[${good},{"type":"Fea]`, /not valid JSON/],
        [`[${good}`, /not valid JSON/],
        [`[${good}]]`, /not valid JSON/],
        [`[${good}]}`, /not valid JSON/],
        [`[],"features":[${good}]`, /the member "features" twice/],
        [
          `[${good},{"type":"Feature","geometry":null,"properties":{"name":"a","name":"b"}}]`,
          /the member "name" twice/,
        ],
        [`[${good},${nested(97)}]`, /more than 100 levels deep/],
        [`[${good},[]]`, /^features\[1\]: must be a GeoJSON feature/],
      ] as const) {
        const text = `{"type":"FeatureCollection","features":${features}}`;
        refused(await send("POST", ITEMS, { body: text, headers }), 400, "BAD_USER_INPUT", message);
      }
      assert.deepEqual(await sql("select count(*)::int as before from geo.sites"), [{ before }]);
      const deepest = `{"type":"FeatureCollection","features":[${nested(96)}]}`;
      assert.equal((await send("POST", ITEMS, { body: deepest, headers })).status, 201);
    });

    it("are read and refused the same way when parameters are wrong", async () => {
      refused(await send("POST", `${ITEMS}?nonsense=1`, { body: site() }), 400, "UNKNOWN_PARAMETER", /nonsense/);
    });
  });

  describe("the right to write", () => {
    const allow = async (path: string, as: string): Promise<string> => {
      const { status, headers } = await send("OPTIONS", path, { as });
      assert.equal(status, 200);
      assert.equal(headers.get("accept-post") !== null, headers.get("allow")!.includes("POST"));
      assert.equal(headers.get("accept-patch") !== null, headers.get("allow")!.includes("PATCH"));
      return headers.get("allow")!;
    };

    it("OPTIONS lists what this caller may do, also for unknown ids", async () => {
      assert.equal(await allow(ITEMS, "editor"), "GET, HEAD, POST, OPTIONS");
      assert.equal(await allow(`${ITEMS}/any%20text`, "editor"), "GET, HEAD, PUT, PATCH, DELETE, OPTIONS");
      assert.equal(await allow(`${ITEMS}/1`, "clerk"), "GET, HEAD, PUT, PATCH, OPTIONS");
      assert.equal(await allow(ITEMS, "reader"), "GET, HEAD, OPTIONS");
      assert.equal(await allow("/collections/geo.keyless/items", "editor"), "GET, HEAD, OPTIONS");
      assert.equal(await allow("/collections/geo.counted/items", "editor"), "GET, HEAD, OPTIONS");
      assert.equal(await allow("/collections/geo.stored/items", "editor"), "GET, HEAD, OPTIONS");
      assert.equal(await allow("/collections/geo.places/items/1", ""), "GET, HEAD, OPTIONS");
      const { headers } = await send("OPTIONS", ITEMS);
      assert.equal(headers.get("accept-post"), "application/geo+json, application/json");
      assert.match(
        (await send("OPTIONS", `${ITEMS}/1`)).headers.get("accept-patch")!,
        /^application\/merge-patch\+json/,
      );
    });

    it("OPTIONS with an Origin is no preflight request without Access-Control-Request-Method", async () => {
      const headers = { origin: "https://map.example" };
      const asked = await send("OPTIONS", ITEMS, { headers });
      assert.deepEqual([asked.status, asked.headers.get("allow")], [200, "GET, HEAD, POST, OPTIONS"]);
      assert.equal(asked.headers.get("access-control-allow-origin"), "*");
      for (const name of ["ETag", "Location", "Allow", "Accept-Post", "Accept-Patch", "Preference-Applied"])
        assert.ok(asked.headers.get("access-control-expose-headers")!.split(",").includes(name), name);
      const preflight = await send("OPTIONS", `${ITEMS}/1`, {
        as: "",
        headers: {
          ...headers,
          "access-control-request-method": "PUT",
          "access-control-request-headers": "if-match,prefer,content-crs,content-type",
        },
      });
      assert.equal(preflight.status, 204);
      assert.match(preflight.headers.get("access-control-allow-methods")!, /PUT/);
      assert.match(preflight.headers.get("access-control-allow-headers")!, /if-match.*content-crs/);
    });

    it("is refused to callers without a sign-in or a right", async () => {
      const path = "/collections/geo.places/items";
      const point = { type: "Feature", geometry: null, properties: { name: "x" } };
      for (const [method, address] of [
        ["POST", path],
        ["PUT", `${path}/1`],
        ["PATCH", `${path}/1`],
        ["DELETE", `${path}/1`],
      ] as const) {
        const body = method === "DELETE" ? undefined : point;
        const anonymous = await send(method, address, { as: "", body });
        refused(anonymous, 401, "UNAUTHENTICATED", /sign in/);
        assert.match(anonymous.headers.get("www-authenticate")!, /Basic/);
        refused(await send(method, address, { as: "reader", body }), 403, "FORBIDDEN", /may not/);
      }
      refused(
        await send("POST", "/collections/geo.secret/items", { as: "clerk", body: point }),
        403,
        "FORBIDDEN",
        /may not read/,
      );
      refused(
        await send("POST", "/collections/geo.nowhere/items", { body: point }),
        404,
        "COLLECTION_NOT_FOUND",
        /nowhere/,
      );
    });

    it("is 405 for a relation without a key, or that is not a table", async () => {
      for (const table of ["keyless", "counted", "stored"]) {
        const { status, headers } = await send("POST", `/collections/geo.${table}/items`, { body: site() });
        assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD, OPTIONS"], table);
      }
      const { status, headers } = await send("DELETE", ITEMS);
      assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD, POST, OPTIONS"]);
    });

    it("covers a view that PostgreSQL can write, except its computed columns", async () => {
      const path = "/collections/geo.open_sites/items";
      const { status, headers, json } = await send("POST", path, {
        body: site({ size: 5, thrice: 99, id: 700_001 }),
        headers: { prefer: "return=representation" },
      });
      assert.deepEqual([status, json?.properties.thrice], [201, 15]);
      assert.equal((await send("PATCH", headers.get("location")!, { body: { size: 6 } })).status, 204);
      assert.equal((await rowOf("700001")).size, 6);
    });
  });
});
