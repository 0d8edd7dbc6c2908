import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { GRANTS } from "../../server/kernel/identity/grants.ts";
import { requestsAs, type Requests } from "../management/requests.ts";
import { command } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { assertOAuthError } from "./support.ts";

describe("the grant client_credentials (RFC 6749 §4.4)", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let secret: string;
  const sql = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);
  const ask = (body: object) => gateway.http.post("/api/v4/oauth").send({ grant_type: "client_credentials", ...body });

  before(async () => {
    gateway = await testGateway();
    captain = await requestsAs(gateway, "captain");
    await sql("select portolan.create_user('robot', null), portolan.create_user('short', null)");
    const { body } = await captain("post", "/clients", {
      id: "nightly",
      grants: ["client_credentials", "refresh_token"],
      account: "Robot",
    }).expect(201);
    secret = body.secret;
  });
  after(() => gateway.close());

  it("gives a token of the account that the client names, by Basic and in the body, and no refresh token", async () => {
    const answer = await ask({ scope: "a b" }).auth("nightly", secret).expect(200);
    assert.deepEqual(Object.keys(answer.body), ["access_token", "token_type", "expires_in", "scope"]);
    assert.equal(answer.headers["cache-control"], "no-store");
    const { sub, client_id, scope } = decodeJwt(answer.body.access_token);
    assert.deepEqual([sub, client_id, scope], ["robot", "nightly", "a b"]);
    const inBody = await ask({ client_id: "nightly", client_secret: secret }).expect(200);
    const shown = await gateway.http
      .get("/api/v4/users/robot")
      .auth(inBody.body.access_token, { type: "bearer" })
      .expect(200);
    assert.equal(shown.body.name, "robot");
  });

  it("refuses a wrong secret, none, an invalid scope, and a client that does not list it", async () => {
    assertOAuthError(await ask({}).auth("nightly", "wrong"), 401, "invalid_client");
    assertOAuthError(await ask({ client_id: "nightly" }), 401, "invalid_client");
    assertOAuthError(await ask({ scope: 'a"b' }).auth("nightly", secret), 400, "invalid_scope");
    assertOAuthError(await ask({ client_id: "portolan-cli" }), 400, "unauthorized_client");
    const { body } = await captain("post", "/clients", { id: "other", account: "robot" }).expect(201);
    assertOAuthError(await ask({}).auth("other", body.secret), 400, "unauthorized_client");
  });

  it("is for confidential clients that name an existing account: otherwise 400, and nothing is done", async () => {
    const grants = ["client_credentials"];
    const clients = async () => (await sql("select c::text from portolan.clients c order by 1")).rows;
    const before = await clients();
    for (const wrong of [
      { grants },
      { grants, account: null },
      { grants, account: "nobody" },
      { grants, account: "no such name!" },
      { grants, account: "anonymous" },
      { grants, account: "robot", public: true },
      { grants: ["implicit"], account: "robot" },
      { grants, account: 7 },
    ])
      assert.equal((await captain("post", "/clients", { id: "bad", ...wrong })).status, 400, JSON.stringify(wrong));
    for (const wrong of [{ account: null }, { account: "nobody" }, { public: true }])
      assert.equal((await captain("patch", "/clients/nightly", wrong)).status, 400, JSON.stringify(wrong));
    assert.deepEqual(await clients(), before);
    await assert.rejects(
      sql("insert into portolan.clients (id, public, grants) values ('bad', true, '{client_credentials}')"),
      { code: "PX400" },
    );
  });

  it("ends with the account: the client stays, and has no account until it gets another", async () => {
    const { body } = await captain("post", "/clients", {
      id: "brief",
      grants: ["client_credentials"],
      account: "short",
    }).expect(201);
    const { access_token } = (await ask({}).auth("brief", body.secret).expect(200)).body;
    await captain("delete", "/users/short").expect(204);
    await gateway.http.get("/api/v4/users/robot").auth(access_token, { type: "bearer" }).expect(401);
    await sql("select portolan.create_user('short', null)");
    assertOAuthError(await ask({}).auth("brief", body.secret), 400, "unauthorized_client");
    assert.equal((await captain("get", "/clients/brief")).body.account, null);
    await captain("patch", "/clients/brief", { name: "Brief" }).expect(303);
    await captain("patch", "/clients/brief", { account: "robot" }).expect(303);
    await ask({}).auth("brief", body.secret).expect(200);
  });

  it("is in the audit, granted and refused", async () => {
    const { rows } = await sql(
      "select event, account, details from portolan.audit where client_id = 'brief' and event ~ '^grant' order by id",
    );
    const details = { grantType: "client_credentials" };
    assert.deepEqual(rows, [
      { event: "granted", account: "short", details },
      { event: "grant.refused", account: null, details: { ...details, outcome: "account" } },
      { event: "granted", account: "robot", details },
    ]);
  });

  it("is made by the command line, too", async () => {
    const { database } = gateway;
    const portolan = (...args: string[]) =>
      command(["client", ...args], { env: { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url } });
    const add = ["add", "job", "--grants", "client_credentials"];
    assert.match(portolan(...add).stderr, /^portolan: the grant client_credentials needs the account/);
    const made = portolan(...add, "--account", "robot");
    const [, printed = ""] = /^secret: ([0-9a-f]{64})\n/.exec(made.stdout) ?? [];
    await ask({}).auth("job", printed).expect(200);
    assert.match(portolan("list").stdout, /\njob .* client_credentials +robot\n/);
  });

  it("every list of grants is the same: REST, metadata, help, and PostgreSQL's", async () => {
    const { rows } = await sql("select prosrc from pg_proc where oid = 'portolan.tg_clients__check'::regproc");
    const [, names = ""] = /v_grants constant text\[\] := '\{(.*?)\}'/.exec(rows[0].prosrc) ?? [];
    assert.deepEqual(names.split(","), [...GRANTS]);
    const { body: metadata } = await gateway.http.get("/.well-known/oauth-authorization-server").expect(200);
    const supported = metadata.grant_types_supported.filter((name: string) => !name.startsWith("urn:"));
    assert.deepEqual(supported.toSorted(), GRANTS.toSorted());
    const { text } = await gateway.http.get("/api/v4/openapi.json").expect(200);
    assert.ok(text.includes(JSON.stringify(GRANTS)), "the enum of REST");
  });
});
