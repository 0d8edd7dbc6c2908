/** A client of the agents' door: the official package, unmodified. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { openDatabase } from "../../server/kernel/database/database.ts";
import { CLI_CLIENT, findAccount, signAccessToken } from "../../server/kernel/identity/tokens.ts";
import type { TestGateway } from "./gateway.ts";

export interface TestAgent {
  readonly client: Client;
  /** The structured content of a call. Throws the error that the tool tells. */
  call<Answer = Record<string, unknown>>(tool: string, given?: Record<string, unknown>): Promise<Answer>;
  /** The error that a tool tells. Throws where it tells none. */
  refused(
    tool: string,
    given?: Record<string, unknown>,
  ): Promise<{ code: string; message: string; [member: string]: unknown }>;
  close(): Promise<void>;
}

export interface AgentOptions {
  /** Default mcp:write. */
  readonly scope?: string;
  /** Default one for the account. */
  readonly token?: string;
  /** Another gateway's address. */
  readonly at?: string;
  /** Default the newest that both know. */
  readonly revision?: "legacy" | "auto";
}

/** A token for the agents' door of the gateway's database. */
export async function agentToken(
  { database: { name, url }, baseUrl }: Pick<TestGateway, "database" | "baseUrl">,
  accountName: string,
  scope = "mcp:write",
  lifetimeSeconds = 3600,
): Promise<string> {
  const opened = openDatabase({ name, url, poolSize: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 });
  try {
    const account = await findAccount(opened, accountName);
    if (!account) throw new Error(`there is no account ${accountName}`);
    const resource = `${baseUrl}/mcp/${encodeURIComponent(name)}`;
    return await signAccessToken(opened, account, {
      issuer: baseUrl,
      clientId: CLI_CLIENT,
      scope,
      resource,
      lifetimeSeconds,
    });
  } finally {
    await opened.close();
  }
}

/** Connects as an account. */
export async function connectAgent(
  gateway: TestGateway,
  account: string,
  { scope, token: given, at = gateway.baseUrl, revision = "auto" }: AgentOptions = {},
): Promise<TestAgent> {
  const token = given ?? (await agentToken(gateway, account, scope));
  const address = new URL(`${at}/mcp/${encodeURIComponent(gateway.database.name)}`);
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: revision } });
  await client.connect(
    new StreamableHTTPClientTransport(address, { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  );
  const run = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });
  return {
    client,
    async call<Answer>(name: string, given: Record<string, unknown> = {}) {
      const { isError, structuredContent, content } = await run(name, given);
      if (isError) throw new Error(JSON.stringify(content));
      return structuredContent as Answer;
    },
    async refused(name, given = {}) {
      const { isError, content } = await run(name, given);
      const [first] = content as { text: string }[];
      if (!isError) throw new Error(`it is not refused: ${first?.text}`);
      return (JSON.parse(first!.text) as { error: { code: string; message: string } }).error;
    },
    close: () => client.close(),
  };
}
