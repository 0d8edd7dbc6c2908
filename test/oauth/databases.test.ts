import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { SignJWT, decodeJwt, importJWK } from "jose";
import * as client from "openid-client";
import supertest from "supertest";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { Application } from "../support/agentApplication.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";
import { Person, REDIRECT_URI, addClient, assertOAuthError, authPath, makePkce, textOf } from "./support.ts";

describe("several databases", () => {
  let databases: readonly TestDatabase[];
  let gateway: Gateway;

  before(async () => {
    databases = [await testDatabase({ kind: "demo" }), await testDatabase({ kind: "demo" })];
    for (const database of databases) await addClient(database, "app");
    gateway = await startGateway(
      makeConfig({
        databases: Object.fromEntries(
          databases.map(({ gatewayUrl, url }, index) => [name(index), { url: gatewayUrl, ownerUrl: url }]),
        ),
        port: 0,
        registration: "open",
        mcp: true,
      }),
      createLog("silent"),
    );
  });
  after(async () => {
    await gateway.close();
    for (const database of databases) await database.drop();
  });

  const name = (index: number) => ["north", "south"][index] ?? "";
  const http = () => supertest(gateway.baseUrl);
  const token = (body: object) =>
    http()
      .post("/api/v4/oauth")
      .send({ client_id: "app", ...body });
  const signIn = (database: string) =>
    token({ grant_type: "password", username: "guest", password: "guest", database });

  it("the password grant needs to know which", async () => {
    assertOAuthError(
      await token({ grant_type: "password", username: "guest", password: "guest" }),
      400,
      "invalid_request",
    );
    const { body } = await signIn("south").expect(200);
    assert.equal(decodeJwt(body.access_token)["database"], "south");
  });

  it("a code, a refresh token and a device code know it themselves", async () => {
    const pkce = makePkce();
    const back = await new Person(gateway.baseUrl).authorize(authPath("app", pkce, { database: "south" }), "guest");
    const { body } = await token({
      grant_type: "authorization_code",
      code: back.searchParams.get("code"),
      redirect_uri: REDIRECT_URI,
      code_verifier: pkce.verifier,
    }).expect(200);
    assert.equal(decodeJwt(body.access_token)["database"], "south");
    const refreshed = await token({ grant_type: "refresh_token", refresh_token: body.refresh_token }).expect(200);
    assert.equal(decodeJwt(refreshed.body.access_token)["database"], "south");
    const started = await http().post("/api/v4/oauth/device").send({ client_id: "app", database: "south" }).expect(200);
    assert.match(started.body.verification_uri_complete, /database=south/);
    assertOAuthError(
      await token({ grant_type: "device_code", device_code: started.body.device_code }),
      400,
      "authorization_pending",
    );
  });

  it("a refresh token, a code or a device code of one is invalid in another, and stays valid in its own", async () => {
    const refused = async (body: object) => {
      assertOAuthError(await token({ ...body, database: "north" }), 400, "invalid_grant");
      await token(body).expect(200);
    };
    const { body } = await signIn("south").expect(200);
    await refused({ grant_type: "refresh_token", refresh_token: body.refresh_token });

    const pkce = makePkce();
    const back = await new Person(gateway.baseUrl).authorize(authPath("app", pkce, { database: "south" }), "guest");
    await refused({
      grant_type: "authorization_code",
      code: back.searchParams.get("code"),
      redirect_uri: REDIRECT_URI,
      code_verifier: pkce.verifier,
    });

    const started = await http().post("/api/v4/oauth/device").send({ client_id: "app", database: "south" }).expect(200);
    await databases[1]?.client.query(
      `update portolan.device_requests d set decision = 'granted', user_name = u.name, token_version = u.token_version
       from portolan.users u where u.name = 'guest'`,
    );
    await refused({ grant_type: "device_code", device_code: started.body.device_code });
  });

  it("an access token of one is invalid in another, whatever its claims and its signature", async () => {
    const { body } = await signIn("south").expect(200);
    const works = async (bearer: string) =>
      (
        await http()
          .post("/api/graphql/schema/world")
          .auth(bearer, { type: "bearer" })
          .send({ query: "{ countCities }" })
      ).status;
    assert.equal(await works(body.access_token), 200);
    // signed with the key of one database, and claiming to be of the other
    const { rows } =
      (await databases[1]?.client.query("select kid, private_jwk from portolan.signing_keys where alg = 'ES256'")) ??
      {};
    for (const [database, status] of [
      ["south", 200],
      ["north", 401],
    ] as const) {
      const moved = await new SignJWT({ ...decodeJwt(body.access_token), database })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: rows?.[0].kid })
        .sign(await importJWK(rows?.[0].private_jwk, "ES256"));
      assert.equal(await works(moved), status, database);
    }
    const introspected = await http()
      .post("/api/v4/oauth/introspect")
      .send({ client_id: "app", token: body.access_token, database: "north" });
    assert.deepEqual(introspected.body, { active: false });
    await http()
      .post("/api/v4/oauth/revoke")
      .send({ client_id: "app", token: body.access_token, database: "north" })
      .expect(200);
    assert.equal(await works(body.access_token), 200, "and cannot be revoked there");
  });

  it("an account or its session in one is unknown in another", async () => {
    const person = new Person(gateway.baseUrl);
    await person.authorize(authPath("app", makePkce(), { database: "south" }), "guest");
    await person.agent.get(authPath("app", makePkce(), { database: "south" })).expect(302);
    await person.agent.get(authPath("app", makePkce(), { database: "north" })).expect(200);
    await databases[1]?.client.query("select portolan.create_user('southerner', 'southerner')");
    const body = { grant_type: "password", username: "southerner", password: "southerner" };
    assertOAuthError(await token({ ...body, database: "north" }), 400, "invalid_grant");
    await token({ ...body, database: "south" }).expect(200);
  });

  it("a failure over a socket is recorded in the database of its account, with the account, and in no other", async () => {
    const { body } = await signIn("south").expect(200);
    const socket = await new SocketClient(
      `${gateway.baseUrl.replace("http", "ws")}/?token=${body.access_token}&rels=world.nowhere`,
    ).opened();
    await socket.take("error");
    const failures = async (database: string): Promise<unknown[]> => {
      const captain = await token({ grant_type: "password", username: "captain", password: "captain", database });
      const answer = await http()
        .get("/api/v4/requests?limit=1000")
        .set("Authorization", `Bearer ${captain.body.access_token}`)
        .expect(200);
      return (answer.body as { account: string; address: string; path: string | null; code: string | null }[])
        .filter(({ path, code }) => path === null && code !== null)
        .map(({ account, address }) => ({ account, address }));
    };
    await until(async () => (await failures("south")).length > 0);
    assert.deepEqual(await failures("south"), [{ account: "guest", address: "127.0.0.1" }]);
    assert.deepEqual(await failures("north"), []);
    socket.webSocket.close();
    await socket.closed;
  });

  it("/auth and /device ask for it, and keep the request", async () => {
    const path = authPath("app", makePkce(), { state: '"><b>' });
    const page = await http().get(path).expect(200);
    assert.match(textOf(page), /Which database\?/);
    assert.match(page.text, /name="state" value="&quot;&gt;&lt;b&gt;"/);
    assert.match(textOf(await http().get("/device").expect(200)), /Which database\?/);
    assert.match(textOf(await http().get(`${path}&database=north`).expect(200)), /User name/);
    await http().get(`${path}&database=west`).expect(400);
  });

  it("an unmodified client that is given the metadata of one registers there, and needs to name it nowhere", async () => {
    const discovery = new URL(`${gateway.baseUrl}/.well-known/openid-configuration?database=south`);
    const options = { execute: [client.allowInsecureRequests] };
    const metadata = {
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
      token_endpoint_auth_method: "client_secret_post",
    };
    const config = await client.dynamicClientRegistration(discovery, metadata, undefined, options);
    const { client_id: id } = config.clientMetadata();
    const found = async (index: number) =>
      (await databases[index]?.client.query("select from portolan.clients where id = $1", [id]))?.rowCount;
    assert.deepEqual([await found(0), await found(1)], [0, 1]);

    const verifier = client.randomPKCECodeVerifier();
    const asked = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: "openid",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const back = await new Person(gateway.baseUrl).authorize(asked.pathname + asked.search, "guest");
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier });
    assert.equal(decodeJwt(tokens.access_token)["database"], "south");
    assert.equal((await client.initiateDeviceAuthorization(config, {})).interval, 5);

    await http().get("/.well-known/openid-configuration?database=west").expect(404);
    const { body } = await http().get("/.well-known/oauth-authorization-server?database=north").expect(200);
    assert.equal(body.registration_endpoint, `${gateway.baseUrl}/api/v4/oauth/register?database=north`);
    const both = http().post("/api/v4/oauth?database=north").send({ client_id: "app", database: "south" });
    assertOAuthError(await both, 400, "invalid_request");
    assertOAuthError(await http().post("/api/v4/oauth?database=north&x=1"), 400, "invalid_request");
  });

  it("an agent that knows the address of a database's agents' door alone registers and signs in there", async () => {
    const address = new URL(`${gateway.baseUrl}/mcp/south`);
    const issuer = address.href;
    const { body: resource } = await http().get("/.well-known/oauth-protected-resource/mcp/south").expect(200);
    assert.deepEqual(resource.authorization_servers, [issuer]);
    const application = new Application();
    const transport = () => new StreamableHTTPClientTransport(address, { authProvider: application });
    const newAgent = () => new Client({ name: "test", version: "1" });
    const refused = transport();
    await assert.rejects(newAgent().connect(refused), UnauthorizedError);
    const id = application.information?.client_id;
    const clients = await Promise.all(
      databases.map((each) => each.client.query("select from portolan.clients where id = $1", [id])),
    );
    assert.deepEqual(clients.map(({ rowCount }) => rowCount), [0, 1]); // oxfmt-ignore
    const sentTo = application.sentTo!;
    const back = await new Person(gateway.baseUrl).authorize(sentTo.pathname + sentTo.search, "guest");
    assert.equal(back.searchParams.get("iss"), issuer);
    await refused.finishAuth(back.searchParams);
    assert.equal(decodeJwt(application.kept!.access_token)["database"], "south");
    const agent = newAgent();
    await agent.connect(transport());
    assert.ok((await agent.listTools()).tools.some((tool) => tool.name === "read"));
    await agent.close();
  });

  it("an issuer is of its own database, and of this service", async () => {
    const { body: server } = await http().get("/.well-known/oauth-authorization-server/mcp/north").expect(200);
    assert.equal(server.issuer, `${gateway.baseUrl}/mcp/north`);
    for (const [name, address] of Object.entries(server as Record<string, unknown>))
      if (name.endsWith("_endpoint"))
        assert.equal(new URL(String(address)).searchParams.get("database"), "north", name);
    await http().get("/.well-known/oauth-authorization-server/mcp/west").expect(404);
    const asked = authPath("app", makePkce(), { database: "south", prompt: "none", scope: "openid" });
    for (const issuer of [`${gateway.baseUrl}/mcp/north`, "https://evil.example.org", `${gateway.baseUrl}/`]) {
      const { headers, text } = await http()
        .get(`${asked}&${new URLSearchParams({ issuer })}`)
        .expect(400);
      assert.equal(headers["location"], undefined);
      assert.match(text, /is not an issuer of this database/);
    }
    const silent = await http().get(asked).expect(302);
    assert.equal(new URL(silent.headers["location"] ?? "").searchParams.get("iss"), gateway.baseUrl);
  });

  it("the key set is that of all", async () => {
    const { body } = await http().get("/.well-known/jwks.json").expect(200);
    assert.equal(body.keys.length, 4, "one of each algorithm");
  });
});
