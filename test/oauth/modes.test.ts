/** What operators choose for accounts: who must have a second factor, and who may sign up. */
import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { Secret, TOTP } from "otpauth";
import supertest from "supertest";
import { createLog } from "../../server/ground/log.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { startGateway, type Gateway } from "../../server/main.ts";
import { requestsAs, type Requests } from "../management/requests.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Mailbox } from "../support/mailbox.ts";
import { until } from "../support/until.ts";
import { Person, addClient, authPath, makePkce, textOf } from "./support.ts";

describe("what is chosen for accounts", () => {
  const mailbox = new Mailbox();
  /** Where super users must have a second factor, and invited people sign up. */
  let gateway: TestGateway;
  /** Where everybody must have one, each client has its own subjects, and mails go to the log. */
  let strict: Gateway;
  const logged: Record<string, unknown>[] = [];
  let captain: Requests;

  before(async () => {
    const mail = { smtpUrl: await mailbox.open(), mailFrom: "no-reply@example.org" };
    gateway = await testGateway({ config: { ...mail, mfa: "superUsers", signUp: "invite" } });
    const { name, gatewayUrl: url, url: ownerUrl } = gateway.database;
    const log = createLog("silent");
    log.info = (entry: unknown) => void logged.push(entry as Record<string, unknown>);
    strict = await startGateway(
      makeConfig({
        databases: { [name]: { url, ownerUrl } },
        port: 0,
        mfa: "all",
        subjectType: "pairwise",
        smtpUrl: "log:",
      }),
      log,
    );
    captain = await requestsAs(gateway, "captain");
  });
  after(async () => {
    await strict.close();
    await gateway.close();
    await mailbox.close();
  });

  const grant = async (baseUrl: string, username: string) => {
    const fields = { grant_type: "password", username, password: username, client_id: "portolan-cli" };
    const { status, body } = await supertest(baseUrl).post("/api/v4/oauth").send(fields);
    return status === 200 ? "token" : body.error;
  };
  const pageAfterSignIn = async (baseUrl: string, username: string) => {
    const person = new Person(baseUrl);
    const fields = { username, password: username, action: "sign-in" };
    return textOf(await person.submit("/account", await person.agent.get("/account"), fields));
  };

  it("mfa superUsers: super users must have a second factor, others need not", async () => {
    assert.equal(await grant(gateway.baseUrl, "captain"), "mfa_required");
    assert.equal(await grant(gateway.baseUrl, "guest"), "token");
    assert.match(await pageAfterSignIn(gateway.baseUrl, "captain"), /must have a second factor/);
    assert.match(await pageAfterSignIn(gateway.baseUrl, "guest"), /Signed in as guest/);
  });

  it("mfa all: every account must have one, also for HTTP Basic", async () => {
    assert.equal(await grant(strict.baseUrl, "guest"), "mfa_required");
    assert.match(await pageAfterSignIn(strict.baseUrl, "guest"), /must have a second factor/);
    const collections = `/api/v4/ogc/database/${gateway.database.name}/collections`;
    await supertest(strict.baseUrl).get(collections).auth("guest", "guest").expect(401);
    await gateway.http.get(collections).auth("guest", "guest").expect(200);
  });

  it("mails are written into the log where that is chosen, and nowhere else", async () => {
    await captain("post", "/users", { name: "lou", email: "lou@example.org" }).expect(201);
    const person = new Person(strict.baseUrl);
    const page = await person.agent.get("/forgotten").expect(200);
    await person.submit("/forgotten", page, { identifier: "lou" });
    await until(() => Promise.resolve(logged.some(({ mail }) => mail === "forgotten")));
    const { to, text } = logged.find(({ mail }) => mail === "forgotten")!;
    assert.equal(to, "lou@example.org");
    assert.match(String(text), new RegExp(`${strict.baseUrl}/password\\?`));
    assert.deepEqual(mailbox.mails, []);
  });

  it("subjectType pairwise: clients of other hosts know an account by another sub", async () => {
    await captain("post", "/users", { name: "max", password: "max" }).expect(201);
    const hosts = ["one", "two"];
    for (const host of hosts)
      await addClient(gateway.database, host, { redirectUri: [`https://${host}.example.org/`] });
    const subject = async (baseUrl: string, id: string) => {
      const pkce = makePkce();
      const redirect_uri = `https://${id}.example.org/`;
      const person = new Person(baseUrl);
      const path = authPath(id, pkce, { redirect_uri, scope: "openid" });
      await gateway.database.client.query("delete from portolan.lockouts");
      const code = (
        await (baseUrl === strict.baseUrl ? withFactor(person, path) : person.authorize(path, "max"))
      ).searchParams.get("code");
      const grant = {
        grant_type: "authorization_code",
        client_id: id,
        code,
        redirect_uri,
        code_verifier: pkce.verifier,
      };
      const { body } = await supertest(baseUrl).post("/api/v4/oauth").send(grant).expect(200);
      return decodeJwt(body.id_token).sub;
    };
    const open = await Promise.all(hosts.map((id) => subject(gateway.baseUrl, id)));
    assert.equal(open[0], open[1]);
    const apart = [await subject(strict.baseUrl, "one"), await subject(strict.baseUrl, "two")];
    assert.equal(new Set([...open, ...apart]).size, 3);
  });

  /** A sign-in where a second factor is added on the way, or asked for. */
  async function withFactor(person: Person, path: string): Promise<URL> {
    await gateway.database.client.query("delete from portolan.factors where user_name = 'max'");
    const fields = { username: "max", password: "max", action: "sign-in" };
    const page = await person.submit(path, await person.agent.get(path), fields);
    const secret = /secret=([A-Z2-7]+)/.exec(page.text)?.[1] ?? assert.fail(textOf(page));
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const codes = await person.submit(path, page, { action: "enrol", code });
    const location = (await person.submit(path, codes, { action: "continue" })).headers["location"] ?? "";
    return person.authorize(location.startsWith("?") ? `/auth${location}` : path, "max");
  }

  it("sign-up by invitation: only who has an account gets a link, the page does not tell who", async () => {
    await captain("post", "/users", { name: "bo", email: "bo@example.org" }).expect(201);
    const ask = async (email: string) => {
      const person = new Person(gateway.baseUrl);
      const page = await person.agent.get("/signup").expect(200);
      assert.doesNotMatch(page.text, /name="username"/);
      return textOf(await person.submit("/signup", page, { username: "eve", email }));
    };
    assert.equal(await ask("nobody@example.org"), await ask("bo@example.org"));
    const mail = await mailbox.next("bo@example.org");
    const link = /^http\S+$/m.exec(mail.text ?? "")?.[0]?.slice(gateway.baseUrl.length) ?? assert.fail(mail.text);
    const person = new Person(gateway.baseUrl);
    const fields = { password: "fair wind and more", repeated: "fair wind and more" };
    assert.match(textOf(await person.submit(link, await person.agent.get(link), fields)), /Your password is set/);
    assert.deepEqual(mailbox.mails, []);
    await captain("get", "/users/eve").expect(404);
  });

  it("links are opened by GET alone, and their forms once, also at the same time", async () => {
    const { body } = await captain("post", "/users/guest/invitation", {}).expect(201);
    const link = String(body[0].url).slice(gateway.baseUrl.length);
    await gateway.http.head(link).expect(405);
    const fields = { password: "guest and more", repeated: "guest and more" };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const person = new Person(gateway.baseUrl);
        return (await person.submit(link, await person.agent.get(link).expect(200), fields)).status;
      }),
    );
    assert.deepEqual(answers.toSorted(), [200, 400, 400, 400]);
  });

  it("a token that lives loses the rights of a group that its account leaves, or whose own group changes", async () => {
    await captain("post", "/users", [
      { name: "fleet" },
      { name: "crew", user_group: "fleet" },
      { name: "fay", user_group: ["crew"] },
    ]).expect(201);
    await gateway.database.client.query(
      "create table world.logs (id int primary key); insert into world.logs values (1); select portolan.set_privilege('world.logs', 'fleet', 'read')",
    );
    const token = await gateway.token("fay");
    const read = async () =>
      (
        await gateway.http
          .post("/api/v4/sql")
          .set("Authorization", `Bearer ${token}`)
          .send({ q: "select id from world.logs" })
      ).status;
    assert.equal(await read(), 200);
    await captain("patch", "/users/crew", { user_group: null }).expect(303);
    assert.equal(await read(), 403);
    await captain("patch", "/users/crew", { user_group: ["fleet"] }).expect(303);
    assert.equal(await read(), 200);
    await captain("patch", "/users/fay", { user_group: [] }).expect(303);
    assert.equal(await read(), 403);
    await captain("patch", "/users/fleet", { user_group: "crew" }).expect(409); // crew is in fleet
  });
});
