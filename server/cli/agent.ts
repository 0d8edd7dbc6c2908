/** Commands about the agents that use the agents' door. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addAgentCommands(program: Command): void {
  const agent = program.command("agent").description("agents that act for accounts (Model Context Protocol)");
  listing(
    agent.command("list [account]").description("all agents, the latest request first"),
    `select id, account_name as account, client_id as client, software, scope, address, last_at, expires_at as expires, calls, refused,
       refusal ->> 'message' as refusal
     from portolan.list_agents($1)`,
  );
  listing(
    agent.command("requests <id>").description("requests of an agent in the last 24 hours, latest first"),
    "select at, operation, status, round(ms::numeric) as ms, code, relation, error from portolan.agent_requests($1)",
  );
  calling(
    agent.command("end <id>").description("end an agent: its tokens become invalid, and its streams end"),
    "select portolan.end_agent($1)",
    (id = "") => `agent ${id} has ended`,
  );
}
