import assert from "node:assert/strict";
import pg from "pg";
import { hrefOf, idsOf, ogcGateway, type Json, type OgcGateway } from "./support.ts";
import { createWalked, walk } from "./walk.ts";

describe("pages of features", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway();
  });
  after(() => gateway.close());

  const items = "/collections/geo.places/items";
  const has = (json: Json, rel: string): boolean => json.links.some((link: Json) => link.rel === rel);

  it("next and prev lead forward and back over the same pages", async () => {
    const forth: Json[] = [(await gateway.get(`${items}?limit=20`)).json];
    while (has(forth.at(-1), "next")) forth.push((await gateway.get(hrefOf(forth.at(-1).links, "next"))).json);
    assert.deepEqual(
      forth.map(({ features }) => features[0].id),
      [1, 21, 41, 61, 81],
    );
    assert.deepEqual(
      forth.map((json) => json.numberMatched),
      [95, 95, 95, 95, 95],
    );
    assert.ok(!has(forth[0], "prev"));
    const back: Json[] = [forth.at(-1)];
    while (has(back.at(-1), "prev")) back.push((await gateway.get(hrefOf(back.at(-1).links, "prev"))).json);
    assert.deepEqual(
      back.map(({ features }) => features.map(({ id }: Json) => id)),
      forth.toReversed().map(({ features }) => features.map(({ id }: Json) => id)),
    );
    assert.ok(has(back.at(-1), "next"));
  });

  it("a page that was reached by offset continues by key", async () => {
    const { json } = await gateway.get(`${items}?limit=10&offset=30`);
    assert.deepEqual(idsOf(await gateway.get(hrefOf(json.links, "next")))[0], 41);
    assert.deepEqual(idsOf(await gateway.get(hrefOf(json.links, "prev")))[0], 21);
  });

  it("a last page that is exactly full has no next; an empty one leads back", async () => {
    const full = (await gateway.get(`${items}?limit=95`)).json;
    assert.ok(!has(full, "next"));
    const last = (await gateway.get(`${items}?limit=5&offset=90`)).json;
    assert.ok(!has(last, "next"));
    const token = Buffer.from(JSON.stringify([0, "95"])).toString("base64url");
    const empty = await gateway.get(`${items}?limit=5&after=${token}`);
    assert.deepEqual(empty.json.features, []);
    assert.deepEqual(idsOf(await gateway.get(hrefOf(empty.json.links, "prev"))), [91, 92, 93, 94, 95]);
  });

  it("a page of a thousand has its links in the headers too", async () => {
    await createWalked(gateway, 2500);
    const { headers } = await gateway.get("/collections/geo.walked/items?limit=1000");
    assert.match(headers.get("link") ?? "", /rel="next"/);
  });

  it("a walk of 2,500 features misses and repeats none that stayed, while others are added and deleted", async () => {
    await createWalked(gateway, 2500);
    for (const query of ["", "&bbox=-180,-90,180,90"]) {
      const { forth, back, writes } = await walk(gateway, { features: 2500, limit: 50, query });
      assert.ok(forth >= 34 && back >= 34 && writes > 10);
    }
  });

  it("the number of all pages follows every change at once", async () => {
    const { client } = gateway.database;
    const matched = async (query = "") => (await gateway.get(`${items}?limit=1${query}`)).json.numberMatched;
    for (const query of ["", "&kind=inn", "&bbox=0,0,9,0.5"]) {
      const before = await matched(query);
      assert.equal(await matched(query), before);
      await client.query(
        "insert into geo.places (name, kind, geom) values ('one more', 'inn', 'srid=4326;point(5 0)')",
      );
      assert.equal(await matched(query), before + 1, query);
      await client.query("delete from geo.places where name = 'one more'");
      assert.equal(await matched(query), before, query);
    }
  });

  it("small and large boxes have the same features, numbers and pages as the table, each time", async () => {
    const { client } = gateway.database;
    await client.query(`
create table geo.dense (id int primary key, geom geometry(Point, 4326));
create index on geo.dense using gist (geom);
insert into geo.dense select i, st_setsrid(st_makepoint((i * 7919 % 3000) / 100.0, i % 40), 4326) from generate_series(1, 3000) i;
select portolan.set_authentication('geo.dense', 'None')`);
    const end = Date.now() + 10_000;
    while ((await gateway.get("/collections/geo.dense")).status !== 200)
      assert.ok(Date.now() < end, "it does not show");
    const held = async ([west, south, east, north]: readonly number[]): Promise<number[]> => {
      const { rows } = await client.query<{ id: number }>(
        "select id from geo.dense where st_intersects(geom, st_makeenvelope($1, $2, $3, $4, 4326)) order by id",
        [west, south, east, north],
      );
      return rows.map(({ id }) => id);
    };
    const boxes = [
      [5, 5, 5.5, 5.5],
      [0, 0, 30, 40],
      [0, 0, 10, 39],
      [0, 0, 30, 13],
      [-9, -9, -8, -8],
    ];
    for (let round = 0; round < 3; round++)
      for (const box of boxes) {
        const ids = await held(box);
        for (const limit of [1, 10, 30]) {
          const page = await gateway.get(`/collections/geo.dense/items?limit=${limit}&bbox=${box.join(",")}`);
          assert.deepEqual(idsOf(page), ids.slice(0, limit));
          assert.equal(page.json.numberMatched, ids.length);
          assert.equal(has(page.json, "next"), ids.length > limit);
        }
        await client.query(`
delete from geo.dense where id = ${3001 + round};
insert into geo.dense values (${3001 + round}, 'srid=4326;point(5.2 5.2)')`);
      }
  });

  it("the features of a table with a stamp are counted once until it changes, whatever is written elsewhere", async () => {
    const { client } = gateway.database;
    await client.query("select portolan.enable_events('geo.places')");
    const counting = watchCounts();
    try {
      const matched = async (): Promise<number> => (await gateway.get(`${items}?limit=1`)).json.numberMatched;
      const elsewhere = (): Promise<unknown> =>
        client.query("insert into geo.nothing values ((select count(*) from geo.nothing), null)");
      const all = await matched();
      const rounds = 8;
      // the gateway may notice late that the table has a stamp, and count once more
      const counts = async (expected: number): Promise<number> => {
        const first = counting.counted;
        for (let round = 0; round < rounds; round++) {
          assert.equal(await matched(), expected);
          await elsewhere();
        }
        return counting.counted - first;
      };
      assert.ok((await counts(all)) <= 1, "nothing was written to it");
      await client.query("insert into geo.places (name, geom) values ('new', 'srid=4326;point(0 0)')");
      const again = await counts(all + 1);
      assert.ok(again === 1 || again === 2, "counted again, once");
    } finally {
      counting.end();
      await client.query("delete from geo.places where name = 'new'; delete from geo.nothing");
    }
  });

  it("the number of any table is kept while only the request log is written, and follows every other change", async () => {
    const { client } = gateway.database;
    const matched = async (): Promise<number> =>
      (await gateway.get("/collections/geo.walked/items?limit=1")).json.numberMatched;
    await createWalked(gateway, 500);
    const counting = watchCounts();
    try {
      const all = await matched();
      const first = counting.counted;
      const rounds = 8;
      for (let round = 0; round < rounds; round++) {
        await client.query("select portolan.note_requests('elsewhere', 1, $1, '[]')", [NOTED]);
        assert.equal(await matched(), all);
      }
      // autovacuum, or a log that is written twice at once, may cause another count
      assert.ok(counting.counted - first < rounds / 2, `counted ${counting.counted - first} times more`);
      await client.query("delete from geo.walked where name = 'n1'");
      await client.query("select portolan.note_requests('elsewhere', 1, $1, '[]')", [NOTED]);
      assert.equal(await matched(), all - 1);
    } finally {
      counting.end();
    }
  });

  it("without a budget the number is exact; beyond a budget it is left out, and never guessed", async () => {
    const hasty = await ogcGateway({
      config: { ogc: { countBudgetMs: 20 } },
      prepare: ({ client }) =>
        client.query(`
create view geo.slow as select p.id, p.geom from geo.places p where (select pg_sleep(0.005)) is not null and (pg_sleep(0.01) is not null or p.id > 0);
comment on view geo.slow is '@primaryKey id';
select portolan.set_authentication('geo.slow', 'None')`),
    });
    try {
      const { json } = await hasty.get("/collections/geo.slow/items?limit=2");
      assert.equal(json.numberReturned, 2);
      assert.equal("numberMatched" in json, false);
      assert.ok(has(json, "next"));
      assert.equal((await hasty.get(`${items}?limit=2`)).json.numberMatched, 95);
    } finally {
      await hasty.close();
    }
  });
});

/** The log entry of a gateway for one request. */
const NOTED = JSON.stringify({
  ...{ requests: 1, refused: 0, failed: 0, gone: 0 },
  ...{ durations: [1], event_lag_ms: 0, map_queue: 0 },
});

/** Counts the statements that count features, until it ends. */
function watchCounts(): { readonly counted: number; end(): void } {
  const { query } = pg.Client.prototype as unknown as { query: (...values: unknown[]) => unknown };
  const watch = { counted: 0, end: () => void Object.assign(pg.Client.prototype, { query }) };
  Object.assign(pg.Client.prototype, {
    query(this: unknown, ...values: unknown[]) {
      if (/count\(\*\)::text/.test(String((values[0] as { text?: string }).text))) watch.counted++;
      return query.apply(this, values);
    },
  });
  return watch;
}
