import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import {
  Person,
  REDIRECT_URI,
  addClient,
  assertOAuthError,
  authPath,
  codeFor,
  hiddenFields,
  makePkce,
  textOf,
} from "./support.ts";

/** Additional values of a client, or of an attacker. */
const STATES = [
  "a b&c=d#e",
  "ünïcode ✓",
  '"><script>',
  "x\r\nSet-Cookie: evil=1",
  "https://evil.example",
  "' or 1=1 --",
];

describe("the authorization endpoint and its codes", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "app");
    await addClient(gateway.database, "other");
    await addClient(gateway.database, "careful", { confirm: true });
    await addClient(gateway.database, "local", {
      redirectUri: ["http://127.0.0.1:8080/cb", "https://x.example/a?b=c"],
    });
  });
  after(() => gateway.close());

  const exchange = (body: object) =>
    gateway.http.post("/api/v4/oauth").send({ grant_type: "authorization_code", ...body });
  const right = { redirect_uri: REDIRECT_URI, client_id: "app" };

  describe("redirect_uri", () => {
    for (const [attack, uri] of [
      ["a suffix", `${REDIRECT_URI}/more`],
      ["a suffix that extends the host", "https://app.example.org.evil.example/callback"],
      ["another port", "https://app.example.org:444/callback"],
      ["the default port written out", "https://app.example.org:443/callback"],
      ["another scheme", "http://app.example.org/callback"],
      ["javascript", "javascript:alert(1)//app.example.org/callback"],
      ["user-info", "https://app.example.org@evil.example/callback"],
      ["user-info before the host", "https://evil@app.example.org/callback"],
      ["a fragment", `${REDIRECT_URI}#x`],
      ["path traversal", "https://app.example.org/callback/../evil"],
      ["encoded path traversal", "https://app.example.org/callback/%2e%2e/evil"],
      ["a query", `${REDIRECT_URI}?next=https://evil.example`],
      ["letters in another case", "https://APP.example.org/callback"],
      ["a backslash", "https://app.example.org\\@evil.example/callback"],
      ["a line break", `${REDIRECT_URI}\r\nSet-Cookie: a=b`],
      ["nothing", ""],
    ] as const)
      it(`with ${attack} is refused on the page, without a redirect`, async () => {
        const response = await gateway.http.get(authPath("app", makePkce(), { redirect_uri: uri }));
        assert.equal(response.status, 400);
        assert.equal(response.headers["location"], undefined);
        assert.match(textOf(response), /'redirect_uri' is/);
      });

    it("on the loopback interface must have the registered port", async () => {
      const path = (uri: string) => authPath("local", makePkce(), { redirect_uri: uri });
      await gateway.http.get(path("http://127.0.0.1:8080/cb")).expect(200);
      await gateway.http.get(path("http://127.0.0.1:8081/cb")).expect(400);
      await gateway.http.get(path("http://localhost:8080/cb")).expect(400);
    });

    it("with a query of its own keeps it", async () => {
      const url = await new Person(gateway.baseUrl).authorize(
        authPath("local", makePkce(), { redirect_uri: "https://x.example/a?b=c" }),
        "guest",
      );
      assert.match(url.href, /^https:\/\/x\.example\/a\?b=c&code=/);
    });
  });

  it("an unknown client is reported on the page, and no text of it is run", async () => {
    const response = await gateway.http.get(authPath("<script>alert(1)</script>", makePkce())).expect(400);
    assert.doesNotMatch(response.text, /<script/);
  });

  /** The error that the client gets by redirect. */
  async function redirected(more: Record<string, string | undefined>): Promise<URLSearchParams> {
    const response = await gateway.http.get(authPath("app", makePkce(), more)).expect(302);
    const url = new URL(response.headers["location"] ?? "");
    assert.equal(url.origin + url.pathname, REDIRECT_URI);
    assert.equal(url.searchParams.get("iss"), gateway.baseUrl);
    assert.doesNotMatch(url.searchParams.get("error_description") ?? "", /: /);
    return url.searchParams;
  }

  it("errors after the redirect URI is trusted go to the client, with state and iss", async () => {
    for (const [more, error] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_type: undefined }, "invalid_request"],
      [{ response_mode: "fragment" }, "invalid_request"],
      [{ scope: 'a "b"' }, "invalid_scope"],
      [{ scope: "a  b" }, "invalid_scope"],
    ] as const) {
      const answer = await redirected(more);
      assert.deepEqual([answer.get("error"), answer.get("state")], [error, "af0ifjsldkj"], JSON.stringify(more));
    }
  });

  it("asks nobody with prompt=none, and tells the client if a question would be necessary", async () => {
    const silently = (client: string) => authPath(client, makePkce(), { prompt: "none" });
    assert.equal((await redirected({ prompt: "none" })).get("error"), "login_required");
    const person = new Person(gateway.baseUrl);
    await person.authorize(authPath("app", makePkce()), "guest");
    const answer = async (client: string) =>
      new URL((await person.agent.get(silently(client))).headers["location"] ?? "").searchParams;
    assert.match((await answer("app")).get("code") ?? "", /./);
    assert.equal((await answer("careful")).get("error"), "consent_required");
  });

  describe("PKCE", () => {
    for (const [attack, more] of [
      ["without a challenge (downgrade)", { code_challenge: undefined, code_challenge_method: undefined }],
      ["with the method alone", { code_challenge: undefined }],
      ["plain", { code_challenge_method: "plain" }],
      ["without a method, which means plain", { code_challenge_method: undefined }],
      ["of another length", { code_challenge: "short" }],
      ["with other letters", { code_challenge: "+".repeat(43) }],
    ] as const)
      it(`${attack} is refused`, async () => {
        assert.equal((await redirected(more)).get("error"), "invalid_request");
      });

    it("a missing, wrong, short or plain verifier gets nothing, and the right one still does", async () => {
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "app", pkce);
      assertOAuthError(await exchange({ ...right, code }), 400, "invalid_grant");
      for (const verifier of [makePkce().verifier, "x", pkce.challenge, pkce.verifier.slice(0, 42), "é".repeat(43)])
        assertOAuthError(await exchange({ ...right, code, code_verifier: verifier }), 400, "invalid_grant");
      await exchange({ ...right, code, code_verifier: pkce.verifier }).expect(200);
    });

    it("is asked of a confidential client too", async () => {
      const secret = await addClient(gateway.database, "confidential", { public: false });
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "confidential", pkce);
      const body = { redirect_uri: REDIRECT_URI, client_id: "confidential", client_secret: secret, code };
      assertOAuthError(await exchange(body), 400, "invalid_grant");
      assertOAuthError(await exchange({ ...body, code_verifier: makePkce().verifier }), 400, "invalid_grant");
      await exchange({ ...body, code_verifier: pkce.verifier }).expect(200);
    });
  });

  describe("a code", () => {
    async function graphqlStatus(token: string): Promise<number> {
      const { status } = await gateway.http
        .post("/api/graphql/schema/world")
        .set("Authorization", `Bearer ${token}`)
        .send({ query: "{ countCities }" });
      return status;
    }

    it("used twice is refused, and its tokens are revoked at once", async () => {
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "app", pkce);
      const body = { ...right, code, code_verifier: pkce.verifier };
      const first = await exchange(body).expect(200);
      assert.equal(await graphqlStatus(first.body.access_token), 200);
      assertOAuthError(await exchange(body), 400, "invalid_grant");
      assert.equal(await graphqlStatus(first.body.access_token), 401, "at once");
      assertOAuthError(
        await gateway.http
          .post("/api/v4/oauth")
          .send({ grant_type: "refresh_token", refresh_token: first.body.refresh_token, client_id: "app" }),
        400,
        "invalid_grant",
      );
    });

    it("gives tokens once when 20 requests race, and then none of them is valid", async () => {
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "app", pkce);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => exchange({ ...right, code, code_verifier: pkce.verifier })),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const answer of answers) if (answer.status !== 200) assertOAuthError(answer, 400, "invalid_grant");
    });

    it("of another client is refused, and stays valid for its own", async () => {
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "app", pkce);
      assertOAuthError(
        await exchange({ ...right, client_id: "other", code, code_verifier: pkce.verifier }),
        400,
        "invalid_grant",
      );
      await exchange({ ...right, code, code_verifier: pkce.verifier }).expect(200);
    });

    it("with another redirect URI, expired, or made up is refused", async () => {
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "app", pkce);
      const body = { ...right, code, code_verifier: pkce.verifier };
      assertOAuthError(await exchange({ ...body, redirect_uri: `${REDIRECT_URI}/` }), 400, "invalid_grant");
      assertOAuthError(await exchange({ ...body, redirect_uri: undefined }), 400, "invalid_request");
      for (const made of [randomBytes(32).toString("base64url"), `${code}x`, code.slice(0, -1)])
        if (made.includes(".")) assertOAuthError(await exchange({ ...body, code: made }), 400, "invalid_grant");
        else assertOAuthError(await exchange({ ...body, code: made }), 400, "invalid_grant");
      await gateway.database.client.query("update portolan.authorization_codes set expires_at = now()");
      assertOAuthError(await exchange(body), 400, "invalid_grant");
    });

    it("ends when the account's password is changed", async () => {
      await gateway.database.client.query("select portolan.create_user('forgetful', 'forgetful')");
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "app", pkce, { account: "forgetful" });
      await gateway.database.client.query("select portolan.set_password('forgetful', 'another')");
      assertOAuthError(await exchange({ ...right, code, code_verifier: pkce.verifier }), 400, "invalid_grant");
    });
  });

  it("state is returned unchanged, whatever it is, and cannot write headers", async () => {
    for (const state of STATES) {
      const response = await gateway.http.get(authPath("app", makePkce(), { state, response_type: "x" })).expect(302);
      const url = new URL(response.headers["location"] ?? "");
      assert.deepEqual([url.origin + url.pathname, url.searchParams.get("state")], [REDIRECT_URI, state]);
      assert.equal(response.headers["set-cookie"], undefined);
    }
  });

  it("so it does with a code, and after a denial", async () => {
    const person = new Person(gateway.baseUrl);
    await person.authorize(authPath("app", makePkce()), "guest");
    for (const state of STATES) {
      const { headers } = await person.agent.get(authPath("app", makePkce(), { state })).expect(302);
      const url = new URL(headers["location"] ?? "");
      assert.deepEqual([...url.searchParams.keys()], ["code", "state", "iss"]);
      assert.deepEqual([url.origin + url.pathname, url.searchParams.get("state")], [REDIRECT_URI, state]);
      assert.equal(headers["set-cookie"], undefined);
      const denied = await person.authorize(
        authPath("careful", makePkce(), { state, scope: "denied" }),
        "guest",
        "guest",
        "deny",
      );
      assert.deepEqual([denied.searchParams.get("error"), denied.searchParams.get("state")], ["access_denied", state]);
    }
  });

  it("a repeated parameter is refused, in the form too", async () => {
    const path = authPath("app", makePkce());
    await gateway.http.get(`${path}&scope=a&scope=b`).expect(400);
    await gateway.http.get(`${path}&redirect_uri=https://evil.example`).expect(400);
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(path);
    const response = await person.submit(path, page, {
      username: "guest",
      password: "guest",
      action: "sign-in",
      redirect_uri: "https://evil.example",
    });
    assert.equal(response.status, 400);
    assert.equal(response.headers["location"], undefined);
  });

  it("and on the other pages, in the query and in the form", async () => {
    for (const path of [
      "/device?user_code=a&user_code=b",
      "/password?token=a&token=b",
      `/signout?redirect_uri=${REDIRECT_URI}&redirect_uri=https://evil.example`,
      "/signout?state=a&state=b",
    ]) {
      const answer = await gateway.http.get(path);
      assert.deepEqual([answer.status, answer.headers["location"]], [400, undefined], path);
      assert.match(textOf(answer), /is given twice/);
    }
    const person = new Person(gateway.baseUrl);
    for (const [path, fields] of [
      [authPath("app", makePkce()), "username=guest&username=captain&password=guest&action=sign-in"],
      ["/device", "user_code=a&user_code=b&action=code"],
      ["/device", "action=allow&action=deny"],
      ["/password?token=x", "password=a&password=b"],
    ] as const) {
      const page = await person.agent.get(path);
      const token = new URLSearchParams(hiddenFields(page.text));
      const answer = await person.agent.post(path).type("form").send(`${token}&${fields}`);
      assert.equal(answer.status, 400, path);
      assert.match(textOf(answer), /is given twice/);
    }
  });

  it("a form of 1 MB is refused", async () => {
    for (const path of [authPath("app", makePkce()), "/device", "/password?token=x"]) {
      const answer = await gateway.http
        .post(path)
        .type("form")
        .send(`username=${"x".repeat(1_000_000)}`);
      assert.deepEqual([answer.status, answer.headers["location"]], [413, undefined], path);
    }
  });

  it("consent is asked once for a client and its scopes; denial goes to the client", async () => {
    const person = new Person(gateway.baseUrl);
    const path = authPath("careful", makePkce(), { scope: "a" });
    const denied = await person.authorize(path, "guest", "guest", "deny");
    assert.equal(denied.searchParams.get("error"), "access_denied");
    assert.ok((await person.authorize(path, "guest")).searchParams.get("code"));
    await person.agent.get(path).expect(302);
    await person.agent.get(authPath("careful", makePkce())).expect(302);
    assert.match((await person.agent.get(authPath("careful", makePkce(), { scope: "a b" })).expect(200)).text, /Allow/);
    // another account has not been asked
    await new Person(gateway.baseUrl).authorize(path, "captain", "captain", "deny").then((url) => {
      assert.equal(url.searchParams.get("error"), "access_denied");
    });
  });

  it("other methods than GET and POST are refused", async () => {
    for (const method of ["head", "put", "delete"] as const)
      for (const path of [
        authPath("app", makePkce()),
        "/device",
        "/password",
        "/forgotten",
        "/verify",
        "/signin",
        "/signout",
      ]) {
        const answer = await gateway.http[method](path);
        assert.deepEqual([answer.status, answer.headers["allow"]], [405, "GET, POST, OPTIONS"], `${method} ${path}`);
      }
  });

  describe("/signout", () => {
    it("ends the session and goes back to a registered address only", async () => {
      const person = new Person(gateway.baseUrl);
      const path = authPath("app", makePkce());
      await person.authorize(path, "guest");
      await person.agent.get(path).expect(302);
      const { headers } = await person.agent.get(`/signout?${new URLSearchParams({ redirect_uri: REDIRECT_URI })}`);
      assert.equal(headers["location"], REDIRECT_URI);
      await person.agent.get(path).expect(200);
    });

    it("is for navigations: an image or a script of another page changes nothing", async () => {
      const person = new Person(gateway.baseUrl);
      const path = authPath("app", makePkce());
      await person.authorize(path, "guest");
      for (const mode of ["no-cors", "cors", "same-origin", "websocket"])
        await person.agent.get("/signout").set("Sec-Fetch-Mode", mode).expect(403);
      await person.agent.get(path).expect(302);
      await person.agent.get("/signout").set("Sec-Fetch-Mode", "navigate").expect(200);
      await person.agent.get(path).expect(200);
    });

    const signOut = (query: Record<string, string>) => gateway.http.get(`/signout?${new URLSearchParams(query)}`);

    it("goes back to a client's homepage, also with a fragment or letters beyond ASCII, with the state", async () => {
      for (const [homepage, location] of [
        ["https://map.example.org/#/start", "https://map.example.org/?state=s+1#/start"],
        ["https://map.example.org/?a=b#f", "https://map.example.org/?a=b&state=s+1#f"],
        ["https://例え.jp/地図", "https://xn--r8jz45g.jp/%E5%9C%B0%E5%9B%B3?state=s+1"],
        ["https://map.example.org", "https://map.example.org/?state=s+1"],
      ] as const) {
        await gateway.database.client.query("update portolan.clients set homepage = $1 where id = 'app'", [homepage]);
        const answer = await signOut({ redirect_uri: homepage, state: "s 1" });
        assert.deepEqual([answer.status, answer.headers["location"]], [302, location]);
        assert.equal((await signOut({ redirect_uri: homepage, client_id: "other" })).status, 400, "of another client");
      }
    });

    it("keeps any state, which cannot write headers or lead elsewhere", async () => {
      for (const state of STATES) {
        const { status, headers } = await signOut({ redirect_uri: REDIRECT_URI, client_id: "app", state });
        const url = new URL(headers["location"] ?? "");
        assert.deepEqual(
          [status, url.origin + url.pathname, url.searchParams.get("state")],
          [302, REDIRECT_URI, state],
        );
        assert.equal(headers["set-cookie"], undefined);
      }
    });

    it("is no open redirect", async () => {
      for (const uri of [
        "https://evil.example",
        "//evil.example",
        `${REDIRECT_URI}.evil.example`,
        "/\\evil.example",
        "javascript:alert(1)",
        `${REDIRECT_URI}#x`,
        `${REDIRECT_URI}\r\nSet-Cookie: a=b`,
      ]) {
        const response = await gateway.http.get(`/signout?${new URLSearchParams({ redirect_uri: uri })}`);
        assert.deepEqual([response.status, response.headers["location"]], [400, undefined]);
      }
    });
  });
});
