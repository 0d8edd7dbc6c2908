import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ParsedMail } from "mailparser";
import { Secret, TOTP } from "otpauth";
import { requestsAs, problemOf, type Requests } from "../management/requests.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Mailbox } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { addClient, codeFor, makePkce, Person, REDIRECT_URI, textOf } from "./support.ts";

describe("mail to accounts", () => {
  const mailbox = new Mailbox();
  let folder: string;
  let gateway: TestGateway;
  let captain: Requests;
  let addresses = 0;
  const linkOf = ({ text }: ParsedMail): string =>
    /^http\S+$/m.exec(text ?? "")?.[0]?.slice(gateway.baseUrl.length) ?? assert.fail(`no link: ${text}`);
  const verified = async (name: string): Promise<boolean> =>
    (await captain("get", `/users/${name}`).expect(200)).body.email_verified;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "portolan-mail-"));
    mkdirSync(join(folder, "en"));
    writeFileSync(join(folder, "en", "invitation.txt"), "Subject: Welcome aboard, {name}\n\nCome in:\n\n{link}\n");
    gateway = await testGateway({
      config: {
        smtpUrl: await mailbox.open(),
        mailFrom: "Portolan <no-reply@example.org>",
        mailTemplates: folder,
        trustedProxies: ["127.0.0.1"],
        mfa: "offered",
        signUp: "open",
        signUpGroup: "guest",
      },
    });
    captain = await requestsAs(gateway, "captain");
    await captain("post", "/users", [
      { name: "ann", password: "fair wind", email: "Ann@example.org" },
      { name: "twin", password: "x", email: "both@example.org" },
      { name: "twin2", password: "x", email: "both@example.org" },
      { name: "silent", password: "x" },
    ]).expect(201);
  });
  after(async () => {
    await gateway.close();
    await mailbox.close();
    rmSync(folder, { recursive: true });
  });

  /** Sends the form of `/forgotten` from an address that asked for nothing before. */
  async function forget(identifier: string, headers: Record<string, string> = {}) {
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get("/forgotten").expect(200);
    person.agent.set({ "X-Forwarded-For": `10.1.0.${(addresses += 1)}`, ...headers });
    return person.submit("/forgotten", page, { identifier });
  }

  it("is in the language of the page, or in that of the account where it has one (locale)", async () => {
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const person = new Person(gateway.baseUrl);
      person.agent.set(headers);
      await person.submit(path, await person.agent.get(path), { identifier: "ute" });
      await gateway.database.client.query("delete from portolan.one_time_links");
      return (await mailbox.next("ute@example.org")).subject;
    };
    await captain("post", "/users", { name: "ute", email: "ute@example.org" }).expect(201);
    assert.equal(await ask("/forgotten"), "A new password for ute");
    assert.equal(await ask("/forgotten?ui_locales=de"), "Ein neues Passwort für ute");
    await captain("patch", "/users/ute", { properties: { locale: "de-AT" } }).expect(303);
    assert.equal(await ask("/forgotten", { "Accept-Language": "en" }), "Ein neues Passwort für ute");
    await captain("post", "/users/ute/invitation", {}).expect(201);
    assert.match((await mailbox.next("ute@example.org")).subject ?? "", /Willkommen|Einladung|Konto/);
  });

  it("the sign-in page leads to the page for a forgotten password", async () => {
    const page = await gateway.http.get("/signin").expect(200);
    assert.match(page.text, /href="forgotten\?database=/);
  });

  it("a forgotten password: a link in the reader's language, once, for an hour; the address counts as verified", async () => {
    const answer = await forget("ann@EXAMPLE.org", { "Accept-Language": "de-CH, en;q=0.5" });
    assert.equal(answer.status, 200);
    const mail = await mailbox.next("Ann@example.org");
    assert.equal(mail.subject, "Ein neues Passwort für ann");
    assert.equal(mail.from?.text, '"Portolan" <no-reply@example.org>');
    assert.equal(mail.headers.get("auto-submitted"), "auto-generated");
    const link = linkOf(mail);
    for (let scan = 0; scan < 2; scan++) await gateway.http.get(link).expect(200); // a scanner changes nothing
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(link).expect(200);
    const fields = { password: "new and long", repeated: "new and long" };
    assert.match(textOf(await person.submit(link, page, fields)), /Your password is set/);
    await gateway.http.get(link).expect(400);
    assert.equal(await verified("ann"), true);
    const token = { grant_type: "password", username: "ann", password: "new and long", client_id: "portolan-cli" };
    await gateway.http.post("/api/v4/oauth").send(token).expect(200);
  });

  it("answers the same for an account, an address of two, one without address, and none", async () => {
    const answers = [];
    for (const who of ["twin", "both@example.org", "silent", "nobody", "no@example.org", "x'; drop table users --"])
      answers.push(textOf(await forget(who)));
    assert.equal(new Set(answers).size, 1, answers.join("\n"));
    const first = await mailbox.next("both@example.org");
    const second = await mailbox.next("both@example.org");
    // twin was sent one by its name just before, so that its address brings one for twin2 alone
    assert.deepEqual([first.subject, second.subject].toSorted(), [
      "A new password for twin",
      "A new password for twin2",
    ]);
    assert.deepEqual(mailbox.mails, []);
  });

  it("a place that asks too often has to wait", async () => {
    const person = new Person(gateway.baseUrl);
    person.agent.set("X-Forwarded-For", "10.9.9.9");
    const statuses = [];
    for (let n = 0; n < 14; n++) {
      const page = await person.agent.get("/forgotten");
      statuses.push((await person.submit("/forgotten", page, { identifier: "nobody" })).status);
    }
    assert.equal(statuses[0], 200);
    assert.equal(statuses.at(-1), 429);
  });

  it("a form of another site sends nothing", async () => {
    const answer = await gateway.http.post("/forgotten").type("form").send({ identifier: "silent" });
    assert.equal(answer.status, 403);
  });

  it("an invitation goes to the address, by the operator's own text; without an address the answer has the link", async () => {
    await captain("post", "/users", { name: "bo", email: "bo@example.org" }).expect(201);
    const { body } = await captain("post", "/users/bo,silent/invitation", { lifetime_seconds: 3600 }).expect(201);
    assert.deepEqual(body[0], {
      _links: { self: "/api/v4/users/bo" },
      mailed_to: "bo@example.org",
      expires_in: 3600,
    });
    assert.match(body[1].url, /\/password\?/);
    const mail = await mailbox.next("bo@example.org");
    assert.equal(mail.subject, "Welcome aboard, bo");
    await gateway.http.get(linkOf(mail)).expect(200);
    const bo = await requestsAs(gateway, "bo");
    problemOf(await bo("post", "/users/silent/invitation", {}), 403);
  });

  it("an address is verified by the link and its form, and no more when it changes", async () => {
    await captain("patch", "/users/bo", { password: "bo" }).expect(303);
    const bo = await requestsAs(gateway, "bo");
    await bo("post", "/users/bo/verification").expect(204);
    problemOf(await bo("post", "/users/bo/verification"), 400);
    problemOf(await bo("post", "/users/ann/verification"), 403);
    const link = linkOf(await mailbox.next("bo@example.org"));
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(link).expect(200);
    assert.match(textOf(page), /bo@example\.org/);
    assert.equal(await verified("bo"), false);
    assert.match(textOf(await person.submit(link, page, {})), /verified/);
    await gateway.http.get(link).expect(400);
    assert.equal(await verified("bo"), true);
    await bo("patch", "/users/bo", { email: "other@example.org", current_password: "bo" }).expect(303);
    await mailbox.next("bo@example.org"); // which is told
    assert.equal(await verified("bo"), false);
    await captain("patch", "/users/bo", { email_verified: true }).expect(303);
    assert.equal(await verified("bo"), true);
    problemOf(await captain("patch", "/users/silent", { email_verified: true }), 400);
  });

  it("a link to an address that the account has no more verifies nothing", async () => {
    await captain("patch", "/users/bo", { email: "old@example.org" }).expect(303);
    await gateway.database.client.query("delete from portolan.one_time_links");
    await captain("post", "/users/bo/verification").expect(204);
    const link = linkOf(await mailbox.next("old@example.org"));
    await captain("patch", "/users/bo", { email: "newer@example.org" }).expect(303);
    const person = new Person(gateway.baseUrl);
    const page = await person.agent.get(link).expect(200);
    assert.equal((await person.submit(link, page, {})).status, 400);
    assert.equal(await verified("bo"), false);
  });

  it("an address that the account has set itself gets no link for a password before it is verified; the old one is told", async () => {
    await captain("post", "/users", { name: "eli", password: "eli", email: "eli@example.org" }).expect(201);
    const eli = await requestsAs(gateway, "eli");
    const links = async (identifier: string): Promise<unknown> =>
      (
        await gateway.database.client.query("select name, email from portolan.forgotten_password($1, null)", [
          identifier,
        ])
      ).rows;
    const refused = await eli("patch", "/users/eli", { email: "thief@example.org" });
    assert.match(problemOf(refused, 400), /needs current_password, or a sign-in of the last ten minutes/);
    const wrong = await eli("patch", "/users/eli", { email: "thief@example.org", current_password: "bo" });
    assert.equal(problemOf(wrong, 403), "current_password is wrong");
    await eli("patch", "/users/eli", { email: "eli@example.org" }).expect(303); // its own, which is no change
    await eli("patch", "/users/eli", { email: "thief@example.org", current_password: "eli" }).expect(303);
    const told = await mailbox.next("eli@example.org");
    assert.match(`${told.subject} ${told.text}`, /^eli has another mail address [^]*From: 127\.0\.0\.1\n/);
    for (const identifier of ["eli", "thief@example.org"]) assert.deepEqual(await links(identifier), []);
    await eli("patch", "/users/eli", { email: "thief@example.org", current_password: "eli" }).expect(303);
    assert.deepEqual(await links("eli"), [], "the same once more");

    await eli("post", "/users/eli/verification").expect(204);
    const link = linkOf(await mailbox.next("thief@example.org"));
    const person = new Person(gateway.baseUrl);
    await person.submit(link, await person.agent.get(link), {});
    assert.deepEqual(await links("eli"), [{ name: "eli", email: "thief@example.org" }]);
    await gateway.database.client.query("delete from portolan.one_time_links");

    await eli("patch", "/users/eli", { email: null, current_password: "eli" }).expect(303);
    await mailbox.next("thief@example.org");
    await eli("patch", "/users/eli", { email: "own@example.org", current_password: "eli" }).expect(303);
    await eli("patch", "/users/eli", { email: "other@example.org", current_password: "eli" }).expect(303);
    await captain("patch", "/users/eli", { email: "given@example.org" }).expect(303);
    assert.deepEqual(await links("eli"), [{ name: "eli", email: "given@example.org" }]);
    assert.deepEqual(mailbox.mails, [], "an address that it only claimed, and a change by a super user");
  });

  it("an account that has signed in a moment ago changes its address without its password, also where it has none", async () => {
    await captain("post", "/users", { name: "ole", password: "ole", email: "ole@example.org" }).expect(201);
    await addClient(gateway.database, "openid-app");
    const pkce = makePkce();
    const code = await codeFor(gateway.baseUrl, "openid-app", pkce, { account: "ole", scope: "openid" });
    const grant = { grant_type: "authorization_code", client_id: "openid-app", code, redirect_uri: REDIRECT_URI };
    const { body } = await gateway.http.post("/api/v4/oauth").send({ ...grant, code_verifier: pkce.verifier });
    const change = (email: string) =>
      gateway.http.patch("/api/v4/users/ole").auth(body.access_token, { type: "bearer" }).send({ email });
    await change("ole2@example.org").expect(303);
    await mailbox.next("ole@example.org"); // which is told
    await gateway.database.client.query("update portolan.users set password = null where name = 'ole'");
    await change("ole3@example.org").expect(303);
    await gateway.database.client.query(
      `update portolan.token_families set asked = asked || jsonb_build_object('auth_time', extract(epoch from now()) - 601)
       where user_name = 'ole'`,
    );
    problemOf(await change("ole4@example.org"), 400);
  });

  it("a link that verifies an address which the account only claimed ends its factors and links to providers", async () => {
    const sql = async (text: string, values: unknown[] = []) =>
      (await gateway.database.client.query<Record<string, unknown>>(text, values)).rows;
    await captain("post", "/users", { name: "fay", password: "fay", email: "fay@example.org" }).expect(201);
    await forget("fay");
    const link = linkOf(await mailbox.next("fay@example.org"));
    const fay = await requestsAs(gateway, "fay");
    await fay("patch", "/users/fay", { email: "x@example.org", current_password: "fay" }).expect(303);
    await mailbox.next("fay@example.org");
    await fay("patch", "/users/fay", { email: "fay@example.org", current_password: "fay" }).expect(303);
    await sql("select portolan.add_totp('fay', 'secret', 1, '{a}', null)");
    await sql(
      "insert into portolan.identities (user_name, provider, issuer, subject) values ('fay', 'company', 'https://idp.example', 'fay')",
    );
    const ways = "select (select count(*)::int from portolan.factors where user_name = 'fay') as factors, (select count(*)::int from portolan.identities where user_name = 'fay') as identities"; // oxfmt-ignore
    assert.deepEqual(await sql(ways), [{ factors: 1, identities: 1 }]);
    const person = new Person(gateway.baseUrl);
    const fields = { password: "fair wind and more", repeated: "fair wind and more" };
    assert.match(textOf(await person.submit(link, await person.agent.get(link), fields)), /Your password is set/);
    assert.deepEqual(await sql(ways), [{ factors: 0, identities: 0 }]);
    assert.equal(await verified("fay"), true);
  });

  it("a sign-in from a new place is told, from a known one not", async () => {
    const signIn = async (address: string): Promise<void> => {
      const person = new Person(gateway.baseUrl);
      person.agent.set({ "X-Forwarded-For": address, "User-Agent": "Lynx\t2.9" });
      const page = await person.agent.get("/signin").expect(200);
      const fields = { username: "Ann", password: "new and long", action: "sign-in" };
      assert.equal((await person.submit("/signin", page, fields)).status, 303);
    };
    await signIn("192.0.2.1");
    const mail = await mailbox.next("Ann@example.org"); // the password grant above came from another address
    assert.match(mail.text ?? "", /From: 192\.0\.2\.1\nBrowser: Lynx 2\.9/);
    await signIn("192.0.2.1");
    await signIn("192.0.2.77");
    assert.match((await mailbox.next("Ann@example.org")).text ?? "", /From: 192\.0\.2\.77/);

    // programs that have the password are told of in the same way
    const token = { grant_type: "password", username: "ann", password: "new and long", client_id: "portolan-cli" };
    const grant = (address: string) => gateway.http.post("/api/v4/oauth").set("X-Forwarded-For", address).send(token);
    for (const address of ["192.0.2.77", "192.0.2.88", "192.0.2.88"]) await grant(address).expect(200);
    assert.match((await mailbox.next("Ann@example.org")).text ?? "", /From: 192\.0\.2\.88/);
    await gateway.http
      .get(`/api/v4/ogc/database/${gateway.database.name}/collections`)
      .set("X-Forwarded-For", "192.0.2.89")
      .auth("ann", "new and long")
      .expect(200);
    assert.match((await mailbox.next("Ann@example.org")).text ?? "", /From: 192\.0\.2\.89/);
    assert.deepEqual(mailbox.mails, []);
  });

  it("a new place is told when the second factor is right, also where the password alone came from there before", async () => {
    const from = (address: string): Person => {
      const person = new Person(gateway.baseUrl);
      person.agent.set("X-Forwarded-For", address);
      return person;
    };
    const askedFor = async (person: Person) => {
      const page = await person.agent.get("/account").expect(200);
      return person.submit("/account", page, { username: "ann", password: "new and long", action: "sign-in" });
    };
    const home = from("192.0.2.77");
    const form = await home.submit("/account", await askedFor(home), { action: "add-totp" });
    const secret = /secret=([A-Z2-7]+)/.exec(form.text)?.[1] ?? assert.fail(textOf(form));
    const codeIn = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
    await home.submit("/account", form, { action: "enrol", code: codeIn(-1) });

    const stranger = from("192.0.2.78");
    const refused = await stranger.submit("/account", await askedFor(stranger), { action: "factor", code: "000000" });
    assert.equal(refused.status, 401);
    for (const code of [codeIn(0), codeIn(1)]) {
      const person = from("192.0.2.78");
      const inside = await person.submit("/account", await askedFor(person), { action: "factor", code });
      assert.match(textOf(inside), /Signed in as ann/);
    }
    assert.match((await mailbox.next("Ann@example.org")).text ?? "", /From: 192\.0\.2\.78/);
    await captain("post", "/users/bo/invitation", {}).expect(201); // whose mail is the next one
    await mailbox.next("newer@example.org");
    assert.deepEqual(mailbox.mails, [], "told once");
    await captain("delete", "/users/ann/factors").expect(204);
  });

  it("what an account has written makes no other line and no other receiver", async () => {
    await gateway.database.client.query(
      "update portolan.users set email = E'a@example.org\\r\\nBcc: all@example.org' where name = 'silent'",
    );
    await forget("silent");
    await until(async () => {
      const { text } = await gateway.http.get("/metrics").expect(200);
      return /portolan_mails_total\{kind="forgotten",outcome="(failed|sent)"\} [1-9]/.test(text);
    });
    const text = JSON.stringify(mailbox.mails);
    assert.doesNotMatch(text, /"all@example\.org"/);
  });

  describe("sign-up", () => {
    async function signUp(username: string, email: string) {
      const person = new Person(gateway.baseUrl);
      const page = await person.agent.get("/signup").expect(200);
      person.agent.set("X-Forwarded-For", `10.2.0.${(addresses += 1)}`);
      return person.submit("/signup", page, { username, email });
    }

    it("a link makes the account: in the group, with a verified address, once", async () => {
      assert.match((await gateway.http.get("/signin")).text, /href="signup\?database=/);
      assert.equal((await signUp("Zoe", "zoe@example.org")).status, 200);
      const link = linkOf(await mailbox.next("zoe@example.org"));
      for (let scan = 0; scan < 2; scan++) await gateway.http.get(link).expect(200);
      problemOf(await captain("get", "/users/zoe"), 404);
      const person = new Person(gateway.baseUrl);
      const page = await person.agent.get(link);
      const fields = { password: "fair wind and more", repeated: "fair wind and more" };
      assert.match(textOf(await person.submit(link, page, fields)), /Your password is set/);
      await gateway.http.get(link).expect(400);
      const { body } = await captain("get", "/users/zoe").expect(200);
      assert.deepEqual([body.user_group, body.email_verified, body.superuser], ["guest", true, false]);
      const token = {
        grant_type: "password",
        username: "zoe",
        password: "fair wind and more",
        client_id: "portolan-cli",
      };
      await gateway.http.post("/api/v4/oauth").send(token).expect(200);
    });

    it("answers the same for a free name, a taken one and a known address; the mails tell, one in five minutes", async () => {
      const answers = [];
      answers.push(textOf(await signUp("free", "free@example.org")));
      assert.match((await mailbox.next("free@example.org")).subject ?? "", /Your new account free/);
      answers.push(textOf(await signUp("captain", "taken@example.org")));
      answers.push(textOf(await signUp("other", "ZOE@example.org")));
      answers.push(textOf(await signUp("more", "free@example.org")));
      assert.equal(new Set(answers).size, 1, answers.join("\n"));
      assert.match((await mailbox.next("taken@example.org")).subject ?? "", /The name captain is taken/);
      const known = await mailbox.next("ZOE@example.org");
      assert.match(known.text ?? "", /belongs to the account zoe[^]*\/forgotten\?/);
      assert.deepEqual(mailbox.mails, []);
    });

    it("an address that another account has set itself, without verifying it, keeps nobody out", async () => {
      await captain("post", "/users", { name: "squat", password: "squat" }).expect(201);
      const squat = await requestsAs(gateway, "squat");
      await squat("patch", "/users/squat", { email: "gus@example.org", current_password: "squat" }).expect(303);
      await signUp("gus", "GUS@example.org");
      const mail = await mailbox.next("GUS@example.org");
      assert.match(mail.subject ?? "", /Your new account gus/);
      const person = new Person(gateway.baseUrl);
      const fields = { password: "fair wind and more", repeated: "fair wind and more" };
      const page = await person.agent.get(linkOf(mail));
      assert.match(textOf(await person.submit(linkOf(mail), page, fields)), /Your password is set/);
      assert.equal(await verified("gus"), true);
    });

    it("refuses what is no name and no address, and a place that asks too often", async () => {
      for (const [name, email] of [
        ["2bad", "a@example.org"],
        ["good", "a@b, c@d"],
        ["good", "a@b\r\nBcc: c@d"],
      ] as const)
        assert.equal((await signUp(name, email)).status, 400);
      const person = new Person(gateway.baseUrl);
      person.agent.set("X-Forwarded-For", "10.9.9.8");
      const statuses = [];
      for (let n = 0; n < 14; n++)
        statuses.push(
          (
            await person.submit("/signup", await person.agent.get("/signup"), {
              username: "flood",
              email: `f${n}@example.org`,
            })
          ).status,
        );
      assert.equal(statuses.at(-1), 429);
      mailbox.mails.length = 0;
    });

    it("a flood from many addresses ends at 10,000 in a day, with the same answer, until the links expire", async () => {
      const count = async (): Promise<number> =>
        (await gateway.database.client.query("select count(*)::integer as count from portolan.sign_ups")).rows[0].count;
      const usual = textOf(await signUp("before", "before@example.org"));
      await mailbox.next("before@example.org");
      // as if they had come, each from another address
      await gateway.database.client.query(
        `insert into portolan.sign_ups (hash, name, email, expires_at)
         select 'flood' || n, 'flood' || n, 'flood' || n || '@example.org', now() + interval '1 day'
         from generate_series((select count(*) from portolan.sign_ups) + 1, 9999) n`,
      );
      assert.equal(textOf(await signUp("last", "last@example.org")), usual);
      await mailbox.next("last@example.org");
      assert.equal(await count(), 10_000);
      // the answer comes before the sign-up is looked at, which holds this row
      const row = "from portolan.settings where name = 'own_sql_secret'";
      const lastHolder = async (): Promise<string> =>
        (await gateway.database.client.query(`select xmax::text as holder ${row}`)).rows[0].holder;
      for (let n = 0; n < 5; n++) {
        const before = await lastHolder();
        assert.equal(textOf(await signUp(`over${n}`, `over${n}@example.org`)), usual);
        await until(async () => (await lastHolder()) !== before);
        await gateway.database.client.query(`select ${row} for update`); // waits for its end
      }
      assert.equal(await count(), 10_000, "the store is bounded");
      await gateway.database.client.query(
        "update portolan.sign_ups set expires_at = now() - interval '1 s' where hash like 'flood%'; select portolan.clear_expired(365)",
      );
      assert.equal(textOf(await signUp("later", "later@example.org")), usual);
      await mailbox.next("later@example.org");
      const subjects = mailbox.mails.map(({ subject = "" }) => subject);
      assert.deepEqual(
        subjects.filter((subject) => subject.includes("over")),
        [],
        "nobody over the limit got a mail",
      );
    });

    it("makes no account while the group of new accounts is missing, says so, and goes on when it is there", async () => {
      await signUp("early", "early@example.org");
      const link = linkOf(await mailbox.next("early@example.org"));
      await gateway.database.client.query("update portolan.users set superuser = true where name = 'guest'");
      const findings = async (): Promise<unknown> =>
        (await captain("get", "/doctor").expect(200)).body
          .filter(({ finding }: { finding: string }) => finding.startsWith("SIGN_UP_GROUP"))
          .map(({ ok, severity, finding }: Record<string, unknown>) => ({ ok, severity, finding }));
      const text =
        'SIGN_UP_GROUP: the group "guest" is a super user: its members would be super users too: nobody can sign up';
      assert.deepEqual(await findings(), [{ ok: false, severity: "error", finding: text }]);
      for (const path of ["/signup", link]) {
        const page = await gateway.http.get(path).set("Accept-Language", "de").expect(503);
        assert.match(textOf(page), /Zurzeit keine neuen Konten.*sagen Sie es seiner Verwaltung/);
        assert.doesNotMatch(page.text, /guest/);
      }
      await gateway.database.client.query("update portolan.users set superuser = false where name = 'guest'");
      assert.deepEqual(await findings(), [
        { ok: true, severity: null, finding: "SIGN_UP_GROUP: the group guest exists" },
      ]);
      const person = new Person(gateway.baseUrl);
      const fields = { password: "fair wind and more", repeated: "fair wind and more" };
      assert.match(textOf(await person.submit(link, await person.agent.get(link), fields)), /Your password is set/);
      const { text: metrics } = await gateway.http.get("/metrics").expect(200);
      for (const outcome of ["asked", "made", "refused"])
        assert.match(metrics, new RegExp(`portolan_sign_ups_total\\{way="mail",outcome="${outcome}"\\} [1-9]`));
    });

    it("the member allow_signup of a super user ends it for the database", async () => {
      await captain("patch", "/users/captain", { allow_signup: false }).expect(303);
      await gateway.http.get("/signup").expect(404);
      await captain("patch", "/users/captain", { allow_signup: null }).expect(303);
      await gateway.http.get("/signup").expect(200);
    });
  });
});

describe("a service that sends no mail", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway();
  });
  after(() => gateway.close());

  it("offers nothing that needs it", async () => {
    assert.doesNotMatch((await gateway.http.get("/signin").expect(200)).text, /forgotten/);
    await gateway.http.get("/forgotten").expect(404);
    const captain = await requestsAs(gateway, "captain");
    assert.match(problemOf(await captain("post", "/users/guest/verification"), 400), /SMTP_URL/);
    const { body } = await captain("post", "/users/guest/invitation", {}).expect(201);
    assert.match(body[0].url, /\/password\?/);
  });
});
