import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

/** The SQLSTATE with which a statement fails. */
async function failure(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  return promise.then(
    () => assert.fail("it did not fail"),
    (error: { code: string; message: string }) => error,
  );
}

describe("accounts in SQL", () => {
  let database: TestDatabase;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const may = async (account: string, relation: string, privilege: string) =>
    (
      await query("select has_table_privilege(role, $2, $3) as may from portolan.users where name = $1", [
        account,
        relation,
        privilege,
      ])
    )[0].may;
  /** Runs a statement as the role of an account. */
  async function as(account: string, text: string): Promise<Record<string, unknown>[]> {
    await query("begin");
    try {
      await query("select set_config('role', role, true) from portolan.users where name = $1", [account]);
      return await query(text);
    } finally {
      await query("rollback");
    }
  }

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query("create schema town");
    await query("create table town.parks (id serial primary key, name text)");
    await query(
      "create table town.trees (id bigint generated always as identity primary key, park_id int references town.parks)",
    );
  });

  after(() => database.drop());

  it("create_user makes a role that cannot log in and inherits anonymous", async () => {
    const [row] = await query("select portolan.create_user('Alice', 'secret', email => 'a@example.org') as role");
    assert.equal(row.role, `alice@${database.name}`);
    const [role] = await query("select rolcanlogin, rolsuper, rolinherit from pg_roles where rolname = $1", [row.role]);
    assert.deepEqual(role, { rolcanlogin: false, rolsuper: false, rolinherit: true });
    const [member] = await query("select pg_has_role($1, $2, 'usage') as is", [row.role, `anonymous@${database.name}`]);
    assert.equal(member.is, true);
  });

  it("a password is stored as a hash, a hash unchanged", async () => {
    await query("select portolan.create_user('hashed', '$argon2id$v=19$m=19456,t=2,p=1$abc$def')");
    const rows = await query(
      "select name, password from portolan.users where name in ('alice', 'hashed') order by name",
    );
    assert.match(rows[0].password, /^\$2a\$10\$/);
    assert.equal(rows[1].password, "$argon2id$v=19$m=19456,t=2,p=1$abc$def");
  });

  for (const [name, reason] of [
    ["owner", "reserved"],
    ["anonymous", "reserved"],
    ["1st", "start with a letter"],
    ["o'brien", "start with a letter"],
    ['a"; drop table portolan.users; --', "start with a letter"],
    ["ä", "start with a letter"],
    ["", "start with a letter"],
    ["x".repeat(41), "start with a letter"],
  ] as const)
    it(`create_user refuses the name ${JSON.stringify(name)}`, async () => {
      const error = await failure(query("select portolan.create_user($1, 'x')", [name]));
      assert.equal(error.code, "PX400");
      assert.match(error.message, new RegExp(reason));
    });

  it("create_user refuses an existing name, also in other letter case, an unknown group, bad properties and passwords", async () => {
    assert.equal((await failure(query("select portolan.create_user('ALICE', 'x')"))).code, "PX409");
    assert.equal(
      (await failure(query("select portolan.create_user('bob', 'x', user_group => 'nobody')"))).code,
      "PX400",
    );
    assert.equal((await failure(query("select portolan.create_user('bob', 'x', properties => '[]')"))).code, "PX400");
    assert.equal((await failure(query("select portolan.create_user('bob', '')"))).code, "PX400");
    assert.equal((await failure(query("select portolan.create_user('bob', $1)", ["x".repeat(73)]))).code, "PX400");
    const rows = await query("select from pg_roles where rolname = 'bob@' || current_database()");
    assert.equal(rows.length, 0);
  });

  it("a role name over 63 bytes is an error, never cut", async () => {
    const long = `l${"o".repeat(44)}ng`;
    const error = await failure(query("select portolan.role_name($1)", [long.padEnd(63, "x")]));
    assert.equal(error.code, "PX400");
    assert.match(error.message, /longer than 63 bytes/);
  });

  it("an existing role is not taken over silently", async () => {
    await query(`create role "carol@${database.name}"`);
    assert.equal((await failure(query("select portolan.create_user('carol', 'x')"))).code, "PX409");
    const [row] = await query(`select portolan.adopt_role('carol', 'carol@${database.name}') as role`);
    assert.equal(row.role, `carol@${database.name}`);
    await query("select portolan.drop_user('carol')");
    assert.equal(
      (await query("select from pg_roles where rolname = $1", [row.role])).length,
      1,
      "a role of the team's stays",
    );
    await query(`drop role "carol@${database.name}"`);
  });

  it("a role with power over the server cannot be an account", async () => {
    for (const role of ["postgres", "gateway", "pg_read_all_data", `owner@${database.name}`])
      assert.equal((await failure(query("select portolan.adopt_role('mallory', $1)", [role]))).code, "PX400", role);
  });

  it("set_privilege grants read, write and all, never TRUNCATE, REFERENCES or TRIGGER, and none takes them away", async () => {
    await query("select portolan.set_privilege('town.parks', 'alice', 'read')");
    assert.deepEqual(
      [await may("alice", "town.parks", "select"), await may("alice", "town.parks", "insert")],
      [true, false],
    );
    await query("select portolan.set_privilege('town.parks', 'alice', 'write')");
    for (const right of ["select", "insert", "update", "delete"])
      assert.ok(await may("alice", "town.parks", right), right);
    await query("select portolan.set_privilege('town.parks', 'alice', 'all')");
    for (const right of ["truncate", "references", "trigger"])
      assert.ok(!(await may("alice", "town.parks", right)), right);
    assert.deepEqual(await as("alice", "insert into town.parks (name) values ('Oak') returning name"), [
      { name: "Oak" },
    ]);
    await query("select portolan.set_privilege('town.parks', 'alice', 'none')");
    assert.equal(await may("alice", "town.parks", "select"), false);
  });

  it("set_privilege refuses an unknown privilege, account or relation, and relations of the system", async () => {
    assert.equal((await failure(query("select portolan.set_privilege('town.parks', 'alice', 'own')"))).code, "PX400");
    assert.equal((await failure(query("select portolan.set_privilege('town.parks', 'nobody', 'read')"))).code, "PX404");
    assert.equal((await failure(query("select portolan.set_privilege('town.none', 'alice', 'read')"))).code, "42P01");
    for (const relation of ["portolan.users", "pg_catalog.pg_authid", "town.parks_id_seq", "town.parks_pkey"])
      assert.equal(
        (await failure(query("select portolan.set_privilege($1::regclass, 'alice', 'all')", [relation]))).code,
        "PX400",
        relation,
      );
  });

  it("set_authentication lets anonymous read at None and Write, never write, and keeps the level", async () => {
    for (const [level, readable] of [
      ["None", true],
      ["Read/write", false],
      ["Write", true],
    ] as const) {
      await query("select portolan.set_authentication('town.trees', $1)", [level]);
      assert.equal(await may("anonymous", "town.trees", "select"), readable, level);
      assert.equal(await may("anonymous", "town.trees", "insert"), false);
      const [row] = await query("select level from portolan.authentication where relation = 'town.trees'::regclass");
      assert.equal(row.level, level);
    }
    assert.equal((await failure(query("select portolan.set_authentication('town.trees', 'Never')"))).code, "PX400");
  });

  it("a member of a group has the group's rights; a group with members cannot be dropped", async () => {
    await query("select portolan.create_user('gardeners', null)");
    await query("select portolan.create_user('dora', 'x', user_group => 'gardeners')");
    await query("select portolan.set_privilege('town.parks', 'gardeners', 'read')");
    assert.equal(await may("dora", "town.parks", "select"), true);
    assert.equal((await failure(query("select portolan.drop_user('gardeners')"))).code, "PX409");
    await query("select portolan.drop_user('dora')");
    await query("select portolan.drop_user('gardeners')");
  });

  it("a super user gets its rights on relations, sequences and functions that anyone makes later", async () => {
    await query("select portolan.create_user('chief', 'x', superuser => true)");
    await query("create table town.benches (id serial primary key)");
    await query(
      "create function town.count_benches() returns bigint language sql as 'select count(*) from town.benches'",
    );
    await query("revoke execute on function town.count_benches() from public");
    const refused = await query("select portolan.share_with_owner(array['town'])");
    assert.deepEqual(refused, []);
    for (const right of ["select", "insert", "update", "delete"])
      assert.ok(await may("chief", "town.benches", right), right);
    assert.equal((await as("chief", "insert into town.benches default values returning id")).length, 1);
    assert.deepEqual(await as("chief", "select town.count_benches() as n"), [{ n: "0" }]);
    const [role] = await query(
      "select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = 'chief@' || current_database()",
    );
    assert.deepEqual(role, { rolsuper: false, rolbypassrls: false, rolcreaterole: false });
  });

  it("row security applies to a super user on a table that it does not own", async () => {
    await query("alter table town.parks enable row level security");
    await query("insert into town.parks (name) values ('Elm')");
    await query("select portolan.share_with_owner(array['town'])");
    assert.deepEqual(await as("chief", "select from town.parks"), []);
    await query("alter table town.parks disable row level security");
  });

  it("a super user makes accounts; others may not", async () => {
    assert.equal((await as("chief", "select portolan.create_user('erik', 'x')")).length, 1);
    assert.equal((await failure(as("alice", "select portolan.create_user('frida', 'x')"))).code, "42501");
    assert.equal((await failure(as("alice", "select portolan.set_password('chief', 'x')"))).code, "42501");
    assert.equal(
      (await failure(as("alice", "select portolan.set_privilege('town.parks', 'alice', 'all')"))).code,
      "42501",
    );
    assert.equal((await failure(as("chief", "select portolan.adopt_role('x', 'postgres')"))).code, "42501");
    assert.equal((await failure(as("chief", "select password from portolan.users"))).code, "42501");
    assert.equal((await failure(as("chief", "select private_jwk from portolan.signing_keys"))).code, "42501");
    assert.equal((await failure(as("chief", "select portolan.secrets()"))).code, "42501");
  });

  it("drop_user removes the role and its grants", async () => {
    await query("select portolan.set_privilege('town.parks', 'alice', 'write')");
    await query("select portolan.drop_user('alice')");
    assert.equal((await query("select from pg_roles where rolname = 'alice@' || current_database()")).length, 0);
    assert.equal((await failure(query("select portolan.drop_user('alice')"))).code, "PX404");
    assert.equal((await failure(query("select portolan.drop_user('anonymous')"))).code, "PX400");
  });

  it("drop_user refuses an account whose role owns something, and names it", async () => {
    await query("select portolan.create_user('maker', 'x')");
    await query(`create table town.made (id int); alter table town.made owner to "maker@${database.name}"`);
    const error = await failure(query("select portolan.drop_user('maker')"));
    assert.equal(error.code, "PX409");
    assert.match(error.message, /table town\.made/);
    await query("drop table town.made");
    await query("select portolan.drop_user('maker')");
  });

  it("request_context shows a role itself and nobody else", async () => {
    await query("select portolan.create_user('gina', 'x', properties => '{\"town\": \"Oslo\"}')");
    await query(`insert into portolan.logins values ('postgres') on conflict do nothing`);
    const rows = await as("gina", "select (portolan.request_context()).*");
    assert.equal(rows.length, 1);
    assert.equal(rows[0]!["name"], "gina");
    assert.deepEqual(rows[0]!["properties"], { town: "Oslo" });
    assert.equal((await as("gina", "select from portolan.me")).length, 1);
  });

  it("after a restore into another database --repair-roles gives roles and grants again", async () => {
    await query("select portolan.set_privilege('town.parks', 'gina', 'read')");
    const { migrate } = await import("../../server/operate/migrate.ts");
    const role = `gina@${database.name}`;
    await query(`drop owned by "${role}"`);
    await query(`revoke "${role}" from gateway; drop role "${role}"`);
    await migrate({ ownerUrl: database.url, gatewayLogin: "gateway", repairRoles: true });
    assert.equal(await may("gina", "town.parks", "select"), true);
  });

  it("a new account with the name of one that is removed begins with nothing that the other had", async () => {
    await query("select portolan.create_user('nina', 'nina'), portolan.create_user('olaf', 'olaf')");
    await query("create table town.swings (id int primary key)");
    await query(`
insert into portolan.rules (username, schema, "table", access)
values ('nina', 'town', 'swings', 'allow'), ('olaf', 'town', 'swings', 'allow'), ('ni*', 'town', 'swings', 'deny')`);
    await query("insert into portolan.lockouts (key, user_name, failures) values ('x', 'nina', 11)");
    await query("insert into portolan.agents (id, account, since, last_at) values ('a', 'nina', now(), now())");
    await query("insert into portolan.jobs (kind, relation, started_by) values ('versioning', 'town.swings', 'nina')");
    await query(`select portolan.create_map('hers', shared => '{nina}')`);
    await query("select portolan.drop_user('nina')");
    await query("select portolan.create_user('nina', 'another')");

    const rules = await query("select username from portolan.rules order by username");
    assert.deepEqual(rules, [{ username: "ni*" }, { username: "olaf" }]);
    const [removed] = await query("select details from portolan.audit where event = 'rule.removed'");
    assert.equal(removed.details.before.username, "nina");
    const [left] = await query(`
select (select count(*)::int from portolan.agents) as agents, (select count(*)::int from portolan.lockouts) as lockouts,
  (select shared from portolan.maps where name = 'hers') as shared,
  (select count(*)::int from portolan.jobs where started >= portolan.made_at('nina')) as jobs`);
    assert.deepEqual(left, { agents: 0, lockouts: 0, shared: [], jobs: 0 });
  });
});
