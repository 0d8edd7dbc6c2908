/** The caller, as PostgreSQL sees it: on the gateway's login with settings, or logged in as the account itself. */
import pg from "pg";
import type { TestDatabase } from "../support/databases.ts";

export interface Asking {
  /** Default graphql; `sql` stands for SQL that the account wrote, on a login of its own. */
  readonly service?: string;
  readonly ip?: string;
}

export interface Sessions {
  /** Runs statements as an account, in one transaction that is kept; gives the rows of the last. */
  as(account: string, text: string, asking?: Asking): Promise<Record<string, unknown>[]>;
  /** The SQLSTATE that they fail with, or "" when they do not fail; nothing is kept. */
  failure(account: string, text: string, asking?: Asking): Promise<{ code: string; message: string }>;
  close(): Promise<void>;
}

/** `set session authorization` takes a superuser, and gives what a login as that role has. */
export async function sessionsOf({ url, name }: TestDatabase, login = "gateway"): Promise<Sessions> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  /** One after another, since there is one session. */
  function run(account: string, text: string, asking: Asking, keep: boolean) {
    const result = last.then(() => runAlone(account, text, asking, keep));
    last = result.catch(() => undefined);
    return result;
  }
  async function runAlone(account: string, text: string, { service = "graphql", ip = "" }: Asking, keep: boolean) {
    const role = pg.escapeIdentifier(`${account}@${name}`);
    const settings = { "portolan.user": account, "portolan.service": service, "portolan.ip": ip };
    const set = Object.entries(settings).map(
      ([setting, value]) => `set_config('${setting}', ${pg.escapeLiteral(value)}, true)`,
    );
    const begin =
      service === "sql"
        ? `set session authorization ${role}; begin`
        : `set session authorization ${login}; begin; set local role ${role}; select ${set.join(", ")}`;
    try {
      await client.query(begin);
      const results = (await client.query(text)) as unknown as pg.QueryResult | pg.QueryResult[];
      const last = Array.isArray(results) ? results.at(-1) : results;
      await client.query(keep ? "commit" : "rollback");
      return (last?.rows ?? []) as Record<string, unknown>[];
    } finally {
      await client.query("rollback; reset session authorization");
    }
  }
  return {
    as: (account, text, asking = {}) => run(account, text, asking, true),
    failure: (account, text, asking = {}) =>
      run(account, text, asking, false).then(
        () => ({ code: "", message: "" }),
        (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
      ),
    close: () => client.end(),
  };
}
