import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { SocketClient, connectAs, socketUrl, type Received } from "../support/webSocket.ts";

describe("socket: raw subscriptions", () => {
  let gateway: TestGateway;
  const query = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create schema port;
create table port.berths (pier text, number int, length numeric, big int8, speed float8, free boolean, info jsonb, at timestamptz,
  secret text, primary key (pier, number));
create table port.marks (id int primary key, geom public.geometry(Point, 25832), tags text[], during tstzrange, kind world.hemisphere);
create table port."odd.name" (id int);
create table port.quiet (id int primary key);
create view port.seen as select * from port.marks;
grant usage on schema port to "guest@${name}";
grant select (pier, number, length) on port.berths to "guest@${name}";
grant select on port.marks to "guest@${name}";
select portolan.enable_events(r) from unnest(array['port.berths', 'port.marks', 'port."odd.name"']::regclass[]) r;`),
    });
  });
  after(() => gateway.close());

  let id = 0;
  async function subscribe(socket: SocketClient, members: object): Promise<string> {
    const own = `r${++id}`;
    const answer = await socket.ask({ type: "subscription", id: own, schema: "port", ...members });
    assert.deepEqual(answer, { type: "subscription_ack", id: own });
    return own;
  }
  async function changesOf(socket: SocketClient, own: string, relation: string): Promise<Record<string, unknown[]>> {
    const message: Received = await socket.take({ type: "batch", id: own });
    assert.equal(message["db"], gateway.database.name);
    assert.equal(typeof message["position"], "string");
    const batch = message["batch"] as Record<string, Record<string, Record<string, unknown[]>>>;
    return batch[gateway.database.name]![relation]!;
  }

  it("one message for a transaction: keys by operation, and the rows as they are, deleted ones as they were", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, { rel: "berths", columns: "pier,number,length" });
    await query(`
begin;
insert into port.berths (pier, number, length) values ('A,1', 1, 10.50), ('B', 2, null);
update port.berths set length = 11 where number = 1;
delete from port.berths where number = 2;
commit`);
    assert.deepEqual(await changesOf(socket, own, "port.berths"), {
      INSERT: [
        ["pier,number", "A%2C1,1"],
        ["pier,number", "B,2"],
      ],
      UPDATE: [["pier,number", "A%2C1,1"]],
      DELETE: [["pier,number", "B,2"]],
      full_data: [
        { pier: "A,1", number: 1, length: 10.5 },
        { pier: "B", number: 2, length: null },
        { pier: "A,1", number: 1, length: 11 },
        { pier: "B", number: 2, length: null },
      ],
    });
    await query("delete from port.berths");
    socket.close();
  });

  it("values are as PostgreSQL's to_json has them", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, { rel: "berths" });
    await query(
      `insert into port.berths values ('é"\\', 1, 'NaN', 12, 1e-7, false, '{"a": [1, null]}', '2024-06-01 12:00+02', null)`,
    );
    const { full_data } = await changesOf(socket, own, "port.berths");
    const [, asked] = (await query("set timezone = utc; select row_to_json(b) as row from port.berths b")) as never as [
      unknown,
      { rows: { row: unknown }[] },
    ];
    assert.deepEqual(full_data, [asked.rows[0]!.row]);
    await query("delete from port.berths");
    socket.close();
  });

  it("geometry is GeoJSON in longitude and latitude; arrays, ranges and enums as to_json", async () => {
    const socket = await connectAs(gateway, "guest");
    const own = await subscribe(socket, { rel: "marks" });
    await query(
      `insert into port.marks values (1, 'SRID=25832;POINT(500000 6000000)', '{a,null,"b c"}', '[2024-01-01, 2024-02-01)', 'both')`,
    );
    const { full_data } = await changesOf(socket, own, "port.marks");
    const [row] = full_data as [
      { geom: { type: string; coordinates: number[] }; tags: unknown; during: string; kind: string },
    ];
    assert.equal(row.geom.type, "Point");
    assert.ok(Math.abs(row.geom.coordinates[0]! - 9) < 1e-6 && row.geom.coordinates[1]! > 54, JSON.stringify(row));
    assert.deepEqual(row.tags, ["a", null, "b c"]);
    assert.match(row.during, /^\["2024-/);
    assert.equal(row.kind, "both");
    await query("delete from port.marks");
    socket.close();
  });

  it("op, where in both forms, and columns", async () => {
    const socket = await connectAs(gateway, "captain");
    const updates = await subscribe(socket, {
      rel: "berths",
      op: "update",
      where: { length: { gt: 5 } },
      columns: ["length"],
    });
    const text = await subscribe(socket, {
      rel: "berths",
      op: "DELETE",
      where: "pier in ('A', 'B') and length is not null",
    });
    await query("insert into port.berths (pier, number, length) values ('A', 1, 1), ('B', 2, null), ('C', 3, 3)");
    await query("update port.berths set length = length + 3");
    await query("update port.berths set length = length + 3 where pier = 'A'");
    const { UPDATE, INSERT, full_data } = await changesOf(socket, updates, "port.berths");
    assert.deepEqual([INSERT, UPDATE, full_data], [[], [["pier,number", "C,3"]], [{ length: 6 }]]);
    assert.deepEqual((await changesOf(socket, updates, "port.berths"))["full_data"], [{ length: 7 }]);
    await query("delete from port.berths");
    assert.deepEqual((await changesOf(socket, text, "port.berths"))["DELETE"], [["pier,number", "A,1"]]);
    socket.close();
  });

  it("columns that may not be selected are left out, and refused when they are named", async () => {
    const socket = await connectAs(gateway, "guest");
    const own = await subscribe(socket, { rel: "berths" });
    await query("insert into port.berths (pier, number, length, secret) values ('A', 1, 2, 'hidden')");
    assert.deepEqual((await changesOf(socket, own, "port.berths"))["full_data"], [{ pier: "A", number: 1, length: 2 }]);
    for (const members of [{ columns: ["secret"] }, { where: { secret: "x" } }]) {
      const answer = await socket.ask({ type: "subscription", id: "no", schema: "port", rel: "berths", ...members });
      assert.ok(["NOT_ALLOWED", "INVALID_SUBSCRIPTION"].includes(answer["error"] as string), JSON.stringify(answer));
    }
    await query("delete from port.berths");
    socket.close();
  });

  it("a revoked column is in no later event, also of tables whose values PostgreSQL writes", async () => {
    const socket = await connectAs(gateway, "guest");
    const role = `"guest@${gateway.database.name}"`;
    try {
      for (const [relation, all, left, change] of [
        [
          "marks",
          "id, geom, tags, kind",
          ["geom", "id", "kind"],
          "insert into port.marks (id, tags) values ($1, '{hidden}')",
        ],
        [
          "berths",
          "pier, number, length",
          ["number", "pier"],
          "insert into port.berths (pier, number, length) values ('T', $1, 7)",
        ],
      ] as const) {
        await query(
          `revoke select on port.${relation} from ${role}; grant select (${all}) on port.${relation} to ${role}`,
        );
        const own = await subscribe(socket, { rel: relation });
        await query(change, [70]);
        const before = (await changesOf(socket, own, `port.${relation}`))["full_data"]!;
        assert.deepEqual(Object.keys(before[0]!).sort(), all.split(", ").sort());
        await query(
          `revoke select on port.${relation} from ${role}; grant select (${left.join(", ")}) on port.${relation} to ${role}`,
        );
        await query(change, [71]);
        const after = (await changesOf(socket, own, `port.${relation}`))["full_data"]!;
        assert.deepEqual(Object.keys(after[0]!).sort(), left);
        await query(`delete from port.${relation}`);
      }
    } finally {
      socket.close();
      await query(
        `grant select on port.marks to ${role}; grant select (pier, number, length) on port.berths to ${role}`,
      );
    }
  });

  it("without a primary key every column is the key", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, { rel: "odd.name" });
    await query(`insert into port."odd.name" values (5)`);
    assert.deepEqual((await changesOf(socket, own, "port.odd.name"))["INSERT"], [["id", "5"]]);
    socket.close();
  });

  it("rels in the URL are subscriptions", async () => {
    const token = await gateway.token("guest");
    const search = `?token=${token}&rels=${encodeURIComponent("port.marks,port.berths,port.nowhere,quiet")}`;
    const socket = await new SocketClient(`${socketUrl(gateway)}/${search}`).opened();
    await socket.take({ type: "subscription_ack", id: "port.marks" });
    await socket.take({ type: "subscription_ack", id: "port.berths" });
    assert.equal((await socket.take({ id: "port.nowhere" }))["error"], "INVALID_SUBSCRIPTION");
    assert.equal((await socket.take({ id: "quiet" }))["error"], "INVALID_SUBSCRIPTION");
    await query("insert into port.marks (id) values (9)");
    assert.deepEqual((await changesOf(socket, "port.marks", "port.marks"))["INSERT"], [["id", "9"]]);
    await query("delete from port.marks");
    socket.close();
  });

  it("an impossible subscription is refused with the reason", async () => {
    const socket = await connectAs(gateway, "guest");
    for (const [members, error, words] of [
      [{ rel: "quiet" }, "NOT_ALLOWED", /./],
      [{ rel: "seen" }, "NOT_ALLOWED", /./],
      [{ rel: "nowhere" }, "INVALID_SUBSCRIPTION", /no table/],
      [{ rel: "users", schema: "portolan" }, "INVALID_SUBSCRIPTION", /no table/],
      [{ rel: "pg_authid", schema: "pg_catalog" }, "INVALID_SUBSCRIPTION", /no table/],
      [{ rel: "marks; drop table x" }, "INVALID_SUBSCRIPTION", /no table/],
      [{ rel: "marks", columns: ["nope"] }, "INVALID_SUBSCRIPTION", /nope/],
      [{ rel: "marks", where: { geom: null } }, "INVALID_SUBSCRIPTION", /geom/],
      [{ rel: "marks", where: { during: { contains: 1 } } }, "INVALID_SUBSCRIPTION", /during/],
      [{ rel: "marks", where: 5 }, "INVALID_SUBSCRIPTION", /where/],
      [{ rel: "marks", where: "id =" }, "INVALID_SUBSCRIPTION", /./],
      [{ rel: "marks", after: "x" }, "INVALID_SUBSCRIPTION", /position/],
    ] as const) {
      const answer = await socket.ask({ type: "subscription", id: "no", schema: "port", ...members });
      assert.equal(answer["error"], error, JSON.stringify([members, answer]));
      assert.match(answer["message"] as string, words);
    }
    const captain = await connectAs(gateway, "captain");
    for (const [rel, words] of [
      ["quiet", /enable_events/],
      ["seen", /no table/],
    ] as const) {
      const answer = await captain.ask({ type: "subscription", id: "no", schema: "port", rel });
      assert.equal(answer["error"], "INVALID_SUBSCRIPTION", JSON.stringify(answer));
      assert.match(answer["message"] as string, words);
    }
    socket.close();
    captain.close();
  });

  it("after resumes, and an invalid position is refused", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, { rel: "marks" });
    await query("insert into port.marks (id) values (1)");
    const { position } = await socket.take({ id: own });
    await query("insert into port.marks (id) values (2)");
    await socket.take({ id: own });
    await query("delete from port.marks");
    const again = await subscribe(socket, { rel: "marks", after: position });
    assert.deepEqual((await changesOf(socket, again, "port.marks"))["INSERT"], [["id", "2"]]);
    assert.equal((await changesOf(socket, again, "port.marks"))["DELETE"]!.length, 2);
    socket.close();
  });

  it("a column of another type, or a new one, while subscribed", async () => {
    await query(
      "create table port.turning (id int primary key, a jsonb); select portolan.enable_events('port.turning'); select portolan.share_with_owner('{port}')",
    );
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, { rel: "turning" });
    await query("insert into port.turning values (1, '{\"x\": 1}')");
    assert.deepEqual((await changesOf(socket, own, "port.turning"))["full_data"], [{ id: 1, a: { x: 1 } }]);
    await query(
      "alter table port.turning alter column a type text, alter column id type numeric, add column b int default 7",
    );
    await query("insert into port.turning values (2, 'no json')");
    assert.deepEqual((await changesOf(socket, own, "port.turning"))["full_data"], [{ id: 2, a: "no json", b: 7 }]);
    socket.close();
  });
});
