/** Clients that describe themselves: by registration (RFC 7591, 7592), or by a document whose address is their id. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { SignJWT, createRemoteJWKSet, decodeJwt, exportJWK, generateKeyPair, jwtVerify } from "jose";
import * as client from "openid-client";
import { FetchRefused, fetchPublic, isPublic } from "../../server/kernel/http/publicFetch.ts";
import { makeCertificate } from "../support/certificate.ts";
import { command } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { Person, REDIRECT_URI, assertOAuthError, authPath, makePkce, textOf } from "./support.ts";

const METADATA = { client_name: "The shop", redirect_uris: [REDIRECT_URI], client_uri: "https://app.example.org/" };
const REGISTER = "/api/v4/oauth/register";

interface Page {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** It begins, and does not end. */
  readonly hangs?: boolean;
  /** It has no end, as fast as it is read. */
  readonly floods?: boolean;
}

/** How much of a flood a site has sent, in bytes. */
let flooded = 0;

function flood(response: ServerResponse): void {
  const piece = " ".repeat(65_536);
  const more = (): void => {
    while (!response.destroyed) {
      flooded += piece.length;
      if (!response.write(piece)) return void response.once("drain", more);
    }
  };
  more();
}

/** A site with a certificate, whose documents a client may name. */
async function startSite() {
  const folder = mkdtempSync(join(tmpdir(), "portolan-site-"));
  makeCertificate(folder, { altNames: "DNS:localhost,IP:127.0.0.1" });
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, readFileSync(join(folder, "cert.pem"), "utf8")]);
  const pages = new Map<string, Page>();
  const asked: string[] = [];
  const server: Server = createServer(
    { cert: readFileSync(join(folder, "cert.pem")), key: readFileSync(join(folder, "key.pem")) },
    ({ url = "" }, response) => {
      asked.push(url);
      const {
        status = 200,
        headers = {},
        body = "",
        hangs = false,
        floods = false,
      } = pages.get(url) ?? { status: 404 };
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      if (floods) flood(response);
      else if (hangs) response.write(" ");
      else response.end(body);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    at: (path: string) => `https://localhost:${port}${path}`,
    put: (path: string, page: Page) => void pages.set(path, page),
    close() {
      server.closeAllConnections();
      server.close();
      setDefaultCACertificates(before);
      rmSync(folder, { recursive: true });
    },
  };
}

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256" } };
}

describe("clients that describe themselves", () => {
  let gateway: TestGateway;
  let site: Awaited<ReturnType<typeof startSite>>;
  const register = (body: object, token?: string) => {
    const request = gateway.http.post(REGISTER).send(body);
    return token === undefined ? request : request.set("Authorization", `Bearer ${token}`);
  };
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query<Record<string, unknown>>(text, values)).rows;

  before(async () => {
    site = await startSite();
    gateway = await testGateway({
      config: { registration: "open", clientMetadataDocuments: true, privateClientHosts: ["localhost"] },
    });
  });
  after(async () => {
    await gateway.close();
    site.close();
  });

  /** Signs somebody in by a client, and gives the token answer. */
  async function signInBy(id: string, more: Record<string, string> = {}, secret?: string) {
    const pkce = makePkce();
    const redirect_uri = more["redirect_uri"] ?? REDIRECT_URI;
    const url = await new Person(gateway.baseUrl).authorize(authPath(id, pkce, more), "guest");
    assert.ok(url.searchParams.get("code"), url.href);
    const grant = { grant_type: "authorization_code", code: url.searchParams.get("code"), redirect_uri };
    const request = gateway.http.post("/api/v4/oauth");
    const answer = await (secret === undefined ? request : request.auth(id, secret)).send({
      ...grant,
      code_verifier: pkce.verifier,
      ...(secret === undefined && { client_id: id }),
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body as { access_token: string; refresh_token: string };
  }

  it("an unmodified client finds out where to register, and signs people in", async () => {
    const config = await client.dynamicClientRegistration(
      new URL(gateway.baseUrl),
      { ...METADATA, token_endpoint_auth_method: "client_secret_basic" },
      undefined,
      { execute: [client.allowInsecureRequests] },
    );
    const { client_id: id, client_secret: secret, ...shown } = config.clientMetadata();
    assert.deepEqual(
      [shown["client_name"], shown["grant_types"], shown["response_types"]],
      ["The shop", ["authorization_code"], ["code"]],
    );
    const page = await new Person(gateway.baseUrl).agent.get(authPath(id, makePkce()));
    assert.equal(page.status, 200);
    const { access_token: token } = await signInBy(id, {}, String(secret));
    assert.equal(decodeJwt(token)["client_id"], id);
  });

  it("the consent page leads to the policy and the terms of the client", async () => {
    const policy = { policy_uri: "https://app.example.org/privacy", tos_uri: "https://app.example.org/terms?a=1&b=2" };
    const { body } = await register({ redirect_uris: [REDIRECT_URI], ...policy }).expect(201);
    const person = new Person(gateway.baseUrl);
    const path = authPath(body.client_id, makePkce());
    const signIn = await person.agent.get(path).expect(200);
    await person.submit(path, signIn, { username: "guest", password: "guest", action: "sign-in" });
    const { text } = await person.agent.get(path).expect(200);
    assert.match(
      text,
      /<dt>Its privacy policy<\/dt>\s*<dd><a href="https:\/\/app.example.org\/privacy" rel="noreferrer"/,
    );
    assert.match(text, /<dt>Its terms<\/dt>\s*<dd><a href="https:\/\/app.example.org\/terms\?a=1&amp;b=2"/);
  });

  it("the consent page has the logo of the client in it, and asks the reader's browser for nothing from outside", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgaPgPAAIEAYCDTcyeAAAAAElFTkSuQmCC",
      "base64",
    );
    const logo = async (path: string, page?: Page): Promise<{ shown: string | undefined; policy: string }> => {
      if (page) site.put(path, page);
      const { body } = await register({ redirect_uris: [REDIRECT_URI], logo_uri: site.at(path) }).expect(201);
      const person = new Person(gateway.baseUrl);
      const consent = authPath(body.client_id, makePkce());
      const signIn = await person.agent.get(consent).expect(200);
      await person.submit(consent, signIn, { username: "guest", password: "guest", action: "sign-in" });
      const { text, headers } = await person.agent.get(consent).expect(200);
      assert.match(text, /<button type="submit" name="action" value="allow">/);
      assert.equal(text.includes(site.at("")), false, "nothing leads to the site");
      return {
        shown: /<img class="logo" src="([^"]*)" alt="" \/>/.exec(text)?.[1],
        policy: String(headers["content-security-policy"]),
      };
    };
    const right = await logo("/logo.png", { headers: { "Content-Type": "image/png" }, body: png });
    assert.equal(right.shown, `data:image/png;base64,${png.toString("base64")}`);
    assert.match(right.policy, /img-src 'self' data:;/);
    assert.equal((await logo("/logo.png")).shown, right.shown);
    assert.equal(site.asked.filter((path) => path === "/logo.png").length, 1, "it is kept");
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const [path, page] of [
      ["/logo.svg", { headers: { "Content-Type": "image/png" }, body: svg }],
      ["/gone.png", { status: 404, body: png }],
      ["/moved.png", { status: 302, headers: { Location: "/logo.png" } }],
      ["/large.png", { body: Buffer.concat([png, Buffer.alloc(32_000)]) }],
      ["/endless.png", { floods: true }],
      ["/late.png", { hangs: true }],
    ] as const) {
      const { shown, policy } = await logo(path, page);
      assert.equal(shown, undefined, path);
      assert.match(policy, /img-src 'self';/);
    }
  });

  it("a client reads, changes and removes its registration with the token that it was given, and nobody else does", async () => {
    const { body: made } = await register({ ...METADATA, token_endpoint_auth_method: "none" }).expect(201);
    const { body: other } = await register(METADATA).expect(201);
    const path = new URL(made.registration_client_uri).pathname;
    const as = (token: string) => ({ Authorization: `Bearer ${token}` });
    assert.equal("client_secret" in made, false);
    assert.equal(other.client_secret_expires_at, 0);

    const own = as(made.registration_access_token);
    const { body: read } = await gateway.http.get(path).set(own).expect(200);
    assert.deepEqual({ ...read }, made);
    for (const wrong of [{}, as(other.registration_access_token), as("x.y")])
      for (const method of ["get", "put", "delete"] as const) {
        const { headers, body } = await gateway.http[method](path).set(wrong).send(METADATA).expect(401);
        assert.equal(body.error, "invalid_token");
        assert.match(headers["www-authenticate"] ?? "", /^Bearer error="invalid_token"$/);
      }
    const change = { ...METADATA, token_endpoint_auth_method: "none", client_id: made.client_id };
    const put = (body: object) => gateway.http.put(path).set(own).send(body);
    assertOAuthError(await put({ ...change, client_id: other.client_id }), 400, "invalid_request");
    assertOAuthError(await put({ ...change, registration_access_token: "x" }), 400, "invalid_request");
    assertOAuthError(
      await put({ ...change, token_endpoint_auth_method: "client_secret_basic" }),
      400,
      "invalid_client_metadata",
    );
    const { body: changed } = await put({
      ...change,
      client_name: "Another",
      redirect_uris: ["https://b.example.org/"],
    });
    assert.deepEqual([changed.client_name, changed.redirect_uris], ["Another", ["https://b.example.org/"]]);
    assert.match((await gateway.http.get(authPath(made.client_id, makePkce()))).text, /not registered/);

    await gateway.http.delete(path).set(own).expect(204);
    await gateway.http.get(path).set(own).expect(401);
    assert.match((await gateway.http.get(authPath(made.client_id, makePkce()))).text, /no such client/);
  });

  it("metadata that cannot be had are refused by name; grants that only an administrator gives are left out", async () => {
    for (const [wrong, error] of [
      [{ redirect_uris: ["http://app.example.org/"] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["https://app.example.org/#x"] }, "invalid_redirect_uri"],
      [{ redirect_uris: [] }, "invalid_redirect_uri"],
      [{ redirect_uris: "https://app.example.org/" }, "invalid_redirect_uri"],
      [{ grant_types: ["password"] }, "invalid_client_metadata"],
      [{ response_types: ["token"] }, "invalid_client_metadata"],
      [{ token_endpoint_auth_method: "client_secret_jwt" }, "invalid_client_metadata"],
      [{ id_token_signed_response_alg: "none" }, "invalid_client_metadata"],
      [{ client_name: "x".repeat(201) }, "invalid_client_metadata"],
      [{ client_name: "a\0b" }, "invalid_client_metadata"],
      [{ client_uri: "javascript:alert(1)" }, "invalid_client_metadata"],
      [{ backchannel_logout_uri: "https://app.example.org/#x" }, "invalid_client_metadata"],
      [{ backchannel_logout_uri: "http://app.example.org/out" }, "invalid_client_metadata"],
      [{ jwks_uri: "http://app.example.org/jwks.json" }, "invalid_client_metadata"],
      [{ jwks_uri: "http://localhost.example.org/jwks.json" }, "invalid_client_metadata"],
      [{ default_max_age: -1 }, "invalid_client_metadata"],
      [{ sector_identifier_uri: "https://127.0.0.1/" }, "invalid_client_metadata"],
    ] as const)
      assertOAuthError(await register({ ...METADATA, ...wrong }), 400, error);
    for (const [body, type] of [
      ["[]", "application/json"],
      ["{", "application/json"],
      ["redirect_uris=x", "application/x-www-form-urlencoded"],
    ] as const)
      assert.equal((await gateway.http.post(REGISTER).set("Content-Type", type).send(body)).status, 400, body);
    const grant_types = ["authorization_code", "refresh_token", "password", "client_credentials", "implicit"];
    const { body } = await register({ ...METADATA, grant_types, admin: true, confirm: false, account: "captain" });
    assert.deepEqual(body.grant_types, ["authorization_code", "refresh_token"]);
    const [row] = await query("select confirm, account, origin from portolan.list_clients($1)", [[body.client_id]]);
    assert.deepEqual(row, { confirm: true, account: null, origin: "registration" });
  });

  it("a token of an administrator registers as many clients as he says, with the members that he says", async () => {
    const captain = { Authorization: `Bearer ${await gateway.token("captain")}` };
    const options = { uses: 2, members: { require_pkce: false } };
    const { body } = await gateway.http.post("/api/v4/registration-tokens").set(captain).send(options).expect(201);
    for (const _ of [1, 2]) {
      const { body: made } = await register(METADATA, body.token).expect(201);
      const [row] = await query("select require_pkce from portolan.clients where id = $1", [made.client_id]);
      assert.equal(row?.["require_pkce"], false);
    }
    for (const token of [body.token, `${body.token}x`, "x"])
      assert.equal((await register(METADATA, token).expect(401)).body.error, "invalid_token");
    await gateway.http
      .post("/api/v4/registration-tokens")
      .set({ Authorization: `Bearer ${await gateway.token("guest")}` })
      .send({})
      .expect(403);
  });

  it("a client keeps what its token and an administrator have imposed, whatever it says of itself later", async () => {
    const captain = { Authorization: `Bearer ${await gateway.token("captain")}` };
    const members = { require_par: true, grants: ["authorization_code"], access_token_lifetime_seconds: 300 };
    const { body: token } = await gateway.http
      .post("/api/v4/registration-tokens")
      .set(captain)
      .send({ members })
      .expect(201);
    const wanted = { ...METADATA, grant_types: ["authorization_code", "refresh_token"] };
    const { body: made } = await register(wanted, token.token).expect(201);
    assert.deepEqual([made.require_pushed_authorization_requests, made.grant_types], [true, ["authorization_code"]]);

    const change = (body: object) =>
      gateway.http.patch(`/api/v4/clients/${made.client_id}`).set(captain).send(body).expect(303);
    await change({ dpop_bound_access_tokens: true, post_logout_redirect_uris: [REDIRECT_URI], disabled: true });
    const path = new URL(made.registration_client_uri).pathname;
    const put = (more: object) =>
      gateway.http
        .put(path)
        .set({ Authorization: `Bearer ${made.registration_access_token}` })
        .send({ ...wanted, client_id: made.client_id, ...more })
        .expect(200);
    const asked = { require_pushed_authorization_requests: false, dpop_bound_access_tokens: false };
    const { body: told } = await put({ ...asked, client_name: "Mine" });
    const { body: client } = await gateway.http.get(`/api/v4/clients/${made.client_id}`).set(captain).expect(200);
    assert.deepEqual(
      [told.require_pushed_authorization_requests, told.dpop_bound_access_tokens, told.post_logout_redirect_uris],
      [true, true, [REDIRECT_URI]],
    );
    assert.deepEqual([client.require_par, client.dpop_bound_access_tokens, client.disabled], [true, true, true]);
    assert.deepEqual([client.grants, client.access_token_lifetime_seconds], [["authorization_code"], 300]);
    assert.deepEqual([client.name, client.post_logout_redirect_uris], ["Mine", [REDIRECT_URI]]);

    // false gives it back to the client
    await change({ require_par: false, disabled: false });
    assert.equal((await put({ require_pushed_authorization_requests: true })).body.dpop_bound_access_tokens, true);
    assert.equal((await put({})).body.require_pushed_authorization_requests, undefined);
  });

  it("such tokens are listed while they count, without what they are, and end by REST, SQL and the command line", async () => {
    const captain = { Authorization: `Bearer ${await gateway.token("captain")}` };
    const make = async (options: object): Promise<string> =>
      (await gateway.http.post("/api/v4/registration-tokens").set(captain).send(options).expect(201)).body.token;
    const list = async () => (await gateway.http.get("/api/v4/registration-tokens").set(captain).expect(200)).body;
    const members = { grants: ["authorization_code"], require_par: true, access_token_lifetime_seconds: 300 };
    const tokens = [await make({ uses: 5, members }), await make({}), await make({ uses: 9 })];
    const { body: made } = await register(METADATA, tokens[0]).expect(201);
    const { body: client } = await gateway.http.get(`/api/v4/clients/${made.client_id}`).set(captain).expect(200);
    assert.deepEqual([client.grants, client.require_par, client.access_token_lifetime_seconds], [["authorization_code"], true, 300]); // oxfmt-ignore
    const before = await list();
    assert.deepEqual(
      before.map(({ made_by, uses_left, members }: Record<string, unknown>) => [made_by, uses_left, members]),
      [
        ["captain", 9, {}],
        ["captain", 1, {}],
        ["captain", 4, members],
      ],
    );
    assert.ok(tokens.every((token) => !JSON.stringify(before).includes(token)));

    const { url, gatewayUrl } = gateway.database;
    const cli = (...args: string[]) =>
      command(["client", ...args], { env: { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url } });
    assert.match(cli("registration-tokens").stdout, /^id +made_by +made_at +expires_at +uses_left +members\n/);
    assert.equal(cli("remove-registration-token", before[0].id).stdout, `${before[0].id} is removed\n`);
    assert.match(cli("remove-registration-token", before[0].id).stderr, /there is no registration token/);
    const guest = { Authorization: `Bearer ${await gateway.token("guest")}` };
    const path = `/api/v4/registration-tokens/${before[1].id}`;
    await gateway.http.get("/api/v4/registration-tokens").set(guest).expect(403);
    await gateway.http.delete(path).set(guest).expect(403);
    await gateway.http.delete(path).set(captain).expect(204);
    await gateway.http.delete(path).set(captain).expect(404);
    await query("select portolan.drop_registration_token($1)", [before[2].id]);
    assert.deepEqual(await list(), []);
    for (const token of tokens) await register(METADATA, token).expect(401);
    await gateway.http.get(`/api/v4/clients/${made.client_id}`).set(captain).expect(200);
    assert.deepEqual(
      await query(
        "select details from portolan.audit where event = 'registration_token.removed' order by id desc limit 2",
      ),
      [
        { details: { by: "postgres", made_by: "captain", uses_left: 4 } },
        { details: { by: "captain", made_by: "captain", uses_left: 1 } },
      ],
    );
  });

  it("one network registers 50 clients an hour; those that are never used go after a day, others stay", async () => {
    const { body: unused } = await register(METADATA).expect(201);
    const { body: used } = await register({ ...METADATA, token_endpoint_auth_method: "none" }).expect(201);
    await signInBy(used.client_id);
    await query("update portolan.clients set created_at = now() - interval '2 days' where registered_from is not null");
    await query("select portolan.clear_expired(365)");
    const ids = (await query("select id from portolan.clients where origin = 'registration'")).map(({ id }) => id);
    assert.deepEqual([ids.includes(unused.client_id), ids.includes(used.client_id)], [false, true]);

    for (let n = 0; n < 50; n++) await register(METADATA).expect(201);
    const { headers } = await register(METADATA).expect(429);
    assert.equal(headers["retry-after"], "3600");
    await query("update portolan.clients set created_at = now() - interval '1 day' where registered_from is not null");
  });

  it("a client that is disabled gets nothing, its tokens and sockets end, and it goes on when it is enabled", async () => {
    const { body } = await register({
      ...METADATA,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    }).expect(201);
    const { access_token, refresh_token } = await signInBy(body.client_id);
    const captain = { Authorization: `Bearer ${await gateway.token("captain")}` };
    const disable = (disabled: boolean) =>
      gateway.http.patch(`/api/v4/clients/${body.client_id}`).set(captain).send({ disabled }).expect(303);
    const users = () => gateway.http.get("/api/v4/users/guest").auth(access_token, { type: "bearer" });
    const refresh = () =>
      gateway.http
        .post("/api/v4/oauth")
        .send({ grant_type: "refresh_token", client_id: body.client_id, refresh_token });
    await users().expect(200);
    await disable(true);
    await until(async () => (await users()).status === 401);
    assertOAuthError(await refresh(), 401, "invalid_client");
    assert.match((await gateway.http.get(authPath(body.client_id, makePkce()))).text, /The client is disabled/);
    await disable(false);
    await until(async () => (await users()).status === 200);
    await refresh().expect(200);
    for (const id of ["portolan-cli", "portolan-console"])
      await gateway.http.patch(`/api/v4/clients/${id}`).set(captain).send({ disabled: true }).expect(409);
  });

  it("only a confidential client may do without PKCE, where an administrator says so, and then for an ID token", async () => {
    const { body } = await register(METADATA).expect(201);
    const update = (members: object) => query("select portolan.update_client($1, $2)", [body.client_id, members]);
    await update({ require_pkce: false });
    const start = async (more: Record<string, string | undefined>) => {
      const none = { code_challenge: undefined, code_challenge_method: undefined };
      const { headers } = await gateway.http.get(
        authPath(body.client_id, makePkce(), { prompt: "none", ...none, ...more }),
      );
      return new URL(headers["location"] ?? "").searchParams.get("error");
    };
    assert.equal(await start({ scope: "openid", nonce: "n" }), "login_required");
    assert.equal(await start({ nonce: "n" }), "invalid_request");
    assert.equal(await start({ scope: "openid", code_challenge_method: "S256" }), "invalid_request");
    const path = authPath(body.client_id, makePkce(), {
      code_challenge: undefined,
      code_challenge_method: undefined,
      scope: "openid",
      nonce: "n",
    });
    const url = await new Person(gateway.baseUrl).authorize(path, "guest");
    const grant = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code: url.searchParams.get("code") };
    const send = (more: object) =>
      gateway.http
        .post("/api/v4/oauth")
        .auth(body.client_id, body.client_secret)
        .send({ ...grant, ...more });
    assertOAuthError(await send({ code_verifier: makePkce().verifier }), 400, "invalid_grant");
    assert.equal(decodeJwt((await send({}).expect(200)).body.id_token)["nonce"], "n");
    await assert.rejects(update({ public: true }), /only a confidential client/);
  });

  it("userinfo is signed for a client that has registered that", async () => {
    const { body } = await register({
      ...METADATA,
      token_endpoint_auth_method: "none",
      userinfo_signed_response_alg: "ES256",
    }).expect(201);
    const { access_token } = await signInBy(body.client_id, { scope: "openid email" });
    const {
      headers,
      text,
      body: bytes,
    } = await gateway.http.get("/api/v4/oauth/userinfo").auth(access_token, { type: "bearer" }).expect(200);
    assert.equal(headers["content-type"], "application/jwt");
    const keys = createRemoteJWKSet(new URL(`${gateway.baseUrl}/.well-known/jwks.json`));
    const token = text ?? (bytes as Buffer).toString("utf8");
    const { payload } = await jwtVerify(token, keys, { issuer: gateway.baseUrl, audience: body.client_id });
    assert.ok(payload.sub);
  });

  it("default_max_age counts where a request does not say, and http is for addresses of the same machine", async () => {
    const { body } = await register({
      ...METADATA,
      default_max_age: 100,
      jwks_uri: "http://127.0.0.1:4711/jwks.json",
      backchannel_logout_uri: "http://localhost/out",
    }).expect(201);
    const person = new Person(gateway.baseUrl);
    await person.authorize(authPath(body.client_id, makePkce(), { scope: "openid" }), "guest");
    const ask = async (more: Record<string, string> = {}) =>
      (await person.agent.get(authPath(body.client_id, makePkce(), { scope: "openid", ...more }))).status;
    assert.equal(await ask(), 302);
    await query("update portolan.sessions set created_at = created_at - interval '5 minutes'");
    assert.equal(await ask(), 200, "the sign-in page");
    assert.equal(await ask({ max_age: "1000" }), 302);
  });

  it("a secret counts only in the way that the client has registered", async () => {
    const { body } = await register({ ...METADATA, token_endpoint_auth_method: "client_secret_post" }).expect(201);
    const { client_id, client_secret } = body;
    const revoke = () => gateway.http.post("/api/v4/oauth/revoke");
    await revoke().send({ token: "x", client_id, client_secret }).expect(200);
    assertOAuthError(await revoke().auth(client_id, client_secret).send({ token: "x" }), 401, "invalid_client");
  });

  describe("a document at the address that is the client's id", () => {
    const document = (path: string, more: object = {}) =>
      JSON.stringify({ client_id: site.at(path), ...METADATA, redirect_uris: ["http://127.0.0.1/cb"], ...more });

    it("signs people in at a port that is free just then; it is read once and stays while it is used", async () => {
      site.put("/app.json", { body: document("/app.json", { grant_types: ["authorization_code", "refresh_token"] }) });
      const id = site.at("/app.json");
      const { body } = await gateway.http.get("/.well-known/oauth-authorization-server").expect(200);
      assert.equal(body.client_id_metadata_document_supported, true);
      assert.ok(body.token_endpoint_auth_methods_supported.includes("none"));
      const person = new Person(gateway.baseUrl);
      assert.equal((await person.agent.get(authPath(id, makePkce(), { redirect_uri: "http://127.0.0.1:4711/cb" }))).status, 200); // oxfmt-ignore
      assert.deepEqual(await query("select from portolan.clients where id = $1", [id]), [], "nobody has signed in");

      const { access_token, refresh_token } = await signInBy(id, { redirect_uri: "http://127.0.0.1:4711/cb" });
      assert.equal(decodeJwt(access_token)["client_id"], id);
      const refresh = { grant_type: "refresh_token", client_id: id, refresh_token };
      await gateway.http.post("/api/v4/oauth").send(refresh).expect(200);
      assert.equal(site.asked.filter((path) => path === "/app.json").length, 1);
      for (const redirect_uri of ["http://127.0.0.1:4711/other", "http://localhost:4711/cb", "https://127.0.0.1/cb"])
        assert.match((await gateway.http.get(authPath(id, makePkce(), { redirect_uri }))).text, /not registered/);

      const captain = { Authorization: `Bearer ${await gateway.token("captain")}` };
      const path = `/api/v4/clients/${encodeURIComponent(id)}`;
      assert.equal((await gateway.http.get(path).set(captain).expect(200)).body.origin, "document");
      await gateway.http.patch(path).set(captain).send({ disabled: true }).expect(303);
      const users = () => gateway.http.get("/api/v4/users/guest").auth(access_token, { type: "bearer" });
      await until(async () => (await users()).status === 401);
    });

    it("gives guest tokens, though nobody has signed in by it yet", async () => {
      site.put("/map.json", { body: document("/map.json") });
      const ask = () => gateway.http.post("/api/v4/oauth/guest").send({ client_id: site.at("/map.json") });
      assertOAuthError(await ask(), 400, "invalid_request");
      await query("select portolan.create_user('visitor', 'v')");
      await query(`select portolan.update_user('visitor', '{"default_user": true}')`);
      const { body } = await ask().expect(200);
      await gateway.http.get("/api/v4/users/visitor").auth(body.access_token, { type: "bearer" }).expect(200);
      await query(`select portolan.update_user('visitor', '{"default_user": false}')`);
    });

    it("that is disabled stays so, however long nobody uses it", async () => {
      site.put("/agent.json", { body: document("/agent.json") });
      const id = site.at("/agent.json");
      const captain = { Authorization: `Bearer ${await gateway.token("captain")}` };
      await signInBy(id, { redirect_uri: "http://127.0.0.1:4711/cb" });
      await gateway.http.patch(`/api/v4/clients/${encodeURIComponent(id)}`).set(captain).send({ disabled: true }).expect(303); // oxfmt-ignore
      await query("update portolan.clients set created_at = now() - interval '1 year' where id = $1", [id]);
      await query("update portolan.client_uses set used_at = now() - interval '1 year' where client_id = $1", [id]);
      await query("delete from portolan.token_families where client_id = $1", [id]);
      await query("select portolan.clear_expired(365)");
      const page = await gateway.http.get(authPath(id, makePkce(), { redirect_uri: "http://127.0.0.1:4711/cb" }));
      assert.match(textOf(page), /The client is disabled/);
    });

    it("that is none, is another client's, has a secret, redirects, is big, or is not there, makes no client", async () => {
      const pages: Record<string, Page> = {
        "/missing.json": { status: 404 },
        "/moved.json": { status: 302, headers: { Location: site.at("/app.json") } },
        "/other.json": { body: document("/app.json") },
        "/html.json": { body: document("/html.json"), headers: { "Content-Type": "text/html" } },
        "/list.json": { body: "[]" },
        "/broken.json": { body: "{" },
        "/secret.json": { body: document("/secret.json", { client_secret: "s" }) },
        "/symmetric.json": { body: document("/symmetric.json", { token_endpoint_auth_method: "client_secret_post" }) },
        "/bare.json": { body: JSON.stringify({ client_id: site.at("/bare.json") }) },
        "/big.json": { body: document("/big.json", { padding: "x".repeat(6000) }) },
      };
      for (const [path, page] of Object.entries(pages)) {
        site.put(path, page);
        const { status, text } = await gateway.http.get(authPath(site.at(path), makePkce()));
        assert.ok(status >= 400 && status < 500, `${path} ${status} ${text}`);
      }
    });

    it("that could not be read is not asked for again at once, and one host or network not without end", async () => {
      const other = await testGateway({
        config: {
          clientMetadataDocuments: true,
          privateClientHosts: ["localhost"],
          trustedProxies: ["127.0.0.1", "::1"],
        },
      });
      try {
        const ask = (path: string, address: string) =>
          other.http.get(authPath(site.at(path), makePkce())).set("X-Forwarded-For", address);
        const reads = (path: string) => site.asked.filter((asked) => asked === path).length;
        for (const _ of [1, 2, 3]) assert.match(textOf(await ask("/gone.json", "192.0.2.1")), /answers with 404/);
        assert.equal(reads("/gone.json"), 1);
        const statuses = [];
        // each from another network of one site
        for (let n = 0; n < 60; n++)
          statuses.push((await ask(`/gone-${n}.json`, `2001:db8:1:${n.toString(16)}::1`)).status);
        assert.deepEqual([statuses[58], statuses[59]], [401, 429]);
        assert.equal(reads("/gone-59.json"), 0);
      } finally {
        await other.close();
      }
    });

    it("that has no end is left after its first bytes", async () => {
      site.put("/flood.json", { floods: true });
      const { status } = await gateway.http.get(authPath(site.at("/flood.json"), makePkce()));
      assert.ok(status >= 400 && status < 500, String(status));
      assert.ok(flooded < 20_000_000, `${flooded} bytes`); // what the sockets of both sides hold
    });

    it("names its sector and its keys, which are read from there, and again when a key is new", async () => {
      const redirect_uris = ["https://one.example.org/cb", "https://two.example.org/cb"];
      site.put("/sector.json", { body: JSON.stringify(redirect_uris.slice(0, 1)) });
      const members = { ...METADATA, redirect_uris, subject_type: "pairwise" };
      const sector_identifier_uri = site.at("/sector.json");
      assertOAuthError(await register({ ...members, sector_identifier_uri }), 400, "invalid_client_metadata");
      site.put("/sector.json", { body: JSON.stringify(redirect_uris) });
      await register({ ...members, sector_identifier_uri }).expect(201);

      const keys = await Promise.all(["a", "b"].map((kid) => makeKey(kid)));
      const publish = (index: number) => site.put("/keys.json", { body: JSON.stringify({ keys: [keys[index]!.jwk] }) });
      publish(0);
      const { body } = await register({
        ...METADATA,
        token_endpoint_auth_method: "private_key_jwt",
        jwks_uri: site.at("/keys.json"),
      }).expect(201);
      const revoke = async (index: number) => {
        const { kid, privateKey } = keys[index]!;
        const { client_id: id } = body;
        const assertion = await new SignJWT({ iss: id, sub: id, aud: gateway.baseUrl, jti: randomUUID() })
          .setProtectedHeader({ alg: "ES256", kid })
          .setIssuedAt()
          .setExpirationTime("1m")
          .sign(privateKey);
        const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
        return gateway.http
          .post("/api/v4/oauth/revoke")
          .send({ token: "x", client_assertion_type: type, client_assertion: assertion });
      };
      assert.equal((await revoke(0)).status, 200);
      assert.equal((await revoke(1)).status, 401, "a key that is not published");
      publish(1);
      await query("delete from portolan.lockouts");
      const { now } = Date;
      Date.now = () => now() + 6000; // an address is read again five seconds after it was read
      try {
        assert.equal((await revoke(1)).status, 200);
      } finally {
        Date.now = now;
      }
    });

    it("at an address that is not public is never asked for, however it is written", async () => {
      site.put("/private.json", { body: document("/private.json") });
      const before = site.asked.length;
      for (const host of ["127.0.0.1", "127.1", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "LOCALHOST."]) {
        const id = `https://${host}:${site.port}/private.json`;
        const { status } = await gateway.http.get(authPath(id, makePkce()));
        assert.ok(status >= 400 && status < 500, `${host} ${status}`);
      }
      for (const id of [
        site.at("/"),
        `http://localhost:${site.port}/private.json`,
        `https://user@localhost:${site.port}/private.json`,
        site.at("/a/../private.json"),
        site.at("/private.json#x"),
      ])
        assert.ok((await gateway.http.get(authPath(id, makePkce()))).status >= 400, id);
      assert.equal(site.asked.length, before);
      for (const address of [
        "10.1.2.3",
        "100.64.1.1",
        "169.254.169.254",
        "192.168.0.1",
        "172.20.0.1",
        "224.0.0.1",
        "fe80::1",
        "fc00::1",
        "::",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "::ffff:8.8.8.8",
      ])
        // oxfmt-ignore
        assert.equal(isPublic(address), false, address);
      for (const address of ["8.8.8.8", "172.32.0.1", "2606:4700::1111"])
        assert.equal(isPublic(address), true, address);
    });

    it("is read from the address that was judged, though the name has another a moment later; one that is slow is left", async () => {
      const before = site.asked.length;
      let asked = 0;
      const resolve = () => Promise.resolve([{ address: ++asked === 1 ? "10.0.0.1" : "127.0.0.1", family: 4 }]);
      const options = { url: `https://rebound.example.org:${site.port}/private.json`, privateHosts: [], resolve };
      await assert.rejects(fetchPublic(options), FetchRefused);
      assert.deepEqual([asked, site.asked.length], [1, before]);

      site.put("/slow.json", { hangs: true });
      await assert.rejects(
        fetchPublic({ url: site.at("/slow.json"), privateHosts: ["localhost"] }),
        (error: FetchRefused) => error.message.includes("within 5 s"),
      );
    }).timeout(10_000);
  });
});

describe("a service without registration and documents", () => {
  it("registers nobody, reads no document, and its metadata name neither", async () => {
    const gateway = await testGateway();
    try {
      assert.equal((await gateway.http.post(REGISTER).send(METADATA)).status, 400);
      const { body } = await gateway.http.get("/.well-known/oauth-authorization-server").expect(200);
      assert.equal("registration_endpoint" in body || "client_id_metadata_document_supported" in body, false);
      const page = await gateway.http.get(authPath("https://localhost/client.json", makePkce()));
      assert.match(textOf(page), /There is no such client/);
    } finally {
      await gateway.close();
    }
  });

  it("knows none that a document described while the option was on", async () => {
    const gateway = await testGateway();
    try {
      const id = "https://localhost/client.json";
      const members = { public: true, redirect_uri: [REDIRECT_URI], grants: ["authorization_code", "refresh_token"] };
      await gateway.database.client.query("select portolan.change_registration($1, $2, '{}', true)", [id, members]);
      assert.match(textOf(await gateway.http.get(authPath(id, makePkce()))), /There is no such client/);
      const refresh = { grant_type: "refresh_token", client_id: id, refresh_token: "x" };
      assertOAuthError(await gateway.http.post("/api/v4/oauth").send(refresh), 401, "invalid_client");
    } finally {
      await gateway.close();
    }
  });
});
