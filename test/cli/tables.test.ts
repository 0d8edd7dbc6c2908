/** The commands for settings of a table and for the audit: each is the SQL function of that name. */
import assert from "node:assert/strict";
import { command } from "../support/commands.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

describe("portolan privilege, authentication, versioning, workflow, events, raster, audit, schema, psql", () => {
  let database: TestDatabase;
  function run(args: readonly string[], input?: string) {
    return command(args, {
      env: { DATABASE_URL: database.gatewayUrl, OWNER_DATABASE_URL: database.url },
      ...(input !== undefined && { input }),
    });
  }
  /** The output of a command that succeeds. */
  function portolan(...args: string[]): string {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, 0, stderr);
    return stdout;
  }
  const rowsOf = (...args: string[]): Record<string, unknown>[] => JSON.parse(portolan(...args, "--json"));

  before(async () => {
    database = await testDatabase({ kind: "demo" });
  });
  after(() => database.drop());

  it("a privilege and a level are set and listed", () => {
    portolan("user", "create", "ann", "--password", "fair wind");
    assert.equal(portolan("privilege", "set", "world.cities", "ann", "write"), "ann: write on world.cities\n");
    assert.deepEqual(rowsOf("privilege", "list", "world.cities"), [
      { user: "ann", privilege: "write" },
      { user: "guest", privilege: "read" },
    ]);
    assert.equal(portolan("authentication", "set", "world.cities", "None"), "world.cities: None\n");
    assert.deepEqual(rowsOf("authentication", "show", "world.cities"), [{ level: "None" }]);
  });

  it("a table is made from parts, and its SQL printed", async () => {
    const change = JSON.stringify({
      op: "create_table",
      schema: "world",
      name: "beacons",
      columns: [{ name: "id", type: "int" }],
      key: ["id"],
    });
    const sql = portolan("table", "change", change, "--dry");
    assert.match(sql, /^create table world\.beacons \(/);
    assert.equal(portolan("table", "change", change), sql);
    const { rows } = await database.client.query("select to_regclass('world.beacons') is not null as made");
    assert.deepEqual(rows, [{ made: true }]);
    const index = { name: "beacons_pkey", columns: ["id"], unique: true, method: "btree", constraint: "beacons_pkey" };
    assert.deepEqual(rowsOf("table", "indices", "world.beacons"), [index]);
    const key = { name: "beacons_pkey", kind: "primary_key", columns: ["id"], definition: "PRIMARY KEY (id)" };
    assert.deepEqual(rowsOf("table", "constraints", "world.beacons"), [key]);
    portolan(
      "table",
      "change",
      JSON.stringify({ op: "create_type", schema: "world", name: "light", values: ["on", "off"] }),
    );
    const type = { name: "light", values: ["on", "off"], description: null };
    assert.deepEqual(rowsOf("table", "types", "world").at(-1), type);
  });

  it("history is kept, read, used to restore a row, and dropped", async () => {
    portolan("versioning", "enable", "world.areas");
    await database.client.query("update world.areas set name = 'Nowhere' where path = 'Europe'");
    const [{ id }] = (await database.client.query("select id from world.areas where path = 'Europe'")).rows;
    const versions = rowsOf("history", "world.areas", String(id));
    assert.deepEqual(
      versions.map(({ record }) => (record as { name: string }).name),
      ["Europe", "Nowhere"],
    );
    assert.deepEqual(
      rowsOf("versioning", "diff", "world.areas", String(versions[0]?.["valid_from"])).map(({ change, after }) => [
        change,
        (after as { name: string }).name,
      ]),
      [["update", "Nowhere"]],
    );
    portolan("restore", "world.areas", String(id), String(versions[0]?.["valid_from"]));
    const { rows } = await database.client.query("select name from world.areas where path = 'Europe'");
    assert.deepEqual(rows, [{ name: "Europe" }]);
    assert.deepEqual(
      rowsOf("versioning", "list").map(({ table }) => table),
      ["areas"],
    );
    assert.match(portolan("versioning", "disable", "world.areas", "--drop-history"), /is dropped/);
    assert.deepEqual(rowsOf("versioning", "list"), []);
  });

  it("a table has a workflow with roles, until it is switched off", () => {
    portolan("workflow", "enable", "world.routes");
    portolan("workflow", "role", "world.routes", "ann", "reviewer");
    assert.deepEqual(rowsOf("workflow", "list"), [
      { schema: "world", table: "routes", roles: [{ subuser: "ann", role: "reviewer" }] },
    ]);
    assert.match(portolan("workflow", "list"), /^world +routes +\{"role":"reviewer","subuser":"ann"\}$/m);
    portolan("workflow", "disable", "world.routes");
    assert.deepEqual(rowsOf("workflow", "list"), []);
  });

  it("a table has change events, or none", async () => {
    await database.client.query("create table world.buoys (id integer primary key)");
    const tables = (): unknown[] => rowsOf("events", "list").map(({ table }) => table);
    portolan("events", "enable", "world.buoys");
    assert.ok(tables().includes("buoys"));
    portolan("events", "disable", "world.buoys");
    assert.ok(!tables().includes("buoys"));
    assert.match(run(["events"]).stderr, /name the table as schema\.table/);
    assert.match(run(["rows", "world."]).stderr, /name the table as schema\.table/);
  });

  it("a style is set from standard input and shown", () => {
    const style = '[{"name": "City", "styles": [{"symbol": "circle", "size": 7}]}]';
    assert.equal(run(["style", "set", "world.cities", "-"], style).status, 0);
    assert.deepEqual(
      rowsOf("style", "show", "world.cities").map((row) => row["class"]),
      JSON.parse(style),
    );
    assert.match(
      run(["style", "set", "world.cities", '[{"styles": [{"size": "no"}]}]']).stderr,
      /^portolan: style\[0\]/,
    );
  });

  it("a raster of a missing file is refused with that reason", () => {
    const { status, stdout, stderr } = run(["raster", "add", "world", "relief", "relief.tif"]);
    assert.deepEqual([status, stdout], [0, "world.relief is relief.tif\n"]);
    assert.match(stderr, /^portolan: it cannot be drawn .*: no raster folder is configured\n$/);
    assert.deepEqual(rowsOf("raster", "list"), [{ schema: "world", table: "relief", file: "relief.tif" }]);
    portolan("raster", "remove", "world", "relief");
    assert.deepEqual(rowsOf("raster", "list"), []);
  });

  it("audit lists what was done, latest first", () => {
    const rows = rowsOf("audit", "--event", "user.cre", "--limit", "2");
    assert.deepEqual(
      rows.map(({ event, account }) => [event, account]),
      [
        ["user.created", "ann"],
        ["user.created", "guest"],
      ],
    );
    assert.match(run(["audit", "--limit", "all"]).stderr, /--limit: must be a number/);
  });

  it("schema prints the GraphQL schema", () => {
    assert.match(portolan("schema", "world"), /^type Cities implements Node \{/m);
    assert.match(run(["schema", "nowhere"]).stderr, /^portolan: There is no schema/);
  });

  it("psql runs as the owner, takes psql's own options, and never shows the password on a command line", () => {
    assert.equal(portolan("psql", "-At", "-c", "select count(*) from world.countries"), "249\n");
    assert.equal(run(["psql", "-At"], "select current_user;").stdout, "postgres\n");
    const { status, stderr } = run(["psql", "-c", "select nope"]);
    assert.deepEqual([status, /column "nope" does not exist/.test(stderr)], [1, true]);
    assert.match(portolan("psql", "-c", "\\! tr '\\0' ' ' < /proc/$PPID/cmdline"), /--dbname postgresql:\/\/postgres@/);
  });

  it("a refusal by PostgreSQL is one sentence", () => {
    for (const [args, message] of [
      [["privilege", "set", "world.nowhere", "ann", "read"], 'relation "world.nowhere" does not exist'],
      [["privilege", "set", "world.cities", "nobody", "read"], 'there is no account "nobody"'],
      [["versioning", "enable", "world.southern_cities"], /southern_cities/],
      [["workflow", "role", "world.cities", "ann", "captain"], "a role must be author, reviewer, publisher or none"],
      [["restore", "world.areas", "1", "soon"], /soon/],
    ] as const) {
      const { status, stderr } = run(args);
      assert.equal(status, 1);
      assert.match(stderr, /^portolan: [^\n]+\n$/);
      assert.ok(typeof message === "string" ? stderr.includes(message) : message.test(stderr), stderr);
    }
  });
});
