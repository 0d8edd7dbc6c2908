import assert from "node:assert/strict";
import supertest from "supertest";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person, addClient, assertOAuthError, hiddenFields } from "./support.ts";

describe("the device flow", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway({ config: { trustedProxies: ["127.0.0.1"] } });
    await addClient(gateway.database, "app");
    await addClient(gateway.database, "other");
  });
  after(() => gateway.close());

  const sql = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);
  const ask = (address = "192.0.2.1") =>
    gateway.http.post("/api/v4/oauth/device").set("X-Forwarded-For", address).send({ client_id: "app" });
  const poll = (device_code: string, client_id = "app") =>
    gateway.http.post("/api/v4/oauth").send({ grant_type: "device_code", device_code, client_id });

  it("a confidential client starts it with its secret; its id alone is invalid_client", async () => {
    const client_secret = await addClient(gateway.database, "kiosk", { public: false });
    const start = (body: object) =>
      gateway.http.post("/api/v4/oauth/device").set("X-Forwarded-For", "192.0.2.7").send(body);
    assertOAuthError(await start({ client_id: "kiosk" }), 401, "invalid_client");
    await start({ client_id: "kiosk", client_secret }).expect(200);
  });

  it("a code that nobody entered in time is expired_token, and can no longer be entered", async () => {
    const { body } = await ask().expect(200);
    await sql("update portolan.device_requests set expires_at = now()");
    assertOAuthError(await poll(body.device_code), 400, "expired_token");
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get("/device");
    const answer = await person.submit("/device", page, { user_code: body.user_code, action: "code" });
    assert.equal(answer.status, 400);
  });

  it("a code that was allowed but not fetched in time gives nothing", async () => {
    const { body } = await ask().expect(200);
    await sql(`
update portolan.device_requests d
set decision = 'granted', user_name = u.name, token_version = u.token_version, expires_at = now()
from portolan.users u
where u.name = 'guest' and d.decision is null`);
    assertOAuthError(await poll(body.device_code), 400, "expired_token");
  });

  it("a device whose request was denied is told so", async () => {
    const { body } = await ask().expect(200);
    const person = new Person(gateway.baseUrl);
    const signIn = { user_code: body.user_code, username: "guest", password: "guest", action: "sign-in" };
    const page = await person.submit("/device", await person.agent.get("/device"), signIn);
    await person.submit("/device", page, { action: "deny" }).then(({ status }) => assert.equal(status, 200));
    assertOAuthError(await poll(body.device_code), 400, "access_denied");
  });

  it("a device code of another client is refused, and stays valid for its own", async () => {
    const { body } = await ask().expect(200);
    assertOAuthError(await poll(body.device_code, "other"), 400, "invalid_grant");
    assertOAuthError(await poll(body.device_code), 400, "authorization_pending");
  });

  it("codes that are guessed many at once are slowed down as if guessed one by one", async () => {
    const { body } = await ask().expect(200);
    const page = await gateway.http.get("/device");
    const cookie = (page.headers["set-cookie"] as unknown as string[]).map((one) => one.split(";")[0]).join("; ");
    const guess = (user_code: string, address: string) =>
      supertest(gateway.baseUrl)
        .post("/device")
        .set({ Cookie: cookie, "X-Forwarded-For": address })
        .type("form")
        .send({ ...hiddenFields(page.text), user_code, action: "code" });
    // an address that failed 20 times and has waited since: its next failure locks it for a quarter of an hour
    await sql("select portolan.attempt('user_code', '', '192.0.2.50', false)");
    await sql("update portolan.lockouts set failures = 20");
    const codes = Array.from({ length: 40 }, (_, index) => `BBBBBB${"BCDFGHJK"[index & 7]}${"BCDFGHJK"[index >> 3]}`);
    const answers = await Promise.all(codes.with(15, body.user_code).map((code) => guess(code, "192.0.2.50")));
    const [right] = answers.splice(15, 1);
    assert.deepEqual(
      [400, 429].map((status) => answers.filter((answer) => answer.status === status).length),
      [1, 38],
      "one was tried",
    );
    assert.equal(right?.status, 429, "the right one among them was not");
    assert.match((await guess(body.user_code, "192.0.2.51")).text, /value="sign-in"/, "elsewhere it is good");
  });

  it("one network cannot fill the table: at most 200 requests wait, and others are accepted", async () => {
    await sql("truncate portolan.device_requests");
    const spread = (index: number) => `2001:db8:1:2::${index.toString(16)}`;
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async (_, client) => {
        for (let count = 0; count < 25; count++) statuses.push((await ask(spread(client * 25 + count))).status);
      }),
    );
    const { rows } = await sql("select count(*)::int from portolan.device_requests");
    assert.ok(rows[0].count >= 200 && rows[0].count < 210, `${rows[0].count}`); // requests at the same time see the same count
    assert.equal(statuses.filter((status) => status === 200).length, rows[0].count);
    const refused = await ask(spread(1));
    assertOAuthError(refused, 429, "invalid_grant");
    assert.ok(Number(refused.headers["retry-after"]) > 0);
    await ask("2001:db8:1:3::1").expect(200);
    await sql("update portolan.device_requests set expires_at = now()");
    await ask(spread(1)).expect(200);
  });
});
