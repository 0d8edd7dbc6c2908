/** A whole gateway on a free port, over a database of its own, in this process. */
import supertest, { type Response } from "supertest";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase } from "../../server/kernel/database/database.ts";
import { createLog, type Log } from "../../server/kernel/log.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { CLI_CLIENT, findAccount, signAccessToken } from "../../server/kernel/identity/tokens.ts";
import { testDatabase, type TestDatabase, type TestDatabaseOptions } from "./databases.ts";

export interface TestGateway {
  readonly baseUrl: string;
  readonly database: TestDatabase;
  readonly gateway: Gateway;
  /** Requests to the gateway. */
  readonly http: ReturnType<typeof supertest>;
  /** An access token for an account. */
  token(account: string, lifetimeSeconds?: number): Promise<string>;
  /** A GraphQL request as an account; asserts nothing. */
  graphql(account: string, schema: string, query: string, variables?: object): Promise<Response>;
  close(): Promise<void>;
}

export interface TestGatewayOptions extends TestDatabaseOptions {
  /** Options of the configuration, beside the database and a free port. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Plugins of a team's own, as `graphile.config.ts` gives them. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** Default: what TEST_LOG_LEVEL says, on stderr. */
  readonly log?: Log;
  /** Runs before the gateway starts. */
  readonly prepare?: (database: TestDatabase) => Promise<unknown>;
}

/** Starts one; default: the demo. The caller closes it, which drops the database too. */
export async function testGateway({
  kind = "demo",
  config = {},
  preset,
  log = createLog(process.env["TEST_LOG_LEVEL"] ?? "silent"),
  prepare,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await testDatabase({ kind });
  await prepare?.(database);
  const gateway = await startGateway(
    {
      ...makeConfig({
        databases: { [database.name]: { url: database.gatewayUrl, ownerUrl: database.url } },
        port: 0,
        ...config,
      }),
      ...(preset && { preset }),
    },
    log,
  );
  const http = supertest(gateway.baseUrl);
  async function token(name: string, lifetimeSeconds = 3600): Promise<string> {
    return tokenFor(database, gateway.baseUrl, name, lifetimeSeconds);
  }
  return {
    baseUrl: gateway.baseUrl,
    database,
    gateway,
    http,
    token,
    async graphql(account, schema, query, variables) {
      return http
        .post(`/api/graphql/schema/${encodeURIComponent(schema)}`)
        .set("Authorization", `Bearer ${await token(account)}`)
        .send({ query, variables });
    },
    async close() {
      await gateway.close();
      await database.drop();
    },
  };
}

/** A token as `portolan token` makes it. */
export async function tokenFor(
  { name, url }: Pick<TestDatabase, "name" | "url">,
  issuer: string,
  accountName: string,
  lifetimeSeconds = 3600,
): Promise<string> {
  const opened = openDatabase({ name, url, poolSize: 1, connectTimeoutMs: 5000, statementTimeoutMs: 5000 });
  try {
    const account = await findAccount(opened, accountName);
    if (!account) throw new Error(`there is no account ${accountName}`);
    return await signAccessToken(opened, account, { issuer, clientId: CLI_CLIENT, lifetimeSeconds });
  } finally {
    await opened.close();
  }
}
