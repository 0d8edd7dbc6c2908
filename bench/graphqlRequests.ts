/** One row by its key, inserts of one and of 1,000 rows, and a query text that was never seen before. */
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, buildFixture } from "./support/fixture.ts";
import { median } from "./support/load.ts";

const TIMES = 300;

export const benchmark: Benchmark = {
  name: "GraphQL requests, one after the other",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    await database.client.query(`
create table city.notes (id bigint generated always as identity primary key, text text, n int);
select portolan.set_privilege('city.notes', '${ACCOUNT}', 'write');`);
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0" });
    const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`;
    const ask = async (query: string, variables?: object): Promise<void> => {
      const response = await fetch(`${gateway.baseUrl}/api/graphql/schema/city`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ query, variables }),
      });
      const { errors } = (await response.json()) as { errors?: unknown };
      if (errors) throw new Error(JSON.stringify(errors));
    };
    const thousand = Array.from({ length: 1000 }, (_, n) => ({ text: `note ${n}`, n }));
    const cases: readonly [what: string, times: number, run: (n: number) => Promise<void>][] = [
      [
        "one row by id",
        TIMES,
        (n) => ask("query ($id: ID) { getCityParks(id: $id) { id name visitors } }", { id: n + 1 }),
      ],
      [
        "one row, query text never seen",
        TIMES,
        (n) => ask(`{ a${n}: getCityParks(id: ${n + 1}) { id name visitors } }`),
      ],
      [
        "insert of 1 row",
        TIMES,
        (n) => ask("mutation ($d: JSON) { insertNotes(data: $d) { id } }", { d: { text: "x", n } }),
      ],
      [
        "insert of 1,000 rows",
        20,
        () => ask("mutation ($o: [JSON]) { insertNotes(objects: $o) { id } }", { o: thousand }),
      ],
    ];
    const rows: Row[] = [];
    try {
      for (const [what, times, run] of cases) {
        for (let n = 0; n < 20; n++) await run(4000 + n);
        const spent: number[] = [];
        for (let n = 0; n < times; n++) {
          const started = performance.now();
          await run(n);
          spent.push(performance.now() - started);
        }
        rows.push({ what, ours: `${median(spent).toFixed(2)} ms`, peer: "", ratio: "", target: "" });
      }
    } finally {
      await gateway.stop();
      await database.drop();
    }
    return rows;
  },
};
