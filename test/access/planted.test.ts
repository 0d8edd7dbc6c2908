/** A role that may create functions in the schema of PostGIS, and so decides what some calls of PostGIS mean. */
import assert from "node:assert/strict";
import { Notes, targetsIn, trapFunctions, wrongIn } from "../traps/notes.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const PLANTER = "planter_of_postgis";
/** Each suits a call better than the function of PostGIS with another number of arguments, or other types. */
const PLANTED = [
  ["st_xmin(public.geometry)", "float8"],
  ["st_xmin(public.box2d)", "float8"],
  ["st_asmvtgeom(public.geometry, public.geometry, integer, integer, boolean)", "public.geometry"],
  ["st_asmvtgeom(public.geometry, public.box2d, integer, integer)", "public.geometry"],
  ["st_makeenvelope(integer, integer, integer, integer, integer)", "public.geometry"],
  ["st_makeenvelope(numeric, numeric, numeric, numeric, integer)", "public.geometry"],
  ["st_intersects(public.geometry, text)", "boolean"],
  ["st_dwithin(public.geometry, public.geometry, integer)", "boolean"],
  ["st_force2d(public.geometry, text default '')", "public.geometry"],
] as const;

describe("a function that somebody plants in the schema of PostGIS", () => {
  let gateway: TestGateway;
  let notes: Notes;

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["ours"] },
      prepare: async (database) => {
        const planted = PLANTED.map(
          ([head, result]) => `create function public.${head} returns ${result} language plpgsql immutable as
$$ begin perform app.trap('planted'); return null; end $$`,
        );
        await database.client.query(`
create role ${PLANTER} login;
grant create on schema public to ${PLANTER};
create schema app authorization ${PLANTER};
create schema ours;
create table ours.spots (id int primary key, name text, geom geometry(Point, 4326));
insert into ours.spots select i, 'a', st_point(i, i, 4326) from generate_series(1, 9) i;
grant usage on schema ours to public;
grant select on ours.spots to public;
set session authorization ${PLANTER};
grant usage on schema app to public;
${trapFunctions("app", targetsIn(database, PLANTER))}
${planted.join(";\n")};
reset session authorization;
select portolan.create_user('eve', null);`);
      },
    });
    notes = await Notes.open();
  });
  after(async () => {
    notes?.close();
    await gateway?.close();
  });

  it("runs as the account that calls it, and becomes nobody", async () => {
    const { name } = gateway.database;
    const token = await gateway.token("eve");
    const spots = `/api/v4/ogc/database/${name}/collections/ours.spots`;
    const get = async (path: string): Promise<void> => {
      const { status } = await fetch(gateway.baseUrl + path, { headers: { Authorization: `Bearer ${token}` } });
      assert.ok(status < 500, `${path}: ${status}`);
    };
    for (const path of [
      spots,
      `${spots}/items?bbox=0,0,5,5`,
      `${spots}/items?filter=s_dwithin(geom,point(1%201),5)`,
      `${spots}/tiles/WebMercatorQuad/0/0/0`,
      `${spots}/map?width=32&height=32&bbox=0,0,9,9`,
      "/api/v4/schemas/ours/tables/spots/rows?format=geojson",
    ])
      await get(path);
    await gateway.graphql("eve", "ours", "{ extentSpots { geom } getSpots { id geom } }");
    const sprung = notes.take();
    assert.ok(sprung.length > 0, "it is called");
    const { rows } = await gateway.database.client.query<{ role: string }>(
      "select rolname as role from pg_roles where pg_has_role($1, oid, 'member')",
      [`eve@${name}`],
    );
    const of = { login: `eve@${name}`, author: PLANTER, roles: rows.map(({ role }) => role) };
    assert.deepEqual(
      sprung.flatMap((note) => wrongIn(note, of) ?? []),
      [],
    );
  });

  it("is named as the reason", async () => {
    const { rows } = await gateway.database.client.query(
      "select owner, via from portolan.code_owners('ours.spots') where owner = $1",
      [PLANTER],
    );
    assert.ok(rows.length > 0);
  });
});
