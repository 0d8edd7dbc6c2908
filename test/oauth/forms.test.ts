import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import supertest, { type Response } from "supertest";
import { reasonIn } from "../../server/oauth/pages/reasons.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { freePort } from "../support/freePort.ts";
import { weightOf } from "../support/pageWeight.ts";
import { Person, REDIRECT_URI, addClient, authPath, hiddenFields, makePkce } from "./support.ts";

/** Where the endpoints for browsers throw what their pages show. */
const SOURCES_OF_REASONS = [
  ...["authorization", "provider", "signout"].map((name) => `oauth/endpoints/${name}.ts`),
  ...[
    "authorizationRequest",
    "browser",
    "checkResource",
    "checkScope",
    "pushedRequest",
    "readBody",
    "secondFactor",
  ].map((name) => `oauth/steps/${name}.ts`),
  ...["request", "signInAgain"].map((name) => `oauth/openid/${name}.ts`),
  ...["documents", "metadata", "sector"].map((name) => `oauth/registration/${name}.ts`),
  "kernel/http/publicFetch.ts",
];

describe("forms and cookies", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "app");
    await addClient(gateway.database, "careful", { confirm: true });
  });
  after(() => gateway.close());

  const cookies = (response: Response) => (response.headers["set-cookie"] ?? []) as unknown as string[];

  interface Form {
    readonly name: string;
    readonly path: string;
    readonly fields: Record<string, string>;
    /** Brings the person to the form. */
    readonly reach: (person: Person) => Promise<Response>;
    /** Whether the form had its effect. */
    readonly worked: (response: Response) => boolean;
  }

  async function forms(): Promise<readonly Form[]> {
    const path = authPath("careful", makePkce(), { scope: `s${Math.random()}` });
    const { body } = await gateway.http.post("/api/v4/oauth/device").send({ client_id: "app" });
    const { rows } = await gateway.database.client.query("select portolan.invite_user('guest') as token");
    const link = `/password?token=${rows[0].token}`;
    const signIn = { username: "guest", password: "guest", action: "sign-in" };
    const signedOut = (response: Response) =>
      cookies(response).some((cookie) => /session-[\w-]+=; Max-Age=0/.test(cookie));
    const reachConsent = async (person: Person) => {
      await person.submit(path, await person.agent.get(path), signIn);
      return person.agent.get(path);
    };
    const reachDeviceSignIn = async (person: Person) =>
      person.submit("/device", await person.agent.get("/device"), { user_code: body.user_code, action: "code" });
    const sessionStarted = (response: Response) => cookies(response).some((cookie) => cookie.includes("session"));
    return [
      { name: "sign-in", path, fields: signIn, reach: (person) => person.agent.get(path), worked: sessionStarted },
      {
        name: "consent",
        path,
        fields: { action: "allow" },
        reach: reachConsent,
        worked: (response) => (response.headers["location"] ?? "").startsWith(REDIRECT_URI),
      },
      {
        name: "denial",
        path,
        fields: { action: "deny" },
        reach: reachConsent,
        worked: (response) => (response.headers["location"] ?? "").includes("error=access_denied"),
      },
      {
        name: "somebody else at consent",
        path,
        fields: { action: "switch" },
        reach: reachConsent,
        worked: signedOut,
      },
      {
        name: "the code of a device",
        path: "/device",
        fields: { user_code: body.user_code, action: "code" },
        reach: (person) => person.agent.get("/device"),
        worked: (response) => response.text.includes('value="sign-in"'),
      },
      {
        name: "consent for a device",
        path: "/device",
        fields: { user_code: body.user_code, action: "allow" },
        reach: async (person) => person.submit("/device", await reachDeviceSignIn(person), signIn),
        worked: (response) => response.text.includes("is connected"),
      },
      {
        name: "denial for a device",
        path: "/device",
        fields: { user_code: body.user_code, action: "deny" },
        reach: async (person) => person.submit("/device", await reachDeviceSignIn(person), signIn),
        worked: (response) => response.text.includes("is not connected"),
      },
      {
        name: "somebody else for a device",
        path: "/device",
        fields: { user_code: body.user_code, action: "switch" },
        reach: async (person) => person.submit("/device", await reachDeviceSignIn(person), signIn),
        worked: signedOut,
      },
      {
        name: "a password by link",
        path: link,
        fields: { password: "guest", repeated: "guest" },
        reach: (person) => person.agent.get(link),
        worked: (response) => response.text.includes("needs at least") || response.text.includes("is set"),
      },
    ];
  }

  for (const index of Array.from({ length: 9 }, (_, index) => index))
    it(`CSRF has no effect: form ${index + 1} of 9`, async () => {
      const [all, foreign] = [await forms(), new Person(gateway.baseUrl)];
      const form = all[index];
      assert.ok(form && all.length === 9);
      const person = new Person(gateway.baseUrl);
      const page = await form.reach(person);
      const stolen = hiddenFields((await foreign.agent.get(authPath("app", makePkce()))).text)["form_token"] ?? "";
      assert.match(stolen, /^[\w-]{43}$/);
      for (const token of [undefined, "", "x", stolen]) {
        const answer = await person.agent
          .post(form.path)
          .type("form")
          .send({ ...hiddenFields(page.text), ...form.fields, form_token: token });
        assert.ok(!form.worked(answer), `${form.name} with ${token}`);
        assert.ok(answer.status === 403, `${form.name}: ${answer.status}`);
      }
      // the right token, in a request that another site made the browser send
      for (const site of ["cross-site", "same-site"]) {
        const answer = await person.agent
          .post(form.path)
          .type("form")
          .set("Sec-Fetch-Site", site)
          .send({ ...hiddenFields(page.text), ...form.fields });
        assert.ok(!form.worked(answer), `${form.name} from ${site}`);
      }
      assert.ok(form.worked(await person.submit(form.path, await form.reach(person), form.fields)), form.name);
    });

  it("no page may be framed, run a script, or be kept", async () => {
    for (const form of await forms()) {
      const { headers, text } = await form.reach(new Person(gateway.baseUrl));
      assert.match(headers["content-security-policy"] ?? "", /^default-src 'none'; .*frame-ancestors 'none'$/);
      assert.doesNotMatch(headers["content-security-policy"] ?? "", /script|unsafe/);
      assert.deepEqual(
        [headers["x-frame-options"], headers["cache-control"], headers["x-content-type-options"]],
        ["DENY", "no-store", "nosniff"],
      );
      assert.doesNotMatch(text, /<script|\son\w+=|style=/i);
    }
  });

  it("an error says what has happened and why in the language of the reader", async () => {
    const long = { "Content-Type": "application/x-www-form-urlencoded" };
    const answers: readonly [path: string, german: RegExp, form?: string][] = [
      [authPath("nobody", makePkce()), /Eine solche Anwendung gibt es nicht\./],
      [
        authPath("app", makePkce(), { redirect_uri: "https://evil.example/" }),
        /„redirect_uri“ ist für die Anwendung nicht/,
      ],
      ["/auth?client_id=app&client_id=app", /Der Parameter „client_id“ ist zweimal angegeben\./],
      ["/auth", /Der Parameter „client_id“ fehlt\./],
      ["/signin?return_to=//evil.example", /„return_to“ ist kein Pfad dieses Dienstes\./],
      ["/device?database=nowhere", /Eine solche Datenbank gibt es nicht\./],
      ["/signout?id_token_hint=x", /Sie sind noch angemeldet\. „id_token_hint“ ist kein ID-Token dieses Dienstes\./],
      ["/signout?post_logout_redirect_uri=https://a.example/", /„post_logout_redirect_uri“ braucht/],
      ["/signout?redirect_uri=https://evil.example/", /Sie sind abgemeldet\. „redirect_uri“ ist für keine/],
      ["/forgotten", /Der Inhalt der Anfrage hat mehr als 65536 Bytes\./, `action=${"x".repeat(70_000)}`],
    ];
    for (const [path, german, form] of answers) {
      const ask = (language: string) =>
        (form === undefined ? gateway.http.get(path) : gateway.http.post(path).set(long).send(form)).set(
          "Accept-Language",
          language,
        );
      const { text } = await ask("de");
      assert.match(text, german, path);
      assert.match(text, /<html lang="de"[^]*<p>Diese Anfrage kann nicht beantwortet werden[^]*<p lang="de">/, path);
      assert.match((await ask("fr")).text, /<p>This request cannot be answered[^]*<p lang="en">/, path);
    }
    const shown = await gateway.http.get("/signout").set({ "Sec-Fetch-Mode": "no-cors", "Accept-Language": "de" });
    assert.match(shown.text, /Abmelden kann Sie nur eine Seite, die Sie selbst öffnen\./);
  });

  it("each reason of the endpoints for browsers has German words", () => {
    const reasons = SOURCES_OF_REASONS.flatMap((name) => {
      const code = readFileSync(join(import.meta.dirname, "../../server", name), "utf8");
      const found = code.matchAll(
        /(?:oauthError\(\s*(?:code|"[a-z_]+"),|FetchRefused\(|refused\()\s*(?:"([^"]+)"|`([^`]+)`)/g,
      );
      return [...found].map(([, plain, template]) => plain ?? template!.replaceAll(/\$\{[^}]*\}/g, "7"));
    });
    assert.ok(reasons.length > 50, `${reasons.length} reasons`);
    assert.deepEqual(
      reasons.filter((reason) => reason !== "7" && reasonIn("de", reason).language === "en"),
      [],
    );
  });

  it("each page is less than 100 kB with all that it loads", async () => {
    for (const form of await forms()) {
      const { text } = await form.reach(new Person(gateway.baseUrl));
      const weight = await weightOf(text, gateway.baseUrl + form.path);
      assert.ok(weight > Buffer.byteLength(text), `${form.name} loads its style sheet`);
      assert.ok(weight < 100_000, `${form.name}: ${weight} bytes`);
    }
  });

  it("a session that was planted before the sign-in is invalid after it", async () => {
    const attacker = new Person(gateway.baseUrl);
    const path = authPath("app", makePkce());
    const planted = cookies(await attacker.agent.get(path))
      .map((cookie) => cookie.split(";")[0])
      .join("; ");
    const name = `portolan-session-${Buffer.from(gateway.database.name).toString("base64url")}`;
    const victim = new Person(gateway.baseUrl);
    const fixed = "A".repeat(43);
    victim.agent.set("Cookie", `${name}=${fixed}; ${planted}`);
    const page = await victim.agent.get(path);
    const answer = await victim.submit(path, page, { username: "guest", password: "guest", action: "sign-in" });
    const session = cookies(answer).find((cookie) => cookie.startsWith(name) && !cookie.startsWith(`${name}=;`));
    assert.ok(session && !session.includes(fixed));
    const { status } = await gateway.http.get(path).set("Cookie", `${name}=${fixed}`);
    assert.equal(status, 200, "the planted session is asked to sign in");
  });

  it("cookies are for this host, no script and no other site; Secure where the service is", async () => {
    const { headers } = await gateway.http.get(authPath("app", makePkce()));
    assert.match(String(headers["set-cookie"]), /^portolan-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const port = await freePort();
    const secure = await testGateway({ config: { baseUrl: "https://maps.example.org", port } });
    try {
      await addClient(secure.database, "app");
      const http = supertest(`http://127.0.0.1:${port}`);
      const path = authPath("app", makePkce());
      const page = await http.get(path);
      assert.match(
        String(cookies(page)),
        /^__Host-portolan-browser=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      const sent = (response: Response) => cookies(response).map((cookie) => cookie.split(";")[0]);
      const signedIn = await http
        .post(path)
        .set("Cookie", sent(page).join("; "))
        .type("form")
        .send({ ...hiddenFields(page.text), username: "guest", password: "guest", action: "sign-in" });
      const session = cookies(signedIn).find((cookie) => cookie.includes("session"));
      assert.match(
        session ?? "",
        /^__Host-portolan-session-[\w-]+=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      await http.get(path).set("Cookie", sent(signedIn).join("; ")).expect(302);
      // without the prefix another host of the domain could have set it
      const bare = sent(signedIn).map((cookie) => cookie?.replace("__Host-", ""));
      await http.get(path).set("Cookie", bare.join("; ")).expect(200);
      const signedOut = await http.get("/signout").set("Cookie", sent(signedIn).join("; "));
      assert.match(String(cookies(signedOut)), /^__Host-portolan-session-[\w-]+=; Max-Age=0; .*Secure/);
      await http.get(path).set("Cookie", sent(signedIn).join("; ")).expect(200);
    } finally {
      await secure.close();
    }
  });

  it("a session ends with the password, and when its time is over", async () => {
    await gateway.database.client.query("select portolan.create_user('visitor', 'visitor')");
    for (const end of [
      "select portolan.set_password('visitor', 'visitor')",
      "update portolan.sessions set expires_at = now()",
    ]) {
      const person = new Person(gateway.baseUrl);
      const path = authPath("app", makePkce());
      await person.authorize(path, "visitor");
      await person.agent.get(path).expect(302);
      await gateway.database.client.query(end);
      await person.agent.get(path).expect(200);
    }
  });

  it("HTML and SQL in every field are text", async () => {
    const evil = `'"><img src=x onerror=alert(1)>; drop table portolan.users; -- é`;
    await gateway.database.client.query(
      "update portolan.clients set name = $1, description = $1, homepage = 'https://x.example/?a=%22onload=1' where id = 'careful'",
      [evil],
    );
    const person = new Person(gateway.baseUrl);
    const path = authPath("careful", makePkce(), { scope: "<b>&'x'", state: evil });
    const page = await person.agent.get(path).expect(200);
    const wrong = await person.submit(path, page, { username: evil, password: evil, action: "sign-in" });
    assert.equal(wrong.status, 401);
    const signedIn = await person.submit(path, wrong, { username: "guest", password: "guest", action: "sign-in" });
    assert.equal(signedIn.status, 303);
    const consent = await person.agent.get(path).expect(200);
    for (const { text } of [page, wrong, consent]) assert.doesNotMatch(text, /<img src=x|<b>/);
    const device = await person.agent.get(`/device?${new URLSearchParams({ user_code: evil })}`);
    assert.doesNotMatch(device.text, /<img src=x/);
    await person.submit("/device", device, { user_code: evil, action: "code" }).then((answer) => {
      assert.equal(answer.status, 400);
      assert.doesNotMatch(answer.text, /<img src=x/);
    });
    for (const query of [
      `/password?${new URLSearchParams({ token: evil })}`,
      `/password?${new URLSearchParams({ token: "x", database: evil })}`,
      `/device?${new URLSearchParams({ user_code: "x", database: evil })}`,
      `/signout?${new URLSearchParams({ redirect_uri: evil })}`,
      `/signout?${new URLSearchParams({ redirect_uri: REDIRECT_URI, client_id: evil, state: evil })}`,
      `/signout?${new URLSearchParams({ redirect_uri: REDIRECT_URI, database: evil })}`,
      `/device?${new URLSearchParams([
        [evil, "a"],
        [evil, "b"],
      ])}`,
      authPath(evil, makePkce()),
      authPath("app", makePkce(), { redirect_uri: evil }),
      authPath("app", makePkce(), { database: evil }),
    ]) {
      const answer = await gateway.http.get(query);
      assert.deepEqual([answer.status, answer.headers["location"]], [400, undefined], query);
      assert.doesNotMatch(answer.text, /<img src=x/);
    }
    for (const name of ["code_challenge", "code_challenge_method", "response_type", "response_mode", "scope"]) {
      const { headers } = await gateway.http.get(authPath("app", makePkce(), { [name]: evil })).expect(302);
      const url = new URL(headers["location"] ?? "");
      assert.equal(url.origin + url.pathname, REDIRECT_URI, name);
      assert.doesNotMatch(url.searchParams.get("error_description") ?? "", /[<"]/);
    }
    const chosen = await person.submit("/password?token=x", await person.agent.get("/password?token=x"), {
      password: evil,
      repeated: evil,
    });
    assert.equal(chosen.status, 400);
    for (const [endpoint, body] of [
      ["", { grant_type: "password", username: evil, password: evil, client_id: "app" }],
      ["", { grant_type: "password", username: "guest", password: "guest", client_id: evil }],
      ["", { grant_type: evil, client_id: evil }],
      [
        "",
        {
          grant_type: "authorization_code",
          code: evil,
          redirect_uri: evil,
          code_verifier: "x".repeat(43),
          client_id: "app",
        },
      ],
      ["", { grant_type: "refresh_token", refresh_token: evil, client_id: "app" }],
      ["", { grant_type: "device_code", device_code: evil, client_id: "app" }],
      ["", { grant_type: "password", username: "guest", password: "guest", client_id: "app", scope: evil }],
      ["", { grant_type: "password", username: "guest", password: "guest", client_id: "app", database: evil }],
      ["/device", { client_id: evil }],
      ["/revoke", { token: evil, client_id: evil }],
      ["/introspect", { token: evil, client_id: evil }],
    ] as const)
      for (const type of ["json", "form"]) {
        const answer = await gateway.http.post(`/api/v4/oauth${endpoint}`).type(type).send(body);
        assert.ok(
          answer.status >= 400 && answer.status < 500,
          `${JSON.stringify(body)}: ${answer.status} ${answer.text}`,
        );
      }
    const { rows } = await gateway.database.client.query("select count(*)::int from portolan.users");
    assert.ok(rows[0].count >= 3);
  });
});
