import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { requestsAs, problemOf, type Requests } from "../management/requests.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { addClient, assertOAuthError } from "./support.ts";

describe("guest tokens", () => {
  let gateway: TestGateway;
  let captain: Requests;
  const ask = (body: object) => gateway.http.post("/api/v4/oauth/guest").send(body);
  const families = async () =>
    (await gateway.database.client.query("select id from portolan.token_families where guest")).rows.length;

  before(async () => {
    gateway = await testGateway({ config: { ogc: { downloads: true } } });
    captain = await requestsAs(gateway, "captain");
    await addClient(gateway.database, "web-map");
    await captain("post", "/users", { name: "visitor", password: "v" }).expect(201);
  });
  after(() => gateway.close());

  it("are refused as 400 where the database has no default user", async () => {
    assertOAuthError(await ask({ client_id: "web-map" }), 400, "invalid_request");
  });

  it("are access tokens of the default user without a refresh token; guests of a client share one session", async () => {
    await captain("patch", "/users/visitor", { default_user: true }).expect(303);
    const { body, headers } = await ask({ client_id: "web-map", database: gateway.database.name }).expect(200);
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "scope"]);
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(decodeJwt(body.access_token).sub, "visitor");
    await gateway.http.get("/api/v4/users/visitor").auth(body.access_token, { type: "bearer" }).expect(200);
    await ask({ client_id: "web-map" }).expect(200);
    assert.equal(await families(), 1);
  });

  it("need a client, with its secret where it has one", async () => {
    assertOAuthError(await ask({}), 401, "invalid_client");
    assertOAuthError(await ask({ client_id: "nobody" }), 401, "invalid_client");
    assertOAuthError(await ask({ client_id: "web-map", database: "nowhere" }), 400, "invalid_request");
    const secret = await addClient(gateway.database, "kiosk", { public: false });
    assertOAuthError(await ask({ client_id: "kiosk" }), 401, "invalid_client");
    await ask({ client_id: "kiosk", client_secret: secret }).expect(200);
  });

  it("end one by one: a guest who signs out leaves the others signed in", async () => {
    const token = async () => (await ask({ client_id: "web-map" }).expect(200)).body.access_token as string;
    const [leaving, staying] = [await token(), await token()];
    const status = async (bearer: string) =>
      (await gateway.http.get("/api/v4/users/visitor").auth(bearer, { type: "bearer" })).status;
    const isActive = async (bearer: string) =>
      (await gateway.http.post("/api/v4/oauth/introspect").send({ token: bearer, client_id: "web-map" })).body.active;
    assert.deepEqual([await status(leaving), await status(staying)], [200, 200]);
    await gateway.http.post("/api/v4/oauth/revoke").send({ token: leaving, client_id: "web-map" }).expect(200);
    assert.deepEqual([await status(leaving), await status(staying)], [401, 200]);
    assert.deepEqual([await isActive(leaving), await isActive(staying)], [false, true]);
    assert.equal(await status(await token()), 200);
  });

  it("are for the service: another resource is invalid_target, as in every grant", async () => {
    const { baseUrl } = gateway;
    const { body } = await ask({ client_id: "web-map", resource: baseUrl }).expect(200);
    assert.equal(decodeJwt(body.access_token).aud, baseUrl);
    for (const resource of ["https://elsewhere.example.org", `${baseUrl}/mcp/${gateway.database.name}`])
      assertOAuthError(await ask({ client_id: "web-map", resource }), 400, "invalid_target");
  });

  it("cannot change the account that everybody has", async () => {
    const { body } = await ask({ client_id: "web-map" }).expect(200);
    const change = (members: object) =>
      gateway.http.patch("/api/v4/users/visitor").auth(body.access_token, { type: "bearer" }).send(members);
    problemOf(await change({ email: "me@example.org" }), 403);
    problemOf(await change({ password: "mine", current_password: "v" }), 403);
  });

  it("see and end nothing that the account has", async () => {
    await gateway.database.client.query(
      `with c as (
        insert into portolan.consents (user_name, client_id, scopes, resources) values ('visitor', 'web-map', '{}', '{}'))
      insert into portolan.identities (id, user_name, provider, issuer, subject)
      values (gen_random_uuid(), 'visitor', 'acme', 'https://acme.example.org', 'v')`,
    );
    const { body } = await ask({ client_id: "web-map" }).expect(200);
    const as = (method: "get" | "delete", path: string) =>
      gateway.http[method](`/api/v4${path}`).auth(body.access_token, { type: "bearer" });
    for (const path of ["/sessions", "/identities"]) {
      assert.deepEqual((await as("get", path).expect(200)).body, [], path);
      const [{ id }] = (await captain("get", `${path}?account=visitor`).expect(200)).body;
      problemOf(await as("delete", `${path}/${id}`), 403);
    }
    problemOf(await as("get", "/consents"), 403);
    problemOf(await as("delete", "/consents/visitor/web-map"), 403);
    assert.equal((await captain("get", "/consents?account=visitor").expect(200)).body.length, 1);
  });

  it("make files, each its own: whoever knows the id has it and removes it, and nobody lists those of others", async () => {
    const { body } = await ask({ client_id: "web-map" }).expect(200);
    const ogc = `/api/v4/ogc/database/${gateway.database.name}`;
    const as = (method: "get" | "delete" | "post", path: string) =>
      gateway.http[method](path).auth(body.access_token, { type: "bearer" });
    const begun = await as("post", `${ogc}/collections/world.graticule/downloads`).send({ format: "csv" }).expect(202);
    const { id, job } = begun.body as { id: string; job: number };
    await until(async () => (await as("get", `${ogc}/downloads/${id}`)).status === 200);
    assert.deepEqual((await as("get", `${ogc}/downloads`).expect(200)).body, { downloads: [] });
    assert.deepEqual((await as("get", "/api/v4/jobs").expect(200)).body, []);
    problemOf(await as("get", `/api/v4/jobs/${job}`), 404);
    problemOf(await as("delete", `/api/v4/jobs/${job}`), 404);
    await as("delete", `${ogc}/downloads/${id}`).expect(204);
    problemOf(await as("get", `${ogc}/downloads/${id}`), 404);
  });

  it("have one account a database, no super user", async () => {
    assert.match(
      problemOf(await captain("post", "/users", { name: "second", default_user: true }), 409),
      /"visitor" is the default user/,
    );
    assert.match(problemOf(await captain("get", "/users/second"), 404), /second/);
    assert.match(
      problemOf(await captain("patch", "/users/captain", { default_user: true }), 400),
      /cannot be the default/,
    );
    assert.match(
      problemOf(await captain("patch", "/users/visitor", { superuser: true }), 400),
      /cannot be the default/,
    );
  });

  it("end when the account is the default user no more", async () => {
    const { body } = await ask({ client_id: "web-map" }).expect(200);
    await captain("patch", "/users/visitor", { default_user: false }).expect(303);
    assertOAuthError(await ask({ client_id: "web-map" }), 400, "invalid_request");
    await until(async () => {
      const { status } = await gateway.http.get("/api/v4/users/visitor").auth(body.access_token, { type: "bearer" });
      return status === 401;
    }, 5000);
  });
});
