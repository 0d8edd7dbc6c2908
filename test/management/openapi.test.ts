import assert from "node:assert/strict";
import { validate } from "@readme/openapi-parser";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf } from "./requests.ts";

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: {
    schemas: Record<string, { properties?: Record<string, unknown> }>;
    securitySchemes: Record<string, object>;
  };
}

describe("/api/v4/openapi.json", () => {
  let gateway: TestGateway;
  let document: Document;
  before(async () => {
    gateway = await testGateway({ kind: "portolan" });
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

  it("describes every existing route, with its problems, and no other", async () => {
    const ids = new Set<string>();
    const rest = Object.entries(document.paths).filter(([path]) => path.startsWith("/api/v4/"));
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
