import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

describe("privileges on single columns", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let ann: Requests;
  let role: string;
  const path = "/schemas/harbour/tables/crew/column-privileges";
  const query = async (text: string) => (await gateway.database.client.query(text)).rows;
  const of = async () =>
    (await captain("get", path).expect(200)).body.map(
      ({ subuser, column, privileges }: { subuser: string; column: string; privileges: string[] }) =>
        `${subuser} ${column}: ${privileges.join()}`,
    );
  const set = (columns: object, dry = false) =>
    captain("patch", `${path}${dry ? "?dry=true" : ""}`, { subuser: "ann", columns });

  before(async () => {
    gateway = await testGateway({
      config: { schemas: ["world", "harbour"] },
      prepare: ({ client }) =>
        client.query(`
create schema harbour;
create table harbour.crew (id serial primary key, name text, "pay ""€""" numeric, note text);
insert into harbour.crew (name, "pay ""€""", note) values ('Bo', 10, 'x');
select portolan.create_user('ann', null);
select portolan.enable_versioning('harbour.crew')`),
    });
    [captain, ann] = (await Promise.all(["captain", "ann"].map((name) => requestsAs(gateway, name)))) as [
      Requests,
      Requests,
    ];
    role = `"ann@${gateway.database.name}"`;
  });
  after(() => gateway.close());

  it("are given and taken by GRANT and REVOKE, which dry=true shows and does not run", async () => {
    const columns = { id: ["select"], name: ["insert", "select"], note: ["select", "update"] };
    const { body } = await set(columns, true).expect(200);
    assert.equal(
      body.sql,
      `grant usage on schema harbour to ${role};
grant select (id, name, note), insert (name), update (note) on table harbour.crew to ${role};
grant usage on sequence harbour.crew_id_seq to ${role};`,
    );
    assert.deepEqual(await of(), []);
    assert.deepEqual((await set(columns).expect(200)).body, body);
    assert.deepEqual(await of(), ["ann id: select", "ann name: select,insert", "ann note: select,update"]);
    assert.deepEqual((await set(columns).expect(200)).body, { sql: "" });

    const { sql } = (await set({ name: [], 'pay "€"': ["select"] }).expect(200)).body;
    assert.equal(
      sql,
      `revoke select (name), insert (name) on table harbour.crew from ${role};
grant select ("pay ""€""") on table harbour.crew to ${role};`,
    );
    assert.deepEqual(await of(), ["ann id: select", 'ann pay "€": select', "ann note: select,update"]);
    const listed = (await captain("get", "/schemas/harbour/column-privileges").expect(200)).body;
    assert.deepEqual(listed[0], { table: "crew", subuser: "ann", column: "id", privileges: ["select"] });
  });

  it("hold at once: for rows, and for their history", async () => {
    await set({ id: ["select"], name: [], 'pay "€"': [], note: ["select", "update"] }).expect(200);
    const rows = (await ann("get", "/schemas/harbour/tables/crew/rows").expect(200)).body;
    assert.deepEqual(rows, [{ id: 1, note: "x" }]);
    const [version] = (await ann("get", "/schemas/harbour/tables/crew/history?key=1").expect(200)).body;
    assert.deepEqual(version.record, { id: 1, note: "x" });
  });

  it("stay when the privilege on the table changes, and go when it becomes none", async () => {
    const privilege = (level: string) =>
      captain("patch", "/schemas/harbour/tables/crew/privileges", { subuser: "ann", privilege: level }).expect(303);
    await privilege("read");
    assert.deepEqual(await of(), ["ann id: select", "ann note: select,update"]);
    await privilege("none");
    assert.deepEqual(await of(), []);
  });

  it("refuse what is no column, account or privilege, and are for super users", async () => {
    assert.match(problemOf(await set({ nothing: ["select"] }), 400), /harbour\.crew has no column "nothing"/);
    problemOf(await set({ ctid: ["select"] }), 400);
    problemOf(await set({ name: ["delete"] }), 400);
    problemOf(await set({ name: "select" }), 400);
    problemOf(await captain("patch", path, { subuser: "nobody-there", columns: {} }), 404);
    problemOf(await captain("patch", path.replace("crew", "nothing"), { subuser: "ann", columns: {} }), 404);
    problemOf(await ann("patch", path, { subuser: "ann", columns: { name: ["select"] } }), 403);
    problemOf(await ann("get", path), 403);
    for (const columns of ["[]", "null", '{"name": ["delete"]}', '{"name": "select"}', '{"name": [1]}'])
      await assert.rejects(
        query(`select portolan.set_column_privileges('harbour.crew', 'ann', '${columns}')`),
        ({ code }: { code: string }) => code === "PX400",
        columns,
      );
    assert.deepEqual(await of(), []);
  });

  it("are in the configuration and in the audit", async () => {
    await set({ name: ["select"] }).expect(200);
    const { tables } = (await captain("get", "/configuration").expect(200)).body;
    assert.deepEqual(tables["harbour.crew"].column_privileges, { ann: { name: ["select"] } });
    const apply = async (settings: object, prune = false) =>
      (await captain("post", `/configuration?dry=false&prune=${prune}`, { tables: { "harbour.crew": settings } })).body;
    await apply({ column_privileges: { ann: { id: ["select"], note: ["update"] } } });
    assert.deepEqual(await of(), ["ann id: select", "ann note: update"]);
    assert.deepEqual(await apply({ column_privileges: { ann: { id: ["select"], note: ["update"] } } }), []);
    await apply({ versioning: true }, true);
    assert.deepEqual(await of(), []);
    const [last] = await query(
      "select event, details from portolan.audit where event like 'column_privilege.%' order by id desc limit 1",
    );
    assert.deepEqual(last, {
      event: "column_privilege.changed",
      details: {
        by: "captain",
        user_name: "ann",
        relation: "harbour.crew",
        before: { id: ["select"], note: ["update"] },
        after: {},
      },
    });
  });
});
