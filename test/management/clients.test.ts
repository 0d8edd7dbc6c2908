import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

const REDIRECT = "https://app.example.org/callback";

describe("/api/v4/clients", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query(text, values)).rows;
  const ids = async (): Promise<string[]> =>
    (await query("select id from portolan.clients order by id")).map(({ id }) => id);
  const secretHash = async (id: string): Promise<string | null> =>
    (await query("select secret_hash from portolan.clients where id = $1", [id]))[0].secret_hash;

  before(async () => {
    gateway = await testGateway();
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  it("POST makes one: 201, Location, and the secret this once", async () => {
    const { headers, body, text } = await captain("post", "/clients", {
      id: "Chart-Room",
      name: "Chart room",
      redirect_uri: [REDIRECT, "http://127.0.0.1:8080/cb"],
      homepage: "https://app.example.org",
      description: "Draws <b>charts</b>",
      confirm: false,
    }).expect(201);
    assert.equal(headers["location"], "/api/v4/clients/Chart-Room");
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(text, JSON.stringify(body));
    assert.deepEqual(Object.keys(body), ["_links", "secret"]);
    assert.deepEqual(body._links, { self: "/api/v4/clients/Chart-Room" });
    assert.equal(await secretHash("Chart-Room"), createHash("sha256").update(body.secret).digest("hex"));
  });

  it("GET shows one as an object, several and all as arrays, never a secret", async () => {
    const { text } = await captain("get", "/clients/Chart-Room").expect(200);
    assert.equal(
      text,
      JSON.stringify({
        id: "Chart-Room",
        name: "Chart room",
        redirect_uri: [REDIRECT, "http://127.0.0.1:8080/cb"],
        homepage: "https://app.example.org",
        description: "Draws <b>charts</b>",
        public: false,
        confirm: false,
        grants: ["authorization_code", "refresh_token", "device_code"],
        refresh_reuse: "refuse",
        account: null,
        id_token_signed_response_alg: "RS256",
        subject_type: null,
        sector_identifier_uri: null,
        post_logout_redirect_uris: [],
        backchannel_logout_uri: null,
        disabled: false,
        require_pkce: true,
        token_endpoint_auth_method: null,
        origin: "administrator",
        token_endpoint_auth_signing_alg: null,
        jwks: null,
        jwks_uri: null,
        require_par: false,
        dpop_bound_access_tokens: false,
        access_token_lifetime_seconds: 3600,
        refresh_token_lifetime_seconds: 86_400,
        code_lifetime_seconds: 120,
        device_code_lifetime_seconds: 1800,
        device_poll_interval_seconds: 5,
      }),
    );
    const several = await captain("get", "/clients/portolan-cli,Chart-Room").expect(200);
    assert.deepEqual(several.body.map(({ id }: { id: string }) => id).toSorted(), ["Chart-Room", "portolan-cli"]);
    const all = await captain("get", "/clients").expect(200);
    assert.deepEqual(all.body.map(({ id }: { id: string }) => id).toSorted(), (await ids()).toSorted());
    assert.doesNotMatch(all.text, /secret/);
    problemOf(await captain("get", "/clients/chart-room"), 404);
    problemOf(await captain("get", "/clients/Chart-Room,nobody"), 404);
  });

  it("a public client has no secret; absent members take their default", async () => {
    const { body } = await captain("post", "/clients", { id: "spa", public: true }).expect(201);
    assert.deepEqual(body, { _links: { self: "/api/v4/clients/spa" } });
    assert.deepEqual((await captain("get", "/clients/spa")).body, {
      id: "spa",
      name: "spa",
      redirect_uri: [],
      homepage: null,
      description: null,
      public: true,
      confirm: true,
      grants: ["authorization_code", "refresh_token", "device_code"],
      refresh_reuse: "refuse",
      account: null,
      id_token_signed_response_alg: "RS256",
      subject_type: null,
      sector_identifier_uri: null,
      post_logout_redirect_uris: [],
      backchannel_logout_uri: null,
      disabled: false,
      require_pkce: true,
      token_endpoint_auth_method: null,
      token_endpoint_auth_signing_alg: null,
      jwks: null,
      jwks_uri: null,
      require_par: false,
      dpop_bound_access_tokens: false,
      access_token_lifetime_seconds: 3600,
      refresh_token_lifetime_seconds: 86_400,
      code_lifetime_seconds: 120,
      device_code_lifetime_seconds: 1800,
      device_poll_interval_seconds: 5,
      origin: "administrator",
    });
    const random = await captain("post", "/clients", { name: "No id" }).expect(201);
    assert.match(random.headers["location"] ?? "", /^\/api\/v4\/clients\/[0-9a-f-]{36}$/);
  });

  it("POST takes several, all or none", async () => {
    const { headers, body } = await captain("post", "/clients", [{ id: "a:1" }, { id: "b@2", public: true }]).expect(
      201,
    );
    assert.equal(headers["location"], "/api/v4/clients/a%3A1,b%402");
    assert.deepEqual(
      body.map((item: object) => Object.keys(item)),
      [["_links", "secret"], ["_links"]],
    );
    await captain("get", headers["location"]?.slice("/api/v4".length) ?? "").expect(200);
    const before = await ids();
    problemOf(await captain("post", "/clients", [{ id: "c" }, { id: "spa" }]), 409);
    problemOf(
      await captain("post", "/clients", [{ id: "c" }, { id: "d", redirect_uri: ["http://evil.example"] }]),
      400,
    );
    assert.deepEqual(await ids(), before);
  });

  it("PATCH changes the named members: 303, Location, the same body", async () => {
    const hash = await secretHash("Chart-Room");
    const { headers, text } = await captain("patch", "/clients/Chart-Room", {
      redirect_uri: [REDIRECT],
      grants: ["password"],
      homepage: null,
    }).expect(303);
    assert.equal(headers["location"], "/api/v4/clients/Chart-Room");
    assert.equal(text, '[{"_links":{"self":"/api/v4/clients/Chart-Room"}}]');
    const { body } = await captain("get", "/clients/Chart-Room");
    assert.deepEqual(
      [body.redirect_uri, body.grants, body.homepage, body.name, body.confirm],
      [[REDIRECT], ["password"], null, "Chart room", false],
    );
    assert.equal(await secretHash("Chart-Room"), hash);
    problemOf(await captain("patch", "/clients/spa,nobody", { name: "x" }), 404);
    assert.equal((await captain("get", "/clients/spa")).body.name, "spa");
  });

  it("DELETE removes several, all or none", async () => {
    problemOf(await captain("delete", "/clients/a%3A1,nobody"), 404);
    assert.ok((await ids()).includes("a:1"));
    await captain("delete", "/clients/a%3A1,b%402").expect(204);
    assert.ok(!(await ids()).includes("a:1"));
    problemOf(await captain("delete", "/clients/a%3A1"), 404);
  });

  it("the service's own client cannot be removed, over REST and in SQL", async () => {
    const before = await query("select c::text from portolan.clients c order by 1");
    for (const id of ["portolan-console", "portolan-cli"]) {
      assert.match(problemOf(await captain("delete", `/clients/spa,${id}`), 409), new RegExp(`"${id}" is built in`));
      await assert.rejects(query("delete from portolan.clients where id = $1", [id]), { code: "PX409" });
      await assert.rejects(query("update portolan.clients set id = 'gone' where id = $1", [id]), { code: "PX409" });
    }
    for (const change of [
      { public: false },
      { grants: [] },
      { grants: ["authorization_code"] },
      { redirect_uri: [REDIRECT] },
    ])
      assert.match(
        problemOf(await captain("patch", "/clients/spa,portolan-console", change), 409),
        /nobody could sign in to the console/,
      );
    for (const change of [
      "public = false",
      "grants = '{}'",
      "grants = '{authorization_code,password}'",
      "redirect_uri = '{}'",
      `redirect_uri = '{${REDIRECT}}'`,
    ])
      await assert.rejects(query(`update portolan.clients set ${change}`), {
        code: "PX409",
        message: /nobody could sign in to the console/,
      });
    await assert.rejects(query("truncate portolan.clients cascade"), {
      code: "PX409",
      message: /built-in clients cannot be deleted/,
    });
    assert.deepEqual(await query("select c::text from portolan.clients c order by 1"), before);
    const given = {
      grants: ["refresh_token", "authorization_code", "device_code"],
      homepage: "https://app.example.org",
    };
    await captain("patch", "/clients/portolan-console", given).expect(303);
    assert.deepEqual((await captain("get", "/clients/portolan-console")).body.grants, given.grants);
  });

  it("is for super users: anonymous 401, an account 403, and nothing is done", async () => {
    const before = await query("select c::text from portolan.clients c order by 1");
    for (const [method, path, body] of [
      ["get", "/clients"],
      ["get", "/clients/spa"],
      ["get", "/clients/nobody"],
      ["post", "/clients", { id: "mine" }],
      ["patch", "/clients/spa", { redirect_uri: ["https://evil.example/"] }],
      ["delete", "/clients/spa"],
    ] as const) {
      problemOf(await guest(method, path, body), 403);
      const anonymous = await gateway.http[method](`/api/v4${path}`).send(body);
      problemOf(anonymous, 401);
      assert.match(anonymous.headers["www-authenticate"] ?? "", /^Bearer/);
    }
    assert.deepEqual(await query("select c::text from portolan.clients c order by 1"), before);
  });

  for (const [what, body, fault] of [
    ["a bad id", { id: "a b" }, /^id: must be 1 to 100/],
    ["an id with a comma", { id: "a,b" }, /^id: /],
    [
      "every fault at once",
      { id: 1, redirect_uri: "x", public: "no", scope: "y" },
      /^(?=.*id: )(?=.*redirect_uri: )(?=.*public: )(?=.*scope: is not a member here)/,
    ],
    ["a secret of one's own", { id: "bad", secret: "x", secret_hash: "y" }, /^(?=.*secret: )(?=.*secret_hash: )/],
    ["an unknown grant", { id: "bad", grants: ["implicit"] }, /^grants\/0: expected one of/],
    ["a homepage that is a script", { id: "bad", homepage: "javascript:alert(1)" }, /^homepage: /],
    ["an empty name", { id: "bad", name: "" }, /^name: must not be empty$/],
    ["101 redirect URIs", { id: "bad", redirect_uri: Array(101).fill(REDIRECT) }, /^redirect_uri: /],
    ["null as redirect URI", { id: "bad", redirect_uri: [null] }, /^redirect_uri\/0: /],
  ] as const)
    it(`${what} is 400 and named`, async () => {
      assert.match(problemOf(await captain("post", "/clients", body), 400), fault);
      assert.ok(!(await ids()).includes("bad"));
    });

  it("a redirect URI that is not safe is 400 and named, on POST and PATCH", async () => {
    for (const uri of [
      "http://app.example.org/cb",
      "https://app.example.org/cb#f",
      "https://user@app.example.org/cb",
      "https://app.example.org/../cb",
      "javascript:alert(1)",
      "//app.example.org",
      "*",
      "",
    ]) {
      assert.ok(
        problemOf(await captain("post", "/clients", { id: "bad", redirect_uri: [REDIRECT, uri] }), 400).includes(uri),
      );
      problemOf(await captain("patch", "/clients/spa", { redirect_uri: [uri] }), 400);
    }
    assert.ok(!(await ids()).includes("bad"));
  });

  it("a string stays a string, in any member or the path", async () => {
    for (const text of INJECTIONS) {
      problemOf(await captain("post", "/clients", { id: text }), 400);
      problemOf(await captain("post", "/clients", { id: "bad", redirect_uri: [text] }), 400);
      problemOf(await captain("post", "/clients", { id: "bad", homepage: text }), 400);
      for (const method of ["get", "delete"] as const)
        problemOf(await captain(method, `/clients/${encodeURIComponent(text)}`), 404);
      const made = await captain("post", "/clients", { id: "inj", name: text, description: text });
      if (text.includes("\0")) {
        problemOf(made, 400); // PostgreSQL has no such character
        continue;
      }
      assert.equal(made.status, 201, text);
      const { body } = await captain("get", "/clients/inj").expect(200);
      assert.deepEqual([body.name, body.description], [text, text]);
      await captain("delete", "/clients/inj").expect(204);
    }
  });

  it("of two creates of one id one is 201 and one 409", async () => {
    for (let round = 0; round < 5; round++) {
      const made = await Promise.all([1, 2].map(() => captain("post", "/clients", { id: `race${round}` })));
      assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 409]);
    }
  });
});
