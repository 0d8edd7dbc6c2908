/** A walk through all pages, forward by `next` and back by `prev`, while another session writes. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { hrefOf, type Json, type OgcGateway } from "./support.ts";

export interface Walk {
  readonly features: number;
  readonly limit: number;
  /** Added to the query of the first page. */
  readonly query?: string;
}

export async function createWalked(gateway: OgcGateway, features: number): Promise<void> {
  await gateway.database.client.query(`
create table if not exists geo.walked (zone int, name text, stays boolean not null default true, geom geometry(Point, 4326), primary key (zone, name));
truncate geo.walked;
insert into geo.walked
select i % 50, 'n' || i, i % 3 > 0, st_setsrid(st_makepoint(i % 180, i % 80), 4326) from generate_series(1, ${features}) i;
select portolan.set_authentication('geo.walked', 'None')`);
  const end = Date.now() + 10_000;
  while ((await gateway.get("/collections/geo.walked")).status !== 200) assert.ok(Date.now() < end, "it does not show");
}

/** Gives the number of pages in each direction, and the number of writes meanwhile. */
export async function walk(gateway: OgcGateway, { features, limit, query = "" }: Walk) {
  const staying = Array.from({ length: features }, (_, index) => index + 1)
    .filter((number) => number % 3 > 0)
    .map((number) => `${number % 50},n${number}`);
  const writer = new pg.Client({ connectionString: gateway.database.url });
  await writer.connect();
  let isWalking = true;
  let writes = 0;
  const writing = (async () => {
    for (let round = 1; isWalking; round++) {
      await writer.query("delete from geo.walked where not stays and zone = $1", [round % 50]);
      await writer.query(
        "insert into geo.walked select $1::int % 50, 'new ' || $1::text || '.' || i, false, st_setsrid(st_makepoint(1, 1), 4326) from generate_series(1, 20) i",
        [round * 7],
      );
      writes += 2;
      await setTimeout(5); // leaves the reader some of the processor
    }
  })();
  try {
    const forth = await follow(gateway, `${gateway.root}/collections/geo.walked/items?limit=${limit}${query}`, "next");
    const back = await follow(gateway, forth.last, "prev");
    for (const { ids } of [forth, back]) {
      assert.equal(new Set(ids).size, ids.length, "a feature came twice");
      const seen = new Set(ids);
      assert.deepEqual(
        staying.filter((id) => !seen.has(id)),
        [],
        "features that stayed were missed",
      );
    }
    return { forth: forth.pages, back: back.pages, writes };
  } finally {
    isWalking = false;
    await writing;
    await writer.end();
  }
}

async function follow(gateway: OgcGateway, start: string, rel: "next" | "prev") {
  const ids: string[] = [];
  let address = start;
  for (let pages = 1; ; pages++) {
    const { status, json } = await gateway.get(address);
    assert.equal(status, 200);
    ids.push(...json.features.map(({ id }: Json) => id));
    const last = hrefOf(json.links, "self");
    if (!json.links.some((link: Json) => link.rel === rel)) return { ids, pages, last };
    address = hrefOf(json.links, rel);
  }
}
