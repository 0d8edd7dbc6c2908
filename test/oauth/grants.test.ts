import assert from "node:assert/strict";
import { decodeJwt, decodeProtectedHeader } from "jose";
import type { Response } from "supertest";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person, REDIRECT_URI, addClient, assertOAuthError, authPath, codeFor, makePkce } from "./support.ts";

describe("the four grants", () => {
  let gateway: TestGateway;
  let secret: string;

  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "app");
    secret = (await addClient(gateway.database, "server", { public: false })) ?? "";
  });
  after(() => gateway.close());

  const post = (body: object) => gateway.http.post("/api/v4/oauth").send(body);
  const form = (body: object) => gateway.http.post("/api/v4/oauth").type("form").send(body);

  /** The token answer of the contract: RFC 6749 §5.1. */
  function assertTokens(response: Response, { account = "guest", client = "app", scope = "" } = {}) {
    assert.equal(response.status, 200, response.text);
    const { body } = response;
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "refresh_token", "scope"]);
    assert.deepEqual([body.token_type, body.expires_in, body.scope], ["Bearer", 3600, scope]);
    assert.equal(response.headers["cache-control"], "no-store");
    const access = decodeJwt(body.access_token);
    assert.equal(decodeProtectedHeader(body.access_token).typ, "at+jwt");
    assert.equal(decodeProtectedHeader(body.access_token).alg, "ES256");
    assert.deepEqual(
      [access.iss, access.aud, access.sub, access["client_id"], access["scope"], access["uid"], access["database"]],
      [gateway.baseUrl, gateway.baseUrl, account, client, scope, account, gateway.database.name],
    );
    assert.deepEqual(
      [access["response_type"], access["superUser"], access["userGroup"], access.exp! - access.iat!],
      ["token", account === "captain", null, 3600],
    );
    assert.ok("properties" in access && "email" in access && access.jti);
    const refresh = decodeJwt(body.refresh_token);
    assert.deepEqual([refresh["response_type"], refresh.exp! - refresh.iat!], ["refresh", 86_400]);
    return body as { access_token: string; refresh_token: string };
  }

  async function works(token: string): Promise<number> {
    const { status } = await gateway.http
      .post("/api/graphql/schema/world")
      .set("Authorization", `Bearer ${token}`)
      .send({ query: "{ countCities }" });
    return status;
  }

  it("password, without and with database, as JSON and as a form", async () => {
    const body = { grant_type: "password", username: "captain", password: "captain", client_id: "app" };
    assertTokens(await post(body), { account: "captain" });
    assertTokens(await post({ ...body, database: gateway.database.name }), { account: "captain" });
    const { access_token } = assertTokens(await form({ ...body, scope: "read write" }), {
      account: "captain",
      scope: "read write",
    });
    assert.equal(await works(access_token), 200);
  });

  it("password with a secret, in the body and by Basic", async () => {
    const body = { grant_type: "password", username: "guest", password: "guest" };
    assertTokens(await post({ ...body, client_id: "server", client_secret: secret }), { client: "server" });
    assertTokens(await post(body).auth("server", secret), { client: "server" });
    assertTokens(await post({ ...body, client_id: "server" }).auth("server", secret), { client: "server" });
  });

  it("authorization_code, as JSON", async () => {
    const pkce = makePkce();
    const code = await codeFor(gateway.baseUrl, "app", pkce, { scope: "a b" });
    const response = await post({
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
      client_id: "app",
      code_verifier: pkce.verifier,
    });
    assert.equal(await works(assertTokens(response, { scope: "a b" }).access_token), 200);
  });

  it("authorization_code as a form without a secret, from /auth/ with a slash at the end", async () => {
    const pkce = makePkce();
    const path = authPath("app", pkce).replace("/auth?", "/auth/?");
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(path).expect(200);
    assert.match(page.text, /href="\.\.\/assets\/portolan\.css"/);
    const signedIn = await person.submit(path, page, { username: "guest", password: "guest", action: "sign-in" });
    assert.equal(signedIn.status, 303);
    const sent = await person.agent.get(`/auth/${signedIn.headers["location"]}`).expect(302);
    const url = new URL(sent.headers["location"] ?? "");
    assert.equal(url.origin + url.pathname, REDIRECT_URI);
    assert.deepEqual([...url.searchParams.keys()], ["code", "state", "iss"]);
    assert.deepEqual([url.searchParams.get("state"), url.searchParams.get("iss")], ["af0ifjsldkj", gateway.baseUrl]);
    assertTokens(
      await form({
        grant_type: "authorization_code",
        code: url.searchParams.get("code"),
        redirect_uri: REDIRECT_URI,
        client_id: "app",
        code_verifier: pkce.verifier,
      }),
    );
  });

  it("authorization_code of a confidential client", async () => {
    const pkce = makePkce();
    const code = await codeFor(gateway.baseUrl, "server", pkce);
    const body = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: pkce.verifier };
    assertOAuthError(await post({ ...body, client_id: "server" }), 401, "invalid_client");
    assertTokens(await form(body).auth("server", secret), { client: "server" });
  });

  it("refresh_token gives a new access token and a new refresh token", async () => {
    const first = assertTokens(
      await post({ grant_type: "password", username: "guest", password: "guest", client_id: "app", scope: "x y" }),
      { scope: "x y" },
    );
    const second = assertTokens(
      await post({ grant_type: "refresh_token", refresh_token: first.refresh_token, client_id: "app" }),
      { scope: "x y" },
    );
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.equal(await works(second.access_token), 200);
    assertTokens(
      await form({ grant_type: "refresh_token", refresh_token: second.refresh_token, client_id: "app", scope: "x" }),
      { scope: "x" },
    );
    assertOAuthError(
      await form({ grant_type: "refresh_token", refresh_token: second.refresh_token, client_id: "app", scope: "z" }),
      400,
      "invalid_scope",
    );
  });

  it("device_code, from the code on the screen to the tokens", async () => {
    const started = await gateway.http.post("/api/v4/oauth/device").send({ client_id: "app" }).expect(200);
    const { device_code, user_code, ...rest } = started.body;
    assert.match(user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    assert.deepEqual(rest, {
      verification_uri: `${gateway.baseUrl}/device`,
      verification_uri_complete: `${gateway.baseUrl}/device?user_code=${user_code}`,
      expires_in: 1800,
      interval: 5,
    });
    const poll = () => post({ grant_type: "device_code", device_code, client_id: "app" });
    assertOAuthError(await poll(), 400, "authorization_pending");
    assertOAuthError(await poll(), 400, "slow_down");

    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(`/device?user_code=${user_code}`).expect(200);
    assert.match(page.text, new RegExp(`value="${user_code}"`));
    const signIn = await person.submit("/device", page, { user_code: user_code.toLowerCase(), action: "code" });
    const consent = await person.submit("/device", signIn, {
      username: "guest",
      password: "guest",
      action: "sign-in",
    });
    assert.match(consent.text, new RegExp(user_code));
    const done = await person.submit("/device", consent, { action: "allow" });
    assert.match(done.text, /The device is connected/);

    const tokens = assertTokens(await poll());
    assert.equal(await works(tokens.access_token), 200);
    assertOAuthError(await poll(), 400, "invalid_grant");
  });

  it("the device grant also by its URN, and a form", async () => {
    const { body } = await gateway.http.post("/api/v4/oauth/device").type("form").send({ client_id: "app" });
    const poll = await form({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: body.device_code,
      client_id: "app",
    });
    assertOAuthError(poll, 400, "authorization_pending");
  });

  it("portolan-cli may use all grants, gc2-cli has its redirect URI and asks for no consent", async () => {
    assertTokens(
      await post({ grant_type: "password", username: "guest", password: "guest", client_id: "portolan-cli" }),
      { client: "portolan-cli" },
    );
    const pkce = makePkce();
    const redirectUri = "http://127.0.0.1:5657/auth/callback";
    const path = authPath("gc2-cli", pkce, { redirect_uri: redirectUri });
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(path);
    const { headers } = await person.submit(path, page, { username: "guest", password: "guest", action: "sign-in" });
    const { location } = (await person.agent.get(`/auth${headers["location"]}`).expect(302)).headers;
    assert.ok(location?.startsWith(`${redirectUri}?code=`), location);
  });

  it("a client without the refresh grant gets no refresh token, and no grant that it does not list", async () => {
    await addClient(gateway.database, "kiosk", { grants: ["password"] });
    const { body } = await post({ grant_type: "password", username: "guest", password: "guest", client_id: "kiosk" });
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "scope"]);
    assertOAuthError(
      await post({ grant_type: "refresh_token", refresh_token: "x", client_id: "kiosk" }),
      400,
      "unauthorized_client",
    );
    await addClient(gateway.database, "strict", { grants: ["authorization_code"] });
    assertOAuthError(
      await post({ grant_type: "password", username: "guest", password: "guest", client_id: "strict" }),
      400,
      "unauthorized_client",
    );
    assertOAuthError(
      await gateway.http.post("/api/v4/oauth/device").send({ client_id: "strict" }),
      400,
      "unauthorized_client",
    );
  });

  it("lifetimes are the client's", async () => {
    await addClient(gateway.database, "brief");
    await gateway.database.client.query(
      "update portolan.clients set access_token_lifetime_seconds = 60, refresh_token_lifetime_seconds = 120 where id = 'brief'",
    );
    const { body } = await post({ grant_type: "password", username: "guest", password: "guest", client_id: "brief" });
    const refresh = decodeJwt(body.refresh_token);
    assert.deepEqual([body.expires_in, refresh.exp! - refresh.iat!], [60, 120]);
  });
});
