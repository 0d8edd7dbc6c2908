/**
 * The effect of twelve slow statements of one account on requests of others: on the connections of requests, and on own
 * logins.
 */
import type { Database, Identity } from "../server/kernel/database/database.ts";
import { findAccount } from "../server/kernel/identity/tokens.ts";
import { openAsGateway, testDatabase } from "../test/support/databases.ts";
import { until } from "../test/support/until.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { quantile } from "./support/load.ts";

const SLOW = 12;
const REQUESTS = 400;
/** One statement that waits, as for a lock, and one that computes. */
const STATEMENTS = { wait: "select pg_sleep(60)", compute: "select count(*) from generate_series(1, 1000000000000)" };

type Run = (name: string, text: string, signal?: AbortSignal) => Promise<unknown>;

export const benchmark: Benchmark = {
  name: "shares",
  async run() {
    const test = await testDatabase({ kind: "portolan" });
    const database = openAsGateway(test, { poolSize: 10, statementTimeoutMs: 60_000 });
    const rows: Row[] = [];
    try {
      await test.client.query("select portolan.create_user('eve', null), portolan.create_user('bob', null)");
      const ways: Readonly<Record<string, Run>> = {
        "connections of requests": async (name, text, signal) =>
          database.withIdentity(
            await identityOf(database, name),
            { service: "graphql", readOnly: true, signal },
            (one) => one.query({ text }),
          ),
        "own logins": async (name, text, signal) =>
          database.withOwnLogin(await identityOf(database, name), { service: "sql", signal }, (one) =>
            one.query({ text }),
          ),
      };
      const isSlow =
        "select count(*)::int from pg_stat_activity where query = $1 and state = 'active' and datname = current_database()";
      for (const [where, run] of Object.entries(ways))
        for (const [kind, text] of Object.entries(STATEMENTS)) {
          const alone = await p95(run);
          const leaving = new AbortController();
          const slow = Array.from({ length: SLOW }, () => run("eve", text, leaving.signal).catch(() => undefined));
          await until(async () => (await test.client.query<{ count: number }>(isSlow, [text])).rows[0]!.count >= 6);
          const beside = await p95(run);
          leaving.abort();
          await Promise.all(slow);
          rows.push({
            what: `p95 of another account beside ${SLOW} statements that ${kind}, ${where}`,
            ours: `${beside.toFixed(2)} ms`,
            peer: `${alone.toFixed(2)} ms alone`,
            ratio: (beside / alone).toFixed(2),
            target: "≤ 2",
          });
        }
    } finally {
      await database.close();
      await test.drop();
    }
    return rows;
  },
};

const identities = new Map<string, Identity>();

async function identityOf(database: Database, name: string): Promise<Identity> {
  let identity = identities.get(name);
  if (!identity) {
    const account = await findAccount(database, name);
    if (!account) throw new Error(`no account ${name}`);
    const { role, roleMade } = account;
    identities.set(name, (identity = { database: database.name, name, role, roleMade, claims: { sub: name } }));
  }
  return identity;
}

/** One request after the other. */
async function p95(run: Run): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < REQUESTS; at++) {
    const began = performance.now();
    await run("bob", "select 1");
    times.push(performance.now() - began);
  }
  return quantile(times, 0.95);
}
