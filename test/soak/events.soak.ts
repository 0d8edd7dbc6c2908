/**
 * A history of all writes, checked at the WebSocket of real gateways during faults: nothing is lost, nothing comes
 * twice, nothing is out of order, and nobody sees rows without a right.
 */
import assert from "node:assert/strict";
import { stdout } from "node:process";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../support/freePort.ts";
import { until } from "../support/events.ts";
import { Follower } from "../support/follower.ts";
import { tokenFor } from "../support/gateway.ts";
import { CHAIN_TABLE, ChainChecker, startWriters, type Writers } from "../support/history.ts";
import { ownCluster, type OwnCluster } from "../support/ownCluster.ts";
import { GatewayProcess } from "../support/process.ts";

const ISSUER = "http://portolan.test";
const WRITERS = 6;
const FOLLOWERS = 3;
const PATIENCE_MS = 45_000;

interface Running {
  readonly process: GatewayProcess;
  /** Host and port, whatever address it uses in links. */
  readonly address: string;
}

interface Watched {
  readonly name: string;
  readonly follower: Follower;
  readonly checker: ChainChecker;
  /** Whether it may see a row. */
  readonly sees: (id: string) => boolean;
}

describe("a history of change events", function () {
  this.timeout(300_000);
  let cluster: OwnCluster;
  const gateways: Running[] = [];
  const watched: Watched[] = [];
  /** Rows that an account saw without a right. */
  const shown: string[] = [];
  let writers: Writers | undefined;
  let janitor: Promise<void>;
  let over = false;

  const query = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: cluster.database.url });
    client.on("error", () => undefined); // PostgreSQL went away: the statement reports it
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const rowsNow = async (): Promise<Map<string, string>> =>
    new Map((await query("select id::text, v::text from town.chain")).map(({ id, v }) => [String(id), String(v)]));
  const token = (account: string, seconds = 3600) => tokenFor(cluster.database, ISSUER, account, seconds);
  const webSocketUrl = (): string =>
    `ws://${gateways[Math.floor(Math.random() * gateways.length)]?.address ?? "127.0.0.1:9"}`;

  async function startGateway(): Promise<Running> {
    const port = await freePort();
    const started = await GatewayProcess.start({
      DATABASE_URL: cluster.database.gatewayUrl,
      PORT: String(port),
      BASE_URL: ISSUER,
      LOG_LEVEL: "error",
      CONNECT_TIMEOUT_MS: "2000",
    });
    return { process: started, address: `127.0.0.1:${port}` };
  }

  async function follow(name: string, account: string, sees: (id: string) => boolean = () => true): Promise<Watched> {
    const checker = new ChainChecker(new Map([...(await rowsNow())].filter(([id]) => sees(id))));
    const follower = new Follower({
      url: webSocketUrl,
      token: () => token(account),
      schema: "town",
      relation: "chain",
      take(rows, operations) {
        for (const { id } of rows) if (!sees(String(id))) shown.push(`${name} was shown ${String(id)}`);
        checker.takeRows(rows, operations);
      },
    });
    const one = { name, follower, checker, sees };
    watched.push(one);
    await until(() => follower.isLive, PATIENCE_MS);
    return one;
  }

  before(async () => {
    cluster = await ownCluster({ max_prepared_transactions: "20" });
    await query(`
create schema town; ${CHAIN_TABLE}
select portolan.create_user('all', null), portolan.create_user('even', null), portolan.create_user('gone', null);
alter table town.chain enable row level security;
create policy everything on town.chain using (true);
create policy even on town.chain as restrictive for select to "even@town" using (id % 2 = 0);
select portolan.set_privilege('town.chain', a, 'read') from unnest('{all,even,gone}'::text[]) a;
select portolan.enable_events('town.chain');`);
    gateways.push(await startGateway());
    janitor = (async () => {
      // transactions that a writer prepared and could no longer commit
      while (!over) {
        await setTimeout(300);
        try {
          for (const { gid } of await query(
            "select gid from pg_prepared_xacts where prepared < now() - interval '1 s'",
          ))
            await query(`commit prepared '${String(gid)}'`);
        } catch {
          // PostgreSQL is away, or the writer was faster
        }
      }
    })();
    for (let index = 0; index < FOLLOWERS; index++) await follow(`all ${index}`, "all");
    await follow("even", "even", (id) => Number(id) % 2 === 0);
    // each has a position from now on
    await query("update town.chain set v = v + 1");
    await until(() => watched.every(({ follower }) => follower.transactions > 0), PATIENCE_MS);
  });

  after(async () => {
    over = true;
    await writers?.stop();
    await Promise.all(watched.map(({ follower }) => follower.stop()));
    await Promise.all(gateways.map(({ process }) => process.stop("SIGKILL")));
    await janitor;
    await cluster.stop();
  });

  /** Writes while `disturb` runs. Then every subscriber must have seen everything, once and in order. */
  async function chapter(title: string, disturb: () => Promise<void>): Promise<void> {
    const before = watched.map(({ checker }) => checker.report().events);
    writers = startWriters({ url: cluster.database.url, writers: WRITERS, twoPhase: true });
    const { counts } = writers;
    try {
      await disturb();
    } finally {
      await writers.stop();
    }
    await until(async () => (await query("select from pg_prepared_xacts")).length === 0, PATIENCE_MS);
    const rows = await rowsNow();
    for (const { name, checker, sees, follower } of watched) {
      const own = new Map([...rows].filter(([id]) => sees(id)));
      await until(
        () => checker.equals(own) || checker.report().breaks.length > 0,
        PATIENCE_MS,
        () => `${name} ${JSON.stringify([...follower.errors])} ${JSON.stringify([...follower.closes])}`,
      );
    }
    const events = watched.reduce((sum, { checker }, index) => sum + checker.report().events - (before[index] ?? 0), 0);
    const closes = watched.flatMap(({ follower }) => [...follower.closes.values()]).reduce((sum, n) => sum + n, 0);
    stdout.write(
      `      ${title}: ${counts.committed} transactions committed, ${counts.rolledBack} rolled back, ${counts.failed} cut off; ` +
        `${events} events at ${watched.length} subscribers, ${closes} sockets lost so far\n`,
    );
    for (const { name, checker, follower } of watched) {
      assert.deepEqual(checker.report().breaks, [], name);
      assert.equal(follower.gaps, 0, name);
    }
    assert.deepEqual(shown, []);
    assert.ok(events > 100);
  }

  it("single, bulk, rolled back, long and prepared transactions, while subscribers come and go", () =>
    chapter("quiet", async () => {
      for (let round = 0; round < 30; round++) {
        await setTimeout(250);
        watched[round % watched.length]?.follower.webSocket?.terminate();
      }
    }));

  it("kill -9 of the gateway, five times", () =>
    chapter("gateway killed", async () => {
      for (let round = 0; round < 5; round++) {
        const [old] = gateways.splice(0, 1);
        await old?.process.stop("SIGKILL");
        gateways.push(await startGateway());
        await setTimeout(1000);
      }
    }));

  it("kill -9 of the process that reads, of two, five times", () =>
    chapter("reader killed", async () => {
      gateways.push(await startGateway());
      for (let round = 0; round < 5; round++) {
        await setTimeout(1000);
        let reader: Running | undefined;
        await until(async () => {
          for (const gateway of gateways) if (await isReader(gateway)) reader = gateway;
          return reader !== undefined;
        }, PATIENCE_MS);
        gateways.splice(gateways.indexOf(reader!), 1);
        await reader!.process.stop("SIGKILL");
        const began = Date.now();
        await until(async () => isReader(gateways[0]!), PATIENCE_MS);
        stdout.write(`      the other reads after ${Date.now() - began} ms\n`);
        gateways.push(await startGateway());
      }
      const [one] = gateways.splice(0, 1);
      await one?.process.stop();
    }));

  it("PostgreSQL stopped at once, and started, three times", () =>
    chapter("PostgreSQL crashed", async () => {
      for (let round = 0; round < 3; round++) {
        await setTimeout(2000);
        await cluster.crash(round * 700);
      }
      await setTimeout(2000);
    }));

  it("every connection terminated, again and again", () =>
    chapter("connections terminated", async () => {
      for (let round = 0; round < 25; round++) {
        await setTimeout(300);
        await query(
          "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
        ).catch(() => undefined); // a client that runs two at a time may be hit
      }
    }));

  it("a subscriber that stops reading is cut off, the others do not wait, and it resumes", async () => {
    const lazy = await follow("lazy", "all");
    await query("update town.chain set v = v + 1");
    await until(() => lazy.follower.transactions > 0, PATIENCE_MS);
    await chapter("slow reader", async () => {
      const { webSocket } = lazy.follower;
      webSocket?.pause();
      const before = watched[0]!.follower.transactions;
      // more than the buffers of the socket and the system hold
      for (let round = 0; round < 8; round++) {
        await query(
          "insert into town.chain select 5000000 + i, 0, 0, repeat(md5(i::text), 60) from generate_series(1, 1500) i; delete from town.chain where id between 5000001 and 5001500",
        );
      }
      await until(() => watched[0]!.follower.transactions > before + 20, PATIENCE_MS);
      await until(
        async () => (await metric(gateways[0]!, /portolan_socket_slow_readers_total\{[^}]*\} (\d+)/)) > 0,
        PATIENCE_MS,
      );
      webSocket?.resume();
      await until(() => lazy.follower.webSocket !== webSocket && lazy.follower.isLive, PATIENCE_MS);
    });
  });

  it("tokens that expire in the middle", async () => {
    const brief = await follow("brief", "all");
    await query("update town.chain set v = v + 1");
    await until(() => brief.follower.transactions > 0, PATIENCE_MS);
    await chapter("tokens expired", async () => {
      const before = brief.follower.closes.get(4401) ?? 0;
      const end = Date.now() + 8000;
      // from now on its sockets have a token of two seconds; every other one is renewed in time
      for (let round = 0; Date.now() < end; round++) {
        if (round % 2 === 0) {
          const { webSocket } = brief.follower;
          webSocket?.send(JSON.stringify({ type: "authenticate", token: await token("all", 2) }));
          await until(() => webSocket?.readyState === 3, PATIENCE_MS);
          await until(() => brief.follower.isLive, PATIENCE_MS);
        } else brief.follower.webSocket?.send(JSON.stringify({ type: "authenticate", token: await token("all", 5) }));
        await setTimeout(500);
      }
      assert.ok((brief.follower.closes.get(4401) ?? 0) > before, "closed with 4401");
    });
  });

  it("rights revoked while subscribed: nothing more is delivered", async () => {
    const delays: number[] = [];
    for (let round = 0; round < 5; round++) {
      await query("select portolan.set_privilege('town.chain', 'gone', 'read')");
      const late: string[] = [];
      let revoked = false;
      const gone = new Follower({
        url: webSocketUrl,
        token: () => token("gone"),
        schema: "town",
        relation: "chain",
        take(rows) {
          for (const { note } of rows) if (revoked && note === "secret") late.push(String(note));
        },
      });
      await until(() => gone.isLive, PATIENCE_MS);
      await chapter("rights revoked", async () => {
        await setTimeout(1000);
        await query("begin; select portolan.set_privilege('town.chain', 'gone', 'none'); commit");
        revoked = true;
        const began = Date.now();
        await query("insert into town.chain values (7000000, 0, 0, 'secret')");
        await until(() => gone.errors.has("NOT_ALLOWED"), PATIENCE_MS);
        delays.push(Date.now() - began);
        await query("delete from town.chain where id = 7000000");
        await setTimeout(1000);
      });
      await gone.stop();
      assert.deepEqual(late, []);
    }
    stdout.write(`      subscriptions ended ${delays.join(", ")} ms after the right\n`);
  });

  it("DDL on the table while subscribed", () =>
    chapter("DDL", async () => {
      for (let round = 0; round < 10; round++) {
        for (const statement of [
          `alter table town.chain add extra_${round} text default 'x'`,
          `create index on town.chain (v)`,
          `alter table town.chain rename extra_${round} to other_${round}`,
          `create policy p_${round} on town.chain as restrictive for select using (v >= 0)`,
          `alter table town.chain drop other_${round}`,
          `drop index town.chain_v_idx`,
          `drop policy p_${round} on town.chain`,
        ]) {
          await query(`set lock_timeout = '5s'; ${statement}`).catch((error: unknown) => {
            if ((error as { code?: string }).code !== "40P01") throw error; // deadlock with a writer
          });
          await setTimeout(100);
        }
      }
    }));
});

async function metric({ address }: Running, pattern: RegExp): Promise<number> {
  const text = await fetch(`http://${address}/metrics`).then(
    (response) => response.text(),
    () => "",
  );
  return Number(pattern.exec(text)?.[1] ?? 0);
}

async function isReader(gateway: Running): Promise<boolean> {
  return (await metric(gateway, /portolan_events_reader\{[^}]*\} (\d)/)) === 1;
}
