/** Applications that sign people in by OpenID Connect, as they come: three libraries, and the requests of Grafana. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { Auth, type AuthConfig } from "@auth/core";
import { decodeJwt } from "jose";
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from "oidc-client-ts";
import { findAuthlib } from "../../server/setup/programs.mjs";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { programEnv } from "../support/programEnv.ts";
import { Person, addClient } from "./support.ts";

const SPA = "https://spa.example.org/callback";
const SITE = "https://site.example.org/auth";
const GRAFANA = "https://grafana.example.org/login/generic_oauth";
const HOME = "https://grafana.example.org/login";

const FLASK = "https://flask.example.org/callback";

/** Prints the address of the sign-in, reads the one that the browser comes back to, and prints what it has got. */
const AUTHLIB = `
import json, sys
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken
issuer, secret, redirect = sys.argv[1:]
client = OAuth2Session("flask", secret, scope="openid profile email groups offline_access", redirect_uri=redirect,
                       code_challenge_method="S256")
known = client.get(issuer + "/.well-known/openid-configuration", withhold_token=True).json()
client.metadata.update(token_endpoint=known["token_endpoint"])
verifier, nonce = generate_token(48), generate_token()
address, state = client.create_authorization_url(known["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
print(address, flush=True)
token = client.fetch_token(authorization_response=input(), state=state, code_verifier=verifier)
keys = JsonWebKey.import_key_set(client.get(known["jwks_uri"], withhold_token=True).json())
claims = jwt.decode(token["id_token"], keys, claims_cls=CodeIDToken, claims_params={"nonce": nonce, "client_id": "flask", "access_token": token["access_token"]},
                    claims_options={"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": "flask"}})
claims.validate()
told = client.get(known["userinfo_endpoint"]).json()
refreshed = client.refresh_token(known["token_endpoint"])
active = client.introspect_token(known["introspection_endpoint"], token=refreshed["access_token"]).json()["active"]
ended = client.revoke_token(known["revocation_endpoint"], token=refreshed["refresh_token"]).status_code
print(json.dumps({"claims": claims, "told": told, "isNew": refreshed["access_token"] != token["access_token"], "active": active, "ended": ended}))
`;

describe("applications that sign people in", () => {
  let gateway: TestGateway;
  let secret: string;
  let secretOfSite: string;
  let secretOfFlask: string;

  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "spa", { redirectUri: [SPA] });
    secret = (await addClient(gateway.database, "grafana", { public: false, redirectUri: [GRAFANA] })) ?? "";
    const redirectUri = [`${SITE}/callback/portolan`];
    secretOfSite = (await addClient(gateway.database, "site", { public: false, redirectUri })) ?? "";
    secretOfFlask = (await addClient(gateway.database, "flask", { public: false, redirectUri: [FLASK] })) ?? "";
    await gateway.database.client.query(`
select portolan.update_client('grafana', '{"post_logout_redirect_uris": ["${HOME}"]}');
select portolan.update_client('spa', '{"post_logout_redirect_uris": ["https://spa.example.org/"]}');
select portolan.create_user('operators', 'a password');
update portolan.users set email = 'guest@example.org', email_verified = true, properties = '{"name": "A Guest"}' where name = 'guest';
select portolan.update_user('guest', '{"user_group": ["operators"]}')`);
  });
  after(() => gateway.close());

  const backFrom = (address: string) => {
    const { pathname, search } = new URL(address);
    return new Person(gateway.baseUrl).authorize(pathname + search, "guest");
  };

  it("oidc-client-ts, unmodified: sign-in, userinfo, refresh, sign-out", async () => {
    const client = new OidcClient({
      authority: gateway.baseUrl,
      client_id: "spa",
      redirect_uri: SPA,
      post_logout_redirect_uri: "https://spa.example.org/",
      scope: "openid profile email groups offline_access",
      loadUserInfo: true,
      stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    });
    const { url } = await client.createSigninRequest({ state: { page: "/maps" }, nonce: "n-0S6_WzA2Mj" });
    const signedIn = await client.processSigninResponse((await backFrom(url)).href);
    const { preferred_username, name, email, groups } = signedIn.profile;
    assert.deepEqual(
      [preferred_username, name, email, groups],
      ["guest", "A Guest", "guest@example.org", ["operators"]],
    );
    assert.deepEqual(signedIn.userState, { page: "/maps" });

    const { refresh_token = "", session_state = null, id_token = "", scope = "", profile } = signedIn;
    const state = { refresh_token, session_state, id_token, scope, profile, data: undefined };
    const refreshed = await client.useRefreshToken({ state });
    assert.notEqual(refreshed.access_token, signedIn.access_token);
    assert.equal(decodeJwt(refreshed.access_token).sub, profile.sub);

    const signOut = await client.createSignoutRequest({ id_token_hint: id_token, client_id: "spa" });
    const { pathname, search } = new URL(signOut.url);
    const page = await gateway.http.get(pathname + search);
    assert.equal(page.status < 400, true, page.text);
  });

  it("Auth.js, unmodified: sign-in with the configuration of the guide, and its session", async () => {
    const config: AuthConfig = {
      providers: [
        {
          id: "portolan",
          name: "Portolan",
          type: "oidc",
          issuer: gateway.baseUrl,
          clientId: "site",
          clientSecret: secretOfSite,
          authorization: { params: { scope: "openid profile email groups" } },
        },
      ],
      callbacks: {
        jwt: ({ token, profile }) => (profile ? { ...token, groups: profile["groups"] } : token),
        session: ({ session, token }) => ({ ...session, groups: token["groups"] }),
      },
      secret: randomBytes(32).toString("hex"),
      trustHost: true,
      basePath: "/auth",
    };
    const cookies = new Map<string, string>();
    /** As the browser asks the application. */
    async function ask(address: string, form?: Record<string, string>): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const sent = form && { method: "POST", body: new URLSearchParams(form) };
      const response = await Auth(new Request(address, { headers: { cookie }, ...sent }), config);
      for (const each of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
        cookies.set(name, value);
      }
      return response;
    }

    const { csrfToken } = (await (await ask(`${SITE}/csrf`)).json()) as { csrfToken: string };
    const sentTo = (await ask(`${SITE}/signin/portolan`, { csrfToken, callbackUrl: SITE })).headers.get("location");
    assert.equal(new URL(sentTo ?? "").searchParams.get("code_challenge_method"), "S256");
    const back = await backFrom(sentTo ?? "");
    assert.equal(back.origin + back.pathname, `${SITE}/callback/portolan`);
    const signedIn = await ask(back.href);
    assert.deepEqual([signedIn.status, signedIn.headers.get("location")], [302, SITE]);
    const session = (await (await ask(`${SITE}/session`)).json()) as { user: object; groups: string[] };
    assert.deepEqual(session.user, { name: "A Guest", email: "guest@example.org" });
    assert.deepEqual(session.groups, ["operators"]);
  });

  const python = findAuthlib();
  onlyIf(python !== undefined, "authlib")(
    "authlib, unmodified: sign-in with PKCE, the ID token by the published keys, userinfo, refresh, introspection, revocation",
    async () => {
      const env = { ...programEnv(), AUTHLIB_INSECURE_TRANSPORT: "1" };
      const child = spawn(python!, ["-c", AUTHLIB, gateway.baseUrl, secretOfFlask, FLASK], { env });
      const problems = text(child.stderr);
      const closed = once(child, "close");
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const { value: address = "" } = await lines.next();
      assert.equal(new URL(address || (await problems)).searchParams.get("code_challenge_method"), "S256");
      child.stdin.end(`${(await backFrom(address)).href}\n`);
      const { value: printed = "" } = await lines.next();
      const [code] = (await closed) as [number];
      assert.equal(code, 0, await problems);
      const { claims, told, ...others } = JSON.parse(printed);
      for (const { sub, preferred_username, name, email, groups } of [claims, told])
        assert.deepEqual(
          [sub, preferred_username, name, email, groups],
          [claims.sub, "guest", "A Guest", "guest@example.org", ["operators"]],
        );
      assert.deepEqual(others, { isNew: true, active: true, ended: 200 });
    },
  );

  /**
   * There is no Grafana to install here. These are the requests that its source makes for `auth.generic_oauth` with `use_pkce`
   * (pkg/services/authn/clients/oauth.go, pkg/login/social/connectors, on golang.org/x/oauth2), as it stood in 2026: a verifier of
   * 128 letters, a state with padding, the secret by Basic first, encoded as a form is, no `Accept`, the ID token before userinfo.
   */
  it("Grafana's requests: PKCE, the secret by Basic, a role by groups, refresh, sign-out", async () => {
    const verifier = randomBytes(96).toString("base64url");
    const request = new URLSearchParams({
      client_id: "grafana",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      redirect_uri: GRAFANA,
      response_type: "code",
      scope: "openid email profile groups offline_access",
      state: "cuHBYFJ3hVIDXT-YwQ4ZrFGbR2WrLDbf0tuJKQmcRoI=",
    });
    const back = await backFrom(`${gateway.baseUrl}/auth?${request}`);
    assert.equal(back.searchParams.get("state"), request.get("state"));
    const form = (body: Record<string, string>) =>
      gateway.http.post("/api/v4/oauth").auth("grafana", encodeURIComponent(secret)).type("form").send(body);
    const { body: tokens } = await form({
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      grant_type: "authorization_code",
      redirect_uri: GRAFANA,
    }).expect(200);
    assert.deepEqual([tokens.token_type, typeof tokens.expires_in], ["Bearer", "number"]);
    const told = decodeJwt<{ name?: string; email?: string; groups?: string[] }>(tokens.id_token);
    assert.deepEqual([told.aud, told.email, told.groups], ["grafana", "guest@example.org", ["operators"]]);
    assert.ok(told.sub, "without it Grafana refuses a person (oauthRequireSubClaim)");
    const { body: info } = await gateway.http
      .get("/api/v4/oauth/userinfo")
      .set({ Authorization: `Bearer ${tokens.access_token}`, "User-Agent": "Go-http-client/1.1" })
      .expect(200);
    // login_attribute_path, email_attribute_path, role_attribute_path: contains(groups[*], 'operators') && 'Editor'
    assert.deepEqual(
      [
        info.sub,
        info.preferred_username,
        info.email,
        info.email_verified,
        info.name,
        info.groups.includes("operators"),
      ],
      [told.sub, "guest", "guest@example.org", true, "A Guest", true],
    );
    const { body: next } = await form({ grant_type: "refresh_token", refresh_token: tokens.refresh_token }).expect(200);
    assert.ok(next.access_token && next.refresh_token);
    // signout_redirect_url with post_logout_redirect_uri gets the ID token as well
    const signOut = new URLSearchParams({ post_logout_redirect_uri: HOME, id_token_hint: tokens.id_token });
    const { headers } = await gateway.http.get(`/signout?${signOut}`).expect(302);
    assert.equal(headers["location"], HOME);
  });
});
