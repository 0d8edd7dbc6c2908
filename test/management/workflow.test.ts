import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

interface Shape {
  readonly type: string;
  readonly srid: number;
  readonly points: number;
  readonly plane: boolean;
  readonly approximate: string | null;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

describe("workflow over REST: waiting rows, and moving them", () => {
  let gateway: TestGateway;
  const as: Record<string, Requests> = {};
  const ROWS = "/schemas/town/tables/notes/workflow/rows";
  const run = async (text: string) => (await gateway.database.client.query(text)).rows;
  const keys = async (account: string, query = "") =>
    (await as[account]!("get", `${ROWS}${query}`).expect(200)).body.map(({ key }: { key: string }) => key);

  before(async () => {
    gateway = await testGateway({
      kind: "portolan",
      config: { schemas: ["town"] },
      prepare: async ({ client }) => {
        await client.query(`
create schema town;
create table town.notes (id int primary key, t text);
insert into town.notes values (2, 'other');
create table town.plain (id int primary key);
select portolan.enable_versioning('town.notes');
select portolan.enable_workflow('town.notes');`);
        for (const [account, role] of [
          ["ada", "author"],
          ["rea", "reviewer"],
          ["pia", "publisher"],
          ["joe", "none"],
        ])
          await client.query(
            `select portolan.create_user('${account}', null);
             select portolan.set_privilege('town.notes', '${account}', 'write');
             select portolan.set_privilege('town.plain', '${account}', 'write');
             select portolan.set_workflow_role('town.notes', '${account}', '${role}')`,
          );
      },
    });
    for (const account of ["ada", "rea", "pia", "joe"]) as[account] = await requestsAs(gateway, account);
    const write = async (account: string, query: string) =>
      assert.equal((await gateway.graphql(account, "town", `mutation { ${query} }`)).body.errors, undefined);
    const move = (account: string, to: string) => as[account]!("post", ROWS, { to, rows: [{ key: "5" }] }).expect(204);
    await write("ada", `insertNotes(data: {id: 5, t: "as published"}) { id }`);
    await move("pia", "published");
    await move("pia", "drafted");
    await write("ada", `updateNotes(id: "5", data: {t: "changed"}) { id }`);
    await move("rea", "reviewed");
    await write("ada", `insertNotes(objects: [{id: 3, t: "a"}, {id: 4, t: "b"}]) { id }`);
  });
  after(() => gateway.close());

  it("gives each account its role, and the waiting rows that it sees", async () => {
    const waiting = async (account: string) => (await as[account]!("get", "/workflow").expect(200)).body;
    const of = (role: string, drafted: number, reviewed: number) => [
      { schema: "town", table: "notes", role, drafted, reviewed },
    ];
    assert.deepEqual(await waiting("ada"), of("author", 2, 1));
    assert.deepEqual(await waiting("rea"), of("reviewer", 2, 1));
    assert.deepEqual(await waiting("joe"), []);
    assert.deepEqual(await keys("ada"), ["3", "4", "5"]);
    assert.deepEqual(await keys("rea", "?state=reviewed"), ["5"]);
    assert.deepEqual(await keys("rea", "?limit=1&offset=1"), ["4"]);
    assert.deepEqual(await keys("joe"), []);
    assert.equal((await as["rea"]!("get", "/schemas/town/tables/notes").expect(200)).body.workflow, "reviewer");
  });

  it("shows a row as it is, and as it was last published", async () => {
    const { body } = await as["rea"]!("get", ROWS).expect(200);
    assert.deepEqual(
      body.map(({ record, published, author }: Record<string, unknown>) => [record, published, author]),
      [
        [{ id: 3, t: "a" }, null, "ada"],
        [{ id: 4, t: "b" }, null, "ada"],
        [{ id: 5, t: "changed" }, { id: 5, t: "as published" }, "ada"],
      ],
    );
  });

  it("moves many rows at once, all or none, and only unchanged ones", async () => {
    const { body } = await as["rea"]!("get", `${ROWS}?state=drafted`).expect(200);
    const rows = body.map(({ key, version }: Record<string, string>) => ({ key, version }));
    await run("update town.notes set t = 'b, later', portolan_status = -1 where id = 4");
    assert.match(problemOf(await as["rea"]!("post", ROWS, { to: "reviewed", rows }), 409), /1 of 2 rows/);
    assert.deepEqual(await keys("rea", "?state=drafted"), ["3", "4"]);
    assert.match(
      problemOf(await as["rea"]!("post", ROWS, { to: "published", rows: [{ key: "3" }] }), 403),
      /needs the role publisher/,
    );
    await as["rea"]!("post", ROWS, { to: "reviewed", rows: [{ key: "3" }, { key: "4" }] }).expect(204);
    assert.deepEqual(await keys("rea", "?state=reviewed"), ["3", "4", "5"]);
    await as["pia"]!("post", ROWS, { to: "published", rows: [{ key: "3" }, { key: "5" }] }).expect(204);
    await as["pia"]!("post", ROWS, { to: "drafted", rows: [{ key: "4" }] }).expect(204);
    assert.deepEqual(await run("select id, portolan_status as s from town.notes order by 1"), [
      { id: 2, s: 3 },
      { id: 3, s: 3 },
      { id: 4, s: 1 },
      { id: 5, s: 3 },
    ]);
  });

  it("gives the geometries of a row for a map, before and after, in degrees", async () => {
    await run(`
create table town.places (id int primary key, g geometry, c geometry);
select portolan.enable_versioning('town.places');
select portolan.enable_workflow('town.places');
select portolan.set_workflow_role('town.places', 'rea', 'reviewer');
select portolan.set_privilege('town.places', 'rea', 'write');
insert into town.places values
  (1, 'SRID=3857;POINT(111319.49079327358 0)', 'SRID=4326;CURVEPOLYGON(CIRCULARSTRING(0 0, 1 1, 2 0, 1 -1, 0 0))'),
  (2, 'POINT(5 6)', 'POINT EMPTY'),
  (3, 'SRID=4326;POINT(NaN 1)', null),
  (4, st_setsrid(st_buffer('POINT(0 0)', 1, 30000), 4326), null),
  (5, 'SRID=3857;POINT(7 8)', null);
update town.places set portolan_status = -3`);
    await run(`
update town.places set g = 'SRID=3857;POINT(222638.98158654716 0)', portolan_status = -1 where id = 1;
update town.places set g = null, portolan_status = -1 where id = 5;
update town.places set portolan_status = -1 where id in (2, 3, 4)`);
    const PLACES = "/schemas/town/tables/places/workflow";
    const of = async (key: string, account = "rea") => {
      const { body } = await as[account]!("get", `${PLACES}/shapes?key=${encodeURIComponent(key)}`).expect(200);
      return body as { column: string; before: Shape; after: Shape }[];
    };
    const point = (...coordinates: number[]) => ({ type: "Point", coordinates });
    const [g, c] = await of("1");
    assert.deepEqual(
      [g!.column, g!.before.geometry, g!.after.geometry, g!.after.srid, g!.after.plane],
      ["g", point(1, 0), point(2, 0), 3857, false],
    );
    assert.deepEqual(
      [c!.after.type, c!.after.approximate, c!.after.geometry.type],
      ["CurvePolygon", "arcs", "Polygon"],
    );
    const [plane, empty] = await of("2");
    assert.deepEqual([plane!.after.geometry, plane!.after.plane, plane!.after.srid], [point(5, 6), true, 0]);
    assert.deepEqual([empty!.after.geometry, empty!.after.points, empty!.after.type], [null, 0, "Point"]);
    assert.equal((await of("3"))[0]!.after.geometry, null);
    const huge = (await of("4"))[0]!.after;
    assert.deepEqual([huge.points, huge.approximate], [120_001, "points"]);
    const [ring] = huge.geometry.coordinates as number[][][];
    assert.ok(ring!.length > 50 && ring!.length < 10_000, `${ring!.length} points`);
    const [gone] = await of("5");
    assert.deepEqual([gone!.before.points, gone!.after], [1, null]);
    const { body } = await as["rea"]!("get", `${PLACES}/rows`).expect(200); // GeoJSON has no words for some of them
    assert.deepEqual(
      [body[0].record.c, body[2].record.g],
      ["SRID=4326;CURVEPOLYGON(CIRCULARSTRING(0 0,1 1,2 0,1 -1,0 0))", "SRID=4326;POINT(NaN 1)"],
    );
    for (const key of [...INJECTIONS.filter((text) => !text.includes("\0")), "77"]) assert.deepEqual(await of(key), []);
    problemOf(await as["rea"]!("get", `${PLACES}/shapes`), 400);
    problemOf(await as["joe"]!("get", `${PLACES}/shapes?key=1`), 404);
  });

  it("reports errors, and moves no hidden or missing rows", async () => {
    problemOf(await gateway.http.get("/api/v4/workflow"), 401);
    problemOf(await as["ada"]!("get", `${ROWS}?state=published`), 400);
    assert.match(problemOf(await as["ada"]!("get", "/schemas/town/tables/plain/workflow/rows"), 400), /no workflow/);
    problemOf(await as["ada"]!("post", ROWS, { to: "sent", rows: [{ key: "4" }] }), 400);
    problemOf(await as["ada"]!("post", ROWS, { to: "drafted", rows: [] }), 400);
    problemOf(await as["joe"]!("post", ROWS, { to: "published", rows: [{ key: "4" }] }), 409);
    for (const key of [...INJECTIONS.filter((text) => !text.includes("\0")), "77"])
      problemOf(await as["pia"]!("post", ROWS, { to: "published", rows: [{ key }] }), 409);
    const rows = [{ key: "4", version: "') or true --" }];
    problemOf(await as["pia"]!("post", ROWS, { to: "published", rows }), 409);
    assert.deepEqual(await run("select portolan_status as s from town.notes where id = 4"), [{ s: 1 }]);
  });
});
