/** The rate limit of a fleet of three hosts under loads of several kinds. Prints its figures. */
import assert from "node:assert/strict";
import { Agent, get } from "node:http";
import { setTimeout } from "node:timers/promises";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { freePort } from "../support/freePort.ts";
import { NatsServer } from "../support/nats.ts";
import { GatewayProcess } from "../support/process.ts";

const LIMIT = 600;
const MINUTE_MS = 60_000;
const TOLD_MS = 1500;

/** Sends requests from its own address. */
class Client {
  static #last = 10;
  readonly #agent = new Agent({ keepAlive: true, localAddress: `127.0.9.${Client.#last++}` });
  readonly #urls: readonly string[];
  answered = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** Sends this number of requests, `atOnce` at a time; `hostOf` gives the host of the nth. */
  async ask(count: number, atOnce: number, hostOf: (n: number) => number): Promise<void> {
    let n = 0;
    const asking = Array.from({ length: atOnce }, async () => {
      while (n < count) await this.#one(hostOf(n++));
    });
    await Promise.all(asking);
  }

  /** Sends this number of requests a second, whether they are answered or not. */
  async keepAsking(perSecond: number, seconds: number, hostOf: (n: number) => number): Promise<void> {
    const began = performance.now();
    const asking: Promise<void>[] = [];
    for (let n = 0; n < perSecond * seconds; n++) {
      await setTimeout(Math.max(0, began + (n * 1000) / perSecond - performance.now())); // the rate is the subject
      asking.push(this.#one(hostOf(n)));
    }
    await Promise.all(asking);
  }

  close(): void {
    this.#agent.destroy();
  }

  #one(host: number): Promise<void> {
    return new Promise((resolve, reject) => {
      get(this.#urls[host]!, { agent: this.#agent }, (response) => {
        if (response.statusCode === 200) this.answered++;
        else if (response.statusCode !== 429) reject(new Error(`status ${response.statusCode}`));
        response.resume().on("end", resolve);
      }).on("error", reject);
    });
  }
}

const inTurn = (n: number): number => n % 3;

describe(`a limit of ${LIMIT} requests a minute for three hosts`, function () {
  this.timeout(180_000);
  let database: TestDatabase;
  let nats: NatsServer;
  let gateways: readonly GatewayProcess[];
  let urls: readonly string[];

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    nats = await NatsServer.start();
    const ports = [await freePort(), await freePort(), await freePort()];
    gateways = await Promise.all(
      ports.map((port) =>
        GatewayProcess.start({
          DATABASE_URL: database.gatewayUrl,
          PORT: String(port),
          RATE_LIMIT: String(LIMIT),
          BASE_URL: "http://portolan.test",
          NATS_URL: nats.url,
          LOG_LEVEL: "error",
        }),
      ),
    );
    urls = ports.map((port) => `http://127.0.0.1:${port}/api/v4/ogc/database/${database.name}/conformance`);
    await setTimeout(2 * TOLD_MS); // hosts announce every second that they live
  });

  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await nats[Symbol.asyncDispose]();
    await database.drop();
  });

  function holds(what: string, load: (client: Client) => Promise<void>): void {
    it(what, async () => {
      const client = new Client(urls);
      await load(client);
      client.close();
      console.log(`      ${client.answered} answered`);
      assert.ok(client.answered >= LIMIT && client.answered <= 1.1 * LIMIT, `${client.answered} answered`);
    });
  }

  holds("60 at once", (client) => client.ask(1500, 60, inTurn));
  holds("6 at once", (client) => client.ask(1500, 6, inTurn));
  holds("one after the other", (client) => client.ask(1200, 1, inTurn));
  holds("20 at once, at any host", (client) => client.ask(1500, 20, () => Math.floor(Math.random() * 3)));
  holds("20 at once, most of them at one host", (client) =>
    client.ask(1500, 20, (n) => (n % 20 < 16 ? 0 : n % 20 < 19 ? 1 : 2)),
  );
  holds("all at one host, then at the others", async (client) => {
    await client.ask(900, 10, () => 0);
    await setTimeout(TOLD_MS);
    await client.ask(300, 10, (n) => 1 + (n % 2));
  });
  holds("40 a second", (client) => client.keepAsking(40, 30, inTurn));
  holds("40 a second, each host for a second in turn", (client) =>
    client.keepAsking(40, 30, (n) => Math.floor(n / 40) % 3),
  );
  holds("all at one host when the next minute begins, then at the others", async (client) => {
    const began = performance.now();
    await client.ask(1, 1, () => 0);
    await setTimeout(began + MINUTE_MS + 100 - performance.now()); // the minute is the subject
    client.answered = 0;
    await client.ask(900, 20, () => 0);
    await setTimeout(TOLD_MS);
    await client.ask(900, 20, (n) => 1 + (n % 2));
  });
});
