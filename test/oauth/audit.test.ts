import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person, REDIRECT_URI, addClient, authPath, codeFor, makePkce } from "./support.ts";

/** Grants and changes are in state.test.ts. */
describe("refusals in the audit", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway({ config: { trustedProxies: ["127.0.0.1"] } });
    await addClient(gateway.database, "app");
    await addClient(gateway.database, "other");
  });
  after(() => gateway.close());

  const sql = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);
  const post = (body: object, path = "") =>
    gateway.http
      .post(`/api/v4/oauth${path}`)
      .set("X-Forwarded-For", "192.0.2.1")
      .send({ client_id: "app", ...body });

  /** The entries that `act` makes, each from the caller's address. */
  async function entries(act: () => Promise<unknown>): Promise<unknown[]> {
    await sql("truncate portolan.audit");
    await act();
    const { rows } = await sql("select event, account, client_id, address, details from portolan.audit order by id");
    return rows.map(({ event, account, client_id: client, address, details }) => {
      assert.equal(address, "192.0.2.1", event);
      return [event, account, client, details];
    });
  }
  const refused = (client: string, outcome: string, grantType: string, account: string | null = null) => [
    "grant.refused",
    account,
    client,
    { outcome, grantType },
  ];

  it("a device that polls: denied, expired, another client's, made up; not every time that it must wait", async () => {
    const start = async () => (await post({}, "/device").expect(200)).body.device_code as string;
    const poll = (device_code: string, client_id = "app") =>
      post({ grant_type: "device_code", device_code, client_id }).expect(400);
    for (const [outcome, prepare, client] of [
      ["denied", "update portolan.device_requests set decision = 'denied'", "app"],
      ["expired", "update portolan.device_requests set expires_at = now()", "app"],
      ["other_client", "select", "other"],
    ] as const) {
      const code = await start();
      await sql(prepare);
      assert.deepEqual(await entries(() => poll(code, client)), [refused(client, outcome, "device_code")]);
    }
    assert.deepEqual(await entries(() => poll("made up")), [refused("app", "unknown", "device_code")]);
    const waiting = await start();
    assert.deepEqual(await entries(() => poll(waiting).then(() => poll(waiting))), []);
  });

  it("a refresh token: forged, of another client, reused, revoked", async () => {
    const refresh = (refresh_token: string, client_id = "app") =>
      post({ grant_type: "refresh_token", refresh_token, client_id });
    const signIn = async () =>
      (await post({ grant_type: "password", username: "guest", password: "guest" }).expect(200)).body
        .refresh_token as string;
    const first = await signIn();
    for (const forged of [`${first.slice(0, -8)}AAAAAAAA`, "a.b.c", "x"])
      assert.deepEqual(await entries(() => refresh(forged).expect(400)), [refused("app", "invalid", "refresh_token")]);
    assert.deepEqual(await entries(() => refresh(first, "other").expect(400)), [
      refused("other", "other_client", "refresh_token", "guest"),
    ]);
    await refresh(first).expect(200);
    await sql("update portolan.refresh_tokens set rotated_at = rotated_at - interval '31 seconds'");
    for (const outcome of ["reused", "ended"])
      assert.deepEqual(await entries(() => refresh(first).expect(400)), [
        refused("app", outcome, "refresh_token", "guest"),
      ]);
  });

  it("a code: made up, replayed, with a wrong verifier", async () => {
    const pkce = makePkce();
    const code = await codeFor(gateway.baseUrl, "app", pkce);
    const exchange = (more: object) =>
      post({
        grant_type: "authorization_code",
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: pkce.verifier,
        ...more,
      });
    for (const [outcome, more, account] of [
      ["unknown", { code: "x" }, null],
      ["code_verifier", { code_verifier: "x".repeat(43) }, "guest"],
      ["redirect_uri", { redirect_uri: "https://x.example" }, "guest"],
      ["other_client", { client_id: "other" }, "guest"],
    ] as const)
      assert.deepEqual(await entries(() => exchange(more).expect(400)), [
        refused(outcome === "other_client" ? "other" : "app", outcome, "authorization_code", account),
      ]);
    await exchange({}).expect(200);
    assert.deepEqual(await entries(() => exchange({}).expect(400)), [
      refused("app", "replayed", "authorization_code", "guest"),
    ]);
  });

  it("a wrong current_password over REST, with a stolen token", async () => {
    const token = await gateway.token("guest");
    const made = await entries(() =>
      gateway.http
        .patch("/api/v4/users/guest")
        .set({ Authorization: `Bearer ${token}`, "X-Forwarded-For": "192.0.2.1" })
        .send({ password: "SECRET new", current_password: "SECRET wrong" })
        .expect(403),
    );
    assert.deepEqual(made, [["sign_in.refused", "guest", null, { via: "management" }]]);
  });

  it("a sign-out on the pages: whose it was, and from where; none where nobody was signed in", async () => {
    const person = new Person(gateway.baseUrl);
    person.agent.set("X-Forwarded-For", "192.0.2.1");
    const page = await person.agent.get("/account").expect(200);
    await person.submit("/account", page, { username: "guest", password: "guest", action: "sign-in" });
    const made = await entries(async () => {
      await person.agent.get("/signout").expect(200);
      await person.agent.get("/signout").expect(200);
    });
    assert.deepEqual(made, [["sign_out", "guest", null, {}]]);
    const { text } = await gateway.http.get("/metrics").expect(200);
    assert.match(text, /portolan_sign_outs_total\{by="person"\} 1\n/);
  });

  it("a sign-out that a client asks for: which one", async () => {
    const person = new Person(gateway.baseUrl);
    person.agent.set("X-Forwarded-For", "192.0.2.1");
    const page = await person.agent.get("/account").expect(200);
    await person.submit("/account", page, { username: "guest", password: "guest", action: "sign-in" });
    const made = await entries(() => person.agent.get("/signout?client_id=app").expect(200));
    assert.deepEqual(made, [["sign_out", "guest", "app", {}]]);
  });

  it("the first guest of a client, whose session all its guests share", async () => {
    await sql("select portolan.create_user('visitor', null)");
    await sql("update portolan.users set default_user = true where name = 'visitor'");
    const made = await entries(async () => {
      for (let n = 0; n < 3; n++) await post({}, "/guest").expect(200);
    });
    assert.deepEqual(made, [["granted", "visitor", "app", { grantType: "guest" }]]);
    await sql("update portolan.users set default_user = false where name = 'visitor'");
    await post({}, "/guest").expect(400);
    const { text } = await gateway.http.get("/metrics").expect(200);
    assert.match(text, /portolan_guest_tokens_total\{outcome="given"\} 3\n/);
    assert.match(text, /portolan_guest_tokens_total\{outcome="refused"\} 1\n/);
  });

  it("a sign-in and a consent that were refused on the pages", async () => {
    await addClient(gateway.database, "careful", { confirm: true });
    const person = new Person(gateway.baseUrl);
    person.agent.set("X-Forwarded-For", "192.0.2.1");
    const path = authPath("careful", makePkce());
    const made = await entries(async () => {
      const page = await person.agent.get(path);
      await person.submit(path, page, { username: "guest", password: "SECRET", action: "sign-in" });
      await person.submit(path, page, { username: "SECRET", password: "guest", action: "sign-in" });
      await person.authorize(path, "guest", "guest", "deny");
    });
    assert.deepEqual(made, [
      ["sign_in.refused", "guest", null, { via: "page" }],
      ["sign_in.refused", null, null, { via: "page" }],
      ["sign_in", "guest", null, { via: "page", amr: ["pwd"] }],
      ["consent.denied", "guest", "careful", {}],
    ]);
  });
});
