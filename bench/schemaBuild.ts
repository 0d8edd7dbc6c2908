/** How long a GraphQL schema takes to build, its memory, and the delay until DDL shows. */
import { buildSchema } from "../server/graphql/build/build.ts";
import { introspect, prune } from "../server/graphql/build/introspection.ts";
import { makeConfig } from "../server/kernel/config.ts";
import { openDatabase } from "../server/kernel/database/database.ts";
import { createLog } from "../server/ground/log.ts";
import { testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess, megabytesOf } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { quantile } from "./support/load.ts";

const SCHEMAS = 50;
const RELOADS = 40;

const makeTables = (schema: string, count: number): string => `
create schema ${schema};
do $$ begin
  for i in 1..${count} loop
    execute format('create table ${schema}.t%s (id int primary key, name text, at timestamptz, tags text[], parent_id int references ${schema}.t%s)', i, greatest(i - 1, 1));
  end loop;
end $$;`;

/** The parts of a schema before there were aggregates, pages, node ids and versions. */
const WITHOUT = { disablePlugins: ["AggregatePlugin", "PagePlugin", "NodeIdPlugin", "VersionPlugin"] };

/**
 * The least processor time in milliseconds of a build of 100 tables: without the newer fields, with them, and with them
 * left out by comments.
 */
async function builds({ url, client }: TestDatabase): Promise<readonly [number, number, number]> {
  await client.query(makeTables("quiet", 100));
  await client.query(`
do $$ begin
  for i in 1..100 loop
    execute format('comment on table quiet.t%s is %L', i, '@behavior -aggregate -page');
  end loop;
end $$;`);
  const limits = { poolSize: 1, connectTimeoutMs: 5000, statementTimeoutMs: 60_000 };
  const database = openDatabase({ name: "bench", url, ...limits });
  const introspection = await introspect(database).finally(() => database.close());
  const config = makeConfig();
  const sides = [
    { schema: "s100", preset: WITHOUT },
    { schema: "s100", preset: {} },
    { schema: "quiet", preset: {} },
  ];
  const spent: number[][] = sides.map(() => []);
  for (let round = -4; round < 9; round++)
    for (const [index, { schema, preset }] of sides.entries()) {
      const pruned = prune(introspection, schema, () => true)!;
      const before = process.cpuUsage();
      await buildSchema(pruned, { ...config, preset }, createLog("silent"));
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) spent[index]!.push((user + system) / 1000);
    }
  return spent.map((each) => Math.min(...each)) as unknown as [number, number, number];
}

export const benchmark: Benchmark = {
  name: "GraphQL schemas",
  async run() {
    const database: TestDatabase = await testDatabase({ kind: "portolan" });
    await database.client.query("select portolan.create_user('chief', null, superuser => true)");
    for (const count of [10, 100, 500]) await database.client.query(makeTables(`s${count}`, count));
    for (let n = 0; n < SCHEMAS; n++) await database.client.query(makeTables(`many${n}`, 20));
    const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0" });
    const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, "chief")}`;
    const ask = async (schema: string, query: string): Promise<{ errors?: unknown }> => {
      const response = await fetch(`${gateway.baseUrl}/api/graphql/schema/${schema}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as { errors?: unknown };
    };
    const timed = async (run: () => Promise<unknown>): Promise<number> => {
      const started = performance.now();
      await run();
      return performance.now() - started;
    };
    const rows: Row[] = [];
    const add = (what: string, ours: string, target = ""): void =>
      void rows.push({ what, ours, peer: "", ratio: "", target });
    try {
      for (const count of [10, 100, 500])
        add(
          `first answer, schema of ${count} tables`,
          `${Math.round(await timed(() => ask(`s${count}`, "{ getT1 { id } }")))} ms`,
        );
      const [without, whole, leftOut] = await builds(database);
      for (const [what, ours, target] of [
        ["build of 100 tables, least processor time", whole, "≤ 2"],
        ["build of 100 tables with `@behavior -aggregate -page`", leftOut, "≤ 1.1"],
      ] as const)
        rows.push({
          what,
          ours: `${Math.round(ours)} ms`,
          peer: `without aggregates, pages, ids and versions ${Math.round(without)} ms`,
          ratio: (ours / without).toFixed(2),
          target,
        });
      const before = megabytesOf(gateway.pid);
      const all = await timed(async () => {
        for (let n = 0; n < SCHEMAS; n++) await ask(`many${n}`, "{ getT1 { id } }");
      });
      add(
        `${SCHEMAS} schemas of 20 tables`,
        `${Math.round(all)} ms, ${Math.round(megabytesOf(gateway.pid) - before)} MB`,
      );
      const reloads: number[] = [];
      for (let n = 0; n < RELOADS; n++) {
        await new Promise((resolve) => setTimeout(resolve, (n * 137) % 1000)); // at any moment between two looks at the catalogue
        await database.client.query(`create table s10.new${n} (id int primary key)`);
        reloads.push(
          await timed(async () => {
            while ((await ask("s10", `{ getNew${n} { id } }`)).errors)
              await new Promise((resolve) => setTimeout(resolve, 20));
          }),
        );
      }
      const [p50, p95] = [0.5, 0.95].map((share) => Math.round(quantile(reloads, share)));
      add(
        `DDL to the first answer with it, 53 schemas of 1,610 tables built, ${RELOADS} times`,
        `p50 ${p50}, p95 ${p95} ms`,
        "p95 ≤ 500 ms",
      );
    } finally {
      await gateway.stop();
      await database.drop();
    }
    return rows;
  },
};
