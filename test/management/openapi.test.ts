import assert from "node:assert/strict";
import { validate } from "@readme/openapi-parser";
import type { Response } from "supertest";
import { createApp } from "../../server/app.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { REDIRECT_URI, addClient, assertOAuthError, codeFor, makePkce } from "../oauth/support.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { assertFits, type OpenapiDocument } from "./openapiAnswers.ts";
import { problemOf } from "./requests.ts";

describe("/api/v4/openapi.json", () => {
  let gateway: TestGateway;
  let document: OpenapiDocument;
  before(async () => {
    gateway = await testGateway({ kind: "portolan", config: { mcp: true, registration: "open" } });
    document = (await gateway.http.get("/api/v4/openapi.json").expect(200)).body;
  });
  after(() => gateway.close());

  it("is valid OpenAPI 3.1, needs no token and is compact", async () => {
    assert.equal(document.openapi, "3.1.0");
    assert.deepEqual(document.servers, [{ url: gateway.baseUrl }]);
    assert.deepEqual(document.components.securitySchemes["openid"], {
      type: "openIdConnect",
      openIdConnectUrl: `${gateway.baseUrl}/.well-known/openid-configuration`,
    });
    const result = await validate(structuredClone(document) as never);
    assert.ok(result.valid, JSON.stringify(result));
    const { text, headers } = await gateway.http.get("/api/v4/openapi.json");
    assert.equal(text, JSON.stringify(JSON.parse(text)));
    assert.equal(headers["content-type"], "application/json; charset=utf-8");
    await gateway.http.head("/api/v4/openapi.json").expect(200);
    assert.equal((await gateway.http.post("/api/v4/openapi.json").expect(405)).headers["allow"], "GET, HEAD, OPTIONS");
  });

  /** Pages, and an address that only names others. */
  const NOT_DESCRIBED = [
    ...["/device", "/account", "/password", "/forgotten", "/signup", "/verify", "/signin", "/signin/{provider}"],
    "/mcp",
  ];

  it("has every route of its doors but the pages, and no other", async () => {
    const app = await createApp({
      config: makeConfig({ mcp: true, databases: { none: { url: "postgresql:///none", ownerUrl: "postgresql:///none" } } }),
      databases: [],
      baseUrl: gateway.baseUrl,
      log: createLog("silent"),
    }); // oxfmt-ignore
    await app.close();
    const { graphql, oauth, methods, management, mcp } = app.doors;
    const routes = [graphql, oauth, methods, management, mcp]
      .flatMap((door) => door.routes)
      .flatMap(({ path, handlers }) => Object.keys(handlers).map((method) => ({ path, method: method.toLowerCase() })));
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).flatMap((method) => (method === "parameters" ? [] : [`${method} ${path}`])),
    );
    const pages = routes.filter(({ path }) => NOT_DESCRIBED.includes(path));
    assert.deepEqual([...new Set(pages.map(({ path }) => path))].toSorted(), NOT_DESCRIBED.toSorted());
    assert.deepEqual(
      described.toSorted(),
      [
        ...routes.filter(({ path }) => !NOT_DESCRIBED.includes(path)).map(({ method, path }) => `${method} ${path}`),
        "get /dashboards/{database}/{name}/panels/{panel}", // of the door with the pages
      ].toSorted(),
    );
    for (const path of NOT_DESCRIBED.slice(0, -1)) {
      const { headers } = await gateway.http.get(path.replace("{provider}", "x"));
      assert.match(headers["content-type"] ?? "text/html", /^text\/html/, path); // a redirect has none
    }
  });

  describe("of OAuth 2.0 and OpenID Connect", () => {
    let secret: string;
    before(async () => {
      await gateway.database.client.query("select portolan.create_user('guest', 'guest')");
      await addClient(gateway.database, "app");
      secret = (await addClient(gateway.database, "shop", { public: false })) ?? "";
    });

    const fits = (path: string, method: string, response: Response): void =>
      assertFits(document, method, path, response);

    const post = (path: string, body: object) => gateway.http.post(path).type("form").send(body);

    it("answers fit their schemas: tokens, userinfo, introspection, PAR, devices, registration, metadata", async () => {
      const pkce = makePkce();
      const code = await codeFor(gateway.baseUrl, "app", pkce, { scope: "openid email groups" });
      const sent = { client_id: "app", redirect_uri: REDIRECT_URI, code_verifier: pkce.verifier, code };
      const tokens = await post("/api/v4/oauth", { grant_type: "authorization_code", ...sent }).expect(200);
      fits("/api/v4/oauth", "post", tokens);
      const token: string = tokens.body.access_token;
      fits("/api/v4/oauth/userinfo", "get", await gateway.http.get("/api/v4/oauth/userinfo").auth(token, { type: "bearer" })); // oxfmt-ignore
      fits("/api/v4/oauth/introspect", "post", await post("/api/v4/oauth/introspect", { client_id: "app", token }));
      fits("/api/v4/oauth/device", "post", await post("/api/v4/oauth/device", { client_id: "app" }));
      const pushed = { response_type: "code", redirect_uri: REDIRECT_URI, code_challenge: pkce.challenge, code_challenge_method: "S256" }; // oxfmt-ignore
      fits("/api/v4/oauth/par", "post", await post("/api/v4/oauth/par", pushed).auth("shop", secret).expect(201));
      const made = await gateway.http.post("/api/v4/oauth/register").send({ redirect_uris: [REDIRECT_URI] }).expect(201); // oxfmt-ignore
      fits("/api/v4/oauth/register", "post", made);
      for (const path of [
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource",
        "/.well-known/jwks.json",
      ]) {
        const { status, body } = await gateway.http.get(path);
        const { responses } = document.paths[path]!["get"]!;
        const { schema } = (responses[status] as { content: { "application/json": { schema: { required: string[] } } } }).content["application/json"]; // oxfmt-ignore
        for (const member of schema.required) assert.ok(member in body, `${path} ${member}`);
      }
    });

    it("errors have the form of RFC 6749, which the document has for them", async () => {
      const cases: [path: string, body: object, status: number, error: string][] = [
        ["/api/v4/oauth", { grant_type: "password", client_id: "nobody" }, 401, "invalid_client"],
        ["/api/v4/oauth", { grant_type: "refresh_token", client_id: "app" }, 400, "invalid_request"],
        ["/api/v4/oauth/par", { client_id: "app", request_uri: "x" }, 400, "invalid_request"],
        ["/api/v4/oauth/device", { client_id: "nobody" }, 401, "invalid_client"],
        ["/api/v4/oauth/introspect", { client_id: "app" }, 400, "invalid_request"],
        ["/api/v4/oauth/revoke", { client_id: "app" }, 400, "invalid_request"],
        ["/api/v4/oauth/guest", { client_id: "app" }, 400, "invalid_request"],
        ["/api/v4/oauth/register", {}, 400, "invalid_request"],
      ];
      for (const [path, body, status, error] of cases) {
        const response = await post(path, body);
        assertOAuthError(response, status, error);
        fits(path, "post", response);
      }
      const refused = await gateway.http.get("/api/v4/oauth/userinfo");
      fits("/api/v4/oauth/userinfo", "get", refused);
      assert.equal(refused.body.error, "invalid_token");
    });

    it("names its ways to sign in, with the addresses of the service", () => {
      const { oauth2, client } = document.components.securitySchemes as Record<string, Record<string, unknown>>;
      const { authorizationCode } = oauth2!["flows"] as Record<string, Record<string, unknown>>;
      assert.equal(authorizationCode!["authorizationUrl"], `${gateway.baseUrl}/auth`);
      assert.equal(authorizationCode!["tokenUrl"], `${gateway.baseUrl}/api/v4/oauth`);
      assert.deepEqual([client!["type"], client!["scheme"]], ["http", "basic"]);
      const { post: asked } = document.paths["/api/v4/oauth"]!;
      for (const grant of [
        "authorization_code",
        "refresh_token",
        "client_credentials",
        "device_code",
        "token_exchange",
        "jwt_bearer",
      ])
        assert.ok(JSON.stringify(asked).includes(`"${grant}"`), grant);
    });
  });

  it("describes every operation of REST with its problems", async () => {
    const ids = new Set<string>();
    const rest = Object.entries(document.paths).filter(([path]) => /^\/api\/v4\/(?!oauth)/.test(path));
    for (const [path, item] of rest)
      for (const method of ["get", "post", "put", "patch", "delete"] as const) {
        const url = path.replaceAll(/\{\w+\}/g, "x");
        const response = await gateway.http[method](url);
        const described = item[method];
        if (!described) {
          problemOf(response, 405);
          continue;
        }
        ids.add(described.operationId);
        if (path !== "/api/v4/openapi.json") {
          problemOf(response, 401);
          for (const status of ["401", "403", "404"])
            assert.ok(described.responses[status], `${method} ${path} ${status}`);
        }
      }
    assert.equal(
      ids.size,
      rest.flatMap(([, item]) => Object.values(item)).filter((one) => "operationId" in one).length,
    );
  });

  it("describes GraphQL with its batches", () => {
    const { post } = document.paths["/api/graphql/schema/{schema}"]!;
    assert.match(JSON.stringify(post), /"maxItems":10/);
  });

  it("has the members of the contract", () => {
    const members = (schema: string) => Object.keys(document.components.schemas[schema]?.properties ?? {});
    assert.deepEqual(members("NewUser"), [
      ...[
        "name",
        "password",
        "email",
        "user_group",
        "properties",
        "superuser",
        "default_user",
        "email_verified",
        "two_factor",
        "allow_signup",
        "social_signup",
      ],
    ]);
    assert.deepEqual(members("User"), [
      ...[
        "name",
        "email",
        "user_group",
        "properties",
        "superuser",
        "default_user",
        "email_verified",
        "two_factor",
        "allow_signup",
        "social_signup",
      ],
      ...["last_sign_in", "locked_until"],
    ]);
    // members that are accepted without effect stand at the end
    const ignored = ["two_factor", "allow_signup", "social_signup"];
    const client = [
      "name",
      "redirect_uri",
      "homepage",
      "description",
      "public",
      "confirm",
      "grants",
      "refresh_reuse",
      "account",
      "id_token_signed_response_alg",
      "subject_type",
      "sector_identifier_uri",
      "post_logout_redirect_uris",
      "backchannel_logout_uri",
      "disabled",
      "require_pkce",
      "token_endpoint_auth_method",
      "token_endpoint_auth_signing_alg",
      "jwks",
      "jwks_uri",
      "require_par",
      "dpop_bound_access_tokens",
      "access_token_lifetime_seconds",
      "refresh_token_lifetime_seconds",
      "code_lifetime_seconds",
      "device_code_lifetime_seconds",
      "device_poll_interval_seconds",
    ];
    assert.deepEqual(members("Client"), ["id", ...client, "origin"]);
    assert.deepEqual(members("NewClient"), ["id", ...client, ...ignored]);
    assert.deepEqual(members("ClientChange"), [...client, ...ignored]);
    assert.deepEqual(members("ClientSecret"), ["secret"]);
    assert.deepEqual(members("Privilege"), ["subuser", "privilege"]);
    assert.deepEqual(members("Authentication"), ["level"]);
  });
});
