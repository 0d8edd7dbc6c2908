/**
 * The cost of traces: the same requests to eight gateways, four of which report a tenth of them to a receiver. Two
 * processes of the same kind differ by up to a tenth, which is more than the effect to measure, and the first one has
 * an advantage.
 */
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark } from "./support/benchmark.ts";
import { ACCOUNT, buildFixture } from "./support/fixture.ts";
import { comparison, measureInTurn, type Measured } from "./support/load.ts";
import { startPeer } from "./support/peer.ts";
import { postmasterOf } from "./support/processes.ts";

const SAMPLED = "0.1";
const LIST = "{ getCityParks(limit: 50) { id name visitors } }";

export const benchmark: Benchmark = {
  name: "traces",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    const receiver = await startPeer("traceReceiver", {}); // in this process it would delay the load
    const gateways: GatewayProcess[] = [];
    const env = { DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" };
    const tracing = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: SAMPLED };
    const kinds = [env, tracing, tracing, env, env, tracing, tracing, env];
    try {
      for (const each of kinds) gateways.push(await GatewayProcess.start(each));
      const targets = gateways.map(async ({ baseUrl, pid }, index) => ({
        name: kinds[index] === env ? "without traces" : "Portolan",
        pid,
        url: `${baseUrl}/api/graphql/schema/city`,
        headers: { authorization: `Bearer ${await tokenFor(database, baseUrl, ACCOUNT)}` },
        body: JSON.stringify({ query: LIST }),
      }));
      const measured = await measureInTurn(await Promise.all(targets), await postmasterOf(database.client));
      if ((await (await fetch(receiver.url)).text()) === "0") throw new Error("nothing was traced");
      const [ours, theirs] = [tracing, env].map((kind) => mean(measured.filter((_, index) => kinds[index] === kind)));
      return [comparison("list of 50, a tenth of the requests traced", ours!, theirs!, "≥ 0.95")];
    } finally {
      await Promise.all([...gateways, receiver].map((each) => each.stop()));
      await database.drop();
    }
  },
};

function mean(all: readonly Measured[]): Measured {
  const of = (member: "rate" | "service" | "postgres"): number =>
    all.reduce((sum, measured) => sum + measured[member], 0) / all.length;
  return { name: all[0]!.name, rate: of("rate"), service: of("service"), postgres: of("postgres") };
}
