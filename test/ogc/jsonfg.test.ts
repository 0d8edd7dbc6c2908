import assert from "node:assert/strict";
import { epsg, ogcGateway, type Json, type OgcGateway } from "./support.ts";

const FACES = [
  "((0 0 0, 0 1 0, 1 1 0, 1 0 0, 0 0 0))",
  "((0 0 1, 1 0 1, 1 1 1, 0 1 1, 0 0 1))",
  "((0 0 0, 1 0 0, 1 0 1, 0 0 1, 0 0 0))",
  "((0 1 0, 0 1 1, 1 1 1, 1 1 0, 0 1 0))",
  "((0 0 0, 0 0 1, 0 1 1, 0 1 0, 0 0 0))",
  "((1 0 0, 1 1 0, 1 1 1, 1 0 1, 1 0 0))",
];
const CUBE = `polyhedralsurface z(${FACES.join(", ")})`;

const FIXTURE = `
create table geo.shapes (id int primary key, at timestamptz, name text, geom geometry);
insert into geo.shapes values
  (1, '2024-05-06 07:08:09.123456+02', 'point', 'srid=4326;point(8.5 49.5)'),
  (2, null, 'arc', 'srid=4326;circularstring(0 0, 1 1, 2 0)'),
  (3, 'infinity', 'curve', 'srid=4326;compoundcurve(circularstring(0 0, 1 1, 2 0), (2 0, 3 0))'),
  (4, null, 'area', 'srid=4326;curvepolygon(circularstring(0 0, 2 0, 2 1, 2 3, 0 0), (0.5 0.5, 1 0.5, 1 1, 0.5 0.5))'),
  (5, null, 'cube', 'srid=4326;${CUBE}'),
  (6, null, 'open', 'srid=4326;polyhedralsurface z(${FACES[0]}, ${FACES[1]})'),
  (7, null, 'tin', 'srid=4326;tin z(((0 0 0, 0 0 1, 0 1 0, 0 0 0)), ((0 0 0, 0 1 0, 1 1 0, 0 0 0)))'),
  (8, null, 'measured', 'srid=4326;linestring m(0 0 1, 1 1 2)'),
  (9, null, 'surfaces', 'srid=4326;multisurface(((0 0, 1 0, 1 1, 0 0)))'),
  (10, null, 'infinite', st_setsrid(st_makepointm('Infinity', 0, 1), 4326)),
  (11, null, 'none', null),
  (12, null, 'empty', 'srid=4326;curvepolygon empty');
create table geo.days (id int primary key, day date, geom geometry(Point, 25832));
insert into geo.days values (1, '2024-05-06', 'srid=25832;point(500000.25 5500000)');
create table geo.north (id int primary key, geom geometry(Point, 3035));
insert into geo.north values (1, 'srid=3035;point(4321000 3210000)');
select portolan.set_authentication(r::regclass, 'None') from unnest(array['geo.shapes', 'geo.days', 'geo.north']) r`;

const CONF = "http://www.opengis.net/spec/json-fg-1/1.0/conf/";

describe("features as JSON-FG", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({
      config: { ogc: { crs: [25832, 3035] } },
      prepare: ({ client }) => client.query(FIXTURE),
    });
  });
  after(() => gateway.close());

  const get = async (path: string): Promise<Json> => {
    const { status, json, text } = await gateway.get(path);
    assert.equal(status, 200, text);
    return json;
  };

  it("have arcs, surfaces, solids and measures as their place, and GeoJSON's geometries as their geometry", async () => {
    const page = await get("/collections/geo.shapes/items?f=jsonfg&limit=100&sortby=id");
    assert.deepEqual(
      page.conformsTo,
      ["core", "types-schemas", "polyhedra", "circular-arcs", "measures"].map((name) => CONF + name),
    );
    assert.deepEqual([page.featureType, page.coordRefSys, page.numberReturned], ["shapes", undefined, 12]);
    const byName = new Map<string, Json>(page.features.map((feature: Json) => [feature.properties.name, feature]));
    const place = (name: string): Json => {
      const { place: own, geometry } = byName.get(name)!;
      assert.equal(geometry, null, name);
      return own;
    };
    assert.deepEqual(byName.get("point"), {
      ...{ type: "Feature", id: 1, time: { timestamp: "2024-05-06T05:08:09.123456Z" }, place: null },
      geometry: { type: "Point", coordinates: [8.5, 49.5] },
      properties: { id: 1, at: "2024-05-06T05:08:09.123456+00:00", name: "point" },
    });
    assert.equal(byName.get("curve").time, null);
    const arc = { type: "CircularString", coordinates: [[0, 0], [1, 1], [2, 0]] }; // oxfmt-ignore
    const line = { type: "LineString", coordinates: [[2, 0], [3, 0]] }; // oxfmt-ignore
    assert.deepEqual(place("arc"), arc);
    assert.deepEqual(place("curve"), { type: "CompoundCurve", geometries: [arc, line] });
    assert.deepEqual(
      [place("area").type, place("area").geometries.map(({ type }: Json) => type)],
      ["CurvePolygon", ["CircularString", "LineString"]],
    );
    const cube = place("cube");
    assert.deepEqual([cube.type, cube.coordinates.length, cube.coordinates[0].length], ["Polyhedron", 1, 6]);
    assert.deepEqual(cube.coordinates[0][0][0][1], [0, 1, 0]);
    const { open, tin } = Object.fromEntries(byName);
    assert.deepEqual([open.place, open.geometry.type, open.geometry.coordinates.length], [null, "MultiPolygon", 2]);
    assert.deepEqual([tin.place, tin.geometry.type, tin.geometry.coordinates[0][0].length], [null, "MultiPolygon", 4]);
    assert.deepEqual(place("measured"), {
      type: "LineString",
      coordinates: [[0, 0, 1], [1, 1, 2]], // oxfmt-ignore
      measures: { enabled: true },
    });
    assert.equal(place("surfaces").geometries[0].type, "Polygon");
    for (const name of ["none", "empty", "infinite"])
      assert.deepEqual([byName.get(name).place, byName.get(name).geometry], [null, null], name);
    assert.match(byName.get("infinite").problem, /cannot be given/);
    assert.deepEqual(page.problems.map(({ id }: Json) => id), ["10"]); // oxfmt-ignore
    const one = await get("/collections/geo.shapes/items/5?f=jsonfg");
    assert.deepEqual(one.place, cube);
    assert.equal(one.conformsTo[0], `${CONF}core`);
    assert.deepEqual([one.featureType, one.type], ["shapes", "Feature"]);
  });

  it("are in any system, in the order of its registry", async () => {
    const own = await get(`/collections/geo.days/items?f=jsonfg&crs=${epsg(25832)}`);
    assert.deepEqual([own.coordRefSys, own.geometryDimension], [epsg(25832), 0]);
    const [feature] = own.features as Json[];
    assert.deepEqual(
      [feature.place, feature.geometry, feature.time],
      [{ type: "Point", coordinates: [500000.25, 5500000] }, null, { date: "2024-05-06" }],
    );
    const [flipped] = (await get(`/collections/geo.days/items?f=jsonfg&crs=${epsg(4326)}&precision=1`)).features;
    assert.deepEqual(flipped.place.coordinates, [49.7, 9]);
    for (const path of ["items", "items/1"]) {
      const { status, json } = await gateway.get(`/collections/geo.north/${path}?f=jsonfg&crs=${epsg(3035)}`);
      assert.deepEqual([status, json.code], [400, "INVALID_CRS"]);
      assert.match(json.message, /ogc\.axisOrder/);
    }
  });

  it("are named by f and by Accept, by conformance and by a link to the profile, and come without features too", async () => {
    const { headers, json } = await gateway.get("/collections/geo.days/items", {
      headers: { accept: "application/fg+json" },
    });
    assert.equal(headers.get("content-type")?.split(";")[0], "application/vnd.ogc.fg+json");
    assert.ok(json.links.some(({ rel, href }: Json) => rel === "profile" && href.endsWith("/profile/OGC/0/jsonfg")));
    assert.ok((await get("/conformance")).conformsTo.includes(`${CONF}circular-arcs`));
    const none = await get("/collections/geo.nothing/items?f=jsonfg");
    assert.deepEqual([none.features, none.numberMatched], [[], 0]);
  });

  it("rows of a table have the same geometries", async () => {
    const rows = async (query: string): Promise<Json> => {
      const url = `${gateway.baseUrl}/api/v4/schemas/geo/tables/${query}`;
      const response = await fetch(url, { headers: { Authorization: `Bearer ${await gateway.token("captain")}` } });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return JSON.parse(text);
    };
    const { features } = await get("/collections/geo.shapes/items?f=jsonfg&limit=100&sortby=id");
    const document = await rows("shapes/rows?format=jsonfg");
    assert.deepEqual(
      document.features.map(({ place, geometry }: Json) => [place, geometry]),
      features.map(({ place, geometry }: Json) => [place, geometry]),
    );
    const other = await rows("north/rows?format=jsonfg&srs=3035");
    assert.deepEqual([other.coordRefSys, other.features[0].place.coordinates], [epsg(3035), [3210000, 4321000]]);
  });
});
