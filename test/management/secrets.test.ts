import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person } from "../oauth/support.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

describe("links and secrets that are shown once", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway();
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
    await captain("post", "/users", [{ name: "ann" }, { name: "ben" }]).expect(201);
  });
  after(() => gateway.close());

  const passwordGrant = (name: string, password: string) =>
    gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "password", username: name, password, client_id: "portolan-cli" });

  describe("POST /api/v4/users/{names}/link", () => {
    it("makes a link for each account, which sets its password once", async () => {
      const { body, headers } = await captain("post", "/users/ann,ben/link", { lifetime_seconds: 600 }).expect(201);
      assert.equal(headers["location"], "/api/v4/users/ann,ben");
      assert.equal(headers["cache-control"], "no-store");
      assert.deepEqual(
        body.map(({ _links, expires_in }: { _links: object; expires_in: number }) => [_links, expires_in]),
        [
          [{ self: "/api/v4/users/ann" }, 600],
          [{ self: "/api/v4/users/ben" }, 600],
        ],
      );
      const { pathname, search } = new URL(body[0].url);
      const person = new Person(gateway.baseUrl);
      const page = await person.agent.get(pathname + search).expect(200);
      const fields = { password: "a new password", repeated: "a new password" };
      assert.match((await person.submit(pathname + search, page, fields)).text, /is set/);
      await passwordGrant("ann", "a new password").expect(200);
      assert.equal((await person.submit(pathname + search, page, fields)).status, 400, "the link is used");
    });

    it("is valid for three days by default, and a later one ends it", async () => {
      const first = await captain("post", "/users/ben/link", {}).expect(201);
      assert.equal(first.body[0].expires_in, 259_200);
      await captain("post", "/users/ben/link", {}).expect(201);
      const { pathname, search } = new URL(first.body[0].url);
      assert.equal((await gateway.http.get(pathname + search)).status, 400);
    });

    it("ends when the password is set otherwise: over REST, by SQL, by the account itself", async () => {
      await captain("patch", "/users/ben", { password: "ben" }).expect(303);
      const ben = await requestsAs(gateway, "ben");
      for (const change of [
        () => ben("patch", "/users/ben", { password: "by himself", current_password: "ben" }).expect(303),
        () => captain("patch", "/users/ben", { password: "by the captain" }).expect(303),
        () => gateway.database.client.query("select portolan.set_password('ben', 'by SQL')"),
      ]) {
        const { body } = await captain("post", "/users/ben/link", {}).expect(201);
        const { pathname, search } = new URL(body[0].url);
        const person = new Person(gateway.baseUrl);
        const page = await person.agent.get(pathname + search).expect(200);
        await change();
        await gateway.http.get(pathname + search).expect(400);
        const stolen = { password: "of the finder", repeated: "of the finder" };
        assert.equal((await person.submit(pathname + search, page, stolen)).status, 400);
        assert.equal((await passwordGrant("ben", "of the finder")).status, 400);
      }
      await passwordGrant("ben", "by SQL").expect(200);
    });

    it("is for super users, and all or none", async () => {
      problemOf(await guest("post", "/users/guest/link", {}), 403);
      problemOf(await captain("post", "/users/ben,nobody/link", {}), 404);
      problemOf(await captain("post", "/users/anonymous/link", {}), 400);
      assert.match(problemOf(await captain("post", "/users/ben/link", { lifetime_seconds: 59 }), 400), /lifetime/);
      assert.match(problemOf(await captain("post", "/users/ben/link", { days: 3 }), 400), /^days: is not a member/);
      problemOf(await captain("get", "/users/ben/link"), 405);
    });
  });

  describe("POST /api/v4/clients/{names}/secret", () => {
    const clientCredentialsWork = (id: string, secret: string) =>
      gateway.http.post("/api/v4/oauth/introspect").auth(id, secret).type("form").send({ token: "x" });

    it("gives a client a new secret and ends the old one", async () => {
      const made = await captain("post", "/clients", { id: "depot" }).expect(201);
      const { body, headers } = await captain("post", "/clients/depot/secret").expect(201);
      assert.equal(headers["location"], "/api/v4/clients/depot");
      assert.deepEqual(Object.keys(body[0]), ["_links", "secret"]);
      assert.deepEqual(body[0]._links, { self: "/api/v4/clients/depot" });
      await clientCredentialsWork("depot", body[0].secret).expect(200);
      await clientCredentialsWork("depot", made.body.secret).expect(401);
    });

    it("is for super users and confidential clients, and all or none", async () => {
      const made = await captain("post", "/clients", { id: "store" }).expect(201);
      problemOf(await guest("post", "/clients/store/secret"), 403);
      problemOf(await captain("post", "/clients/store,portolan-cli/secret"), 400);
      problemOf(await captain("post", "/clients/store,nothing/secret"), 404);
      await clientCredentialsWork("store", made.body.secret).expect(200);
    });
  });
});
