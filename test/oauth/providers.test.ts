import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  SignJWT,
  UnsecuredJWT,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import { Secret, TOTP } from "otpauth";
import type { Response } from "supertest";
import { makeConfig } from "../../server/kernel/config.ts";
import { problemOf, requestsAs, type Requests } from "../management/requests.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { addClient, authPath, hiddenFields, makePkce, Person, REDIRECT_URI, textOf } from "./support.ts";

/** A provider that answers with any ID token. */
interface Forger {
  readonly url: string;
  readonly key: CryptoKey;
  readonly jwk: JWK;
  /** What its token endpoint gives next. */
  idToken: string;
  readonly server: Server;
}

async function startForger(): Promise<Forger> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "theirs", alg: "RS256", use: "sig" };
  const server = createServer(({ url }, response) => {
    const answers: Readonly<Record<string, object>> = {
      "/.well-known/openid-configuration": {
        issuer: forger.url,
        authorization_endpoint: `${forger.url}/auth`,
        token_endpoint: `${forger.url}/token`,
        jwks_uri: `${forger.url}/jwks`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      },
      "/token": { access_token: "x", token_type: "Bearer", id_token: forger.idToken },
      "/jwks": { keys: [jwk] },
    };
    const answer = answers[url ?? ""];
    response.writeHead(answer ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forger: Forger = { url, key: privateKey, jwk, idToken: "", server };
  return forger;
}

/** The company has a service of its own, another Portolan, at which its people sign in. */
describe("the company's sign-in", () => {
  let company: TestGateway;
  let gateway: TestGateway;
  let forger: Forger;
  let captain: Requests;
  const PEOPLE = ["ines", "jon", "kim", "lea", "max", "nora", "otto"];
  const sql = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query<Record<string, unknown>>(text, values)).rows;
  const atCompany = async (text: string, values: unknown[] = []) =>
    (await company.database.client.query<Record<string, unknown>>(text, values)).rows;

  before(async () => {
    company = await testGateway();
    forger = await startForger();
    const secret = await addClient(company.database, "portal", {
      public: false,
      redirectUri: ["https://x.example.org/"],
    });
    gateway = await testGateway({
      config: {
        mfa: "offered",
        signUpGroup: "newcomers",
        identityProviders: [
          {
            id: "company",
            title: "Example Ltd",
            issuer: company.baseUrl,
            clientId: "portal",
            clientSecret: secret,
            scopes: ["openid", "profile", "email", "groups"],
            mapGroups: { staff: "crew", bosses: "editors", ghosts: "nobody-here" },
          },
          { id: "gone", issuer: "http://127.0.0.1:9", clientId: "portal" },
          { id: "forger", issuer: forger.url, clientId: "portal", clientSecret: "a secret of 32 bytes for HS256 …" },
        ],
      },
    });
    captain = await requestsAs(gateway, "captain");
    await atCompany("select portolan.update_client('portal', $1)", [
      JSON.stringify({ redirect_uri: [`${gateway.baseUrl}/signin/company`] }),
    ]);
    for (const group of ["staff", "bosses"]) await atCompany("select portolan.create_user($1, null)", [group]);
    for (const name of PEOPLE) {
      await atCompany("select portolan.create_user($1, $1, $2)", [name, `${name}@example.org`]);
      await atCompany("select portolan.update_user($1, '{\"email_verified\": true}')", [name]);
    }
    await captain("post", "/users", [{ name: "crew" }, { name: "editors" }]).expect(201);
    await addClient(gateway.database, "app");
  });
  after(async () => {
    await gateway.close();
    await company.close();
    forger.server.close();
  });

  const pathOf = (url: string, base: string): string => {
    assert.ok(url.startsWith(base), url);
    return url.slice(base.length);
  };

  /** Presses the button of the provider, signs in there, and returns the answer to the browser that comes back. */
  async function comeBack(person: Person, name: string, path = "/account"): Promise<Response> {
    return person.agent.get(pathOf(await wayBack(person, name, path), gateway.baseUrl));
  }

  /** The address with which the company sends the browser back. */
  async function wayBack(person: Person, name: string, path = "/account"): Promise<string> {
    const page = await person.agent.get(path);
    const sent = await person.submit(path, page, { action: "provider", provider: "company" });
    assert.equal(sent.status, 303, textOf(sent));
    const there = new Person(company.baseUrl);
    const way = pathOf(sent.headers["location"] ?? "", company.baseUrl);
    return (await there.authorize(way, name)).href;
  }

  const account = async (name: string) => (await captain("get", `/users/${name}`).expect(200)).body;
  const identities = async (name: string) => (await captain("get", `/identities?account=${name}`).expect(200)).body;
  const addAccount = async (name: string, isVerified = true) =>
    captain("post", "/users", {
      name,
      password: name,
      email: `${name}@example.org`,
      email_verified: isVerified,
    }).expect(201);
  const openFor = async (allowed: boolean | null) =>
    captain("patch", "/users/captain", { social_signup: allowed }).expect(303);

  it("the page of a sign-in offers it; nobody who is unknown comes in while sign-up is off", async () => {
    const person = new Person(gateway.baseUrl);
    assert.match(textOf(await person.agent.get("/account")), /Sign in with Example Ltd/);
    const refused = await comeBack(person, "ines");
    assert.equal(refused.status, 403);
    assert.match(textOf(refused), /You have signed in at Example Ltd, but you have no account here/);
    assert.match(refused.text, /href="\/account"/);
    assert.deepEqual(await sql("select name from portolan.users where name like 'ines%'"), []);
    const [entry] = await sql(
      "select details from portolan.audit where event = 'sign_in.refused' order by at desc limit 1",
    );
    assert.deepEqual(entry?.["details"], { via: "provider company", reason: "no_account" });
  });

  it("nobody comes in while the group of new accounts is missing, and doctor names groups that are", async () => {
    await openFor(true);
    const refused = await comeBack(new Person(gateway.baseUrl), "ines");
    assert.equal(refused.status, 503);
    assert.match(textOf(refused), /no accounts can be created here at the moment.*tell its administrator/);
    assert.deepEqual(await sql("select name from portolan.users where name like 'ines%'"), []);
    const { body } = await captain("get", "/doctor").expect(200);
    assert.deepEqual(
      body
        .filter(({ finding }: { finding: string }) => /GROUP|mapGroups/.test(finding))
        .map(({ severity, finding }: Record<string, unknown>) => `${String(severity)} ${String(finding)}`),
      [
        'error SIGN_UP_GROUP: the group "newcomers" is not an account: nobody can sign up',
        "null mapGroups of company: the group crew exists",
        "null mapGroups of company: the group editors exists",
        'warning mapGroups of company: the group "nobody-here" is not an account: nobody is put into it',
      ],
    );
    await captain("post", "/users", { name: "newcomers" }).expect(201);
  });

  it("where it may bring new people, they get an account with their verified address and their groups", async () => {
    await openFor(true);
    await atCompany(
      'select portolan.update_user(\'ines\', \'{"user_group": ["staff"], "properties": {"name": "Ines I."}}\')',
    );
    const person = new Person(gateway.baseUrl);
    const back = await comeBack(person, "ines");
    assert.deepEqual([back.status, back.headers["location"]], [303, "/account"], textOf(back));
    assert.match(
      textOf(await person.agent.get("/account")),
      /Signed in as ines .* Other sign-ins Example Ltd ines@example.org/,
    );
    const { email, email_verified: isVerified, user_group: group, properties } = await account("ines");
    assert.deepEqual(
      [email, isVerified, group, properties],
      ["ines@example.org", true, ["newcomers", "crew"], { name: "Ines I." }],
    );
    const found = await identities("Ines");
    assert.deepEqual(
      found.map(({ provider, issuer, email }: Record<string, unknown>) => [provider, issuer, email]),
      [["company", company.baseUrl, "ines@example.org"]],
    );
    await openFor(null);
    const again = new Person(gateway.baseUrl);
    assert.equal((await comeBack(again, "ines")).status, 303, "who is known comes in, whatever sign-up says");
  });

  it("a browser that began at localhost comes back to localhost, though the company knows one address", async () => {
    const local = gateway.baseUrl.replace("127.0.0.1", "localhost");
    const person = new Person(local);
    const first = await gateway.http.get(pathOf(await wayBack(person, "ines"), gateway.baseUrl));
    assert.equal(first.status, 303, textOf(first));
    const back = await person.agent.get(pathOf(first.headers["location"] ?? "", local));
    assert.deepEqual([back.status, back.headers["location"]], [303, "/account"], textOf(back));
    assert.match(textOf(await person.agent.get("/account")), /Signed in as ines/);
    // an agreement is asked for there too
    await addAccount("pia");
    await atCompany("select portolan.create_user('pia', 'pia', 'pia@example.org')");
    await atCompany("select portolan.update_user('pia', '{\"email_verified\": true}')");
    const other = new Person(local);
    const second = await gateway.http.get(pathOf(await wayBack(other, "pia"), gateway.baseUrl));
    const onward = await other.agent.get(pathOf(second.headers["location"] ?? "", local));
    const asked = await other.agent.get(pathOf(onward.headers["location"] ?? "", local));
    assert.match(textOf(asked), /There is an account with the address pia@example.org already/);
  });

  it("groups follow those of the company at each sign-in; others stay", async () => {
    await captain("patch", "/users/ines", { user_group: ["guest", "crew"] }).expect(303);
    await atCompany("select portolan.update_user('ines', '{\"user_group\": [\"bosses\"]}')");
    await comeBack(new Person(gateway.baseUrl), "ines");
    assert.deepEqual((await account("ines")).user_group, ["guest", "editors"]);
    await atCompany("select portolan.update_user('ines', '{\"user_group\": null}')");
    await comeBack(new Person(gateway.baseUrl), "ines");
    assert.equal((await account("ines")).user_group, "guest");
  });

  it("an application gets its code by the company's sign-in, also where it asks for a new sign-in", async () => {
    const pkce = makePkce();
    for (const more of [{}, { prompt: "login" }, { max_age: "0" }]) {
      const person = new Person(gateway.baseUrl);
      const back = await comeBack(person, "ines", authPath("app", pkce, { scope: "openid", ...more }));
      const onward = pathOf(back.headers["location"] ?? "", "/auth");
      const { headers, text } = await person.agent.get(`/auth${onward}`);
      const code = new URL(headers["location"] ?? assert.fail(text)).searchParams.get("code");
      const grant = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, client_id: "app" };
      const { body } = await gateway.http
        .post("/api/v4/oauth")
        .send({ ...grant, code_verifier: pkce.verifier })
        .expect(200);
      const claims = decodeJwt(body.id_token);
      assert.deepEqual([claims["amr"], claims["acr"]], [["fed"], "urn:portolan:acr:password"]);
      const [{ n } = {}] = await sql(
        "select count(*)::int as n from portolan.audit where event = 'sign_in' and details ->> 'via' = 'provider company'",
      );
      assert.ok(Number(n) > 0);
    }
  });

  it("an account with the same verified address is linked when its owner signs in once more, in the same browser", async () => {
    await addAccount("jon");
    const person = new Person(gateway.baseUrl);
    const back = await comeBack(person, "jon");
    const way = pathOf(back.headers["location"] ?? "", gateway.baseUrl);
    const asked = await person.agent.get(way);
    assert.match(textOf(asked), /There is an account with the address jon@example.org already/);
    assert.doesNotMatch(textOf(asked), /Sign in with Example Ltd/);
    assert.deepEqual(await identities("jon"), []);

    const elsewhere = new Person(gateway.baseUrl); // e.g. by a link that somebody has sent
    const page = await elsewhere.agent.get(way);
    assert.doesNotMatch(textOf(page), /There is an account with the address/);
    await elsewhere.submit(way, page, { username: "jon", password: "jon", action: "sign-in" });
    assert.deepEqual(await identities("jon"), [], "another browser links nothing");

    const done = await person.submit(way, asked, { username: "jon", password: "jon", action: "sign-in" });
    assert.deepEqual([done.status, done.headers["location"]], [303, "/account"], textOf(done));
    assert.equal((await identities("jon")).length, 1);
    assert.equal((await comeBack(new Person(gateway.baseUrl), "jon")).headers["location"], "/account");
  });

  it("a provider that lies about an address gets nobody in: the owner of the account must agree", async () => {
    await addAccount("kim");
    await atCompany('select portolan.update_user(\'max\', \'{"email": "kim@example.org", "email_verified": true}\')');
    const max = new Person(gateway.baseUrl);
    const back = await comeBack(max, "max");
    const way = pathOf(back.headers["location"] ?? "", gateway.baseUrl);
    const asked = await max.agent.get(way);
    assert.match(textOf(await max.agent.get("/account")), /Password/, "nobody is signed in");
    const wrong = await max.submit(way, asked, { username: "kim", password: "guessed", action: "sign-in" });
    assert.equal(wrong.status, 401);
    await addAccount("mallory");
    const other = await max.submit(way, wrong, { username: "mallory", password: "mallory", action: "sign-in" });
    assert.equal(other.status, 409, textOf(other));
    assert.match(textOf(other), /has not verified the address kim@example.org/);
    assert.deepEqual(await identities("kim"), []);
    assert.deepEqual(await identities("mallory"), []);
  });

  it("an address that the company has not verified links nothing and is not kept", async () => {
    await addAccount("lea");
    await atCompany("select portolan.update_user('lea', '{\"email_verified\": false}')");
    assert.equal((await comeBack(new Person(gateway.baseUrl), "lea")).status, 403);
    await openFor(true);
    await comeBack(new Person(gateway.baseUrl), "lea");
    await openFor(null);
    const [made] = await sql("select name, email, email_verified from portolan.users where name = 'lea-2'");
    assert.deepEqual(made, { name: "lea-2", email: null, email_verified: false });
    assert.deepEqual(await identities("lea"), []);
  });

  it("an ID token counts only if it is the provider's, for this service and for this sign-in", async () => {
    await openFor(true);
    const time = Math.floor(Date.now() / 1000);
    const stranger = await generateKeyPair("RS256");
    const comeBackWith = async (make: (claims: JWTPayload) => string | Promise<string>): Promise<Response> => {
      const person = new Person(gateway.baseUrl);
      const page = await person.agent.get("/account");
      const sent = await person.submit("/account", page, { action: "provider", provider: "forger" });
      const { searchParams } = new URL(sent.headers["location"] ?? "");
      const [state = "", nonce = ""] = [searchParams.get("state"), searchParams.get("nonce")].map(String);
      const claims = { iss: forger.url, aud: "portal", sub: "rita", preferred_username: "rita", iat: time };
      forger.idToken = await make({ ...claims, exp: time + 600, nonce, email: "kim@example.org" });
      return person.agent.get(`/signin/forger?${new URLSearchParams({ code: "x", state })}`);
    };
    const sign = (claims: JWTPayload, key: CryptoKey | Uint8Array = forger.key, alg = "RS256") =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: "theirs" }).sign(key);
    const [secret, publicKey] = ["a secret of 32 bytes for HS256 …", JSON.stringify(forger.jwk)].map((text) =>
      new TextEncoder().encode(text),
    );
    const wrong: [string, (claims: JWTPayload) => string | Promise<string>][] = [
      ["unsigned", (claims) => new UnsecuredJWT(claims).encode()],
      ["signed with the secret", (claims) => sign(claims, secret, "HS256")],
      ["signed with the public key as a secret", (claims) => sign(claims, publicKey, "HS256")],
      ["another key", (claims) => sign(claims, stranger.privateKey)],
      ["another issuer", (claims) => sign({ ...claims, iss: company.baseUrl })],
      ["another client", (claims) => sign({ ...claims, aud: "other" })],
      ["another sign-in", (claims) => sign({ ...claims, nonce: "other" })],
      ["late", (claims) => sign({ ...claims, exp: time - 60 })],
      ["nobody", ({ sub: _sub, ...others }) => sign(others)],
      ["nothing", () => "x"],
    ];
    for (const [what, make] of wrong) {
      const { status, headers } = await comeBackWith(make);
      assert.deepEqual([status, headers["location"]], [502, undefined], what);
    }
    assert.deepEqual(await sql("select name from portolan.users where name like 'rita%'"), []);
    // a text is not the value true: the address is not verified
    const good = await comeBackWith((claims) => sign({ ...claims, email_verified: "true" }));
    assert.equal(good.status, 303, textOf(good));
    await openFor(null);
    const [made] = await sql("select name, email from portolan.users where name like 'rita%'");
    assert.deepEqual(made, { name: "rita", email: null });
  });

  it("an account whose address is not verified here is not linked, and no second one gets the address", async () => {
    await addAccount("nora", false);
    await openFor(true);
    const refused = await comeBack(new Person(gateway.baseUrl), "nora");
    await openFor(null);
    assert.equal(refused.status, 403);
    assert.match(textOf(refused), /nobody has shown that it is yours/);
    assert.deepEqual(await sql("select name from portolan.users where name like 'nora-%'"), []);
  });

  it("an address that another account has set itself, without verifying it, keeps nobody out", async () => {
    await captain("post", "/users", { name: "squat", password: "squat" }).expect(201);
    const squat = await requestsAs(gateway, "squat");
    await squat("patch", "/users/squat", { email: "Otto@example.org", current_password: "squat" }).expect(303);
    await openFor(true);
    const made = await comeBack(new Person(gateway.baseUrl), "otto");
    await openFor(null);
    assert.equal(made.status, 303, textOf(made));
    const { email, email_verified: isVerified } = await account("otto");
    assert.deepEqual([email, isVerified], ["otto@example.org", true]);
    assert.deepEqual(await identities("squat"), []);
  });

  it("an answer counts once, in the browser that asked, at the provider that was asked", async () => {
    const person = new Person(gateway.baseUrl);
    const way = pathOf(await wayBack(person, "jon"), gateway.baseUrl);
    const elsewhere = await new Person(gateway.baseUrl).agent.get(way);
    assert.equal(elsewhere.status, 400, "somebody else's browser");
    assert.equal((await person.agent.get(way)).status, 400, "which has ended it");
    const second = pathOf(await wayBack(person, "jon"), gateway.baseUrl);
    assert.equal((await person.agent.get(second.replace("/signin/company", "/signin/gone"))).status, 400);
    const third = pathOf(await wayBack(person, "jon"), gateway.baseUrl);
    const forged = await person.agent.get(third.replace(/code=[^&]+/, "code=forged"));
    assert.deepEqual([forged.status, /answer of Example Ltd is not valid/.test(textOf(forged))], [502, true]);
    const fourth = pathOf(await wayBack(person, "jon"), gateway.baseUrl);
    const mixed = await person.agent.get(fourth.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example.org"));
    assert.equal(mixed.status, 502);
    for (const bad of ["/signin/company", "/signin/company?state=x", "/signin/nobody?state=x&code=y"])
      assert.equal((await person.agent.get(bad)).status, 400, bad);
    const left = await person.agent.get("/account");
    const sent = await person.submit("/account", left, { action: "provider", provider: "company" });
    const state = new URL(sent.headers["location"] ?? "").searchParams.get("state") ?? "";
    const cancelled = await person.agent.get(`/signin/company?error=access_denied&state=${encodeURIComponent(state)}`);
    assert.equal(cancelled.headers["location"], "/account");
  });

  it("who comes by the company's sign-in and adds a second factor has given no password", async () => {
    const person = new Person(gateway.baseUrl);
    await comeBack(person, "jon");
    const page = await person.submit("/account", await person.agent.get("/account"), { action: "add-totp" });
    const secret = /secret=([A-Z2-7]+)/.exec(page.text)?.[1] ?? assert.fail(textOf(page));
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const left = new Person(gateway.baseUrl); // a browser that is not signed in
    const form = await left.submit("/account", await left.agent.get("/account"), {
      action: "enrol",
      sign_in: hiddenFields(page.text)["sign_in"] ?? assert.fail(page.text),
      code,
    });
    assert.equal(form.status, 400, "the page for a further factor signs nobody in");
    await person.submit("/account", page, { action: "enrol", code });
    const pkce = makePkce();
    const { headers } = await person.agent.get(authPath("app", pkce, { scope: "openid" }));
    const { body } = await gateway.http.post("/api/v4/oauth").send({
      grant_type: "authorization_code",
      code: new URL(headers["location"] ?? "").searchParams.get("code"),
      client_id: "app",
      redirect_uri: REDIRECT_URI,
      code_verifier: pkce.verifier,
    });
    assert.deepEqual(decodeJwt(body.id_token)["amr"], ["fed", "otp", "mfa"]);
    await captain("delete", "/users/jon/factors").expect(204);
  });

  it("an account that must have a second factor adds it here, and is asked for it from then on", async () => {
    await captain("patch", "/users/jon", { two_factor: true }).expect(303);
    const person = new Person(gateway.baseUrl);
    const way = async (someone: Person) =>
      pathOf((await comeBack(someone, "jon")).headers["location"] ?? "", gateway.baseUrl);
    const path = await way(person);
    const asked = await person.agent.get(path);
    assert.match(textOf(await person.agent.get("/account")), /Password/, "not signed in yet");
    const secret = /secret=([A-Z2-7]+)/.exec(asked.text)?.[1] ?? assert.fail(textOf(asked));
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const codes = await person.submit(path, asked, {
      action: "enrol",
      code: totp.generate({ timestamp: Date.now() - 30_000 }),
    });
    const end = await person.submit(path, codes, { action: "continue" });
    assert.equal(end.headers["location"], "/account", textOf(end));

    const later = new Person(gateway.baseUrl);
    const second = await way(later);
    const done = await later.submit(second, await later.agent.get(second), {
      action: "factor",
      code: totp.generate(),
    });
    assert.equal(done.headers["location"], "/account", textOf(done));
    const [session] = await sql(
      "select amr from portolan.sessions where user_name = 'jon' order by created_at desc limit 1",
    );
    assert.deepEqual(session?.["amr"], ["fed", "otp", "mfa"]);
    const [entry] = await sql("select details from portolan.audit where event = 'sign_in' order by id desc limit 1");
    assert.deepEqual(entry?.["details"], { via: "provider company", amr: ["fed", "otp", "mfa"] });
    await captain("patch", "/users/jon", { two_factor: false }).expect(303);
    await captain("delete", "/users/jon/factors").expect(204);
  });

  it("who loses the only way to sign in is told; others and super users remove a link", async () => {
    const person = new Person(gateway.baseUrl);
    await comeBack(person, "ines");
    const [own] = await identities("ines");
    const page = await person.agent.get("/account");
    const only = await person.submit("/account", page, { action: "unlink", identity: own.id });
    assert.equal(only.status, 409);
    assert.match(textOf(only), /no other way to sign in/);
    const refused = problemOf(await (await requestsAs(gateway, "ines"))("delete", `/identities/${own.id}`), 409);
    assert.match(refused, /"ines" has no other way to sign in: set a password first/);
    const jon = new Person(gateway.baseUrl);
    await comeBack(jon, "jon");
    const [his] = await identities("jon");
    const inesTries = await requestsAs(gateway, "ines");
    assert.equal((await inesTries("delete", `/identities/${his.id}`)).status, 404);
    assert.equal((await inesTries("get", "/identities").expect(200)).body.length, 1);
    const removed = await jon.submit("/account", await jon.agent.get("/account"), {
      action: "unlink",
      identity: his.id,
    });
    assert.match(textOf(removed), /You have connected none. Connect Example Ltd/);
    await captain("delete", `/identities/${own.id}`).expect(204);
    await captain("delete", `/identities/${own.id}`).expect(404);
    const [entry] = await sql(
      "select account, details from portolan.audit where event = 'identity.removed' order by at desc limit 1",
    );
    assert.deepEqual(entry, { account: "ines", details: { provider: "company", by: "captain" } });
  });

  it("the only passkey of an account without a password stays, until there is another way", async () => {
    await sql("select portolan.create_user('pat', null)");
    const passkey = async (): Promise<unknown> => {
      const [row] = await sql(
        `insert into portolan.factors (user_name, kind, name, credential, public_key, counter)
         values ('pat', 'passkey', 'Key', gen_random_uuid()::text, 'key', 0) returning id::text`,
      );
      return row?.["id"];
    };
    const remove = (id: unknown) => sql("select portolan.remove_factor('pat', $1, null)", [id]);
    const first = await passkey();
    await assert.rejects(remove(first), { code: "PX409", message: /no other way to sign in/ });
    const second = await passkey();
    await remove(first);
    await assert.rejects(remove(second), { code: "PX409" });
    await sql("select portolan.add_identity('pat', 'https://ci.example.org', 'job')");
    await sql("select portolan.note_identity_use('https://ci.example.org', 'job')");
    await assert.rejects(remove(second), { code: "PX409" }, "a job exchanges its token, and opens no page");
    await sql("select portolan.set_password('pat', 'pat')");
    await remove(second);
  });

  it("a provider that cannot be reached is said so, and one that is not offered is not asked", async () => {
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get("/account");
    const failed = await person.submit("/account", page, { action: "provider", provider: "gone" });
    assert.deepEqual([failed.status, /gone cannot be reached/.test(textOf(failed))], [502, true], textOf(failed));
    await openFor(false);
    assert.doesNotMatch(textOf(await person.agent.get("/account")), /Example Ltd/);
    const none = await person.submit("/account", failed, { action: "provider", provider: "company" });
    assert.equal(none.status, 200);
    await openFor(null);
    const { text } = await gateway.http.get("/metrics");
    assert.match(text, /portolan_provider_sign_ins_total\{provider="company",outcome="new_account"\} [1-9]/);
    assert.match(text, /portolan_sign_ups_total\{way="provider",outcome="made"\} [1-9]/);
    assert.match(text, /portolan_sign_ups_total\{way="provider",outcome="refused"\} 1/);
    assert.match(text, /portolan_provider_sign_ins_total\{provider="gone",outcome="failed"\} 1/);
  });

  it("one network begins 60 sign-ins a minute: more would push out those of others", async () => {
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get("/account");
    const statuses: number[] = [];
    while (statuses.length <= 60 && !statuses.includes(429))
      statuses.push((await person.submit("/account", page, { action: "provider", provider: "company" })).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [303, 429]);
  });

  it("a provider that is badly described is refused at the start, with what is wrong", () => {
    const good = { id: "a", issuer: "https://id.example.org", clientId: "x" };
    assert.deepEqual(makeConfig({ identityProviders: [{ ...good, scopes: "email" }] }).identityProviders[0]?.scopes, [
      "openid",
      "email",
    ]);
    for (const [bad, words] of [
      [{ ...good, issuer: "http://id.example.org" }, /identityProviders\.0\.issuer: must be an https:\/\/ address/],
      [{ ...good, issuer: "https://id.example.org?x" }, /issuer: must be/],
      [{ ...good, id: "A b" }, /identityProviders\.0\.id: must be 1 to 40/],
      [{ ...good, clientId: undefined }, /identityProviders\.0\.clientId/],
      [{ ...good, secret: "x" }, /secret/],
    ] as const)
      assert.throws(() => makeConfig({ identityProviders: [bad] }), words);
    assert.throws(() => makeConfig({ identityProviders: [good, good] }), /two providers have one id/);
    assert.throws(() => makeConfig({ identityProviders: "[{" }), /must be JSON/);
  });
});
