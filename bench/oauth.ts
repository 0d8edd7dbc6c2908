/**
 * Refresh, client credentials and password grants per second and core, by the processor time of the gateway and of PostgreSQL, which
 * other work hardly changes; and the delay of other requests while people sign in as fast as passwords are
 * hashed.
 */
import { setTimeout } from "node:timers/promises";
import { testDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT, buildFixture } from "./support/fixture.ts";
import { median } from "./support/load.ts";
import { childrenOf, familyOf, postmasterOf, stopwatch } from "./support/processes.ts";

const SECONDS = 4;
const CONNECTIONS = 8;
const ROUNDS = 3;
/** Requests per second that are sent on time, however long the answers take, so that a growing queue shows. */
const PACE = 100;

interface Tokens {
  readonly refresh_token: string;
}

export const benchmark: Benchmark = {
  name: "OAuth",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await buildFixture(database);
    await database.client.query("select portolan.create_user('person', 'a password')");
    const { rows } = await database.client.query<{ secret: string }>(
      `select portolan.create_client('service', 'Service', '{}', public => false, grants => '{client_credentials}',
 account => 'person') as secret`,
    );
    const [made] = rows;
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
    const { baseUrl } = gateway;
    const postmaster = await postmasterOf(database.client);
    const authorization = `Bearer ${await tokenFor(database, baseUrl, ACCOUNT)}`;

    async function grant(body: object): Promise<Tokens> {
      const response = await fetch(`${baseUrl}/api/v4/oauth`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ client_id: "portolan-cli", ...body }),
      });
      const answer = (await response.json()) as Tokens;
      if (response.status !== 200) throw new Error(JSON.stringify(answer));
      return answer;
    }
    const signIn = () => grant({ grant_type: "password", username: "person", password: "a password" });

    /** Grants of `CONNECTIONS` chains, each of which sends its next request as soon as it has an answer, per second and core. */
    async function rateOf(next: (chain: number) => Promise<void>, seconds: number): Promise<number> {
      const end = performance.now() + seconds * 1000;
      const spentMs = stopwatch(() => [...familyOf(gateway.pid), ...childrenOf(postmaster)]);
      let answered = 0;
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async (_, chain) => {
          for (; performance.now() < end; answered++) await next(chain);
        }),
      );
      return (answered * 1000) / spentMs();
    }

    /** The 99th percentile of GraphQL requests at a steady pace, in milliseconds. */
    async function latency(seconds: number): Promise<number> {
      const spent: number[] = [];
      const pending: Promise<void>[] = [];
      const started = performance.now();
      for (let n = 0; n < PACE * seconds; n++) {
        await setTimeout(Math.max(0, started + (n * 1000) / PACE - performance.now()));
        const sent = performance.now();
        pending.push(
          fetch(`${baseUrl}/api/graphql/schema/city`, {
            method: "POST",
            headers: { authorization, "content-type": "application/json" },
            body: JSON.stringify({ query: "{ getCityParks(limit: 50) { id name visitors opened } }" }),
          })
            .then((response) => response.text())
            .then(() => void spent.push(performance.now() - sent)),
        );
      }
      await Promise.all(pending);
      return spent.toSorted((a, b) => a - b)[Math.floor(spent.length * 0.99)] ?? NaN;
    }

    try {
      const chains = await Promise.all(Array.from({ length: CONNECTIONS }, signIn));
      const refresh = async (chain: number): Promise<void> => {
        chains[chain] = await grant({ grant_type: "refresh_token", refresh_token: chains[chain]?.refresh_token });
      };
      const service = { grant_type: "client_credentials", client_id: "service", client_secret: made?.secret };
      const authenticate = async (): Promise<void> => void (await grant(service));
      const rates: Record<"refresh" | "service", number[]> = { refresh: [], service: [] };
      for (let round = 0; round <= ROUNDS; round++) {
        const [refreshes, credentials] = [await rateOf(refresh, SECONDS / 2), await rateOf(authenticate, SECONDS / 2)];
        if (round === 0) continue; // both are warm after it
        rates.refresh.push(refreshes);
        rates.service.push(credentials);
      }
      const passwords = await rateOf(async () => void (await signIn()), SECONDS);
      await latency(1);
      const quiet: number[] = [];
      const busy: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        quiet.push(await latency(SECONDS));
        const hashing = rateOf(async () => void (await signIn()), SECONDS + 0.5);
        await setTimeout(250);
        busy.push(await latency(SECONDS));
        await hashing;
      }
      const perCore = (what: string, rate: number, target: string): Row => ({
        what,
        ours: `${Math.round(rate)}/s and core`,
        peer: "",
        ratio: "",
        target,
      });
      const [alone, beside] = [median(quiet), median(busy)];
      return [
        perCore("refresh grants, most of all rounds", Math.max(...rates.refresh), "≥ 150"),
        perCore("client credentials grants, most of all rounds", Math.max(...rates.service), "≥ 150"),
        perCore("password grants", passwords, "as argon2id allows"),
        {
          what: "GraphQL p99 at 100 req/s while password grants run at full rate",
          ours: `${beside.toFixed(1)} ms`,
          peer: `alone ${alone.toFixed(1)} ms`,
          ratio: (beside / alone).toFixed(2),
          target: "≤ 2",
        },
      ];
    } finally {
      await gateway.stop();
      await database.drop();
    }
  },
};
