import assert from "node:assert/strict";
import { problemOf, requestsAs } from "../management/requests.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testHub, until } from "../support/events.ts";
import { testGateway } from "../support/gateway.ts";
import { sessionsOf, type Sessions } from "./support.ts";

/** What each account is in the workflow; `ada` and `abe` are authors, `rea` reviews as a member of the group `desk`. */
const ACCOUNTS = ["ada", "abe", "desk", "rea", "pia", "joe", "boss"];

describe("workflow", () => {
  let database: TestDatabase;
  let sessions: Sessions;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const failure = (text: string, values: unknown[] = []): Promise<{ code: string; message: string }> =>
    query(text, values).then(
      () => assert.fail("it did not fail"),
      (error: { code: string; message: string }) => error,
    );
  const ids = async (account: string, relation = "town.docs") =>
    (await sessions.as(account, `select id from ${relation} order by id`)).map(({ id }) => id);
  const row = async (id: number) =>
    (
      await query("select portolan_status as status, portolan_workflow as workflow from town.docs where id = $1", [id])
    )[0];
  const refusal = async (account: string, text: string): Promise<string> => {
    const { code, message } = await sessions.failure(account, text);
    assert.equal(code, "42501", message);
    return message;
  };
  const enable = async (relation: string): Promise<void> => {
    for (const [account, role] of [
      ["ada", "author"],
      ["abe", "author"],
      ["desk", "reviewer"],
      ["pia", "publisher"],
    ])
      await query("select portolan.set_workflow_role($1, $2, $3)", [relation, account, role]);
    for (const account of ACCOUNTS.filter((one) => one !== "boss"))
      await query("select portolan.set_privilege($1, $2, 'write')", [relation, account]);
    await query("select portolan.enable_workflow($1)", [relation]);
  };

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    sessions = await sessionsOf(database);
    await query("create schema town; create table town.docs (id int primary key, t text)");
    for (const account of ACCOUNTS)
      await query("select portolan.create_user($1, null, superuser => $2, user_group => $3)", [
        account,
        account === "boss",
        account === "rea" ? "desk" : null,
      ]);
    await query("insert into town.docs values (1, 'old'), (2, 'old')");
    await query("select portolan.share_with_owner('{town}')");
    await enable("town.docs");
  });

  afterEach(() =>
    query(
      "delete from portolan.rules; delete from town.docs where id > 2; update town.docs set t = 'old', portolan_status = -3; delete from portolan.audit where event ~ '^workflow'",
    ),
  );

  after(async () => {
    await sessions.close();
    await database.drop();
  });

  it("rows that were there are published; each writer's row stands where the writer does, whatever it says", async () => {
    assert.deepEqual(await row(1), { status: 3, workflow: null });
    for (const [account, id, status, role] of [
      ["ada", 10, 1, "author"],
      ["rea", 11, 2, "reviewer"],
      ["pia", 12, 3, "publisher"],
      ["boss", 13, 3, "publisher"],
    ] as const) {
      await sessions.as(account, `insert into town.docs values (${id}, 'new', 3, '{"publisher": "forged"}')`);
      assert.deepEqual(await row(id), { status, workflow: { [role]: account } }, account);
    }
    assert.equal(
      await refusal("joe", "insert into town.docs values (14, 'no')"),
      "insert of a row needs the role author or reviewer or publisher",
    );
  });

  it("readers see what is published, authors their own drafts too, reviewers and publishers all", async () => {
    await sessions.as("ada", "insert into town.docs values (10, 'ada')");
    await sessions.as("abe", "insert into town.docs values (11, 'abe')");
    await sessions.as("desk", "insert into town.docs values (12, 'desk')");
    assert.deepEqual(await Promise.resolve().then(() => ids("joe")), [1, 2]);
    for (const [account, expected] of [
      ["ada", [1, 2, 10]],
      ["abe", [1, 2, 11]],
      ["rea", [1, 2, 10, 11, 12]],
      ["pia", [1, 2, 10, 11, 12]],
      ["boss", [1, 2, 10, 11, 12]],
    ] as const)
      assert.deepEqual(await ids(account), expected, account);
  });

  it("goes from author over reviewer to publisher, and each keeps its name in it", async () => {
    await sessions.as("ada", "insert into town.docs values (10, 'draft'); update town.docs set t = 'd2' where id = 10");
    await sessions.as("rea", "update town.docs set t = 'reviewed' where id = 10");
    assert.deepEqual(await row(10), { status: 2, workflow: { author: "ada", reviewer: "rea" } });
    assert.equal(
      await refusal("ada", "update town.docs set t = 'd3' where id = 10"),
      "update of a row that is reviewed needs the role reviewer or publisher",
    );
    await sessions.as("pia", "update town.docs set t = 'published' where id = 10");
    assert.deepEqual(await row(10), { status: 3, workflow: { author: "ada", reviewer: "rea", publisher: "pia" } });
    for (const account of ["ada", "rea", "joe"])
      for (const text of ["update town.docs set t = 'x' where id = 10", "delete from town.docs where id = 10"])
        assert.equal(
          await refusal(account, text),
          `${text.slice(0, 6)} of a row that is published needs the role publisher`,
        );
    await sessions.as("pia", "delete from town.docs where id = 10");
  });

  it("a refusal never tells of a row that the caller does not see", async () => {
    await query("delete from town.docs");
    await sessions.as("ada", "insert into town.docs values (10, 'ada')");
    for (const account of ["abe", "joe"])
      for (const text of [
        "update town.docs set t = 'x'",
        "update town.docs set t = 'x' where id = 10",
        "delete from town.docs",
        "delete from town.docs where id = 10 returning id",
      ])
        assert.deepEqual(await sessions.failure(account, text), { code: "", message: "" }, text);
    assert.equal((await query("select t from town.docs"))[0].t, "ada");
    await query("insert into town.docs values (1, 'old'), (2, 'old')");
  });

  it("a transition is asked for, forth and back, within the writer's role, also of many rows at once", async () => {
    await sessions.as("ada", "insert into town.docs select i, 'bulk' from generate_series(10, 1009) i");
    assert.equal(
      await refusal("ada", "update town.docs set portolan_status = -3 where id = 10"),
      "to make a row published needs the role publisher",
    );
    assert.equal(
      await refusal("rea", "update town.docs set portolan_status = -3 where id = 10"),
      "to make a row published needs the role publisher",
    );
    await sessions.as("rea", "update town.docs set portolan_status = -2 where id >= 10");
    await sessions.as("rea", "update town.docs set portolan_status = -1 where id = 11");
    assert.deepEqual(await row(11), { status: 1, workflow: { author: "ada", reviewer: "rea" } });
    assert.deepEqual((await ids("ada")).includes(11), true, "a draft that was sent back is its author's again");
    await sessions.as("pia", "update town.docs set portolan_status = -3 where id >= 10");
    assert.equal((await ids("joe")).length, 1002);
    assert.equal(
      (await sessions.failure("pia", "update town.docs set portolan_status = -4 where id = 10")).code,
      "PX400",
    );
    const audit = await query(
      "select event, account, count(*)::int as n from portolan.audit where event ~ '^workflow' group by 1, 2 order by 1, 2",
    );
    assert.deepEqual(audit, [
      { event: "workflow.drafted", account: "ada", n: 1000 },
      { event: "workflow.drafted", account: "rea", n: 1 },
      { event: "workflow.published", account: "pia", n: 1000 },
      { event: "workflow.reviewed", account: "rea", n: 1000 },
    ]);
    const [{ details }] = await query(
      "select details from portolan.audit where event = 'workflow.drafted' and account = 'rea'",
    );
    assert.deepEqual(details, { relation: "town.docs", key: "11", from: "reviewed", to: "drafted" });
  });

  it("a trigger of the team's that comes later cannot lift a row", async () => {
    await query(`
create function town.lift() returns trigger language plpgsql as $$ begin new.portolan_status := 3; return new; end $$;
create trigger zz_lift before insert or update on town.docs for each row execute function town.lift()`);
    assert.match(await refusal("ada", "insert into town.docs values (10, 'x')"), /portolan_workflow_insert/);
    await query("drop trigger zz_lift on town.docs");
  });

  it("own SQL changes nothing of it", async () => {
    const own = { service: "sql" };
    await sessions.as("rea", "insert into town.docs values (10, 'x')", own);
    assert.deepEqual(
      await sessions
        .as("ada", `set role "anonymous@${database.name}"; select set_config('portolan.user', 'pia', true)`, own)
        .then(() => ids("ada")),
      [1, 2],
    );
    await sessions.as("rea", `set local role "desk@${database.name}"; update town.docs set t = 'y' where id = 10`, own);
    assert.deepEqual((await row(10)).workflow, { reviewer: "rea" });
  });

  it("stands beside rules, history and a team's own policies", async () => {
    await query("select portolan.enable_versioning('town.docs')");
    await sessions.as("ada", "insert into town.docs values (10, 'draft')");
    const { at } = (await query("select clock_timestamp()::text as at"))[0];
    await query("update town.docs set portolan_status = -3 where id = 10");
    const then = async (account: string) =>
      (await sessions.as(account, `select id from town__history.as_of_docs('${at}') order by id`)).map(({ id }) => id);
    assert.deepEqual(
      [await then("joe"), await then("ada"), await then("rea")],
      [
        [1, 2],
        [1, 2, 10],
        [1, 2, 10],
      ],
    );
    await query(
      `select portolan.create_rule('{"schema": "town", "username": "rea", "access": "limit", "filter": "id <> 1"}')`,
    );
    assert.deepEqual(
      [await then("rea"), await ids("rea")],
      [
        [2, 10],
        [2, 10],
      ],
    );
    await query("delete from portolan.rules");
    assert.equal(
      (await query("select relrowsecurity as on from pg_class where oid = 'town.docs'::regclass"))[0].on,
      true,
      "workflow still needs it",
    );
    assert.deepEqual(await ids("joe"), [1, 2, 10]);
    await query("create policy small on town.docs using (id < 2)");
    assert.deepEqual([await ids("joe"), await then("joe")], [[1], [1]]);
    await query("drop policy small on town.docs");
    await query("select portolan.disable_versioning('town.docs', true)");
    await query("alter table town.docs disable row level security");
    assert.deepEqual(await ids("joe"), [1, 2, 10]);
  });

  it("events of drafts reach only those who may see them, and publishing shows the row to all", async () => {
    await query("select portolan.enable_events('town.docs')");
    const hub = await testHub(database);
    try {
      const joe = await hub.subscribe("joe", "town.docs");
      const ada = await hub.subscribe("ada", "town.docs");
      await sessions.as("ada", "insert into town.docs values (10, 'draft')");
      await sessions.as("ada", "update town.docs set t = 'draft 2' where id = 10");
      await sessions.as("pia", "update town.docs set portolan_status = -3 where id = 10");
      await sessions.as("pia", "delete from town.docs where id = 10");
      await ada.expect(4, 10_000);
      await joe.expect(2, 10_000);
      assert.deepEqual(ada.summary, ["INSERT 10", "UPDATE 10", "UPDATE 10", "DELETE 10"]);
      assert.deepEqual(joe.summary, ["INSERT 10", "DELETE 10"]);
    } finally {
      await hub.close();
      await query("select portolan.disable_events('town.docs')");
    }
  });

  it("partitions, also new ones; composite keys in the audit", async () => {
    await query(`
create table town.parts (id int, "Kind x" text, t text, primary key (id, "Kind x")) partition by list ("Kind x");
create table town.parts_a partition of town.parts for values in ('a, b')`);
    await enable("town.parts");
    await query("create table town.parts_b partition of town.parts default");
    await query(
      `grant select, insert, update, delete on town.parts_a, town.parts_b to "ada@${database.name}", "joe@${database.name}"`,
    );
    await sessions.as("ada", "insert into town.parts values (1, 'a, b', 'x'), (2, 'c', 'x')");
    await sessions.as("ada", "insert into town.parts_b values (3, 'd', 'x')");
    assert.deepEqual(
      [await ids("joe", "town.parts"), await ids("joe", "town.parts_a"), await ids("joe", "town.parts_b")],
      [[], [], []],
    );
    assert.deepEqual(
      [await ids("ada", "town.parts"), await ids("ada", "town.parts_b")],
      [
        [1, 2, 3],
        [2, 3],
      ],
    );
    await query("update town.parts set portolan_status = -3");
    assert.equal(
      await refusal("ada", "delete from town.parts_a"),
      "delete of a row that is published needs the role publisher",
    );
    assert.deepEqual(
      await query(
        "select details ->> 'key' as key from portolan.audit where event = 'workflow.published' and details ->> 'relation' = 'town.parts' order by 1",
      ),
      [{ key: "1,a%2C%20b" }, { key: "2,c" }, { key: "3,d" }],
    );
    await query("drop table town.parts");
  });

  it("is switched off only when nothing comes to light by it, and leaves the table as it was", async () => {
    await query("create table town.other (id int primary key)");
    await enable("town.other");
    await enable("town.other");
    await sessions.as("ada", "insert into town.other values (1)");
    const error = await failure("select portolan.disable_workflow('town.other')");
    assert.deepEqual(
      [error.code, error.message],
      ["PX409", "1 rows of town.other are not published: publish or delete them first"],
    );
    await query(
      "update town.other set portolan_status = -3; select portolan.disable_workflow('town.other'); select portolan.disable_workflow('town.other')",
    );
    assert.deepEqual(await query("select polname from pg_policy where polrelid = 'town.other'::regclass"), []);
    assert.deepEqual(await query("select tgname from pg_trigger where tgrelid = 'town.other'::regclass"), []);
    assert.equal(
      (await query("select relrowsecurity as on from pg_class where oid = 'town.other'::regclass"))[0].on,
      false,
    );
    await enable("town.other");
    assert.deepEqual(await ids("joe", "town.other"), [1]);
    await query("drop table town.other");
  });

  it("what cannot have it is refused, and bad roles are", async () => {
    await query(`
create view town.look as select 1 as id; create table town.base (id int); create table town.derived () inherits (town.base);
create table town.odd (id int, portolan_status text)`);
    for (const [text, message] of [
      ["select portolan.enable_workflow('town.look')", /not a table/],
      ["select portolan.enable_workflow('town.base')", /INHERITS/],
      ["select portolan.enable_workflow('town.odd')", /of another type/],
      ["select portolan.enable_workflow('portolan.users')", /not a relation of this service/],
      ["select portolan.set_workflow_role('town.docs', 'joe', 'editor')", /a role must be/],
      ["select portolan.set_workflow_role('town.docs', 'joe', null)", /a role must be/],
      ["select portolan.set_workflow_role('town.docs', 'nobody', 'author')", /no account/],
    ] as const) {
      const error = await failure(text);
      assert.match(error.message, message);
      assert.match(error.code, /^PX/);
    }
    for (const text of [
      "select portolan.enable_workflow('town.docs')",
      "select portolan.set_workflow_role('town.docs', 'joe', 'publisher')",
    ])
      assert.equal((await sessions.failure("joe", text)).code, "42501");
  });
});

describe("workflow through the interfaces", () => {
  it("REST switches it and gives roles, GraphQL has workflow<T>", async () => {
    const gateway = await testGateway();
    try {
      const captain = await requestsAs(gateway, "captain");
      const guest = await requestsAs(gateway, "guest");
      const path = "/schemas/world/tables/logbook/workflow";
      problemOf(await guest("patch", path, { enabled: true }), 403);
      for (const body of [{ enabled: 1 }, { roles: [{ subuser: "guest", role: "king" }] }, { roles: {} }, { on: true }])
        problemOf(await captain("patch", path, body), 400);
      problemOf(await captain("patch", path, { enabled: true, roles: [{ subuser: "nobody", role: "author" }] }), 404);
      assert.deepEqual((await captain("get", path).expect(200)).body, { enabled: false, roles: [] });
      await captain("patch", path, { enabled: true, roles: [{ subuser: "guest", role: "author" }] }).expect(303);
      assert.deepEqual((await captain("get", path).expect(200)).body, {
        enabled: true,
        roles: [{ subuser: "guest", role: "author" }],
      });
      const graphql = async (query: string, account = "guest") => (await gateway.graphql(account, "world", query)).body;
      await until(
        async () =>
          !/workflowLogbook/.test(
            (await graphql('mutation { workflowLogbook(where: {id: {lt: 0}}, to: "drafted") { id } }')).errors?.[0]
              .message ?? "",
          ),
      );
      const made = await graphql(
        'mutation { insertLogbook(objects: [{city_id: 1, author: "guest", entry: "a"}, {city_id: 1, author: "guest", entry: "b"}]) { id portolan_status portolan_workflow } }',
      );
      assert.deepEqual(
        made.data.insertLogbook.map(({ portolan_status }: { portolan_status: number }) => portolan_status),
        [1, 1],
        JSON.stringify(made),
      );
      const keys = made.data.insertLogbook.map(({ id }: { id: string }) => id);
      const refused = await graphql(`mutation { workflowLogbook(id: "${keys[0]}", to: "published") { id } }`);
      assert.deepEqual(
        [refused.data, refused.errors[0].message, refused.errors[0].extensions.code],
        [null, "to make a row published needs the role publisher", "FORBIDDEN"],
      );
      const published = await graphql(
        `mutation { workflowLogbook(where: {id: {in: [${keys.join(",")}]}}, to: "published") { id portolan_status portolan_workflow } }`,
        "captain",
      );
      assert.deepEqual(
        published.data.workflowLogbook.map(({ portolan_workflow }: { portolan_workflow: object }) => portolan_workflow),
        [1, 2].map(() => ({ author: "guest", publisher: "captain" })),
      );
      const edit = await graphql(`mutation { updateLogbook(id: "${keys[0]}", data: {entry: "c"}) { id } }`);
      assert.equal(edit.errors[0].message, "update of a row that is published needs the role publisher");
      for (const text of [
        'workflowLogbook(to: "published") { id }',
        `workflowLogbook(id: "${keys[0]}", to: "burnt") { id }`,
      ])
        assert.equal((await graphql(`mutation { ${text} }`, "captain")).errors[0].extensions.code, "BAD_USER_INPUT");
      assert.match(
        (await graphql('mutation { workflowCities(id: "1", to: "published") { id } }')).errors[0].message,
        /Cannot query field/,
      );
    } finally {
      await gateway.close();
    }
  });
});
