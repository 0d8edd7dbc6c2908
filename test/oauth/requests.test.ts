import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { addClient, assertOAuthError } from "./support.ts";

describe("requests to the endpoints for machines", () => {
  let gateway: TestGateway;
  const PASSWORD = { grant_type: "password", username: "guest", password: "guest", client_id: "portolan-cli" };
  const ENDPOINTS = ["", "/device", "/revoke", "/introspect"];

  before(async () => {
    gateway = await testGateway();
    await gateway.database.client.query(
      "select portolan.create_client('by-code', 'By code', '{https://example.org/callback}', public => true)",
    );
  });
  after(() => gateway.close());

  const post = (path = "") => gateway.http.post(`/api/v4/oauth${path}`);

  it("bodies of 1 MB are refused with 413", async () => {
    for (const path of ENDPOINTS)
      for (const type of ["json", "form"])
        assertOAuthError(
          await post(path)
            .type(type)
            .send({ ...PASSWORD, scope: "x".repeat(1_000_000) }),
          413,
          "invalid_request",
        );
    const page = await gateway.http
      .post("/device")
      .type("form")
      .send({ user_code: "x".repeat(1_000_000) });
    assert.equal(page.status, 413);
  });

  it("other content types, none, and broken JSON are refused", async () => {
    for (const path of ENDPOINTS) {
      for (const type of ["text/plain", "application/xml", "multipart/form-data; boundary=x"])
        assertOAuthError(
          await post(path).set("Content-Type", type).send(JSON.stringify(PASSWORD)),
          400,
          "invalid_request",
        );
      assertOAuthError(await post(path), 400, "invalid_request");
      for (const body of [
        "{",
        "[]",
        "null",
        '"text"',
        "1",
        '{"grant_type":{}}',
        '{"grant_type":["password"]}',
        '{"client_id":1}',
      ])
        assertOAuthError(await post(path).type("json").send(body), 400, "invalid_request");
    }
  });

  it("authorization details are refused (RFC 9396)", async () => {
    const authorization_details = '[{"type":"payment"}]';
    for (const type of ["json", "form"]) {
      const token = await post()
        .type(type)
        .send({ ...PASSWORD, authorization_details });
      assertOAuthError(token, 400, "invalid_authorization_details");
      const device = await post("/device").type(type).send({ client_id: PASSWORD.client_id, authorization_details });
      assertOAuthError(device, 400, "invalid_authorization_details");
    }
  });

  it("a parameter that is given twice is refused, in a form and in JSON", async () => {
    for (const path of ENDPOINTS) {
      assertOAuthError(await post(path).type("form").send("client_id=a&client_id=b"), 400, "invalid_request");
      assertOAuthError(await post(path).type("json").send('{"client_id":"a","client_id":"b"}'), 400, "invalid_request");
    }
    const several = `resource=${encodeURIComponent(gateway.baseUrl)}&resource=https%3A%2F%2Fother.example.org`;
    const form = new URLSearchParams(PASSWORD).toString();
    assertOAuthError(await post().type("form").send(`${form}&${several}`), 400, "invalid_target");
    const fine = { ...PASSWORD, scope: 'a:b{"c":\\"d"' };
    assertOAuthError(await post().send(fine), 400, "invalid_scope");
    await post()
      .send({ ...PASSWORD, scope: "urn:a:b" })
      .expect(200);
  });

  it("parameters in the query are refused, with a body or without", async () => {
    for (const path of ENDPOINTS)
      assertOAuthError(await post(path).query({ client_id: "portolan-cli" }).send(PASSWORD), 400, "invalid_request");
    assertOAuthError(await post().query(PASSWORD), 400, "invalid_request");
  });

  it("other methods are 405", async () => {
    for (const path of ENDPOINTS) {
      const answer = await gateway.http.get(`/api/v4/oauth${path}`);
      assert.equal(answer.headers["allow"], "POST, OPTIONS");
      assertOAuthError(answer, 405, "invalid_request");
    }
  });

  it("unknown parameters are ignored (RFC 6749 §3.2), empty ones are left out", async () => {
    await post()
      .send({ ...PASSWORD, client_secret: null, nonsense: "x", scope: "" })
      .expect(200);
    await post()
      .type("form")
      .send({ ...PASSWORD, client_secret: "", audience: "x" })
      .expect(200);
  });

  it("errors name what is missing or wrong", async () => {
    for (const [body, status, error] of [
      [{}, 400, "invalid_request"],
      [{ grant_type: "client_credentials", client_id: "portolan-cli" }, 400, "unauthorized_client"],
      [{ grant_type: "__proto__", client_id: "portolan-cli" }, 400, "unsupported_grant_type"],
      [{ grant_type: "password" }, 401, "invalid_client"],
      [{ ...PASSWORD, client_id: "nobody" }, 401, "invalid_client"],
      [{ ...PASSWORD, client_id: "by-code" }, 400, "unauthorized_client"],
      [{ ...PASSWORD, password: undefined }, 400, "invalid_request"],
      [{ ...PASSWORD, password: "wrong" }, 400, "invalid_grant"],
      [{ ...PASSWORD, database: "another" }, 400, "invalid_request"],
      [{ grant_type: "device_code", client_id: "gc2-cli", device_code: "x" }, 400, "invalid_grant"],
      [{ grant_type: "device_code", client_id: "gc2-cli", device_code: "eA.x" }, 400, "invalid_grant"],
      [{ ...PASSWORD, password: "a\0b" }, 400, "invalid_request"],
      [{ grant_type: "device_code", client_id: "gc2-cli" }, 400, "invalid_request"],
    ] as const)
      for (const type of ["json", "form"]) assertOAuthError(await post().type(type).send(body), status, error);
  });

  describe("behind a trusted proxy", () => {
    let proxied: TestGateway;
    before(async () => (proxied = await testGateway({ config: { trustedProxies: ["127.0.0.1"], rateLimit: 20 } })));
    after(() => proxied.close());
    const two = { "X-Forwarded-For": "192.0.2.1", Forwarded: "for=198.51.100.1" };

    it("a forged header that contradicts the other is refused, in the words of each interface", async () => {
      for (const path of ENDPOINTS)
        assertOAuthError(
          await proxied.http.post(`/api/v4/oauth${path}`).set(two).send(PASSWORD),
          400,
          "invalid_request",
        );
      for (const path of ["/auth", "/device", "/password", "/signin", "/signout"]) {
        const page = await proxied.http.get(path).set(two);
        assert.equal(page.status, 400);
        assert.match(page.text, /<p lang="en">Forwarded and X-Forwarded-For name two addresses\.<\/p>/);
        assert.match(page.headers["content-security-policy"] ?? "", /default-src 'none'/);
      }
      const { status, headers, body } = await proxied.http.get("/api/v4/users").set(two);
      assert.deepEqual([status, body.code], [400, "BAD_USER_INPUT"]);
      assert.match(headers["content-type"] ?? "", /^application\/problem\+json/);
      const same = { "X-Forwarded-For": "192.0.2.1", Forwarded: "for=192.0.2.1" };
      await proxied.http.post("/api/v4/oauth").set(same).send(PASSWORD).expect(200);
    });

    it("too many requests are 429 in the words of the endpoint", async () => {
      const ask = () => proxied.http.post("/api/v4/oauth/revoke").set("X-Forwarded-For", "192.0.2.9").send({});
      for (let count = 0; count < 20; count++) assert.notEqual((await ask()).status, 429);
      const refused = await ask();
      assertOAuthError(refused, 429, "invalid_grant");
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    });
  });

  describe("the authentication of a client", () => {
    let secret: string;
    before(async () => (secret = (await addClient(gateway.database, "server", { public: false })) ?? ""));
    const body = { grant_type: "password", username: "guest", password: "guest" };

    it("a secret that is wrong, missing or of another client is 401 with WWW-Authenticate", async () => {
      assertOAuthError(await post().send({ ...body, client_id: "server" }), 401, "invalid_client");
      assertOAuthError(await post().send({ ...body, client_id: "server", client_secret: "x" }), 401, "invalid_client");
      assertOAuthError(await post().send(body).auth("server", "x"), 401, "invalid_client");
      assertOAuthError(await post().send(body).set("Authorization", "Bearer x"), 401, "invalid_client");
      const hash = await gateway.database.client.query("select secret_hash from portolan.clients where id = 'server'");
      assertOAuthError(
        await post().send({ ...body, client_id: "server", client_secret: hash.rows[0].secret_hash }),
        401,
        "invalid_client",
      );
    });

    it("an impossible id is 401 too, with a NUL in it and however long", async () => {
      for (const id of ["server\0", "ser\0ver", "server%00", "sérver", "x".repeat(5000), "\\", ""])
        assertOAuthError(await post().send(body).auth(id, "x"), 401, "invalid_client");
      assertOAuthError(await post().send(body).set("Authorization", "Basic AA=="), 401, "invalid_client");
      assertOAuthError(await post().send(body).set("Authorization", "Basic !"), 401, "invalid_client");
      assertOAuthError(await post().send(body).auth("server", "\0"), 401, "invalid_client");
    });

    it("two ways at once, or two ids, are refused", async () => {
      assertOAuthError(
        await post()
          .send({ ...body, client_secret: secret })
          .auth("server", secret),
        400,
        "invalid_request",
      );
      assertOAuthError(
        await post()
          .send({ ...body, client_id: "other" })
          .auth("server", secret),
        400,
        "invalid_request",
      );
    });

    it("a new secret ends the old one; a client without one cannot authenticate", async () => {
      const { rows } = await gateway.database.client.query("select portolan.set_client_secret('server') as secret");
      assertOAuthError(await post().send(body).auth("server", secret), 401, "invalid_client");
      await post().send(body).auth("server", rows[0].secret).expect(200);
      await gateway.database.client.query("insert into portolan.clients (id, grants) values ('bare', '{password}')");
      for (const client_secret of [undefined, "x", "null"])
        assertOAuthError(await post().send({ ...body, client_id: "bare", client_secret }), 401, "invalid_client");
    });
  });
});
