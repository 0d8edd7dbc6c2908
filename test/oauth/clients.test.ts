import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person, REDIRECT_URI, addClient } from "./support.ts";

/** Standard libraries as they come from npm. Their only setting is that http is allowed here. */
describe("unmodified clients", () => {
  let gateway: TestGateway;
  let secret: string;

  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "spa");
    secret = (await addClient(gateway.database, "web:app@1", { public: false, confirm: true })) ?? "";
  });
  after(() => gateway.close());

  async function queryWith(token: string): Promise<number> {
    return (
      await gateway.http
        .post("/api/graphql/schema/world")
        .auth(token, { type: "bearer" })
        .send({ query: "{ countCities }" })
    ).status;
  }

  describe("openid-client", () => {
    const options: client.DiscoveryRequestOptions = { algorithm: "oauth2", execute: [client.allowInsecureRequests] };

    for (const [how, authentication] of [
      ["a public client", () => client.None()],
      ["a secret by Basic", () => client.ClientSecretBasic(secret)],
      ["a secret in the body", () => client.ClientSecretPost(secret)],
    ] as const)
      it(`discovery, code with PKCE and iss, refresh, introspection, revocation: ${how}`, async () => {
        const id = how === "a public client" ? "spa" : "web:app@1";
        const config = await client.discovery(new URL(gateway.baseUrl), id, undefined, authentication(), options);
        const verifier = client.randomPKCECodeVerifier();
        const state = client.randomState();
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: REDIRECT_URI,
          scope: "read",
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          state,
        });
        const back = await new Person(gateway.baseUrl).authorize(url.pathname + url.search, "guest");
        const tokens = await client.authorizationCodeGrant(config, back, {
          pkceCodeVerifier: verifier,
          expectedState: state,
        });
        assert.equal(tokens.token_type, "bearer");
        assert.equal(tokens.scope, "read");
        assert.equal(await queryWith(tokens.access_token), 200);
        const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
        assert.equal(await queryWith(refreshed.access_token), 200);
        assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, true);
        await client.tokenRevocation(config, refreshed.refresh_token ?? "");
        assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, false);
        await assert.rejects(
          client.refreshTokenGrant(config, refreshed.refresh_token ?? ""),
          (error) => error instanceof client.ResponseBodyError && error.error === "invalid_grant",
        );
      });

    it("the device flow, polled until somebody allows it", async () => {
      await gateway.database.client.query(
        "update portolan.clients set device_poll_interval_seconds = 1 where id = 'spa'",
      );
      const config = await client.discovery(new URL(gateway.baseUrl), "spa", undefined, client.None(), options);
      const started = await client.initiateDeviceAuthorization(config, { scope: "tv" });
      const polling = client.pollDeviceAuthorizationGrant(config, started);
      await allow(started.verification_uri_complete ?? "", started.user_code, "allow");
      const tokens = await polling;
      assert.equal(tokens.scope, "tv");
      assert.equal(await queryWith(tokens.access_token), 200);
    });

    it("the device flow, denied", async () => {
      const config = await client.discovery(new URL(gateway.baseUrl), "spa", undefined, client.None(), options);
      const started = await client.initiateDeviceAuthorization(config, {});
      const polling = client.pollDeviceAuthorizationGrant(config, started);
      polling.catch(() => undefined); // checked below
      await allow(started.verification_uri_complete ?? "", started.user_code, "deny");
      await assert.rejects(
        polling,
        (error) => error instanceof client.ResponseBodyError && error.error === "access_denied",
      );
    });

    async function allow(link: string, userCode: string, decision: string): Promise<void> {
      const { pathname, search } = new URL(link);
      const person = new Person(gateway.baseUrl);
      const page = await person.agent.get(pathname + search).expect(200);
      const signIn = await person.submit("/device", page, { user_code: userCode, action: "code" });
      const consent = await person.submit("/device", signIn, {
        username: "guest",
        password: "guest",
        action: "sign-in",
      });
      await person.submit("/device", consent, { action: decision });
    }
  });

  describe("oauth4webapi", () => {
    const insecure = { [oauth.allowInsecureRequests]: true } as const;

    it("metadata, code with PKCE and iss, refresh, a JWT access token, introspection, revocation", async () => {
      const issuer = new URL(gateway.baseUrl);
      const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
      const server = await oauth.processDiscoveryResponse(issuer, discovered);
      assert.equal(server.authorization_response_iss_parameter_supported, true);
      const app: oauth.Client = { client_id: "web:app@1" };
      const authentication = oauth.ClientSecretBasic(secret);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const query = new URLSearchParams({
        client_id: app.client_id,
        redirect_uri: REDIRECT_URI,
        response_type: "code",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
      });
      const back = await new Person(gateway.baseUrl).authorize(`/auth?${query}`, "captain");
      const parameters = oauth.validateAuthResponse(server, app, back, state);
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        app,
        await oauth.authorizationCodeGrantRequest(
          server,
          app,
          authentication,
          parameters,
          REDIRECT_URI,
          verifier,
          insecure,
        ),
      );
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        app,
        await oauth.refreshTokenGrantRequest(server, app, authentication, tokens.refresh_token ?? "", insecure),
      );
      const claims = await oauth.validateJwtAccessToken(
        server,
        new Request(`${gateway.baseUrl}/api/v4/sql`, {
          headers: { authorization: `Bearer ${refreshed.access_token}` },
        }),
        gateway.baseUrl,
        insecure,
      );
      assert.deepEqual([claims.sub, claims["superUser"]], ["captain", true]);
      const introspected = await oauth.processIntrospectionResponse(
        server,
        app,
        await oauth.introspectionRequest(server, app, authentication, refreshed.access_token, insecure),
      );
      assert.equal(introspected.active, true);
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, app, authentication, refreshed.refresh_token ?? "", insecure),
      );
    });

    it("protected resource metadata (RFC 9728) leads to the server", async () => {
      const resource = new URL(gateway.baseUrl);
      const metadata = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, insecure),
      );
      assert.deepEqual(metadata.authorization_servers, [gateway.baseUrl]);
    });

    it("the device flow with the URN", async () => {
      const issuer = new URL(gateway.baseUrl);
      const server = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
      );
      const app: oauth.Client = { client_id: "spa" };
      const started = await oauth.processDeviceAuthorizationResponse(
        server,
        app,
        await oauth.deviceAuthorizationRequest(server, app, oauth.None(), {}, insecure),
      );
      const pending = await oauth.deviceCodeGrantRequest(server, app, oauth.None(), started.device_code, insecure);
      await assert.rejects(
        oauth.processDeviceCodeResponse(server, app, pending),
        (error) => error instanceof oauth.ResponseBodyError && error.error === "authorization_pending",
      );
    });
  });
});
