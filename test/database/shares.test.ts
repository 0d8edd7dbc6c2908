import assert from "node:assert/strict";
import {
  HostConnections,
  OwnConnections,
  type Database,
  type Identity,
  type RequestContext,
} from "../../server/kernel/database/database.ts";
import { isMeant, type GatewayError } from "../../server/ground/errors.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/until.ts";

/** Longer than any test: these statements end when their caller leaves. */
const LONG = { timeoutMs: 60_000 };

/** A connection of a busy machine takes some hundred milliseconds to make. */
const REFUSED_AFTER_MS = 1500;

describe("shares of the pool", () => {
  let test: TestDatabase;
  let database: Database;
  let leaving: AbortController;
  let slow: Promise<unknown>[];
  const identities = new Map<string, Identity>();

  async function identityOf(name: string): Promise<Identity> {
    const known = identities.get(name);
    if (known) return known;
    const account = await findAccount(database, name);
    assert.ok(account);
    const identity = {
      database: database.name,
      name,
      role: account.role,
      roleMade: account.roleMade,
      claims: { sub: name },
    };
    identities.set(name, identity);
    return identity;
  }

  const run = async (name: string, text: string, context: Partial<RequestContext> = {}): Promise<unknown> =>
    database.withIdentity(await identityOf(name), { service: "graphql", readOnly: true, ...context }, (transaction) =>
      transaction.query({ text }),
    );

  /** Begins as many slow statements, of which some may have to wait. */
  function beginSlow(name: string, count: number, context: Partial<RequestContext> = {}): void {
    const all = { ...LONG, signal: leaving.signal, ...context };
    for (let at = 0; at < count; at++) slow.push(run(name, "select pg_sleep(50)", all));
    slow.forEach((one) => one.catch(() => undefined));
  }

  async function running(role: string): Promise<number> {
    const { rows } = await test.client.query<{ count: number }>(
      "select count(*)::int from pg_stat_activity where query = 'select pg_sleep(50)' and state = 'active' and datname = $1",
      [role],
    );
    return rows[0]!.count;
  }
  const areRunning = (count: number): Promise<void> => until(async () => (await running(test.name)) === count);

  /** Waits until all connections are back, and no account is counted. */
  async function allBack(): Promise<void> {
    const { pool, places } = database;
    await until(() => pool.idleCount === pool.totalCount && pool.waitingCount + places.waiting === 0);
  }

  const isBusy = (error: GatewayError): boolean => {
    assert.deepEqual([error.code, error.status, error.headers], ["ACCOUNT_BUSY", 503, { "Retry-After": "1" }]);
    return isMeant(error);
  };

  function open(poolSize: number, connectTimeoutMs = 60_000, accountShare = 0.8): void {
    database = openAsGateway(test, { poolSize, connectTimeoutMs, accountShare, statementTimeoutMs: 20_000 });
  }

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(
      "select portolan.create_user(name, 'x') from unnest(array['eve', 'bob', 'ann', 'zoe']) name",
    );
  });

  beforeEach(() => {
    leaving = new AbortController();
    slow = [];
  });

  afterEach(async () => {
    leaving.abort();
    await Promise.allSettled(slow);
    await allBack();
    await database.close();
  });

  after(() => test.drop());

  it("twelve slow statements of one account leave room for others, which are answered meanwhile", async () => {
    open(10);
    beginSlow("eve", 12);
    await areRunning(8);
    await Promise.all(["bob", "ann", "zoe", "bob", "bob"].map((name) => run(name, "select 1")));
    assert.equal(await running(test.name), 8);
  });

  it("an account beyond its share waits, and then gets that reason; others, who find the pool full, get that one", async () => {
    open(3, REFUSED_AFTER_MS);
    beginSlow("eve", 2);
    await areRunning(2);
    await assert.rejects(run("eve", "select 1"), isBusy);
    beginSlow("bob", 1);
    await areRunning(3);
    await assert.rejects(run("ann", "select 1"), { code: "UNAVAILABLE" });
    assert.equal(database.places.refused, 1);
  });

  it("the last connection is for a caller without one, whatever the share", async () => {
    open(4, REFUSED_AFTER_MS, 1);
    beginSlow("eve", 3);
    await areRunning(3);
    await assert.rejects(run("eve", "select 1"), isBusy);
    await run("bob", "select 1");
  });

  it("anonymous callers have a share for each address, and for each network of IPv6", async () => {
    open(4, REFUSED_AFTER_MS);
    beginSlow("anonymous", 3, { address: "2001:db8:1:2::1" });
    await areRunning(3);
    await assert.rejects(run("anonymous", "select 1", { address: "2001:db8:1:2:3:4:5:6" }), isBusy);
    await run("anonymous", "select 1", { address: "2001:db8:1:3::1" });
    await run("anonymous", "select 1", { address: "192.0.2.7" });
  });

  for (const poolSize of [1, 2])
    it(`with a pool of ${poolSize} one account alone is answered, one statement after the other`, async () => {
      open(poolSize);
      await Promise.all(Array.from({ length: 5 }, () => run("eve", "select pg_sleep(0.01)")));
      beginSlow("eve", 1);
      await areRunning(1);
      if (poolSize === 2) await run("bob", "select 1");
    });

  it("the caller with the fewest connections is next, and among equals the first to come", async () => {
    open(4);
    const [zoe, bob] = [new AbortController(), new AbortController()];
    beginSlow("eve", 2);
    await areRunning(2);
    beginSlow("bob", 1, { signal: bob.signal });
    await areRunning(3);
    beginSlow("zoe", 1, { signal: zoe.signal });
    await areRunning(4);
    const order: string[] = [];
    const waiting = ["eve 3", "bob 2", "bob 3", "ann"].map(async (label, at) => {
      await until(() => database.places.waiting === at); // behind those before
      await run(label.split(" ")[0]!, "select 1");
      order.push(label);
    });
    await until(() => database.places.waiting === 4);
    zoe.abort(); // this place is the last one: it is for callers that have none
    await waiting[3];
    bob.abort();
    await Promise.all(waiting);
    assert.deepEqual(order, ["ann", "bob 2", "bob 3", "eve 3"]);
  });

  it("a caller that leaves while waiting, or is late, is not counted, and neither is one with a lost connection", async () => {
    open(2, REFUSED_AFTER_MS);
    beginSlow("eve", 1);
    await areRunning(1);
    const gone = new AbortController();
    const waiting = run("eve", "select 1", { signal: gone.signal });
    await until(() => database.places.waiting === 1);
    gone.abort();
    await assert.rejects(waiting, { code: "CLIENT_GONE" });
    await assert.rejects(run("eve", "select 1"), isBusy);
    assert.equal(database.places.waiting, 0);
    await test.client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(50)' and datname = current_database()",
    );
    await Promise.allSettled(slow);
    for (let at = 0; at < 3; at++) await run("eve", "select 1");
  });

  it("a long answer keeps its place while it is read, and releases it at its end", async () => {
    open(2, REFUSED_AFTER_MS);
    const identity = await identityOf("eve");
    const context: RequestContext = { service: "graphql", readOnly: true };
    await database.withIdentity(identity, context, async (transaction) => {
      const portion = transaction.readPortions({ text: "select i from generate_series(1, 5000) i" });
      await portion(10, () => undefined);
      await assert.rejects(run("eve", "select 1"), isBusy);
      await run("bob", "select 1");
    });
    await run("eve", "select 1");
  });

  it("the gateway's own queries have no limit, and a failed connection releases its place", async () => {
    open(2, REFUSED_AFTER_MS);
    beginSlow("eve", 1);
    await areRunning(1);
    await identityOf("bob"); // no question of the gateway's own is wanted below
    assert.equal((await database.ask("select 1")).length, 1);
    leaving.abort();
    await Promise.allSettled(slow);
    await test.client.query(`alter database ${test.name} connection limit 0`);
    try {
      database.cut();
      for (let at = 0; at < 3; at++) await assert.rejects(run("bob", "select 1"), { code: "UNAVAILABLE" });
    } finally {
      await test.client.query(`alter database ${test.name} connection limit -1`);
    }
    await run("bob", "select 1");
  });

  describe("of own logins", () => {
    const SLOW = "select pg_sleep(50)";
    const own = async (name: string, text: string, context: Partial<RequestContext> = {}): Promise<unknown> =>
      database.withOwnLogin(await identityOf(name), { service: "sql", ...context }, (transaction) =>
        transaction.query({ text }),
      );
    function beginOwn(name: string, count: number, context: Partial<RequestContext> = {}): void {
      for (let at = 0; at < count; at++) slow.push(own(name, SLOW, { ...LONG, signal: leaving.signal, ...context }));
      slow.forEach((one) => one.catch(() => undefined));
    }
    function openOwn(ownConnections: number, ownPoolSize: number, own?: OwnConnections): void {
      database = openAsGateway(test, {
        ...(own && { own }),
        connectTimeoutMs: REFUSED_AFTER_MS,
        statementTimeoutMs: 20_000,
        ownConnections,
        ownPoolSize,
      });
    }

    it("an account has its share of all together, and others are answered meanwhile", async () => {
      openOwn(5, 10);
      beginOwn("eve", 4);
      await areRunning(4);
      await assert.rejects(own("eve", "select 1"), isBusy);
      await own("bob", "select 1");
      beginOwn("bob", 1);
      await areRunning(5);
      await assert.rejects(own("ann", "select 1"), { code: "UNAVAILABLE" });
      assert.equal(database.ownPlaces.refused, 1);
      assert.equal(database.ownPlaces.waiting, 0);
    });

    it("an account may use all connections of its own login, and gets a reason when they are in use", async () => {
      openOwn(30, 3);
      beginOwn("eve", 3);
      await areRunning(3);
      await assert.rejects(own("eve", "select 1"), isBusy);
      await own("bob", "select 1");
      leaving.abort();
      await Promise.allSettled(slow);
      await own("eve", "select 1");
    });

    it("addresses of anonymous callers share their login", async () => {
      openOwn(30, 5);
      beginOwn("anonymous", 4, { address: "192.0.2.7" });
      await areRunning(4);
      await assert.rejects(own("anonymous", "select 1", { address: "192.0.2.7" }), isBusy);
      await own("anonymous", "select 1", { address: "192.0.2.8" });
    });

    /** Open connections of accounts, in use or idle. */
    const openNow = async (): Promise<readonly string[]> => {
      const { rows } = await test.client.query<{ name: string }>(
        `select split_part(usename, '@', 1) as name from pg_stat_activity
        where application_name = 'portolan own sql' and datname = current_database() order by backend_start`,
      );
      return rows.map(({ name }) => name);
    };

    it("idle connections count, and the longest idle one is closed for another account", async () => {
      openOwn(3, 2);
      for (const name of ["eve", "bob", "ann", "eve"]) await own(name, "select 1");
      assert.deepEqual(await openNow(), ["eve", "bob", "ann"]);
      await own("zoe", "select 1");
      assert.deepEqual(await openNow(), ["eve", "ann", "zoe"]);
      await Promise.all(["eve", "bob", "ann", "zoe", "eve", "bob"].map((name) => own(name, "select 1")));
      assert.ok((await openNow()).length <= 3);
    });

    it("a waiting request gets the first idle connection, and none in use is closed", async () => {
      openOwn(2, 2);
      const bob = new AbortController();
      beginOwn("eve", 1);
      beginOwn("bob", 1, { signal: bob.signal });
      await areRunning(2);
      const waiting = own("ann", "select 1");
      await until(() => database.ownPlaces.waiting === 1);
      bob.abort();
      await waiting;
      assert.deepEqual((await openNow()).toSorted(), ["ann", "eve"]);
    });

    it("an account whose share is idle connections of another process is answered by this one", async () => {
      const host = new HostConnections({ ownConnections: 2 });
      const [one, other] = [0, 1].map(() => new OwnConnections((opener) => host.join(opener)));
      openOwn(2, 2, one);
      const second = openAsGateway(test, { own: other! });
      try {
        await own("eve", "select 1");
        await second.withOwnLogin(await identityOf("eve"), { service: "sql" }, (transaction) =>
          transaction.query({ text: "select 1" }),
        );
        assert.deepEqual([await openNow(), host.taken], [["eve"], 1]);
      } finally {
        await second.close();
      }
      assert.equal(host.taken, 0);
    });

    it("an ended process frees its places, and the one that it waited for", async () => {
      openOwn(1, 1); // for the hook that closes it
      const host = new HostConnections({ ownConnections: 1 });
      const opener = { idleMs: () => Promise.resolve(undefined), closeIdle: () => Promise.resolve(false) };
      const places = host.join(opener);
      assert.equal(await places.take("eve", 1000), "taken");
      const late = places.take("bob", 60_000);
      host.forget(opener);
      assert.equal(await late, "taken");
      assert.equal(host.taken, 0);
    });

    it("with one connection an account alone is answered, one statement after the other", async () => {
      openOwn(1, 1);
      await Promise.all(Array.from({ length: 4 }, () => own("eve", "select 1")));
      await own("bob", "select 1");
    });
  });
});
