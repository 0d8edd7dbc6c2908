/** Checks of a Citus cluster: its version, its nodes, and rules that cannot hold on shards. */
import type pg from "pg";
import type { Finding } from "../../ground/finding.ts";
import { quoteIdentifier } from "../../kernel/database/database.ts";
import { one, REPAIR } from "./check.ts";

interface NodeAnswer {
  readonly name: string;
  readonly port: number;
  readonly success: boolean;
  readonly result: string;
}

/** No finding without Citus. */
export async function citus(client: pg.Client): Promise<readonly Finding[]> {
  const { version } = await one<{ version: string | null }>(
    client,
    "select (select extversion from pg_extension where extname = 'citus') as version",
  );
  if (version === null) return [];
  const answers = await nodesAsAccount(client);
  const { rows } = await client.query<{ finding: string; remedy: string; is_error: boolean }>(
    "select finding, remedy, is_error from portolan.cluster_findings()",
  );
  return [
    { ok: true, text: `Citus ${version} with ${answers.length} nodes`, remedy: [] },
    ...answers.map(({ name, port, success, result }) => ({
      ok: success,
      text: success
        ? `accounts can log in at the node ${name}:${port}`
        : `an account cannot log in at the node ${name}:${port}: ${result}`,
      remedy: [
        "in pg_hba.conf there, allow the other nodes to log in as the roles of accounts, with scram-sha-256",
        REPAIR,
      ],
    })),
    ...rows.map(({ finding, remedy, is_error }) => ({
      ok: false,
      severity: is_error ? ("error" as const) : ("warning" as const),
      text: finding,
      remedy: remedy.split("\n"),
    })),
  ];
}

/** Each node, asked by Citus as an account asks it: that it connects proves that the account may log in there. */
async function nodesAsAccount(client: pg.Client): Promise<readonly NodeAnswer[]> {
  const { role } = await one<{ role: string }>(
    client,
    "select role from portolan.users where role_made order by name = 'anonymous', name limit 1",
  );
  await client.query("begin read only");
  try {
    await client.query(`set local role ${quoteIdentifier(role)}`);
    const { rows } = await client.query<NodeAnswer>(`
select n.nodename as name, n.nodeport as port, a.success, a.result
from run_command_on_all_nodes('select 1') a join pg_dist_node n on n.nodeid = a.nodeid
order by 1, 2`);
    return rows;
  } finally {
    await client.query("rollback");
  }
}
