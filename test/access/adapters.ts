/** One adapter for each interface through which the table of cases is tried. */
import type { GatewayError } from "../../server/errors.ts";
import { until, type TestHub } from "../support/events.ts";
import type { TestGateway } from "../support/gateway.ts";
import type { Account, Case, NewRow, Outcome } from "./cases.ts";
import type { Sessions } from "./support.ts";

export interface Adapter {
  readonly name: string;
  /** What a read that a rule denies gives: interfaces that know the table beforehand refuse it. */
  readonly deniedRead: "refused" | "empty";
  /** Whether what it writes stays, so that the table must be put back. */
  readonly commits: boolean;
  readOne(testCase: Case, account: Account, id: number): Promise<Outcome>;
  readMany(testCase: Case, account: Account): Promise<Outcome>;
  /** How many; the ids do not matter. */
  count(testCase: Case, account: Account): Promise<number | "refused">;
  /** As of an instant; only called for tables with history. */
  readAsOf(testCase: Case, account: Account, instant: string): Promise<Outcome>;
  insert?(testCase: Case, account: Account, row: NewRow): Promise<Outcome>;
  update?(testCase: Case, account: Account, id: number): Promise<Outcome>;
  remove?(testCase: Case, account: Account, id: number): Promise<Outcome>;
}

/** `CLimitNowPlainOwn` */
export function typeName(table: string): string {
  return table.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

export function graphqlAdapter(gateway: TestGateway): Adapter {
  const tokens = new Map<string, Promise<string>>();
  async function run(account: Account, text: string): Promise<unknown> {
    let token = tokens.get(account.name);
    if (!token) tokens.set(account.name, (token = gateway.token(account.name)));
    const { body } = await gateway.http
      .post("/api/graphql/schema/town")
      .set("Authorization", `Bearer ${await token}`)
      .send({ query: text });
    if (body.errors === undefined) return body.data.it;
    const codes = new Set(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code));
    if (codes.size === 1 && codes.has("FORBIDDEN")) return "refused";
    throw new Error(`${text}: ${JSON.stringify(body.errors)}`);
  }
  async function rows(account: Account, text: string): Promise<Outcome> {
    const found = (await run(account, text)) as { id: string }[] | "refused";
    return found === "refused" ? found : found.map(({ id }) => Number(id));
  }
  return {
    name: "GraphQL",
    deniedRead: "refused",
    commits: true,
    readOne: ({ table }, account, id) => rows(account, `{ it: get${typeName(table)}(id: "${id}") { id t } }`),
    readMany: ({ table }, account) => rows(account, `{ it: get${typeName(table)}(where: {id: {gte: 0}}) { id } }`),
    count: async ({ table }, account) => (await run(account, `{ it: count${typeName(table)} }`)) as number | "refused",
    readAsOf: ({ table }, account, instant) =>
      rows(account, `{ it: get${typeName(table)}(asOf: "${instant}") { id } }`),
    insert: ({ table }, account, { id, kind, owner }) =>
      rows(
        account,
        `mutation { it: insert${typeName(table)}(data: {id: ${id}, kind: ${kind}, owner: "${owner}", t: "new"}) { id } }`,
      ),
    update: ({ table }, account, id) =>
      rows(account, `mutation { it: update${typeName(table)}(id: "${id}", data: {t: "changed"}) { id } }`),
    remove: ({ table }, account, id) => rows(account, `mutation { it: delete${typeName(table)}(id: "${id}") { id } }`),
  };
}

/** SQL that the account wrote, on a login of its own. */
export function sqlAdapter(sessions: Sessions): Adapter {
  async function run(account: Account, text: string): Promise<Record<string, unknown>[] | "refused"> {
    try {
      return await sessions.as(account.name, text, { service: "sql" });
    } catch (error) {
      if ((error as { code?: string }).code === "42501") return "refused";
      throw error;
    }
  }
  async function rows(account: Account, text: string): Promise<Outcome> {
    const found = await run(account, text);
    return found === "refused" ? found : found.map(({ id }) => Number(id)).sort((a, b) => a - b);
  }
  return {
    name: "SQL",
    deniedRead: "empty",
    commits: true,
    readOne: ({ table }, account, id) => rows(account, `select id, t from town.${table} where id = ${id}`),
    readMany: ({ table }, account) => rows(account, `select id from town.${table}`),
    async count({ table }, account) {
      const found = await run(account, `select count(*) as n from town.${table}`);
      return found === "refused" ? found : Number(found[0]?.["n"]);
    },
    readAsOf: ({ table }, account, instant) =>
      rows(account, `select id from town__history.as_of_${table}('${instant}')`),
    insert: ({ table }, account, { id, kind, owner }) =>
      rows(
        account,
        `insert into town.${table} (id, kind, owner, t) values (${id}, ${kind}, '${owner}', 'new') returning id`,
      ),
    update: ({ table }, account, id) =>
      rows(account, `update town.${table} set t = 'changed' where id = ${id} returning id`),
    remove: ({ table }, account, id) => rows(account, `delete from town.${table} where id = ${id} returning id`),
  };
}

/** Subscribes as all accounts, runs `write`, and gives what each was told of; `expected`: how many events each waits for. */
export async function subscribed(
  hub: TestHub,
  { table }: Case,
  accounts: readonly Account[],
  write: () => Promise<unknown>,
  expected: (account: Account) => number,
): Promise<Map<string, Outcome>> {
  const told = new Map<string, Outcome>();
  const subscribers = await Promise.all(
    accounts.map((account) =>
      hub.subscribe(account.name, `town.${table}`).catch((error: GatewayError) => {
        if (error.code !== "FORBIDDEN") throw error;
        told.set(account.name, "refused");
        return undefined;
      }),
    ),
  );
  await write();
  await Promise.all(
    accounts.map(async (account, index) => {
      const subscriber = subscribers[index];
      if (!subscriber) return;
      await until(
        () => subscriber.changes.length >= expected(account),
        10_000,
        () => `${table} ${account.name}`,
      );
      told.set(
        account.name,
        subscriber.changes.map(({ key }) => Number(key)).sort((a, b) => a - b),
      );
    }),
  );
  for (const [index, subscriber] of subscribers.entries()) {
    if (!subscriber) continue;
    // whoever is told last has been told of nothing more by then
    told.set(
      accounts[index]!.name,
      subscriber.changes.map(({ key }) => Number(key)).sort((a, b) => a - b),
    );
    subscriber.subscription.close();
  }
  return told;
}
