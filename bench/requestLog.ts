/** How long an operator waits for the request log: `/requests` and `/statistics` over as much as is ever kept. */
import { testGateway } from "../test/support/gateway.ts";
import { requestsAs } from "../test/management/requests.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";

const KEPT = 100_000;
const TIMES = 15;
const MOST_MS = 300;

export const benchmark: Benchmark = {
  name: "requests that are kept",
  async run() {
    const gateway = await testGateway();
    try {
      await gateway.database.client.query(`
insert into portolan.requests (at, id, account, address, method, path, status, ms, code, error_id, host, process)
select
  now() - i * interval '0.8 s', gen_random_uuid()::text, 'guest', '127.0.0.1', 'GET', '/api/v4/users/guest',
  case when i % 100 = 0 then 500 else 200 end, 3, case when i % 100 = 0 then 'INTERNAL' end,
  case when i % 100 = 0 then 'e' || i end, 'host', 1
from generate_series(1, ${KEPT}) i;
analyze portolan.requests`);
      const captain = await requestsAs(gateway, "captain");
      const rows: Row[] = [];
      for (const path of [
        "/requests?limit=100",
        `/requests?errorId=e${KEPT}`,
        "/requests?id=nowhere",
        "/requests?account=guest&limit=1000",
        "/requests?ms=1000",
        "/statistics",
      ]) {
        const durations: number[] = [];
        for (let n = 0; n < TIMES; n++) {
          const started = performance.now();
          await captain("get", path).expect(200);
          durations.push(performance.now() - started);
        }
        durations.sort((a, b) => a - b);
        const [median = NaN, longest = NaN] = [durations[Math.floor(TIMES / 2)], durations.at(-1)];
        rows.push({
          what: `GET ${path} of ${KEPT}`,
          ours: `${median.toFixed(1)} ms`,
          peer: `longest of ${TIMES} ${longest.toFixed(1)} ms`,
          ratio: "",
          target: `≤ ${MOST_MS} ms`,
        });
      }
      return rows;
    } finally {
      await gateway.close();
    }
  },
};
