import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

interface Table {
  readonly name: string;
  readonly kind: string;
  readonly rights: readonly string[];
  readonly key: readonly string[];
  readonly graphql_type: string | null;
  readonly foreign_keys: readonly object[];
  readonly columns: readonly {
    readonly name: string;
    readonly rights: readonly string[];
    readonly values: readonly string[] | null;
    readonly graphql_field: string | null;
    readonly generated: boolean;
  }[];
}

describe("/api/v4/schemas/{schema}/tables", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client, name }) =>
        client.query(`
create table world.parts (
  id int generated always as identity primary key, open text, secret text, twice int generated always as (2) stored,
  "odd name" text, mood world.hemisphere, city_id int references world.cities on delete cascade);
grant select (id, open, mood), update (open), insert (open) on world.parts to "guest@${name}";
create view world.totals as select count(*) from world.cities;
grant all on world.totals to "guest@${name}";
create type world.berth as (dock text, place int);
create table world.moored (id int primary key, berth world.berth, earlier world.berth[]);
create table world.hidden (id int primary key);
create table world.refers (
  code text primary key, city_id int references world.cities, other_id int references world.cities, hidden_id int references world.hidden);
grant select (city_id, hidden_id) on world.refers to "guest@${name}"`),
    });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  const tables = async (as: Requests): Promise<Map<string, Table>> => {
    const { body } = await as("get", "/schemas/world/tables").expect(200);
    return new Map((body as Table[]).map((table) => [table.name, table]));
  };

  it("only signed-in accounts learn which schemas are exposed", async () => {
    const { body } = await guest("get", "/schemas").expect(200);
    assert.deepEqual(body, [{ name: "world" }]);
    await gateway.http.get("/api/v4/schemas").expect(401);
  });

  it("each account sees the tables that it has a right to, with the right", async () => {
    const [own, all] = [await tables(guest), await tables(captain)];
    assert.deepEqual(own.get("cities")?.rights, ["select"]);
    assert.deepEqual(own.get("logbook")?.rights, ["select", "insert", "update", "delete"]);
    assert.equal(own.has("hidden"), false);
    assert.deepEqual(all.get("hidden")?.rights, ["select", "insert", "update", "delete"]);
    assert.deepEqual(own.get("parts")?.rights, ["select", "insert", "update"]);
    assert.deepEqual(
      own.get("parts")?.columns.map(({ name, rights }) => [name, ...rights]),
      [
        ["id", "select"],
        ["open", "select", "insert", "update"],
        ["mood", "select"],
      ],
    );
    assert.deepEqual(own.get("totals")?.rights, ["select"], "PostgreSQL cannot write this view, whatever is granted");
  });

  it("says which tables the account may alter", async () => {
    const { client, name } = gateway.database;
    await client.query(`
create table world.own (id int primary key);
alter table world.own owner to "guest@${name}";
create table world.shared (id int primary key);
alter table world.shared owner to "owner@${name}"`);
    const alterable = async (as: Requests) =>
      [...(await tables(as)).values()].filter(({ rights }) => rights.includes("alter")).map((table) => table.name);
    assert.deepEqual(await alterable(guest), ["own"]);
    const all = await alterable(captain);
    assert.deepEqual([all.includes("shared"), all.includes("own"), all.includes("parts")], [true, false, false]);
    await client.query("drop table world.own, world.shared");
  });

  it("gives keys, labels, generated columns and the names of GraphQL", async () => {
    const parts = (await tables(captain)).get("parts")!;
    assert.deepEqual([parts.kind, parts.key, parts.graphql_type], ["table", ["id"], "Parts"]);
    const column = (name: string) => parts.columns.find((each) => each.name === name)!;
    assert.deepEqual(column("mood").values, ["northern", "southern", "both"]);
    assert.deepEqual([column("id").generated, column("id").rights], [true, ["select"]]);
    assert.deepEqual([column("twice").generated, column("twice").rights], [true, ["select"]]);
    assert.equal(column("open").graphql_field, "open");
    assert.equal(column("odd name").graphql_field, "odd_name");
    const moored = (await tables(captain)).get("moored")!;
    assert.deepEqual(
      moored.columns.map((each) => each.graphql_field),
      ["id", "berth", "earlier"],
    );
    assert.deepEqual(parts.foreign_keys, [
      { columns: ["city_id"], schema: "world", table: "cities", references: ["id"] },
    ]);
    const { body } = await captain("get", "/schemas/world/tables/parts").expect(200);
    assert.deepEqual(body, parts);
  });

  it("shows a key, and the target of a foreign key, only if the account may see those columns", async () => {
    const [own, all] = [await tables(guest), await tables(captain)];
    assert.deepEqual([own.get("refers")?.key, all.get("refers")?.key], [[], ["code"]]);
    const cities = { columns: ["city_id"], schema: "world", table: "cities", references: ["id"] };
    assert.deepEqual(own.get("refers")?.foreign_keys, [cities]);
    assert.deepEqual(own.get("parts")?.foreign_keys, []);
    assert.equal(all.get("refers")?.foreign_keys.length, 3);
  });

  it("a row that a rule forbids the account to write is refused in words, with the rule", async () => {
    const { client } = gateway.database;
    await client.query("insert into world.parts (open) values ('a')");
    const rule = { access: "limit", username: "guest", request: "update", schema: "world", table: "parts" };
    const { headers } = await captain("post", "/rules", { ...rule, filter: "open = 'a'" }).expect(201);
    const id = headers["location"]?.split("/").at(-1);
    const { body } = await gateway.graphql(
      "guest",
      "world",
      `mutation { updateParts(where: {open: {eq: "a"}}, data: {open: "b"}) { id } }`,
    );
    assert.deepEqual(
      [body.errors[0].message, body.errors[0].extensions.code],
      [`the rules do not let the account write such a row into "parts" (rule ${id})`, "FORBIDDEN"],
    );
    await captain("delete", `/rules/${id}`).expect(204);
    await client.query("delete from world.parts");
  });

  it("a rule that denies takes the right away, at once", async () => {
    const { body } = await captain("post", "/rules", {
      access: "deny",
      username: "guest",
      table: "logbook",
      request: "delete",
    }).expect(201);
    assert.deepEqual((await tables(guest)).get("logbook")?.rights, ["select", "insert", "update"]);
    await captain("delete", `/rules/${body.id}`).expect(204);
    assert.deepEqual((await tables(guest)).get("logbook")?.rights, ["select", "insert", "update", "delete"]);
  });

  it("shows super users, and nobody else, the privileges of all accounts on tables", async () => {
    const { body } = await captain("get", "/schemas/world/privileges").expect(200);
    assert.deepEqual(
      body.filter(({ table }: { table: string }) => ["logbook", "cities", "hidden"].includes(table)),
      [
        { table: "cities", subuser: "guest", privilege: "read" },
        { table: "logbook", subuser: "guest", privilege: "write" },
      ],
    );
    problemOf(await guest("get", "/schemas/world/privileges"), 403);
    problemOf(await captain("get", "/schemas/portolan/privileges"), 404);
  });

  it("a missing or invisible table is 404, and an anonymous caller gets 401", async () => {
    problemOf(await guest("get", "/schemas/portolan/tables"), 404);
    problemOf(await guest("get", "/schemas/world/tables/hidden"), 404);
    problemOf(await captain("get", "/schemas/world/tables/nothing"), 404);
    problemOf(await gateway.http.get("/api/v4/schemas/world/tables"), 401);
  });
});
