/** Requests of all accounts over all doors. Each answer is judged. */
import { isGood } from "./accounts.ts";
import { readVectorTile } from "../../support/vectorTile.ts";
import type { Random } from "../../support/random.ts";
import {
  ANYBODY,
  COMING,
  PROMISE_MS,
  TABLES,
  idsText,
  type Account,
  type Rights,
  type Seen,
  type Service,
  type Table,
  type Token,
  type Period,
} from "./model.ts";

interface Request {
  readonly path: string;
  readonly body?: object;
}

/**
 * The content of an answer: the rows' ids, or only their number; and whether the column that few may read was in it.
 */
interface Shown {
  readonly ids?: readonly number[];
  readonly count?: number;
  readonly hasSecret?: boolean;
}

interface Door {
  readonly name: string;
  readonly service: Service;
  request(table: Table, place: Place): Request;
  /** The right that it needs: 1 for some columns, 2 for all. */
  readonly needs: 1 | 2;
  /** Reads an answer with status 200; "refused" if the door refuses in that way. */
  read(text: string, bytes: Buffer): Shown | "refused";
}

interface Place {
  readonly database: string;
}

const typeOf = (table: Table): string => (table === "ours.plots" ? "Plots" : "Lots");
const schemaOf = (table: Table): string => table.split(".")[0]!;

interface GraphqlAnswer {
  readonly data?: { readonly it: never } | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

function graphql(name: string, needs: 1 | 2, field: (type: string) => string, shown: (it: never) => Shown): Door {
  return {
    name: `GraphQL ${name}`,
    service: "graphql",
    needs,
    request: (table) => ({
      path: `/api/graphql/schema/${schemaOf(table)}`,
      body: { query: `{ it: ${field(typeOf(table))} }` },
    }),
    read(text) {
      const { data, errors } = JSON.parse(text) as GraphqlAnswer;
      if (!errors) return shown(data!.it);
      if (errors.every(({ extensions }) => extensions.code === "FORBIDDEN")) return "refused";
      throw new Busy(errors[0]!.extensions.code, errors[0]!.message);
    },
  };
}

/** An answer that says nothing about rights: the service had no connection for it. */
export class Busy extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type IdRow = { readonly id: string | number };
const ids = (rows: readonly IdRow[]): Shown => ({ ids: rows.map(({ id }) => Number(id)) });
const withSecret = (rows: readonly IdRow[]): Shown => ({
  ...ids(rows),
  ...(rows.length > 0 && { hasSecret: "secret" in rows[0]! }),
});

const collection = (table: Table, { database }: Place): string =>
  `/api/v4/ogc/database/${database}/collections/${table}`;

const DOORS: readonly Door[] = [
  graphql("list", 1, (type) => `get${type} { id num }`, ids),
  graphql("list of all columns", 2, (type) => `get${type} { id secret }`, ids),
  graphql(
    "count",
    1,
    (type) => `count${type}`,
    (count) => ({ count }),
  ),
  graphql(
    "page",
    1,
    (type) => `page${type}(first: 100) { edges { node { id } } }`,
    (page: { edges: readonly { node: IdRow }[] }) => ids(page.edges.map(({ node }) => node)),
  ),
  {
    name: "REST rows",
    service: "graphql",
    needs: 1,
    request: (table) => ({ path: `/api/v4/schemas/${table.replace(".", "/tables/")}/rows` }),
    read: (text) => withSecret(JSON.parse(text) as IdRow[]),
  },
  {
    name: "OGC items",
    service: "ogc",
    needs: 1,
    request: (table, place) => ({ path: `${collection(table, place)}/items?limit=100` }),
    read: (text) =>
      withSecret(
        (JSON.parse(text) as { features: readonly { properties: IdRow }[] }).features.map(
          ({ properties }) => properties,
        ),
      ),
  },
  {
    name: "OGC tile",
    service: "ogc",
    needs: 1,
    request: (table, place) => ({ path: `${collection(table, place)}/tiles/WebMercatorQuad/0/0/0` }),
    read: (_text, bytes) =>
      withSecret(
        readVectorTile(bytes).flatMap(({ features }) =>
          features.map(({ properties }) => properties as unknown as IdRow),
        ),
      ),
  },
  {
    name: "SQL",
    service: "sql",
    needs: 2,
    request: (table) => ({ path: "/api/v4/sql", body: { q: `select id, secret from ${table}` } }),
    read: (text) => ids((JSON.parse(text) as { data: readonly IdRow[] }).data),
  },
  {
    name: "method",
    service: "sql",
    needs: 1,
    request: (table) => ({ path: "/api/v4/call", body: { jsonrpc: "2.0", id: 1, method: `ids.${table}` } }),
    read(text) {
      const { result, error } = JSON.parse(text) as {
        result?: { data: readonly IdRow[] };
        error?: { message: string; data?: { sqlstate?: string; code?: string; detail?: string } };
      };
      if (result) return ids(result.data);
      if (error?.data?.sqlstate === "42501") return "refused";
      if (error?.data?.detail === "The role of this account cannot be used") throw new Busy(NO_ACCOUNT, text);
      const known: Readonly<Record<string, string>> = {
        "The service is not available at the moment": "UNAVAILABLE",
        "This runs on the account's own login, and PostgreSQL does not answer": "UNAVAILABLE",
        "Another session has locked what this needs: try again": "UNAVAILABLE",
        [TOO_LONG]: "TIMEOUT",
      };
      const code = error?.data?.code ?? known[error?.data?.detail ?? ""];
      throw new Busy(code ?? "JSON-RPC", JSON.stringify(error));
    },
  },
];

/** Requests without rows, which are sent so that their code and connections take part. */
const OTHERS: readonly ((table: Table, account: Account, place: Place) => Request)[] = [
  (table, account) => ({
    path: `/api/graphql/schema/${schemaOf(table)}`,
    body: { query: `mutation { insertJots(data: {wrote: "${account}"}) { id } }` },
  }),
  (table) => ({ path: `/api/graphql/schema/${schemaOf(table)}`, body: { query: "mutation { steal }" } }),
  () => ({ path: "/api/v4/sql", body: { q: "select portolan.secrets()" } }),
  () => ({ path: "/api/v4/sql", body: { q: "select k from portolan.signing_keys k" } }),
  (table, _account, place) => ({ path: `${collection(table, place)}/map?width=64&height=64&bbox=0,0,50,30` }),
];

export interface LoadOptions {
  readonly baseUrl: string;
  readonly database: string;
  readonly rights: Rights;
  readonly random: Random;
  /** Valid tokens, and tokens that expired a moment ago. */
  readonly tokens: { readonly list: readonly Token[] };
  /** PostgreSQL's own answer a moment later, for the reader of a fault. */
  readonly explain: (account: Account, table: Table) => Promise<string>;
  /** Gets every answer, as text. */
  readonly look: (text: string, what: string) => void;
  /** The lines of the gateway's log about a request. */
  readonly logOf: (requestId: string) => string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly bytes: Buffer;
  readonly requestId: string;
}

export class Load {
  readonly #options: LoadOptions;
  readonly faults: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly busy: Record<string, number> = {};
  /** Requests that their client left before the answer. */
  left = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  get judged(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  /** One request and its answer. */
  async next(): Promise<void> {
    const { random, tokens } = this.#options;
    const table = random.of(TABLES);
    if (random.below(ONE_IN_ANONYMOUS) === 0) return this.#anonymous(random.of(DOORS), table);
    const token = random.of(tokens.list);
    if (random.below(5) === 0) return this.#other(random.of(OTHERS)(table, token.account, this.#options), token);
    const door = random.of(DOORS);
    const request = door.request(table, this.#options);
    if (random.below(ONE_IN_LEAVING) === 0) return this.#leave(request, token);
    const begin = performance.now();
    const { status, text, bytes, requestId } = await this.#send(request, token);
    const end = performance.now();
    const what = `${door.name}, ${table}, ${token.account}, ${requestId}`;
    if (this.#isBusy(status, text, what)) return; // which says nothing about a token
    if (!this.#judgeToken(token, status, { begin, end }, what) || status === 401) return;
    try {
      const shown = status === 204 ? { ids: [] } : status === 200 ? door.read(text, bytes) : "refused";
      if (shown === "refused" && ![200, 403, 404].includes(status))
        throw new Error(`status ${status}: ${text.slice(0, 500)}`);
      // the role of an account that is dropped meanwhile has no rights any more, not even those of everybody
      if (shown === "refused" && COMING.includes(token.account) && !isGood(token)) return;
      const told = shown === "refused" ? `${what}: ${text}` : what;
      await this.#judge({ door, table, account: token.account }, shown, { begin, end }, told);
    } catch (error) {
      if (error instanceof Busy && BUSY_CODES.has(error.code)) this.#countBusy(error.code);
      else if (error instanceof Busy && error.code === NO_ACCOUNT) this.#judgeToken(token, 401, { begin, end }, what);
      else this.#fault(`${what}: ${String(error)}`, requestId);
    }
  }

  /** The client leaves at some moment of the request. Nothing is judged but the requests that follow. */
  async #leave(request: Request, token: Token): Promise<void> {
    const signal = AbortSignal.timeout(this.#options.random.below(LEAVES_WITHIN_MS));
    const isAnswered = await this.#send(request, token, signal).then(
      () => true,
      () => false,
    );
    if (!isAnswered) this.left++;
  }

  /** Only the OGC API answers anonymous callers. */
  async #anonymous(door: Door, table: Table): Promise<void> {
    const begin = performance.now();
    const { status, text, bytes, requestId } = await this.#send(door.request(table, this.#options));
    const end = performance.now();
    const what = `${door.name}, ${table}, ${ANYBODY}, ${requestId}`;
    if (this.#isBusy(status, text, what)) return;
    const shown = status === 204 ? { ids: [] } : status === 200 ? door.read(text, bytes) : "refused";
    if (door.service === "ogc")
      await this.#judge({ door, table, account: ANYBODY }, shown, { begin, end }, `${what}: ${status}`);
    else if (status !== 401) this.faults.push(`${what}: status ${status}: ${text.slice(0, 500)}`);
    else this.#count("anonymous, 401");
  }

  async #other(request: Request, token: Token): Promise<void> {
    const begin = performance.now();
    const { status, text, requestId } = await this.#send(request, token);
    const what = `${JSON.stringify(request)}, ${requestId}`;
    const failed = status === 200 ? JOT_ERROR.exec(text) : null;
    const isNobody = failed?.[1] === NO_ACCOUNT;
    if (this.#isBusy(status, text, what)) return;
    this.#judgeToken(token, isNobody ? 401 : status, { begin, end: performance.now() }, what);
    this.#count("others");
    if (failed && !isNobody && !BUSY_CODES.has(failed[1]!)) this.#fault(`${what}: ${text.slice(0, 500)}`, requestId);
    if (status >= 500) this.#fault(`${what}: status ${status}: ${text.slice(0, 500)}`, requestId);
  }

  #fault(what: string, requestId: string): void {
    this.faults.push(`${what}\n${this.#options.logOf(requestId)}`);
  }

  async #send({ path, body }: Request, token?: Token, signal?: AbortSignal): Promise<Answer> {
    const response = await fetch(this.#options.baseUrl + path, {
      ...(signal && { signal }),
      headers: {
        ...(token && { Authorization: `Bearer ${token.text}` }),
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString("utf8");
    this.#options.look(text, path);
    return { status: response.status, text, bytes, requestId: response.headers.get("x-request-id") ?? "" };
  }

  #judgeToken({ account, endedFrom, endedTo }: Token, status: number, { begin, end }: Period, what: string): boolean {
    const mustBeOver = endedTo !== undefined && endedTo + PROMISE_MS < begin;
    const mayBeOver = endedFrom !== undefined && endedFrom <= end;
    const fault = status === 401 ? !mayBeOver : mustBeOver;
    if (fault)
      this.faults.push(
        `${what}: status ${status} with a token of ${account} that ${mustBeOver ? "has ended" : "is good"}`,
      );
    if (status === 401) this.#count("401");
    return !fault;
  }

  #isBusy(status: number, text: string, what: string): boolean {
    if (![429, 503, 504].includes(status)) return false;
    const answer = JSON.parse(text) as { code?: string; errors?: GraphqlAnswer["errors"] };
    const code = answer.code ?? answer.errors?.[0]?.extensions.code;
    if (!BUSY_CODES.has(code ?? "")) this.faults.push(`${what}: ${text.slice(0, 500)}`);
    this.#countBusy(code ?? "503");
    return true;
  }

  async #judge(
    { door, table, account }: { readonly door: Door; readonly table: Table; readonly account: Account },
    shown: Shown | "refused",
    { begin, end }: Period,
    what: string,
  ): Promise<void> {
    this.#count(door.name);
    const possible = [...this.#options.rights.possible(account, table, door.service, { begin, end })];
    if (possible.some((seen) => fits(shown, seen, door.needs)) || isMixed(shown, possible, door.needs)) return;
    const told =
      shown === "refused" ? shown : JSON.stringify({ ...shown, ...(shown.ids && { ids: idsText(shown.ids) }) });
    const now = await this.#options.explain(account, table);
    const states = possible.map((seen) => `${seen.because} ${seen.isDenied ? "denied" : seen.ids}`);
    this.faults.push(
      `${what}, ${Math.round(end - begin)} ms, at ${Math.round(end)}: ${told}, but it can only have been:
${states.slice(0, 12).join("\n")}\nPostgreSQL at ${Math.round(performance.now())}: ${now}`,
    );
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  #countBusy(code: string): void {
    this.busy[code] = (this.busy[code] ?? 0) + 1;
  }
}

/** Everybody may write there, and call everything. */
const JOT_ERROR = /^\{.*"errors":.*"code":"(\w+)"/s;

/** Where its account was removed while it ran. */
const NO_ACCOUNT = "UNAUTHENTICATED";

const TOO_LONG = "The statement took too long and was cancelled";

/** One in this number of requests has no token. */
const ONE_IN_ANONYMOUS = 8;

/** One in this number of requests is left by its client, within this time. */
const ONE_IN_LEAVING = 20;
const LEAVES_WITHIN_MS = 20;

const BUSY_CODES = new Set(["UNAVAILABLE", "ACCOUNT_BUSY", "RATE_LIMITED", "TIMEOUT"]);

/** A rule that takes effect between the door's check and the statement shows as no rows. */
/**
 * Whether rows were judged by the old body of the author's function and others by the new one: PostgreSQL takes up the new body
 * in the middle of a statement.
 */
function isMixed(shown: Shown | "refused", possible: readonly Seen[], needs: 1 | 2): boolean {
  if (shown === "refused" || shown.ids === undefined) return false;
  const { hasSecret } = shown;
  const open = possible.filter(({ grant, isDenied }) => grant >= needs && !isDenied);
  return Object.values(Object.groupBy(open, ({ besidesBody }) => besidesBody)).some((seen = []) => {
    if (hasSecret !== undefined && hasSecret !== (seen[0]!.grant === 2)) return false;
    const sets = seen.map(({ ids }) => ids.split(","));
    const ids = idsText(shown.ids!).split(",");
    const always = sets[0]!.filter((id) => sets.every((set) => set.includes(id)));
    return (
      sets.length > 1 &&
      ids.every((id) => sets.some((set) => set.includes(id))) &&
      always.every((id) => ids.includes(id))
    );
  });
}

function fits(shown: Shown | "refused", seen: Seen, needs: 1 | 2): boolean {
  if (seen.grant < needs) return shown === "refused";
  if (shown === "refused") return seen.isDenied;
  if (shown.hasSecret !== undefined && shown.hasSecret !== (seen.grant === 2)) return false;
  const expected = seen.isDenied ? "" : seen.ids;
  if (shown.count !== undefined) return shown.count === (expected === "" ? 0 : expected.split(",").length);
  return idsText(shown.ids ?? []) === expected;
}
