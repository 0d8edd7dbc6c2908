import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import pg from "pg";
import { readVectorTile } from "../support/vectorTile.ts";
import { tileGateway, type TileGateway } from "./fixture.ts";

const TILE = "WebMercatorQuad/4/5/8";
const of = (table: string): string => `/collections/gis.${table}/tiles/${TILE}`;

const TABLES = `
create table gis.shops (id integer primary key, kind text, owner text, geom geometry(Point, 4326));
insert into gis.shops
select i, case i % 3 when 0 then 'inn' when 1 then 'mill' else 'shop' end, case i % 2 when 0 then 'guest' else 'other' end,
  st_setsrid(st_makepoint(10 + i / 100.0, 50), 4326)
from generate_series(1, 30) i;
create table gis.kept (like gis.shops including all);
insert into gis.kept select * from gis.shops;
create table gis.unwatched (like gis.shops including all);
insert into gis.unwatched select * from gis.shops;
create table gis.policied (like gis.shops including all);
insert into gis.policied select * from gis.shops;
create table gis.vouched (like gis.shops including all);
insert into gis.vouched select * from gis.shops;
create table gis.timed (like gis.shops including all);
insert into gis.timed select * from gis.shops;
create view gis.viewed as select * from gis.shops;
comment on view gis.viewed is '@primaryKey id';
comment on table gis.vouched is '@tile cache';
alter table gis.policied enable row level security;
create policy own on gis.policied using (owner = (select m.name from portolan.me m));
alter table gis.vouched enable row level security;
create policy own on gis.vouched using (owner = (select m.name from portolan.me m));
select portolan.set_authentication(t::regclass, 'None')
from unnest('{gis.shops,gis.kept,gis.unwatched,gis.policied,gis.vouched,gis.timed,gis.viewed}'::text[]) t;
select portolan.enable_events(t::regclass) from unnest('{gis.shops,gis.policied,gis.vouched,gis.timed}'::text[]) t;
select portolan.enable_versioning('gis.kept');
update portolan.users set properties = '{"kind": "inn"}' where name = 'guest';
update portolan.users set properties = '{"kind": "mill"}' where name = 'other';
select portolan.create_rule('{"priority": 1, "username": "anonymous", "schema": "gis", "table": "shops", "access": "limit", "filter": "id <= 5"}');
select portolan.create_rule('{"priority": 2, "username": "guest", "schema": "gis", "table": "shops", "access": "limit", "filter": "kind = {{kind}}"}');
select portolan.create_rule('{"priority": 3, "username": "other", "schema": "gis", "table": "shops", "access": "limit", "filter": "kind = {{kind}}"}');
select portolan.create_rule('{"priority": 4, "username": "anonymous", "schema": "gis", "table": "timed", "access": "limit", "filter": "now() > ''2020-01-01''"}');
`;

describe("kept tiles", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({ prepare: ({ client }) => client.query(TABLES) });
  });
  after(() => gateway.close());

  const query = async (text: string) => (await gateway.client.query(text)).rows;

  /** The number of vector tiles by origin, until now. */
  async function counts(): Promise<Record<string, number>> {
    const text = await (await fetch(`${gateway.baseUrl}/metrics`)).text();
    return Object.fromEntries(
      [...text.matchAll(/portolan_tiles_total\{kind="vector",from="(\w+)"\} (\d+)/g)].map(([, from, n]) => [
        from,
        Number(n),
      ]),
    ) as Record<string, number>;
  }

  /** Whether a request for a tile finds it in the cache. */
  async function from(path: string, as?: string): Promise<string | undefined> {
    const before = await counts();
    const response = await gateway.ask(path, as === undefined ? {} : { as });
    assert.ok([200, 204].includes(response.status), `${path} ${response.status}`);
    await response.arrayBuffer();
    const after = await counts();
    return Object.keys(after).find((key) => after[key] !== (before[key] ?? 0));
  }

  /** Asserts that a tile is kept, if necessary after making it once more: a newer connection does not use kept ones. */
  async function isKept(path: string, as?: string): Promise<void> {
    for (let turn = 0; turn < 12; turn++) if ((await from(path, as)) === "kept") return;
    assert.fail(`${path} is made each time`);
  }

  const idsOf = async (path: string, as?: string) =>
    (await gateway.features(path, as)).map(({ properties }) => Number(properties["id"])).sort((a, b) => a - b);

  for (const table of ["shops", "kept"])
    it(`${table}: a tile is made once, and again when the table is written`, async () => {
      assert.equal(await from(of(table)), "made");
      await isKept(of(table));
      const first = await idsOf(of(table));
      await query(`delete from gis.${table} where id = 1`);
      assert.equal(await from(of(table)), "made");
      assert.deepEqual(
        await idsOf(of(table)),
        first.filter((id) => id !== 1),
      );
      await query(`update gis.unwatched set kind = 'x'`);
      await isKept(of(table));
      await query(`begin; delete from gis.${table}; rollback`);
      await isKept(of(table));
      await query(`create table gis.copy as select * from gis.${table}; truncate gis.${table}`);
      assert.deepEqual(await idsOf(of(table)), []);
      await query(`insert into gis.${table} select * from gis.copy; drop table gis.copy`);
      assert.deepEqual(
        await idsOf(of(table)),
        first.filter((id) => id !== 1),
      );
    });

  it("each of columns, filter, tile, set and collection has its own", async () => {
    const variants = [
      of("kept"),
      `${of("kept")}?properties=kind`,
      `${of("kept")}?filter=id%3C9`,
      `${of("kept")}?filter=id%3C8`,
      "/collections/gis.kept/tiles/WebMercatorQuad/0/0/0",
      "/collections/gis.kept/tiles/WorldCRS84Quad/0/0/1",
      `/tiles/${TILE}?collections=gis.kept`,
      `/tiles/${TILE}?collections=gis.kept,gis.shops`,
      `/tiles/${TILE}?collections=gis.shops,gis.kept`,
    ];
    const bodies = new Set<string>();
    for (const variant of variants) {
      const body = Buffer.from(await (await gateway.ask(variant)).arrayBuffer());
      bodies.add(createHash("sha256").update(body).digest("hex"));
      await isKept(variant);
    }
    // the tile of one collection is the same at its own address and at that of the dataset
    assert.equal(bodies.size, variants.length - 1);
  });

  it("no tile is kept of a table without events and history, of a view, of a team's policies, of a rule that reads the clock", async () => {
    for (const table of ["unwatched", "viewed", "policied", "timed"])
      for (const account of ["guest", "guest", undefined, undefined])
        assert.equal(await from(of(table), account), "unkept", table);
  });

  it("a team allows its own policies by @tile cache, and each account then has its own tiles", async () => {
    assert.equal(await from(of("vouched"), "guest"), "made");
    await isKept(of("vouched"), "guest");
    assert.equal(await from(of("vouched"), "other"), "made");
    const guests = await idsOf(of("vouched"), "guest");
    const others = await idsOf(of("vouched"), "other");
    assert.ok(guests.every((id) => id % 2 === 0) && others.every((id) => id % 2 === 1));
  });

  it("many accounts, one after the other and all at once, see their own rows", async () => {
    const expected: Record<string, number[]> = {
      anonymous: [2, 3, 4, 5],
      guest: Array.from({ length: 10 }, (_, i) => 3 * (i + 1)),
      other: Array.from({ length: 9 }, (_, i) => 3 * (i + 1) + 1),
      captain: Array.from({ length: 29 }, (_, i) => i + 2),
    };
    const asked = Array.from({ length: 200 }, (_, i) => Object.keys(expected)[(i * 7) % 4]!);
    await Promise.all(
      asked.map(async (account) =>
        assert.deepEqual(
          await idsOf(of("shops"), account === "anonymous" ? undefined : account),
          expected[account],
          account,
        ),
      ),
    );
    await isKept(of("shops"), "guest");
    await query(`update portolan.users set properties = '{"kind": "mill"}' where name = 'guest'`);
    assert.deepEqual(await idsOf(of("shops"), "guest"), expected["other"]);
    await query(`update portolan.users set properties = '{"kind": "inn"}' where name = 'guest'`);
    assert.deepEqual(await idsOf(of("shops"), "guest"), expected["guest"]);
  });

  it("rows that a rule, a privilege or workflow hides are gone with the next request", async () => {
    await gateway.ask(of("kept"));
    const [{ id }] = (await query(
      `select portolan.create_rule('{"username": "anonymous", "schema": "gis", "table": "kept", "access": "limit", "filter": "id = 7"}') as id`,
    )) as [{ id: number }];
    assert.deepEqual(await idsOf(of("kept")), [7]);
    await query(`select portolan.drop_rule(${id})`);
    assert.ok((await idsOf(of("kept"))).length > 20);
    await query("select portolan.enable_workflow('gis.kept')");
    // as drafts that somebody left
    await query(`alter table gis.kept disable trigger _700_workflow; update gis.kept set portolan_status = 1 where id > 10;
alter table gis.kept enable trigger _700_workflow`);
    assert.ok((await idsOf(of("kept"))).every((each) => each <= 10));
    await query("select portolan.set_authentication('gis.kept', 'Read/write')");
    assert.equal((await gateway.ask(of("kept"))).status, 401);
    await query("select portolan.set_authentication('gis.kept', 'None')");
    assert.equal((await gateway.ask(of("kept"))).status, 200);
  });

  it("no tile is older than a write that its client has seen committed, whatever others write", async () => {
    await query(`create table gis.chain (id int primary key, n int, geom geometry(Point, 4326));
insert into gis.chain select i, 0, st_setsrid(st_makepoint(10 + i / 100.0, 50), 4326) from generate_series(1, 8) i;
select portolan.set_authentication('gis.chain', 'None'), portolan.enable_events('gis.chain')`);
    // the collection exists once the gateway has seen the table
    while ((await gateway.ask(of("chain"))).status === 404);
    const committed = new Map<number, number>();
    const before = await counts();
    let [reads, kept] = [0, 0];
    /**
     * Asserts that each writer has committed often, and that tiles were read meanwhile, some of them from the cache.
     */
    const isEnough = (): boolean =>
      reads >= 300 && kept >= 20 && [1, 2, 8].every((id) => (committed.get(id) ?? 0) >= 12);
    const write = async (id: number): Promise<void> => {
      const client = new pg.Client({ connectionString: gateway.database.url });
      await client.connect();
      for (let n = 1; !isEnough(); n++) {
        await client.query("begin");
        await client.query("update gis.chain set n = $1 where id = $2", [n, id]);
        // the subject is long transactions
        await client.query("select pg_sleep($1)", [Math.random() * 0.03 * id]);
        await client.query("commit");
        committed.set(id, n);
        await client.query("select pg_sleep(0.01)");
      }
      await client.end();
    };
    const read = async (): Promise<void> => {
      while (!isEnough()) {
        const least = new Map(committed);
        const response = await gateway.ask(of("chain"));
        const [layer] = readVectorTile(await response.arrayBuffer());
        for (const { properties } of layer!.features) {
          const { id, n } = properties as { id: number; n: number };
          assert.ok(n >= (least.get(id) ?? 0), `feature ${id} has ${n}, and ${least.get(id)} was committed before`);
        }
        if (++reads % 20 === 0) kept = ((await counts())["kept"] ?? 0) - (before["kept"] ?? 0);
      }
    };
    await Promise.all([write(1), write(2), write(8), ...Array.from({ length: 6 }, read)]);
  });
});
