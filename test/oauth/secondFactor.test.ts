import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text as textIn } from "node:stream/consumers";
import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import type { Response } from "supertest";
import { createLog } from "../../server/ground/log.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { startGateway } from "../../server/main.ts";
import { problemOf, requestsAs, type Requests } from "../management/requests.ts";
import { agentToken, connectAgent } from "../support/agent.ts";
import { testGateway, tokenFor, type TestGateway } from "../support/gateway.ts";
import { SocketClient } from "../support/webSocket.ts";
import { sized } from "../support/size.ts";
import {
  addClient,
  assertOAuthError,
  authPath,
  hiddenFields,
  makePkce,
  Person,
  REDIRECT_URI,
  textOf,
} from "./support.ts";

const MFA = "urn:portolan:acr:mfa";
const STEP_MS = 30_000;
/** How many try codes at once. */
const GUESSERS = 5;

/** What the doors answer with. */
type Body = { readonly features: readonly unknown[]; readonly data?: readonly unknown[] } & readonly unknown[];

describe("second factors of a sign-in", () => {
  let gateway: TestGateway;
  let captain: Requests;
  const ACCOUNTS = ["ann", "bea", "cid", "dan", "eve"];
  const sql = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query<Record<string, unknown>>(text, values)).rows;

  before(async () => {
    gateway = await testGateway({
      config: { mfa: "offered", trustedProxies: ["127.0.0.1"], mcp: true, ows: true, registration: "open" },
    });
    captain = await requestsAs(gateway, "captain");
    await captain(
      "post",
      "/users",
      ACCOUNTS.map((name) => ({ name, password: name })),
    ).expect(201);
    await addClient(gateway.database, "app");
  });
  after(() => gateway.close());

  /** The code that an authenticator shows at a moment, by default now. */
  const codeAt = (secret: string, timestamp = Date.now()): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  const secretOf = ({ text }: Response): string => /secret=([A-Z2-7]+)/.exec(text)?.[1] ?? assert.fail(text);
  const codesOf = ({ text }: Response): string[] =>
    [...text.matchAll(/<code>([a-z0-9-]{19})<\/code>/g)].map(([, one = ""]) => one);

  /** The page after name and password. */
  async function signIn(person: Person, name: string, path = "/account"): Promise<Response> {
    return person.submit(path, await person.agent.get(path), { username: name, password: name, action: "sign-in" });
  }

  /** Adds an authenticator on the page of the account. */
  async function enrol(person: Person, name: string): Promise<{ secret: string; codes: string[] }> {
    await signIn(person, name);
    const page = await person.submit("/account", await person.agent.get("/account"), { action: "add-totp" });
    const secret = secretOf(page);
    // of the step before, so that a test can use the present one
    const shown = await person.submit("/account", page, {
      action: "enrol",
      code: codeAt(secret, Date.now() - STEP_MS),
    });
    assert.equal(shown.status, 200, textOf(shown));
    return { secret, codes: codesOf(shown) };
  }

  /** Tokens of the client, by a browser that has signed in; `more`: of the request. */
  async function tokensOf(person: Person, more: Record<string, string> = {}) {
    const pkce = makePkce();
    const { headers, text } = await person.agent.get(authPath("app", pkce, { scope: "openid", ...more }));
    assert.ok(headers["location"], text);
    const code = new URL(headers["location"]).searchParams.get("code");
    const parameters = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, client_id: "app" };
    const { body } = await gateway.http.post("/api/v4/oauth").send({ ...parameters, code_verifier: pkce.verifier });
    assert.ok(body.access_token, JSON.stringify(body));
    return body;
  }

  it("leads to localhost, where passkeys are good, also where the request names the server (RFC 9112, 3.2.2)", async () => {
    const { headers } = await signIn(new Person(gateway.baseUrl), "guest");
    const cookie = [headers["set-cookie"] ?? []].flat().map((one) => one.split(";", 1).join());
    const { hostname: host, port } = new URL(gateway.baseUrl);
    for (const path of ["/account?a=b", `${gateway.baseUrl}/account?a=b`]) {
      const [response] = (await once(get({ host, port, path, headers: { cookie } }), "response")) as [IncomingMessage];
      const page = await textIn(response);
      assert.equal(response.statusCode, 200);
      assert.ok(page.includes(`href="http://localhost:${port}/account?a=b"`), path);
    }
  });

  it("an account adds an authenticator, is asked for its code from then on, and clients learn of it", async () => {
    const person = new Person(gateway.baseUrl);
    assert.match(textOf(await signIn(person, "ann")), /You have none/);
    const before = decodeJwt((await tokensOf(person)).id_token);
    assert.deepEqual([before["acr"], before["amr"]], ["urn:portolan:acr:password", ["pwd"]]);
    const { secret, codes } = await enrol(person, "ann");
    assert.equal(new Set(codes).size, 10);

    const other = new Person(gateway.baseUrl);
    const asked = await signIn(other, "ann");
    assert.match(textOf(asked), /Six digits/);
    assert.match(textOf(await other.agent.get("/account")), /Password/, "the password alone signs nobody in");
    const wrong = await other.submit("/account", asked, { action: "factor", code: "000000" });
    assert.equal(wrong.status, 401);
    const inside = await other.submit("/account", wrong, {
      action: "factor",
      code: ` ${codeAt(secret).slice(0, 3)} ${codeAt(secret).slice(3)}`,
    });
    assert.match(textOf(inside), /Signed in as ann .* Recovery codes that are left: 10/);
    const tokens = await tokensOf(other);
    const claims = decodeJwt(tokens.id_token);
    assert.deepEqual([claims["acr"], claims["amr"]], [MFA, ["pwd", "otp", "mfa"]]);
    const entries = await sql(
      "select details from portolan.audit where event = 'sign_in' and account = 'ann' order by id desc limit 1",
    );
    assert.deepEqual(entries, [{ details: { via: "page", amr: ["pwd", "otp", "mfa"] } }]);
    const refresh = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: "app" };
    const { body } = await gateway.http.post("/api/v4/oauth").send(refresh).expect(200);
    assert.equal(decodeJwt(body.id_token)["acr"], MFA);
  });

  it("a code counts once, one step of the clock before or after, and not 90 s away", async () => {
    const person = new Person(gateway.baseUrl);
    const { secret } = await enrol(person, "bea");
    const give = async (code: string): Promise<number> => {
      const other = new Person(gateway.baseUrl);
      return (await other.submit("/account", await signIn(other, "bea"), { action: "factor", code })).status;
    };
    // at the beginning of a step, the one that is 90 s away is three steps away
    const now = Date.now();
    assert.equal(await give(codeAt(secret, now - 3 * STEP_MS)), 401);
    assert.equal(await give(codeAt(secret, now + 3 * STEP_MS)), 401);
    assert.equal(await give(codeAt(secret, now)), 200);
    assert.equal(await give(codeAt(secret, now)), 401, "used before");
    assert.equal(await give(codeAt(secret, now - STEP_MS)), 401, "older than one that was used");
    assert.equal(await give(codeAt(secret, now + STEP_MS)), 200);
  });

  it("a recovery code stands in for the authenticator, once", async () => {
    const person = new Person(gateway.baseUrl);
    const { codes } = await enrol(person, "cid");
    const give = async (code: string): Promise<Response> => {
      const other = new Person(gateway.baseUrl);
      return other.submit("/account", await signIn(other, "cid"), { action: "factor", code });
    };
    const inside = await give((codes[0] ?? "").toUpperCase().replaceAll("-", " "));
    assert.match(textOf(inside), /Recovery codes that are left: 9/);
    assert.equal((await give(codes[0] ?? "")).status, 401);
    const renewed = codesOf(
      await person.submit("/account", await person.agent.get("/account"), { action: "new-codes" }),
    );
    assert.equal((await give(codes[1] ?? "")).status, 401, "new ones end the old ones");
    assert.match(textOf(await give(renewed[1] ?? "")), /left: 9/);
  });

  it("the password alone gets nothing elsewhere: no grant, no HTTP Basic, and the answer says where to go", async () => {
    const grant = { grant_type: "password", username: "cid", client_id: "portolan-cli" };
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .send({ ...grant, password: "cid" })
      .expect(400);
    assert.equal(body.error, "mfa_required");
    assert.ok(body.error_description.includes(`${gateway.baseUrl}/auth`), body.error_description);
    const refused = await gateway.http
      .post("/api/v4/oauth")
      .send({ ...grant, password: "wrong" })
      .expect(400);
    assert.equal(refused.body.error, "invalid_grant", "who does not know the password learns nothing");
    const collections = `/api/v4/ogc/database/${gateway.database.name}/collections`;
    await gateway.http.get(collections).auth("cid", "cid").expect(401);
    await gateway.http.get(collections).auth("dan", "dan").expect(200);
  });

  it("a client asks for a second factor (acr_values), and an account without one adds it on the way", async () => {
    const person = new Person(gateway.baseUrl);
    await signIn(person, "dan");
    await tokensOf(person);
    const path = authPath("app", makePkce(), {
      scope: "openid",
      acr_values: `urn:other ${MFA} urn:portolan:acr:password`,
    });
    const silent = await person.agent.get(`${path}&prompt=none`);
    assert.equal(new URL(silent.headers["location"] ?? "").searchParams.get("error"), "login_required");
    const page = await person.agent.get(path);
    assert.match(textOf(page), /must have a second factor/);
    const shown = await person.submit(path, page, { action: "enrol", code: codeAt(secretOf(page)) });
    assert.equal(codesOf(shown).length, 10);
    const onward = await person.submit(path, shown, { action: "continue" });
    assert.ok(onward.headers["location"]?.startsWith(REDIRECT_URI), onward.text);
    assert.equal(decodeJwt((await tokensOf(person)).id_token)["acr"], MFA, "the session has it from then on");
  });

  it("a client must have one (essential acr in claims); one that has one is in the class of a password too", async () => {
    const essential = (value: string) => JSON.stringify({ id_token: { acr: { essential: true, values: [value] } } });
    const person = new Person(gateway.baseUrl);
    await captain("post", "/users", { name: "fay", password: "fay" }).expect(201);
    await signIn(person, "fay");
    const asked = await person.agent.get(authPath("app", makePkce(), { scope: "openid", claims: essential(MFA) }));
    assert.match(textOf(asked), /Add one now/);
    await enrol(person, "fay");
    const metadata = { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: "none", default_acr_values: [MFA] };
    const { body } = await gateway.http.post("/api/v4/oauth/register").send(metadata).expect(201);
    const other = new Person(gateway.baseUrl);
    await captain("post", "/users", { name: "gus", password: "gus" }).expect(201);
    await signIn(other, "gus");
    const withDefault = authPath(body.client_id, makePkce(), { scope: "openid" });
    assert.match(textOf(await other.agent.get(withDefault)), /Add one now/);
    for (const acr of [MFA, "urn:portolan:acr:password"])
      assert.equal(decodeJwt((await tokensOf(person, { claims: essential(acr) })).id_token)["acr"], acr);
  });

  it("a session of before, whose account must have one now, adds it on the page of the account", async () => {
    const person = new Person(gateway.baseUrl);
    await captain("post", "/users", { name: "ida", password: "ida" }).expect(201);
    await signIn(person, "ida");
    await captain("patch", "/users/ida", { two_factor: true }).expect(303);
    const page = await person.agent.get("/account");
    assert.match(textOf(page), /Add one now/);
    const shown = await person.submit("/account", page, { action: "enrol", code: codeAt(secretOf(page)) });
    assert.equal(codesOf(shown).length, 10, textOf(shown));
    assert.match(textOf(await person.agent.get("/account")), /Recovery codes that are left: 10/);
  });

  it("the member two_factor makes an account add one; an administrator takes away what was lost", async () => {
    await captain("patch", "/users/eve", { two_factor: true }).expect(303);
    assert.equal((await captain("get", "/users/eve").expect(200)).body.two_factor, true);
    const device = await gateway.http.post("/api/v4/oauth/device").send({ client_id: "app" }).expect(200);
    const person = new Person(gateway.baseUrl);
    const form = await person.submit("/device", await person.agent.get("/device"), {
      user_code: device.body.user_code,
    });
    const page = await person.submit("/device", form, { username: "eve", password: "eve", action: "sign-in" });
    const secret = secretOf(page);
    assert.equal((await person.submit("/device", page, { action: "enrol", code: "123" })).status, 401);
    const shown = await person.submit("/device", page, { action: "enrol", code: codeAt(secret) });
    assert.match(textOf(await person.submit("/device", shown, { action: "continue" })), /Allow app\?/);

    const listed = await captain("get", "/factors?account=Eve").expect(200);
    assert.deepEqual(
      listed.body.map(({ account, kind, recovery_codes }: Record<string, unknown>) => [account, kind, recovery_codes]),
      [["eve", "totp", 10]],
    );
    assert.ok(!listed.text.includes(secret));
    const ann = await requestsAs(gateway, "ann");
    const own = (await ann("get", "/factors").expect(200)).body as { account: string }[];
    assert.deepEqual(
      own.map(({ account }) => account),
      ["ann"],
    );
    problemOf(await ann("delete", "/users/eve/factors"), 403);
    const removal = await person.submit("/account", await person.agent.get("/account"), { action: "remove" });
    assert.equal(removal.status, 409, "the last one of an account that must have one");

    await captain("delete", "/users/eve/factors").expect(204);
    assert.match(textOf(await person.agent.get("/account")), /Password/, "signed out");
    assert.match(textOf(await signIn(new Person(gateway.baseUrl), "eve")), /must have a second factor/);
    const [entry] = await sql("select details ->> 'by' as by from portolan.audit where event = 'factors.reset'");
    assert.deepEqual(entry, { by: "captain" });
  });

  it("a refresh token of a sign-in without one ends when the account needs one", async () => {
    await captain("post", "/users", { name: "hal", password: "hal" }).expect(201);
    const send = (grant: object) => gateway.http.post("/api/v4/oauth").send({ client_id: "app", ...grant });
    const first = await send({ grant_type: "password", username: "hal", password: "hal" }).expect(200);
    let { refresh_token } = first.body;
    const refresh = () => send({ grant_type: "refresh_token", refresh_token });
    const isActive = async () =>
      (await gateway.http.post("/api/v4/oauth/introspect").send({ token: refresh_token, client_id: "app" })).body
        .active;
    ({ refresh_token } = (await refresh().expect(200)).body);
    await captain("patch", "/users/hal", { two_factor: true }).expect(303);
    const refused = await refresh();
    assertOAuthError(refused, 400, "invalid_grant");
    assert.match(refused.body.error_description, /second factor/);
    assert.equal(await isActive(), false);
    const [entry] = await sql("select details from portolan.audit where event = 'grant.refused' and account = 'hal'");
    assert.deepEqual(entry, { details: { grantType: "refresh_token", outcome: "second_factor" } });
    await captain("patch", "/users/hal", { two_factor: false }).expect(303);
    assert.equal(await isActive(), true);
    ({ refresh_token } = (await refresh().expect(200)).body);

    const person = new Person(gateway.baseUrl);
    await enrol(person, "hal");
    assertOAuthError(await refresh(), 400, "invalid_grant");
  });

  it("an account removes its factor, and is asked for none any more", async () => {
    const person = new Person(gateway.baseUrl);
    await captain("delete", "/users/ann/factors").expect(204);
    await enrol(person, "ann");
    const page = await person.agent.get("/account");
    const { factor = "" } = hiddenFields(page.text);
    assert.match(textOf(await person.submit("/account", page, { action: "remove", factor })), /You have none/);
    assert.match(textOf(await signIn(new Person(gateway.baseUrl), "ann")), /Signed in as ann/);
  });

  it("what is changed needs a sign-in of the last ten minutes", async () => {
    const person = new Person(gateway.baseUrl);
    await signIn(person, "ann");
    await sql("update portolan.sessions set created_at = created_at - interval '11 minutes' where user_name = 'ann'");
    const page = await person.submit("/account", await person.agent.get("/account"), { action: "add-totp" });
    assert.equal(page.status, 401);
    assert.match(textOf(page), /sign in again/);
  });

  it("codes that are tried have the account wait, from wherever they come", async function () {
    this.timeout(sized(60_000, 1_200_000));
    await captain("delete", "/users/bea/factors").expect(204);
    const { secret } = await enrol(new Person(gateway.baseUrl), "bea");
    const tried = Array.from({ length: sized(130, 10_000) }, (_, n) => String(100_000 + n));
    const statuses = new Map<number, number>();
    const guesser = async (first: number): Promise<[Person, Response]> => {
      const person = new Person(gateway.baseUrl);
      let page = await signIn(person, "bea");
      for (let n = first; n < tried.length; n += GUESSERS) {
        if (n % 300 < GUESSERS) page = await signIn(person, "bea"); // what waits for a code ends after ten minutes
        person.agent.set("X-Forwarded-For", `10.${n % 200}.${Math.floor(n / 200)}.7`);
        const answer = await person.submit("/account", page, { action: "factor", code: tried[n] ?? "" });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
      return [person, page];
    };
    const [last] = await Promise.all(Array.from({ length: GUESSERS }, (_, first) => guesser(first)));
    const [person] = last!;
    let [, page] = last!;
    const judged = statuses.get(401) ?? 0;
    assert.ok(judged > 90 && judged < 125, JSON.stringify([...statuses]));
    assert.equal(judged + (statuses.get(429) ?? 0), tried.length, JSON.stringify([...statuses]));
    person.agent.set("X-Forwarded-For", "10.0.0.1");
    page = await person.submit("/account", page, { action: "factor", code: codeAt(secret) });
    assert.equal(page.status, 429, "the right code too");
    await captain("delete", "/users/bea/lockout").expect(204);
    const inside = await person.submit("/account", page, { action: "factor", code: codeAt(secret) });
    assert.match(textOf(inside), /Signed in as bea/);
    const { text } = await gateway.http.get("/metrics").expect(200);
    assert.match(text, /portolan_second_factors_total\{kind="code",outcome="refused"\} \d{3}/);
  });

  it("the pages speak German to a German reader", async () => {
    const person = new Person(gateway.baseUrl);
    person.agent.set("Accept-Language", "de-AT, en;q=0.4");
    assert.match(textOf(await signIn(person, "dan")), /Zweiter Schritt .* Sechs Ziffern/);
  });

  describe("rules with mfa", () => {
    const DATA = "gil";
    const COLLECTION = "world.cities";
    let token: string;
    let withFactor: string;
    /** The same two for the agents' door. */
    let ofAgent: string;
    let ofAgentWithFactor: string;
    const root = () => `/api/v4/ogc/database/${gateway.database.name}/collections/${COLLECTION}`;

    before(async () => {
      await captain("post", "/users", { name: DATA, password: DATA }).expect(201);
      await sql("select portolan.set_privilege('world.cities', $1, 'write')", [DATA]);
      await captain("patch", "/schemas/world/tables/cities/events", { enabled: true }).expect(303);
      const person = new Person(gateway.baseUrl);
      await enrol(person, DATA);
      const other = new Person(gateway.baseUrl);
      const { secret } = (
        await gateway.database.client.query("select secret from portolan.factors where user_name = $1", [DATA])
      ).rows[0];
      await other.submit("/account", await signIn(other, DATA), { action: "factor", code: codeAt(secret) });
      const { access_token, refresh_token } = await tokensOf(other);
      token = await gateway.token(DATA); // comes from no sign-in
      ofAgent = await agentToken(gateway, DATA);
      const resource = `${gateway.baseUrl}/mcp/${gateway.database.name}`;
      ofAgentWithFactor = (await tokensOf(other, { resource, scope: "mcp:write" })).access_token;
      await sql("select portolan.create_method('first_cities', 'select id from world.cities')");
      await sql("update portolan.methods set published = true where method = 'first_cities'");
      const refresh = { grant_type: "refresh_token", refresh_token, client_id: "app" };
      const { body } = await gateway.http.post("/api/v4/oauth").send(refresh).expect(200);
      withFactor = body.access_token; // kept through refresh
      assert.notEqual(withFactor, access_token);
      await captain("post", "/rules", {
        username: DATA,
        schema: "world",
        table: "cities",
        access: "limit",
        filter: "id <= 2",
        mfa: true,
      }).expect(201);
      await captain("post", "/rules", {
        username: DATA,
        schema: "world",
        table: "cities",
        access: "deny",
        priority: 1,
      }).expect(201);
    });

    /** What a door answers: the number of rows, or the status and code of the refusal. */
    const DOORS: Readonly<Record<string, (token: string) => Promise<unknown>>> = {
      async GraphQL(bearer) {
        const query = "{ getCities(where: {id: {gte: 0}}) { id } }";
        const { body } = await gateway.http
          .post("/api/graphql/schema/world")
          .set("Authorization", `Bearer ${bearer}`)
          .send({ query });
        return body.data?.getCities?.length ?? body.errors[0].extensions.code;
      },
      async rows(bearer) {
        return answerOf(bearer, "/api/v4/schemas/world/tables/cities/rows", (body) => (body.data ?? body).length);
      },
      async sql(bearer) {
        const answer = await gateway.http
          .post("/api/v4/sql")
          .set("Authorization", `Bearer ${bearer}`)
          .send({ q: "select id from world.cities" });
        return answer.status === 200 ? answer.body.data.length : answer.body.code;
      },
      async items(bearer) {
        return answerOf(bearer, `${root()}/items?limit=50&f=json`, ({ features }) => features.length);
      },
      async map(bearer) {
        return answerOf(bearer, `${root()}/map?width=16&height=16&bbox=-180,-90,180,90`, () => 2);
      },
      async tile(bearer) {
        return answerOf(bearer, `${root()}/tiles/WebMercatorQuad/0/0/0`, () => 2);
      },
      async methods(bearer) {
        const { body } = await gateway.http
          .post("/api/v4/call")
          .set("Authorization", `Bearer ${bearer}`)
          .send({ jsonrpc: "2.0", id: 1, method: "first_cities" });
        return body.result?.data.length ?? JSON.stringify(body);
      },
      async WMS(bearer) {
        const query = "service=WMS&version=1.3.0&request=GetMap&layers=world.cities&styles=&crs=CRS:84";
        return ows(bearer, `${query}&bbox=-180,-90,180,90&width=16&height=16&format=image/png`, () => 2);
      },
      async WFS(bearer) {
        const query =
          "service=WFS&version=2.0.0&request=GetFeature&typenames=world.cities&outputformat=application/json";
        return ows(bearer, query, (text) => JSON.parse(text).features.length);
      },
      async agents(bearer) {
        const agent = await connectAgent(gateway, DATA, { token: bearer === token ? ofAgent : ofAgentWithFactor });
        const { isError, structuredContent, content } = await agent.client.callTool({
          name: "read",
          arguments: { table: "world.cities", limit: 50 },
        });
        await agent.close();
        return isError ? JSON.stringify(content) : (structuredContent as { rows: unknown[] }).rows.length;
      },
      async events(bearer) {
        const socket = await new SocketClient(`${gateway.baseUrl.replace("http", "ws")}/?token=${bearer}`).opened();
        socket.send({ type: "subscription", id: "a", schema: "world", rel: "cities" });
        const answer = await socket.take(({ type }) => type === "subscription_ack" || type === "error");
        socket.webSocket.terminate();
        return answer.type === "subscription_ack" ? 2 : (answer["error"] ?? answer["code"] ?? JSON.stringify(answer));
      },
    };

    async function ows(bearer: string, query: string, count: (text: string) => number): Promise<unknown> {
      const answer = await gateway.http
        .get(`/ows/${gateway.database.name}?${query}`)
        .set("Authorization", `Bearer ${bearer}`);
      const isRefused = answer.status !== 200 || /Exception/.test(answer.text ?? "");
      return isRefused ? answer.text : count(answer.text);
    }

    async function answerOf(bearer: string, path: string, count: (body: Body) => number): Promise<unknown> {
      const { status, body, headers } = await gateway.http.get(path).set("Authorization", `Bearer ${bearer}`);
      if (status === 200) return count(body);
      assert.equal(status, 401, JSON.stringify(body));
      const challenge = String(headers["www-authenticate"]);
      assert.ok(
        challenge.includes('error="insufficient_user_authentication"') && challenge.includes(`acr_values="${MFA}"`),
        challenge,
      );
      return body.code;
    }

    /** Doors that refuse in other words: the last three tell nobody of a table that a rule denies. */
    const REFUSALS: Readonly<Record<string, RegExp>> = {
      methods: /"sqlstate":"PX401","detail":"a rule denies select on world.cities without a second factor"/,
      WMS: /LayerNotDefined/,
      WFS: /There is no collection/,
      agents: /NOT_FOUND/,
    };

    for (const [door, read] of Object.entries(DOORS))
      it(`${door}: deny a session without a second factor, and act as written for one with it`, async () => {
        // in turn: sessions of the pool, tiles and maps of one are not the other's
        for (let round = 0; round < 3; round++) {
          assert.match(String(await read(token)), REFUSALS[door] ?? /INSUFFICIENT_USER_AUTHENTICATION/);
          assert.equal(await read(withFactor), 2);
        }
      });

    it("where no account may have one, the refusal says so and asks for none; a new rule has a note", async () => {
      const { name, gatewayUrl: url, url: ownerUrl } = gateway.database;
      const config = makeConfig({ databases: { [name]: { url, ownerUrl } }, port: 0 });
      const off = await startGateway(config, createLog("silent"));
      try {
        const headers = { Authorization: `Bearer ${await tokenFor(gateway.database, off.baseUrl, DATA, 60)}` };
        const ask = (path: string) => fetch(off.baseUrl + path, { headers });
        for (const path of ["/api/v4/schemas/world/tables/cities/rows", `${root()}/items?f=json`]) {
          const answer = await ask(path);
          const text = await answer.text();
          assert.equal(answer.status, 403, text);
          assert.match(text, /without a second factor, which this service does not offer \(its option mfa is off\)/);
          assert.equal(answer.headers.get("www-authenticate"), null);
        }
        const notes = await sql("select unnest(portolan.rule_notes(id)) as note from portolan.rules where mfa");
        assert.match(String(notes[0]?.["note"]), /no account may have a second factor while the option mfa is off/);
      } finally {
        await off.close();
        await sql("select portolan.note_mfa('offered')");
      }
    });

    it("writes are refused the same way; a rule that denies anyway cannot have it, and files carry it", async () => {
      const q = "update world.cities set name = name where id = 1";
      const write = (bearer: string) =>
        gateway.http.post("/api/v4/sql").set("Authorization", `Bearer ${bearer}`).send({ q });
      assert.equal((await write(token)).body.code, "INSUFFICIENT_USER_AUTHENTICATION");
      assert.equal((await write(withFactor)).status, 200);
      problemOf(await captain("post", "/rules", { username: DATA, table: "cities", access: "deny", mfa: true }), 400);
      const { body } = await captain("get", "/configuration").expect(200);
      assert.ok(Object.values(body.rules).some((rule) => (rule as { mfa: boolean }).mfa));
      const explained = await sql(
        "select meaning from portolan.explain_access($1, 'world.cities') where subject = 'rule'",
        [DATA],
      );
      assert.match(JSON.stringify(explained), /it denies a session without a second factor/);
    });
  });
});
