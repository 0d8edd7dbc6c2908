import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { decodeJwt, decodeProtectedHeader } from "jose";
import supertest, { type Response } from "supertest";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { GatewayProcess } from "../support/process.ts";
import { programEnv } from "../support/programEnv.ts";
import { freePort } from "../support/freePort.ts";
import { addClient, assertOAuthError } from "./support.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");

/** One service in two processes over one database: decisions of one apply to the other. */
describe("refresh tokens, in two processes", () => {
  let database: TestDatabase;
  let processes: readonly GatewayProcess[];
  let ports: readonly number[];
  /** The address that clients behind a balancer see. */
  const BASE_URL = "http://portolan.example.org";

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    await addClient(database, "app");
    await addClient(database, "other");
    ports = [await freePort(), await freePort()];
    const env = { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url, BASE_URL, LOG_LEVEL: "info" };
    processes = await Promise.all(ports.map((port) => GatewayProcess.start({ ...env, PORT: String(port) })));
  });
  after(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await database.drop();
  });

  const http = (index: number) => supertest(`http://127.0.0.1:${ports[index % 2]}`);
  const signIn = (client = "app") =>
    http(0)
      .post("/api/v4/oauth")
      .send({ grant_type: "password", username: "guest", password: "guest", client_id: client })
      .expect(200);
  const refresh = (token: string, index = 0, client = "app") =>
    http(index).post("/api/v4/oauth").send({ grant_type: "refresh_token", refresh_token: token, client_id: client });
  const works = async (token: string, index = 0) =>
    (
      await http(index)
        .post("/api/graphql/schema/world")
        .auth(token, { type: "bearer" })
        .send({ query: "{ countCities }" })
    ).status;

  /** Lets the 30 seconds of grace pass for all tokens that were rotated. */
  const endGrace = () =>
    database.client.query("update portolan.refresh_tokens set rotated_at = rotated_at - interval '31 seconds'");

  it("20 requests that race over one token all get the same new one", async () => {
    const { body } = await signIn();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => refresh(body.refresh_token, index)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 20 }, () => 200),
    );
    const next = new Set(answers.map((answer) => answer.body.refresh_token as string));
    assert.equal(next.size, 1);
    const { rows } = await database.client.query(
      "select count(*)::int from portolan.refresh_tokens where family = $1 and rotated_at is null",
      [decodeJwt(body.refresh_token)["fam"]],
    );
    assert.equal(rows[0].count, 1);
    for (const [index, answer] of answers.entries()) assert.equal(await works(answer.body.access_token, index), 200);
  });

  it("the same old token within 30 seconds gives the same new one, also after that was used itself", async () => {
    const { body: first } = await signIn();
    const { body: second } = await refresh(first.refresh_token, 0).expect(200);
    const { body: third } = await refresh(second.refresh_token, 1).expect(200);
    assert.equal((await refresh(first.refresh_token, 1).expect(200)).body.refresh_token, second.refresh_token);
    assert.equal((await refresh(second.refresh_token, 0).expect(200)).body.refresh_token, third.refresh_token);
  });

  for (const cleared of [false, true])
    it(`an old token later revokes the family${cleared ? ", also when its row has been cleared" : ""}`, async () => {
      const { body: first } = await signIn();
      const { body: second } = await refresh(first.refresh_token).expect(200);
      assert.equal(await works(second.access_token, 1), 200);
      await endGrace();
      if (cleared) await database.client.query("delete from portolan.refresh_tokens where rotated_at is not null");
      assertOAuthError(await refresh(first.refresh_token, 1), 400, "invalid_grant");
      assert.equal(await works(second.access_token, 1), 401, "at once, where it was noticed");
      assertOAuthError(await refresh(second.refresh_token, 0), 400, "invalid_grant");
      const deadline = Date.now() + 5000;
      while ((await works(second.access_token, 0)) !== 401) assert.ok(Date.now() < deadline, "still valid");
    });

  it("of a client with refresh_reuse = allow, an old token stays valid", async () => {
    await addClient(database, "lax");
    await database.client.query("update portolan.clients set refresh_reuse = 'allow' where id = 'lax'");
    const { body } = await signIn("lax");
    await refresh(body.refresh_token, 0, "lax").expect(200);
    await endGrace();
    await refresh(body.refresh_token, 1, "lax").expect(200);
  });

  it("of a request that is refused for its scope stays valid, however late it is used", async () => {
    const { body } = await signIn();
    for (const scope of ["more", "a  b", 'a "b"'])
      assertOAuthError(
        await http(0)
          .post("/api/v4/oauth")
          .send({ grant_type: "refresh_token", refresh_token: body.refresh_token, client_id: "app", scope }),
        400,
        "invalid_scope",
      );
    await endGrace();
    await refresh(body.refresh_token, 1).expect(200);
  });

  it("of another client is refused, and stays valid for its own", async () => {
    const { body } = await signIn();
    assertOAuthError(await refresh(body.refresh_token, 0, "other"), 400, "invalid_grant");
    await refresh(body.refresh_token).expect(200);
  });

  it("an access token is no refresh token, and the reverse", async () => {
    const { body } = await signIn();
    assertOAuthError(await refresh(body.access_token), 400, "invalid_grant");
    assert.equal(await works(body.refresh_token), 401);
  });

  it("ends with the account's password, the account, and the client", async () => {
    for (const end of [
      "select portolan.set_password('temp', 'another')",
      "select portolan.drop_user('temp')",
      "select portolan.drop_client('temp-app')",
    ]) {
      await database.client.query(
        "select portolan.create_user('temp', 'temp') where not exists (select from portolan.users where name = 'temp')",
      );
      await database.client.query("select portolan.set_password('temp', 'temp')");
      const { rows } = await database.client.query("select from portolan.clients where id = 'temp-app'");
      if (rows.length === 0) await addClient(database, "temp-app");
      const { body } = await http(0)
        .post("/api/v4/oauth")
        .send({ grant_type: "password", username: "temp", password: "temp", client_id: "temp-app" })
        .expect(200);
      assert.equal(await works(body.access_token, 1), 200);
      await database.client.query(end);
      const answer: Response = await refresh(body.refresh_token, 1, "temp-app");
      assert.ok(answer.status === 400 || answer.status === 401, end);
      const deadline = Date.now() + 5000;
      for (const index of [0, 1])
        while ((await works(body.access_token, index)) !== 401) assert.ok(Date.now() < deadline, `${end}: still in`);
    }
  });

  it("a device that polls both processes at once gets its tokens once", async () => {
    const { body } = await http(0).post("/api/v4/oauth/device").send({ client_id: "app" }).expect(200);
    await database.client.query(
      `update portolan.device_requests d set decision = 'granted', user_name = u.name, token_version = u.token_version
       from portolan.users u where u.name = 'guest'`,
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        http(index)
          .post("/api/v4/oauth")
          .send({ grant_type: "device_code", device_code: body.device_code, client_id: "app" }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it("keys rotate while tokens are used at both: none is refused, and both sign with the new key within seconds", async () => {
    const tokens = [await signIn(), await signIn()].map(({ body }) => body.access_token as string);
    let rotated = false;
    const signers = [new Set<string>(), new Set<string>()];
    const newest = async () => {
      const { rows } = await database.client.query(
        "select kid from portolan.signing_keys where alg = 'ES256' order by created_at desc limit 1",
      );
      return rows[0].kid as string;
    };
    const before = await newest();

    /** Requests tokens from both processes, and shows each process those of the other. */
    async function use(index: number): Promise<void> {
      let { body } = await signIn();
      const end = Date.now() + 20_000;
      while (!signers.every((kids) => kids.size > 1)) {
        assert.ok(Date.now() < end, "the new key does not sign everywhere");
        ({ body } = await refresh(body.refresh_token, index).expect(200));
        const token = body.access_token as string;
        signers[index]?.add(decodeProtectedHeader(token).kid ?? "");
        for (const known of [...tokens, token])
          for (const at of [0, 1]) assert.equal(await works(known, at), 200, `refused at ${at}, rotated: ${rotated}`);
      }
    }
    const rotate = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [CLI, "keys", "rotate"], {
        env: { ...programEnv(), DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url },
      });
      rotated = true;
      return stdout;
    };
    const [said] = await Promise.all([rotate(), use(0), use(1)]);
    const after = await newest();
    assert.match(said, new RegExp(`^${after} \\(ES256\\) signs in 5 seconds`));
    for (const kids of signers) assert.deepEqual([...kids], [before, after]);
    for (const index of [0, 1]) {
      const { body } = await http(index).get("/.well-known/jwks.json").expect(200);
      const ours = (body.keys as { kid: string; alg: string }[]).filter(({ alg }) => alg === "ES256");
      assert.deepEqual(ours.map(({ kid }) => kid).toSorted(), [before, after].toSorted());
    }
  });
});
