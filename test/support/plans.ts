/** The plans that PostgreSQL ran for statements of a database, with the rows that each node read. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { testCluster, type TestDatabase } from "./databases.ts";
import { until } from "./until.ts";

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Node[];
}

/** Makes new sessions write their plans into the log of the server. */
export async function logPlans({ client, name }: Pick<TestDatabase, "client" | "name">): Promise<void> {
  const settings = { min_duration: "0", analyze: "on", timing: "off", format: "json" };
  await client.query(`alter database ${name} set session_preload_libraries = 'auto_explain'`);
  for (const [setting, value] of Object.entries(settings))
    await client.query(`alter database ${name} set auto_explain.log_${setting} = '${value}'`);
}

/**
 * The number of rows of a table that PostgreSQL read for the statements of `ask`. `statement`: a text that only these
 * statements contain, since a plan may reach the log late. `ask` may be called again.
 */
export async function rowsRead(table: string, statement: RegExp, ask: () => Promise<unknown>): Promise<number> {
  const log = join((await testCluster()).directory, "postgres.log");
  let scans: readonly Node[] = [];
  // a large log is begun again, and then the plan may be gone
  while (scans.length === 0) {
    const before = statSync(log).size;
    await ask();
    await until(() => {
      const plans = plansIn(endOf(log, before)).filter((plan) => statement.test(plan["Query Text"]));
      scans = plans.flatMap(({ Plan }) => scansOf(Plan, table));
      return scans.length > 0 || statSync(log).size < before;
    });
  }
  return scans.reduce((sum, scan) => sum + readBy(scan), 0);
}

/** The text of a file from a byte on; the whole text if it is shorter by now. */
function endOf(path: string, begin: number): string {
  const file = openSync(path, "r");
  try {
    const { size } = statSync(path);
    const from = begin <= size ? begin : 0;
    const bytes = Buffer.alloc(size - from);
    readSync(file, bytes, 0, bytes.length, from);
    return bytes.toString();
  } finally {
    closeSync(file);
  }
}

interface Logged {
  readonly "Query Text": string;
  readonly Plan: Node;
}

function plansIn(log: string): Logged[] {
  const plans = log.matchAll(/plan:\n(\t\{\n(?:\t.*\n)+?\t\}\n)/g);
  return [...plans].map(([, text]) => JSON.parse(text!.replaceAll(/^\t/gm, "")) as Logged);
}

function scansOf(node: Node, table: string): Node[] {
  return [
    ...(node["Relation Name"] === table ? [node] : []),
    ...(node.Plans ?? []).flatMap((each) => scansOf(each, table)),
  ];
}

function readBy(scan: Node): number {
  const each =
    scan["Actual Rows"] + (scan["Rows Removed by Filter"] ?? 0) + (scan["Rows Removed by Index Recheck"] ?? 0);
  return each * scan["Actual Loops"];
}
