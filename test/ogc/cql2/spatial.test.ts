/** Spatial conditions over features of every kind, with geometries that cannot be compared with some of them. */
import assert from "node:assert/strict";
import { sized } from "../../support/size.ts";
import { ogcGateway, type Json, type OgcGateway } from "../support.ts";

const COLLECTIONS = [
  ...["kinds", "mixed", "sphere", "overlapping"],
  ...sized([], ["bad", "utm", "etrs", "two", "fiji", "keyless", "composite", "seen", "stored", "places"]),
];
const EARTH = "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))";
/** Two polygons, one in the other. */
const OVERLAPPING = "MULTIPOLYGON(((0 0,20 0,20 20,0 0)),((0 0,10 0,10 10,0 0)))";
const GEOMETRIES = [
  ...["geom", "BBOX(170,-20,-170,10)", EARTH, OVERLAPPING, "buffer(POINT(0 89.99),1e6)"],
  ...sized(
    [],
    [
      ...["POINT(1 1)", "POINT Z(1 1 5)", "POINT(180 90)", "LINESTRING(0 0,5 5)", "LINESTRING(1 1,1 1)"],
      ...["POLYGON((0 0,10 0,10 10,0 10,0 0))", "POLYGON((0 0,5 5,5 0,0 5,0 0))", "POLYGON((0 0,0 0,0 0,0 0))"],
      ...["MULTIPOINT((1 1),(2 2))", "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(1 2,3 4))", "BBOX(-180,-90,180,90)"],
      ...["buffer(geom,1000)", "buffer(geom,-1000)", "centroid(geom)", "centroid(buffer(geom,1))"],
    ],
  ),
];
const CONDITIONS = [
  ...["S_INTERSECTS(geom,G)", "S_DISJOINT(geom,G)", "S_WITHIN(geom,G)", "S_CONTAINS(geom,G)", "S_EQUALS(geom,G)"],
  ...["S_TOUCHES(geom,G)", "S_CROSSES(geom,G)", "S_OVERLAPS(geom,G)", "dwithin(geom,G,1000)", "distance(geom,G)<1000"],
];
/** Geometries for which PostGIS always has an answer, and those for which it never has. */
const ANSWERED = ["S_INTERSECTS(geom,BBOX(170,-20,-170,10))", "S_CONTAINS(geom,BBOX(170,-20,-170,10))"];
const REFUSED = [`dwithin(geom,${EARTH},1000)`, `S_OVERLAPS(geom,${OVERLAPPING})`];

describe("spatial conditions", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) =>
        client.query(`create table geo.overlapping (id int primary key, geom geometry(MultiPolygon, 4326));
insert into geo.overlapping values (1, 'srid=4326;${OVERLAPPING}'), (2, null), (3, 'srid=4326;multipolygon empty');
select portolan.set_authentication('geo.overlapping', 'None')`),
    });
  });
  after(() => gateway.close());

  async function statusOf(collection: string, path: string, filter: string): Promise<number> {
    const response = await fetch(
      `${gateway.root}/collections/geo.${collection}/${path}&filter=${encodeURIComponent(filter)}`,
    );
    const body = Buffer.from(await response.arrayBuffer()).toString();
    const { status } = response;
    assert.ok([200, 204, 400].includes(status), `${collection} ${path} ${filter}: ${status} ${body}`);
    if (status === 400) assert.equal((JSON.parse(body) as Json).code, "INVALID_PARAMETER", filter);
    return status;
  }

  for (const collection of COLLECTIONS)
    it(`over ${collection} are answered, or 400 with the reason`, async () => {
      for (const path of ["items?limit=100", "tiles/WebMercatorQuad/0/0/0?f=mvt"])
        await Promise.all(
          GEOMETRIES.map(async (geometry) => {
            for (const condition of CONDITIONS) await statusOf(collection, path, condition.replace("G", geometry));
          }),
        );
    });

  it("are refused as undecidable for an edge halfway round the earth, and for a shape that crosses itself", async () => {
    for (const filter of REFUSED) assert.equal(await statusOf("overlapping", "items?limit=1", filter), 400, filter);
    for (const filter of ANSWERED) assert.equal(await statusOf("fiji", "items?limit=1", filter), 200, filter);
  });
});
