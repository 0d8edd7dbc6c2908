import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { decodeJwt } from "jose";
import type { GatewayError } from "../../server/ground/errors.ts";
import { Identifier } from "../../server/kernel/identity/identity.ts";
import { openAsGateway } from "../support/databases.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { SocketClient } from "../support/webSocket.ts";
import { Person, REDIRECT_URI, addClient, assertOAuthError, authPath, codeFor, makePkce, textOf } from "./support.ts";

describe("resource indicators (RFC 8707)", () => {
  let gateway: TestGateway;
  let agents: string;
  let secret: string;
  const post = (body: object) => gateway.http.post("/api/v4/oauth").send(body);
  const password = (more: object = {}) =>
    post({ grant_type: "password", username: "guest", password: "guest", client_id: "app", ...more });
  const audienceOf = (token: string) => decodeJwt(token).aud;

  before(async () => {
    gateway = await testGateway();
    agents = `${gateway.baseUrl}/mcp/${encodeURIComponent(gateway.database.name)}`;
    const grants = ["authorization_code", "refresh_token", "device_code", "password", "token_exchange"];
    await addClient(gateway.database, "app", { grants });
    await addClient(gateway.database, "careful", { confirm: true });
    await gateway.database.client.query(
      "select portolan.create_client('robot', 'robot', '{}', grants => '{client_credentials}', account => 'guest')",
    );
    const { rows } = await gateway.database.client.query("select portolan.set_client_secret('robot') as secret");
    secret = rows[0].secret;
  });
  after(() => gateway.close());

  it("an access token is for the service unless the agents' door is asked for", async () => {
    for (const [resource, aud] of [
      [undefined, gateway.baseUrl],
      [gateway.baseUrl, gateway.baseUrl],
      [`${gateway.baseUrl}/`, gateway.baseUrl],
      [agents, agents],
      [`${agents}/`, agents],
    ] as const)
      assert.equal(audienceOf((await password({ resource }).expect(200)).body.access_token), aud, resource);
    const robot = { grant_type: "client_credentials", client_id: "robot", client_secret: secret, resource: agents };
    assert.equal(audienceOf((await post(robot).expect(200)).body.access_token), agents);
  });

  it("every other resource is invalid_target", async () => {
    for (const resource of [
      "https://elsewhere.example.org",
      `${gateway.baseUrl}.evil.example`,
      `${gateway.baseUrl}/mcp`,
      `${gateway.baseUrl}/mcp/`,
      `${gateway.baseUrl}/mcp/another`,
      `${agents}/more`,
      `${agents}#fragment`,
      `${agents}?query`,
      `${gateway.baseUrl}/mcp/%ff`,
      `${gateway.baseUrl}/api/v4`,
      "mcp",
    ])
      assertOAuthError(await password({ resource }), 400, "invalid_target");
    const page = await gateway.http.get(authPath("app", makePkce(), { resource: "https://elsewhere.example.org" }));
    assert.match(page.headers["location"] ?? "", /[?&]error=invalid_target&/);
    const device = { client_id: "app", resource: "https://elsewhere.example.org" };
    assertOAuthError(await gateway.http.post("/api/v4/oauth/device").send(device), 400, "invalid_target");
  });

  it("is kept with the code and through refreshes, and no token request widens it", async () => {
    const pkce = makePkce();
    const code = await codeFor(gateway.baseUrl, "app", pkce, { resource: agents, scope: "mcp:write other" });
    const body = {
      grant_type: "authorization_code",
      client_id: "app",
      redirect_uri: REDIRECT_URI,
      code,
      code_verifier: pkce.verifier,
    };
    assertOAuthError(await post({ ...body, resource: gateway.baseUrl }), 400, "invalid_target");
    const { body: first } = await post({ ...body, resource: agents }).expect(200);
    assert.deepEqual([audienceOf(first.access_token), first.scope], [agents, "mcp:write other"]);
    assert.equal(audienceOf(first.refresh_token), gateway.baseUrl);

    const refresh = (more: object = {}) =>
      post({ grant_type: "refresh_token", client_id: "app", refresh_token: first.refresh_token, ...more });
    assertOAuthError(await refresh({ resource: gateway.baseUrl }), 400, "invalid_target");
    const { body: second } = await refresh({ scope: "other" }).expect(200);
    assert.deepEqual([audienceOf(second.access_token), second.scope], [agents, "other"]);
    const { body: third } = await refresh({ refresh_token: second.refresh_token, resource: agents }).expect(200);
    assert.deepEqual([audienceOf(third.access_token), third.scope], [agents, "mcp:write other"]);

    const exchange = {
      grant_type: "token_exchange",
      client_id: "app",
      subject_token: third.access_token,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    };
    assertOAuthError(await post({ ...exchange, resource: gateway.baseUrl }), 400, "invalid_target");
    assertOAuthError(await post({ ...exchange, audience: gateway.baseUrl }), 400, "invalid_target");
    assert.equal(audienceOf((await post(exchange).expect(200)).body.access_token), agents);
  });

  it("is kept with the request of a device", async () => {
    const { body } = await gateway.http.post("/api/v4/oauth/device").send({ client_id: "app", resource: agents });
    const person = new Person(gateway.baseUrl);
    let page = await person.submit("/device", await person.agent.get("/device"), { user_code: body.user_code });
    page = await person.submit("/device", page, { username: "guest", password: "guest", action: "sign-in" });
    assert.match(textOf(page), /asks to read for you, as an agent/);
    await person.submit("/device", page, { action: "allow" });
    const poll = { grant_type: "device_code", client_id: "app", device_code: body.device_code };
    assertOAuthError(await post({ ...poll, resource: gateway.baseUrl }), 400, "invalid_target");
    assert.equal(audienceOf((await post(poll).expect(200)).body.access_token), agents);
  });

  it("a door takes only tokens for its own resource, and names that in its 401", async () => {
    const { access_token: ofAgents } = (await password({ resource: agents, scope: "mcp:write" }).expect(200)).body;
    const { access_token: ofService } = (await password().expect(200)).body;
    const paths = [
      "/api/v4/users/guest",
      "/api/v4/methods",
      `/api/v4/ogc/database/${gateway.database.name}/collections`,
    ];
    for (const path of paths) {
      assert.equal((await gateway.http.get(path).auth(ofService, { type: "bearer" })).status === 401, false, path);
      const { headers } = await gateway.http.get(path).auth(ofAgents, { type: "bearer" }).expect(401);
      if (!path.includes("/ogc/"))
        assert.match(
          headers["www-authenticate"] ?? "",
          /^Bearer error="invalid_token", .*another resource.*resource_metadata="[^"]+oauth-protected-resource"$/,
        );
    }
    await gateway.http
      .post("/api/graphql/schema/public")
      .auth(ofAgents, { type: "bearer" })
      .send({ query: "{__typename}" })
      .expect(401);
    const socket = new SocketClient(`${gateway.baseUrl.replace("http", "ws")}?token=${ofAgents}`);
    assert.equal((await socket.closed).code, 4401);

    const { name, gatewayUrl } = gateway.database;
    const database = openAsGateway({ name, gatewayUrl }, { poolSize: 2 });
    try {
      await checkIdentifier(new Identifier(new Map([[name, database]]), gateway.baseUrl), ofService, ofAgents);
    } finally {
      await database.close();
    }
  });

  async function checkIdentifier(identifier: Identifier, ofService: string, ofAgents: string): Promise<void> {
    const request = (token: string) => {
      const request = new IncomingMessage(new Socket());
      request.headers.authorization = `Bearer ${token}`;
      return request;
    };
    const verified = await identifier.identifyAt(request(ofAgents), agents);
    assert.deepEqual([verified.identity.name, [...verified.scopes]], ["guest", ["mcp:write"]]);
    for (const [token, challenge] of [
      [ofService, `resource_metadata="${gateway.baseUrl}/.well-known/oauth-protected-resource/mcp/`],
      ["x.y.z", "oauth-protected-resource/mcp/"],
    ] as const)
      await assert.rejects(identifier.identifyAt(request(token), agents), (error: GatewayError) =>
        String(error.headers["WWW-Authenticate"]).includes(challenge),
      );
    const one = request(ofService); // the second door of one connection is not told what the first was
    await identifier.identify(one);
    await assert.rejects(identifier.identifyAt(one, agents), { code: "UNAUTHENTICATED" });
  }

  it("is part of the consent, whose page says what agents may do", async () => {
    const person = new Person(gateway.baseUrl);
    const path = (more: Record<string, string>) => authPath("careful", makePkce(), more);
    await person.authorize(path({ resource: agents, scope: "mcp:write" }), "guest");
    const silently = async (more: Record<string, string>) =>
      new URL((await person.agent.get(path({ prompt: "none", ...more }))).headers["location"] ?? "").searchParams;
    assert.ok((await silently({ resource: agents, scope: "mcp:write" })).get("code"));
    assert.equal((await silently({})).get("error"), "consent_required");
    const page = await person.agent.get(path({ scope: "mcp:write" }));
    assert.match(textOf(page), /with all rights of your account.*Change data: insert, update and delete rows/);
  });

  it("names, before an agent may write, the tables in which the account may change data, and how", async () => {
    const { client, name } = gateway.database;
    await client.query(`
create table world."<b>moorings" (id int primary key, n int);
grant usage on schema world to "guest@${name}";
grant select, insert, update (n) on world."<b>moorings" to "guest@${name}";
create table world.berths (id int primary key); grant delete on world.berths to "guest@${name}";
create table world.denied (id int primary key); grant delete on world.denied to "guest@${name}";
create table world.hidden (id int primary key);
select portolan.create_rule('{"username": "guest", "schema": "world", "table": "denied", "service": "mcp", "access": "deny"}')`);
    const person = new Person(gateway.baseUrl);
    const { agent } = person;
    const pageFor = (scope: string) => agent.get(authPath("careful", makePkce(), { resource: agents, scope }));
    await person.authorize(authPath("careful", makePkce(), { resource: agents }), "guest");
    const shown = textOf(await pageFor("mcp:write fresh"));
    assert.match(shown, /read for you, as an agent.*Today these are:/);
    assert.match(shown, /insert, update:\s+world\.&lt;b&gt;moorings/);
    assert.match(shown, /delete: [^:]*world\.berths/);
    assert.doesNotMatch(shown, /world\.(denied|hidden)/);
    assert.doesNotMatch(textOf(await pageFor("fresh")), /Today these are/);
  });

  it("has metadata of the agents' door", async () => {
    const { pathname } = new URL(agents);
    const { body } = await gateway.http.get(`/.well-known/oauth-protected-resource${pathname}`).expect(200);
    assert.deepEqual([body.resource, body.authorization_servers], [agents, [gateway.baseUrl]]);
    assert.deepEqual(body.scopes_supported, ["mcp:write"]);
    await gateway.http.get("/.well-known/oauth-protected-resource/mcp/nowhere").expect(404);
  });
});
