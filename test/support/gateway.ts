/** A whole gateway on a free port, over its own database, in this process. */
import { randomUUID } from "node:crypto";
import supertest, { type Response } from "supertest";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog, type Log } from "../../server/ground/log.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { CLI_CLIENT, findAccount, signAccessToken, type SignOptions } from "../../server/kernel/identity/tokens.ts";
import { testDatabase, withOwner, type TestDatabase, type TestDatabaseOptions } from "./databases.ts";

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
  /** A team's own plugins, as `graphile.config.ts` gives them. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** Default: TEST_LOG_LEVEL, on stderr. */
  readonly log?: Log;
  /** Default a new database of `kind` in the cluster of all tests. */
  readonly open?: () => Promise<TestDatabase>;
  /** Runs before the gateway starts. */
  readonly prepare?: (database: TestDatabase) => Promise<unknown>;
}

/** Starts one; by default with the demo. The caller closes it, which drops the database too. */
export async function testGateway({
  kind = "demo",
  config = {},
  preset,
  log = createLog(process.env["TEST_LOG_LEVEL"] ?? "silent"),
  open = () => testDatabase({ kind }),
  prepare,
}: TestGatewayOptions = {}): Promise<TestGateway> {
  const database = await open();
  const start = async (): Promise<Gateway> => {
    await prepare?.(database);
    return startGateway(
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
  };
  const gateway = await start().catch(async (error: unknown) => {
    await database.drop(); // nobody else has it
    throw error;
  });
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
export function tokenFor(
  database: Pick<TestDatabase, "name" | "url">,
  issuer: string,
  accountName: string,
  lifetimeSeconds = 3600,
): Promise<string> {
  return sign(database, accountName, { issuer, clientId: CLI_CLIENT, lifetimeSeconds });
}

/** A token as OAuth issues it: each sign-in begins a family. */
export async function signInAs(
  database: Pick<TestDatabase, "name" | "url" | "client">,
  issuer: string,
  accountName: string,
): Promise<string> {
  const family = randomUUID();
  await database.client.query(
    "select portolan.start_family($1, null, $2, u.name, '', u.token_version, 3600, 3600) from portolan.users u where u.name = $3",
    [family, CLI_CLIENT, accountName],
  );
  return sign(database, accountName, { issuer, clientId: CLI_CLIENT, family });
}

function sign(
  database: Pick<TestDatabase, "name" | "url">,
  accountName: string,
  options: SignOptions,
): Promise<string> {
  return withOwner(database, async (opened) => {
    const account = await findAccount(opened, accountName);
    if (!account) throw new Error(`there is no account ${accountName}`);
    return signAccessToken(opened, account, options);
  });
}
