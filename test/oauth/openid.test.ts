import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { SignJWT, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, generateKeyPair, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person, REDIRECT_URI, addClient, authPath, codeFor, hiddenFields, makePkce, textOf } from "./support.ts";

describe("OpenID Connect", () => {
  let gateway: TestGateway;
  const person = () => new Person(gateway.baseUrl);
  const sql = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "app");
    await addClient(gateway.database, "careful", { confirm: true });
    await addClient(gateway.database, "apart", { redirectUri: ["https://apart.example.org/cb"] });
    await addClient(gateway.database, "beside", { redirectUri: ["https://apart.example.org/other"] });
    await sql(
      `select portolan.update_client(id, '{"subject_type": "pairwise", "id_token_signed_response_alg": "ES256"}')
       from unnest('{apart,beside}'::text[]) id`,
    );
    await sql(
      `update portolan.users set email = 'guest@example.org', properties = '{"name": "A Guest", "phone": 1}' where name = 'guest'`,
    );
  });
  after(() => gateway.close());

  /** The tokens of a sign-in. */
  async function tokensOf(id: string, more: Record<string, string> = {}) {
    const pkce = makePkce();
    const code = await codeFor(gateway.baseUrl, id, pkce, { scope: "openid", ...more });
    return exchange(id, code, pkce, more["redirect_uri"]);
  }

  async function exchange(id: string, code: string, pkce: ReturnType<typeof makePkce>, redirect_uri = REDIRECT_URI) {
    const grant = { grant_type: "authorization_code", client_id: id, code, redirect_uri, code_verifier: pkce.verifier };
    return (await gateway.http.post("/api/v4/oauth").send(grant).expect(200)).body;
  }

  /** The answer that the client gets. */
  const answerOf = async (someone: Person, more: Record<string, string>, id = "app") =>
    new URL(
      (await someone.agent.get(authPath(id, makePkce(), { scope: "openid", ...more }))).headers["location"] ??
        "about:blank",
    ).searchParams;

  it("signs in with openid-client, unmodified: discovery, code, ID token, userinfo, refresh", async () => {
    const config = await client.discovery(new URL(gateway.baseUrl), "app", undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    });
    const verifier = client.randomPKCECodeVerifier();
    const nonce = client.randomNonce();
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: "openid profile email groups offline_access",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      max_age: "600",
      nonce,
      state,
    });
    const back = await person().authorize(url.pathname + url.search, "guest");
    const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state, maxAge: 600 };
    const tokens = await client.authorizationCodeGrant(config, back, checks);
    const claims = tokens.claims();
    assert.ok(claims);
    assert.deepEqual(
      [claims["name"], claims["email"], claims["groups"], claims["amr"], claims["preferred_username"]],
      ["A Guest", "guest@example.org", [], ["pwd"], "guest"],
    );
    assert.equal("phone" in claims, false);
    const changedAt = Number(claims["updated_at"]);
    assert.ok(Math.abs(changedAt - Date.now() / 1000) < 600, `${changedAt}`);
    const digest = createHash("sha256").update(tokens.access_token).digest().subarray(0, 16);
    assert.equal(claims["at_hash"], digest.toString("base64url"));
    assert.ok(Math.abs((claims.auth_time ?? 0) - Date.now() / 1000) < 600);
    const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
    assert.deepEqual([userinfo.sub, userinfo.name, userinfo.email_verified], [claims.sub, "A Guest", false]);
    assert.equal(userinfo.updated_at, changedAt);
    await sql("update portolan.users set updated_at = 'epoch'");
    await sql("update portolan.users set two_factor = false where name = 'guest'");
    const updatedAt = async () =>
      (await client.fetchUserInfo(config, tokens.access_token, claims.sub)).updated_at ?? Number.NaN;
    assert.equal(await updatedAt(), 0, "that is no claim");
    await sql(`update portolan.users set properties = properties || '{"locale": "da"}' where name = 'guest'`);
    assert.ok((await updatedAt()) >= changedAt);
    const again = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assert.deepEqual([again.claims()?.sub, again.claims()?.auth_time], [claims.sub, claims.auth_time]);
    assert.equal(again.claims()?.["nonce"], undefined);
  });

  it("groups are those of rules: what an account is in, and what these are in", async () => {
    await sql("select portolan.create_user(n, 'a password') from unnest('{fleet,crew,zeal}'::text[]) n");
    await sql(`select portolan.update_user('crew', '{"user_group": "fleet"}')`);
    await sql(`select portolan.update_user('guest', '{"user_group": ["zeal", "crew"]}')`);
    try {
      const { access_token, id_token } = await tokensOf("app", { scope: "openid groups" });
      assert.deepEqual(decodeJwt(id_token)["groups"], ["zeal", "crew", "fleet"]);
      const userinfo = async () =>
        (await gateway.http.get("/api/v4/oauth/userinfo").set({ Authorization: `Bearer ${access_token}` })).body;
      assert.deepEqual((await userinfo()).groups, ["zeal", "crew", "fleet"]);
      await sql(`select portolan.update_user('crew', '{"user_group": null}')`);
      assert.deepEqual((await userinfo()).groups, ["zeal", "crew"]);
    } finally {
      await sql(`select portolan.update_user('guest', '{"user_group": null}')`);
      await sql("select portolan.drop_user(n) from unnest('{crew,zeal,fleet}'::text[]) n");
    }
  });

  it("oauth4webapi, unmodified, verifies the signature of the ID token", async () => {
    const issuer = new URL(gateway.baseUrl);
    const http = { [oauth.allowInsecureRequests]: true };
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, http));
    const app: oauth.Client = { client_id: "app" };
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const back = await person().authorize(authPath("app", { verifier, challenge }, { scope: "openid" }), "guest");
    const parameters = oauth.validateAuthResponse(as, app, back, "af0ifjsldkj");
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      app,
      oauth.None(),
      parameters,
      REDIRECT_URI,
      verifier,
      http,
    );
    const result = await oauth.processAuthorizationCodeResponse(as, app, response, { requireIdToken: true });
    await oauth.validateApplicationLevelSignature(as, response, http);
    const info = await oauth.userInfoRequest(as, app, result.access_token, http);
    const { sub } = oauth.getValidatedIdTokenClaims(result)!;
    assert.deepEqual(await oauth.processUserInfoResponse(as, app, sub, info), { sub });
  });

  it("signs by the algorithm of the client, with keys that the JWK Set has", async () => {
    const keys = createRemoteJWKSet(new URL(`${gateway.baseUrl}/.well-known/jwks.json`));
    for (const [id, alg, more] of [
      ["app", "RS256", {}],
      ["apart", "ES256", { redirect_uri: "https://apart.example.org/cb" }],
    ] as const) {
      const { id_token } = await tokensOf(id, more);
      assert.deepEqual({ ...decodeProtectedHeader(id_token), kid: "" }, { alg, typ: "JWT", kid: "" });
      await jwtVerify(id_token, keys, { issuer: gateway.baseUrl, audience: id });
    }
  });

  it("a pairwise sub is the same for one host and differs from that of others", async () => {
    const sub = async (id: string, redirect_uri: string) =>
      decodeJwt((await tokensOf(id, { redirect_uri })).id_token).sub;
    const [own, sibling, everyones] = [
      await sub("apart", "https://apart.example.org/cb"),
      await sub("beside", "https://apart.example.org/other"),
      await sub("app", REDIRECT_URI),
    ];
    assert.equal(own, sibling);
    assert.notEqual(own, everyones);
    await assert.rejects(
      sql(`select portolan.update_client('apart', '{"redirect_uri": ["https://a.example/", "https://b.example/"]}')`),
      { code: "PX400" },
    );
  });

  it("a token tells a client of the account what its scope tells; one with a pairwise sub nothing", async () => {
    const told = (token: string) => {
      const { sub, uid, email, properties, userGroup, superUser } = decodeJwt(token);
      return {
        sub,
        ...Object.fromEntries(
          Object.entries({ uid, email, properties, userGroup, superUser }).filter(([, value]) => value !== undefined),
        ),
      };
    };
    const apart = { redirect_uri: "https://apart.example.org/cb" };
    for (const [id, more] of [
      ["app", {}],
      ["apart", apart],
      ["apart", { ...apart, scope: "openid profile email groups" }],
      ["apart", { ...apart, scope: "profile" }],
    ] as const) {
      const { access_token, refresh_token, id_token } = await tokensOf(id, more);
      const sub = id_token === undefined ? told(access_token).sub : decodeJwt(id_token).sub;
      assert.notEqual(sub, "guest");
      const grant = { grant_type: "refresh_token", client_id: id };
      const refreshed = await gateway.http
        .post("/api/v4/oauth")
        .send({ ...grant, refresh_token })
        .expect(200);
      for (const token of [access_token, refresh_token, refreshed.body.access_token, refreshed.body.refresh_token])
        assert.deepEqual(told(token), { sub }, `${id} ${JSON.stringify(more)}`);
      // the service knows the account by its name
      const { access_token: token } = refreshed.body;
      const asked = { query: "{ __typename }" };
      await gateway.http.post("/api/graphql/schema/world").auth(token, { type: "bearer" }).send(asked).expect(200);
      const me = await gateway.http.get("/api/v4/sessions?account=guest").auth(token, { type: "bearer" }).expect(200);
      assert.ok(me.body.some(({ client_id: client, current }: Record<string, unknown>) => client === id && current));
      const introspect = () => gateway.http.post("/api/v4/oauth/introspect").send({ token, client_id: id }).expect(200);
      const { active, sub: introspected, username } = (await introspect()).body;
      assert.deepEqual([active, introspected, username], [true, sub, undefined]);
      await gateway.http.post("/api/v4/oauth/revoke").send({ token, client_id: id }).expect(200);
      assert.deepEqual((await introspect()).body, { active: false });
      const { rows } = await sql(
        "select account from portolan.audit where event = 'token.revoked' order by id desc limit 1",
      );
      assert.equal(rows[0]?.["account"], "guest");
    }
    const { access_token } = await tokensOf("app", { scope: "openid profile email" });
    const { sub: _, ...all } = told(access_token) as Record<string, unknown>;
    assert.deepEqual(all, {
      email: "guest@example.org",
      properties: { name: "A Guest", phone: 1, locale: "da" },
      superUser: false,
    });
  });

  it("nothing changes for a client that does not ask for openid", async () => {
    const pkce = makePkce();
    const someone = person();
    const url = await someone.authorize(authPath("app", pkce, { scope: "profile", prompt: "login" }), "guest");
    const body = await exchange("app", url.searchParams.get("code") ?? "", pkce);
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "refresh_token", "scope"]);
    const { headers } = await gateway.http
      .get("/api/v4/oauth/userinfo")
      .auth(body.access_token, { type: "bearer" })
      .expect(403);
    assert.match(headers["www-authenticate"] ?? "", /insufficient_scope/);
  });

  it("prompt=login and max_age ask for the password again, once", async () => {
    for (const more of [{ prompt: "login" }, { max_age: "0" }]) {
      const someone = person();
      await someone.authorize(authPath("app", makePkce(), { scope: "openid" }), "guest");
      await sql("update portolan.sessions set created_at = now() - interval '1 hour'");
      const path = authPath("careful", makePkce(), { scope: "openid", ...more });
      const page = await someone.agent.get(path).expect(200);
      assert.match(textOf(page), /Sign in to continue to careful/);
      const url = await someone.authorize(path, "guest");
      assert.ok(url.searchParams.get("code"), url.href);
    }
    const someone = person();
    await someone.authorize(authPath("app", makePkce(), { scope: "openid" }), "guest");
    await sql("update portolan.sessions set created_at = now() - interval '1 hour'");
    const silent = { prompt: "none", max_age: "60" };
    assert.equal((await answerOf(someone, silent)).get("error"), "login_required");
  });

  it("prompt=login and max_age: the answer to a page is no sign-in, and one of another request does not count", async () => {
    for (const more of [{ prompt: "login" }, { max_age: "0" }]) {
      const someone = person();
      await someone.authorize(authPath("app", makePkce(), { scope: "openid" }), "guest");
      await sql("update portolan.sessions set created_at = now() - interval '1 hour'");
      const pathOf = (id: string) => authPath(id, makePkce(), { scope: "openid", ...more });
      const isAsked = async (path: string, fields: Record<string, string>, page = someone.agent.get(path)) =>
        assert.match(textOf(await someone.submit(path, await page, fields)), /Sign in to continue to/);
      for (const id of ["app", "careful"])
        for (const action of ["continue", "allow", "deny"]) await isAsked(pathOf(id), { action });

      const path = pathOf("careful");
      const signIn = { username: "guest", password: "guest", action: "sign-in" };
      const consent = async () => someone.submit(path, await someone.agent.get(path), signIn);
      await sql("delete from portolan.consents");
      const { signed_in = "" } = hiddenFields((await consent()).text);
      await sql("update portolan.sessions set created_at = now() - interval '1 hour'");
      await isAsked(pathOf("careful"), { action: "allow", signed_in });
      const page = await consent();
      await sql("update portolan.sessions set created_at = now() - interval '1 hour'");
      const answer = await someone.submit(path, page, { action: "allow" });
      assert.match(answer.headers["location"] ?? "", /[?&]code=/, answer.text);
      assert.match(textOf(await someone.submit(path, page, { action: "allow" })), /Sign in to continue to/, "used");
    }
  });

  it("prompt=consent asks although it is allowed, prompt=select_account for the account", async () => {
    const someone = person();
    await someone.authorize(authPath("app", makePkce(), { scope: "openid" }), "guest");
    const consent = authPath("app", makePkce(), { scope: "openid", prompt: "consent" });
    const page = await someone.agent.get(consent).expect(200);
    assert.match(textOf(page), /Allow app\?.*Know that it is you/);
    assert.ok((await someone.authorize(consent, "guest")).searchParams.get("code"));
    const select = authPath("app", makePkce(), { scope: "openid", prompt: "select_account" });
    const choice = await someone.agent.get(select).expect(200);
    assert.match(textOf(choice), /Continue as guest Use another account/);
    const answer = await someone.submit(select, choice, { action: "continue" });
    assert.match(answer.headers["location"] ?? "", /[?&]code=/);
    const other = await someone.submit(select, await someone.agent.get(select), { action: "switch" });
    assert.match(textOf(other), /Sign in/);
  });

  it("id_token_hint and the sub of claims name the account; login_hint fills in the form", async () => {
    const someone = person();
    const pkce = makePkce();
    const url = await someone.authorize(authPath("app", pkce, { scope: "openid" }), "guest");
    const { id_token } = await exchange("app", url.searchParams.get("code") ?? "", pkce);
    const silent = { prompt: "none", id_token_hint: id_token };
    assert.ok((await answerOf(someone, silent)).get("code"));
    const other = person();
    await other.authorize(authPath("app", makePkce(), { scope: "openid" }), "captain");
    assert.equal((await answerOf(other, silent)).get("error"), "login_required");
    const claims = JSON.stringify({ id_token: { sub: { value: decodeJwt(id_token).sub } } });
    assert.equal((await answerOf(other, { prompt: "none", claims })).get("error"), "login_required");
    const hinted = authPath("app", makePkce(), { scope: "openid", login_hint: "guest" });
    assert.match((await gateway.http.get(hinted)).text, /name="username"[^>]*value="guest"/);

    const { privateKey } = await generateKeyPair("ES256");
    const forged = (alg: string) =>
      new SignJWT({ ...decodeJwt(id_token) })
        .setProtectedHeader({ alg, typ: "JWT", kid: decodeProtectedHeader(id_token).kid! })
        .sign(alg === "HS256" ? new TextEncoder().encode("x".repeat(32)) : privateKey);
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${id_token.split(".")[1]}.`;
    const { access_token } = await tokensOf("app");
    const { id_token: others } = await tokensOf("apart", { redirect_uri: "https://apart.example.org/cb" });
    for (const hint of [unsigned, await forged("HS256"), await forged("ES256"), access_token, others, "x"])
      assert.equal((await answerOf(someone, { prompt: "none", id_token_hint: hint })).get("error"), "invalid_request");
  });

  it("claims asks for single members", async () => {
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { name: { essential: true }, secret: null } });
    const { id_token, access_token } = await tokensOf("app", { claims });
    const { email, name } = decodeJwt(id_token);
    assert.deepEqual([email, name], ["guest@example.org", undefined]);
    const { body } = await gateway.http.post("/api/v4/oauth/userinfo").type("form").send({ access_token }).expect(200);
    assert.deepEqual(body, { sub: decodeJwt(id_token).sub, name: "A Guest" });
  });

  it("an essential acr that the account cannot have is refused, and one that it has is in the ID token", async () => {
    const claims = (acr: object) => JSON.stringify({ id_token: { acr } });
    const someone = person();
    await someone.authorize(authPath("app", makePkce(), { scope: "openid" }), "guest");
    for (const acr of [
      { essential: true, values: ["urn:portolan:acr:mfa"] }, // the option mfa is off
      { essential: true, value: "urn:example:acr:gold" },
    ])
      assert.equal(
        (await answerOf(someone, { claims: claims(acr) })).get("error"),
        "unmet_authentication_requirements",
      );
    assert.equal((await answerOf(someone, { claims: claims({ essential: true, values: 1 }) })).get("error"), "invalid_request"); // oxfmt-ignore
    for (const acr of [
      { essential: true },
      { essential: true, values: ["urn:example:acr:gold", "urn:portolan:acr:password"] },
      { values: ["urn:portolan:acr:mfa"] },
    ]) {
      const { id_token: token } = await tokensOf("app", { claims: claims(acr) });
      assert.equal(decodeJwt(token)["acr"], "urn:portolan:acr:password");
    }
  });

  it("response_mode=form_post answers with a form that sends itself, errors too", async () => {
    const someone = person();
    await someone.authorize(authPath("app", makePkce(), { scope: "openid" }), "guest");
    const get = (more: object) =>
      someone.agent.get(authPath("app", makePkce(), { scope: "openid", response_mode: "form_post", ...more }));
    const page = await get({}).expect(200);
    const fields = hiddenFields(page.text);
    assert.deepEqual(Object.keys(fields), ["code", "state", "iss"]);
    assert.match(page.text, new RegExp(`action="${REDIRECT_URI}"`));
    assert.match(page.headers["content-security-policy"] ?? "", /script-src 'sha256-/);
    const evil = '"><script>alert(1)</script>';
    const failed = await get({ prompt: "none login", state: evil }).expect(200);
    assert.equal(hiddenFields(failed.text)["error"], "invalid_request");
    assert.doesNotMatch(failed.text, /<script>alert/);
  });

  it("a client may send its request as a form: the page is the same, and the query has it from then on", async () => {
    const someone = person();
    const path = authPath("app", makePkce(), { scope: "openid" });
    const form = new URL(path, gateway.baseUrl).searchParams.toString();
    const { headers } = await someone.agent.post("/auth").type("form").send(form).expect(303);
    assert.equal(headers["location"], `?${form}`);
    assert.ok((await someone.authorize(path, "guest")).searchParams.get("code"));
    await someone.agent.post(path).type("form").send(form).expect(400);
    await someone.agent
      .post("/auth")
      .type("form")
      .send(`${form}&state=${"x".repeat(17_000)}`)
      .expect(400);
  });

  it("what is not supported is refused in the words of the standards", async () => {
    for (const [more, error] of [
      [{ request: "x" }, "request_not_supported"],
      [{ request_uri: "https://app.example.org/r" }, "request_uri_not_supported"],
      [{ registration: "{}" }, "registration_not_supported"],
      [{ authorization_details: "[]" }, "invalid_authorization_details"],
      [{ prompt: "none consent" }, "invalid_request"],
      [{ prompt: "create" }, "invalid_request"],
      [{ max_age: "-1" }, "invalid_request"],
      [{ max_age: "1e3" }, "invalid_request"],
      [{ claims: "[]" }, "invalid_request"],
      [{ claims: '{"id_token": 1}' }, "invalid_request"],
      [{ claims: "{" }, "invalid_request"],
      [{ response_type: "code id_token" }, "unsupported_response_type"],
      [{ response_mode: "fragment" }, "invalid_request"],
    ] as const)
      assert.equal((await answerOf(person(), more)).get("error"), error, JSON.stringify(more));
  });

  it("neither an ID token opens a door, nor does a foreign token give userinfo", async () => {
    const { id_token, refresh_token } = await tokensOf("app");
    for (const token of [id_token, refresh_token, await gateway.token("guest"), "x"])
      assert.ok(
        [401, 403].includes((await gateway.http.get("/api/v4/oauth/userinfo").auth(token, { type: "bearer" })).status),
      );
    await gateway.http.get("/api/v4/users/guest").auth(id_token, { type: "bearer" }).expect(401);
    await gateway.http.get("/api/v4/oauth/userinfo").expect(401);
  });

  it("where the option mfa is off, no second factor is offered", async () => {
    const person = new Person(gateway.baseUrl);
    const form = { username: "guest", password: "guest", action: "sign-in" };
    const page = await person.submit("/account", await person.agent.get("/account"), form);
    assert.match(textOf(page), /Signed in as guest .* not offered here/);
    const { body } = await gateway.http.get("/.well-known/openid-configuration");
    assert.deepEqual(body.acr_values_supported, ["urn:portolan:acr:password"]);
  });

  it("an account sees on its page where it is signed in, and ends that", async () => {
    const form = { username: "guest", password: "guest", action: "sign-in" };
    const [here, there] = [new Person(gateway.baseUrl), new Person(gateway.baseUrl)];
    there.agent.set("User-Agent", "Elsewhere/1.0");
    for (const person of [here, there]) await person.submit("/account", await person.agent.get("/account"), form);
    const page = await here.agent.get("/account");
    assert.match(textOf(page), /this browser, .*since/);
    const [, session = ""] = /Elsewhere[^]*?name="session" value="(\w+)"/.exec(page.text) ?? [];
    const after = await here.submit("/account", page, { action: "end-session", session });
    assert.doesNotMatch(textOf(after), /Elsewhere/);
    assert.match(textOf(await there.agent.get("/account")), /Password/);
    // not that of somebody else
    await there.submit("/account", await there.agent.get("/account"), {
      ...form,
      username: "captain",
      password: "captain",
    });
    const mine = await gateway.database.client.query(
      "select left(encode(sha256(hash::bytea), 'hex'), 32) as id from portolan.sessions where user_name = 'captain'",
    );
    await here.submit("/account", page, { action: "end-session", session: mine.rows[0].id });
    assert.match(textOf(await there.agent.get("/account")), /Signed in as captain/);
  });
});
