import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { addClient, codeFor, makePkce } from "./support.ts";

describe("the state of OAuth in the database", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway();
    await addClient(gateway.database, "app");
  });
  after(() => gateway.close());

  const sql = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

  /** The SQLSTATE that a statement fails with, run as an account. */
  async function refusedAs(account: string, text: string): Promise<string | undefined> {
    await sql("begin");
    try {
      await sql("select set_config('role', $1, true)", [`${account}@${gateway.database.name}`]);
      await sql(text);
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    } finally {
      await sql("rollback");
    }
  }

  it("no account can read or write any of it, not even a super user", async () => {
    // methods, comments and what is saved have row security: everybody has some. log_run has transaction numbers, which PostgreSQL shows
    // to everybody
    const { rows } = await sql(`
select oid::regclass::text as name from pg_class
where relnamespace = 'portolan'::regnamespace and relkind = 'r' and relname <> all ('{methods,maps,queries,dashboards,views,row_comments,saved_versions}')`);
    assert.ok(rows.length > 15);
    for (const account of ["guest", "captain", "anonymous"])
      for (const { name } of rows)
        for (const statement of [`select * from ${name}`, `delete from ${name}`])
          if (statement !== "select * from portolan.log_run")
            assert.equal(await refusedAs(account, statement), "42501", `${account}: ${statement}`);
  });

  it("super users manage clients by the functions, others do not", async () => {
    for (const statement of [
      "select portolan.create_client('c1', 'C', '{}')",
      "select portolan.set_client_secret('gc2-cli')",
      "select portolan.update_client('app', '{}')",
      "select portolan.drop_client('app')",
      "select portolan.list_clients()",
      "select portolan.invite_user('guest')",
    ]) {
      assert.equal(await refusedAs("guest", statement), "42501", statement);
      assert.notEqual(await refusedAs("captain", statement), "42501", statement);
    }
    for (const name of [
      "attempt",
      "use_code",
      "rotate_refresh_token",
      "poll_device",
      "redeem_link",
      "rehash_password",
      "revoke_family",
      "start_family",
      "clear_expired",
      "rotate_signing_key",
      "secrets",
      "new_secret",
    ]) {
      const { rows } = await sql(
        `select has_function_privilege('captain@' || current_database(), p.oid, 'execute') as may
         from pg_proc p where p.pronamespace = 'portolan'::regnamespace and p.proname = $1`,
        [name],
      );
      assert.deepEqual(rows, [{ may: false }], name);
    }
  });

  it("create_client returns a secret that is kept as a hash, and null for a public client", async () => {
    const secret = await addClient(gateway.database, "secretive", { public: false });
    assert.match(secret ?? "", /^[0-9a-f]{64}$/);
    assert.equal(await addClient(gateway.database, "open", { public: true }), null);
    const { rows } = await sql("select c::text as row from portolan.clients c where id = 'secretive'");
    assert.ok(!rows[0].row.includes(secret));
    const { rows: defaults } = await sql("select portolan.create_client('plain', 'Plain', '{}') is not null as secret");
    assert.ok(defaults[0].secret);
  });

  it("refuses invalid ids, grants and redirect URIs, whoever writes", async () => {
    for (const uri of [
      "http://app.example.org/cb",
      "https://app.example.org/cb#x",
      "https://user@app.example.org/cb",
      "https://app.example.org/a/../b",
      "https://app.example.org/a/%2E%2e/b",
      "https://*.example.org/cb",
      "https://app.example.org\\evil",
      "https://app.example.org/a b",
      "javascript:alert(1)",
      "//app.example.org",
      "http://127.0.0.1.evil.example/",
      "http://localhost@evil.example/",
      "",
    ]) {
      await assert.rejects(sql("select portolan.create_client('x', 'X', array[$1])", [uri]), { code: "PX400" }, uri);
      await assert.rejects(sql("insert into portolan.clients (id, redirect_uri) values ('x', array[$1])", [uri]), {
        code: "PX400",
      });
    }
    for (const uri of [
      "https://a.example/cb?x=1",
      "http://127.0.0.1:5657/cb",
      "http://[::1]:1/cb",
      "http://localhost/",
      "https://a.example:8443",
    ])
      await sql("begin; select portolan.create_client('x', 'X', '{}'); rollback").then(() =>
        sql("select portolan.is_redirect_uri($1) as ok", [uri]).then(({ rows }) => assert.ok(rows[0].ok, uri)),
      );
    await assert.rejects(sql("select portolan.create_client('a,b', 'X', '{}')"), { code: "PX400" });
    await assert.rejects(sql("select portolan.create_client('x', 'X', '{}', grants => '{implicit}')"), {
      code: "PX400",
    });
    await assert.rejects(sql("select portolan.create_client('app', 'X', '{}')"), { code: "PX409" });
    await assert.rejects(sql("select portolan.drop_client('portolan-cli')"), { code: "PX409" });
    await assert.rejects(sql("select portolan.drop_client('nobody')"), { code: "PX404" });
    await assert.rejects(sql("select portolan.set_client_secret('app')"), { code: "PX400" });
  });

  it("a DBA may write the table directly; defaults are the API's", async () => {
    await sql("insert into portolan.clients (id) values ('direct')");
    const { rows } = await sql(
      "select name, public, confirm, grants, redirect_uri, secret_hash from portolan.clients where id = 'direct'",
    );
    assert.deepEqual(rows[0], {
      name: "direct",
      public: false,
      confirm: true,
      grants: ["authorization_code", "refresh_token", "device_code"],
      redirect_uri: [],
      secret_hash: null,
    });
  });

  it("update_client changes only the named members", async () => {
    await sql("select portolan.update_client('direct', $1)", [
      { name: "Direct", public: true, access_token_lifetime_seconds: 60 },
    ]);
    const { rows } = await sql(
      "select name, public, confirm, access_token_lifetime_seconds as s from portolan.clients where id = 'direct'",
    );
    assert.deepEqual(rows[0], { name: "Direct", public: true, confirm: true, s: 60 });
    await assert.rejects(sql(`select portolan.update_client('direct', '{"secret_hash": "x"}')`), { code: "PX400" });
  });

  it("expired entries are cleared, the rest stays", async () => {
    await sql("insert into portolan.audit (event, at) values ('old', now() - interval '3 days')");
    await sql(
      "insert into portolan.signing_keys (kid, public_jwk, private_jwk, retired_at) values ('old', '{}', '{}', now() - interval '31 days')",
    );
    await sql(`
insert into portolan.jobs (kind, relation, state, started_by, updated)
values ('import', 'world.cities', 'failed', 'x', now() - interval '32 days'), ('events', 'world.cities', 'done', 'x', now() - interval '32 days'),
  ('events', 'world.cities', 'stopped', 'x', now() - interval '32 days'), ('import', 'world.cities', 'done', 'x', now())`);
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "password", username: "guest", password: "guest", client_id: "app" })
      .expect(200);
    await codeFor(gateway.baseUrl, "app", makePkce());
    await gateway.http.post("/api/v4/oauth/device").send({ client_id: "app" }).expect(200);
    await sql("select portolan.clear_expired(1)");
    const { rows: jobs } = await sql("select kind, state from portolan.jobs order by id");
    assert.deepEqual(jobs, [
      { kind: "events", state: "stopped" },
      { kind: "import", state: "done" },
    ]);
    const count = async () => {
      const { rows } = await sql(`
select
  (select count(*) from portolan.token_families)::int as families,
  (select count(*) from portolan.refresh_tokens)::int as refresh,
  (select count(*) from portolan.authorization_codes)::int as codes,
  (select count(*) from portolan.device_requests)::int as devices,
  (select count(*) from portolan.sessions)::int as sessions,
  (select count(*) from portolan.signing_keys)::int as keys,
  (select count(*) from portolan.audit where event = 'old')::int as old`);
      return rows[0];
    };
    assert.deepEqual(await count(), { families: 1, refresh: 1, codes: 1, devices: 1, sessions: 1, keys: 2, old: 0 });
    for (const table of ["token_families", "authorization_codes", "device_requests", "sessions"])
      await sql(`update portolan.${table} set expires_at = now() - interval '2 hours'`);
    await sql("select portolan.clear_expired(1)");
    assert.deepEqual(await count(), { families: 0, refresh: 0, codes: 0, devices: 0, sessions: 0, keys: 2, old: 0 });
    const { status } = await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "refresh_token", refresh_token: body.refresh_token, client_id: "app" });
    assert.equal(status, 400);
  });

  it("the audit has sign-ins, grants, refusals, revocations and changes, and no secret", async () => {
    await sql("truncate portolan.audit");
    const secret = await addClient(gateway.database, "audited", { public: false });
    const login = { grant_type: "password", username: "guest", client_id: "audited", client_secret: secret };
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .send({ ...login, password: "guest" })
      .expect(200);
    await gateway.http
      .post("/api/v4/oauth")
      .send({ ...login, password: "SECRETPASSWORD" })
      .expect(400);
    await gateway.http
      .post("/api/v4/oauth")
      .send({ ...login, username: "SECRETPASSWORD", password: "x" })
      .expect(400);
    await gateway.http
      .post("/api/v4/oauth")
      .send({ ...login, client_secret: "SECRETSECRET" })
      .expect(401);
    await gateway.http
      .post("/api/v4/oauth/revoke")
      .send({ token: body.refresh_token, client_id: "audited", client_secret: secret });
    await sql("select portolan.create_user('short', 'SECRETPASSWORD')");
    await sql("select portolan.set_password('short', 'SECRETPASSWORD2')");
    await sql("select portolan.drop_user('short')");
    await sql("select portolan.drop_client('audited')");
    const { rows } = await sql("select event, account, client_id, address, details from portolan.audit order by id");
    const text = JSON.stringify(rows);
    assert.doesNotMatch(text, /SECRET|eyJ|\$argon|\$2/);
    assert.ok(!text.includes(secret ?? "?"));
    assert.deepEqual(
      rows.map(({ event, account, client_id: client }) => [event, account, client]),
      [
        ["client.created", null, "audited"],
        ["sign_in", "guest", null],
        ["granted", "guest", "audited"],
        ["sign_in.refused", "guest", null],
        ["sign_in.refused", null, null],
        ["client.refused", null, "audited"],
        ["token.revoked", "guest", "audited"],
        ["user.created", "short", null],
        ["user.changed", "short", null],
        ["user.removed", "short", null],
        ["client.removed", null, "audited"],
      ],
    );
    assert.equal(rows[1].address, "127.0.0.1");
    assert.deepEqual(rows[8].details, { by: "postgres", changed: ["password"] });
  });

  it("claims of an account reach policies, as the row has them now", async () => {
    await sql("select portolan.create_user('teamed', 'teamed', properties => '{\"team\":\"north\"}')");
    await sql(`
create schema claims;
create function claims.team() returns text language sql stable as $$ select current_setting('jwt.claims.team', true) $$;
create table claims.notes (id int primary key, team text);
insert into claims.notes values (1, 'north'), (2, 'south');
alter table claims.notes enable row level security;
create policy own on claims.notes using (team = current_setting('jwt.claims.team', true))`);
    await sql("select portolan.set_privilege('claims.notes', 'teamed', 'read')");
    const { body } = await gateway.http
      .post("/api/v4/oauth")
      .send({ grant_type: "password", username: "teamed", password: "teamed", client_id: "app" })
      .expect(200);
    const deadline = Date.now() + 5000;
    for (;;) {
      const answer = await gateway.http
        .post("/api/graphql/schema/claims")
        .auth(body.access_token, { type: "bearer" })
        .send({ query: "{ getNotes { id } }" });
      if (answer.status === 200) {
        assert.deepEqual(answer.body.data, { getNotes: [{ id: "1" }] });
        break;
      }
      assert.ok(Date.now() < deadline, answer.text);
    }
  });
});
