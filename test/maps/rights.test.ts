import assert from "node:assert/strict";
import { mapGateway, type MapGateway } from "./fixture.ts";
import { until } from "../support/events.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { HAS_SECURITY_INVOKER, SECURITY_INVOKER } from "../support/postgres.ts";
import { picture } from "./pixels.ts";

const RED = "#ff0000ff";
const NOTHING = "#00000000";
const BOX = "bbox=10,50,12,52&width=60&height=60";
const ALL = JSON.stringify([{ name: "All", styles: [{ color: "#ff0000" }] }]);

/** One table, whose policies choose rows by role, by a claim, by the address, and by the account's properties. */
const POLICIES = `
alter table gis.squares enable row level security;
create policy by_account on gis.squares using (
  case (portolan.request_context()).name
    when 'guest' then id = 1
    when 'other' then id = 2
    when 'claims' then id = (current_setting('request.jwt.claims')::json -> 'properties' ->> 'square')::integer
    when 'single' then id = current_setting('jwt.claims.square')::integer
    when 'here' then (portolan.request_context()).ip = '127.0.0.1' and (portolan.request_context()).service = 'ogc'
    else false
  end);
select portolan.set_style('gis.squares', '${ALL}');
select portolan.set_style('gis.lines', '[{"name": "All", "styles": [{"color": "#ff0000", "width": 4}]}]');
`;

describe("maps and rights", () => {
  let gateway: MapGateway;
  const quadrants = [
    [15, 45, "SW"],
    [45, 45, "SE"],
    [15, 15, "NW"],
    [45, 15, "NE"],
  ] as const;
  const seen = async (account: string, query = BOX): Promise<string> => {
    const map = await gateway.map(`/collections/gis.squares/map?${query}`, account);
    const drawn = quadrants.filter(([column, row]) => map.at(column, row) === RED);
    for (const [column, row] of quadrants) assert.match(map.at(column, row), new RegExp(`${RED}|${NOTHING}`));
    return drawn.map(([, , name]) => name).join(" ");
  };

  before(async () => {
    gateway = await mapGateway({
      config: { mapWorkers: 2, mapConnections: 4 },
      prepare: async ({ client }) => {
        await client.query(POLICIES);
        for (const [name, properties] of Object.entries({
          claims: { square: 3, note: "with space, 'quotes', \"double\", back\\slash,\nnewline, %map% and [brackets]" },
          single: { square: "4" },
          here: {},
        }))
          await client.query("select portolan.create_user($1, $1, properties => $2)", [name, properties]);
        for (const name of ["guest", "other", "claims", "single", "here"])
          await client.query("select portolan.set_privilege('gis.squares', $1, 'read')", [name]);
        await client.query("select portolan.create_user('nobody', 'nobody')");
        await client.query("select portolan.set_privilege('gis.lines', 'guest', 'read')");
        await client.query("select portolan.set_authentication('gis.points', 'Write')");
        await client.query(`
grant usage on schema gis to "nobody@${(await client.query("select current_database() as name")).rows[0].name}";
revoke select on gis.parks from public;
create table gis.columns (id integer primary key, secret text, geom geometry(Polygon, 4326));
insert into gis.columns values (1, 'x', st_makeenvelope(10, 50, 12, 52, 4326));
create table gis.plain (like gis.columns including all);
insert into gis.plain select * from gis.columns;
grant select (id, geom) on gis.columns, gis.plain to "guest@${(await client.query("select current_database() as name")).rows[0].name}";
select portolan.set_style('gis.columns', '[{"name": "Secret", "where": {"secret": "x"}, "styles": [{"color": "#ff0000"}]}]');
select portolan.set_style('gis.plain', '${ALL}');
create view gis.over_squares ${SECURITY_INVOKER} as select * from gis.squares;
grant select on gis.over_squares to "anonymous@${(await client.query("select current_database() as name")).rows[0].name}";`);
      },
    });
  });
  after(() => gateway.close());

  it("accounts see their own rows of one table", async () => {
    assert.equal(await seen("guest"), "SW");
    assert.equal(await seen("other"), "SE");
  });

  it("policies see claims and properties, whatever they contain, the address and the service", async () => {
    assert.equal(await seen("claims"), "NW");
    assert.equal(await seen("single"), "NE");
    assert.equal(await seen("here"), "SW SE NW NE");
  });

  it("an account without a right gets 403, an anonymous caller 401 with Basic, and a missing collection is 404", async () => {
    const refused = await gateway.ask(`/collections/gis.squares/map?${BOX}`, "nobody");
    assert.equal(refused.status, 403);
    assert.equal((await refused.json()).code, "FORBIDDEN");
    const anonymous = await gateway.ask(`/collections/gis.squares/map?${BOX}`);
    assert.equal(anonymous.status, 401);
    assert.match(anonymous.headers.get("www-authenticate") ?? "", /^Basic /);
    const unknown = await gateway.ask(`/collections/gis.nothing/map?${BOX}`);
    assert.equal(unknown.status, 404);
    assert.equal((await unknown.json()).code, "COLLECTION_NOT_FOUND");
  });

  onlyIf(HAS_SECURITY_INVOKER, "PostgreSQL 15")(
    "a view over what the account may not read is refused as the table is",
    async () => {
      for (const path of ["/collections/gis.over_squares/map?", "/map?collections=gis.points,gis.over_squares&"])
        for (const query of ["width=9", BOX]) {
          assert.equal((await gateway.ask(path + query, "nobody")).status, 403, path + query);
          const anonymous = await gateway.ask(path + query);
          assert.equal(anonymous.status, 401, path + query);
          assert.match(anonymous.headers.get("www-authenticate") ?? "", /^Basic /);
          assert.equal((await gateway.ask(path + query, "guest")).status, 200, path + query);
        }
    },
  );

  it("public layers are drawn for everybody", async () => {
    const response = await gateway.ask(`/collections/gis.points/map?${BOX}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("cache-control"), "no-cache");
  });

  it("one collection without a right refuses the whole map, of several", async () => {
    const path = `/map?collections=gis.lines,gis.squares&${BOX}`;
    assert.equal((await gateway.ask(path, "guest")).status, 200);
    assert.equal((await gateway.ask(path, "other")).status, 403);
    assert.equal((await gateway.ask(path)).status, 401);
  });

  it("a style needs columns that the account may not read: 403, and the map without them is drawn", async () => {
    assert.equal((await gateway.ask(`/collections/gis.columns/map?${BOX}`, "guest")).status, 403);
    assert.equal((await gateway.map(`/collections/gis.plain/map?${BOX}`, "guest")).at(15, 15), RED);
  });

  it("interleaved requests of several accounts through the same workers never mix", async () => {
    const expected = { guest: "SW", other: "SE", claims: "NW", single: "NE", here: "SW SE NW NE" };
    const accounts = Object.keys(expected) as (keyof typeof expected)[];
    const asked = Array.from({ length: 300 }, (_, n) => accounts[(n * 7 + (n >> 3)) % accounts.length]!);
    const answers = await Promise.all(asked.map((account) => seen(account)));
    for (const [n, account] of asked.entries()) assert.equal(answers[n], expected[account], `${account}, ${n}`);
  });

  it("keeps within its budget of database connections", async () => {
    // PostgreSQL takes a moment to notice that a worker ended
    await until(async () => {
      const { rows } = await gateway.client.query(
        "select count(*)::integer as count from pg_stat_activity where application_name = 'portolan maps'",
      );
      return rows[0].count > 0 && rows[0].count <= 4;
    });
  });

  it("an account that has just lost the right learns nothing but that", async () => {
    const own = "/collections/gis.squares/map";
    const paths = [
      own,
      `${own}?${BOX}&f=jpeg`,
      `${own}?f=html`,
      `${own}?width=0`,
      `/map?collections=gis.squares&${BOX}`,
    ];
    for (const path of paths) {
      await gateway.client.query("select portolan.set_privilege('gis.squares', 'single', 'read')");
      assert.equal((await gateway.ask(path, "single")).status, path.includes("width=0") ? 400 : 200, path);
      await gateway.client.query("select portolan.set_privilege('gis.squares', 'single', 'none')");
      const refused = await gateway.ask(path, "single");
      assert.equal(refused.status, 403, path);
      assert.equal((await refused.json()).code, "FORBIDDEN");
      for (const name of ["content-bbox", "content-crs", "link"]) assert.equal(refused.headers.get(name), null, name);
    }
    await gateway.client.query("select portolan.set_privilege('gis.squares', 'single', 'read')");
    assert.equal(await seen("single"), "NE");
  });

  it("revoked columns are no longer read, and granted ones are", async () => {
    const path = `/collections/gis.columns/map?${BOX}`;
    const role = `"guest@${gateway.database.name}"`;
    await gateway.client.query(`grant select on gis.columns to ${role}`);
    assert.equal((await gateway.map(path, "guest")).at(15, 15), RED);
    assert.equal((await gateway.map(path, "guest")).at(15, 15), RED);
    await gateway.client.query(
      `revoke select on gis.columns from ${role}; grant select (id, geom) on gis.columns to ${role}`,
    );
    assert.equal((await gateway.ask(path, "guest")).status, 403);
    await gateway.client.query(`grant select (secret) on gis.columns to ${role}`);
    assert.equal((await gateway.map(path, "guest")).at(15, 15), RED);
  });

  it("an account that is removed while its map is drawn is 401, and no failure of MapServer", async () => {
    const { client, database } = gateway;
    await client.query(`
select portolan.create_user('leaving', null);
create table gis.held (id int primary key, geom geometry(Polygon, 4326));
insert into gis.held select 1, st_makeenvelope(10, 50, 12, 52, 4326);
create function gis.hold() returns boolean language plpgsql volatile security definer as $$
begin
  if current_setting('application_name') = 'portolan maps' then
    perform pg_advisory_xact_lock_shared(47);
    perform from pg_language; -- so that the session notices what has changed
  end if;
  return true;
end $$;
alter table gis.held enable row level security;
create policy holds on gis.held using (case when gis.hold() then current_user <> '' end);
grant select on gis.held to "leaving@${database.name}"`);
    const path = `/collections/gis.held/map?${BOX}`;
    assert.equal((await gateway.ask(path, "leaving")).status, 200);
    await client.query("select pg_advisory_lock(47)");
    const asked = gateway.ask(path, "leaving");
    await until(async () => {
      const { rows } = await client.query("select from pg_locks where locktype = 'advisory' and not granted");
      return rows.length > 0;
    });
    await client.query("select portolan.drop_user('leaving')");
    await client.query("select pg_advisory_unlock(47)");
    const response = await asked;
    assert.deepEqual([response.status, (await response.json()).code], [401, "UNAUTHENTICATED"]);
  });

  it("a revoked right, and a recreated role, take effect at once", async () => {
    assert.equal(await seen("other"), "SE");
    await gateway.client.query("select portolan.set_privilege('gis.squares', 'other', 'none')");
    assert.equal((await gateway.ask(`/collections/gis.squares/map?${BOX}`, "other")).status, 403);
    await gateway.client.query(`
select portolan.drop_user('other');
select portolan.create_user('other', 'other');
select portolan.set_privilege('gis.squares', 'other', 'read');`);
    const token = await gateway.token("other");
    const url = `${gateway.baseUrl}/api/v4/ogc/database/${gateway.database.name}/collections/gis.squares/map?${BOX}`;
    await until(async () => {
      const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
      const body = Buffer.from(await response.arrayBuffer());
      return response.status === 200 && picture(body).at(45, 45) === RED;
    });
  });
});
