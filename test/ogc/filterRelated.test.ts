/** Filters of the OGC API by columns of related tables, and by trigrams. */
import assert from "node:assert/strict";
import { idsOf, ogcGateway, type Answer, type Json, type OgcGateway } from "./support.ts";

const encode = encodeURIComponent;

const TABLES = `
create table geo.kinds_of_site (code text primary key, label text, cost int, hidden text);
comment on column geo.kinds_of_site.hidden is '@filterable off';
insert into geo.kinds_of_site values ('m', 'mill', 10, 'x'), ('i', 'inn', 20, 'x');
create table geo.towns (id int primary key, name text, geom geometry(Point, 4326));
insert into geo.towns values (1, 'Ulm', 'srid=4326;point(10 48.4)'), (2, 'Basel', 'srid=4326;point(7.6 47.5)');
create table geo.sites (
  id int primary key, name text, kind text references geo.kinds_of_site, town int references geo.towns,
  former_town int constraint former references geo.towns, geom geometry(Point, 4326));
insert into geo.sites values
  (1, 'Old mill', 'm', 1, 2, 'srid=4326;point(10 48)'),
  (2, 'Lion inn', 'i', 1, null, 'srid=4326;point(10 49)'),
  (3, 'New mill', 'm', 2, 1, 'srid=4326;point(8 47)'),
  (4, 'Nothing', null, null, null, 'srid=4326;point(0 0)');
create table geo.visits (site int references geo.sites, year int);
insert into geo.visits values (1, 2020), (1, 2021), (3, 2021);
create table geo.off_notes (site int references geo.sites, note text);
comment on table geo.off_notes is '@ogc off';
insert into geo.off_notes values (1, 'x');
create table geo.owners (id int primary key, name text);
create table geo.stalls (
  id int primary key, site int references geo.sites, owner int references geo.owners, geom geometry(Point, 4326));
insert into geo.owners values (1, 'Ida');
insert into geo.stalls values (1, 1, 1, 'srid=4326;point(1 1)');
`;

describe("the parameter filter of items by related tables", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({
      prepare: async ({ client, name }) => {
        await client.query(`create extension if not exists pg_trgm; ${TABLES}
grant usage on schema geo to "guest@${name}";
grant select on geo.sites, geo.visits to "guest@${name}";
grant select (id, owner, geom) on geo.stalls to "guest@${name}";
grant select (name) on geo.owners to "guest@${name}";
grant select (code, label) on geo.kinds_of_site to "guest@${name}";
select portolan.set_authentication('geo.sites', 'None')`);
      },
    });
  });
  after(() => gateway.close());

  const find = (filter: string, as = "captain", more = ""): Promise<Answer> =>
    gateway.get(`/collections/geo.sites/items?filter=${encode(filter)}${more}`, { as });
  async function refused(answer: Promise<Answer>, message: RegExp): Promise<void> {
    const { status, json } = await answer;
    assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"], JSON.stringify(json));
    assert.ok(json.position > 0);
    assert.match(json.detail, message);
  }

  it("names their columns in double quotes, in both directions", async () => {
    for (const [filter, ids] of [
      [`"kinds_of_site.label" = 'mill'`, [1, 3]],
      [`"kinds_of_site.cost" > 15 AND name LIKE 'L%'`, [2]],
      [`NOT "kinds_of_site.label" = 'mill'`, [2, 4]],
      [`"visits.year" = 2021`, [1, 3]],
      [`"visits.year" = 2020 OR "kinds_of_site.label" = 'inn'`, [1, 2]],
    ] as const)
      assert.deepEqual(idsOf(await find(filter)), ids, filter);
    const json = { op: "=", args: [{ property: "kinds_of_site.label" }, "inn"] };
    assert.deepEqual(idsOf(await find(JSON.stringify(json), "captain", "&filter-lang=cql2-json")), [2]);
  });

  it("names a table to which two foreign keys lead by the columns too", async () => {
    assert.deepEqual(idsOf(await find(`"towns_by_town.name" = 'Ulm'`)), [1, 2]);
    assert.deepEqual(idsOf(await find(`"towns_by_former_town.name" = 'Ulm'`)), [3]);
    assert.deepEqual(idsOf(await find(`S_INTERSECTS("towns_by_town.geom", BBOX(7,47,8,48))`)), [3]);
    await refused(find(`"towns.name" = 'Ulm'`), /no property "towns.name"/);
  });

  it("finds in a related table only what the caller may read, and treats the rest as missing", async () => {
    assert.deepEqual(idsOf(await find(`"kinds_of_site.label" = 'mill'`, "guest")), [1, 3]);
    for (const name of ["kinds_of_site.cost", "kinds_of_site.nothing", "towns_by_town.name", "kinds_of_site.hidden"])
      await refused(find(`"${name}" = 5`, "guest"), new RegExp(`no property "${name}"`));
    await refused(find(`"off_notes.note" = 'x'`), /no property/);
    const anonymous = gateway.get(`/collections/geo.sites/items?filter=${encode(`"kinds_of_site.label" = 'mill'`)}`);
    await refused(anonymous, /no property/);
  });

  it("knows no table that is joined by a column which the caller may not read, on either side", async () => {
    const stalls = (filter: string, as: string): Promise<Answer> =>
      gateway.get(`/collections/geo.stalls/items?filter=${encode(filter)}`, { as });
    for (const filter of [`"sites.name" = 'Old mill'`, `"owners.name" = 'Ida'`]) {
      assert.deepEqual(idsOf(await stalls(filter, "captain")), [1], filter);
      await refused(stalls(filter, "guest"), /no property/);
    }
  });

  it("is refused if a rule denies the related table", async () => {
    await gateway.database.client.query(
      `insert into portolan.rules (username, schema, "table", access) values ('guest', 'geo', 'visits', 'deny')`,
    );
    const { status, json } = await find(`"visits.year" = 2021`, "guest");
    assert.deepEqual([status, json.code], [403, "FORBIDDEN"]);
    assert.deepEqual(idsOf(await find(`"visits.year" = 2021`)), [1, 3]);
  });

  it("is accepted by maps, and by tiles, and the next tile shows changes of the related table", async () => {
    const parameters = `filter=${encode(`"visits.year" = 2021`)}`;
    const as = { as: "captain" };
    const map = await gateway.get(`/collections/geo.sites/map?${parameters}&width=50&bbox=-1,40,20,60`, as);
    assert.equal(map.status, 200, map.text);
    const tile = async (): Promise<number> =>
      (await gateway.get(`/collections/geo.sites/tiles/WebMercatorQuad/0/0/0?${parameters}`, as)).text.length;
    await gateway.database.client.query("select portolan.enable_events('geo.sites')");
    const before = await tile();
    await gateway.database.client.query("insert into geo.visits values (2, 2021)");
    assert.ok((await tile()) > before);
  });

  it("similar compares by trigrams", async () => {
    assert.deepEqual(idsOf(await find("similar(name, 'old mil')")), [1]);
    const { json } = await gateway.get("/functions");
    assert.ok(json.functions.some(({ name }: Json) => name === "similar"));
    await refused(find("similar(id, 'x')"), /similar does not take/);
  });
});

describe("filters without the extension pg_trgm", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway({
      prepare: ({ client }) => client.query("drop extension if exists pg_trgm cascade"),
    });
  });
  after(() => gateway.close());

  it("similar is refused", async () => {
    const { status, json } = await gateway.get(`/collections/geo.places/items?filter=${encode("similar(name, 'x')")}`);
    assert.deepEqual([status, json.code], [400, "INVALID_PARAMETER"]);
    assert.match(json.detail, /pg_trgm/);
  });
});
