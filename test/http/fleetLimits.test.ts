/** Limits of a fleet: hosts share their counts over NATS, as separate gateways. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { makeConfig } from "../../server/kernel/config.ts";
import { LocalHost } from "../../server/fleet/host.ts";
import { createLog } from "../../server/ground/log.ts";
import { openNats, type Nats } from "../../server/fleet/nats.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { freePort } from "../support/freePort.ts";
import { NatsServer } from "../support/nats.ts";
import { GatewayProcess } from "../support/process.ts";
import { until } from "../support/until.ts";

const FLEET = "https://portolan.test";
const LIMIT = 200;

describe("limits of a fleet", () => {
  let nats: NatsServer;
  const opened: Nats[] = [];
  const hosts: LocalHost[] = [];
  before(async () => (nats = await NatsServer.start()));
  afterEach(async () => {
    for (const host of hosts.splice(0)) host.close();
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  after(() => nats[Symbol.asyncDispose]());

  async function host(baseUrl = FLEET): Promise<LocalHost> {
    const one = openNats(makeConfig({ natsUrl: nats.url }), createLog("silent"))!;
    opened.push(one);
    await until(() => one.connection !== undefined);
    const made = new LocalHost(one, baseUrl);
    hosts.push(made);
    return made;
  }

  /** Starts hosts and waits until they know each other: a request counted by one is refused by the next. */
  async function fleet(size: number): Promise<LocalHost[]> {
    const all: LocalHost[] = [];
    for (let index = 0; index < size; index++) all.push(await host());
    for (const [index, one] of all.entries()) {
      await one.take(`warm ${index}`, 1);
      await until(async () =>
        (await Promise.all(all.map((other) => other.take(`warm ${index}`, 1)))).every((isTaken) => !isTaken),
      );
    }
    return all;
  }

  /** Waits until all messages have arrived. */
  async function heard(): Promise<void> {
    for (let once = 0; once < 2; once++) await Promise.all(opened.map(async ({ connection }) => connection?.flush()));
  }

  for (const [size, what, atOnce] of [
    [3, "a few on all hosts at once", 3],
    [2, "requests that come one after the other", 1],
  ] as const)
    it(`the rate limit holds within a tenth: ${what}`, async () => {
      const all = await fleet(size);
      let admitted = 0;
      for (let n = 0; n < 2 * LIMIT * size; n++) {
        if ((await all[n % size]!.count("address 1.2.3.4", LIMIT)) === 0) admitted++;
        if (n % atOnce === 0) await heard();
      }
      assert.ok(admitted >= LIMIT && admitted <= LIMIT * 1.1, `${admitted} of ${LIMIT}`);
      const fresh = await all[0]!.count("address 1.2.3.5", LIMIT);
      assert.equal(fresh, 0, "another address has its own");
    });

  it("one host may use up the limit alone, and another fleet has its own", async () => {
    const [one, other] = await fleet(2);
    const foreign = await host("https://elsewhere.test");
    for (let n = 0; n < LIMIT; n++) assert.equal(await one!.count("account ann", LIMIT), 0);
    await until(async () => (await other!.count("account ann", LIMIT)) > 0);
    assert.equal(await foreign.count("account ann", LIMIT), 0);
  });

  it("sockets are counted over all hosts, and no longer when they close or their host is gone", async () => {
    const [one, other] = await fleet(2);
    const isFull = async (): Promise<boolean> => {
      const isTaken = await other!.take("sockets of ann", 10);
      if (isTaken) other!.leave("sockets of ann");
      return !isTaken;
    };
    for (let n = 0; n < 10; n++) assert.ok(await one!.take("sockets of ann", 10));
    await until(isFull);
    one!.leave("sockets of ann");
    await until(() => other!.take("sockets of ann", 10));
    assert.ok(await isFull());
    await opened[0]!.close(); // as if its host ends
    await until(async () => !(await isFull()));
  });

  it("without NATS each host uses its own counts, and they share them again when it is back", async () => {
    const [one, other] = await fleet(2);
    await nats.end();
    await until(() => opened.every(({ connection }) => connection === undefined));
    for (const each of [one!, other!])
      for (let n = 0; n <= LIMIT; n++) assert.equal((await each.count("address a", LIMIT)) > 0, n === LIMIT);
    await nats.start();
    await until(() => opened.every(({ connection }) => connection !== undefined));
    for (let n = 0; n < LIMIT; n++) await one!.count("address b", LIMIT);
    await until(async () => (await other!.count("address b", LIMIT)) > 0);
  });

  it("they ignore messages that are not of a host", async () => {
    const [one] = await fleet(1);
    const { connection } = opened[0]!;
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"host":1}',
      '{"host":"x","hits":{"a":"b"}}',
      '{"host":"x","places":7}',
    ])
      connection!.publish("portolan.hosts.>".replace(">", "x"), text);
    await connection!.flush();
    assert.equal(await one!.count("address c", 1), 0);
    assert.ok((await one!.count("address c", 1)) > 0);
  });

  it("gateways answer 429 by the limit of all", async () => {
    const database: TestDatabase = await testDatabase({ kind: "demo" });
    const ports = [await freePort(), await freePort()];
    const gateways = await Promise.all(
      ports.map((port) =>
        GatewayProcess.start({
          DATABASE_URL: database.gatewayUrl,
          PORT: String(port),
          RATE_LIMIT: String(LIMIT),
          BASE_URL: FLEET,
          NATS_URL: nats.url,
          LOG_LEVEL: "info",
        }),
      ),
    );
    try {
      await until(() => gateways.every(({ stdout, stderr }) => (stdout + stderr).includes("connected to NATS")));
      // hosts announce themselves every second, which is the time to wait for
      await setTimeout(1500);
      let admitted = 0;
      for (let n = 0; n < 1.5 * LIMIT; n++) {
        const { status } = await fetch(
          `http://127.0.0.1:${ports[n % 2]}/api/v4/ogc/database/${database.name}/conformance`,
        );
        if (status !== 429) admitted++;
      }
      assert.ok(admitted >= LIMIT && admitted <= LIMIT * 1.1, `${admitted} of ${LIMIT}`);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await database.drop();
    }
  });
});
