/** What traces cost: the same requests of two gateways, of which one tells a tenth of them to a receiver. */
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { otlpReceiver } from "../test/support/otlpReceiver.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, buildFixture } from "./support/fixture.ts";
import { measureInTurn } from "./support/load.ts";

const SAMPLED = "0.1";
const LIST = "{ getCityParks(limit: 50) { id name visitors } }";

export const benchmark: Benchmark = {
  name: "traces",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    await using receiver = await otlpReceiver();
    const env = { DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" };
    const [without, traced] = await Promise.all([
      GatewayProcess.start(env),
      GatewayProcess.start({
        ...env,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
        OTEL_TRACES_SAMPLER_ARG: SAMPLED,
      }),
    ]);
    try {
      const targetOf = async (name: string, { baseUrl }: GatewayProcess) => ({
        name,
        url: `${baseUrl}/api/graphql/schema/city`,
        headers: { authorization: `Bearer ${await tokenFor(database, baseUrl, ACCOUNT)}` },
        body: JSON.stringify({ query: LIST }),
      });
      const rates = await measureInTurn([await targetOf("traced", traced), await targetOf("without", without)]);
      if (receiver.spans.length === 0) throw new Error("nothing was traced");
      const [ours, theirs] = [rates.get("traced") ?? NaN, rates.get("without") ?? NaN];
      const row: Row = {
        what: "list of 50, a tenth of the requests traced",
        ours: `${Math.round(ours)} req/s`,
        peer: `without traces ${Math.round(theirs)} req/s`,
        ratio: (ours / theirs).toFixed(2),
        target: "≥ 0.95",
      };
      return [row];
    } finally {
      await Promise.all([without.stop(), traced.stop()]);
      await database.drop();
    }
  },
};
