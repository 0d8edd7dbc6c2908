/**
 * Whether the time of an answer tells if there is such an account: at both sign-ins, for a forgotten password and at sign-up.
 * `SOAK_PAIRS` (200): requests of each kind, of an account and of none by turns. Prints the medians.
 */
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { GatewayProcess } from "../support/process.ts";
import { hiddenFields } from "../oauth/support.ts";

const PAIRS = Number(process.env["SOAK_PAIRS"] ?? 200);
/** The part of the pairs in which the account was slower: three standard deviations beside a half. */
const MOST_BESIDE = 3 * Math.sqrt(0.25 / PAIRS);

const medianOf = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

describe("the time of an answer does not tell whether there is an account", function () {
  this.timeout(1_200_000);
  let database: TestDatabase;
  let gateway: GatewayProcess;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
select portolan.create_user('account' || n, '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
from generate_series(1, ${PAIRS}) n;
update portolan.users set email = name || '@example.org', email_verified = true;
update portolan.clients set grants = grants || '{password}' where id = 'portolan-cli'`);
    gateway = await GatewayProcess.start({
      DATABASE_URL: database.gatewayUrl,
      PORT: "0",
      LOG_LEVEL: "error",
      RATE_LIMIT: "1000000",
      TRUSTED_PROXIES: "127.0.0.1",
      SMTP_URL: "log:",
      SIGN_UP: "open",
    });
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });

  /** Another one for each request, so that no lock on guessing comes between. */
  const address = () => [10, ...Array.from({ length: 3 }, () => randomInt(1, 255))].join(".");

  async function post(path: string, body: Record<string, string>, cookie = ""): Promise<string> {
    const response = await fetch(gateway.baseUrl + path, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-For": address(), Cookie: cookie },
      body: new URLSearchParams(body),
      redirect: "manual",
    });
    const text = await response.text();
    return `${response.status} ${text.length}`;
  }

  /** Sends the form of a page of ours. */
  async function formOf(path: string): Promise<(fields: Record<string, string>) => Promise<string>> {
    const page = await fetch(gateway.baseUrl + path);
    const hidden = hiddenFields(await page.text());
    const cookie = page.headers
      .getSetCookie()
      .map((one) => one.split(";", 1)[0])
      .join("; ");
    return (fields) => post(path, { ...hidden, ...fields }, cookie);
  }

  const WAYS: readonly [string, () => Promise<(name: string) => Promise<string>>][] = [
    [
      "the grant of a password",
      () =>
        Promise.resolve((username) =>
          post("/api/v4/oauth", { grant_type: "password", client_id: "portolan-cli", username, password: "wrong" }),
        ),
    ],
    [
      "the page of the sign-in",
      async () => {
        const send = await formOf("/signin");
        return (username) => send({ username, password: "wrong", action: "sign-in" });
      },
    ],
    [
      "a forgotten password",
      async () => {
        const send = await formOf("/forgotten");
        return (identifier) => send({ identifier });
      },
    ],
    [
      "sign-up",
      async () => {
        const send = await formOf("/signup");
        return (username) => send({ username, email: `${username}@example.org` });
      },
    ],
  ];

  for (const [what, prepare] of WAYS)
    it(what, async () => {
      const send = await prepare();
      const times: Record<"account" | "nobody", number[]> = { account: [], nobody: [] };
      const answers = new Set<string>();
      for (let n = 0; n <= PAIRS; n++)
        // by chance: by turns, a rhythm of the machine may fall on one of them
        for (const kind of randomInt(2) === 0 ? (["account", "nobody"] as const) : (["nobody", "account"] as const)) {
          const began = performance.now();
          // the names have the same length, since a page may show them again
          const answer = await send(kind === "account" ? `account${Math.max(1, n)}` : `nothing${Math.max(1, n)}`);
          const spent = performance.now() - began;
          if (n === 0) continue; // both are warm after it
          answers.add(answer.split(" ", 1)[0]!);
          times[kind].push(spent);
        }
      assert.equal(answers.size, 1, `different answers: ${[...answers].join(", ")}`);
      const [account, nobody] = [medianOf(times.account), medianOf(times.nobody)];
      const slower = times.account.filter((time, n) => time > times.nobody[n]!).length / PAIRS;
      process.stdout.write(
        `${what}: an account ${account.toFixed(2)} ms, none ${nobody.toFixed(2)} ms, slower in ${(100 * slower).toFixed(0)} % of ${PAIRS} pairs\n`,
      );
      assert.ok(Math.abs(slower - 0.5) <= MOST_BESIDE, `an account is slower in ${slower} of the pairs`);
    });
});
