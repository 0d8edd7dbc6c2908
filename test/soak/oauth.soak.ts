import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { GatewayProcess } from "../support/process.ts";

const GUESSES = 10_000;
const CLIENTS = 20;

describe("10,000 wrong passwords", function () {
  this.timeout(600_000);
  const OWNER = "192.0.2.1";
  let database: TestDatabase;
  let gateway: GatewayProcess;

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    await database.client.query(
      "select portolan.create_user('account' || n, '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA') from generate_series(1, 50) n",
    );
    gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      LOG_LEVEL: "warn",
      TRUSTED_PROXIES: "127.0.0.1",
    });
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });
  beforeEach(() => database.client.query("truncate portolan.lockouts, portolan.known_addresses"));

  async function signIn(address: string, username: string, password: string): Promise<number> {
    const response = await fetch(`${gateway.baseUrl}/api/v4/oauth`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": address },
      body: JSON.stringify({ grant_type: "password", username, password, client_id: "portolan-cli" }),
    });
    await response.arrayBuffer();
    return response.status;
  }

  /**
   * Tries all of them, from `CLIENTS` at once, while the owner signs in again and again. Gives the number of attempts
   * and the time.
   */
  async function attack(guess: (n: number) => Promise<number>): Promise<{ tried: number; seconds: number }> {
    const statuses = new Map<number, number>();
    const started = Date.now();
    let next = 0;
    let owners = 0;
    const attackers = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (next < GUESSES) {
          const status = await guess(next++);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    assert.equal(await signIn(OWNER, "captain", "captain"), 200);
    while (next < GUESSES) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.equal(await signIn(OWNER, "captain", "captain"), 200, "the owner is kept out");
      assert.equal((await fetch(`${gateway.baseUrl}/ping`)).status, 200);
      owners++;
    }
    await attackers;
    const seconds = (Date.now() - started) / 1000;
    process.stdout.write(
      `      ${JSON.stringify([...statuses])} in ${Math.round(seconds)} s, beside ${owners} of the owner\n`,
    );
    const tried = statuses.get(400) ?? 0;
    assert.equal(tried + (statuses.get(429) ?? 0), GUESSES);
    return { tried, seconds };
  }

  it("for one account, each from another address: a hundred are tried", async () => {
    assert.equal(await signIn(OWNER, "captain", "captain"), 200);
    const { tried, seconds } = await attack((n) => signIn(`10.0.${n >> 8}.${n & 255}`, "captain", `guess ${n}`));
    assert.ok(tried <= 102 + Math.log2(seconds + 1), `${tried}`);
  });

  it("for all accounts and many that there are not, from a hundred addresses: a dozen each are tried", async () => {
    assert.equal(await signIn(OWNER, "captain", "captain"), 200);
    const { tried, seconds } = await attack((n) => signIn(`10.1.0.${n % 100}`, `account${n >> 3}`, `guess ${n}`));
    assert.ok(tried <= 100 * (12 + Math.log2(seconds + 1)), `${tried}`);
  });
});
