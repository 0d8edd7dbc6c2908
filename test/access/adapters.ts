/** One adapter for each interface through which the table of cases is tried. */
import pg from "pg";
import type { GatewayError } from "../../server/ground/errors.ts";
import { picture } from "../maps/pixels.ts";
import { until, type TestHub } from "../support/events.ts";
import type { TestGateway } from "../support/gateway.ts";
import type { Account, Case, NewRow, Outcome } from "./cases.ts";
import type { Sessions } from "./support.ts";

export interface Adapter {
  readonly name: string;
  /** What a read that a rule denies gives: interfaces that know the table beforehand refuse it. */
  readonly deniedRead: "refused" | "empty";
  /** The same as of an instant; SQL calls a function for it. */
  readonly deniedAsOf: "refused" | "empty";
  /** Whether what it writes stays, so that the table must be put back. */
  readonly commits: boolean;
  readOne?(testCase: Case, account: Account, id: number): Promise<Outcome>;
  readMany(testCase: Case, account: Account): Promise<Outcome>;
  /** How many; the ids do not matter. */
  count?(testCase: Case, account: Account): Promise<number | "refused">;
  /** Those that lie wholly or partly within the places of rows `first` to `last`. */
  readWithin?(testCase: Case, account: Account, first: number, last: number): Promise<Outcome>;
  /** As of an instant; only called for tables with history. */
  readAsOf(testCase: Case, account: Account, instant: string): Promise<Outcome>;
  readOneAsOf?(testCase: Case, account: Account, instant: string, id: number): Promise<Outcome>;
  countAsOf?(testCase: Case, account: Account, instant: string): Promise<number | "refused">;
  insert?(testCase: Case, account: Account, row: NewRow): Promise<Outcome>;
  update?(testCase: Case, account: Account, id: number): Promise<Outcome>;
  remove?(testCase: Case, account: Account, id: number): Promise<Outcome>;
}

/** `CLimitNowPlainOwn` */
export function typeName(table: string): string {
  return table.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

export function graphqlAdapter(ask: Ask): Adapter {
  async function run(account: Account, text: string): Promise<unknown> {
    const response = await ask(account, "/api/graphql/schema/town", { query: text });
    const body = (await response.json()) as {
      data: { it: unknown };
      errors?: readonly { extensions: { code: string } }[];
    };
    if (body.errors === undefined) return body.data.it;
    const codes = new Set(body.errors.map(({ extensions }) => extensions.code));
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
    deniedAsOf: "refused",
    commits: true,
    readOne: ({ table }, account, id) => rows(account, `{ it: get${typeName(table)}(id: "${id}") { id t } }`),
    readMany: ({ table }, account) => rows(account, `{ it: get${typeName(table)}(where: {id: {gte: 0}}) { id } }`),
    count: async ({ table }, account) => (await run(account, `{ it: count${typeName(table)} }`)) as number | "refused",
    readAsOf: ({ table }, account, instant) =>
      rows(account, `{ it: get${typeName(table)}(asOf: "${instant}") { id } }`),
    readOneAsOf: ({ table }, account, instant, id) =>
      rows(account, `{ it: get${typeName(table)}(id: "${id}", asOf: "${instant}") { id t } }`),
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

/** The statements of all adapters that speak SQL, with named parameters; `count` gives `n`, the others `id`. */
const STATEMENTS = {
  readOne: (table: string) => `select id, t from town.${table} where id = :id`,
  readMany: (table: string) => `select id from town.${table}`,
  count: (table: string) => `select count(*) as n from town.${table}`,
  readWithin: (table: string) =>
    `select id from town.${table} where st_intersects(geom, st_makeenvelope(:first::int, 0, :last::int + 1, 1, 4326))`,
  readAsOf: (table: string) => `select id from town__history.as_of_${table}(:instant::timestamptz)`,
  insert: (table: string) =>
    `insert into town.${table} (id, kind, owner, t) values (:id, :kind, :owner, 'new') returning id`,
  update: (table: string) => `update town.${table} set t = 'changed' where id = :id returning id`,
  remove: (table: string) => `delete from town.${table} where id = :id returning id`,
};
type Operation = keyof typeof STATEMENTS;
type Params = Readonly<Record<string, string | number>>;
type Rows = readonly Readonly<Record<string, unknown>>[];

/** Adapter of an interface that runs `STATEMENTS`. */
function adapterOfSql(
  how: Pick<Adapter, "name" | "deniedRead">,
  run: (account: Account, table: string, operation: Operation, params: Params) => Promise<Rows | "refused">,
): Adapter {
  const rows =
    (operation: Operation) =>
    async ({ table }: Case, account: Account, params: Params = {}): Promise<Outcome> => {
      const found = await run(account, table, operation, params);
      return found === "refused" ? found : sorted(found.map(({ id }) => Number(id)));
    };
  const ofRow =
    (operation: Operation): NonNullable<Adapter["readOne"]> =>
    (testCase, account, id) =>
      rows(operation)(testCase, account, { id });
  return {
    ...how,
    deniedAsOf: "empty",
    commits: true,
    readOne: ofRow("readOne"),
    readMany: (testCase, account) => rows("readMany")(testCase, account),
    async count({ table }, account) {
      const found = await run(account, table, "count", {});
      return found === "refused" ? found : Number(found[0]?.["n"]);
    },
    readWithin: (testCase, account, first, last) => rows("readWithin")(testCase, account, { first, last }),
    readAsOf: (testCase, account, instant) => rows("readAsOf")(testCase, account, { instant }),
    insert: (testCase, account, { id, kind, owner }) => rows("insert")(testCase, account, { id, kind, owner }),
    update: ofRow("update"),
    remove: ofRow("remove"),
  };
}

function sorted(ids: readonly number[]): readonly number[] {
  return [...ids].sort((a, b) => a - b);
}

/** SQL that the account wrote, on a login of its own, past the gateway. */
export function sqlAdapter(sessions: Sessions): Adapter {
  return adapterOfSql({ name: "SQL", deniedRead: "empty" }, async (account, table, operation, params) => {
    const text = STATEMENTS[operation](table).replace(/(?<!:):(\w+)/g, (_match, name: string) =>
      pg.escapeLiteral(String(params[name])),
    );
    try {
      return await sessions.as(account.name, text, { service: "sql" });
    } catch (error) {
      if ((error as { code?: string }).code === "42501") return "refused";
      throw error;
    }
  });
}

/** Requests of accounts, each with its token. */
export type Ask = (account: Account | undefined, path: string, body?: object) => Promise<Response>;

export function asker(gateway: TestGateway): Ask {
  const tokens = new Map<string, Promise<string>>();
  return async (account, path, body) => {
    const headers: Record<string, string> = {};
    if (account) {
      let token = tokens.get(account.name);
      if (!token) tokens.set(account.name, (token = gateway.token(account.name)));
      headers["Authorization"] = `Bearer ${await token}`;
    }
    if (body) headers["Content-Type"] = "application/json";
    return fetch(gateway.baseUrl + path, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  };
}

/** `POST /api/v4/sql` */
export function sqlDoorAdapter(ask: Ask): Adapter {
  return adapterOfSql({ name: "/api/v4/sql", deniedRead: "refused" }, async (account, table, operation, params) => {
    const response = await ask(account, "/api/v4/sql", { q: STATEMENTS[operation](table), params });
    const body = (await response.json()) as { data: Rows; code?: string; sqlstate?: string };
    if (response.status === 403 && body.code === "FORBIDDEN") return "refused";
    if (response.status !== 200) throw new Error(`${operation} ${table}: ${JSON.stringify(body)}`);
    return body.data;
  });
}

/** Stored methods, one for each statement and table, all published. */
export async function methodAdapter(gateway: TestGateway, ask: Ask, cases: readonly Case[]): Promise<Adapter> {
  const operations = Object.keys(STATEMENTS) as Operation[];
  const methods = cases.flatMap(({ table, versioned }) =>
    operations
      .filter((operation) => versioned || operation !== "readAsOf")
      .map((operation) => ({ method: `${operation}.${table}`, q: STATEMENTS[operation](table) })),
  );
  await gateway.database.client.query(
    "insert into portolan.methods (method, q, published) select method, q, true from jsonb_to_recordset($1) as m (method text, q text)",
    [JSON.stringify(methods)],
  );
  return adapterOfSql({ name: "method", deniedRead: "refused" }, async (account, table, operation, params) => {
    const response = await ask(account, "/api/v4/call", {
      jsonrpc: "2.0",
      id: 1,
      method: `${operation}.${table}`,
      params,
    });
    const { result, error } = (await response.json()) as {
      result?: { data: Rows };
      error?: { code: number; data?: { sqlstate?: string } };
    };
    if (error?.code === -32603 && error.data?.sqlstate === "42501") return "refused";
    if (!result) throw new Error(`${operation} ${table}: ${JSON.stringify(error)}`);
    return result.data;
  });
}

/** Path of a collection of the OGC API, and what comes after. */
export function collectionPath(gateway: TestGateway, { table }: Case, rest: string): string {
  return `/api/v4/ogc/database/${gateway.database.name}/collections/town.${table}/${rest}`;
}

/** Whether it was refused. Throws for an answer that is neither a refusal nor one of `statuses`. */
async function isRefused(response: Response, ...statuses: number[]): Promise<boolean> {
  if (statuses.includes(response.status)) return false;
  const text = await response.text();
  if (response.status === 403 && (JSON.parse(text) as { code: string }).code === "FORBIDDEN") return true;
  throw new Error(`${response.url}: ${response.status} ${text}`);
}

/** `items` and `item` of the OGC API. */
export function featuresAdapter(gateway: TestGateway, ask: Ask): Adapter {
  async function page(testCase: Case, account: Account, query: string) {
    const response = await ask(account, collectionPath(gateway, testCase, `items?${query}`));
    if (await isRefused(response, 200)) return "refused";
    return (await response.json()) as { features: { id: number | string }[]; numberMatched: number };
  }
  async function ids(testCase: Case, account: Account, query: string): Promise<Outcome> {
    const found = await page(testCase, account, query);
    return found === "refused" ? found : found.features.map(({ id }) => Number(id));
  }
  async function count(testCase: Case, account: Account, query: string): Promise<number | "refused"> {
    const found = await page(testCase, account, query);
    return found === "refused" ? found : found.numberMatched;
  }
  async function item(testCase: Case, account: Account, rest: string): Promise<Outcome> {
    const response = await ask(account, collectionPath(gateway, testCase, `items/${rest}`));
    if (await isRefused(response, 200, 404)) return "refused";
    const { id } = (await response.json()) as { id: number | string };
    return response.status === 404 ? [] : [Number(id)];
  }
  return {
    name: "OGC features",
    deniedRead: "refused",
    deniedAsOf: "refused",
    commits: false,
    readOne: (testCase, account, id) => item(testCase, account, String(id)),
    readMany: (testCase, account) => ids(testCase, account, "limit=100"),
    count: (testCase, account) => count(testCase, account, "limit=1"),
    readWithin: (testCase, account, first, last) => ids(testCase, account, `bbox=${first},0,${last + 1},1`),
    readAsOf: (testCase, account, instant) =>
      ids(testCase, account, `limit=100&datetime=${encodeURIComponent(instant)}`),
    readOneAsOf: (testCase, account, instant, id) =>
      item(testCase, account, `${id}?datetime=${encodeURIComponent(instant)}`),
    countAsOf: (testCase, account, instant) =>
      count(testCase, account, `limit=1&datetime=${encodeURIComponent(instant)}`),
  };
}

const PIXELS_PER_ROW = 10;

/** Maps of the OGC API: the rows are those in whose place something is drawn. */
export function mapAdapter(gateway: TestGateway, ask: Ask, rowCount: number): Adapter {
  async function drawn(
    testCase: Case,
    account: Account,
    [first, last]: readonly [first: number, last: number],
    query = "",
  ): Promise<Outcome> {
    const count = last + 1 - first;
    const size = `bbox=${first},0,${last + 1},1&width=${count * PIXELS_PER_ROW}&height=${PIXELS_PER_ROW}`;
    const response = await ask(account, collectionPath(gateway, testCase, `map?${size}${query}`));
    if (await isRefused(response, 200)) return "refused";
    const map = picture(Buffer.from(await response.arrayBuffer()));
    const middle = PIXELS_PER_ROW / 2;
    return Array.from({ length: count }, (_, index) => first + index).filter(
      (id) => !map.at((id - first) * PIXELS_PER_ROW + middle, middle).endsWith("00"),
    );
  }
  return {
    name: "OGC map",
    deniedRead: "refused",
    deniedAsOf: "refused",
    commits: false,
    readMany: (testCase, account) => drawn(testCase, account, [0, rowCount - 1]),
    readAsOf: (testCase, account, instant) =>
      drawn(testCase, account, [0, rowCount - 1], `&datetime=${encodeURIComponent(instant)}`),
  };
}

/** Subscribes as all accounts, runs `write`, and gives what each was told of; `expected`: how many events each waits for. */
export async function subscribed(
  hub: TestHub,
  { table }: Case,
  accounts: readonly Account[],
  { write, expected }: { readonly write: () => Promise<unknown>; readonly expected: (account: Account) => number },
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
        undefined,
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
    // the last subscriber to be notified has received nothing else by then
    told.set(
      accounts[index]!.name,
      subscriber.changes.map(({ key }) => Number(key)).sort((a, b) => a - b),
    );
    subscriber.subscription.close();
  }
  return told;
}
