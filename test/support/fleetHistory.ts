/**
 * A history of all writes, checked at the WebSockets of a fleet of real gateways while parts of it are killed, frozen
 * and cut off: nothing is lost, nothing comes twice, rows keep their order, and nobody sees rows without a right.
 */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { stdout } from "node:process";
import pg from "pg";
import { freePort } from "./freePort.ts";
import { Follower } from "./follower.ts";
import { tokenFor } from "./gateway.ts";
import { CHAIN_TABLE, ChainChecker, startWriters } from "./history.ts";
import { NatsServer, Way } from "./nats.ts";
import { ownCluster, type OwnCluster } from "./ownCluster.ts";
import { GatewayProcess } from "./process.ts";
import { until } from "./until.ts";

const FLEET = "http://portolan.test";
export const PATIENCE_MS = 60_000;
/** No request is answered under a right that was revoked longer ago. */
const RIGHTS_MS = 5000;
const ASK_MS = { timeout: 3000, pause: 50 };

export interface FleetSize {
  readonly gateways: number;
  readonly subscribers: number;
  readonly writers: number;
  /** Pause of a writer after each transaction. */
  readonly pauseMs: number;
  /** How long a fault lasts. */
  readonly faultMs: number;
  /** The time after which every subscriber must have everything. Default 60 s. */
  readonly patienceMs?: number;
  /** The number of NATS servers that share the order of events. Default 1. */
  readonly natsServers?: number;
}

export interface Member {
  process: GatewayProcess;
  readonly port: number;
  readonly toNats: Way;
  readonly toPostgres: Way;
}

interface Watched {
  readonly follower: Follower;
  readonly checker: ChainChecker;
  readonly sees: (id: string) => boolean;
}

export class FleetHistory {
  readonly members: Member[] = [];
  readonly natsServers: readonly NatsServer[];
  readonly #cluster: OwnCluster;
  readonly #size: FleetSize;
  readonly #watched: Watched[] = [];
  /** Rows that an account saw without a right. */
  readonly #shown: string[] = [];

  private constructor(cluster: OwnCluster, natsServers: readonly NatsServer[], size: FleetSize) {
    this.#cluster = cluster;
    this.natsServers = natsServers;
    this.#size = size;
  }

  static async start(size: FleetSize): Promise<FleetHistory> {
    const cluster = await ownCluster();
    await cluster.database.client.query(`
create schema town; ${CHAIN_TABLE}
select portolan.create_user('all', null), portolan.create_user('even', null);
alter table town.chain enable row level security;
create policy everything on town.chain using (true);
create policy even on town.chain as restrictive for select to "even@town" using (id % 2 = 0);
select portolan.set_privilege('town.chain', a, 'read') from unnest('{all,even}'::text[]) a;
select portolan.enable_events('town.chain');`);
    const { natsServers = 1 } = size;
    const servers = natsServers > 1 ? await NatsServer.cluster(natsServers) : [await NatsServer.start()];
    const history = new FleetHistory(cluster, servers, size);
    for (let index = 0; index < size.gateways; index++) history.members.push(await history.#member());
    await history.#follow();
    return history;
  }

  async close(): Promise<void> {
    await Promise.all(this.#watched.map(({ follower }) => follower.stop()));
    for (const { process, toNats, toPostgres } of this.members) {
      await process.stop("SIGKILL");
      await toNats[Symbol.asyncDispose]();
      await toPostgres[Symbol.asyncDispose]();
    }
    for (const server of this.natsServers) await server[Symbol.asyncDispose]();
    await this.#cluster.stop();
  }

  /** The first NATS server, or the only one. */
  get nats(): NatsServer {
    return this.natsServers[0]!;
  }

  /** The gateway that gives the order. */
  async reader(): Promise<Member> {
    let reader: Member | undefined;
    await until(async () => {
      const { rows } = await this.#cluster.database.client.query<{ process: number }>(
        "select process from portolan.fleet() where reader",
      );
      reader = this.members.find(({ process }) => process.pid === rows[0]?.process);
      return reader !== undefined;
    }, PATIENCE_MS);
    return reader!;
  }

  /** Ends a gateway, and starts another in its place, after that delay and with a clock that may be ahead. */
  async replace(
    member: Member,
    {
      signal = "SIGKILL",
      goneMs = 0,
      aheadMs = 0,
    }: { signal?: NodeJS.Signals; goneMs?: number; aheadMs?: number } = {},
  ): Promise<void> {
    await member.process.stop(signal);
    await setTimeout(goneMs);
    member.process = await this.#gateway(member, aheadMs);
  }

  /**
   * Accounts request rows from every gateway, again and again. Then `disturb` runs, and each account loses its right by
   * its statement in `take`. Throws if a request that began `RIGHTS_MS` later is answered with rows.
   */
  async takeRights(take: Readonly<Record<string, string>>, meanwhile: string, disturb: () => void): Promise<void> {
    const { client } = this.#cluster.database;
    const askers: Asker[] = [];
    for (const name of Object.keys(take)) {
      await client.query("select portolan.create_user($1, null), portolan.set_privilege('town.chain', $1, 'read')", [
        name,
      ]);
      const token = await tokenFor(this.#cluster.database, FLEET, name);
      askers.push(...this.members.map(({ port }) => new Asker(`http://127.0.0.1:${port}`, token)));
    }
    try {
      await until(() => askers.every(({ answeredAtMs }) => answeredAtMs > 0), PATIENCE_MS);
      disturb();
      for (const statement of [...Object.values(take), meanwhile]) await client.query(statement);
      const takenAtMs = Date.now();
      await setTimeout(RIGHTS_MS); // the limit itself
      const before = askers.map(({ asked }) => asked);
      await until(() => askers.every(({ asked }, index) => asked > before[index]! + 3), PATIENCE_MS);
      for (const { answeredAtMs } of askers)
        assert.ok(answeredAtMs <= takenAtMs + RIGHTS_MS, "answered without a right");
    } finally {
      await Promise.all(askers.map((asker) => asker.stop()));
    }
  }

  /** Writes while `disturb` runs. Then every subscriber must have seen everything, once and in order. */
  async chapter(title: string, disturb: (faultMs: number) => Promise<void>): Promise<void> {
    const eventsOf = (): number => this.#watched.reduce((sum, { checker }) => sum + checker.report().events, 0);
    const before = eventsOf();
    const { writers: count, pauseMs, faultMs, patienceMs = PATIENCE_MS } = this.#size;
    const writers = startWriters({ url: this.#cluster.database.url, writers: count, pauseMs });
    try {
      await setTimeout(500);
      await disturb(faultMs);
      await setTimeout(500);
    } finally {
      await writers.stop();
    }
    const began = Date.now();
    const rows = await this.#rows();
    for (const { checker, follower, sees } of this.#watched) {
      const own = new Map([...rows].filter(([id]) => sees(id)));
      await until(
        () => checker.equals(own) || checker.report().breaks.length > 0,
        patienceMs,
        () => JSON.stringify([[...follower.errors], [...follower.closes]]),
      );
      assert.deepEqual(checker.report().breaks, []);
      assert.equal(follower.gaps, 0);
    }
    assert.deepEqual(this.#shown, []);
    const events = eventsOf() - before;
    assert.ok(events > this.#watched.length, "something was written");
    stdout.write(
      `      ${title}: ${writers.counts.committed} transactions, ${events} events at ${this.#watched.length} subscribers, all there ${Date.now() - began} ms after the last\n`,
    );
  }

  async #rows(): Promise<Map<string, string>> {
    const client = new pg.Client({ connectionString: this.#cluster.database.url });
    await client.connect();
    const { rows } = await client.query<{ id: string; v: string }>("select id::text, v::text from town.chain");
    await client.end();
    return new Map(rows.map(({ id, v }) => [id, v]));
  }

  async #member(): Promise<Member> {
    const ways = {
      port: await freePort(),
      toNats: await Way.to(this.natsServers[this.members.length % this.natsServers.length]!.port),
      toPostgres: await Way.toPostgres(this.#cluster.database.gatewayUrl),
    };
    return { ...ways, process: await this.#gateway(ways) };
  }

  #gateway({ port, toNats, toPostgres }: Omit<Member, "process">, aheadMs = 0): Promise<GatewayProcess> {
    return GatewayProcess.start({
      DATABASE_URL: toPostgres.leadsTo(this.#cluster.database.gatewayUrl),
      PORT: String(port),
      BASE_URL: FLEET,
      NATS_URL: [toNats, ...this.natsServers.slice(1)].map(({ url }) => url).join(),
      LOG_LEVEL: "error",
      CONNECT_TIMEOUT_MS: "2000",
      MAX_SOCKETS_PER_ACCOUNT: "5000",
      ...(aheadMs !== 0 && {
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clockAhead(aheadMs))}`,
      }),
    });
  }

  async #follow(): Promise<void> {
    const rows = await this.#rows();
    const tokens = {
      all: await tokenFor(this.#cluster.database, FLEET, "all", 7200),
      even: await tokenFor(this.#cluster.database, FLEET, "even", 7200),
    };
    for (let index = 0; index < this.#size.subscribers; index++) {
      const account = index % 3 === 2 ? "even" : "all";
      const sees = (id: string): boolean => account === "all" || Number(id) % 2 === 0;
      const checker = new ChainChecker(new Map([...rows].filter(([id]) => sees(id))));
      const follower = new Follower({
        url: () => `ws://127.0.0.1:${this.members[Math.floor(Math.random() * this.members.length)]?.port}`,
        token: () => Promise.resolve(tokens[account]),
        schema: "town",
        relation: "chain",
        take: (taken, operations) => {
          for (const { id } of taken) if (!sees(String(id))) this.#shown.push(`${account} was shown ${String(id)}`);
          checker.takeRows(taken, operations);
        },
      });
      this.#watched.push({ follower, checker, sees });
      if (index % 50 === 49) await until(() => this.#watched.every((one) => one.follower.isLive), PATIENCE_MS);
    }
    await until(() => this.#watched.every(({ follower }) => follower.isLive), PATIENCE_MS);
    await this.#cluster.database.client.query("update town.chain set v = v + 1"); // each has a position from now on
    await until(() => this.#watched.every(({ follower }) => follower.transactions > 0), PATIENCE_MS);
  }
}

/** Requests rows from a gateway until it is stopped. */
class Asker {
  /** When the last request that was answered with rows began. */
  answeredAtMs = 0;
  /** Requests that have ended, with or without an answer. */
  asked = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(url: string, token: string) {
    this.#running = this.#run(url, token);
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#running;
  }

  async #run(url: string, token: string): Promise<void> {
    while (!this.#stopped) {
      const beganAtMs = Date.now();
      const text = await fetch(`${url}/api/graphql/schema/town`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: '{"query": "{ getChain(limit: 1) { id } }"}',
        signal: AbortSignal.timeout(ASK_MS.timeout),
      }).then(
        (answer) => answer.text(),
        () => "", // a gateway that is cut off does not answer
      );
      if (/^\{"data":\{"getChain":\[\{"id"/.test(text)) this.answeredAtMs = beganAtMs;
      this.asked++;
      await setTimeout(ASK_MS.pause);
    }
  }
}

/** The clock offset of a process whose host has the wrong time. */
function clockAhead(ms: number): string {
  return `const Real = Date; globalThis.Date = class Date extends Real {
    constructor(...given) { given.length > 0 ? super(...given) : super(Real.now() + ${ms}); }
    static now() { return Real.now() + ${ms}; }
  }`;
}
