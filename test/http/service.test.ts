import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { testGateway, tokenFor, type TestGateway } from "../support/gateway.ts";
import { ready } from "../support/ready.ts";
import { until } from "../support/until.ts";

describe("the service", () => {
  let gateway: TestGateway;
  before(async () => (gateway = await testGateway({ config: { trustedProxies: ["127.0.0.1"] } })));
  after(() => gateway.close());

  const query = (token: string, text = "{ countCities }", schema = "world") =>
    gateway.http.post(`/api/graphql/schema/${schema}`).set("Authorization", `Bearer ${token}`).send({ query: text });

  it("answers /ping, /livez and /readyz", async () => {
    await gateway.http
      .get("/ping")
      .expect(200, "pong")
      .expect("Content-Type", /text\/plain/);
    await gateway.http.get("/livez").expect(200);
    const { checks } = await ready(gateway.baseUrl);
    assert.deepEqual(checks, { database: "ok", migrations: "ok", events: "ok", graphql: "ok", mapserver: "ok" });
  });

  it("/metrics is Prometheus text that counts requests by door", async () => {
    await query(await gateway.token("guest")).expect(200);
    await gateway.http
      .get("/api/v4/schemas")
      .set("Authorization", `Bearer ${await gateway.token("guest")}`)
      .expect(200);
    await gateway.http.get("/nowhere").expect(404);
    const { text } = await gateway.http.get("/metrics").expect(200);
    for (const labels of [
      'door="graphql",method="POST",status="200"',
      'door="management",method="GET",status="200"',
      'door="other",method="GET",status="404"',
    ])
      assert.ok(text.includes(`portolan_http_request_duration_seconds_count{${labels}}`), labels);
    assert.match(text, /portolan_pool_connections\{database="test\d+",state="idle"\} \d+/);
  });

  it("an unknown route is a problem, whatever it asks for", async () => {
    for (const path of ["/nope", "/api/v4/nope", "/api/graphql/schema", "/%3Cscript%3E", "/assets/..%2fportolan.css"]) {
      const { body, headers } = await gateway.http.get(path).expect(404);
      assert.equal(headers["content-type"], "application/problem+json; charset=utf-8", path);
      assert.deepEqual(Object.keys(body), ["type", "title", "status", "detail", "code", "message"]);
      assert.deepEqual([body.status, body.code, body.message], [404, "NOT_FOUND", body.detail]);
    }
    await gateway.http
      .get("/graphiql/%")
      .expect(400)
      .expect("Content-Type", /problem\+json/);
  });

  it("allows calls from every origin, without credentials, and shows the headers that clients need", async () => {
    const preflight = await gateway.http
      .options("/api/graphql/schema/world")
      .set({
        Origin: "https://app.example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
      })
      .expect(204);
    assert.equal(preflight.headers["access-control-allow-origin"], "*");
    assert.match(preflight.headers["access-control-allow-methods"] ?? "", /POST/);
    assert.equal(preflight.headers["access-control-allow-headers"], "authorization,content-type");
    assert.equal(preflight.headers["access-control-allow-credentials"], undefined);
    const { headers } = await gateway.http.get("/ping").set("Origin", "https://app.example.org");
    for (const name of ["Location", "Link", "ETag", "Content-Crs", "X-Request-Id", "Retry-After", "WWW-Authenticate"])
      assert.ok(headers["access-control-expose-headers"]?.includes(name), name);
  });

  it("sends the security headers", async () => {
    const { headers } = await gateway.http.get("/nope");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.match(headers["content-security-policy"] ?? "", /default-src 'none'/);
    assert.equal(headers["x-powered-by"], undefined);
  });

  it("treats usual and unusual requests alike", async () => {
    const token = await gateway.token("guest");
    const ask = (path: string, accept: string, body: object) =>
      gateway.http
        .post(path)
        .set({ Authorization: `Bearer ${token}`, Accept: accept, Origin: "https://app.example.org" })
        .send(body)
        .expect(200);
    const query = { query: "{ countCities }" };
    const call = { jsonrpc: "2.0", method: "none", id: 1 };
    const [json, ranked] = ["application/json", "application/json, text/html;q=0.1"];
    const answers = [
      [await ask("/api/graphql/schema/world", json, query), await ask("/api/graphql/schema/world", ranked, query)],
      [await ask("/api/v4/call", json, call), await ask("/api/v4/call?", json, call)],
    ] as const;
    const same = ({ headers }: { headers: Record<string, string> }) =>
      Object.entries(headers)
        .filter(([name]) => !["x-request-id", "date"].includes(name))
        .toSorted();
    for (const [usual, other] of answers) {
      assert.deepEqual(same(usual), same(other));
      assert.deepEqual(usual.body, other.body);
      assert.equal(usual.headers["access-control-allow-origin"], "*");
      assert.match(usual.headers["x-request-id"] ?? "", /^[0-9a-f-]{36}$/);
    }
  });

  it("refuses two Host headers, on every way in", async () => {
    const { port } = new URL(gateway.baseUrl);
    for (const [path, more] of [
      ["/ping", ""],
      ["/api/v4/ogc/database/x", ""],
      ["/", "Upgrade: websocket\r\nConnection: Upgrade\r\n"],
    ] as const) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nhost: b\r\n${more}\r\n`);
      const [first] = (await once(socket, "data")) as [Buffer];
      assert.match(first.toString(), /^HTTP\/1\.1 400 /, path);
      socket.destroy();
    }
  });

  it("gives every request an id, and accepts a sane one", async () => {
    assert.match((await gateway.http.get("/ping")).headers["x-request-id"] ?? "", /^[0-9a-f-]{36}$/);
    assert.equal((await gateway.http.get("/ping").set("X-Request-Id", "abc-1")).headers["x-request-id"], "abc-1");
    assert.match(
      (await gateway.http.get("/ping").set("X-Request-Id", 'x" onload="')).headers["x-request-id"] ?? "",
      /^[0-9a-f-]{36}$/,
    );
  });

  describe("a token", () => {
    it("is needed: 401 with WWW-Authenticate", async () => {
      const { headers, body } = await gateway.http
        .post("/api/graphql/schema/world")
        .send({ query: "{ countCities }" })
        .expect(401);
      // RFC 9728 §5.1: the challenge leads to the issuer of tokens
      const [, url] = /^Bearer resource_metadata="([^"]+)"$/.exec(headers["www-authenticate"] ?? "") ?? [];
      const metadata = (await (await fetch(url ?? "")).json()) as { resource: string; authorization_servers: string[] };
      assert.deepEqual(metadata.authorization_servers, [metadata.resource]);
      assert.equal(body.errors[0].extensions.code, "UNAUTHENTICATED");
    });

    it("that is expired, forged, of another issuer or another database is 401", async () => {
      const good = await gateway.token("guest");
      const [header, payload, signature] = good.split(".") as [string, string, string];
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const other = await testGateway();
      const bad: Record<string, string> = {
        expired: await gateway.token("guest", -10).catch(() => ""),
        "another account's name": [header, encode({ ...claims, sub: "captain" }), signature].join("."),
        "another role": [header, encode({ ...claims, superUser: true }), signature].join("."),
        "alg none": [encode({ alg: "none", typ: "at+jwt" }), payload, ""].join("."),
        HS256: [encode({ alg: "HS256", typ: "at+jwt" }), payload, signature].join("."),
        "unknown key": [encode({ alg: "ES256", typ: "at+jwt", kid: "x" }), payload, signature].join("."),
        "another database": await other.token("guest"),
        "another issuer": await tokenFor(gateway.database, "https://elsewhere.example", "guest"),
        garbage: "a.b.c",
        "an account's name": "guest",
      };
      await other.close();
      await query(good).expect(200);
      for (const [what, token] of Object.entries(bad)) {
        const { body } = await query(token).expect(401);
        assert.equal(body.errors[0].extensions.code, "UNAUTHENTICATED", what);
      }
    });

    it("says when it has expired", async () => {
      const { SignJWT, importJWK } = await import("jose");
      const { rows } = await gateway.database.client.query("select portolan.secrets() -> 'signing_key' as key");
      const { kid, jwk } = rows[0].key;
      const good = JSON.parse(Buffer.from((await gateway.token("guest")).split(".")[1] ?? "", "base64url").toString());
      const expired = await new SignJWT({ ...good, exp: Math.floor(Date.now() / 1000) - 60 })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
        .sign(await importJWK(jwk, "ES256"));
      const { headers } = await query(expired).expect(401);
      assert.equal(
        headers["www-authenticate"],
        'Bearer error="invalid_token", error_description="The access token has expired", ' +
          `resource_metadata="${gateway.baseUrl}/.well-known/oauth-protected-resource"`,
      );
    });

    it("of a removed account, or of an older password, ends within 5 s", async () => {
      const { client } = gateway.database;
      await client.query(
        "select portolan.create_user('leaver', 'x', user_group => 'guest'), portolan.create_user('changer', 'x', user_group => 'guest')",
      );
      const [leaver, changer] = [await gateway.token("leaver"), await gateway.token("changer")];
      await query(leaver).expect(200);
      await query(changer).expect(200);
      await client.query("select portolan.drop_user('leaver'), portolan.set_password('changer', 'y')");
      await until(
        async () =>
          (await Promise.all([leaver, changer].map((token) => query(token)))).every(({ status }) => status === 401),
        5000,
      );
      await query(await gateway.token("changer")).expect(200);
    });

    it("of an account that was made again under the same name is not the old one's", async () => {
      const { client } = gateway.database;
      await client.query("select portolan.create_user('phoenix', 'x', user_group => 'guest')");
      const old = await gateway.token("phoenix");
      await client.query("select portolan.drop_user('phoenix')");
      await client.query("select portolan.create_user('phoenix', 'x', user_group => 'guest')");
      await query(old).expect(401);
    });
  });

  it("a client that goes away has its statement cancelled", async () => {
    const { client } = gateway.database;
    await client.query(`
create or replace function world.doze() returns text language plpgsql stable as $$ begin perform pg_sleep(20); return ''; end $$`);
    const token = await gateway.token("captain");
    await until(async () => {
      const { body } = await query(token, '{ __type(name: "Query") { fields { name } } }');
      return JSON.stringify(body).includes('"doze"');
    });
    const { hostname, port } = new URL(gateway.baseUrl);
    const body = JSON.stringify({ query: "{ doze }" });
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/graphql/schema/world HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const active = async () =>
      Number(
        (
          await client.query(
            "select count(*) from pg_stat_activity where state = 'active' and query like '%doze%' and pid <> pg_backend_pid()",
          )
        ).rows[0].count,
      );
    await until(async () => (await active()) === 1);
    socket.destroy();
    await until(async () => (await active()) === 0);
  });
});

describe("the rate limit", () => {
  it("is off by default, and gives 429 with Retry-After when set", async () => {
    const gateway = await testGateway({ config: { rateLimit: 5 } });
    try {
      for (let n = 0; n < 5; n++) await gateway.http.get("/").expect(200);
      const { headers, body } = await gateway.http.get("/").expect(429);
      assert.ok(Number(headers["retry-after"]) > 0);
      assert.equal(body.code, "RATE_LIMITED");
      await gateway.http.get("/ping").expect(200);
    } finally {
      await gateway.close();
    }
  });

  it("counts the addresses of an IPv6 network together, and the networks of a site with sixteen times as many", async () => {
    const gateway = await testGateway({ config: { rateLimit: 2, trustedProxies: ["127.0.0.1"] } });
    try {
      const from = async (address: string) => (await gateway.http.get("/").set("X-Forwarded-For", address)).status;
      for (const [end, status] of [
        [1, 200],
        [2, 200],
        [3, 429],
      ] as const)
        // oxfmt-ignore
        assert.equal(await from(`2001:db8:1::${end}`), status);
      for (let n = 1; n < 31; n++) assert.equal(await from(`2001:db8:1:${n}::1`), 200);
      assert.deepEqual([await from("2001:db8:1:99::1"), await from("2001:db8:2::1")], [429, 200]);
    } finally {
      await gateway.close();
    }
  });

  it("counts an account at all addresses", async () => {
    const gateway = await testGateway({ config: { rateLimit: 3, trustedProxies: ["127.0.0.1"] } });
    try {
      const token = await gateway.token("guest");
      const statuses: number[] = [];
      for (let n = 0; n < 4; n++)
        statuses.push(
          (
            await gateway.http
              .get("/api/graphql/schema/world?query={__typename}")
              .set({ Authorization: `Bearer ${token}`, "X-Forwarded-For": `192.0.2.${n}` })
          ).status,
        );
      assert.deepEqual(statuses, [200, 200, 200, 429]);
    } finally {
      await gateway.close();
    }
  });
});

describe("several databases", () => {
  it("are served by one gateway, each for its own tokens", async () => {
    const { testDatabase } = await import("../support/databases.ts");
    const { makeConfig } = await import("../../server/kernel/config.ts");
    const { startGateway } = await import("../../server/main.ts");
    const { createLog } = await import("../../server/ground/log.ts");
    const [a, b] = await Promise.all([testDatabase({ kind: "portolan" }), testDatabase({ kind: "portolan" })]);
    for (const { client, name } of [a, b])
      await client.query(`
create schema s; create table s.who (name text primary key); insert into s.who values ('${name}');
select portolan.create_user('ann', null); select portolan.set_privilege('s.who', 'ann', 'read');`);
    const gateway = await startGateway(
      makeConfig({
        port: 0,
        databases: {
          [a.name]: { url: a.gatewayUrl, ownerUrl: a.url },
          [b.name]: { url: b.gatewayUrl, ownerUrl: b.url },
        },
      }),
      createLog("silent"),
    );
    try {
      for (const database of [a, b]) {
        const response = await fetch(`${gateway.baseUrl}/api/graphql/schema/s`, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            Authorization: `Bearer ${await tokenFor(database, gateway.baseUrl, "ann")}`,
          },
          body: JSON.stringify({ query: "{ getWho { name } }" }),
        });
        assert.deepEqual(await response.json(), { data: { getWho: [{ name: database.name }] } });
      }
    } finally {
      await gateway.close();
      await Promise.all([a.drop(), b.drop()]);
    }
  });
});
