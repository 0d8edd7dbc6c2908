import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  SignJWT,
  UnsecuredJWT,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import { makeSigningKey } from "../../server/kernel/identity/tokens.ts";
import { until } from "../support/events.ts";
import { testGateway, tokenFor, type TestGateway } from "../support/gateway.ts";
import { command } from "../support/commands.ts";
import { addClient, assertOAuthError } from "./support.ts";

function decode(token: string): unknown {
  try {
    return decodeJwt(token);
  } catch {
    return token;
  }
}

/** Requests that guest may not make. */
const DELETE = 'mutation { deleteCities(where: {name: "Berlin"}) { name } }';

describe("tokens", () => {
  let gateway: TestGateway;
  let issued: { access_token: string; refresh_token: string };
  let key: { kid: string; jwk: JWK };
  let issuer: Server;
  let issuerUrl: string;
  let issuerKey: CryptoKey;

  before(async () => {
    const pair = await generateKeyPair("RS256", { extractable: true });
    issuerKey = pair.privateKey;
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: "theirs", alg: "RS256" };
    issuer = createServer((_request, response) => {
      response.setHeader("Content-Type", "application/json").end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, "127.0.0.1", resolve));
    issuerUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    gateway = await testGateway({
      config: {
        issuers: [
          { issuer: issuerUrl, jwksUri: `${issuerUrl}/jwks`, audience: "maps", account: "preferred_username" },
          { issuer: "https://down.example", jwksUri: "http://127.0.0.1:1/jwks", audience: "maps", account: "sub" },
        ],
      },
    });
    await addClient(gateway.database, "app");
    issued = await signIn("guest");
    const { rows } = await gateway.database.client.query(
      "select kid, private_jwk as jwk from portolan.signing_keys where alg = 'ES256'",
    );
    key = rows[0];
  });
  after(async () => {
    await gateway.close();
    issuer.close();
  });

  async function signIn(account: string, client = "app") {
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "password", username: account, password: account, client_id: client })
      .expect(200);
    return body as { access_token: string; refresh_token: string };
  }

  const query = (token: string, text = "{ countCities }") =>
    gateway.http.post("/api/graphql/schema/world").set("Authorization", `Bearer ${token}`).send({ query: text });
  const works = async (token: string) => (await query(token)).status;

  /** The access token with other claims, signed with the true key. */
  async function forged(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    return new SignJWT({ ...decodeJwt(issued.access_token), ...claims })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: key.kid, ...header })
      .sign(await importJWK(key.jwk, "ES256"));
  }

  it("a token of Portolan for another address is refused with the reason; a foreign one without it", async () => {
    const elsewhere = await tokenFor(gateway.database, "https://maps.example.org", "guest");
    const description = `The access token was issued for another address than this service has, ${gateway.baseUrl}`;
    const ask = (token: string) =>
      gateway.http
        .post("/api/graphql/schema/world")
        .set("Authorization", `Bearer ${token}`)
        .send({ query: "{ countAreas }" });
    const refused = await ask(elsewhere);
    assert.equal(refused.status, 401);
    assert.ok(String(refused.headers["www-authenticate"]).includes(`error_description="${description}"`));
    assert.ok(JSON.stringify(refused.body).includes(description));
    const [head = "", , signature = ""] = elsewhere.split(".");
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(elsewhere), iss: "https://evil.example" })).toString(
      "base64url",
    );
    const forged = await ask([head, claims, signature].join("."));
    assert.equal(forged.status, 401);
    assert.doesNotMatch(JSON.stringify([forged.body, forged.headers]), /another address/);
  });

  it("that are valid work", async () => {
    assert.equal(await works(issued.access_token), 200);
    assert.equal(await works(await forged({})), 200, "the forge of these tests itself");
  });

  it("with alg none are refused", async () => {
    const claims = decodeJwt(issued.access_token);
    assert.equal(await works(new UnsecuredJWT(claims).encode()), 401);
    const header = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt", kid: key.kid })).toString("base64url");
    for (const signature of ["", issued.access_token.split(".")[2]])
      assert.equal(await works(`${header}.${issued.access_token.split(".")[1]}.${signature}`), 401);
  });

  it("with HS256 under the public key are refused", async () => {
    const { keys } = (await gateway.http.get("/.well-known/jwks.json").expect(200)).body as { keys: JWK[] };
    assert.deepEqual(keys.map(({ alg }) => alg).toSorted(), ["ES256", "RS256"]);
    assert.ok(!keys.some((key) => "d" in key), "no private half");
    const pemOf = (key: JWK) =>
      createPublicKey({ key: key as never, format: "jwk" }).export({ type: "spki", format: "pem" });
    for (const secret of keys.flatMap((key) => [Buffer.from(pemOf(key)), Buffer.from(JSON.stringify(key))])) {
      const token = await new SignJWT(decodeJwt(issued.access_token))
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: key.kid })
        .sign(secret);
      assert.equal(await works(token), 401);
    }
  });

  it("with a wrong or missing kid, or under another key, are refused", async () => {
    const { rows } = await gateway.database.client.query("select kid from portolan.signing_keys where alg = 'RS256'");
    assert.equal(await works(await forged({}, { kid: rows[0].kid })), 401);
    const { privateJwk } = await makeSigningKey();
    const token = await new SignJWT(decodeJwt(issued.access_token))
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: key.kid })
      .sign(await importJWK(privateJwk, "ES256"));
    assert.equal(await works(token), 401);
    assert.equal(await works(await forged({}, { kid: "another" })), 401);
    assert.equal(await works(await forged({}, { kid: undefined })), 401);
    assert.equal(await works(await forged({}, { kid: undefined, jwk: key.jwk })), 401);
  });

  it("that have expired, are not yet valid, or are of another issuer, audience, type or database are refused", async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const claims of [
      { exp: now - 1 },
      { nbf: now + 60 },
      { exp: undefined },
      { iss: "https://evil.example" },
      { aud: "https://evil.example" },
      { database: "another" },
      { response_type: "refresh" },
      { sub: "captain" }, // the authorization is guest's
      { client_id: "portolan-cli" },
      { fam: "00000000-0000-4000-8000-000000000000" },
    ] as JWTPayload[])
      assert.equal(await works(await forged(claims)), 401, JSON.stringify(claims));
    for (const typ of ["JWT", "rt+jwt", undefined]) assert.equal(await works(await forged({}, { typ })), 401);
  });

  it("a refresh token of another database, or with a changed payload, is refused", async () => {
    const [header, payload, signature] = issued.refresh_token.split(".");
    const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString()) as JWTPayload;
    for (const changed of [{ sub: "captain" }, { database: "another" }, { client_id: "other" }]) {
      const body = Buffer.from(JSON.stringify({ ...claims, ...changed })).toString("base64url");
      const answer = await gateway.http.post("/api/v4/oauth").send({
        grant_type: "refresh_token",
        refresh_token: `${header}.${body}.${signature}`,
        client_id: "app",
      });
      assertOAuthError(answer, 400, "invalid_grant");
    }
  });

  it("an account cannot raise its own properties, user_group or superuser", async () => {
    for (const member of ["properties", "user_group", "superuser", "role"]) {
      const answer = await gateway.http
        .patch("/api/v4/users/guest")
        .set("Authorization", `Bearer ${issued.access_token}`)
        .send({ [member]: member === "properties" ? { x: 1 } : member === "superuser" ? true : "captain" });
      assert.ok([400, 403].includes(answer.status), `${member}: ${answer.status}`);
    }
    const raised = await forged({ superUser: true, userGroup: "captain", properties: { x: 1 } });
    const { rows } = await gateway.database.client.query(
      "select superuser, properties from portolan.users where name = 'guest'",
    );
    assert.deepEqual(rows[0], { superuser: false, properties: {} });
    assert.equal(await works(raised), 200, "what the claims say changes nothing: the row counts");
    assert.equal((await query(raised, DELETE)).body.errors[0].extensions.code, "FORBIDDEN");
  });

  it("end by revocation, at once, in all forms, and only by their own client", async () => {
    await addClient(gateway.database, "other");
    const revoke = (token: string, client = "app") =>
      gateway.http.post("/api/v4/oauth/revoke").type("form").send({ token, client_id: client });
    const first = await signIn("guest");
    assertOAuthError(await revoke(first.access_token, "other"), 400, "invalid_request");
    assert.equal(await works(first.access_token), 200);
    await revoke(first.refresh_token).expect(200);
    assert.equal(await works(first.access_token), 401);
    const second = await signIn("guest");
    assert.equal(await works(second.access_token), 200);
    await revoke(second.access_token).expect(200);
    assert.equal(await works(second.access_token), 401);
    const answer = await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "refresh_token", refresh_token: second.refresh_token, client_id: "app" });
    assertOAuthError(answer, 400, "invalid_grant");
    await revoke("no token at all").expect(200);
    const ofCommandLine = await gateway.token("guest");
    assert.equal(await works(ofCommandLine), 200);
    await revoke(ofCommandLine, "portolan-cli").expect(200);
    assert.equal(await works(ofCommandLine), 401);
  });

  it("are described by introspection to a client that may know", async () => {
    const secret = await addClient(gateway.database, "resource", { public: false });
    const ask = (token: string, body: object = { client_id: "resource", client_secret: secret }) =>
      gateway.http
        .post("/api/v4/oauth/introspect")
        .type("form")
        .send({ token, ...body });
    const { body } = await ask(issued.access_token).expect(200);
    const { exp, iat, jti, ...rest } = body;
    assert.deepEqual(rest, {
      active: true,
      scope: "",
      client_id: "app",
      username: "guest",
      token_type: "Bearer",
      sub: "guest",
      aud: gateway.baseUrl,
      iss: gateway.baseUrl,
      database: gateway.database.name,
    });
    assert.ok(exp - iat === 3600 && jti);
    assert.equal((await ask(issued.refresh_token)).body.token_type, "refresh_token");
    assert.deepEqual((await ask("nonsense")).body, { active: false });
    assert.deepEqual((await ask(await forged({ exp: 1 }))).body, { active: false });
    assert.equal((await ask(issued.access_token, { client_id: "app" })).body.active, true);
    assert.deepEqual((await ask(issued.access_token, { client_id: "other" })).body, { active: false });
    assertOAuthError(await ask(issued.access_token, { client_id: "resource" }), 401, "invalid_client");
  });

  describe("of an outside issuer", () => {
    const theirs = (claims: JWTPayload, header: Record<string, unknown> = {}) =>
      new SignJWT({ iss: issuerUrl, aud: "maps", preferred_username: "guest", team: "north", ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "theirs", ...header })
        .setExpirationTime("5 min")
        .sign(issuerKey);

    it("are mapped to an account by the configured claim", async () => {
      assert.equal(await works(await theirs({})), 200);
      assert.equal(await works(await theirs({ preferred_username: "Guest" })), 200);
    });

    it("are refused with another audience, issuer, key or account, or when they have expired", async () => {
      for (const claims of [
        { aud: "other" },
        { iss: "https://evil.example" },
        { preferred_username: "nobody" },
        { preferred_username: "anonymous" },
        { preferred_username: undefined },
        { database: "another" },
      ] as JWTPayload[])
        assert.equal(await works(await theirs(claims)), 401, JSON.stringify(claims));
      assert.equal(await works(await theirs({}, { kid: "unknown" })), 401);
      const { privateKey } = await generateKeyPair("RS256");
      const foreign = await new SignJWT({ iss: issuerUrl, aud: "maps", preferred_username: "captain" })
        .setProtectedHeader({ alg: "RS256", kid: "theirs" })
        .setExpirationTime("5 min")
        .sign(privateKey);
      assert.equal(await works(foreign), 401);
      const hmac = await new SignJWT({ iss: issuerUrl, aud: "maps", preferred_username: "captain" })
        .setProtectedHeader({ alg: "HS256", kid: "theirs" })
        .setExpirationTime("5 min")
        .sign(Buffer.alloc(32));
      assert.equal(await works(hmac), 401);
    });

    it("an account has only its own rights, whatever their claims say", async () => {
      assert.equal(
        (await query(await theirs({ superUser: true, role: "postgres" }), DELETE)).body.errors[0].extensions.code,
        "FORBIDDEN",
      );
    });

    it("a claim of theirs is not taken for a property of the account, nor for a claim of Portolan", async () => {
      await gateway.database.client.query(`
create schema crew;
create table crew.notes (id int primary key, team text, town text);
insert into crew.notes values (1, 'north', 'Bergen'), (2, 'south', 'Oslo');
alter table crew.notes enable row level security;
create policy own on crew.notes using (
  team = current_setting('jwt.claims.team', true)
  and town = coalesce(nullif(current_setting('jwt.claims.town', true), ''), town)
  and current_setting('jwt.claims.uid', true) = 'mate'
  and (current_setting('request.jwt.claims', true)::jsonb ->> 'superUser')::boolean = false
  and current_setting('request.jwt.claims', true)::jsonb -> 'properties' ->> 'team' = team);
select portolan.create_user('mate', 'mate', properties => '{"team":"north"}');
select portolan.set_privilege('crew.notes', 'mate', 'read')`);
      const ids = async (claims: JWTPayload) => {
        const { body } = await gateway.http
          .post("/api/graphql/schema/crew")
          .auth(await theirs({ preferred_username: "mate", team: undefined, ...claims }), { type: "bearer" })
          .send({ query: "{ getNotes { id } }" });
        return body.data?.getNotes.map(({ id }: { id: string }) => id) as string[] | undefined;
      };
      await until(async () => (await ids({}))?.join() === "1");
      for (const claims of [
        { team: "south" },
        { properties: { team: "south" } },
        { uid: "captain", superUser: true, userGroup: "captain", role: "postgres", database: gateway.database.name },
      ])
        assert.deepEqual(await ids(claims), ["1"], JSON.stringify(claims));
      // tokens may set claims that the account has no property for
      assert.deepEqual(await ids({ town: "Bergen" }), ["1"]);
      assert.deepEqual(await ids({ town: "Oslo" }), []);
    });

    it("that are not access tokens are refused: by their type, and an ID or logout token by its own claims", async () => {
      for (const typ of ["logout+jwt", "rt+jwt", "oauth-authz-req+jwt", "dpop+jwt", "secevent+jwt"])
        assert.equal(await works(await theirs({}, { typ })), 401, typ);
      for (const typ of ["JWT", "at+jwt", "application/at+jwt"])
        assert.equal(await works(await theirs({}, { typ })), 200, typ);
      const logout = { "http://schemas.openid.net/event/backchannel-logout": {} };
      for (const claims of [{ at_hash: "x", nonce: "y" }, { c_hash: "x" }, { events: logout }])
        assert.equal(await works(await theirs(claims, { typ: "JWT" })), 401, JSON.stringify(claims));
    });

    it("are 503 while the issuer's keys cannot be read", async () => {
      assert.equal(await works(await theirs({ iss: "https://down.example", sub: "guest" })), 503);
    });
  });

  describe("of the grant jwt_bearer (RFC 7523 §2.1)", () => {
    const NIGHTLY = "system:serviceaccount:jobs:nightly";
    const URN = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const sql = (text: string) => gateway.database.client.query(text);
    const assertion = (claims: JWTPayload = {}, header: Record<string, unknown> = {}) =>
      new SignJWT({ iss: issuerUrl, aud: "maps", sub: NIGHTLY, exp: Math.floor(Date.now() / 1000) + 300, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "theirs", ...header })
        .sign(issuerKey);
    const exchange = (text: string, more: object = {}) =>
      gateway.http.post("/api/v4/oauth").send({ grant_type: URN, client_id: "ci", assertion: text, ...more });
    const now = () => Math.floor(Date.now() / 1000);

    before(async () => {
      await addClient(gateway.database, "ci", { grants: ["jwt_bearer", "refresh_token"] });
      await sql("select portolan.create_user('builder', null)");
      const { database } = gateway;
      const { stdout, stderr, status } = command(["identity", "add", "Builder", issuerUrl, NIGHTLY], {
        env: { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url },
      });
      assert.deepEqual([status, stdout], [0, `${NIGHTLY} of ${issuerUrl} is builder\n`], stderr);
    });

    it("are for the account that is linked to the subject, else for the one that the configured claim names", async () => {
      const { body, headers } = await exchange(await assertion(), { scope: "a b" }).expect(200);
      assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "scope"]);
      assert.equal(headers["cache-control"], "no-store");
      const { sub, client_id, scope } = decodeJwt(body.access_token);
      assert.deepEqual([sub, client_id, scope], ["builder", "ci", "a b"]);
      const shown = await gateway.http.get("/api/v4/users/builder").auth(body.access_token, { type: "bearer" });
      assert.equal(shown.body.name, "builder");
      const linked = await exchange(await assertion({ preferred_username: "captain" })).expect(200);
      assert.equal(decodeJwt(linked.body.access_token).sub, "builder", "the link counts before a name");
      const named = { sub: "7", preferred_username: "Guest" };
      const short = await exchange(await assertion(named), { grant_type: "jwt_bearer" }).expect(200);
      assert.equal(decodeJwt(short.body.access_token).sub, "guest");
      assert.equal(await works(await assertion()), 401, "the assertion itself is no access token: it names no account");
      const { rows } = await sql("select used_at > now() - interval '1 minute' as used from portolan.identities");
      assert.deepEqual(rows, [{ used: true }]);
      assert.equal(
        (await exchange(await assertion({ aud: ["x", "maps"], database: gateway.database.name }))).status,
        200,
      );
    });

    it("are refused for every other assertion, with the reason, and it is in the audit", async () => {
      const { privateKey } = await generateKeyPair("RS256");
      const sign = (alg: string, key: CryptoKey | Uint8Array) =>
        new SignJWT({ iss: issuerUrl, aud: "maps", sub: NIGHTLY, exp: now() + 300 })
          .setProtectedHeader({ alg, kid: "theirs" })
          .sign(key);
      const wrong: readonly (readonly [text: string, reason: RegExp])[] = [
        [new UnsecuredJWT({ iss: issuerUrl, aud: "maps", sub: NIGHTLY, exp: now() + 300 }).encode(), /is not valid/],
        [await sign("HS256", Buffer.alloc(32)), /is not valid/],
        [await sign("RS256", privateKey), /is not valid/],
        [await assertion({}, { kid: "unknown" }), /is not valid/],
        [(await assertion()).slice(0, -4), /is not valid/],
        [await assertion({ aud: "other" }), /is not valid/],
        [await assertion({ aud: gateway.baseUrl }), /is not valid/],
        [await assertion({ exp: now() - 1 }), /has expired/],
        [await assertion({ exp: undefined as never }), /is not valid/],
        [await assertion({ nbf: now() + 300 }), /is not valid/],
        [await assertion({ iat: now() + 300 }), /is from the future/],
        [await assertion({ exp: now() + 90_000 }), /ends more than a day from now/],
        [await assertion({}, { typ: "logout+jwt" }), /is not valid/],
        [await assertion({ at_hash: "x" }), /is not valid/],
        [await assertion({ iss: "https://evil.example" }), /issuer of the assertion is not known/],
        [await assertion({ iss: gateway.baseUrl }), /issuer of the assertion is not known/],
        [issued.access_token, /issuer of the assertion is not known/],
        ["nonsense", /issuer of the assertion is not known/],
        [await assertion({ sub: undefined as never }), /'sub' of the assertion must be a text/],
        [await assertion({ sub: "" }), /'sub' of the assertion must be a text/],
        [await assertion({ sub: "x".repeat(257) }), /'sub' of the assertion must be a text/],
        [await assertion({ sub: "a\0b" }), /'sub' of the assertion must be a text/],
        [await assertion({ sub: 7 as never }), /'sub' of the assertion must be a text|is not valid/],
        [await assertion({ jti: "" }), /'jti' of the assertion must be a text/],
        [await assertion({ jti: {} as never }), /'jti' of the assertion must be a text|is not valid/],
        [await assertion({ sub: `${NIGHTLY} ` }), /No account is linked/],
        [await assertion({ sub: NIGHTLY.toUpperCase() }), /No account is linked/],
        [await assertion({ sub: "7", preferred_username: "nobody" }), /No account is linked/],
        [await assertion({ sub: "7", preferred_username: "anonymous" }), /No account is linked/],
        [await assertion({ database: "another" }), /another database/],
      ];
      for (const [text, reason] of wrong) {
        const answer = await exchange(text, { database: gateway.database.name });
        assertOAuthError(answer, 400, "invalid_grant");
        assert.match(answer.body.error_description, reason, JSON.stringify(decode(text)));
      }
      const down = await exchange(await assertion({ iss: "https://down.example" }));
      assertOAuthError(down, 503, "temporarily_unavailable");
      assertOAuthError(await exchange("x".repeat(2_000_000)), 413, "invalid_request");
      assertOAuthError(await exchange(await assertion(), { assertion: undefined }), 400, "invalid_request");
      assertOAuthError(await exchange(await assertion(), { client_id: "app" }), 400, "unauthorized_client");
      assertOAuthError(await exchange(await assertion(), { scope: 'a"b' }), 400, "invalid_scope");
      assertOAuthError(await exchange(await assertion(), { resource: "https://evil.example" }), 400, "invalid_target");
      const { rows } = await sql(
        "select count(*)::int from portolan.audit where event = 'grant.refused' and details ->> 'grantType' = 'jwt_bearer'",
      );
      assert.deepEqual(rows, [{ count: wrong.length }]);
    });

    it("are given once for an assertion with an id, also to several at once", async () => {
      const text = await assertion({ jti: "run 1" });
      const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(text)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400]); // oxfmt-ignore
      const again = await exchange(await assertion({ jti: "run 1" }));
      assertOAuthError(again, 400, "invalid_grant");
      assert.match(again.body.error_description, /was used before/);
      assert.equal((await exchange(await assertion({ jti: "run 2" }))).status, 200);
    });

    it("are for an account that a super user has linked over REST, until the link is removed", async () => {
      const { access_token: captain } = await signIn("captain");
      const link = (body: object, token = captain) =>
        gateway.http.post("/api/v4/identities").auth(token, { type: "bearer" }).send(body);
      const wanted = { account: "Builder", issuer: issuerUrl, subject: "weekly" };
      const { headers, body } = await link(wanted).expect(201);
      assert.equal(headers["location"], `/api/v4/identities/${body.id}`);
      const { body: issued } = await exchange(await assertion({ sub: "weekly" })).expect(200);
      assert.equal(decodeJwt(issued.access_token).sub, "builder");
      await link(wanted).expect(409);
      await link({ ...wanted, account: "nobody" }).expect(404);
      for (const wrong of [
        { account: "anonymous" },
        { issuer: "" },
        { issuer: "é".repeat(600) },
        { subject: "x".repeat(257) },
        { subject: 7 },
        { more: 1 },
      ])
        await link({ ...wanted, subject: "other", ...wrong }).expect(400);
      await link({ ...wanted, subject: "other" }, (await signIn("guest")).access_token).expect(403);
      await gateway.http.delete(headers["location"]!).auth(captain, { type: "bearer" }).expect(204);
      assertOAuthError(await exchange(await assertion({ sub: "weekly" })), 400, "invalid_grant");
      const { rows } = await sql("select account, details from portolan.audit where details ->> 'subject' = 'weekly'");
      const details = { provider: new URL(issuerUrl).host, subject: "weekly", by: "captain" };
      assert.deepEqual(rows, [{ account: "builder", details }]);
    });

    it("end with the link: the operator unlinks the subject, which no other account can have meanwhile", async () => {
      await assert.rejects(sql(`select portolan.add_identity('guest', '${issuerUrl}', '${NIGHTLY}')`), {
        code: "PX409",
      });
      await assert.rejects(sql(`select portolan.add_identity('nobody', '${issuerUrl}', 'x')`), { code: "PX404" });
      await assert.rejects(sql(`select portolan.add_identity('guest', '${issuerUrl}', '')`), { code: "PX400" });
      await assert.rejects(sql(`select portolan.add_identity('guest', null, 'x')`), { code: "PX400" });
      await sql("select portolan.remove_identity(i.id::text) from portolan.identities i");
      assertOAuthError(await exchange(await assertion()), 400, "invalid_grant");
    });
  });

  it("keys rotate without a token refused: old ones verify, new ones sign after some seconds", async () => {
    const { kid, publicJwk, privateJwk } = await makeSigningKey();
    await gateway.database.client.query("select portolan.rotate_signing_key($1, $2, $3)", [kid, publicJwk, privateJwk]);
    const before = await signIn("guest");
    assert.notEqual(decodeProtectedHeader(before.access_token).kid, kid, "not at once: others must learn it first");
    const deadline = Date.now() + 10_000;
    for (;;) {
      const { access_token } = await signIn("guest");
      assert.equal(await works(access_token), 200);
      assert.equal(await works(before.access_token), 200);
      if (decodeProtectedHeader(access_token).kid === kid) break;
      assert.ok(Date.now() < deadline, "the new key does not sign");
    }
    const { keys } = (await gateway.http.get("/.well-known/jwks.json")).body as { keys: JWK[] };
    assert.equal(keys.filter(({ alg }) => alg === "ES256").length, 2);
    await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "refresh_token", refresh_token: issued.refresh_token, client_id: "app" })
      .expect(200);
  });

  it("keys rotated at once end every older token within 5 seconds", async () => {
    const { access_token } = await signIn("guest");
    assert.equal(await works(access_token), 200);
    const { kid, publicJwk, privateJwk } = await makeSigningKey();
    await gateway.database.client.query("select portolan.rotate_signing_key($1, $2, $3, true)", [
      kid,
      publicJwk,
      privateJwk,
    ]);
    const deadline = Date.now() + 5000;
    while ((await works(access_token)) !== 401) assert.ok(Date.now() < deadline, "still valid");
  });
});
