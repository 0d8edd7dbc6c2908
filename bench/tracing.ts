/** What traces cost: the same requests of two gateways, of which one tells a tenth of them to a receiver. */
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { ACCOUNT, buildFixture } from "./support/fixture.ts";
import { comparison, measureInTurn } from "./support/load.ts";
import { startPeer } from "./support/peer.ts";
import { postmasterOf } from "./support/processes.ts";

const SAMPLED = "0.1";
const LIST = "{ getCityParks(limit: 50) { id name visitors } }";

export const benchmark: Benchmark = {
  name: "traces",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    const receiver = await startPeer("traceReceiver", {}); // in this process it would keep the load from being made
    const env = { DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" };
    const [without, traced] = await Promise.all([
      GatewayProcess.start(env),
      GatewayProcess.start({
        ...env,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_TRACES_SAMPLER_ARG: SAMPLED,
      }),
    ]);
    try {
      const targetOf = async (name: string, { baseUrl, pid }: GatewayProcess) => ({
        name,
        pid,
        url: `${baseUrl}/api/graphql/schema/city`,
        headers: { authorization: `Bearer ${await tokenFor(database, baseUrl, ACCOUNT)}` },
        body: JSON.stringify({ query: LIST }),
      });
      const [ours, theirs] = await measureInTurn(
        [await targetOf("Portolan", traced), await targetOf("without traces", without)],
        await postmasterOf(database.client),
      );
      if ((await (await fetch(receiver.url)).text()) === "0") throw new Error("nothing was traced");
      return [comparison("list of 50, a tenth of the requests traced", ours!, theirs!, "≥ 0.95")];
    } finally {
      await Promise.all([without.stop(), traced.stop(), receiver.stop()]);
      await database.drop();
    }
  },
};
