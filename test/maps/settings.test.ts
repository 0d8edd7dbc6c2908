/** What code that a map runs leaves behind on MapServer's connections, and with what they begin. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const LOOK = `
create function SCHEMA.look() returns boolean language plpgsql volatile as $$
begin
  if current_setting('application_name') = 'portolan maps' then
    perform pg_notify('told', concat_ws(' ', 'SCHEMA', current_setting('TimeZone'), 'left:',
      nullif(current_setting('jwt.claims.left', true), ''),
      (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid())));
    perform set_config('jwt.claims.left', 'behind', false), SCHEMA.lock();
  end if;
  return true;
end $$;
create function SCHEMA.lock() returns void language sql volatile security definer as 'select pg_advisory_lock(9)';
create table SCHEMA.places (id int primary key, name text, geom geometry(point, 4326));
insert into SCHEMA.places values (1, 'a', st_setsrid(st_makepoint(1, 1), 4326));
alter table SCHEMA.places enable row level security;
create policy looks on SCHEMA.places using (SCHEMA.look());
grant usage on schema SCHEMA to public;
grant select, update on SCHEMA.places to public;
create table SCHEMA.plain (id int primary key, geom geometry(point, 4326));
insert into SCHEMA.plain values (1, st_setsrid(st_makepoint(1, 1), 4326));
grant select on SCHEMA.plain to public;`;

const CODE = `
create role map_author;
create schema own;
create schema authors;
${LOOK.replaceAll("SCHEMA", "own")}
${LOOK.replaceAll("SCHEMA", "authors")}
create function authors.plant() returns trigger language plpgsql as $$
begin
  execute format('alter role %I set timezone = ''Asia/Tokyo''', session_user);
  return new;
end $$;
create trigger plants after update on authors.places for each row execute function authors.plant();
alter function authors.look() owner to map_author;
alter function authors.lock() owner to map_author;
alter function authors.plant() owner to map_author;
alter table authors.places owner to map_author;
grant execute on function pg_advisory_lock(bigint) to map_author;
select portolan.create_user('eve', null), portolan.create_user('mal', null)`;

describe("code that a map runs", () => {
  let gateway: TestGateway;
  const told: string[] = [];

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["own", "authors"], mapWorkers: 1, trustedFunctions: ["own.look()", "own.lock()"] },
      prepare: ({ client }) => client.query(CODE),
    });
    const { client } = gateway.database;
    client.on("notification", ({ payload = "" }) => told.push(payload));
    await client.query("listen told");
  });
  after(async () => {
    await gateway.database.client.query("drop owned by map_author cascade; drop role map_author");
    await gateway.close();
  });

  /** Draws a map, and gives what the code of its table has found, each once. */
  async function found(collections: string, account = "eve"): Promise<string[]> {
    const { baseUrl, database } = gateway;
    told.length = 0;
    const response = await fetch(
      `${baseUrl}/api/v4/ogc/database/${database.name}/map?collections=${collections}&width=32&height=32&bbox=0,0,3,3&f=png`,
      { headers: { Authorization: `Bearer ${await gateway.token(account)}` } },
    );
    const { status } = response;
    assert.equal(status, 200, `${collections}: ${await response.text()}`);
    await database.client.query("notify told, 'end'");
    await until(() => told.includes("end"));
    return [...new Set(told.filter((line) => line !== "end"))];
  }

  for (const [owner, schema] of [
    ["a trusted owner", "own"],
    ["an author", "authors"],
  ] as const)
    it(`of ${owner} leaves no setting and no lock to the next map`, async () => {
      const { rows } = await gateway.database.client.query<{ zone: string }>(
        "select current_setting('TimeZone') as zone",
      );
      const nothing = [`${schema} ${rows[0]!.zone} left: 0`];
      assert.deepEqual(await found(`${schema}.plain`), []);
      for (let n = 0; n < 3; n++) assert.deepEqual(await found(`${schema}.places`), nothing);
      assert.deepEqual(await found(`${schema}.plain,${schema}.places`), nothing);
      assert.deepEqual(await found(`${schema}.places`, "mal"), nothing);
      const { rows: locks } = await gateway.database.client.query(
        "select from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and d.datname = current_database() and objid = 9",
      );
      assert.equal(locks.length, 0);
    });

  it("of an author cannot decide with which settings the next map begins", async () => {
    const [before] = await found("authors.places");
    const { body } = await gateway.graphql(
      "eve",
      "authors",
      'mutation { updatePlaces(id: "1", data: {name: "b"}) { name } }',
    );
    assert.equal(body.errors, undefined, JSON.stringify(body));
    const { rows } = await gateway.database.client.query(
      "select setconfig from pg_db_role_setting s where setrole = $1::regrole",
      [`"eve@${gateway.database.name}"`],
    );
    assert.deepEqual(rows, [{ setconfig: ["TimeZone=Asia/Tokyo"] }]);
    assert.deepEqual(await found("authors.places"), [before]);
  });
});
