import assert from "node:assert/strict";
import pg from "pg";
import { SERVICES } from "../../server/ground/services.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { HAS_MERGE, HAS_SECURITY_INVOKER, SECURITY_INVOKER } from "../support/postgres.ts";
import { ARE_DISTRIBUTED, letIn } from "../support/testServers.ts";
import { sessionsOf, type Sessions } from "./support.ts";

const ACCOUNTS = ["ann", "bob", "crew", "cyd", "dan", "boss"];

describe("rules", () => {
  let database: TestDatabase;
  let sessions: Sessions;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const refused = async (text: string, values: unknown[] = []): Promise<string> =>
    query(text, values).then(
      () => assert.fail("it was not refused"),
      (error: { code: string; message: string }) => {
        assert.match(error.code, /^(PX|42501|23514)/, error.message);
        return error.message;
      },
    );
  const rule = async (members: object): Promise<number> =>
    (await query("select portolan.create_rule($1) as id", [JSON.stringify({ schema: "town", ...members })]))[0].id;
  const ids = async (account: string, relation = "town.pts", asking = {}): Promise<number[]> =>
    (await sessions.as(account, `select id from ${relation} order by id`, asking)).map(({ id }) => Number(id));
  const policies = (relation: string) =>
    query("select polname from pg_policy where polrelid = $1::regclass order by 1", [relation]);
  const isOn = async (relation: string): Promise<boolean> =>
    (await query("select relrowsecurity as on from pg_class where oid = $1::regclass", [relation]))[0].on;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    sessions = await sessionsOf(database);
    await query(`
create schema town;
create table town.pts (id int primary key, kind int, owner_name text, area numeric, tags text[], geom geometry(Point, 4326));
create table town.parts (id int, kind int, primary key (id, kind)) partition by list (kind);
create table town.parts_low partition of town.parts for values in (0, 1, 2);
create table town.parts_high partition of town.parts default;
create table town.base (id int primary key, kind int);
create table town.child () inherits (town.base);`);
    for (const account of ACCOUNTS)
      await query("select portolan.create_user($1, null, superuser => $2, user_group => $3, properties => $4)", [
        account,
        account === "boss",
        { cyd: "crew", dan: "cyd" }[account] ?? null,
        account === "ann" ? { kind: 3, kinds: [1, 2], name: "o3" } : {},
      ]);
    await query("select portolan.share_with_owner('{town}')");
    for (const relation of ["pts", "parts", "parts_low", "parts_high", "base", "child"])
      for (const account of ACCOUNTS.filter((one) => one !== "boss"))
        await query("select portolan.set_privilege($1, $2, 'write')", [`town.${relation}`, account]);
  });

  beforeEach(async () => {
    await query(`
delete from portolan.rules; truncate town.pts, town.parts, town.base, town.child;
insert into town.pts select i, i, 'o' || i, i, array['t' || i], st_setsrid(st_makepoint(i, i), 4326) from generate_series(0, 4) i;
insert into town.parts select i, i from generate_series(0, 4) i;
insert into town.base values (0, 0); insert into town.child values (1, 1);`);
  });

  after(async () => {
    await sessions.close();
    await database.drop();
  });

  it("the first that matches decides, by priority and then by number; none allows", async () => {
    await rule({ username: "ann", access: "deny", priority: 2 });
    assert.deepEqual(await ids("ann"), []);
    assert.deepEqual(await ids("bob"), [0, 1, 2, 3, 4]);
    const first = await rule({ username: "*", access: "limit", filter: "id < 2", priority: 1 });
    await rule({ username: "ann", access: "allow", priority: 1 });
    assert.deepEqual(await ids("ann"), [0, 1]);
    await query("select portolan.update_rule($1, '{\"priority\": 3}')", [first]);
    assert.deepEqual(await ids("ann"), [0, 1, 2, 3, 4]);
  });

  it("a pattern of names means the accounts and groups that match it", async () => {
    await rule({ username: "a*", access: "limit", filter: "id < 2" });
    await rule({ username: "cr?w", access: "deny" });
    assert.deepEqual([await ids("ann"), (await ids("bob")).length], [[0, 1], 5]);
    assert.deepEqual([await ids("crew"), await ids("dan")], [[], []]);
  });

  it("a group's name means its members, over several levels, and nobody else", async () => {
    await rule({ username: "crew", access: "deny" });
    for (const [account, expected] of [
      ["crew", 0],
      ["cyd", 0],
      ["dan", 0],
      ["ann", 5],
    ] as const)
      assert.equal((await ids(account)).length, expected, account);
    await query("delete from portolan.rules");
    await rule({ username: "anonymous", access: "deny" });
    assert.equal((await ids("ann")).length, 5);
  });

  it("globs in schema and table, literal underscores and percent signs", async () => {
    await query(`
create table town.a_b (id int primary key); create table town.axb (id int primary key); create table town."a%b" (id int primary key);
insert into town.a_b values (1); insert into town.axb values (1); insert into town."a%b" values (1);
grant select on town.a_b, town.axb, town."a%b" to public`);
    await query(`insert into portolan.rules (schema, "table", access) values ('to?n', 'a_b', 'deny')`);
    assert.deepEqual([await ids("ann", "town.a_b"), await ids("ann", "town.axb")], [[], [1]]);
    await query(`update portolan.rules set "table" = 'a*b'`);
    assert.deepEqual([await ids("ann", "town.axb"), await ids("ann", 'town."a%b"')], [[], []]);
    await query("update portolan.rules set schema = 'town'");
    assert.deepEqual([await ids("ann", "town.axb"), await ids("ann", 'town."a%b"')], [[], []]);
    assert.equal((await ids("ann")).length, 5);
    await query(`drop table town.a_b, town.axb, town."a%b"`);
  });

  it("service and address; in SQL that somebody wrote the service is sql, whatever is set", async () => {
    await rule({ username: "ann", service: "rpc", access: "deny" });
    const forged =
      "set local portolan.service = 'ogc'; select set_config('portolan.user', 'bob', true); select id from town.pts";
    assert.deepEqual(await sessions.as("ann", forged, { service: "sql" }), []);
    assert.equal((await ids("ann")).length, 5);
    await query("delete from portolan.rules");
    await rule({ username: "ann", service: "ogc", iprange: "10.0.0.0/8", access: "limit", filter: "id = 1" });
    assert.deepEqual(await ids("ann", "town.pts", { service: "ogc", ip: "10.2.3.4" }), [1]);
    assert.deepEqual(await ids("ann", "town.pts", { service: "ogc", ip: "" }), [1], "an unknown address meets limits");
    assert.equal((await ids("ann", "town.pts", { service: "ogc", ip: "11.2.3.4" })).length, 5);
    assert.equal((await ids("ann", "town.pts", { service: "graphql", ip: "10.2.3.4" })).length, 5);
    await query("delete from portolan.rules");
    await rule({ username: "ann", iprange: "2001:db8::/32", access: "allow" });
    await rule({ username: "ann", access: "deny", priority: 1 });
    assert.equal((await ids("ann", "town.pts", { ip: "2001:db8::1" })).length, 5);
    assert.equal((await ids("ann", "town.pts", { ip: "" })).length, 0, "an unknown address meets no allow rule");
    const own = "set local portolan.ip = '2001:db8::1'; select id from town.pts";
    assert.equal((await sessions.as("ann", own, { service: "sql" })).length, 0, "nor one that SQL claims");
  });

  it("every row that is written must satisfy the filter, before and after", async () => {
    await rule({ username: "ann", access: "limit", filter: "kind = 3 or kind < 0" });
    assert.deepEqual(await ids("ann"), [3]);
    await sessions.as(
      "ann",
      "insert into town.pts (id, kind) values (10, 3); update town.pts set kind = -1 where id = 3",
    );
    assert.equal((await sessions.failure("ann", "insert into town.pts (id, kind) values (11, 4)")).code, "42501");
    assert.equal((await sessions.failure("ann", "update town.pts set kind = 4")).code, "42501");
    const upsert = "insert into town.pts (id, kind) values (4, 3) on conflict (id) do update set kind = 3";
    assert.equal((await sessions.failure("ann", upsert)).code, "42501");
    await sessions.as("ann", "update town.pts set kind = 3 where id = 4; delete from town.pts where id = 4");
    assert.equal((await query("select kind from town.pts where id = 4"))[0].kind, 4);
  });

  it("a denied read gives no rows and no error, whether rows are there or not; a denied write changes nothing", async () => {
    await rule({ username: "ann", access: "deny" });
    for (const text of ["select 1 from town.pts where id = 1", "select 1 from town.pts where id = -1"])
      assert.deepEqual(await sessions.as("ann", text), []);
    assert.equal((await sessions.failure("ann", "insert into town.pts (id) values (50)")).code, "42501");
    for (const text of ["update town.pts set kind = 9", "delete from town.pts where id = 1"])
      await sessions.as("ann", text).catch(({ code }: { code: string }) => assert.equal(code, "42501"));
    assert.deepEqual(
      (await query("select kind from town.pts order by id")).map(({ kind }) => kind),
      [0, 1, 2, 3, 4],
    );
  });

  it("a denied write is 42501 also where it meets no rows", async () => {
    await rule({ username: "ann", access: "deny" });
    for (const text of [
      "insert into town.pts (id) values (50)",
      "insert into town.pts (id) select 1 where false",
      "update town.pts set kind = 1 where false",
      "delete from town.pts where id = 1",
      "insert into town.parts values (9, 9)",
      "delete from town.parts_low",
      ...(HAS_MERGE ? ["merge into town.pts t using (values (1)) v (id) on t.id = v.id when matched then delete"] : []),
    ])
      assert.deepEqual(
        (await sessions.failure("ann", text)).message.replace(/^a rule denies (\w+) on town.*$/, "$1"),
        /delete/.test(text) ? "delete" : text.slice(0, 6),
        text,
      );
    assert.equal((await query("select count(*)::int as n from town.pts"))[0].n, 5);
    await query("update portolan.rules set request = 'delete'");
    assert.equal((await ids("ann")).length, 5);
    assert.equal((await sessions.failure("ann", "delete from town.pts where false")).code, "42501");
    assert.equal((await sessions.failure("ann", "update town.pts set kind = kind")).code, "");
  });

  it("a cascade of a foreign key is above rules, as PostgreSQL has it", async () => {
    await query(`
create table town.kids (id int, pt int references town.pts on delete cascade, primary key (pt, id))`);
    await query("insert into town.kids values (1, 1)");
    try {
      await query(`insert into portolan.rules (schema, "table", access) values ('town', 'kids', 'deny')`);
      await sessions.as("ann", "delete from town.pts where id = 1");
      assert.equal((await query("select count(*)::int as n from town.kids"))[0].n, 0);
    } finally {
      await query("drop table town.kids");
    }
  });

  it("{{key}} takes the type that PostgreSQL infers; a key that is missing selects nothing", async () => {
    await rule({
      table: "pts",
      access: "limit",
      filter: "kind = any({{kinds}}) and {{missing}} is distinct from tags",
    });
    assert.deepEqual([await ids("ann"), await ids("bob")], [[1, 2], []]);
    await query("update portolan.rules set filter = 'area <= {{kind}} and owner_name = {{name}}'");
    assert.deepEqual([await ids("ann"), await ids("bob")], [[3], []]);
  });

  it("a filter may ask for geometries, and have texts that look like code", async () => {
    await rule({ table: "pts", access: "limit", filter: "true" });
    await query(`update portolan.rules set filter = $1`, [
      `geom && st_makeenvelope(1, 1, 2, 2, 4326) and owner_name ~ '^o\\d$' and "owner_name" <> '-- it''s ; no /* comment */'`,
    ]);
    assert.deepEqual(await ids("bob"), [1, 2]);
  });

  it("columns and texts may look like what a filter may not have", async () => {
    await query(`
create table town.odd (id int primary key, "user" text, "select" text, "random" int, "current_user" int);
insert into town.odd values (1, 'a', 'SELECT', 1, 1), (2, 'b', 'x', 2, 2);
select portolan.set_privilege('town.odd', 'ann', 'read');`);
    for (const filter of [
      `"user" = 'a' and odd."user" <> 'SELECT CURRENT_USER' and "current_user" = (1)`,
      `"select" = 'SELECT' and "random" in (1, 3) and "select" <> 'random() ctid it''s'`,
      `upper("select") = upper('select') and timestamp '2026-01-01' < current_date and abs("random") = 1`,
    ]) {
      await rule({ table: "odd", access: "limit", filter });
      assert.deepEqual(await ids("ann", "town.odd"), [1], filter);
      await query("delete from portolan.rules");
    }
    await query("drop table town.odd");
  });

  it("a filter that could not hold is refused when it is written", async () => {
    await query(`
create function town.dice() returns int language sql volatile as 'select 4';
create function town.differs(int, int) returns boolean language sql volatile as 'select $1 <> $2';
create operator town.<~> (leftarg = int, rightarg = int, function = town.differs);`);
    for (const [filter, message] of [
      ["nocol = 3", /column "nocol" does not exist/],
      ["kind = 3) or (true", /syntax error/],
      ["kind = 3 then true when true", /syntax error/],
      ["true); drop table town.pts; select (true", /one expression/],
      ["true then true end); drop table town.pts; create policy q on town.pts using (case when true", /one expression/],
      ["kind = 3 --", /one expression/],
      ["kind /* = 3", /one expression/],
      ["owner_name = $$x$$", /one expression/],
      ["owner_name = E'a\\'' or true or owner_name = ''", /quote right after a letter/],
      ["owner_name = 'a", /quote that is not closed/],
      ["kind", /must be type boolean/],
      ["kind = ", /syntax error/],
      ["", /empty/],
      [" \n", /empty/],
      ["exists (select from portolan.users)", /subquery/],
      ["kind = (select 1)", /subquery/],
      ["kind in (select id from town.base)", /subquery/],
      ["kind in (values (1), (2))", /subquery/],
      ["exists (table town.base)", /subquery/],
      ["count(*) > 1", /aggregate/],
      ["row_number() over () = 1", /window/],
      ["generate_series(1, 2) = 1", /set/],
      ["random() > 0.5", /random\(\), which is volatile/],
      ["clock_timestamp() > now()", /volatile/],
      ["kind > abs(round(random() * 10))", /random\(\), which is volatile/],
      ["town.dice() > 3", /town\.dice\(\), which is volatile/],
      ["kind operator(town.<~>) 3", /town\.differs\(integer,integer\), which is volatile/],
      ["owner_name = '{{name}}'", /inside quotes/],
      ["owner_name = {{na me}}", /not a \{\{key\}\}/],
      ["owner_name = current_user", /reads the role/],
      ["owner_name = session_user", /reads the role/],
      [`owner_name = pg_catalog."current_user"()`, /reads the role/],
      ["coalesce(owner_name, lower(user)) = 'a'", /reads the role/],
      ["owner_name = current_setting('portolan.user')", /setting, which SQL can change/],
      ["tableoid = 3", /system column/],
      [`pts."xmin" is not null`, /system column/],
      ["st_intersects(geom, town.base)", /./],
    ] as const)
      assert.match(
        await refused("select portolan.create_rule($1)", [{ schema: "town", table: "pts", access: "limit", filter }]),
        message,
      );
    assert.deepEqual(await query("select * from portolan.rules"), []);
    assert.deepEqual(await policies("town.pts"), []);
    assert.deepEqual(await query("select name from pg_prepared_statements"), []);
  });

  it("so is one with a {{key}} whose type PostgreSQL cannot tell", async () => {
    assert.match(
      await refused("select portolan.create_rule($1)", [
        { schema: "town", table: "pts", access: "limit", filter: "{{x}} is null" },
      ]),
      /could not determine data type/,
    );
  });

  it("so is whatever could not be a rule, by SQL and by function", async () => {
    await query("create table town.estate (id int); create table town.heir () inherits (town.estate)");
    for (const [members, message] of [
      [{}, /access must be/],
      [{ access: "maybe" }, /access must be/],
      [{ access: "limit" }, /needs a filter/],
      [{ access: "deny", filter: "true" }, /only access limit takes a filter/],
      [{ access: "deny", service: "wfs" }, new RegExp(`service must be ${SERVICES.join(", ")} or \\*$`)],
      [{ access: "deny", request: "truncate" }, /request must be/],
      [{ access: "deny", iprange: "10.0.0.300" }, /iprange must be/],
      [{ access: "deny", iprange: "'; drop" }, /iprange must be/],
      [{ access: "deny", username: "boss" }, /super users/],
      [{ access: "deny", username: "a b" }, /username must be/],
      [{ access: "deny", username: null }, /only filter/],
      [{ access: "deny", schema: "portolan" }, /not for schema/],
      [{ access: "deny", schema: "pg_catalog" }, /not for schema/],
      [{ access: "deny", table: "parts_low" }, /town\.parts_low is a partition.*town\.parts /],
      [{ access: "deny", table: "heir" }, /town\.heir is a child by INHERITS.*town\.estate too/],
      [{ access: "deny", prio: 1 }, /a rule has no "prio"/],
      [{ access: "deny", priority: "high" }, /wrong type/],
      [{ access: "deny", id: 0 }, /positive/],
      [[], /JSON object/],
    ] as const)
      assert.match(
        await refused("select portolan.create_rule($1)", [
          JSON.stringify(Array.isArray(members) ? members : { schema: "town", ...members }),
        ]),
        message,
      );
    assert.match(await refused("select portolan.drop_rule(999)"), /no rule 999/);
    assert.match(await refused("select portolan.update_rule(999, '{}')"), /no rule 999/);
    assert.match(await refused("insert into portolan.rules (access, schema) values ('maybe', 'town')"), /rules_access/);
    assert.match(await refused("insert into portolan.rules (access, iprange) values ('deny', 'x')"), /iprange must be/);
  });

  it("a name that is nothing's is refused; a glob may match nothing yet, with a notice", async () => {
    await query("create schema attic; create view attic.only_view as select * from town.pts");
    const notices: string[] = [];
    database.client.on("notice", ({ message }) => notices.push(message ?? ""));
    try {
      for (const [members, message] of [
        [{ table: "ptss" }, /there is no table "ptss" in schema "town"/],
        [{ schema: "twon" }, /there is no schema "twon"/],
        [{ username: "anne" }, /there is no account "anne"/],
        [
          { schema: "*", table: "only_view" },
          /attic\.only_view is a view: .*(alter view attic\.only_view set|revoke select on attic\.only_view)/,
        ],
      ] as const) {
        const text = JSON.stringify({ schema: "town", access: "deny", ...members });
        assert.match(await refused("select portolan.create_rule($1)", [text]), message);
      }
      assert.deepEqual(await query("select from portolan.rules"), []);
      const number = await rule({ table: "lat*", username: "x*", access: "deny" });
      assert.deepEqual(notices, ['no account matches "x*" yet', "no table matches town.lat* yet"]);
      assert.match(await refused(`select portolan.update_rule(${number}, '{"table": "later"}')`), /no table "later"/);
      await query("create table town.later (id int)");
      await query(`select portolan.update_rule(${number}, '{"table": "later"}')`);
      await query("drop table town.later");
      await query(`select portolan.update_rule(${number}, '{"priority": 3}')`);
    } finally {
      await query("delete from portolan.rules; drop schema attic cascade");
    }
  });

  it("views, materialized and foreign tables are refused, with what mends it; a glob skips them", async () => {
    await query(`
create view town.v as select * from town.pts; create view town.vi ${SECURITY_INVOKER} as select * from town.pts;
create materialized view town.mv as select * from town.v;
grant select on town.v, town.vi, town.mv to public`);
    await query("create foreign data wrapper fake; create server fake foreign data wrapper fake");
    await query("create foreign table town.f (id int) server fake");
    try {
      for (const [table, message] of [
        [
          "v",
          HAS_SECURITY_INVOKER
            ? /town\.v is a view: write the rule for town\.pts and run: alter view town\.v set \(security_invoker = true\);/
            : /town\.v is a view: write the rule for town\.pts and run: revoke select on town\.v from …;/,
        ],
        [
          "vi",
          HAS_SECURITY_INVOKER
            ? /town\.vi is a view, which obeys the rules of its tables: write the rule for town\.pts$/
            : /town\.vi is a view: write the rule for town\.pts and run: revoke/,
        ],
        ["mv", /town\.mv, which is a materialized view.*revoke select on town\.mv.*town\.pts/],
        ["f", /town\.f, which is a foreign table.*revoke all on town\.f/],
      ] as const)
        assert.match(
          await refused(`insert into portolan.rules (schema, "table", access) values ('town', $1, 'deny')`, [table]),
          message,
        );
      await rule({ access: "deny" });
      assert.equal((await ids("ann", "town.vi")).length, HAS_SECURITY_INVOKER ? 0 : 5, "security_invoker obeys");
      const findings = await query("select finding from portolan.access_findings() order by 1");
      assert.deepEqual(
        findings.map(({ finding }) => /^(\S+) (shows|is a foreign)/.exec(finding)?.[1]).filter(Boolean),
        ["town.f", "town.mv", "town.v", ...(HAS_SECURITY_INVOKER ? [] : ["town.vi"])].filter(
          (name) => name !== "town.f" || findings.some((row) => /town\.f/.test(row.finding)),
        ),
      );
    } finally {
      await query(
        "delete from portolan.rules; drop foreign data wrapper fake cascade; drop view town.v, town.vi cascade",
      );
    }
  });

  it("a table is as it was when the last rule goes", async () => {
    const before = [await isOn("town.pts"), await policies("town.pts")];
    const number = await rule({ access: "deny" });
    assert.equal(await isOn("town.pts"), true);
    await query("select portolan.drop_rule($1)", [number]);
    assert.deepEqual([await isOn("town.pts"), await policies("town.pts")], before);
    assert.deepEqual(await query("select * from portolan.row_security"), []);
    assert.deepEqual(
      await query("select tgname from pg_trigger where tgrelid = 'town.pts'::regclass and not tgisinternal"),
      [],
    );
    await rule({ access: "deny" });
    await query("truncate portolan.rules");
    assert.equal(await isOn("town.pts"), false);
  });

  it("a team's own policies stay as they are, and are never loosened by ours", async () => {
    await query(`
create table town.own (id int primary key, kind int); insert into town.own select i, i from generate_series(0, 4) i;
grant select on town.own to public;
alter table town.own enable row level security; create policy theirs on town.own using (id > 1);`);
    try {
      const number = await rule({ username: "ann", access: "limit", filter: "id < 4" });
      assert.deepEqual(await ids("ann", "town.own"), [2, 3]);
      assert.deepEqual(await ids("bob", "town.own"), [2, 3, 4]);
      await query("select portolan.drop_rule($1)", [number]);
      assert.equal(await isOn("town.own"), true);
      assert.deepEqual(await policies("town.own"), [{ polname: "theirs" }]);
      // and one that had none, until they came
      await query("drop policy theirs on town.own; alter table town.own disable row level security");
      await rule({ username: "ann", access: "limit", filter: "id < 4" });
      assert.equal((await ids("bob", "town.own")).length, 5);
      await query("create policy later on town.own using (id = 4)");
      assert.deepEqual([await ids("ann", "town.own"), await ids("bob", "town.own")], [[], [4]]);
      await query("delete from portolan.rules");
      assert.equal(await isOn("town.own"), true);
      assert.deepEqual(await ids("bob", "town.own"), [4]);
    } finally {
      await query("drop table town.own");
    }
  });

  it("policies that sleep are not woken", async () => {
    await query("create table town.sleepy (id int); create policy asleep on town.sleepy as restrictive using (false)");
    assert.match(
      await refused(`insert into portolan.rules (schema, "table", access) values ('town', 'sleepy', 'deny')`),
      /alter table town\.sleepy enable row level security;/,
    );
    await query("drop table town.sleepy");
  });

  it("partitions and children are covered when they are addressed by themselves, also new and attached ones", async () => {
    await query(
      `insert into portolan.rules (username, schema, "table", access, filter) values ('ann', 'town', 'parts', 'limit', 'kind = 3')`,
    );
    await query(
      `insert into portolan.rules (username, schema, "table", access) values ('ann', 'town', 'base', 'deny')`,
    );
    assert.deepEqual(
      [await ids("ann", "town.parts"), await ids("ann", "town.parts_low"), await ids("ann", "town.parts_high")],
      [[3], [], [3]],
    );
    assert.deepEqual(
      [await ids("ann", "town.base"), await ids("ann", "town.child"), await ids("bob", "town.base")],
      [[], [], [0, 1]],
    );
    await query(`
create table town.parts_new (id int, kind int, primary key (id, kind)); insert into town.parts_new values (50, 50); grant select on town.parts_new to public`);
    assert.deepEqual(await ids("ann", "town.parts_new"), [50]);
    await query("alter table town.parts attach partition town.parts_new for values in (50)");
    assert.deepEqual(await ids("ann", "town.parts_new"), []);
    await query("alter table town.parts detach partition town.parts_new");
    assert.deepEqual(await ids("ann", "town.parts_new"), [50]);
    assert.equal(await isOn("town.parts_new"), false);
    await query("drop table town.parts_new");
  });

  it("a new table has its rules before anybody can see it; one that lacks the filter's column shows nothing", async () => {
    await rule({ username: "*", access: "limit", filter: "kind = 1", table: "p*" });
    await query(
      "create table town.places (id int, kind int); insert into town.places values (1, 1), (2, 2); grant select on town.places to public",
    );
    assert.deepEqual(await ids("ann", "town.places"), [1]);
    await query(
      "create table town.people (id int); insert into town.people values (1); grant select on town.people to public",
    );
    assert.deepEqual(await ids("ann", "town.people"), []);
    assert.match(
      (await query("select problem from portolan.row_security where problem is not null"))[0].problem,
      /rule \d+: .*town\.people: column "kind"/,
    );
    assert.equal((await sessions.as("ann", "select portolan.access('town.people') as may"))[0]?.["may"], "limit");
    await query("alter table town.people add kind int default 1");
    assert.deepEqual(await ids("ann", "town.people"), [1]);
    await query("create table town.pets as select 1 as id, 1 as kind; grant select on town.pets to public");
    assert.deepEqual(await ids("ann", "town.pets"), [1]);
    await query("drop table town.people, town.places, town.pets");
  });

  it("what somebody takes away comes back: a policy, row level security", async () => {
    await rule({ access: "deny" });
    await query("drop policy portolan_rules_select on town.pts");
    assert.deepEqual(await ids("ann"), []);
    await query("alter table town.pts disable row level security");
    assert.deepEqual(await ids("ann"), []);
    await query("alter policy portolan_rules_select on town.pts using (true)");
    assert.deepEqual(await ids("ann"), []);
  });

  it("where no event trigger may be, portolan.follow_ddl does it, and set_privilege before it grants", async () => {
    await query("alter event trigger portolan_follow_ddl disable");
    try {
      await rule({ access: "deny" });
      await query("create table town.late (id int); insert into town.late values (1)");
      assert.match(
        (await query("select finding from portolan.access_findings() where kind = 'event trigger'"))[0].finding,
        /within a second/,
      );
      await query("select portolan.set_privilege('town.late', 'ann', 'read')");
      assert.deepEqual(await ids("ann", "town.late"), []);
      await query("create table town.later (id int); insert into town.later values (1)");
      await query("select portolan.set_authentication('town.later', 'None')");
      assert.deepEqual(await ids("ann", "town.later"), []);
      await query(
        "create table town.last (id int); insert into town.last values (1); grant select on town.last to public",
      );
      assert.equal((await sessions.as("ann", "select portolan.access('town.last') as may"))[0]?.["may"], "allow");
      assert.deepEqual(await query("select * from portolan.follow_ddl()"), []);
      assert.deepEqual(await ids("ann", "town.last"), []);
      await query("drop table town.late, town.later, town.last");
    } finally {
      await query("alter event trigger portolan_follow_ddl enable");
    }
  });

  it("super users and owners are above them; a role that is no account gets nothing of a table with rules", async () => {
    await query(`
do $$ begin create role stranger login password 'stranger'; exception when duplicate_object then null; end $$;
grant usage on schema town to stranger; grant select, insert on town.pts to stranger`);
    if (ARE_DISTRIBUTED) await letIn(query, "stranger");
    const stranger = async () => {
      await database.client.query("set session authorization stranger");
      return (
        await query("select id from town.pts").finally(() => database.client.query("reset session authorization"))
      ).length;
    };
    assert.equal(await stranger(), 5);
    await rule({ username: "ann", access: "allow" });
    assert.equal(await stranger(), 0);
    await query("delete from portolan.rules");
    await rule({ access: "deny" });
    assert.equal((await ids("boss")).length, 5);
    assert.equal((await query("select id from town.pts")).length, 5);
    await query("revoke all on town.pts from stranger; revoke usage on schema town from stranger");
  });

  it("no account sheds a rule by becoming one of its groups", async () => {
    await rule({ username: "cyd", access: "deny" });
    const own = { service: "sql" };
    assert.equal((await ids("crew", "town.pts", own)).length, 5);
    assert.deepEqual(await sessions.as("cyd", `set role "crew@${database.name}"; select id from town.pts`, own), []);
    const inside = `select query_to_xml('select id from town.pts', true, true, '')::text as x from (select set_config('role', 'crew@${database.name}', true)) s`;
    assert.doesNotMatch(String((await sessions.as("cyd", inside, own))[0]?.["x"]), /<id>/);
  });

  it("no account sheds a rule by an operator of its own, and none sees the rules for others", async () => {
    await rule({ username: "bob", access: "deny" });
    const own = { service: "sql" };
    await query(`create schema planted; grant usage, create on schema planted to public`);
    await query(`create function planted.no("char", "char") returns boolean language sql immutable as 'select false';
      create operator planted.= (leftarg = "char", rightarg = "char", function = planted.no)`);
    assert.deepEqual(
      await sessions.as("bob", "set local search_path = planted, pg_catalog; select id from town.pts", own),
      [],
    );
    await query("drop schema planted cascade");
    assert.equal(
      (await sessions.failure("bob", "set local row_security = off; select id from town.pts", own)).code,
      "42501",
    );
    assert.equal((await sessions.failure("bob", "select * from portolan.rules", own)).code, "42501");
    assert.equal((await sessions.failure("bob", "select * from portolan.rule_map", own)).code, "42501");
    assert.deepEqual(
      await sessions.as("ann", "select distinct relation::text from portolan.my_rules", own),
      [],
      "nobody sees the rules for others",
    );
  });

  it("a column of a filter cannot go or change its type; the error names the rule; a renamed one is followed", async () => {
    const number = await rule({ table: "pts", access: "limit", filter: "kind > 1" });
    for (const text of ["alter table town.pts drop column kind", "alter table town.pts alter column kind type bigint"])
      await assert.rejects(query(text), ({ detail }: { detail: string }) => {
        assert.match(detail, new RegExp(`portolan_rules_${number}_`));
        return true;
      });
    await query("alter table town.pts rename column kind to sort");
    assert.deepEqual(await ids("ann"), [2, 3, 4]);
    await query("alter table town.pts rename column sort to kind");
  });

  it("each statement sees the old rule or the new one, never none", async () => {
    await query(
      "create table town.busy (id int); insert into town.busy select i from generate_series(1, 10) i; grant select, insert on town.busy to public",
    );
    const number = await rule({ table: "busy", access: "limit", filter: "id <= 2" });
    const clients = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        await client.query(`set session authorization "ann@${database.name}"`);
        return client;
      }),
    );
    let done = false;
    const seen = new Set<string>();
    const reading = clients.map(async (client) => {
      while (!done) {
        const { rows } = await client.query("select string_agg(id::text, ',' order by id) as ids from town.busy");
        seen.add(rows[0].ids);
      }
    });
    for (let i = 0; i < 25; i++) {
      await query("select portolan.update_rule($1, $2)", [number, { filter: i % 2 ? "id <= 2" : "id > 8" }]);
      await rule({ table: "pts", access: "deny", username: "bob" });
    }
    done = true;
    await Promise.all(reading);
    await Promise.all(clients.map((client) => client.end()));
    assert.deepEqual([...seen].sort(), ["1,2", "9,10"]);
    await query("delete from portolan.rules; drop table town.busy");
  });

  it("two that write rules at the same time, and one that makes a table, end with both rules on all tables", async () => {
    const clients = await Promise.all(
      [1, 2, 3].map(async () => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        return client;
      }),
    );
    await Promise.all([
      clients[0]?.query(`select portolan.create_rule('{"schema": "town", "username": "ann", "access": "deny"}')`),
      clients[1]?.query(
        "begin; create table town.race (id int); insert into town.race values (1); grant select on town.race to public; select pg_sleep(0.2); commit",
      ),
      clients[2]?.query(`select portolan.create_rule('{"schema": "town", "username": "bob", "access": "deny"}')`),
    ]);
    await Promise.all(clients.map((client) => client?.end()));
    for (const account of ["ann", "bob"]) assert.deepEqual(await ids(account, "town.race"), [], account);
    assert.equal((await ids("dan", "town.race")).length, 1);
    await query("drop table town.race");
  });

  it("a table that somebody holds is an error, and nothing of the rule stays", async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query("begin; lock table town.pts in access share mode");
      await assert.rejects(
        query(`select portolan.create_rule('{"schema": "town", "access": "deny"}')`),
        ({ code, message }: { code: string; message: string }) => {
          assert.deepEqual([code, message], ["55P03", "town.pts is in use: try again"]);
          return true;
        },
      );
    } finally {
      await other.end();
    }
    assert.deepEqual(await query("select * from portolan.rules"), []);
    assert.deepEqual(await query("select * from portolan.rule_map"), []);
  });

  it("explain_access tells what applies and why", async () => {
    await rule({ username: "crew", access: "limit", filter: "kind = 1", table: "pts" });
    await rule({ username: "bob", access: "deny", table: "pts" });
    const rows = await query("select * from portolan.explain_access('cyd', 'town.pts')");
    const of = (subject: string) =>
      rows.filter((row) => row.subject === subject).map(({ applies, meaning }) => `${applies}: ${meaning}`);
    assert.deepEqual(of("account"), [`yes: acts as the role cyd@${database.name}, member of crew`]);
    assert.match(
      of("rule")[0] ?? "",
      /^yes: limits select, insert, update, delete for crew, priority 0 where kind = 1$/,
    );
    assert.match(of("rule")[1] ?? "", /^no: denies .* for bob.*it is for others$/);
    assert.match(of("grant").join("\n"), /yes: through crew@\S+, cyd@|yes: through cyd@/);
    assert.match(await refused("select * from portolan.explain_access('nobody', 'town.pts')"), /no account "nobody"/);
  });

  it("explain_access tells for which service and which addresses a rule is", async () => {
    await rule({ username: "dan", service: "ogc", iprange: "10.0.0.0/8", access: "deny", table: "pts" });
    const rows = await query("select applies from portolan.explain_access('dan', 'town.pts') where subject = 'rule'");
    assert.equal(rows[0].applies, "when the service is ogc and the address is in 10.0.0.0/8");
  });

  it("an account whose role is gone does not stop the others", async () => {
    await query("select portolan.create_user('gone', null)");
    await query(`drop owned by "gone@${database.name}"; drop role "gone@${database.name}"`);
    await rule({ username: "gone", access: "deny" });
    assert.equal((await ids("ann")).length, 5);
    await query("delete from portolan.users where name = 'gone'");
  });
});
