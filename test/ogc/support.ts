/** A gateway over every kind of geometry, and requests whose answers are compared with its own OpenAPI document. */
import assert from "node:assert/strict";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { testGateway, type TestGateway, type TestGatewayOptions } from "../support/gateway.ts";

export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
export const epsg = (code: number): string => `http://www.opengis.net/def/crs/EPSG/0/${code}`;

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into without types
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

export interface Asked {
  /** The account of a Bearer token. Default: anonymous. */
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
}

export interface OgcGateway extends TestGateway {
  /** `{base_url}/api/v4/ogc/database/{database}`. */
  readonly root: string;
  /** `path`: below the root, or a whole address. Checks the answer against the OpenAPI document of the service. */
  get(path: string, asked?: Asked): Promise<Answer>;
}

/** Tables with geometries of every kind in schema `geo`; `anonymous` may read all but `geo.secret`. */
const FIXTURE = `
create schema geo;

create table geo.kinds (id int primary key, kind text not null, geom geometry);
comment on table geo.kinds is E'@title Kinds of geometry\\nOne of each.';
insert into geo.kinds values
  (1, 'point', 'srid=4326;point(9.5 50.25)'),
  (2, 'linestring', 'srid=4326;linestring(9 50, 10 51)'),
  (3, 'polygon with a hole', 'srid=4326;polygon((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 2 4, 4 4, 4 2, 2 2))'),
  (4, 'multipoint', 'srid=4326;multipoint((1 1), (2 2))'),
  (5, 'multilinestring', 'srid=4326;multilinestring((0 0, 1 1), (2 2, 3 3))'),
  (6, 'multipolygon', 'srid=4326;multipolygon(((20 20, 21 20, 21 21, 20 20)), ((30 30, 31 30, 31 31, 30 30)))'),
  (7, 'collection', 'srid=4326;geometrycollection(point(1 2), linestring(1 2, 3 4))'),
  (8, 'point z', 'srid=4326;point z(5 6 700)'),
  (9, 'point m', 'srid=4326;point m(5 7 9)'),
  (10, 'point zm', 'srid=4326;point zm(5 8 70 9)'),
  (11, 'null', null),
  (12, 'empty', 'srid=4326;multipolygon empty'),
  (13, 'circularstring', 'srid=4326;circularstring(40 40, 41 41, 42 40)'),
  (14, 'curvepolygon', 'srid=4326;curvepolygon(circularstring(50 50, 51 51, 52 50, 51 49, 50 50))'),
  (15, 'invalid polygon', 'srid=4326;polygon((60 60, 62 62, 62 60, 60 62, 60 60))'),
  (16, 'polyhedralsurface', 'srid=4326;polyhedralsurface(((70 0 0, 71 0 0, 70 1 0, 70 0 0)))'),
  (17, 'tin', 'srid=4326;tin(((70 5 0, 71 5 0, 70 6 0, 70 5 0)))'),
  (18, 'north pole', 'srid=4326;point(0 90)'),
  (19, 'south pole', 'srid=4326;point(0 -90)');

-- the same place, a little west of Heidelberg, in five systems
create table geo.lonlat (id int primary key, geom geometry(Point, 4326));
create table geo.etrs (id int primary key, geom geometry(Point, 4258));
create table geo.utm (id int primary key, geom geometry(Point, 25832));
create table geo.mercator (id int primary key, geom geometry(Point, 3857));
create table geo.sphere (id int primary key, geom geography(Point, 4326));
insert into geo.lonlat values (1, 'srid=4326;point(8.6 49.4)');
insert into geo.etrs select id, st_transform(geom, 4258) from geo.lonlat;
insert into geo.utm select id, st_transform(geom, 25832) from geo.lonlat;
insert into geo.mercator select id, st_transform(geom, 3857) from geo.lonlat;
insert into geo.sphere select id, geom::geography from geo.lonlat;

create table geo.nothing (id int primary key, geom geometry(Point, 4326));
create table geo.fiji (id int primary key, name text, geom geometry(MultiPolygon, 4326));
create index on geo.fiji using gist (geom);
insert into geo.fiji values
  (1, 'Fiji', 'srid=4326;multipolygon(((177 -19, 180 -19, 180 -16, 177 -16, 177 -19)), ((-180 -19, -179 -19, -179 -16, -180 -16, -180 -19)))'),
  (2, 'Elsewhere', 'srid=4326;multipolygon(((0 0, 1 0, 1 1, 0 1, 0 0)))');

create table geo.places (
  id int generated always as identity primary key,
  name text not null, kind text, size int, price numeric, opened date, open boolean, ref uuid, hidden text default 'x',
  geom geometry(Point, 4326));
create index on geo.places using gist (geom);
comment on column geo.places.name is E'@filterable\\nWhat it is called.';
comment on column geo.places.kind is '@filterable';
comment on column geo.places.size is '@filterable';
comment on column geo.places.opened is '@filterable';
comment on column geo.places.open is '@filterable';
insert into geo.places (name, kind, size, price, opened, open, geom)
select 'place ' || i, case i % 3 when 0 then 'inn' else 'mill' end, i, i + 0.5, date '2020-01-01' + i, i % 2 = 0,
  st_setsrid(st_makepoint(i % 10, i / 10), 4326)
from generate_series(1, 95) i;

create table geo.secret (id int primary key, geom geometry(Point, 4326));
insert into geo.secret values (1, 'srid=4326;point(1 1)');

create table geo.composite (a int, b text, geom geometry(Point, 4326), primary key (a, b));
insert into geo.composite values (1, 'x/y', 'srid=4326;point(1 1)'), (1, 'é,%', 'srid=4326;point(2 2)'), (2, '', 'srid=4326;point(3 3)');

create table geo.two (id int primary key, geom geometry(Point, 4326), "shape.of" geometry(Polygon, 25832));
insert into geo.two values (1, 'srid=4326;point(1 1)', st_transform('srid=4326;polygon((8 49, 9 49, 9 50, 8 49))'::geometry, 25832));

create table geo.keyless (name text, geom geometry(Point, 4326));
insert into geo.keyless select 'row ' || i, st_setsrid(st_makepoint(i, i), 4326) from generate_series(1, 25) i;

create view geo.seen as select id, name, geom from geo.places where size <= 20;
comment on view geo.seen is E'@primaryKey id\\n@title Seen places';
create materialized view geo.stored as select id, geom from geo.lonlat;
comment on materialized view geo.stored is '@primaryKey id';
create view geo.mixed as
  select 1 as id, 'srid=4326;point(8.6 49.4)'::geometry as geom
  union all select 2, st_transform('srid=4326;point(8.6 49.4)'::geometry, 25832)
  union all select 3, 'point(8.6 49.4)'::geometry;
comment on view geo.mixed is '@primaryKey id';
create table geo.bad (id int primary key, geom geometry(Point, 4326));
insert into geo.bad values
  (1, 'srid=4326;point(1 1)'), (2, 'srid=4326;point(1 95)'), (3, st_setsrid(st_makepoint('NaN', 1), 4326)),
  (4, 'srid=4326;point(4 4)');
create table geo.off (id int primary key, geom geometry(Point, 4326));
comment on table geo.off is '@ogc off';
create table geo."odd.name, %" (id int primary key, geom geometry(Point, 4326));
insert into geo."odd.name, %" values (1, 'srid=4326;point(1 1)');

select portolan.set_authentication(c.oid::regclass, 'None')
from pg_class c
where c.relnamespace = 'geo'::regnamespace and c.relkind in ('r', 'v', 'm') and c.relname <> 'secret';
select portolan.set_privilege('geo.secret', 'guest', 'none');
`;

export async function ogcGateway({ prepare, ...options }: TestGatewayOptions = {}): Promise<OgcGateway> {
  const gateway = await testGateway({
    ...options,
    prepare: async (database) => {
      await database.client.query(FIXTURE);
      await prepare?.(database);
    },
  });
  const root = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}`;
  /** As each account sees it. */
  const documents = new Map<string, Promise<Document>>();

  async function get(path: string, { as, headers = {}, method = "GET", body }: Asked = {}): Promise<Answer> {
    const address = path.startsWith("http") ? path : root + path;
    const response = await fetch(address, {
      method,
      redirect: "manual",
      ...(body !== undefined && { body }),
      headers: { ...headers, ...(as && { authorization: `Bearer ${await gateway.token(as)}` }) },
    });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const json: Json = /[/+]json(?!-seq)/.test(type) && text !== "" ? JSON.parse(text) : undefined;
    if (json !== undefined && method === "GET" && address.startsWith(root)) {
      const account = as ?? "anonymous";
      const document = documents.get(account) ?? Document.load(root, as && (await gateway.token(as)));
      documents.set(account, document);
      (await document).check(new URL(address).pathname.slice(new URL(root).pathname.length) || "/", response, json);
    }
    return { status: response.status, headers: response.headers, text, json };
  }
  return { ...gateway, root, get };
}

/** The OpenAPI document as a check of every answer. */
class Document {
  readonly #document: Json;
  readonly #ajv = formats.default(new Ajv({ strict: false, allErrors: true }), { mode: "fast" });
  readonly #validators = new Map<string, ValidateFunction>();

  private constructor(document: Json) {
    this.#document = withoutNullable(document);
  }

  static async load(root: string, token: string | undefined): Promise<Document> {
    const response = await fetch(`${root}/api?f=json`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
    assert.equal(response.status, 200);
    return new Document(await response.json());
  }

  check(path: string, response: Response, body: Json): void {
    const [template, operation] = this.#find(path);
    if (!operation) return assert.equal(response.status, 404, `${path} is not in the document`);
    let answer = operation.get.responses[response.status];
    assert.ok(answer, `${template} says nothing of ${response.status}`);
    if (answer.$ref) answer = this.#document.components.responses[answer.$ref.split("/").pop()];
    const type = (response.headers.get("content-type") ?? "").replace(/; *charset=utf-8$/, "");
    const content = answer.content[type];
    assert.ok(content, `${template}: ${type} is not one of ${Object.keys(answer.content).join()}`);
    const validate = this.#validatorOf(content.schema);
    assert.ok(validate(body), `${path}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
  }

  #find(path: string): [string, Json] {
    const known = Object.keys(this.#document.paths);
    const fits = (template: string): boolean =>
      new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
    const template = known.filter(fits).sort((a, b) => a.split("{").length - b.split("{").length)[0] ?? "";
    return [template, this.#document.paths[template]];
  }

  #validatorOf(schema: Json): ValidateFunction {
    const key = JSON.stringify(schema);
    let validator = this.#validators.get(key);
    if (!validator) {
      validator = this.#ajv.compile({ allOf: [schema], components: this.#document.components } as object);
      this.#validators.set(key, validator);
    }
    return validator;
  }
}

/** OpenAPI 3.0's `nullable` as JSON Schema. */
function withoutNullable(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNullable);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name, withoutNullable(member)]),
  );
  return nullable === true ? { anyOf: [{ type: "null" }, rest] } : rest;
}

/** The address of a link, by its relation. */
export function hrefOf(links: readonly { rel: string; href: string; type: string }[], rel: string): string {
  const found = links.find((link) => link.rel === rel);
  assert.ok(found, `there is no link ${rel}`);
  return found.href;
}

export const idsOf = (answer: Answer): (string | number)[] => answer.json.features.map(({ id }: Json) => id);
