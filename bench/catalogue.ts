/** Reading the catalogue at the start of the gateway and after DDL, in a large database, with and without JIT. */
import { setTimeout } from "node:timers/promises";
import { makeIntrospectionQuery } from "postgraphile/graphile-build-pg/pg-introspection";
import { openAsGateway, testDatabase, type TestDatabase } from "../test/support/databases.ts";
import { tokenFor } from "../test/support/gateway.ts";
import { GatewayProcess } from "../test/support/process.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { ACCOUNT } from "./support/fixture.ts";
import { median } from "./support/load.ts";

const SCHEMAS = 50;
const COLLECTIONS = 1200;
const TABLES = 500;
const ROUNDS = 5;

const SPREAD = Array.from({ length: SCHEMAS }, (_, n) => `s${n}`);
const ALL = `'{${SPREAD.join(",")}}'::text[]`;

/** By purpose. */
const READS: Readonly<Record<string, string>> = {
  "schemas that are exposed": "select portolan.exposed_schemas()",
  "fingerprint of DDL": `select * from portolan.catalogue(${ALL})`,
  "rights that super users lack": `select portolan.share_with_owner(${ALL})`,
  "rules and histories in line": "select * from portolan.follow_ddl()",
  "triggers of events": `select * from portolan.sync_events(${ALL}, false)`,
  "relations that rules deny": "select * from portolan.refusing_relations()",
  "collections of OGC API": `select portolan.collections(${ALL})`,
  "tables with history": "select * from portolan.versioned_relations()",
  "tables with workflow": "select * from portolan.workflow_relations()",
  "introspection for GraphQL": makeIntrospectionQuery(),
  "stored methods": "select * from portolan.list_methods()",
  "functions that are methods": `select * from portolan.method_functions(${ALL})`,
  "one table, for its events": "select portolan.event_table('s7', 'c7')",
};

export const benchmark: Benchmark = {
  name: "reads of the catalogue",
  async run() {
    const database = await testDatabase({ kind: "portolan" });
    await makeTables(database);
    const gateway = openAsGateway(database, { statementTimeoutMs: 0 });
    const rows: Row[] = [];
    try {
      for (const [what, text] of Object.entries(READS)) {
        const times: Record<string, number[]> = { ours: [], on: [] };
        for (let round = 0; round <= ROUNDS; round++)
          for (const [name, settings] of [
            ["ours", "set local statement_timeout = 0"],
            ["on", "set local statement_timeout = 0; set local jit = on"],
          ] as const)
            await gateway.db.tx(async (tx) => {
              await tx.none(settings);
              const before = performance.now();
              await tx.any(text);
              if (round > 0) times[name]?.push(performance.now() - before);
            });
        const [ours, on] = [median(times["ours"]!), median(times["on"]!)];
        rows.push({
          what,
          ours: `${ours.toFixed(1)} ms`,
          peer: `with JIT ${on.toFixed(1)} ms`,
          ratio: `${(ours / on).toFixed(2)}×`,
          target: "",
        });
      }
    } finally {
      await gateway.close();
    }
    rows.push(await madeTable(database), ...(await firstAnswers(database)));
    await database.drop();
    return rows;
  },
};

/** `create table`, which the event trigger follows: the new table gets its rights and rules in the same transaction. */
async function madeTable({ client }: TestDatabase): Promise<Row> {
  await client.query("create table s9.first_of_session ()");
  const times: number[] = [];
  for (let round = 0; round < 20; round++) {
    const before = performance.now();
    await client.query(`create table s9.made${round} ()`);
    times.push(performance.now() - before);
  }
  await client.query("alter event trigger portolan_follow_ddl disable");
  const before = performance.now();
  for (let round = 0; round < 20; round++) await client.query(`create table s9.plain${round} ()`);
  const plain = (performance.now() - before) / 20;
  return {
    what: `DDL that makes a table beside ${COLLECTIONS + TABLES}`,
    ours: `${median(times).toFixed(1)} ms`,
    peer: `not followed ${plain.toFixed(1)} ms`,
    ratio: "",
    target: "",
  };
}

/**
 * How long a client waits for an answer that needs the catalogue: after the gateway has just started, and after DDL.
 */
async function firstAnswers(database: TestDatabase): Promise<Row[]> {
  const gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "warn" });
  try {
    const authorization = `Bearer ${await tokenFor(database, gateway.baseUrl, ACCOUNT)}`;
    const collection = `${gateway.baseUrl}/api/v4/ogc/database/${database.name}/collections/s9.c9`;
    const timed = async (what: string, wanted: string): Promise<Row> => {
      const before = performance.now();
      for (;;) {
        const response = await fetch(`${collection}/schema?f=json`, { headers: { authorization } });
        if ((await response.text()).includes(`"${wanted}"`)) break;
      }
      return { what, ours: `${(performance.now() - before).toFixed(0)} ms`, peer: "", ratio: "", target: "< 1 s" };
    };
    const first = await timed(`first answer of the OGC API after the start, ${COLLECTIONS} collections`, "name");
    await database.client.query("alter table s9.c9 add column added text");
    const changed = await timed(`DDL to the first answer with it, ${COLLECTIONS} collections`, "added");
    return [first, changed, ...(await capabilities(database, gateway.baseUrl))];
  } finally {
    await gateway.stop();
  }
}

/** Capabilities of the classic services for an account that sees all collections: the first time, and again. */
async function capabilities(database: TestDatabase, baseUrl: string): Promise<Row[]> {
  const root = `${baseUrl}/ows/${database.name}`;
  const authorization = `Bearer ${await tokenFor(database, baseUrl, ACCOUNT)}`;
  for (const schema of SPREAD)
    await database.client.query(
      `grant usage on schema ${schema} to "${ACCOUNT}@${database.name}"; grant select on all tables in schema ${schema} to "${ACCOUNT}@${database.name}"`,
    );
  // the catalogue is read again after the grants, which is no part of the answers
  const one = `${baseUrl}/api/v4/ogc/database/${database.name}/collections/s11.c11?f=json`;
  while ((await fetch(one, { headers: { authorization } })).status !== 200) await setTimeout(50);
  const rows: Row[] = [];
  for (const [service, version] of [
    ["WMS", "1.3.0"],
    ["WFS", "2.0.0"],
    ["WMTS", "1.0.0"],
  ] as const) {
    const ask = async (): Promise<number> => {
      const before = performance.now();
      const response = await fetch(`${root}?service=${service}&version=${version}&request=GetCapabilities`, {
        headers: { authorization },
      });
      const text = await response.text();
      if (!text.includes("s11.c11")) throw new Error(`${service}: ${text.slice(0, 500)}`);
      return performance.now() - before;
    };
    const what = `capabilities of ${service}, ${COLLECTIONS} collections`;
    const row = (name: string, ms: number, target: string): Row => ({
      what: name,
      ours: `${ms.toFixed(0)} ms`,
      peer: "",
      ratio: "",
      target,
    });
    rows.push(row(what, await ask(), "≤ 1 s"));
    const again: number[] = [];
    for (let round = 0; round < 20; round++) again.push(await ask());
    rows.push(row(`${what}, again`, median(again), "≤ 20 ms"));
  }
  return rows;
}

/** 1,200 tables with a geometry and 500 without in 50 schemas, a rule for one of them, history of a table. */
async function makeTables({ client }: TestDatabase): Promise<void> {
  await client.query("alter event trigger portolan_follow_ddl disable"); // it is followed once, at the end
  for (const [n, schema] of SPREAD.entries())
    await client.query(`
create schema ${schema};
do $$ begin
  for i in ${n}..${COLLECTIONS - 1} by ${SCHEMAS} loop
    execute format('create table ${schema}.c%s (id int primary key, name text, at timestamptz, tags text[], geom geometry(Point, 4326))', i);
  end loop;
  for i in ${n}..${TABLES - 1} by ${SCHEMAS} loop
    execute format('create table ${schema}.t%s (id int primary key, name text, at timestamptz, parent_id int references ${schema}.t%s)', i, greatest(i - ${SCHEMAS}, ${n}));
  end loop;
end $$`);
  await client.query(`
select portolan.create_rule('{"schema": "s3", "access": "deny", "username": "no*"}');
select portolan.enable_versioning('s4.c4'), portolan.enable_events('s7.c7'), portolan.enable_workflow('s8.c8');
select portolan.create_user('${ACCOUNT}', null), portolan.set_privilege('s9.c9', '${ACCOUNT}', 'read');
select portolan.share_with_owner(${ALL})`);
  await client.query("vacuum analyze");
  await client.query("alter event trigger portolan_follow_ddl enable");
}
