/** A rule that is replaced while somebody reads in a snapshot of before. */
import assert from "node:assert/strict";
import pg from "pg";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { readVectorTile } from "../support/vectorTile.ts";
import { picture } from "../maps/pixels.ts";

const RED = JSON.stringify([{ name: "All", styles: [{ color: "#ff0000", size: 8 }] }]);

describe("a rule that is replaced after a snapshot was taken", () => {
  let gateway: TestGateway;
  let token: string;
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query(text, values)).rows;
  const limit = async (filter: string): Promise<number> =>
    (
      await query("select portolan.create_rule($1) as id", [
        { schema: "world", table: "ranks", access: "limit", filter },
      ])
    )[0].id;

  before(async () => {
    gateway = await testGateway();
    await query(`
create table world.ranks (id int primary key, n int, geom geometry(point, 4326));
insert into world.ranks select i, 0, st_setsrid(st_makepoint(i, 0), 4326) from generate_series(1, 9) i;
select portolan.create_user('ann', null), portolan.create_method('ranks', 'select id from world.ranks');
select portolan.set_privilege('world.ranks', 'ann', 'write'), portolan.set_style('world.ranks', '${RED}')`);
    token = await gateway.token("ann");
  });

  after(() => gateway.close());

  it("is an error of serialization there, and never a table that looks empty", async () => {
    const rule = await limit("id <= 5");
    const session = new pg.Client({ connectionString: gateway.database.url });
    await session.connect();
    try {
      const count = () => session.query("select count(*)::int as n from world.ranks");
      await session.query(`set session authorization "ann@${gateway.database.name}"`);
      const begin = "begin isolation level repeatable read; select 1";
      await session.query(begin);
      assert.deepEqual((await count()).rows, [{ n: 5 }]);
      await session.query(`commit; ${begin}`);
      await query(`select portolan.drop_rule(${rule})`);
      await limit("id <= 8");
      await assert.rejects(count(), { code: "40001" });
      await session.query(`rollback; ${begin}`);
      assert.deepEqual((await count()).rows, [{ n: 8 }]);
    } finally {
      await session.end();
      await query("select portolan.drop_rule(id) from portolan.list_rules()");
    }
  });

  const ask = async (path: string, body?: object): Promise<Response> =>
    fetch(gateway.baseUrl + path, {
      headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  const json = async (path: string, body?: object): Promise<unknown> => (await ask(path, body)).json();
  const collection = (path: string): string =>
    `/api/v4/ogc/database/${gateway.database.name}/collections/world.ranks${path}`;
  type Rows = readonly { readonly count?: number }[];
  const graphql = async (query: string): Promise<Readonly<Record<string, Rows>>> =>
    ((await json("/api/graphql/schema/world", { query })) as { data: Record<string, Rows> }).data;

  /** The number of rows that a door shows. */
  const doors: Readonly<Record<string, () => Promise<number>>> = {
    "/rows": async () =>
      ((await json('/api/v4/schemas/world/tables/ranks/rows?columns=["id"]')) as readonly unknown[]).length,
    "a list of GraphQL": async () => (await graphql("{ getRanks { id } }"))["getRanks"]!.length,
    "two fields of GraphQL": async () => {
      const { a, b } = await graphql("{ a: countRanks b: aggregateRanks { count } }");
      assert.equal(b?.[0]?.count, a);
      return Number(a);
    },
    "a mutation of GraphQL": async () =>
      (await graphql("mutation { updateRanks(where: {id: {gt: 0}}, data: {n: 1}) { id } }"))["updateRanks"]!.length,
    items: async () => ((await json(collection("/items"))) as { numberReturned: number }).numberReturned,
    "a tile": async () => {
      const response = await ask(collection("/tiles/WebMercatorQuad/0/0/0"));
      return readVectorTile(Buffer.from(await response.arrayBuffer())).flatMap(({ features }) => features).length;
    },
    "a map": async () => {
      const response = await ask(collection(`/map?width=90&height=10&bbox=0.5,-0.5,9.5,0.5&transparent=false`));
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(response.status, 200, bytes.toString());
      const drawn = picture(bytes);
      return Array.from({ length: 9 }, (_, n) => drawn.at(n * 10 + 5, 5)).filter((colour) => colour === "#ff0000ff")
        .length;
    },
    "SQL of its own": async () =>
      ((await json("/api/v4/sql", { q: "select id from world.ranks" })) as { data: readonly unknown[] }).data.length,
    "a method": async () =>
      (
        (await json("/api/v4/call", { jsonrpc: "2.0", id: 1, method: "ranks" })) as {
          result: { data: readonly unknown[] };
        }
      ).result.data.length,
  };

  /** Whether a session of this name waits for the table. */
  const isWaiting = async (name: string): Promise<boolean> => {
    const waiting = await query(
      "select from pg_locks l join pg_stat_activity a using (pid) where l.relation = 'world.ranks'::regclass and not l.granted and a.application_name like $1",
      [name],
    );
    return waiting.length > 0;
  };

  for (const [door, count] of Object.entries(doors))
    it(`is no answer of ${door}: the request begins again`, async () => {
      const rule = await limit("id <= 5");
      assert.equal(await count(), 5);
      const { client } = gateway.database;
      await client.query("begin; lock table world.ranks in access exclusive mode");
      try {
        const answer = count();
        const tooEarly = answer.then((rows) => assert.fail(`${rows} rows, in spite of the lock`));
        await Promise.race([tooEarly, until(() => isWaiting(door === "a map" ? "portolan maps" : "%"))]);
        tooEarly.catch(() => undefined);
        await client.query(`select portolan.drop_rule(${rule})`);
        await limit("id <= 8");
        await client.query("commit");
        assert.equal(await answer, 8);
      } finally {
        await client.query("rollback"); // of the lock, where no request came to it
        await query("select portolan.drop_rule(id) from portolan.list_rules()");
      }
    });
});
