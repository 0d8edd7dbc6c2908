/**
 * Costs that grow with the number of accounts: the check that a gateway makes twice a second, and a request as one of
 * them.
 */
import { openAsGateway, testDatabase } from "../test/support/databases.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const SIZES = [10, 1000, 5000];
const ROUNDS = 50;

/** As `server/kernel/catalogue/accountsWatch.ts` sends it. */
const LOOK = `
select subject, generation::text from portolan.generations
union all
select 'memberships', md5(string_agg(m.roleid || ' ' || m.member, ',' order by m.roleid, m.member)) from pg_auth_members m`;

export const benchmark: Benchmark = {
  name: "accounts",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    const gateway = openAsGateway(database, {});
    const rows: Row[] = [];
    try {
      await database.client.query(`
create schema town; create table town.parks (id int primary key);
select portolan.create_user('team', null), portolan.set_privilege('town.parks', 'team', 'read')`);
      let made = 0;
      for (const size of SIZES) {
        const began = performance.now();
        await database.client.query(
          "select portolan.create_user('account' || i, null) from generate_series($1::int, $2::int) i",
          [made + 1, size],
        );
        // one grant for all: PostgreSQL has room for about 2,400 grants on one table
        await database.client.query(`grant "team@${database.name}" to "account${size}@${database.name}"`);
        const eachMs = (performance.now() - began) / (size - made);
        made = size;
        await database.client.query("vacuum analyze pg_auth_members, pg_authid");
        const role = `account${size}@${database.name}`;
        const look = await timed(() => gateway.db.any(LOOK));
        const request = await timed(() =>
          gateway.withIdentity(
            { database: database.name, name: `account${size}`, role, roleMade: true, claims: {} },
            { service: "graphql", readOnly: true },
            (transaction) => transaction.query({ name: "bench", text: "select * from town.parks", values: [] }),
          ),
        );
        rows.push({
          what: `${size} accounts`,
          ours: `look ${look.toFixed(2)} ms, read as one ${request.toFixed(2)} ms, made in ${eachMs.toFixed(1)} ms each`,
          peer: "",
          ratio: "",
          target: "",
        });
      }
    } finally {
      await gateway.close();
      await database.drop();
    }
    return rows;
  },
};

async function timed(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now();
    await run();
    times.push(performance.now() - before);
  }
  return median(times);
}
