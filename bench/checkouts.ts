/**
 * The processor time of requests in this checkout and in another one, `BENCH_BESIDE=folder`, in which `npm ci` has run.
 * Rates say little on a busy machine. The scheduler counts the time of both sides, which are measured in turn.
 * `BENCH_CASES="one row;insert"` takes only the cases whose name contains one of these words.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import autocannon from "autocannon";
import type { Served } from "./peers/checkout.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";
import { childrenOf, familyOf, stopwatch } from "./support/processes.ts";

const CONNECTIONS = 4;
const ROUNDS = 9;
const WARM_UP_ROUNDS = 2;

interface Case {
  /** The path, after the service's address. */
  readonly path: string;
  /** The body of a POST. */
  readonly body?: object;
  /** The default is JSON. */
  readonly accept?: string;
  /** Requests of a round: enough for V8 to compile the code before the rounds that count begin. */
  readonly amount: number;
}

const graphql = (query: string, variables: object, amount: number): Case => ({
  path: "/api/graphql/schema/city",
  body: { query, variables },
  amount,
});
const call = (method: string, params: object): object => ({ jsonrpc: "2.0", method, params, id: 1 });
const calls = (body: object, amount: number, accept?: string): Case => ({
  path: "/api/v4/call",
  body,
  amount,
  ...(accept !== undefined && { accept }),
});
/** `{database}` is the database's name, which differs between the sides. */
const collection = (path: string, amount: number): Case => ({
  path: `/api/v4/ogc/database/{database}/collections${path}`,
  amount,
});

const FROM = { id: { id: { gt: 100 } } };
const CASES: Readonly<Record<string, Case>> = {
  "GraphQL, list of 50": graphql(
    "query ($id: JSON) { getCityParks(where: $id, limit: 50) { id name district_id visitors opened tags is_open } }",
    FROM,
    1200,
  ),
  "GraphQL, nested list": graphql(
    "query ($id: JSON) { getCityParks(where: $id, limit: 50) { id name districts { id name } parkTrees { id species height } } }",
    FROM,
    600,
  ),
  "GraphQL, one row by id": graphql("query ($id: ID) { getCityParks(id: $id) { id name visitors } }", { id: 7 }, 2000),
  "GraphQL, insert of one": graphql(
    "mutation ($d: JSON) { insertNotes(data: $d) { id } }",
    { d: { text: "x", n: 1 } },
    1000,
  ),
  "GraphQL, insert of 1,000": graphql(
    "mutation ($o: [JSON]) { insertNotes(objects: $o) { id } }",
    { o: Array.from({ length: 1000 }, (_, n) => ({ text: `note ${n}`, n })) },
    16,
  ),
  "method, 50 rows": calls(call("fifty", { id: 100 }), 1600),
  "method, one row": calls(call("one", { id: 100 }), 2400),
  "batch of 100 calls": calls(
    Array.from({ length: 100 }, (_, n) => ({ ...call("one", { id: n + 1 }), id: n })),
    40,
  ),
  "method, 100,000 rows as csv": calls(call("csv", {}), 8, "text/csv"),
  "method, 100,000 rows as ndjson": calls(call("ndjson", {}), 8, "application/x-ndjson"),
  "items, 10,000 polygons": collection("/bench.parcels/items?limit=10000", 8),
  "one feature": collection("/bench.points/items/4711", 1600),
  "box of a few": collection("/bench.points/items?bbox=10,40,10.7,40.7", 1200),
  "first 10 of 200,000": collection("/bench.points/items?limit=10", 800),
  "list of collections": collection("", 600),
  "vector tile of a few points, made": collection("/bench.points/tiles/WebMercatorQuad/8/98/59", 1200),
  "vector tile of 500 polygons, made": collection("/bench.polygons/tiles/WebMercatorQuad/7/42/67", 150),
  "map of 1,000 polygons": collection("/bench.polygons/map?bbox=10,50,12,52&width=512&height=512&f=png", 40),
};

/** Times of the gateway with its workers, and of PostgreSQL, in ms. */
type Spent = readonly [service: number, postgres: number];

class Side {
  readonly served: Served;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, served: Served) {
    this.#child = child;
    this.served = served;
  }

  /** Throws if the checkout does not start. */
  static async start(checkout: string): Promise<Side> {
    const child = fork(join(import.meta.dirname, "peers/checkout.ts"), [checkout], { execArgv: ["--stack-size=3900"] });
    const ended = once(child, "exit").then(() => Promise.reject(new Error(`${checkout} does not come up`)));
    ended.catch(() => undefined); // when it is stopped
    const [served] = (await Promise.race([once(child, "message"), ended])) as [Served];
    return new Side(child, served);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }

  /** Of each request. */
  async spent(wanted: Case): Promise<Spent> {
    const { pid, postmaster } = this.served;
    const service = stopwatch(() => familyOf(pid));
    const postgres = stopwatch(() => childrenOf(postmaster));
    await this.send(wanted);
    return [service() / wanted.amount, postgres() / wanted.amount];
  }

  /** Throws for an error in the answer: GraphQL and JSON-RPC answer 200 even if something failed. */
  async check({ path, body, accept }: Case): Promise<void> {
    const response = await fetch(this.#url(path), {
      method: body ? "POST" : "GET",
      headers: this.#headers(accept),
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok || /^\{"(errors|error|jsonrpc":"2.0","error)"/.test(text)) throw new Error(text.slice(0, 500));
  }

  async send({ path, body, accept, amount }: Case): Promise<void> {
    const { non2xx, errors } = await autocannon({
      url: this.#url(path),
      headers: this.#headers(accept),
      ...(body && { method: "POST" as const, body: JSON.stringify(body) }),
      connections: CONNECTIONS,
      amount,
      timeout: 60,
    });
    if (non2xx > 0 || errors > 0) throw new Error(`${path}: ${non2xx + errors} requests failed`);
  }

  #url(path: string): string {
    return this.served.url + path.replace("{database}", this.served.database);
  }

  #headers(accept = "*/*"): Record<string, string> {
    return { authorization: `Bearer ${this.served.token}`, "content-type": "application/json", accept };
  }
}

/** Rounds of each side in turn. The first side alternates, so that both meet the caches that the other one left. */
async function compare(wanted: Case, sides: readonly [Side, Side]): Promise<readonly [Spent, Spent]> {
  const found: [Spent[], Spent[]] = [[], []];
  for (const side of sides) await side.check(wanted);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const spent = await sides[index].spent(wanted);
      if (round >= 0) found[index].push(spent);
    }
  const middle = (spent: readonly Spent[]): Spent => [median(spent.map(([s]) => s)), median(spent.map(([, p]) => p))];
  return [middle(found[0]), middle(found[1])];
}

const shown = (spent: Spent): string => spent.map((ms) => ms.toFixed(ms < 10 ? 2 : 0)).join(" + ") + " ms";

/** The cases that `BENCH_CASES` names; all without it. */
function wantedCases(): [string, Case][] {
  const words = process.env["BENCH_CASES"]?.split(";");
  return Object.entries(CASES).filter(([name]) => words?.some((word) => name.includes(word)) ?? true);
}

export const benchmark: Benchmark = {
  name: "processor time of gateway + PostgreSQL beside another checkout",
  async run() {
    const other = process.env["BENCH_BESIDE"];
    if (other === undefined) return [];
    const sides = [await Side.start(join(import.meta.dirname, "..")), await Side.start(other)] as const;
    const rows: Row[] = [];
    try {
      for (const [what, wanted] of wantedCases()) {
        const [ours, theirs] = await compare(wanted, sides);
        const ratio = ((ours[0] + ours[1]) / (theirs[0] + theirs[1])).toFixed(2);
        rows.push({ what, ours: shown(ours), peer: shown(theirs), ratio, target: "≤ 1.05" });
        process.stderr.write(`  ${what}: ${ratio}\n`);
      }
    } finally {
      for (const side of sides) await side.stop();
    }
    return rows;
  },
};
