/**
 * Clients that prove who they are: assertions (RFC 7523), requests that they push (RFC 9126), and tokens that are bound to a key
 * (RFC 9449) at every door. The attacks of RFC 9700 on each: used again, of another client, another key, for somebody else.
 */
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import {
  SignJWT,
  UnsecuredJWT,
  calculateJwkThumbprint,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from "jose";
import * as oauth from "oauth4webapi";
import supertest from "supertest";
import { createLog } from "../../server/ground/log.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { freePort } from "../support/freePort.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { SocketClient } from "../support/webSocket.ts";
import { Person, REDIRECT_URI, addClient, assertOAuthError, authPath, makePkce } from "./support.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

type Claims = Readonly<Record<string, unknown>>;

interface Key {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
  readonly jkt: string;
}

async function makeKey(alg = "ES256"): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, publicKey, jwk, jkt: await calculateJwkThumbprint(jwk) };
}

const now = () => Math.floor(Date.now() / 1000);
const athOf = (token: string) => createHash("sha256").update(token).digest("base64url");

interface Proof {
  readonly htm: string;
  readonly htu: string;
  readonly token?: string;
  readonly claims?: Claims;
  readonly header?: object;
}

/** A proof of DPoP, with the given changes. */
async function prove(key: Key, { htm, htu, token, claims = {}, header = {} }: Proof): Promise<string> {
  const ath = token === undefined ? {} : { ath: athOf(token) };
  return new SignJWT({ jti: randomUUID(), iat: now(), htm, htu, ...ath, ...claims })
    .setProtectedHeader({ alg: key.alg, typ: "dpop+jwt", jwk: key.jwk, ...header })
    .sign(key.privateKey);
}

/** A proof that is signed with the public key as the secret of HS256, whose thumbprint is that of the token. */
async function confusedProof({ jwk }: Key, { htm, htu, token = "" }: Proof): Promise<string> {
  return new SignJWT({ jti: randomUUID(), iat: now(), htm, htu, ath: athOf(token) })
    .setProtectedHeader({ alg: "HS256", typ: "dpop+jwt", jwk })
    .sign(Buffer.from(JSON.stringify(jwk)));
}

describe("clients that prove who they are", () => {
  let gateway: TestGateway;
  let other: Gateway;
  /** Where the other gateway listens; its service has the address of the first one. */
  let otherAddress: string;
  let key: Key;
  let stranger: Key;
  let tokenUrl: string;
  const post = (body: object, headers: Record<string, string> = {}, path = "/api/v4/oauth") =>
    gateway.http.post(path).set(headers).send(body);
  const password = { grant_type: "password", username: "guest", password: "guest" };
  const update = (id: string, members: object) =>
    gateway.database.client.query("select portolan.update_client($1, $2)", [id, members]);

  before(async () => {
    gateway = await testGateway({ config: { mcp: true, mfa: "offered" } });
    const { name, gatewayUrl: url, url: ownerUrl } = gateway.database;
    const port = await freePort();
    other = await startGateway(
      { ...makeConfig({ databases: { [name]: { url, ownerUrl } }, port, baseUrl: gateway.baseUrl, mfa: "offered" }) },
      createLog("silent"),
    );
    otherAddress = `http://127.0.0.1:${port}`;
    tokenUrl = `${gateway.baseUrl}/api/v4/oauth`;
    [key, stranger] = await Promise.all([makeKey(), makeKey()]);
    const grants = ["authorization_code", "refresh_token", "password", "token_exchange"];
    await addClient(gateway.database, "spa", { grants });
    for (const id of ["signs", "fapi"]) {
      await addClient(gateway.database, id, { public: false, grants });
      await update(id, { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key.jwk] } });
    }
    await update("fapi", { require_par: true, dpop_bound_access_tokens: true });
  });
  after(async () => {
    await other.close();
    await gateway.close();
  });

  /** An assertion of a client, with the given changes. */
  async function assertion(id: string, claims: Claims = {}, by = key, header: object = {}): Promise<string> {
    const all = { iss: id, sub: id, aud: gateway.baseUrl, jti: randomUUID(), iat: now(), exp: now() + 60, ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: by.alg, ...header }).sign(by.privateKey);
  }
  const asserted = (text: string) => ({ client_assertion_type: ASSERTION_TYPE, client_assertion: text });
  const proofFor = (claims: Claims = {}, by = key) =>
    prove(by, { htm: "POST", htu: tokenUrl, claims }).then((DPoP) => ({ DPoP }));
  /** A token of the public client that is bound to a key. */
  const boundToken = async (more: object = {}) =>
    (await post({ ...password, client_id: "spa", ...more }, await proofFor()).expect(200)).body;
  const refused = async (response: Promise<supertest.Response> | supertest.Test, error: string) => {
    const { status, body, text } = await response;
    assert.deepEqual([status, body.error], [error === "invalid_client" ? 401 : 400, error], text);
  };

  describe("by an assertion (private_key_jwt)", () => {
    it("with a key of its own; it counts once, at every gateway", async () => {
      const text = await assertion("signs");
      await post({ ...password, ...asserted(text) }).expect(200);
      await refused(post({ ...password, ...asserted(text) }), "invalid_client");
      await refused(supertest(otherAddress).post("/api/v4/oauth").send({ ...password, ...asserted(text) }), "invalid_client"); // oxfmt-ignore
      for (const aud of [tokenUrl, [gateway.baseUrl, "https://other.example.org"]])
        await post({ ...password, ...asserted(await assertion("signs", { aud })) }).expect(200);
      await post({ ...password, client_id: "signs", ...asserted(await assertion("signs")) }).expect(200);
    });

    it("of nobody else, for nobody else, not late, not early, not of another kind", async () => {
      await gateway.database.client.query("delete from portolan.lockouts");
      const { privateKey: _, ...rest } = key;
      const secret = Buffer.from(JSON.stringify(rest.jwk));
      const hmac = new SignJWT({ iss: "signs", sub: "signs", aud: gateway.baseUrl, jti: "h", exp: now() + 60 });
      const wrong: [string, string][] = [
        ["another key", await assertion("signs", {}, stranger)],
        ["another client", await assertion("signs", { iss: "fapi" })],
        ["for another", await assertion("signs", { aud: "https://other.example.org" })],
        ["for another address", await assertion("signs", { aud: `${gateway.baseUrl}.evil.example` })],
        ["late", await assertion("signs", { exp: now() - 30 })],
        ["early", await assertion("signs", { nbf: now() + 60 })],
        ["of the future", await assertion("signs", { iat: now() + 120, exp: now() + 180 })],
        ["for ever", await assertion("signs", { exp: now() + 7200 })],
        ["without an end", await assertion("signs", { exp: undefined })],
        ["without jti", await assertion("signs", { jti: undefined })],
        ["a proof", await assertion("signs", {}, key, { typ: "dpop+jwt" })],
        ["none", new UnsecuredJWT({ iss: "signs", sub: "signs", aud: gateway.baseUrl, jti: "n" }).setExpirationTime("1m").encode()], // oxfmt-ignore
        ["confused", await hmac.setProtectedHeader({ alg: "HS256" }).sign(secret)],
        ["no JWT", "x.y.z"],
      ];
      for (const [what, text] of wrong) {
        const { status, body } = await post({ ...password, client_id: "signs", ...asserted(text) });
        assert.deepEqual([status, body.error], [401, "invalid_client"], what);
        await gateway.database.client.query("delete from portolan.lockouts");
      }
      const text = await assertion("signs");
      await refused(post({ ...password, client_id: "spa", ...asserted(text) }), "invalid_client");
      await refused(post({ ...password, ...asserted(text), client_assertion_type: "jwt" }), "invalid_client");
      await refused(post({ ...password, ...asserted(text), client_secret: "s" }), "invalid_request");
      await refused(post({ ...password, client_id: "signs", client_secret: "s" }), "invalid_client");
      await refused(post({ ...password, ...asserted(await assertion("spa")) }), "invalid_client");
      await gateway.database.client.query("delete from portolan.lockouts");
    });

    it("a client of FAPI 2.0 signs by ES256 or PS256, for the service alone, and has codes of 60 s", async () => {
      const [rsa, pss] = await Promise.all([makeKey("RS256"), makeKey("PS256")]);
      const keys = [key.jwk, { ...rsa.jwk, kid: "rsa" }, { ...pss.jwk, kid: "pss" }];
      for (const id of ["signs", "fapi"]) await update(id, { jwks: { keys } });
      const grant = async (id: string, text: string) =>
        (await post({ ...password, ...asserted(text) }, await proofFor())).status;
      assert.equal(await grant("signs", await assertion("signs", {}, rsa, { kid: "rsa" })), 200);
      assert.equal(await grant("fapi", await assertion("fapi", {}, rsa, { kid: "rsa" })), 401);
      assert.equal(await grant("fapi", await assertion("fapi", {}, pss, { kid: "pss" })), 200);
      assert.equal(await grant("fapi", await assertion("fapi", { aud: [gateway.baseUrl, tokenUrl] })), 200);
      assert.equal(await grant("fapi", await assertion("fapi", { aud: [] })), 401);
      assert.equal(await grant("fapi", await assertion("fapi", { aud: ["https://b.example"] })), 401);
      const { rows } = await gateway.database.client.query(
        "select code_lifetime_seconds as seconds, id_token_signed_response_alg as alg from portolan.clients where id = 'fapi'",
      );
      assert.deepEqual(rows, [{ seconds: 60, alg: "ES256" }]);
      await assert.rejects(update("fapi", { token_endpoint_auth_signing_alg: "RS256" }), /ES256 or PS256/);
      await assert.rejects(update("signs", { jwks: { keys: [await exportJWK(key.privateKey)] } }), /public keys only/);
      await assert.rejects(update("signs", { jwks: null }), /has its public keys/);
      await gateway.database.client.query("delete from portolan.lockouts");
    });

    it("a client of FAPI 2.0 signs proofs by ES256 or PS256 too, for tokens and at every door", async () => {
      const pss = await makeKey("PS256");
      // the same key, and so the same thumbprint
      const rsa = {
        ...pss,
        alg: "RS256",
        privateKey: await importJWK(await exportJWK(pss.privateKey), "RS256"),
      } as Key;
      const grant = async (id: string, by: Key) =>
        post({ ...password, ...asserted(await assertion(id)) }, await proofFor({}, by));
      await refused(grant("fapi", rsa), "invalid_dpop_proof");
      for (const [id, status] of [
        ["signs", 200],
        ["fapi", 401],
      ] as const) {
        const { access_token: token } = (await grant(id, pss)).body;
        const path = "/api/v4/users/guest";
        const ask = async (by: Key) => {
          const DPoP = await prove(by, { htm: "GET", htu: gateway.baseUrl + path, token });
          return gateway.http.get(path).set({ Authorization: `DPoP ${token}`, DPoP });
        };
        assert.equal((await ask(pss)).status, 200);
        const answer = await ask(rsa);
        assert.equal(answer.status, status, id);
        if (status === 401) assert.match(answer.headers["www-authenticate"] ?? "", /DPoP error="invalid_dpop_proof"/);
      }
    });
  });

  describe("by a request that it has pushed", () => {
    const PAR = "/api/v4/oauth/par";
    const parametersOf = (pkce = makePkce(), more: object = {}) => ({
      response_type: "code",
      redirect_uri: REDIRECT_URI,
      code_challenge: pkce.challenge,
      code_challenge_method: "S256",
      state: "s",
      ...more,
    });
    const push = async (id: string, more: object = {}, pkce = makePkce(), headers: Record<string, string> = {}) =>
      post(
        { ...parametersOf(pkce, more), ...(id === "spa" ? { client_id: id } : asserted(await assertion(id))) },
        headers,
        PAR,
      );
    const at = (client_id: string, request_uri: string, more: Record<string, string> = {}) =>
      `/auth?${new URLSearchParams({ client_id, request_uri, ...more })}`;
    const codeOf = async (id: string, uri: string, more: Record<string, string> = {}) =>
      (await new Person(gateway.baseUrl).authorize(at(id, uri, more), "guest")).searchParams;

    it("alone counts, once, for the client that pushed it, and not for long", async () => {
      const { status, body } = await push("signs");
      assert.deepEqual([status, body.expires_in], [201, 60]);
      const { request_uri: uri } = body;
      assert.match((await gateway.http.get(at("spa", uri))).text, /not known/);
      const answer = await codeOf("signs", uri, { redirect_uri: "https://evil.example.org/", state: "other" });
      assert.deepEqual([answer.get("state"), answer.get("iss"), answer.has("code")], ["s", gateway.baseUrl, true]);
      assert.match((await gateway.http.get(at("signs", uri))).text, /was used/);

      const { body: late } = await push("signs");
      await gateway.database.client.query("update portolan.pushed_requests set expires_at = now()");
      assert.match((await gateway.http.get(at("signs", late.request_uri))).text, /has expired/);
      for (const bad of ["urn:ietf:params:oauth:request_uri:x", "https://evil.example.org/request", "x"])
        assert.ok((await gateway.http.get(at("signs", bad))).status >= 400, bad);
    });

    it("is checked when it is pushed, and is required of a client whose require_par is set", async () => {
      for (const [more, error] of [
        [{ redirect_uri: "https://evil.example.org/" }, "invalid_request"],
        [{ response_type: "token" }, "unsupported_response_type"],
        [{ code_challenge: undefined }, "invalid_request"],
        [{ code_challenge_method: "plain" }, "invalid_request"],
        [{ scope: "a\tb" }, "invalid_scope"],
        [{ resource: "https://evil.example.org/" }, "invalid_target"],
        [{ request_uri: "urn:ietf:params:oauth:request_uri:x" }, "invalid_request"],
        [{ request: "x.y.z" }, "request_not_supported"],
        [{ dpop_jkt: "short" }, "invalid_request"],
        [{ dpop_jkt: stranger.jkt }, "invalid_dpop_proof"],
      ] as const)
        await refused(push("signs", more, makePkce(), { DPoP: await prove(key, { htm: "POST", htu: tokenUrl + "/par" }) }), error); // oxfmt-ignore
      await refused(post({ ...parametersOf(), client_id: "signs" }, {}, PAR), "invalid_client");
      const { headers } = await gateway.http.get(authPath("fapi", makePkce()));
      assert.equal(new URL(headers["location"] ?? "").searchParams.get("error"), "invalid_request");
    });

    it("a code that it bound to a key needs a proof of that key; a client of FAPI 2.0 goes all the way", async () => {
      const pkce = makePkce();
      const DPoP = await prove(key, { htm: "POST", htu: `${tokenUrl}/par` });
      const { body } = await push("fapi", { scope: "openid" }, pkce, { DPoP });
      const code = (await codeOf("fapi", body.request_uri)).get("code");
      const grant = {
        grant_type: "authorization_code",
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: pkce.verifier,
      };
      const exchange = async (headers: Record<string, string>) =>
        post({ ...grant, ...asserted(await assertion("fapi")) }, headers);
      await refused(exchange({}), "invalid_request");
      await refused(exchange(await proofFor({}, stranger)), "invalid_grant");
      const { body: first } = await exchange(await proofFor()).then((answer) => answer);
      assert.deepEqual([first.token_type, decodeJwt(first.access_token)["cnf"]], ["DPoP", { jkt: key.jkt }]);

      const refresh = async (refresh_token: string) =>
        post({ grant_type: "refresh_token", refresh_token, ...asserted(await assertion("fapi")) }, await proofFor());
      const { body: second } = await refresh(first.refresh_token);
      await gateway.database.client.query(
        "update portolan.refresh_tokens set rotated_at = rotated_at - interval '1 hour' where rotated_at is not null; select portolan.clear_expired(365)",
      );
      const isActive = async (token: string) =>
        (await post({ token, ...asserted(await assertion("fapi")) }, {}, "/api/v4/oauth/introspect")).body.active;
      assert.deepEqual([await isActive(first.refresh_token), await isActive(second.refresh_token)], [true, true]);
      const { body: again } = await refresh(first.refresh_token);
      assert.equal(again.refresh_token, second.refresh_token, "the answer was lost: the last one holds");
      const { body: third } = await refresh(second.refresh_token);
      assert.deepEqual([await isActive(first.refresh_token), await isActive(third.refresh_token)], [false, true]);
      await refused(refresh(first.refresh_token), "invalid_grant");
      assert.equal(await isActive(third.refresh_token), false);
      await refused(refresh(third.refresh_token), "invalid_grant");
    });
  });

  describe("by a key that their tokens are bound to (DPoP)", () => {
    const doors = () =>
      [
        ["GET", "/api/v4/users/guest"],
        ["GET", `/api/v4/ogc/database/${gateway.database.name}/collections`],
        ["POST", "/api/graphql/schema/world"],
        ["POST", "/api/v4/call"],
        ["POST", "/api/v4/sql"],
        ["POST", `/mcp/${gateway.database.name}`],
        ["GET", `/ows/${gateway.database.name}?service=WMS&request=GetCapabilities`],
      ] as const;
    const ask = (method: string, path: string, headers: Record<string, string>) =>
      method === "GET"
        ? gateway.http.get(path).set(headers)
        : gateway.http
            .post(path)
            .set(headers)
            .send(
              path.includes("graphql") ? { query: "{ __typename }" } : path.endsWith("sql") ? { q: "select 1" } : [],
            );

    const unboundFor = async (resource?: string) =>
      (await post({ ...password, client_id: "spa", resource }).expect(200)).body.access_token as string;

    it("every door wants the scheme DPoP and a proof for this very request, once, at every gateway", async () => {
      const { access_token: token, token_type: type } = await boundToken();
      assert.equal(type, "DPoP");
      for (const [method, path] of doors()) {
        const resource = path.startsWith("/mcp") ? gateway.baseUrl + path : undefined;
        const { access_token: token } = await boundToken(resource === undefined ? {} : { resource });
        const htu = gateway.baseUrl + path.split("?")[0];
        const send = async (change: Partial<Proof> & { by?: Key } = {}) =>
          ask(method, path, {
            Authorization: `DPoP ${token}`,
            DPoP: await prove(change.by ?? key, { htm: method, htu, token, ...change }),
          });
        assert.notEqual((await send()).status, 401, path);
        assert.notEqual((await send({ htu: `${htu}?any=1#x` })).status, 401, path);
        const wrong: [string, supertest.Response][] = [
          ["another key", await send({ by: stranger })],
          ["another method", await send({ htm: method === "GET" ? "POST" : "GET" })],
          ["another address", await send({ htu: `${gateway.baseUrl}/elsewhere` })],
          ["another host", await send({ htu: htu.replace("127.0.0.1", "evil.example") })],
          ["another token", await send({ claims: { ath: athOf("x") } })],
          ["no token", await send({ claims: { ath: undefined } })],
          ["late", await send({ claims: { iat: now() - 90 } })],
          ["early", await send({ claims: { iat: now() + 90 } })],
          ["no time", await send({ claims: { iat: undefined } })],
          ["no id", await send({ claims: { jti: undefined } })],
          ["another kind", await send({ header: { typ: "JWT" } })],
          ["a private key", await send({ header: { jwk: await exportJWK(key.privateKey) } })],
          ["no key", await send({ header: { jwk: undefined } })],
          ["a stranger's name", await send({ by: { ...stranger, jwk: key.jwk } })],
          ["as Bearer", await ask(method, path, { Authorization: `Bearer ${token}` })],
          ["without a proof", await ask(method, path, { Authorization: `DPoP ${token}` })],
          ["none", await ask(method, path, { Authorization: `DPoP ${token}`, DPoP: new UnsecuredJWT({ htm: method, htu }).encode() })], // oxfmt-ignore
          ["confused", await ask(method, path, { Authorization: `DPoP ${token}`, DPoP: await confusedProof(key, { htm: method, htu, token }) })], // oxfmt-ignore
          ["an unbound token", await ask(method, path, { Authorization: `DPoP ${await unboundFor(resource)}` })],
        ];
        for (const [what, { status, headers }] of wrong) {
          assert.equal(status, 401, `${path} ${what}`);
          assert.match(headers["www-authenticate"] ?? "", /^DPoP error="invalid_(dpop_proof|token)", .*algs="ES256 PS256 RS256"/); // oxfmt-ignore
        }
      }
      const [method, path] = doors()[0]!;
      const headers = {
        Authorization: `DPoP ${token}`,
        DPoP: await prove(key, { htm: method, htu: gateway.baseUrl + path, token }),
      };
      await ask(method, path, headers).expect(200);
      await ask(method, path, headers).expect(401);
      await supertest(otherAddress).get(path).set(headers).expect(401);
      const { rows } = await gateway.database.client
        .query(
          "update portolan.used_ids set expires_at = now() - interval '1 s'; select portolan.clear_expired(365); select count(*)::integer from portolan.used_ids", // oxfmt-ignore
        )
        .then((results) => (results as unknown as { rows: { count: number }[] }[])[2]!);
      assert.equal(rows[0]?.count, 0);
      const { text } = await gateway.http.get("/metrics").expect(200);
      for (const outcome of ["accepted", "refused"])
        assert.match(text, new RegExp(`portolan_dpop_requests_total\\{outcome="${outcome}"\\} [1-9]`));
    });

    it("a refusal for the lack of a second factor, of a scope, or of a valid token has the scheme DPoP too", async () => {
      const { access_token: token } = await boundToken();
      const send = async (method: string, path: string, body?: object, bearer = token) => {
        const DPoP = await prove(key, { htm: method, htu: gateway.baseUrl + path, token: bearer });
        const asked = method === "GET" ? gateway.http.get(path) : gateway.http.post(path);
        const { status, headers } = await asked
          .set({ Authorization: `DPoP ${bearer}`, DPoP, Accept: "application/json, text/event-stream" })
          .send(body);
        return [status, headers["www-authenticate"]?.split(",")[0]];
      };
      const { client } = gateway.database;
      const rule = { username: "guest", schema: "world", table: "cities", access: "allow", mfa: true };
      const { rows } = await client.query("select portolan.create_rule($1) as id", [rule]);
      await until(async () => {
        const answer = await send(
          "GET",
          `/api/v4/ogc/database/${gateway.database.name}/collections/world.cities/items`,
        );
        return answer[0] === 401 && answer[1] === 'DPoP error="insufficient_user_authentication"';
      });
      await client.query("select portolan.drop_rule($1)", [rows[0].id]);

      const path = `/mcp/${gateway.database.name}`;
      const { access_token: ofAgent } = await boundToken({ resource: gateway.baseUrl + path });
      const insert = { name: "insert", arguments: { table: "world.cities", rows: [{}] } };
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: insert };
      assert.deepEqual(await send("POST", path, call, ofAgent), [403, 'DPoP error="insufficient_scope"']);

      const bad = `${token}x`;
      assert.deepEqual(await send("GET", "/api/v4/users/guest", undefined, bad), [401, 'DPoP error="invalid_token"']);
    });

    it("a token to see as another account is bound to the key of the caller's token", async () => {
      const { access_token: own } = await boundToken({ username: "captain", password: "captain" });
      const [seePath, readPath] = ["/api/v4/access/see", "/api/v4/users/guest"];
      const signed = async (token: string, htm: string, path: string) => ({
        Authorization: `DPoP ${token}`,
        DPoP: await prove(key, { htm, htu: gateway.baseUrl + path, token }),
      });
      const { body } = await post({ account: "guest" }, await signed(own, "POST", seePath), seePath).expect(200);
      const seeing: string = body.access_token;
      assert.deepEqual([body.token_type, decodeJwt(seeing)["cnf"]], ["DPoP", { jkt: key.jkt }]);
      await gateway.http
        .get(readPath)
        .set(await signed(seeing, "GET", readPath))
        .expect(200);
      await gateway.http.get(readPath).set("Authorization", `Bearer ${seeing}`).expect(401);
    });

    it("a proof that may have been used before a crash needs a nonce, which clients take from the answer", async () => {
      const { access_token: token } = await boundToken();
      const ask = async (claims: Claims = {}) =>
        gateway.http.get("/api/v4/users/guest").set({
          Authorization: `DPoP ${token}`,
          DPoP: await prove(key, { htm: "GET", htu: `${gateway.baseUrl}/api/v4/users/guest`, token, claims }),
        });
      // what a crash of PostgreSQL leaves of unlogged tables
      await gateway.database.client.query("truncate portolan.used_ids, portolan.id_keeper");
      const refused = await ask();
      assert.match(refused.headers["www-authenticate"] ?? "", /^DPoP error="use_dpop_nonce"/);
      const nonce = refused.headers["dpop-nonce"];
      assert.equal((await ask({ nonce })).status, 200);
      const socket = async (claims: Claims) => {
        const dpop = await prove(key, { htm: "GET", htu: `${gateway.baseUrl}/`, token, claims });
        return new SocketClient(`${gateway.baseUrl.replace("http", "ws")}/?${new URLSearchParams({ token, dpop })}`);
      };
      const told = await (await socket({})).take("error");
      assert.equal(told["error"], "use_dpop_nonce");
      const open = await (await socket({ nonce: told["nonce"] })).opened();
      open.webSocket.close();
      await gateway.database.client.query("update portolan.id_keeper set lost_at = lost_at - interval '1 minute'");
      await until(async () => (await ask()).status === 200);
    });

    it("the token endpoint refuses a bad proof, and one that comes again; refresh and exchange keep to the key", async () => {
      const body = { ...password, client_id: "spa" };
      for (const claims of [{ htm: "GET" }, { htu: gateway.baseUrl }, { iat: now() - 90 }, { jti: "" }] as Claims[])
        await refused(post(body, await proofFor(claims)), "invalid_dpop_proof");
      const once = await proofFor();
      const { body: tokens } = await post(body, once).expect(200);
      await refused(post(body, once), "invalid_dpop_proof");
      await refused(post({ ...password, ...asserted(await assertion("fapi")) }), "invalid_request");

      const refresh = { grant_type: "refresh_token", client_id: "spa", refresh_token: tokens.refresh_token };
      await refused(post(refresh), "invalid_grant");
      await refused(post(refresh, await proofFor({}, stranger)), "invalid_grant");
      const { body: next } = await post(refresh, await proofFor()).expect(200);
      const exchange = {
        grant_type: "token_exchange",
        client_id: "spa",
        subject_token: next.access_token,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      };
      await refused(post(exchange), "invalid_grant");
      await refused(post(exchange, await proofFor({}, stranger)), "invalid_grant");
      const { body: exchanged } = await post(exchange, await proofFor()).expect(200);
      assert.deepEqual(decodeJwt(exchanged.access_token)["cnf"], { jkt: key.jkt });
      const { body: told } = await post({ client_id: "spa", token: next.access_token }, {}, "/api/v4/oauth/introspect");
      assert.deepEqual([told.active, told.token_type, told.cnf], [true, "DPoP", { jkt: key.jkt }]);
    });

    it("sockets take the proof beside the token, in the URL or in the message that renews it", async () => {
      const { access_token: token } = await boundToken();
      const proof = (path = "/", by = key, htm = "GET") => prove(by, { htm, htu: gateway.baseUrl + path, token });
      const socket = (dpop?: string) =>
        new SocketClient(
          `${gateway.baseUrl.replace("http", "ws")}/?${new URLSearchParams({ token, ...(dpop !== undefined && { dpop }) })}`,
        );
      for (const bad of [
        undefined,
        await proof("/", stranger),
        await proof("/elsewhere"),
        await proof("/", key, "POST"),
      ])
        assert.equal((await socket(bad).closed).code, 4401);
      const used = await proof();
      const open = socket(used);
      await open.opened();
      open.send({ type: "ping" });
      await open.take("pong");
      open.send({ type: "authenticate", token, dpop: await proof() });
      await open.take("authenticate_ack");
      assert.equal((await socket(used).closed).code, 4401);
      open.send({ type: "authenticate", token });
      assert.equal((await open.closed).code, 4401);
    });

    it("an unmodified client signs in, refreshes and asks", async () => {
      const insecure = { [oauth.allowInsecureRequests]: true } as const;
      const issuer = new URL(gateway.baseUrl);
      const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
      const app: oauth.Client = { client_id: "spa" };
      const DPoP = oauth.DPoP(app, await oauth.generateKeyPair("ES256"));
      const verifier = oauth.generateRandomCodeVerifier();
      const pkce = { verifier, challenge: await oauth.calculatePKCECodeChallenge(verifier) };
      const back = await new Person(gateway.baseUrl).authorize(
        authPath("spa", pkce, { dpop_jkt: await DPoP.calculateThumbprint() }),
        "guest",
      );
      const parameters = oauth.validateAuthResponse(server, app, back, "af0ifjsldkj");
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        app,
        await oauth.authorizationCodeGrantRequest(server, app, oauth.None(), parameters, REDIRECT_URI, verifier, {
          DPoP,
          ...insecure,
        }),
      );
      assert.equal(tokens.token_type, "dpop");
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        app,
        await oauth.refreshTokenGrantRequest(server, app, oauth.None(), tokens.refresh_token ?? "", {
          DPoP,
          ...insecure,
        }),
      );
      const url = new URL("/api/v4/users/guest", gateway.baseUrl);
      const asked = await oauth.protectedResourceRequest(refreshed.access_token, "GET", url, undefined, null, {
        DPoP,
        ...insecure,
      });
      assert.equal(asked.status, 200);
    });
  });

  it("with nonces of the service, which a proof must have where dpopNonces is on", async () => {
    const { name, gatewayUrl: url, url: ownerUrl } = gateway.database;
    const strict = await startGateway(
      { ...makeConfig({ databases: { [name]: { url, ownerUrl } }, port: 0, dpopNonces: true, mfa: "offered" }) },
      createLog("silent"),
    );
    try {
      const http = supertest(strict.baseUrl);
      const grant = async (claims: Claims) =>
        http
          .post("/api/v4/oauth")
          .set({ DPoP: await prove(key, { htm: "POST", htu: `${strict.baseUrl}/api/v4/oauth`, claims }) })
          .send({ ...password, client_id: "spa" });
      const first = await grant({});
      assertOAuthError(first, 400, "use_dpop_nonce");
      const nonce = first.headers["dpop-nonce"];
      assert.ok(nonce);
      for (const bad of ["x", `${nonce}x`, `${Number(nonce.split(".")[0]) - 5}.${nonce.split(".")[1]}`])
        assertOAuthError(await grant({ nonce: bad }), 400, "use_dpop_nonce");
      const { access_token: token } = (await grant({ nonce })).body;
      const ask = async (claims: Claims) =>
        http.get("/api/v4/users/guest").set({
          Authorization: `DPoP ${token}`,
          DPoP: await prove(key, { htm: "GET", htu: `${strict.baseUrl}/api/v4/users/guest`, token, claims }),
        });
      const refusal = await ask({});
      assert.equal(refusal.status, 401);
      assert.match(refusal.headers["www-authenticate"] ?? "", /^DPoP error="use_dpop_nonce"/);
      assert.equal((await ask({ nonce: refusal.headers["dpop-nonce"] })).status, 200);
      const dpop = await prove(key, { htm: "GET", htu: `${strict.baseUrl}/`, token });
      const socket = new SocketClient(
        `${strict.baseUrl.replace("http", "ws")}/?${new URLSearchParams({ token, dpop })}`,
      );
      const told = await socket.take("error");
      assert.equal(told["error"], "use_dpop_nonce");
      assert.equal((await socket.closed).code, 4401);
      const proofAt = (path: string, given: unknown) =>
        prove(key, { htm: "GET", htu: strict.baseUrl + path, token, claims: { nonce: given } });
      const next = new SocketClient(
        `${strict.baseUrl.replace("http", "ws")}/?${new URLSearchParams({ token, dpop: await proofAt("/", told["nonce"]) })}`,
      );
      await next.opened();
      next.send({ type: "ping" });
      await next.take("pong");
      next.webSocket.close();

      // the token comes in the first message, so the answer to the upgrade cannot know the database
      const path = "/api/graphql/schema/world";
      const init = async (given?: string) => {
        const one = new SocketClient(strict.baseUrl.replace("http", "ws") + path, ["graphql-transport-ws"]);
        await one.opened();
        one.send({ type: "connection_init", payload: { token, dpop: await proofAt(path, given) } });
        return one;
      };
      const { code, reason } = await (await init()).closed;
      assert.deepEqual([code, reason.split(" ")[0]], [4401, "use_dpop_nonce"]);
      const ready = await init(reason.split(" ")[1]);
      await ready.take("connection_ack");
      ready.webSocket.close();
    } finally {
      await strict.close();
    }
  });
});
