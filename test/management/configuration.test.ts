import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "../support/commands.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

const SET = `
select portolan.create_user('crew', null), portolan.create_user('ann', 'secret-of-ann', 'ann@example.org', 'crew', '{"zone": [1, 2]}');
select portolan.create_user('amy', null, user_group => 'crew, ann'), portolan.create_user('abe', null, user_group => 'amy');
select portolan.update_user('abe', '{"default_user": true}');
select portolan.set_privilege('world.cities', 'ann', 'write'), portolan.set_authentication('world.cities', 'None'),
  portolan.set_style('world.cities', '[{"name": "City", "styles": [{"symbol": "circle", "size": 7}]}]'),
  portolan.enable_versioning('world.areas'), portolan.enable_events('world.areas'), portolan.enable_workflow('world.routes'),
  portolan.set_workflow_role('world.routes', 'ann', 'author'), portolan.create_rule('{"username": "ann", "table": "cities", "access": "limit", "filter": "id < 100"}'),
  portolan.create_client('app', 'App', '{https://app.example.org/}');
select portolan.create_method('cities_of', 'select name from world.cities where id = :id', description => 'it''s "one"');`;

describe("configuration as files", () => {
  let gateway: TestGateway;
  let empty: TestDatabase;
  let captain: Requests;
  let folder: string;

  before(async () => {
    gateway = await testGateway({ prepare: ({ client }) => client.query(SET) });
    empty = await testDatabase({ kind: "demo" });
    captain = await requestsAs(gateway, "captain");
    folder = mkdtempSync(join(tmpdir(), "portolan-configuration-"));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await gateway.close();
    await empty.drop();
  });

  function run(database: TestDatabase, ...args: string[]) {
    return command(args, { env: { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url } });
  }
  function file(text: string): string {
    const path = join(folder, "one.yml");
    writeFileSync(path, text);
    return path;
  }

  it("is exported without secrets, the same each time, and applied to another database", () => {
    const out = join(folder, "out");
    assert.equal(run(gateway.database, "export", "--out", out).status, 0);
    const files = readdirSync(out);
    assert.deepEqual(files, [
      "accounts.yaml",
      "clients.yaml",
      "dashboards.yaml",
      "maps.yaml",
      "methods.yaml",
      "queries.yaml",
      "rasters.yaml",
      "rules.yaml",
      "tables.yaml",
      "views.yaml",
    ]);
    const text = files.map((name) => readFileSync(join(out, name), "utf8")).join("\n");
    assert.doesNotMatch(text, /secret-of-ann|argon2|secret_hash|password:/);
    assert.equal(run(gateway.database, "export", "--out", `${out}2`).status, 0);
    assert.equal(text, files.map((name) => readFileSync(join(`${out}2`, name), "utf8")).join("\n"));
    assert.equal(run(gateway.database, "diff", out).status, 0);

    const diff = run(empty, "diff", out);
    assert.equal(diff.status, 1, diff.stderr);
    for (const line of [
      "+ accounts ann",
      "+ privileges world.cities ann",
      "+ tables world.areas versioning",
      "+ methods cities_of",
    ])
      assert.ok(diff.stdout.includes(`${line}\n`), diff.stdout);
    const tried = run(empty, "apply", out);
    assert.equal(tried.status, 0, tried.stderr);
    assert.match(tried.stdout, /changes were tried and rolled back/);
    assert.equal(run(empty, "diff", out).stdout, diff.stdout);
    assert.equal(run(empty, "apply", out, "--no-dry").status, 0);
    assert.equal(run(empty, "diff", out, "--prune").stdout, "");
    assert.equal(run(empty, "export").stdout, run(gateway.database, "export").stdout);
  });

  it("unnamed objects stay, and are removed with --prune", async () => {
    const document = file("accounts:\n  ann:\n    email: new@example.org\nrules: {}\n");
    assert.equal(
      run(empty, "diff", document).stdout,
      '~ accounts ann\n    email: "ann@example.org" → "new@example.org"\n',
    );
    assert.match(run(empty, "apply", document).stdout, /\n1 change was tried and rolled back: --no-dry keeps it\n$/);
    const rules = file("rules: {}\n");
    assert.equal(run(empty, "diff", rules).stdout, "");
    assert.equal(run(empty, "apply", rules, "--no-dry", "--prune").status, 0);
    assert.deepEqual((await empty.client.query("select from portolan.rules")).rows, []);
  });

  for (const [what, text, message] of [
    ["an unknown member", "accounts:\n  ann:\n    colour: red\n", /accounts: ann: .*colour/],
    ["an unknown part", "acounts: {}\n", /acounts/],
    ["no YAML", "accounts: [\n", /one\.yml/],
    ["a name twice", "accounts:\n  ann: {}\n  ann: {}\n", /duplicated/i],
    [
      "an account that is gone",
      "tables:\n  world.cities:\n    privileges:\n      gone: read\n",
      /privileges: world\.cities: gone: .*gone/,
    ],
    [
      "a table that is gone",
      "tables:\n  world.atlantis:\n    events: true\n",
      /world\.atlantis: events: there is no such table/,
    ],
    ["a group that is nobody", "accounts:\n  new:\n    user_group: nobody\n", /accounts: new: .*nobody/],
    ["a contradiction", 'rules:\n  7:\n    access: deny\n    filter: "id = 1"\n', /only access limit takes a filter/],
    ["a rule without a number", "rules:\n  x:\n    access: deny\n", /name a rule by its number/],
    [
      "a rule of an account that is gone",
      "rules:\n  5: {access: deny, username: ann, table: x*}\n  9: {access: deny, username: gone}\n",
      /: rules: 9: there is no account "gone"/,
    ],
    [
      "a rule whose filter does not fit",
      'rules:\n  5: {access: limit, username: ann, schema: world, table: cities, filter: "nope = 1"}\n  9: {access: deny, username: ann, table: x*}\n',
      /: rules: 5: the filter does not fit world\.cities: .*nope/,
    ],
    [
      "a method that cannot be read",
      'methods:\n  m: {q: "selec 1"}\n',
      /methods: m: q: syntax error at or near "selec"/,
    ],
    [
      "a method with a name that none can have",
      'methods:\n  "rpc.x": {q: "select 1"}\n',
      /methods: rpc\.x: must not start with rpc\./,
    ],
    ["an account with a name that none can have", 'accounts:\n  "a@b": {}\n', /accounts: a@b: .*a-z/],
    ["no name of a table", 'tables:\n  "; drop table x":\n    events: true\n', /drop table x/],
  ] as const)
    it(`${what} is refused with its place, and nothing is changed`, async () => {
      const configuration = async () => (await empty.client.query("select portolan.configuration()")).rows;
      const before = await configuration();
      const { status, stderr } = run(empty, "apply", file(`${text}clients: {}\n`), "--no-dry");
      assert.equal(status, 1);
      assert.match(stderr, message);
      assert.deepEqual(await configuration(), before);
    });

  it("a missing file is reported", () => {
    assert.match(run(empty, "diff", "/nowhere.yaml").stderr, /^portolan: \/nowhere\.yaml cannot be read: ENOENT/);
  });

  it("REST gives it, tries it, and applies it, for super users", async () => {
    const { body } = await captain("get", "/configuration").expect(200);
    assert.equal(body.accounts.ann.user_group, "crew");
    assert.deepEqual((await captain("post", "/configuration?prune=true&dry=false", body).expect(200)).body, []);
    const wanted = { tables: { "world.cities": { privileges: { ann: "read" } } } };
    const change = {
      kind: "privileges",
      name: "world.cities",
      member: "ann",
      action: "change",
      before: "write",
      after: "read",
    };
    assert.deepEqual((await captain("post", "/configuration", wanted).expect(200)).body, [change]);
    assert.deepEqual((await captain("post", "/configuration?dry=false", wanted).expect(200)).body, [change]);
    assert.deepEqual((await captain("post", "/configuration", wanted).expect(200)).body, []);
    const guest = await requestsAs(gateway, "guest");
    problemOf(await guest("get", "/configuration"), 403);
    problemOf(await guest("post", "/configuration", {}), 403);
    problemOf(await captain("post", "/configuration", { tables: { "world.cities": { speed: 1 } } }), 400);
    problemOf(await captain("post", "/configuration", { methods: { m: { q: "selec 1" } } }), 400);
    problemOf(await captain("post", "/configuration?dry=maybe", {}), 400);
    problemOf(await captain("post", "/configuration?all=1", {}), 400);
    problemOf(await captain("post", "/configuration", { accounts: { eve: { role: "postgres" } } }), 403);
  });

  it("10,000 rules are compared within the limit", async () => {
    const { client } = gateway.database;
    const rules = Array.from(
      { length: 10_000 },
      (_, n) => `  ${n + 1}: {access: deny, username: ann, table: "t${n}*"}`,
    );
    const path = file(`rules:\n${rules.join("\n")}\n`);
    const differences = (): Map<string, number> => {
      const began = performance.now();
      const { stdout, stderr } = run(gateway.database, "diff", path);
      const ms = performance.now() - began;
      assert.ok(ms < 8000, `${ms} ms`); // 1.3 s on an idle machine
      assert.equal(stderr, "");
      const counts = new Map<string, number>();
      for (const [sign] of stdout.matchAll(/^[+~] rules/gm)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
      return counts;
    };
    const { rows } = await client.query("select count(*)::int as n from portolan.rules");
    assert.deepEqual(Object.fromEntries(differences()), { "+ rules": 10_000 - rows[0].n, "~ rules": rows[0].n });
    await client.query("begin");
    await client.query("alter table portolan.rules disable trigger user"); // their meaning does not matter here
    await client.query("delete from portolan.rules");
    await client.query(
      "insert into portolan.rules (id, username, \"table\", access) select n, 'ann', 't' || n || '*', 'allow' from generate_series(1, 10000) n",
    );
    await client.query("alter table portolan.rules enable trigger user");
    await client.query("commit");
    assert.deepEqual(Object.fromEntries(differences()), { "~ rules": 10_000 });
  });

  it("a command has no time limit", async () => {
    await empty.client.query(`
create function tell() returns trigger language plpgsql as $$ begin raise '%', current_setting('statement_timeout'); end $$;
create trigger tell before insert on portolan.rules execute function tell()`);
    const { stderr } = run(empty, "apply", file("rules:\n  1: {access: deny, username: ann}\n"));
    assert.match(stderr, /^portolan: rules: 1: 1h$/m);
    await empty.client.query("drop function tell cascade");
  });
});
