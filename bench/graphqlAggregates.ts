/** Aggregates of a million rows, pages, and inserts with related rows, against the same SQL by hand. */
import pg from "pg";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, PEER_ROLE, buildFixture } from "./support/fixture.ts";
import { median } from "./support/load.ts";
import { startPeer } from "./support/peer.ts";

const READINGS = 1_000_000;
const PARENTS = 1000;
const CHILDREN = 5;

type Run = () => Promise<unknown>;

/** Medians in milliseconds of two sides, measured in turn. */
async function inTurn(times: number, ours: Run, theirs: Run): Promise<readonly [ours: number, theirs: number]> {
  const spent: [number[], number[]] = [[], []];
  for (let round = -Math.ceil(times / 5); round < times; round++)
    for (const [index, run] of [ours, theirs].entries()) {
      const started = performance.now();
      await run();
      if (round >= 0) spent[index]!.push(performance.now() - started);
    }
  return [median(spent[0]), median(spent[1])];
}

async function prepare({ client }: TestDatabase): Promise<void> {
  await client.query(`
create table city.readings (id int primary key, station int not null, amount numeric not null);
insert into city.readings select i, i % 100, i % 977 / 10.0 from generate_series(1, ${READINGS}) i;
create table city.owners (id int generated always as identity primary key, name text not null);
create table city.pets (
  id int generated always as identity primary key, owner_id int not null references city.owners, name text not null);`);
  await client.query("vacuum analyze city.readings");
  await client.query(`
select portolan.set_privilege('city.readings', '${ACCOUNT}', 'read');
select portolan.set_privilege(r, '${ACCOUNT}', 'write') from unnest('{city.owners,city.pets}'::regclass[]) r;
grant select on city.readings to ${PEER_ROLE};
grant select, insert on city.owners, city.pets to ${PEER_ROLE};
grant usage on all sequences in schema city to ${PEER_ROLE};`);
}

const AGGREGATES = {
  count: "{ countReadings }",
  sum: "{ aggregateReadings { sum { amount } } }",
  group: '{ aggregateReadings(groupBy: "station") { by { station } count avg { amount } } }',
} as const;

/**
 * All parents and children in two statements of one round trip each. The children find their keys by the parents'
 * order.
 */
async function insertByHand(client: pg.Client, parents: string): Promise<void> {
  await client.query(`begin; set local role ${PEER_ROLE}`);
  await client.query(
    `with given as (select o.parent, o.n from json_array_elements($1::json) with ordinality o(parent, n)),
keyed as (select parent, nextval(pg_get_serial_sequence('city.owners', 'id')) as id from given order by n),
made as (insert into city.owners (id, name) overriding system value select id, parent ->> 'name' from keyed returning id)
insert into city.pets (owner_id, name)
select k.id, p ->> 'name' from keyed k join made using (id) cross join json_array_elements(k.parent -> 'pets') p
returning id, owner_id, name`,
    [parents],
  );
  await client.query("commit");
}

export const benchmark: Benchmark = {
  name: "GraphQL aggregates, pages and related rows",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    await prepare(database);
    const [gateway, bare] = await Promise.all([
      GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0" }),
      startPeer("bare", { URL: database.gatewayUrl, ROLE: PEER_ROLE }),
    ]);
    const hand = new pg.Client({ connectionString: database.gatewayUrl });
    await hand.connect();
    const rows: Row[] = [];
    const add = (what: string, peer: string, [ours, theirs]: readonly [number, number], target: string): void =>
      void rows.push({
        what,
        ours: `${ours.toFixed(2)} ms`,
        peer: `${peer} ${theirs.toFixed(2)} ms`,
        ratio: (target.startsWith("≤") ? ours / theirs : theirs / ours).toFixed(2),
        target,
      });
    try {
      const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`;
      const post = async (url: string, body: object): Promise<unknown> => {
        const headers = { authorization, "content-type": "application/json" };
        const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
        return response.json();
      };
      const ask = async <Data>(query: string, variables?: object): Promise<Data> => {
        const answer = await post(`${gateway.baseUrl}/api/graphql/schema/city`, { query, variables });
        const { data, errors } = answer as { data: Data; errors?: unknown };
        if (errors) throw new Error(JSON.stringify(errors));
        return data;
      };
      for (const [statement, query] of Object.entries(AGGREGATES)) {
        const figures = await inTurn(
          15,
          () => ask(query),
          () => post(bare.url, { statement, id: 0 }),
        );
        add(`${statement} of 1,000,000 rows`, "bare node + pg", figures, "≥ 0.95");
      }
      const fields = "id station amount";
      const page = `query ($after: String) { pageReadings(first: 50, after: $after) { nodes { ${fields} } pageInfo { endCursor } } }`;
      const list = `{ getReadings(limit: 50) { ${fields} } }`;
      add(
        "page of 50",
        "list of 50",
        await inTurn(
          300,
          () => ask(page),
          () => ask(list),
        ),
        "≥ 0.9",
      );
      let after: string | null = null;
      for (let n = 0; n < READINGS / 2; n += 10_000)
        after = (
          await ask<{ pageReadings: { pageInfo: { endCursor: string } } }>(
            "query ($after: String) { pageReadings(first: 10000, after: $after) { pageInfo { endCursor } } }",
            { after },
          )
        ).pageReadings.pageInfo.endCursor;
      const deep = await inTurn(
        300,
        () => ask(page, { after }),
        () => ask(page),
      );
      add("page of 50, 500,000 deep", "the first page", deep, "≤ 1.1");
      const objects = Array.from({ length: PARENTS }, (_, n) => ({
        name: `owner ${n}`,
        pets: Array.from({ length: CHILDREN }, (__, m) => ({ name: `pet ${m}` })),
      }));
      const insert = "mutation ($objects: [JSON]) { insertOwners(objects: $objects) { id } }";
      const inserts = await inTurn(
        15,
        () => ask(insert, { objects }),
        () => insertByHand(hand, JSON.stringify(objects)),
      );
      add("insert of 1,000 parents with 5 children each", "SQL by hand", inserts, "≥ 0.6");
    } finally {
      await hand.end();
      await Promise.all([gateway.stop(), bare.stop()]);
      await database.drop();
    }
    return rows;
  },
};
