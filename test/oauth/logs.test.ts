import assert from "node:assert/strict";
import type { Response } from "supertest";
import supertest from "supertest";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { GatewayProcess } from "../support/process.ts";
import { Person, REDIRECT_URI, addClient, authPath, hiddenFields, makePkce } from "./support.ts";

/** A reader of the logs must not be able to act as another account. */
describe("no secret is in the logs", () => {
  let database: TestDatabase;
  let gateway: GatewayProcess;
  let clientSecret: string;
  /** Secrets that the gateway gets or gives, and must not log: name → value. */
  const secrets = new Map<string, string>();

  before(async () => {
    database = await testDatabase({ kind: "demo" });
    await addClient(database, "app");
    clientSecret = keep("client secret", (await addClient(database, "server", { public: false })) ?? "");
    gateway = await GatewayProcess.start({ DATABASE_URL: database.gatewayUrl, PORT: "0", LOG_LEVEL: "trace" });
  });
  after(async () => {
    await gateway.stop();
    await database.drop();
  });

  function keep(name: string, value: string): string {
    assert.ok(value.length > 7, `${name}: ${value}`);
    secrets.set(`${name} ${secrets.size}`, value);
    return value;
  }

  const http = () => supertest(gateway.baseUrl);
  const post = (body: object, path = "") =>
    http()
      .post(`/api/v4/oauth${path}`)
      .send({ client_id: "app", ...body });

  function keepTokens({ body }: Response): { access: string; refresh: string } {
    // the head of a JWT is the same for all; the signature makes it valid
    for (const name of ["access_token", "refresh_token"]) keep(name, body[name].split(".")[2]);
    return { access: body.access_token, refresh: body.refresh_token };
  }

  function keepCookies(response: Response): void {
    for (const cookie of (response.headers["set-cookie"] ?? []) as unknown as string[]) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split("=") ?? [];
      if (value !== "") keep(name, value);
    }
    const { form_token } = hiddenFields(response.text);
    if (form_token) keep("form token", form_token);
  }

  /** Every request of this door; true with the right secrets, which are kept, false with wrong ones. */
  async function sayEverything(fresh: boolean): Promise<Response[]> {
    const wrong = (name: string) => keep(`wrong ${name}`, `WRONG-${name.replaceAll(" ", "-")}-${secrets.size}`);
    const pkce = makePkce();
    keep("verifier", pkce.verifier);
    const state = keep("state", `STATE-OF-CLIENT-${secrets.size}`);
    const path = authPath("app", pkce, { state });
    const person = new Person(gateway.baseUrl);
    const answers: Response[] = [];
    async function say(answer: PromiseLike<Response>): Promise<Response> {
      const response = await answer;
      answers.push(response);
      keepCookies(response);
      return response;
    }

    const page = await say(person.agent.get(path));
    await say(person.submit(path, page, { username: "guest", password: wrong("password"), action: "sign-in" }));
    await say(person.submit(path, page, { username: wrong("user name"), password: "guest", action: "sign-in" }));
    await say(person.submit(path, page, { username: "guest", password: "guest", action: "sign-in" }));
    const back = await say(person.agent.get(path));
    const code = fresh
      ? keep("code", new URL(back.headers["location"] ?? "").searchParams.get("code")?.split(".")[1] ?? "")
      : wrong("code");
    const exchange = { grant_type: "authorization_code", redirect_uri: REDIRECT_URI, code_verifier: pkce.verifier };
    const wholeCode = `${Buffer.from(database.name).toString("base64url")}.${code}`;
    await say(post({ ...exchange, code: wholeCode, code_verifier: keep("other verifier", makePkce().verifier) }));
    const granted = await say(post({ ...exchange, code: wholeCode }));
    await say(post({ ...exchange, code: wholeCode }));

    const secret = fresh ? clientSecret : wrong("client secret");
    keep("Basic", Buffer.from(`server:${secret}`).toString("base64"));
    const password = { grant_type: "password", username: "guest", password: "guest" };
    await say(post({ ...password, client_id: "server", client_secret: secret }));
    await say(http().post("/api/v4/oauth").send(password).auth("server", secret));
    await say(post({ ...password, password: wrong("password") }));
    await say(post({ ...password, username: wrong("user name") }));
    const tokens = fresh
      ? keepTokens(await say(post(password)))
      : { access: wrong("access token"), refresh: wrong("refresh token") };
    await say(post({ grant_type: "refresh_token", refresh_token: tokens.refresh, scope: "more" }));
    const refreshed = await say(post({ grant_type: "refresh_token", refresh_token: tokens.refresh }));
    if (granted.status === 200) keepTokens(granted);
    if (refreshed.status === 200) keepTokens(refreshed);
    await say(post({ token: tokens.access }, "/introspect"));
    await say(post({ token: tokens.access }, "/revoke"));
    await say(
      http()
        .post("/api/graphql/schema/world")
        .auth(tokens.access, { type: "bearer" })
        .send({ query: "{ countCities }" }),
    );

    const started = await say(post({}, "/device"));
    const deviceCode = fresh ? keep("device code", started.body.device_code.split(".")[1]) : wrong("device code");
    const userCode = fresh ? keep("user code", started.body.user_code) : wrong("user code");
    keep("user code", userCode.replaceAll("-", ""));
    await say(person.agent.get(`/device?user_code=${userCode}`));
    const devicePage = await say(person.agent.get("/device"));
    await say(person.submit("/device", devicePage, { user_code: userCode, action: "allow" }));
    await say(post({ grant_type: "device_code", device_code: `${wholeCode.split(".")[0]}.${deviceCode}` }));

    const link = fresh
      ? keep("link", (await database.client.query("select portolan.invite_user('guest') as link")).rows[0].link)
      : wrong("link");
    const linkPage = await say(person.agent.get(`/password?token=${link}`));
    const chosen = keep("new password", `CHOSEN-${secrets.size}`);
    await say(person.submit(`/password?token=${link}`, linkPage, { password: chosen, repeated: "x" }));
    await say(person.agent.get(`/signout?${new URLSearchParams({ redirect_uri: REDIRECT_URI, state })}`));
    await say(
      http()
        .patch("/api/v4/users/guest")
        .auth(tokens.access, { type: "bearer" })
        .send({ password: chosen, current_password: wrong("password") }),
    );
    return answers;
  }

  it("with good ones, bad ones, and when the database fails in the middle", async () => {
    const good = await sayEverything(true);
    assert.ok(good.filter(({ status }) => status < 400).length > 12);
    const bad = await sayEverything(false);
    assert.ok(bad.filter(({ status }) => status >= 400 && status < 500).length > 12);

    const failing = [];
    for (const table of ["lockouts", "authorization_codes", "device_requests", "one_time_links", "sessions"]) {
      await database.client.query("truncate portolan.lockouts");
      await database.client.query(`alter table portolan.${table} rename to lost`);
      failing.push(...(await sayEverything(false)));
      await database.client.query(`alter table portolan.lost rename to ${table}`);
    }
    const faults = failing.filter(({ status }) => status >= 500);
    assert.ok(faults.length > 10, `${faults.length} of ${failing.length}`);
    for (const { text } of faults) assert.doesNotMatch(text, /portolan\.[a-z]+_|lost|relation|integer/);

    await gateway.stop();
    const logs = gateway.stdout + gateway.stderr;
    assert.match(logs, /"path":"\/api\/v4\/oauth"/);
    assert.ok(
      logs.split("\n").filter((line) => line.includes('"failure"')).length >= faults.length,
      "failures are logged",
    );
    assert.ok(secrets.size > 150);
    for (const [name, value] of secrets) {
      const at = logs.indexOf(value);
      assert.ok(at < 0, `${name} ${value}: ${logs.slice(Math.max(0, at - 500), at + 200)}`);
    }
    assert.doesNotMatch(logs, /WRONG|STATE-|CHOSEN|eyJ|\$argon2|\$2a\$/);
  });
});
