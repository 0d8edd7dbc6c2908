import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { Person, REDIRECT_URI, addClient, assertOAuthError, authPath, makePkce, textOf } from "./support.ts";

const HOME = "https://app.example.org/";

describe("sign-out by and for clients", () => {
  let gateway: TestGateway;
  let listener: Server;
  /** The logout tokens that the client was told. */
  const told: string[] = [];
  let status = 200;

  before(async () => {
    listener = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        told.push(new URLSearchParams(body).get("logout_token") ?? "");
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    gateway = await testGateway();
    for (const id of ["app", "other"]) await addClient(gateway.database, id);
    await gateway.database.client.query("select portolan.update_client('app', $1)", [
      JSON.stringify({
        post_logout_redirect_uris: [HOME],
        backchannel_logout_uri: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/out`,
      }),
    ]);
  });
  after(async () => {
    await gateway.close();
    listener.close();
  });

  const refresh = (refresh_token: string, client_id = "app") =>
    gateway.http.post("/api/v4/oauth").send({ grant_type: "refresh_token", refresh_token, client_id });

  async function signIn(person: Person, scope: string, client_id = "app", [account, password] = ["guest", "guest"]) {
    const pkce = makePkce();
    const url = await person.authorize(authPath(client_id, pkce, { scope }), account, password);
    const code = url.searchParams.get("code");
    const grant = { grant_type: "authorization_code", client_id, code, redirect_uri: REDIRECT_URI };
    return (
      await gateway.http
        .post("/api/v4/oauth")
        .send({ ...grant, code_verifier: pkce.verifier })
        .expect(200)
    ).body;
  }

  const isSignedIn = async (person: Person) =>
    (await person.agent.get(authPath("app", makePkce(), { prompt: "none" }))).headers["location"]?.includes("code=");

  it("an ID token of the session signs out without a question, goes back, and the client is told", async () => {
    const person = new Person(gateway.baseUrl);
    const { id_token, refresh_token } = await signIn(person, "openid");
    const offline = await signIn(person, "openid offline_access");
    const plain = await signIn(person, "");
    const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: HOME, state: "s" });
    const { headers } = await person.agent.get(`/signout?${query}`).expect(302);
    assert.equal(headers["location"], `${HOME}?state=s`);
    assert.equal(await isSignedIn(person), false);
    assertOAuthError(await refresh(refresh_token), 400, "invalid_grant");
    await refresh(offline.refresh_token).expect(200);
    await refresh(plain.refresh_token).expect(200);

    await until(() => told.length === 1);
    const keys = createRemoteJWKSet(new URL(`${gateway.baseUrl}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(told.pop() ?? "", keys, {
      issuer: gateway.baseUrl,
      audience: "app",
      typ: "logout+jwt",
    });
    const { sub, sid } = decodeJwt(id_token);
    assert.deepEqual([payload.sub, payload["sid"], payload["nonce"]], [sub, sid, undefined]);
    assert.deepEqual(payload["events"], { "http://schemas.openid.net/event/backchannel-logout": {} });
    // which is what discovery promises (OpenID Connect Back-Channel Logout §2.1)
    const { body } = await gateway.http.get("/.well-known/openid-configuration").expect(200);
    const { backchannel_logout_supported: isTold, backchannel_logout_session_supported: withSession } = body;
    assert.deepEqual([isTold, withSession], [true, true]);
  });

  /** What a person has allowed and a client has not fetched yet: a code, and the request of a device. */
  async function allow(person: Person, scope: string, client_id = "app") {
    const pkce = makePkce();
    const url = await person.authorize(authPath(client_id, pkce, { scope }), "guest");
    const { body } = await gateway.http.post("/api/v4/oauth/device").send({ client_id, scope }).expect(200);
    const { user_code, device_code } = body;
    const page = await person.submit("/device", await person.agent.get("/device"), { user_code, action: "code" });
    assert.equal((await person.submit("/device", page, { user_code, action: "allow" })).status, 200);
    const code = { grant_type: "authorization_code", code: url.searchParams.get("code"), redirect_uri: REDIRECT_URI };
    const fetch = (grant: object) => gateway.http.post("/api/v4/oauth").send({ client_id, ...grant });
    return {
      byCode: () => fetch({ ...code, code_verifier: pkce.verifier }),
      byDevice: () => fetch({ grant_type: "device_code", device_code }),
    };
  }

  it("a sign-out ends what was allowed by the session and not fetched yet, unless it outlives the session", async () => {
    const person = new Person(gateway.baseUrl);
    const ending = await allow(person, "openid");
    const staying = await allow(person, "openid offline_access");
    const page = await person.agent.get("/signout?client_id=app").expect(200);
    await person.submit("/signout?client_id=app", page, { action: "sign-out" });
    assert.equal(await isSignedIn(person), false);
    assertOAuthError(await ending.byCode(), 400, "invalid_grant");
    assertOAuthError(await ending.byDevice(), 400, "access_denied");
    await staying.byCode().expect(200);
    await staying.byDevice().expect(200);
  });

  it("a session whose time is over ends as by a sign-out", async () => {
    const person = new Person(gateway.baseUrl);
    const tokens = await signIn(person, "openid");
    const offline = await signIn(person, "openid offline_access");
    const clear = async () => {
      const { sid } = decodeJwt(tokens.id_token);
      await gateway.database.client.query("update portolan.sessions set expires_at = now() where sid = $1", [sid]);
      await gateway.database.client.query("select portolan.clear_expired(365)");
    };
    await assertTold([tokens], clear);
    assertOAuthError(await refresh(tokens.refresh_token), 400, "invalid_grant");
    await refresh(offline.refresh_token).expect(200);
  });

  it("without one the page asks; a POST of the client is answered by that page too", async () => {
    const person = new Person(gateway.baseUrl);
    await signIn(person, "openid", "other");
    const path = `/signout?${new URLSearchParams({ client_id: "app", post_logout_redirect_uri: HOME })}`;
    const posted = await person.agent
      .post("/signout")
      .type("form")
      .send({ client_id: "app", post_logout_redirect_uri: HOME });
    assert.equal(posted.headers["location"], path.slice("/signout".length));
    const page = await person.agent.get(path).expect(200);
    assert.match(textOf(page), /Sign out\? app asks to sign out guest/);
    assert.equal(await isSignedIn(person), true);
    await person.submit(path, page, { action: "sign-out", form_token: "forged" });
    assert.equal(await isSignedIn(person), true);
    const { headers } = await person.submit(path, page, { action: "sign-out" });
    assert.equal(headers["location"], HOME);
    assert.equal(await isSignedIn(person), false);
  });

  it("nothing ends for an address that is not registered, another client's token or a forged one", async () => {
    const person = new Person(gateway.baseUrl);
    const { id_token, access_token } = await signIn(person, "openid");
    for (const query of [
      { id_token_hint: id_token, post_logout_redirect_uri: "https://evil.example/" },
      { id_token_hint: id_token, post_logout_redirect_uri: REDIRECT_URI },
      { id_token_hint: id_token, client_id: "other" },
      { id_token_hint: access_token },
      { id_token_hint: `${id_token}x` },
      { post_logout_redirect_uri: HOME },
    ] as Record<string, string>[]) {
      const answer = await person.agent.get(`/signout?${new URLSearchParams(query)}`);
      assert.deepEqual([answer.status, answer.headers["location"]], [400, undefined], JSON.stringify(query));
      assert.match(textOf(answer), /You are still signed in/);
    }
    const nameless = await person.agent.get(`/signout?${new URLSearchParams({ post_logout_redirect_uri: HOME })}`);
    assert.match(textOf(nameless), /needs 'id_token_hint' or 'client_id'/);
    assert.equal(await isSignedIn(person), true);
  });

  it("a session that is ended over REST counts too; a client that fails is told again", async () => {
    const person = new Person(gateway.baseUrl);
    await signIn(person, "openid");
    const bearer = { type: "bearer" } as const;
    const token = await gateway.token("guest");
    const { body } = await gateway.http.get("/api/v4/sessions").auth(token, bearer).expect(200);
    const { id } = (body as { id: string; kind: string }[]).find(({ kind }) => kind === "browser")!;
    told.length = 0;
    status = 500;
    await gateway.http.delete(`/api/v4/sessions/${id}`).auth(token, bearer).expect(204);
    await gateway.http.get("/signout").expect(200); // nobody waits for the minute
    const other = new Person(gateway.baseUrl);
    await signIn(other, "openid");
    await other.agent.get("/signout").expect(200);
    await until(() => told.length >= 2);
    const due = "select attempts from portolan.logouts";
    const attempts = async () => (await gateway.database.client.query(due)).rows as { attempts: number }[];
    await until(
      async () => (await attempts()).length === 2 && (await attempts()).every(({ attempts }) => attempts === 1),
    );
    status = 200;
    await gateway.database.client.query("update portolan.logouts set next_at = now()");
    await signIn(other, "openid");
    await other.agent.get("/signout").expect(200);
    await until(async () => (await attempts()).length === 0);
    const { text } = await gateway.http.get("/metrics").expect(200);
    for (const sample of [
      'logout_notices_total{outcome="told"}',
      'logout_notices_total{outcome="failed"}',
      'sign_outs_total{by="client"}',
    ])
      // oxfmt-ignore
      assert.match(text, new RegExp(`^portolan_${sample.replace(/[{}]/g, "\\$&")} [1-9]`, "m"));
  });

  for (const subject_type of ["public", "pairwise"])
    it(`a new password and the removal of an account count too; the client knows its ${subject_type} sub`, async () => {
      const update = "select portolan.update_client('app', $1)";
      await gateway.database.client.query(update, [JSON.stringify({ subject_type })]);
      const bearer = { type: "bearer" } as const;
      const captain = await gateway.token("captain");
      const name = `leaver-${subject_type}`;
      await gateway.http.post("/api/v4/users").auth(captain, bearer).send({ name, password: "first-one" }).expect(201);
      const signedIn = (password: string) => signIn(new Person(gateway.baseUrl), "openid", "app", [name, password]);
      const first = [await signedIn("first-one"), await signedIn("first-one")];
      const changed = gateway.http
        .patch(`/api/v4/users/${name}`)
        .auth(captain, bearer)
        .send({ password: "second-one" });
      await assertTold(first, () => changed.expect(303));
      const second = [await signedIn("second-one")];
      await assertTold(second, () => gateway.http.delete(`/api/v4/users/${name}`).auth(captain, bearer).expect(204));
    });

  /** What ends the sessions of these ID tokens tells the client of each one, once. */
  async function assertTold(tokens: readonly { id_token: string }[], end: () => Promise<unknown>) {
    const subjectsOf = (all: readonly string[]) => all.map(decodeJwt).map(({ sub, sid }) => ({ sub, sid }));
    const inOrder = (a: { sid: unknown }, b: { sid: unknown }) => String(a.sid).localeCompare(String(b.sid));
    const ended = subjectsOf(tokens.map(({ id_token }) => id_token)).toSorted(inOrder);
    told.length = 0;
    await end();
    const other = new Person(gateway.baseUrl); // whose sign-out is told too, and nobody waits for the minute
    const last = decodeJwt((await signIn(other, "openid")).id_token)["sid"];
    await other.agent.get("/signout").expect(200);
    await until(() => subjectsOf(told).some(({ sid }) => sid === last));
    await until(async () => (await gateway.database.client.query("select from portolan.logouts")).rows.length === 0);
    assert.deepEqual(
      subjectsOf(told)
        .filter(({ sid }) => sid !== last)
        .toSorted(inOrder),
      ended,
    );
  }

  it("a consent is seen and taken back by its account; its tokens end, and what was not fetched yet", async () => {
    await gateway.database.client.query(`select portolan.update_client('other', '{"confirm": true}')`);
    const person = new Person(gateway.baseUrl);
    const { refresh_token } = await signIn(person, "openid email", "other");
    const bearer = { type: "bearer" } as const;
    const [guest, captain] = [await gateway.token("guest"), await gateway.token("captain")];
    const { body } = await gateway.http.get("/api/v4/consents").auth(guest, bearer).expect(200);
    assert.deepEqual(
      body.map(({ given_at: _, ...consent }: Record<string, unknown>) => consent),
      [{ account: "guest", client_id: "other", client: "other", scopes: ["openid", "email"], resources: [""] }],
    );
    await gateway.http.delete("/api/v4/consents/captain/other").auth(guest, bearer).expect(404);
    assert.equal((await gateway.http.get("/api/v4/consents?account=Guest").auth(captain, bearer)).body.length, 1);
    const allowed = await allow(person, "openid email", "other");
    await gateway.http.delete("/api/v4/consents/guest/other").auth(guest, bearer).expect(204);
    assertOAuthError(await allowed.byCode(), 400, "invalid_grant");
    assertOAuthError(await allowed.byDevice(), 400, "access_denied");
    assertOAuthError(await refresh(refresh_token, "other"), 400, "invalid_grant");
    const silent = await person.agent.get(authPath("other", makePkce(), { prompt: "none", scope: "openid" }));
    assert.match(silent.headers["location"] ?? "", /error=consent_required/);
  });
});
