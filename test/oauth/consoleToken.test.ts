import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { decodeJwt } from "jose";
import { GatewayError, type ErrorCode } from "../../server/ground/errors.ts";
import { toOAuthError } from "../../server/oauth/errors.ts";
import { hashOf } from "../../server/kernel/identity/hash.ts";
import { programEnv } from "../support/programEnv.ts";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

const run = promisify(execFile);

describe("POST /console/session/token", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway();
  });
  after(() => gateway.close());

  /** A session of a browser; what its cookie holds. */
  async function session(account: string, amr = ["pwd"]): Promise<string> {
    const reference = randomUUID();
    await gateway.database.client.query(
      `
insert into portolan.sessions (hash, user_name, token_version, expires_at, amr, console_hash, console_at)
select $1, name, token_version, now() + interval '1 day', $4, $2, clock_timestamp() from portolan.users where name = $3`,
      [hashOf(randomUUID()), hashOf(reference), account, amr],
    );
    return reference;
  }

  const cookieOf = (reference: string): string =>
    `portolan-console-${Buffer.from(gateway.database.name).toString("base64url")}=${reference}`;

  function ask(reference: string, headers: Readonly<Record<string, string>> = {}) {
    return gateway.http
      .post("/console/session/token")
      .set({ Origin: gateway.baseUrl, "Sec-Fetch-Site": "same-origin", Cookie: cookieOf(reference), ...headers });
  }

  const whoAmI = (token: string) => gateway.http.get("/api/v4/sessions").set("Authorization", `Bearer ${token}`);

  it("gives a page of the service a token of five minutes, which ends with the session", async () => {
    const reference = await session("guest");
    const { body, headers } = await ask(reference).expect(200);
    assert.deepEqual([body.token_type, body.expires_in, body.refresh_token], ["Bearer", 300, undefined]);
    assert.equal(headers["cache-control"], "no-store");
    const claims = decodeJwt(body.access_token);
    assert.deepEqual([claims.sub, claims["client_id"], claims.exp! - claims.iat!], ["guest", "portolan-console", 300]);
    const again = await ask(reference).expect(200);
    assert.equal(decodeJwt(again.body.access_token)["fam"], claims["fam"], "one authorization a session");
    const { body: sessions } = await whoAmI(body.access_token).expect(200);
    const [own, ...others] = (sessions as { current: boolean; kind: string; id: string }[]).filter(
      (one) => one.current,
    );
    assert.deepEqual([own?.kind, others], ["browser", []]);
    await gateway.http
      .delete(`/api/v4/sessions/${own!.id}`)
      .set("Authorization", `Bearer ${body.access_token}`)
      .expect(204);
    await ask(reference).expect(401);
    await until(async () => (await whoAmI(body.access_token)).status === 401);
  });

  it("tells a page that it may try again where others use all connections, and never that the service failed", () => {
    const told = (code: ErrorCode) => {
      const { status, headers, body } = toOAuthError(new GatewayError(code));
      return [status, body.error, headers["Retry-After"]];
    };
    assert.deepEqual(told("ACCOUNT_BUSY"), [503, "temporarily_unavailable", "1"]);
    assert.deepEqual(told("LIMIT_EXCEEDED"), [400, "invalid_request", undefined]);
    assert.deepEqual(told("INTERNAL"), [500, "server_error", undefined]);
  });

  it("gives nothing to other pages, to programs, and for other cookies", async () => {
    const reference = await session("guest");
    for (const [headers, status] of [
      [{ "Sec-Fetch-Site": "same-site" }, 403],
      [{ "Sec-Fetch-Site": "cross-site" }, 403],
      [{ "Sec-Fetch-Site": "" }, 403],
      [{ Origin: "https://elsewhere.example" }, 403],
      [{ Origin: "null" }, 403],
      [{ Cookie: "" }, 401],
      [{ Cookie: cookieOf("x".repeat(4000)) }, 401],
      [{ Cookie: `portolan-console-${Buffer.from("no such").toString("base64url")}=${reference}` }, 401],
    ] as const)
      await ask(reference, headers).expect(status);
    await ask(reference).query({ database: "elsewhere" }).expect(401);
    const own = { Cookie: cookieOf(reference), Origin: gateway.baseUrl, "Sec-Fetch-Site": "same-origin" };
    await gateway.http.get("/api/v4/sessions").set(own).expect(401); // no other address takes the cookie
    await gateway.http.post("/api/v4/sql").set(own).send({ q: "select 1" }).expect(401);
    await gateway.http.get("/console/session/token").set("Cookie", cookieOf(reference)).expect(405);
    for (const path of ["/api/v4/sessions", "/api/v4/schemas"])
      await gateway.http.get(path).set("Cookie", cookieOf(reference)).expect(401);
  });

  it("ends with the password, and with the session's own time", async () => {
    const [first, second] = [await session("guest"), await session("captain")];
    await ask(first).expect(200);
    await gateway.database.client.query(
      "update portolan.users set token_version = token_version + 1 where name = 'guest'",
    );
    await ask(first).expect(401);
    await gateway.database.client.query("update portolan.sessions set expires_at = now() where user_name = 'captain'");
    await ask(second).expect(401);
  });

  it("knows that the session has had a second factor", async () => {
    const { body } = await ask(await session("captain", ["pwd", "otp", "mfa"])).expect(200);
    const { rows } = await gateway.database.client.query(
      "select asked ->> 'mfa' as mfa from portolan.token_families where id = $1",
      [decodeJwt(body.access_token)["fam"]],
    );
    assert.deepEqual(rows, [{ mfa: "true" }]);
  });

  it("gives nothing to a session that has had none, from when on the account needs one", async () => {
    const [before, withFactor] = [await session("captain"), await session("captain", ["pwd", "otp", "mfa"])];
    const need = (two_factor: boolean) =>
      gateway.database.client.query("select portolan.update_user('captain', $1)", [{ two_factor }]);
    await ask(before).expect(200);
    await need(true);
    const { body } = await ask(before).expect(401);
    assert.match(body.detail, /second factor/);
    await ask(withFactor).expect(200);
    await need(false);
    await ask(before).expect(200);
  });

  it("gives nothing while the operator has disabled the client, which nobody else does", async () => {
    const reference = await session("captain");
    const client = (...words: string[]) =>
      run(process.execPath, ["server/setup/portolan.mjs", "client", ...words], {
        env: { ...programEnv(), DATABASE_URL: gateway.database.gatewayUrl, OWNER_DATABASE_URL: gateway.database.url },
      });
    const query = (text: string) => gateway.database.client.query(text);
    const disable = `select portolan.update_client('portolan-console', '{"disabled": true}')`;
    await assert.rejects(client("disable", "portolan-console"), /is built in/);
    await assert.rejects(client("disable", "portolan-cli", "--force"), /is built in/);
    await assert.rejects(query(disable), { code: "PX409" });
    await query("select set_config('portolan.force', 'on', false)");
    await query(`set role "captain@${gateway.database.name}"`);
    await assert.rejects(query(disable), { code: "PX409" });
    await query("reset role");
    await query("reset portolan.force");
    await client("disable", "portolan-console", "--force");
    const { body } = await ask(reference).expect(403);
    assert.match(body.detail, /the console is disabled/);
    await client("enable", "portolan-console");
    await ask(reference).expect(200);
  });
});
