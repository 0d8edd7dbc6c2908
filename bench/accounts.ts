/**
 * Costs that grow with the number of accounts: the check that a gateway makes twice a second, and a request as one of
 * them.
 */
import { GENERATIONS, ROLES } from "../server/kernel/catalogue/accountsWatch.ts";
import type { Database } from "../server/kernel/database/database.ts";
import { openAsGateway, testDatabase } from "../test/support/databases.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

const SIZES = [10, 1000, 5000];
/** Made as roles alone, which the check meets as it meets accounts. */
const ROLES_MADE = 100_000;
const ROUNDS = 50;

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
        const look = await looked(gateway);
        const request = await timed(() =>
          gateway.withIdentity(
            { database: database.name, name: `account${size}`, role, roleMade: true, claims: {} },
            { service: "graphql", readOnly: true },
            (transaction) => transaction.query({ name: "bench", text: "select * from town.parks", values: [] }),
          ),
        );
        rows.push({
          what: `${size} accounts`,
          ours: `${look}, read as one ${request.toFixed(2)} ms, made in ${eachMs.toFixed(1)} ms each`,
          peer: "",
          ratio: "",
          target: "",
        });
      }
      await database.client.query(`do $$ begin
  for i in 1..${ROLES_MADE} loop execute format('create role "bench%s" in role "team@${database.name}"', i); end loop;
end $$`);
      await database.client.query("vacuum analyze pg_auth_members, pg_authid");
      rows.push({ what: `${ROLES_MADE} roles`, ours: await looked(gateway), peer: "", ratio: "", target: "" });
    } finally {
      await gateway.close();
      await database.drop();
    }
    return rows;
  },
};

async function looked(gateway: Database): Promise<string> {
  const changes = await timed(() => gateway.db.any(GENERATIONS));
  const roles = await timed(() => gateway.db.any(ROLES));
  return `look ${changes.toFixed(2)} ms, at all roles ${roles.toFixed(2)} ms`;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now();
    await run();
    times.push(performance.now() - before);
  }
  return median(times);
}
