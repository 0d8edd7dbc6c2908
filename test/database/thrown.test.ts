import assert from "node:assert/strict";
import pg from "pg";
import type { Connection } from "../../server/kernel/database/wire/extendedQuery.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

type Names = "query" | "parse" | "bind" | "describe" | "execute" | "sync";
type Methods = Record<Names, (...values: unknown[]) => unknown>;

/** Every step of the driver between taking a connection and sending on it. The chosen one throws. */
class Steps {
  #left = 0;
  #ofRequest = false;
  readonly #undo: (() => void)[] = [];

  constructor() {
    const connection = (new pg.Client() as unknown as { connection: Connection }).connection;
    const prototype = Object.getPrototypeOf(connection) as Methods;
    for (const name of ["query", "parse", "bind", "describe", "execute", "sync"] as const)
      this.#replace(prototype, name, (original) => {
        const step = (): void => this.#step(name);
        return function (this: unknown, ...values: unknown[]) {
          step();
          return original.apply(this, values);
        };
      });
    const ofRequest = (client: unknown, run: () => unknown): unknown => {
      const { application_name: name } = (client as { connectionParameters: { application_name: string } })
        .connectionParameters;
      this.#ofRequest = name === "portolan own sql" || name === "portolan requests";
      try {
        this.#step("query");
        return run();
      } finally {
        this.#ofRequest = false;
      }
    };
    this.#replace(pg.Client.prototype as unknown as Methods, "query", (original) => {
      return function (this: unknown, ...values: unknown[]) {
        return ofRequest(this, () => original.apply(this, values));
      };
    });
  }

  #replace(prototype: Methods, name: Names, by: (original: Methods[Names]) => Methods[Names]): void {
    const original = prototype[name];
    prototype[name] = by(original);
    this.#undo.push(() => (prototype[name] = original));
  }

  #step(name: string): void {
    if (this.#ofRequest && this.#left > 0 && --this.#left === 0) throw new TypeError(`no ${name}, by a fault`);
  }

  /** Makes the step of this number throw, counted from 1. */
  failAt(step: number): void {
    this.#left = step;
  }

  /** Whether it has thrown. Nothing throws from now on. */
  takeFault(): boolean {
    const hasThrown = this.#left === 0;
    this.#left = 0;
    return hasThrown;
  }

  restore(): void {
    for (const undo of this.#undo) undo();
  }
}

/** All pools of connections that this process opens. */
function watchPools(): { readonly pools: Set<pg.Pool>; restore(): void } {
  const pools = new Set<pg.Pool>();
  const { prototype } = pg.Pool as unknown as { prototype: { connect: (...values: unknown[]) => unknown } };
  const { connect } = prototype;
  prototype.connect = function (this: pg.Pool, ...values) {
    pools.add(this);
    return connect.apply(this, values);
  };
  return { pools, restore: () => (prototype.connect = connect) };
}

/** Status 0: a document that had begun was cut, so that it does not look whole. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The reader of events has one of the gateway's own connections for as long as it runs. */
const LISTENING = 1;
const LONG = "select n, repeat('x', 20) as text from generate_series(1, 3000) n";
const call = (method: string, params: unknown = {}, id: unknown = 1) => ({ jsonrpc: "2.0", method, params, id });

describe("an exception between taking a connection and sending", function () {
  let gateway: TestGateway;
  let steps: Steps;
  let watched: ReturnType<typeof watchPools>;
  let tokens: Readonly<Record<string, string>>;
  let isClosed = false;
  let count = 0;

  async function send(path: string, as: string, request: RequestInit = {}): Promise<Answer> {
    const headers = { Authorization: `Bearer ${tokens[as]}`, "Content-Type": "application/json", ...request.headers };
    try {
      const signal = AbortSignal.timeout(10_000);
      const response = await fetch(gateway.baseUrl + path, { ...request, headers, signal });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if ((error as Error).name === "TimeoutError") throw error;
      return { status: 0, text: "" };
    }
  }
  const post = (path: string, body: object, { accept = "*/*", as = "guest" } = {}): Promise<Answer> =>
    send(path, as, { method: "POST", headers: { Accept: accept }, body: JSON.stringify(body) });
  const get = (path: string): Promise<Answer> => send(path, "guest");

  before(async () => {
    watched = watchPools();
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create role team_role nologin;
select portolan.adopt_role('team', 'team_role');
create schema deck;
create table deck.ropes (id int generated always as identity primary key, text text);
select portolan.set_privilege('deck.ropes', 'guest', 'write');
select portolan.create_method('long', $$${LONG}$$);
select portolan.create_method('lines', $$${LONG}$$, output_format => 'ndjson');
select portolan.create_method('one', 'select :n::int as n');
select portolan.create_method('kept', 'select :n::int as n', cache_seconds => 1);
select portolan.create_method('tie', 'insert into deck.ropes (text) values (:text)');`),
    });
    const names = ["guest", "team"];
    tokens = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await gateway.token(name)])));
    steps = new Steps();
  });

  after(async () => {
    steps.restore();
    watched.restore();
    if (!isClosed) await gateway.close();
  });

  /** Connections that are neither back nor closed, except those on which the gateway listens as long as it runs. */
  const kept = (): number => {
    const busy = [...watched.pools].map(
      ({ totalCount, idleCount, waitingCount }) => totalCount - idleCount + waitingCount,
    );
    return busy.reduce((sum, count) => sum + count, 0) - LISTENING;
  };

  async function allGivenBack(what: string): Promise<void> {
    const deadline = Date.now() + 3000;
    while (kept() !== 0 && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(kept(), 0, `${what}: connections are kept`);
  }

  const kinds: readonly (readonly [string, () => Promise<Answer>])[] = [
    ["a statement", () => post("/api/v4/sql", { q: "select 1 as a" })],
    ["a statement with a parameter", () => post("/api/v4/sql", { q: "select :n::int as n", params: { n: 1 } })],
    ["a statement in portions", () => post("/api/v4/sql", { q: LONG })],
    ["a statement as a stream", () => post("/api/v4/sql", { q: LONG }, { accept: "text/csv" })],
    ["a statement that writes", () => post("/api/v4/sql", { q: "update deck.ropes set text = '' where id = 0" })],
    ["a geometry, which is converted", () => post("/api/v4/sql", { q: "select geom from world.cities limit 3" })],
    ["a list of statements", () => post("/api/v4/sql", [{ q: "select 1 as a" }, { q: LONG }, { q: "select 2 as b" }])],
    ["an array of parameters", () => post("/api/v4/sql", { q: "select :n::int as n", params: [{ n: 1 }, { n: 2 }] })],
    ["a call", () => post("/api/v4/call", call("long"))],
    ["a call that is kept", () => post("/api/v4/call", call("kept", { n: ++count }))],
    ["a call as a stream", () => post("/api/v4/call", call("lines"), { accept: "application/x-ndjson" })],
    ["a call with an array of parameters", () => post("/api/v4/call", call("one", [{ n: 1 }, { n: 2 }]))],
    ["a batch", () => post("/api/v4/call", [call("one", { n: 1 }, 1), call("long", {}, 2)])],
    ["a batch that writes", () => post("/api/v4/call", [call("one", { n: 1 }), call("tie", { text: "x" }, 2)])],
    ["a dry run", () => post("/api/v4/call/dry", call("one", { n: 1 }))],
    ["a call under the runner's login", () => post("/api/v4/call", call("long"), { as: "team" })],
    ["a batch under the runner's login", () => post("/api/v4/call", [call("one", { n: 1 })], { as: "team" })],
    ["a GraphQL query", () => post("/api/graphql/schema/world", { query: "{ getCities(limit: 2) { id name } }" })],
    [
      "a GraphQL mutation",
      () => post("/api/graphql/schema/deck", { query: 'mutation { insertRopes(data: {text: "a"}) { text } }' }),
    ],
    ["a page of items", () => get(`/api/v4/ogc/database/${gateway.database.name}/collections/world.cities/items`)],
    ["a feature", () => get(`/api/v4/ogc/database/${gateway.database.name}/collections/world.cities/items/1`)],
    [
      "features in a box",
      () => get(`/api/v4/ogc/database/${gateway.database.name}/collections/world.cities/items?bbox=0,0,20,60`),
    ],
    ["the list of methods", () => get("/api/v4/methods")],
  ];

  for (const [kind, ask] of kinds)
    it(`${kind}: the request is answered, its connection given back, and the next one served`, async () => {
      let faults = 0;
      for (const warm of [3, 0])
        for (let step = 1; ; step++) {
          for (let n = 0; n < warm; n++) assert.equal((await ask()).status, 200, `${kind}, step ${step}`);
          steps.failAt(step);
          const { status, text } = await ask();
          const hasFailed = steps.takeFault();
          assert.ok([0, 200, 500, 503].includes(status), `${kind}, step ${step}: ${status}`);
          assert.doesNotMatch(text, /by a fault/);
          await allGivenBack(`${kind}, step ${step}`);
          if (!hasFailed) break;
          faults++;
        }
      assert.ok(faults >= 4, `only ${faults} steps were seen`);
      assert.equal((await ask()).status, 200);
      await allGivenBack(kind);
    });

  it("the gateway ends at once", async () => {
    const started = performance.now();
    isClosed = true;
    await gateway.close();
    assert.ok(performance.now() - started < 3000);
  });
});
