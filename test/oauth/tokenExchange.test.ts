import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { addClient, assertOAuthError } from "./support.ts";

const URN = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

describe("the grant token_exchange (RFC 8693)", () => {
  let gateway: TestGateway;
  let secret: string;
  const post = (body: object) => gateway.http.post("/api/v4/oauth").send(body);
  const exchange = (subject_token: string, more: object = {}) =>
    post({ grant_type: URN, client_id: "relay", subject_token, subject_token_type: ACCESS_TOKEN, ...more });
  const tokens = async (client: object = { client_id: "relay" }, scope = "a b c") =>
    (await post({ grant_type: "password", username: "guest", password: "guest", scope, ...client }).expect(200)).body;
  const works = async (token: string) =>
    (await gateway.http.get("/api/v4/users/guest").auth(token, { type: "bearer" })).status === 200;

  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "relay", { grants: ["password", "refresh_token", "token_exchange"] });
    await addClient(gateway.database, "plain", { grants: ["password"] });
    const grants = ["password", "token_exchange"];
    secret = (await addClient(gateway.database, "server", { public: false, grants })) ?? "";
  });
  after(() => gateway.close());

  it("gives an access token of less scope, which ends no later, and no refresh token", async () => {
    await gateway.database.client.query(
      "update portolan.clients set access_token_lifetime_seconds = 100 where id = 'relay'",
    );
    const { access_token: own } = await tokens();
    await gateway.database.client.query(
      "update portolan.clients set access_token_lifetime_seconds = 3600 where id = 'relay'",
    );
    const { body, headers } = await exchange(own, { scope: "c a" }).expect(200);
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "scope", "issued_token_type"]);
    assert.deepEqual([body.token_type, body.scope, body.issued_token_type], ["Bearer", "c a", ACCESS_TOKEN]);
    assert.equal(headers["cache-control"], "no-store");
    const [given, got] = [decodeJwt(own), decodeJwt(body.access_token)];
    assert.ok(got.exp! - given.exp! <= 1 && body.expires_in <= 100, JSON.stringify([given, got]));
    assert.deepEqual([got.sub, got["client_id"], got["scope"], got["fam"]], ["guest", "relay", "c a", given["fam"]]);
    assert.notEqual(got.jti, given.jti);
    assert.ok(await works(body.access_token));
    const short = { grant_type: "token_exchange", requested_token_type: ACCESS_TOKEN, audience: gateway.baseUrl };
    assert.equal((await exchange(body.access_token, short).expect(200)).body.scope, "c a");
  });

  it("lasts no longer than its client's tokens, for a confidential client too", async () => {
    const client = { client_id: "server", client_secret: secret };
    const { access_token } = await tokens(client);
    await gateway.database.client.query(
      "update portolan.clients set access_token_lifetime_seconds = 60 where id = 'server'",
    );
    assert.equal((await exchange(access_token, client).expect(200)).body.expires_in, 60);
    assertOAuthError(await exchange(access_token, { client_id: "server" }), 401, "invalid_client");
  });

  it("is revoked with the token that it was given for", async () => {
    const { access_token, refresh_token } = await tokens();
    const { body } = await exchange(access_token).expect(200);
    assert.ok(await works(body.access_token));
    await gateway.http.post("/api/v4/oauth/revoke").send({ token: refresh_token, client_id: "relay" }).expect(200);
    await until(async () => !(await works(body.access_token)));
    assertOAuthError(await exchange(access_token), 400, "invalid_request");
  });

  it("refuses foreign tokens, more scope, and unsupported requests", async () => {
    const { access_token: own, refresh_token } = await tokens();
    const { access_token: others } = await tokens({ client_id: "plain" });
    const operators = await gateway.token("guest");
    for (const token of [others, refresh_token, operators, "no.such.token", `${own}x`])
      assertOAuthError(await exchange(token), 400, "invalid_request");
    for (const [more, error] of [
      [{ scope: "a d" }, "invalid_scope"],
      [{ scope: 'a"' }, "invalid_scope"],
      [{ subject_token: undefined }, "invalid_request"],
      [{ subject_token_type: undefined }, "invalid_request"],
      [{ subject_token_type: "urn:ietf:params:oauth:token-type:saml2" }, "invalid_request"],
      [{ requested_token_type: "urn:ietf:params:oauth:token-type:refresh_token" }, "invalid_request"],
      [{ actor_token: own, actor_token_type: ACCESS_TOKEN }, "invalid_request"],
      [{ audience: "https://elsewhere.example.org" }, "invalid_target"],
      [{ resource: "https://elsewhere.example.org" }, "invalid_target"],
      [{ client_id: "plain" }, "unauthorized_client"],
    ] as const)
      assertOAuthError(await exchange(own, more), 400, error);
  });

  it("is in the audit, granted and refused", async () => {
    const { rows } = await gateway.database.client.query(
      "select distinct event, details from portolan.audit where details ->> 'grantType' = 'token_exchange' order by 1",
    );
    const details = { grantType: "token_exchange" };
    assert.deepEqual(rows, [
      { event: "grant.refused", details: { ...details, outcome: "subject_token" } },
      { event: "granted", details },
    ]);
  });
});
