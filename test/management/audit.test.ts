import assert from "node:assert/strict";
import pg from "pg";
import { makeSigningKey } from "../../server/kernel/identity/tokens.ts";
import { command } from "../support/commands.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { requestsAs, type Requests } from "./requests.ts";

describe("settings in the audit", () => {
  let gateway: TestGateway;
  let captain: Requests;
  const query = async (text: string) => (await gateway.database.client.query(text)).rows;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query("create table world.plans (id int primary key); select portolan.create_user('eve', null)"),
    });
    captain = await requestsAs(gateway, "captain");
  });
  after(() => gateway.close());

  /** The entries that `act` makes: event, by whom, and the rest of the details. */
  async function entries(act: () => Promise<unknown>): Promise<unknown[]> {
    const [{ id }] = (await query("select coalesce(max(id), 0) as id from portolan.audit")) as [{ id: string }];
    await act();
    const rows = await query(
      `select event, at > now() - interval '1 min' as now, details from portolan.audit where id > ${id} order by id`,
    );
    return rows.map(({ event, now, details: { by, before, after, ...rest } }) => {
      assert.equal(now, true);
      return [event, by, before, after, rest];
    });
  }

  function cli(...args: string[]): void {
    const { status, stderr } = command(args, {
      env: { DATABASE_URL: gateway.database.gatewayUrl, OWNER_DATABASE_URL: gateway.database.url },
    });
    assert.equal(status, 0, stderr);
  }

  const path = "/schemas/world/tables/plans";
  const relation = "world.plans";

  it("privileges, through REST and SQL; the same again is no entry", async () => {
    const patch = (privilege: string) => () =>
      captain("patch", `${path}/privileges`, { subuser: "eve", privilege }).expect(303);
    const named = { relation, user_name: "eve" };
    assert.deepEqual(await entries(patch("read")), [
      ["privilege.created", "captain", null, { privilege: "read" }, named],
    ]);
    assert.deepEqual(await entries(patch("read")), []);
    assert.deepEqual(await entries(patch("write")), [
      ["privilege.changed", "captain", { privilege: "read" }, { privilege: "write" }, named],
    ]);
    assert.deepEqual(await entries(() => query("select portolan.set_privilege('world.plans', 'eve', 'none')")), [
      ["privilege.removed", "postgres", { privilege: "write" }, null, named],
    ]);
  });

  it("authentication, styles and events", async () => {
    assert.deepEqual(await entries(() => captain("patch", `${path}/authentication`, { level: "None" }).expect(303)), [
      ["authentication.created", "captain", null, { level: "None" }, { relation }],
    ]);
    assert.deepEqual(
      await entries(() =>
        query(`select portolan.set_style('world.cities', '[{"name": "All", "styles": [{"size": 3}]}]')`),
      ),
      [
        [
          "style.created",
          "postgres",
          null,
          { style: [{ name: "All", styles: [{ size: 3 }] }], title: null, is_default: false },
          { relation: "world.cities", name: "default" },
        ],
      ],
    );
    assert.deepEqual(await entries(() => captain("patch", `${path}/events`, { enabled: true }).expect(303)), [
      ["events.created", "captain", null, { setting: true }, { relation }],
    ]);
    assert.deepEqual(await entries(() => query("select portolan.disable_events('world.plans')")), [
      ["events.changed", "postgres", { setting: true }, { setting: false }, { relation }],
    ]);
  });

  it("versioning and workflow", async () => {
    assert.deepEqual(await entries(() => captain("patch", `${path}/versioning`, { enabled: true }).expect(303)), [
      ["versioning.changed", "captain", { active: false }, { active: true }, { relation }],
    ]);
    assert.deepEqual(await entries(() => query("select portolan.disable_versioning('world.plans')")), [
      ["versioning.changed", "postgres", { active: true }, { active: false }, { relation }],
    ]);
    assert.deepEqual(await entries(() => Promise.resolve(cli("versioning", "disable", relation, "--drop-history"))), [
      ["versioning.removed", "postgres", { history: "world__history.plans" }, null, { relation }],
    ]);
    assert.deepEqual(
      await entries(() =>
        captain("patch", `${path}/workflow`, { enabled: true, roles: [{ subuser: "eve", role: "author" }] }).expect(
          303,
        ),
      ),
      [
        ["workflow_role.created", "captain", null, { level: 1 }, { relation, user_name: "eve" }],
        ["workflow.created", "captain", null, null, { relation }],
      ],
    );
    assert.deepEqual(
      await entries(() => query("select portolan.set_workflow_role('world.plans', 'eve', 'publisher')")),
      [["workflow_role.changed", "postgres", { level: 1 }, { level: 3 }, { relation, user_name: "eve" }]],
    );
  });

  it("methods, through REST, SQL that an account wrote, and the command line", async () => {
    const body = { method: "one", q: "select 1 as a", type_hints: null, type_formats: null };
    const [made] = (await entries(() =>
      captain("post", "/methods", { method: body.method, q: body.q }).expect(201),
    )) as [unknown[]];
    assert.deepEqual([made[0], made[1], (made[3] as { q: string }).q], ["method.created", "captain", body.q]);
    assert.deepEqual(
      await entries(() => query("update portolan.methods set q = 'select 2 as a' where method = 'one'")),
      [["method.changed", "postgres", { q: "select 1 as a" }, { q: "select 2 as a" }, { method: "one" }]],
    );
    const removed = await entries(async () => {
      cli("method", "remove", "one");
      return Promise.resolve();
    });
    assert.deepEqual(
      (removed as unknown[][]).map(([event, by]) => [event, by]),
      [["method.removed", "postgres"]],
    );
  });

  it("tables, columns, indexes, comments and enums, through REST, SQL and the command line; the same again is no entry", async () => {
    const docks = { relation: "world.docks" };
    const columns = [{ name: "id", type: "int", nullable: false }];
    const at = "/schemas/world/tables/docks";
    const comment = () => captain("put", `${at}/comment`, { comment: "Of ships" }).expect(200);
    const change = (part: object) => () =>
      query(`select portolan.change_schema('${JSON.stringify({ schema: "world", table: "docks", ...part })}')`);
    assert.deepEqual(
      await entries(() =>
        captain("post", "/schemas/world/tables", { name: "docks", columns, key: ["id"] }).expect(201),
      ),
      [
        [
          "table.created",
          "captain",
          null,
          { "column id": "integer not null", "constraint docks_pkey": "PRIMARY KEY (id)" },
          docks,
        ],
      ],
    );
    assert.deepEqual(
      await entries(() => captain("post", "/schemas/world/tables?dry=true", { name: "quays", columns })),
      [],
    );
    assert.deepEqual(await entries(comment), [["table.changed", "captain", {}, { comment: "Of ships" }, docks]]);
    assert.deepEqual(await entries(comment), []);
    assert.deepEqual(await entries(change({ op: "create_index", columns: ["id"], unique: true })), [
      ["table.changed", "postgres", {}, { "index docks_id_idx": "unique btree (id)" }, docks],
    ]);
    assert.deepEqual(await entries(change({ op: "alter_column", column: "id", name: "no", type: "bigint" })), [
      [
        "table.changed",
        "postgres",
        {
          "column id": "integer not null",
          "index docks_id_idx": "unique btree (id)",
          "constraint docks_pkey": "PRIMARY KEY (id)",
        },
        {
          "column no": "bigint not null",
          "index docks_id_idx": "unique btree (no)",
          "constraint docks_pkey": "PRIMARY KEY (no)",
        },
        docks,
      ],
    ]);
    assert.deepEqual(await entries(() => captain("patch", at, { name: "piers" }).expect(200)), [
      ["table.changed", "captain", { name: "world.docks" }, { name: "world.piers" }, { relation: "world.piers" }],
    ]);
    const [[event, by, was, is, rest] = []] = (await entries(() =>
      Promise.resolve(cli("table", "change", JSON.stringify({ op: "drop_table", schema: "world", table: "piers" }))),
    )) as unknown[][];
    assert.deepEqual([event, by, is, rest], ["table.removed", "postgres", null, { relation: "world.piers" }]);
    assert.equal((was as Record<string, string>)["column no"], "bigint not null");
    const type = (op: string, part: object) => () =>
      query(`select portolan.change_schema('${JSON.stringify({ op, schema: "world", ...part })}')`);
    assert.deepEqual(
      [
        ...(await entries(type("create_type", { name: "rig", values: ["sloop"] }))),
        ...(await entries(type("alter_type", { type: "rig", add: { value: "brig", before: "sloop" } }))),
        ...(await entries(type("drop_type", { type: "rig" }))),
      ],
      [
        ["type.created", "postgres", null, { "value 'sloop'": "1" }, { type: "world.rig" }],
        [
          "type.changed",
          "postgres",
          { "value 'sloop'": "1" },
          { "value 'brig'": "1", "value 'sloop'": "2" },
          { type: "world.rig" },
        ],
        ["type.removed", "postgres", { "value 'brig'": "1", "value 'sloop'": "2" }, null, { type: "world.rig" }],
      ],
    );
  });

  it("jobs that somebody stops or continues, and the owner of a job that the operator runs", async () => {
    const begin = `insert into portolan.jobs (kind, relation, total, started_by, state) values ('events', 'world.plans', 1, 'captain',`;
    const [{ id }] = (await query(`${begin} 'stopped') returning id::integer`)) as [{ id: number }];
    const job = { job: id, kind: "events", relation };
    assert.deepEqual(
      await entries(() =>
        query(`begin; select portolan.change_job(${id}, 'queued');
select portolan.change_job(${id}, 'queued'); select portolan.work_job(${id}); commit`),
      ),
      [
        ["job.changed", "postgres", { state: "stopped" }, { state: "queued" }, job],
        ["events.changed", "captain", { setting: false }, { setting: true }, { relation }],
      ],
    );
    await query("select portolan.disable_events('world.plans')");
    const [{ id: other }] = (await query(`${begin} 'stopped') returning id::integer`)) as [{ id: number }];
    await query(`update portolan.jobs set state = 'failed' where id = ${other}`);
    assert.deepEqual(await entries(() => captain("delete", `/jobs/${other}`).expect(204)), [
      ["job.changed", "captain", { state: "failed" }, { state: "stopped" }, { ...job, job: other }],
    ]);
  });

  it("tokens of the command line, logins of gateways, and rights that were written again", async () => {
    assert.deepEqual(await entries(() => Promise.resolve(cli("token", "captain", "--lifetime", "60"))), [
      ["granted", "postgres", undefined, undefined, { lifetime_seconds: 60 }],
    ]);
    await query("create role a_gateway login noinherit");
    assert.deepEqual(await entries(() => query("select portolan.register_login('a_gateway')")), [
      ["login.created", "postgres", null, { kind: "gateway" }, { role: "a_gateway" }],
    ]);
    const repair = () => Promise.resolve(cli("migrate", "--repair-roles"));
    assert.deepEqual(await entries(repair), []);
    await query(`select portolan.set_privilege('world.plans', 'eve', 'read');
revoke select on world.plans from "eve@${gateway.database.name}"`);
    const [[event, by, , , details] = []] = (await entries(repair)) as unknown[][];
    const { restored, statements } = details as { restored: boolean; statements: string[] };
    assert.deepEqual([event, by, restored], ["rights.repaired", "postgres", false]);
    assert.match(statements.join(), /^grant select on (table )?world\.plans to "eve@/i);
    await query("delete from portolan.logins where role = 'a_gateway'; drop owned by a_gateway; drop role a_gateway");
  });

  it("nobody can forge an entry about others, and a failed change leaves none", async () => {
    const guest = await requestsAs(gateway, "guest");
    for (const call of ["hold_shape", "note_schema_change"]) {
      const q = `select portolan.${call}('pg_class', 'world.plans'::regclass)`;
      assert.deepEqual(await entries(() => guest("post", "/sql", { q }).expect(403)), [], call);
    }
    await query(`create view world.of_plans as select id from world.plans;
alter table world.plans owner to "owner@${gateway.database.name}"`);
    assert.deepEqual(await entries(() => captain("delete", path).expect(409)), []);
    await query("drop view world.of_plans");
  });

  it("an owner makes up no state of before, no creation and no removal", async () => {
    const role = `"guest@${gateway.database.name}"`;
    await query(`create schema studio authorization ${role}; create table studio.own (id int primary key);
create type studio.hue as enum ('red'); alter table studio.own owner to ${role}; alter type studio.hue owner to ${role}`);
    const client = new pg.Client({ connectionString: gateway.database.url });
    await client.connect();
    const hold = (name: string) => `select portolan.hold_shape('pg_class', '${name}'::regclass)`;
    const note = (name: string) => `select portolan.note_schema_change('pg_class', '${name}'::regclass)`;
    const made = async (...statements: string[]): Promise<unknown> => {
      const told = entries(async () => {
        await client.query(["begin", ...statements, "commit"].join(";"));
      });
      return told.catch(async (error: { code: string }) => {
        await client.query("rollback");
        return error.code;
      });
    };
    try {
      await client.query(`set session authorization ${role}`);
      assert.equal(await made(note("studio.own")), "PX400");
      assert.equal(await made("select portolan.note_schema_change('pg_type', 'studio.hue'::regtype)"), "PX400");
      assert.equal(await made("alter table studio.own rename to other", note("studio.other")), "PX400");
      assert.equal(await made("select portolan.note_schema_change('pg_class', 4000000000)"), "PX400");
      assert.equal(await made("insert into portolan.held_shapes values (default, 1, 1, '{}')"), "42501");
      // recorded in a transaction before
      assert.deepEqual(await made(hold("studio.own")), []);
      assert.equal(await made("comment on table studio.own is 'x'", note("studio.own")), "PX400");
      // nothing has changed, and it is still there
      assert.deepEqual(await made(hold("studio.own"), note("studio.own"), note("studio.own")), []);
      const changed = await made(
        hold("studio.own"),
        "comment on table studio.own is 'y'",
        hold("studio.own"),
        note("studio.own"),
        note("studio.own"),
      );
      assert.deepEqual(changed, [["table.changed", "guest", {}, { comment: "y" }, { relation: "studio.own" }]]);
      const created = (await made(
        "savepoint a",
        "create table studio.new (id int)",
        "release a",
        note("studio.new"),
        note("studio.new"),
      )) as unknown[][];
      assert.deepEqual(
        created.map(([event, by, before]) => [event, by, before]),
        [["table.created", "guest", null]],
      );
    } finally {
      await client.end();
      await query("drop schema studio cascade");
    }
  });

  it("links that set a password, over REST, and keys, by the operator", async () => {
    const whatAndWho = async (act: () => Promise<unknown>): Promise<unknown[]> =>
      ((await entries(act)) as unknown[][]).map(([event, by]) => [event, by]);
    assert.deepEqual(await whatAndWho(() => captain("post", "/users/eve/link", {}).expect(201)), [
      ["user.invited", "captain"],
    ]);
    const { kid, publicJwk, privateJwk } = await makeSigningKey();
    const rotate = () =>
      gateway.database.client.query("select portolan.rotate_signing_key($1, $2, $3)", [kid, publicJwk, privateJwk]);
    assert.deepEqual(await whatAndWho(rotate), [["keys.rotated", "postgres"]]);
  });

  it("only the owner writes it by these triggers, or reads it", async () => {
    await captain("post", "/sql", { q: "select * from portolan.audit" }).expect(403);
  });
});

describe("a setting that takes longer than a request may", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await testGateway({
      config: { statementTimeoutMs: 400 },
      prepare: ({ client }) =>
        client.query(
          `create table world."big one" (id int primary key, t text); select portolan.enable_versioning('world."big one"')`,
        ),
    });
  });
  after(() => gateway.close());

  it("is 504 with the statement that has no such limit, and nothing is half done", async () => {
    const captain = await requestsAs(gateway, "captain");
    const path = "/schemas/world/tables/big%20one/versioning";
    await gateway.database.client.query(`begin; lock table world."big one" in row exclusive mode`);
    const { body } = await captain("patch", path, { enabled: false }).expect(504);
    await gateway.database.client.query("commit");
    assert.equal(body.code, "TIMEOUT");
    assert.match(body.detail, /nothing was changed/);
    const statement = /select portolan\.disable_versioning\(.+?\);/.exec(body.detail)?.[0] ?? "";
    assert.equal(statement, `select portolan.disable_versioning('"world"."big one"');`);
    const { client } = gateway.database;
    const left = `select count(*) as n from pg_trigger where tgname like '_800_keep%'`;
    assert.deepEqual((await client.query(left)).rows, [{ n: "4" }]);
    assert.deepEqual((await captain("get", path).expect(200)).body, { enabled: true });
    await client.query(statement);
    assert.deepEqual((await captain("get", path).expect(200)).body, { enabled: false });
  });
});
