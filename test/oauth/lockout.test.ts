import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { sized } from "../support/size.ts";
import { Person, addClient, assertOAuthError } from "./support.ts";

const GUESSES = sized(2000, 10_000);

describe("the lock on guessing", () => {
  let gateway: TestGateway;
  let secret: string;

  before(async () => {
    gateway = await testGateway({ config: { trustedProxies: ["127.0.0.1"] } });
    secret = (await addClient(gateway.database, "server", { public: false })) ?? "";
  });
  after(() => gateway.close());
  beforeEach(() => gateway.database.client.query("truncate portolan.lockouts, portolan.known_addresses"));

  const signIn = (address: string, username: string, password: string) =>
    gateway.http
      .post("/api/v4/oauth")
      .set("X-Forwarded-For", address)
      .send({ grant_type: "password", username, password, client_id: "portolan-cli" });

  async function fail(times: number, address: string, username = "guest"): Promise<number[]> {
    const statuses: number[] = [];
    for (let count = 0; count < times; count++) statuses.push((await signIn(address, username, "wrong")).status);
    return statuses;
  }

  /** Sets times as if the waits had passed. */
  const wait = () => gateway.database.client.query("update portolan.lockouts set locked_until = '-infinity'");

  it("lets 10 failures pass, then answers 429 with Retry-After, whatever the password is", async () => {
    assert.deepEqual(
      await fail(11, "192.0.2.1"),
      Array.from({ length: 11 }, () => 400),
    );
    for (const password of ["wrong", "guest"]) {
      const answer = await signIn("192.0.2.1", "guest", password);
      assertOAuthError(answer, 429, "invalid_grant");
      assert.match(answer.headers["retry-after"] ?? "", /^1$/);
    }
  });

  it("doubles the wait from 1 s to 15 minutes, and forgets all after a sign-in", async () => {
    await fail(10, "192.0.2.2");
    const waits: number[] = [];
    for (let count = 0; count < 12; count++) {
      await wait();
      await fail(1, "192.0.2.2");
      waits.push(Number((await signIn("192.0.2.2", "guest", "wrong")).headers["retry-after"]));
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    await wait();
    await signIn("192.0.2.2", "guest", "guest").expect(200);
    assert.deepEqual(await fail(2, "192.0.2.2"), [400, 400]);
  });

  it("holds for an IPv6 site whose networks each fail too seldom to be locked", async () => {
    await gateway.database.client.query(
      `select portolan.attempt('account', 'person' || n, '2001:db8:5:' || to_hex(n) || '::/64', false)
       from generate_series(1, 161) n`,
    );
    assert.equal((await signIn("2001:db8:5:ffff::1", "guest", "guest")).status, 429);
    assert.equal((await signIn("2001:0DB8:0005:fffe::1", "guest", "guest")).status, 429);
    assert.equal((await signIn("2001:db8:6::1", "guest", "guest")).status, 200);
  });

  it("the list of accounts shows who waits until when, and the last sign-in", async () => {
    const { client } = gateway.database;
    const told = async (account: string): Promise<{ last_sign_in: string | null; locked_until: string | null }> =>
      (
        await gateway.http
          .get("/api/v4/users/guest")
          .set("Authorization", `Bearer ${await gateway.token(account)}`)
          .expect(200)
      ).body;
    await client.query("delete from portolan.last_sign_ins");
    await fail(1, "192.0.2.60");
    assert.deepEqual([(await told("captain")).last_sign_in, (await told("captain")).locked_until], [null, null]);
    await client.query("update portolan.lockouts set locked_until = '2999-01-01' where user_name = 'guest'");
    assert.equal((await told("captain")).locked_until, "2999-01-01T00:00:00+00:00");
    await wait();
    const { rows } = await client.query<{ before: string }>("select to_json(clock_timestamp()) #>> '{}' as before");
    await signIn("192.0.2.60", "guest", "guest").expect(200);
    for (const account of ["captain", "guest"]) {
      const { last_sign_in: last, locked_until: until } = await told(account);
      assert.ok(Date.parse(last ?? "") >= Math.floor(Date.parse(rows[0]!.before)), `${last} is not the last`);
      assert.equal(until, null);
    }
  });

  it("a super user lifts it, at every address, for that account alone; that is in the audit", async () => {
    const as = async (account: string, path: string) =>
      gateway.http
        .delete(`/api/v4/users/${path}/lockout`)
        .set("Authorization", `Bearer ${await gateway.token(account)}`);
    // as the gateway records them, without the time of hashing
    await gateway.database.client.query(
      `select portolan.attempt('account', a.name, a.address, false)
       from (values ('guest', '192.0.2.40'), ('captain', '192.0.2.41'), ('a password', '192.0.2.42')) a (name, address),
         generate_series(1, 12)`,
    );
    await gateway.database.client.query("update portolan.lockouts set locked_until = now() + interval '1 minute'");
    assert.equal((await signIn("192.0.2.40", "guest", "guest")).status, 429);
    assert.equal((await as("guest", "guest")).status, 403);
    assert.equal((await signIn("192.0.2.40", "guest", "guest")).status, 429);
    assert.equal((await as("captain", "guest")).status, 204);
    assert.equal((await signIn("192.0.2.40", "guest", "guest")).status, 200);
    assert.equal((await signIn("192.0.2.41", "captain", "captain")).status, 429);
    const { rows } = await gateway.database.client.query(
      "select distinct user_name from portolan.lockouts where user_name is not null",
    );
    assert.deepEqual(rows, [{ user_name: "captain" }]);
    // an IPv6 site, too, is free again
    await gateway.database.client.query(
      "select portolan.attempt('account', 'guest', '2001:db8:7:1::/64', false) from generate_series(1, 12)",
    );
    await gateway.database.client.query("update portolan.lockouts set locked_until = now() + interval '1 minute'");
    assert.equal((await signIn("2001:db8:7:2::1", "guest", "guest")).status, 429);
    assert.equal((await as("captain", "guest")).status, 204);
    assert.equal((await signIn("2001:db8:7:2::1", "guest", "guest")).status, 200);
    const { rows: audit } = await gateway.database.client.query(
      "select account, details ->> 'by' as by from portolan.audit where event = 'user.unlocked'",
    );
    assert.deepEqual(audit, [
      { account: "guest", by: "captain" },
      { account: "guest", by: "captain" },
    ]);
    for (const [names, status] of [
      ["nobody", 404],
      ["captain,nobody", 404],
      ["%27", 404],
    ] as const)
      assert.equal((await as("captain", names)).status, status, names);
    assert.equal((await signIn("192.0.2.41", "captain", "captain")).status, 429);
  });

  it("does not reveal whether the account, the address or both are locked, or whether the account exists", async () => {
    await fail(11, "192.0.2.3", "guest");
    await fail(11, "192.0.2.4", "nobody-of-that-name");
    await gateway.database.client.query(
      "update portolan.lockouts set locked_until = now() + interval '1 minute' where failures > 10",
    );
    const [known, unknown, elsewhere] = await Promise.all([
      signIn("192.0.2.3", "guest", "wrong"),
      signIn("192.0.2.4", "nobody-of-that-name", "wrong"),
      signIn("192.0.2.3", "captain", "captain"),
    ]);
    for (const answer of [known, unknown, elsewhere]) assertOAuthError(answer, 429, "invalid_grant");
    assert.deepEqual(known.body, unknown.body);
    assert.deepEqual(known.body, elsewhere.body);
  });

  it("nobody locks somebody else's account from another address", async () => {
    await fail(30, "198.51.100.1");
    await signIn("192.0.2.5", "guest", "guest").expect(200);
  });

  it("nobody locks an account where it signed in within 30 days, not even from a thousand addresses", async () => {
    await signIn("192.0.2.6", "guest", "guest").expect(200);
    await gateway.database.client.query(
      `select portolan.attempt('account', 'guest', '10.0.' || n / 250 || '.' || n % 250, false) from generate_series(1, 1000) n`,
    );
    await gateway.database.client.query(
      "update portolan.lockouts set locked_until = now() + interval '1 minute' where locked_until > '-infinity'",
    );
    assertOAuthError(await signIn("192.0.2.7", "guest", "guest"), 429, "invalid_grant");
    await signIn("192.0.2.6", "guest", "guest").expect(200);
    await gateway.database.client.query(
      "update portolan.known_addresses set signed_in_at = now() - interval '31 days'",
    );
    assertOAuthError(await signIn("192.0.2.6", "guest", "guest"), 429, "invalid_grant");
  });

  it("failures at an account's usual address count for the address, and do not lock the account there", async () => {
    const address = "192.0.2.10";
    await gateway.database.client.query(
      "select portolan.create_user('known' || n, 'known') from generate_series(1, 3) n",
    );
    for (const name of ["known1", "known2", "known3"]) await signIn(address, name, "known").expect(200);
    for (const name of ["known1", "known2"])
      assert.deepEqual(
        await fail(6, address, name),
        Array.from({ length: 6 }, () => 400),
      );
    await gateway.database.client.query(
      "update portolan.lockouts set locked_until = now() + interval '1 minute' where failures > 10",
    );
    // an attacker who tries the accounts of a house is stopped at the next unknown one
    assertOAuthError(await signIn(address, "captain", "captain"), 429, "invalid_grant");
    for (const name of ["known1", "known2", "known3"]) await signIn(address, name, "known").expect(200);
  });

  it("hundreds of wrong passwords spread over addresses: a hundred are tried, others are served, and the owner gets in", async () => {
    await signIn("192.0.2.11", "captain", "captain").expect(200);
    const statuses = new Map<number, number>();
    const started = Date.now();
    await Promise.all(
      Array.from({ length: 20 }, async (_, attacker) => {
        for (let count = 0; count < 20; count++) {
          const { status } = await signIn(`10.${attacker}.${count}.1`, "captain", `guess ${count}`);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (count % 5 === 0) await gateway.http.get("/ping").expect(200);
        }
      }),
    );
    const seconds = (Date.now() - started) / 1000;
    const tried = statuses.get(400) ?? 0;
    assert.ok(tried >= 101 && tried <= 102 + Math.log2(seconds + 1), JSON.stringify([...statuses]));
    assert.equal(tried + (statuses.get(429) ?? 0), 400, JSON.stringify([...statuses]));
    await signIn("192.0.2.11", "captain", "captain").expect(200);
  });

  it(`${GUESSES} wrong passwords from one address are answered, and all but a few are not even tried`, async () => {
    const statuses = new Map<number, number>();
    const started = Date.now();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let count = 0; count < GUESSES / 20; count++) {
          const { status } = await signIn("192.0.2.8", "captain", `guess ${count}`);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    const seconds = (Date.now() - started) / 1000;
    // 10 attempts are free, then one after each wait: 1, 2, 4, … seconds
    assert.ok((statuses.get(400) ?? 0) <= 12 + Math.log2(seconds + 1), JSON.stringify([...statuses]));
    assert.equal((statuses.get(400) ?? 0) + (statuses.get(429) ?? 0), GUESSES, JSON.stringify([...statuses]));
    await signIn("192.0.2.9", "captain", "captain").expect(200);
  }).timeout(180_000);

  it("a forged X-Forwarded-For of an untrusted peer is not believed", async () => {
    const strict = await testGateway();
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 13; count++)
        statuses.push(
          (
            await strict.http
              .post("/api/v4/oauth")
              .set({ "X-Forwarded-For": `203.0.113.${count}`, Forwarded: `for=203.0.113.${count}` })
              .send({ grant_type: "password", username: "guest", password: "wrong", client_id: "portolan-cli" })
          ).status,
        );
      assert.ok(statuses.includes(429), statuses.join());
    } finally {
      await strict.close();
    }
  });

  it("all of an IPv6 network counts as one address", async () => {
    for (let count = 0; count < 11; count++) await fail(1, `2001:db8:1:2::${count}`);
    assertOAuthError(await signIn("2001:db8:1:2:ffff::1", "guest", "guest"), 429, "invalid_grant");
    await signIn("2001:db8:1:3::1", "guest", "guest").expect(200);
  });

  it("wrong secrets lock a client at that address only", async () => {
    const use = (address: string, client_secret: string) =>
      gateway.http.post("/api/v4/oauth").set("X-Forwarded-For", address).send({
        grant_type: "refresh_token",
        refresh_token: "x",
        client_id: "server",
        client_secret,
        database: gateway.database.name,
      });
    for (let count = 0; count < 11; count++) assertOAuthError(await use("192.0.2.20", "wrong"), 401, "invalid_client");
    assertOAuthError(await use("192.0.2.20", secret), 429, "invalid_grant");
    assertOAuthError(await use("192.0.2.21", secret), 400, "invalid_grant");
  });

  it("a right secret resets the count of wrong ones", async () => {
    const use = async (client_secret: string) =>
      (
        await gateway.http
          .post("/api/v4/oauth/introspect")
          .set("X-Forwarded-For", "192.0.2.22")
          .send({ token: "x", client_id: "server", client_secret })
      ).status;
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 10; count++) assert.equal(await use("wrong"), 401);
      assert.equal(await use(secret), 200);
    }
  });

  it("guessing the code of a device is slowed down", async () => {
    const person = new Person(gateway.baseUrl);
    let status = 0;
    for (let count = 0; count < 12; count++) {
      const page = await person.agent.get("/device").expect(200);
      status = (await person.submit("/device", page, { user_code: `BBBB-BBB${count}`, action: "code" })).status;
    }
    assert.equal(status, 429);
  });

  it("the sign-in page reports it as the endpoint does", async () => {
    await gateway.database.client.query(
      "select portolan.attempt('account', 'guest', '127.0.0.1', false) from generate_series(1, 11)",
    );
    await addClient(gateway.database, "app");
    const path = `/auth?${new URLSearchParams({
      response_type: "code",
      client_id: "app",
      redirect_uri: "https://app.example.org/callback",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    })}`;
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(path);
    const answer = await person.submit(path, page, { username: "guest", password: "guest", action: "sign-in" });
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers["retry-after"]) >= 1);
    assert.match(answer.text, /Too many attempts failed/);
  });

  it("a bcrypt hash made by SQL becomes argon2id at the first sign-in, and the tokens stay", async () => {
    await gateway.database.client.query("select portolan.create_user('old-hash', 'secret')");
    const hash = async () => {
      const { rows } = await gateway.database.client.query(
        "select password from portolan.users where name = 'old-hash'",
      );
      return rows[0].password as string;
    };
    assert.match(await hash(), /^\$2[aby]\$/);
    const { body } = await signIn("192.0.2.30", "old-hash", "secret").expect(200);
    assert.match(await hash(), /^\$argon2id\$v=19\$m=19456,/);
    await signIn("192.0.2.30", "old-hash", "secret").expect(200);
    await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "refresh_token", refresh_token: body.refresh_token, client_id: "portolan-cli" })
      .expect(200);
  });
});
