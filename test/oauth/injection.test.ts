import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person, addClient, assertOAuthError, authPath, makePkce } from "./support.ts";

/** A database in which a backslash in a literal escapes the next character, as in old PostgreSQL. */
describe("a database with standard_conforming_strings = off", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) => client.query(`alter database "${name}" set standard_conforming_strings = off`),
    });
    await addClient(gateway.database, "app");
  });
  after(() => gateway.close());

  const post = (body: object, path = "") => gateway.http.post(`/api/v4/oauth${path}`).send(body);
  const password = { grant_type: "password", username: "guest", password: "guest", client_id: "app" };

  async function state(): Promise<unknown> {
    const { rows } = await gateway.database.client.query(
      `select (select json_agg(u order by name) from portolan.users u) as users,
              (select json_agg(c order by id) from portolan.clients c) as clients`,
    );
    return rows;
  }

  it("no field of a request is SQL", async () => {
    await post(password).expect(200); // and from here on the hash stays as it is
    const before = await state();
    const owner = `owner@${gateway.database.name}`;
    for (const evil of [
      `\\'; set role "${owner}"; select portolan.create_user($q$evil$q$, $q$evil$q$, superuser => true); --`,
      "\\'; update portolan.users set superuser = true; --",
      "\\' or true --",
      "x\\",
    ]) {
      assertOAuthError(await post({ ...password, username: evil }), 400, "invalid_grant");
      assertOAuthError(await post({ ...password, client_id: evil }), 401, "invalid_client");
      assertOAuthError(await post({ client_id: evil }, "/device"), 401, "invalid_client");
      assertOAuthError(await post({ ...password, client_id: undefined }).auth(evil, "x"), 401, "invalid_client");
      for (const [path, body] of [
        ["", { grant_type: "authorization_code", code: evil, redirect_uri: evil, code_verifier: "x".repeat(43) }],
        ["", { grant_type: "device_code", device_code: evil }],
        ["", { grant_type: "refresh_token", refresh_token: evil }],
      ] as const)
        assertOAuthError(await post({ ...body, client_id: "app" }, path), 400, "invalid_grant");
      assert.equal((await gateway.http.get(authPath(evil, makePkce()))).status, 400);
      for (const path of ["/password", "/signout"]) {
        const query = { token: evil, redirect_uri: evil, client_id: evil, state: evil };
        assert.equal((await gateway.http.get(path).query(query)).status, 400, path);
      }
      const person = new Person(gateway.baseUrl);
      const path = authPath("app", makePkce(), { scope: "a'b", state: evil });
      const page = await person.agent.get(path).expect(200);
      const answer = await person.submit(path, page, { username: evil, password: evil, action: "sign-in" });
      assert.equal(answer.status, 401);
      const device = await person.submit("/device", await person.agent.get("/device"), { user_code: evil });
      assert.equal(device.status, 400);
      await gateway.database.client.query("truncate portolan.lockouts");
    }
    assert.deepEqual(await state(), before);
  });

  it("accounts and clients are made as everywhere", async () => {
    const captain = `Bearer ${await gateway.token("captain")}`;
    const name = "o\\'brien";
    await gateway.http
      .post("/api/v4/users")
      .set("Authorization", captain)
      .send({ name: "brien", password: "br\\'ien", properties: { name } })
      .expect(201);
    await post({ ...password, username: "brien", password: "br\\'ien" }).expect(200);
    const { body } = await gateway.http.get("/api/v4/users/brien").set("Authorization", captain).expect(200);
    assert.deepEqual(body.properties, { name });
    await gateway.http
      .post("/api/v4/clients")
      .set("Authorization", captain)
      .send({ id: "made", name, redirect_uri: ["https://a.example/cb"] })
      .expect(201);
  });
});
