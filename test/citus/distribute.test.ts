import assert from "node:assert/strict";
import { commandBeside } from "../support/commands.ts";
import { hasCitus } from "../support/citusCluster.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";
import { startTown, type Town } from "./town.ts";

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")("tables that become distributed", function () {
  this.timeout(120_000);
  let town: Town;
  const query = (text: string, values?: unknown[]) => town.query(text, values);
  const path = (table: string): string => `/api/v4/schemas/app/tables/${table}/shards`;
  const get = async (table: string) =>
    (await town.http.get(path(table)).set("Authorization", `Bearer ${await town.token("boss")}`)).body as object;
  const patch = async (table: string, body: object) =>
    town.http
      .patch(path(table))
      .set("Authorization", `Bearer ${await town.token("boss")}`)
      .send(body);
  const cli = async (...args: string[]): Promise<string> => {
    const { gatewayUrl, url } = town.cluster.database;
    const env = { DATABASE_URL: gatewayUrl, OWNER_DATABASE_URL: url };
    const { stdout, stderr } = await commandBeside(args, { env });
    return stdout + stderr;
  };
  const make = async (table: string): Promise<void> => {
    await query(
      `create table app.${table} (tenant_id int not null, id int not null, kind_id int, primary key (tenant_id, id))`,
    );
    await query(`insert into app.${table} select n % 10 + 1, n, n % 2 + 1 from generate_series(1, 40) n`);
    await query("select portolan.set_privilege($1, 'ann', 'all')", [`app.${table}`]);
  };

  before(async function () {
    this.timeout(240_000);
    town = await startTown({
      settings: { wal_level: "logical", "citus.enable_change_data_capture": "on", max_wal_senders: "20" },
    });
    await query("select portolan.create_user('boss', null, superuser => true)");
  });
  after(() => town.close());

  it("over REST, with their rows, privileges and rules", async () => {
    await make("orders");
    await query(
      `select portolan.create_rule('{"schema": "app", "table": "orders", "username": "ann", "access": "limit", "filter": "kind_id = 1"}')`,
    );
    assert.deepEqual(await get("orders"), { kind: "local" });
    const { status, body } = await patch("orders", {
      kind: "distributed",
      column: "tenant_id",
      colocate_with: "app.tenants",
    });
    assert.equal(status, 303, JSON.stringify(body));
    assert.deepEqual(await get("orders"), {
      kind: "distributed",
      column: "tenant_id",
      shards: 4,
      colocated: ["app.points", "app.tenants", "app.visits"],
    });
    assert.deepEqual(await town.graphql("ann", "app", "{ countOrders }"), { countOrders: 20 });
    assert.deepEqual(
      await query(
        "select event, details -> 'before' as before, details #>> '{after,kind}' as after from portolan.audit order by id desc limit 1",
      ),
      [{ event: "shards.changed", before: { kind: "local" }, after: "distributed" }],
    );
    assert.equal((await patch("orders", { kind: "distributed", column: "tenant_id" })).status, 303);
    const other = await patch("orders", { kind: "reference" });
    assert.deepEqual([other.status, other.body.code], [409, "CONFLICT"]);
    await query("delete from portolan.rules");
    assert.deepEqual(await town.graphql("ann", "app", "{ countOrders }"), { countOrders: 40 });
  });

  it("not by a domain with a constraint, by which Citus finds no rows, and doctor finds one that somebody distributed", async () => {
    await query("create domain app.code as text check (value <> '')");
    await query("create domain app.short as app.code");
    await query("create domain app.plain_code as text");
    await query("create table app.signs (code app.short primary key, props jsonb, name text)");
    const { status, body } = await patch("signs", { kind: "distributed", column: "code" });
    assert.deepEqual(
      [status, body.message],
      [
        400,
        'app.signs cannot be distributed by "code", whose type app.short is a domain with a constraint: Citus finds no rows by such a column',
      ],
    );
    await query("select create_distributed_table('app.signs', 'code')");
    const findings = await query("select finding from portolan.cluster_findings() where finding ~ 'signs'");
    assert.match(String(findings[0]?.["finding"]), /^app.signs is distributed by "code", whose type is a domain with/);
    await query("drop table app.signs");
  });

  it("with keys and JSON of domains, which are read and written by GraphQL, rows and features", async () => {
    await query("create table app.marks (code app.plain_code primary key, sub app.code, props jsonb, raw json)");
    await query("insert into app.marks values ('a', 's', '{\"x\": 1}', '[1]'), ('b', 's', null, null)");
    await query("select portolan.set_privilege('app.marks', 'ann', 'all')");
    assert.equal((await patch("marks", { kind: "distributed", column: "code" })).status, 303);
    const all = "code sub props raw";
    for (const [text, expected] of [
      [
        '{ getMarks(where: {code: {eq: "a"}}) { code sub props raw } }',
        [{ code: "a", sub: "s", props: { x: 1 }, raw: [1] }],
      ],
      [
        `mutation { insertMarks(data: {code: "c", sub: "t", props: {y: 2}, raw: {z: 3}}) { ${all} } }`,
        [{ code: "c", sub: "t", props: { y: 2 }, raw: { z: 3 } }],
      ],
      [
        `mutation { updateMarks(where: {code: {eq: "c"}}, data: {sub: "u", props: {y: 3}}) { ${all} } }`,
        [{ code: "c", sub: "u", props: { y: 3 }, raw: { z: 3 } }],
      ],
      [`mutation { deleteMarks(where: {sub: {eq: "u"}}) { code props } }`, [{ code: "c", props: { y: 3 } }]],
    ] as const)
      assert.deepEqual(Object.values((await town.graphql("ann", "app", text)) as object)[0], expected, text);
    const rows = await town.http
      .get("/api/v4/schemas/app/tables/marks/rows")
      .set("Authorization", `Bearer ${await town.token("ann")}`);
    assert.deepEqual(rows.body, [
      { code: "a", sub: "s", props: { x: 1 }, raw: [1] },
      { code: "b", sub: "s", props: null, raw: null },
    ]);
    await query("drop table app.marks");
  });

  it("on the command line, which lists them", async () => {
    await make("items");
    await query("create table app.colours (id int primary key, name text)");
    assert.match(
      await cli("table", "distribute", "app.items", "tenant_id", "--colocate-with", "app.tenants"),
      /app.items is distributed by tenant_id/,
    );
    assert.match(await cli("table", "reference", "app.colours"), /app.colours is a reference table/);
    const listed = JSON.parse(await cli("table", "shards", "--json")) as {
      table: string;
      kind: string;
      column: string | null;
    }[];
    const kinds = new Map(listed.map(({ table, kind, column }) => [table, [kind, column]]));
    assert.deepEqual(kinds.get("app.items"), ["distributed", "tenant_id"]);
    assert.deepEqual(kinds.get("app.colours"), ["reference", null]);
    assert.deepEqual(kinds.get("s1.things"), ["schema", null]);
    assert.equal(kinds.get("app.plain"), undefined);
  });

  it("while they are written, with their events, rules, privileges and styles", async () => {
    await make("trips");
    await query("alter table app.trips add foreign key (kind_id) references app.kinds");
    await query("select portolan.enable_events('app.trips'), portolan.set_authentication('app.trips', 'Write')");
    await query(
      `select portolan.create_rule('{"schema": "app", "table": "trips", "username": "ann", "access": "limit", "filter": "kind_id = 1"}')`,
    );
    await query("select portolan.set_privilege('app.trips', 'bob', 'write')"); // before the first is written
    // the gateway looks at the catalogue in turn
    await until(async () => JSON.stringify(await town.graphql("ann", "app", "{ countTrips }")) === '{"countTrips":20}');
    let [written, goes] = [0, true];
    const writing = (async () => {
      for (; goes; written++) {
        const { errors } = (
          await town.http
            .post("/api/graphql/schema/app")
            .set("Authorization", `Bearer ${await town.token("bob")}`)
            .send({ query: `mutation { insertTrips(data: {tenant_id: 1, id: ${1000 + written}, kind_id: 1}) { id } }` })
        ).body as { errors?: unknown };
        assert.equal(errors, undefined, JSON.stringify(errors));
      }
    })();
    try {
      assert.match(await cli("table", "distribute", "app.trips", "tenant_id", "--concurrently"), /is distributed by/);
      assert.match(await cli("table", "distribute", "app.trips", "tenant_id", "--concurrently"), /is distributed by/);
      const at = written;
      await until(() => written > at + 3);
    } finally {
      goes = false;
      await writing;
    }
    assert.deepEqual(
      await query(
        `select portolan.shards_of('app.trips') ->> 'kind' as kind, portolan.events_of('app.trips') as events,
           portolan.authentication_of('app.trips') as level, (select count(*)::integer from app.trips) as rows`,
      ),
      [{ kind: "distributed", events: true, level: "Write", rows: 40 + written }],
    );
    assert.deepEqual(await town.graphql("ann", "app", "{ countTrips }"), { countTrips: 20 + written });
    assert.deepEqual(await query("select finding from portolan.cluster_findings()"), []);
    assert.deepEqual(await query("select finding from portolan.state_findings()"), []);
    await query("delete from portolan.rules");
  });

  it("together with those that refer to them, which keep what they have", async () => {
    await make("stops");
    await query("create table app.lines (id int primary key); insert into app.lines values (1), (2)");
    await query("alter table app.stops add line_id int references app.lines");
    await query("select portolan.enable_events('app.stops'), portolan.set_authentication('app.stops', 'Write')");
    await query("select portolan.enable_versioning('app.stops')");
    await query("comment on table app.stops is '@ogc off'; comment on column app.stops.id is '@filterable off'");
    const reference = async () => patch("lines", { kind: "reference" });
    assert.match(
      (await reference()).body.detail,
      /^app.stops is connected with app.lines by foreign keys, and has history, which needs triggers/,
    );
    await query("select portolan.disable_versioning('app.stops', true)");
    assert.equal((await reference()).status, 303);
    assert.deepEqual(
      await query(
        `select portolan.shards_of('app.lines') ->> 'kind' as kind, portolan.events_of('app.stops') as events,
           portolan.authentication_of('app.stops') as level, obj_description('app.stops'::regclass, 'pg_class') as comment,
           (select col_description(attrelid, attnum) from pg_attribute
             where attrelid = 'app.stops'::regclass and attname = 'id') as "ofColumn"`,
      ),
      [{ kind: "reference", events: true, level: "Write", comment: "@ogc off", ofColumn: "@filterable off" }],
    );
    await query("insert into app.stops values (1, 1000, 1, 1)"); // which fails where a trigger is left
    assert.deepEqual(await query("select finding from portolan.state_findings()"), []);
    await cli("table", "distribute", "app.stops", "tenant_id");
    assert.deepEqual(await query("select portolan.events_of('app.stops') as events"), [{ events: true }]);
  });

  it("or stay as they are, with the reason", async () => {
    await make("notes");
    const refused = async (body: object): Promise<string> => {
      const answer = await patch("notes", body);
      assert.deepEqual(await get("notes"), { kind: "local" });
      return `${answer.status} ${answer.body.code} ${answer.body.detail}`;
    };
    assert.match(await refused({ kind: "distributed" }), /^400 BAD_USER_INPUT a distributed table needs a column/);
    assert.match(
      await refused({ kind: "reference", column: "id" }),
      /^400 BAD_USER_INPUT a reference table is not distributed by a column/,
    );
    const by = (column: string, more = {}) => refused({ kind: "distributed", column, ...more });
    assert.match(
      await by("kind_id"),
      /^400 \w+ app.notes cannot be distributed by "kind_id", which is not in its unique key app.notes_pkey$/,
    );
    assert.match(await by("nothing"), /^400 \w+ app.notes has no column "nothing"$/);
    assert.match(await by("id", { colocate_with: "app.plain" }), /^400 \w+ app.plain is not a distributed table$/);
    assert.match(await by("id", { colocate_with: "nowhere" }), /^400 \w+ nowhere is not a distributed table$/);
    await query("select portolan.enable_versioning('app.notes')");
    assert.match(
      await refused({ kind: "distributed", column: "id" }),
      /^409 CONFLICT app.notes has history, which needs triggers/,
    );
    await query("select portolan.disable_versioning('app.notes', true)");
    await query(
      `select portolan.create_rule('{"schema": "app", "table": "notes", "service": "ogc", "access": "deny"}')`,
    );
    assert.match(
      await refused({ kind: "distributed", column: "id" }),
      /^400 BAD_USER_INPUT rule \d+ cannot hold on the shards of app.notes: it is for the service ogc, and a shard learns/,
    );
    await query("delete from portolan.rules");
    const { status } = await town.http
      .patch(path("notes"))
      .set("Authorization", `Bearer ${await town.token("ann")}`)
      .send({ kind: "reference" });
    assert.equal(status, 403);
  });
});
