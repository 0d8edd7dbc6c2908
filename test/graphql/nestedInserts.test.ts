import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

describe("graphql: inserts with related rows", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create schema elsewhere;
create table elsewhere.flags (id int generated always as identity primary key, name text);
create table world.owners (id int generated always as identity primary key, name text, secret text default 'hidden');
create table world.ships (
  id int generated always as identity primary key, name text, tons int,
  owner_id int references world.owners, flag_id int references elsewhere.flags
);
create table world.voyages (
  id int generated always as identity primary key, ship_id int not null references world.ships, goal text,
  a int, b int, c int, d int, e int, f int
);
create table world.reports (id int generated always as identity primary key, voyage_id int references world.voyages, text text);
create table world.links (id int generated always as identity primary key, next_id int references world.links);
create function world.refuse() returns trigger language plpgsql as $$
begin
  if new.text = 'bad' then raise exception 'No bad reports'; end if;
  return new;
end $$;
create trigger _100_refuse before insert on world.reports for each row execute function world.refuse();
select portolan.create_user('narrow', null), portolan.create_user('blind', null), portolan.create_user('author', null);
select portolan.set_privilege(format('world.%s', t)::regclass, a, 'write')
from unnest('{owners,ships,voyages,reports,links}'::text[]) t, unnest('{guest,author}'::text[]) a;
select portolan.set_privilege('elsewhere.flags', 'guest', 'write');
do $$ begin
  execute format('grant usage on schema world to %1$I, %2$I', 'narrow@' || current_database(), 'blind@' || current_database());
  execute format('grant select (id, name), insert (name) on world.owners to %I', 'narrow@' || current_database());
  execute format('grant select, insert on world.ships to %I', 'narrow@' || current_database());
  execute format('grant insert on world.owners, world.ships to %I', 'blind@' || current_database());
end $$;
select portolan.set_workflow_role('world.reports', 'author', 'author');
select portolan.enable_workflow('world.reports');
select portolan.enable_versioning('world.ships');
select portolan.enable_events('world.ships'), portolan.enable_events('world.voyages');`),
    });
  });
  after(() => gateway.close());
  afterEach(() =>
    gateway.database.client.query(
      "delete from portolan.rules; truncate world.owners, world.links restart identity cascade",
    ),
  );

  type Answer = { data: Record<string, Rows> | null; errors?: { message: string; extensions: { code: string } }[] };
  const ask = async (query: string, variables?: object, account = "guest"): Promise<Answer> =>
    (await gateway.graphql(account, "world", query, variables)).body as Answer;
  const rows = async (text: string): Promise<Rows> => (await gateway.database.client.query(text)).rows as Rows;
  const count = async (): Promise<Rows> =>
    rows(`select (select count(*)::int from world.owners) as owners, (select count(*)::int from world.ships) as ships,
      (select count(*)::int from world.voyages) as voyages, (select count(*)::int from world.reports) as reports`);
  const NOTHING = [{ owners: 0, ships: 0, voyages: 0, reports: 0 }];
  /** Asserts that nothing was written. */
  const refusal = async (query: string, variables?: object, account?: string): Promise<readonly [string, string]> => {
    const { data, errors } = await ask(query, variables, account);
    assert.equal(data, null);
    assert.equal(errors?.length, 1, JSON.stringify(errors));
    assert.deepEqual(await count(), NOTHING);
    return [errors[0]!.extensions.code, errors[0]!.message];
  };

  const FLEET = `mutation ($data: JSON) { insertOwners(data: $data) {
    name ships { name _version voyages { goal reports { text } } } } }`;
  const fleet = (text = "good"): object => ({
    data: { name: "Ann", ships: [{ name: "Argo", voyages: [{ goal: "fleece", reports: [{ text }] }] }] },
  });

  it("write events and history as any writer does, in one transaction", async () => {
    await gateway.database.client.query("delete from portolan.outbox");
    const { data, errors } = await ask(
      `mutation { insertVoyages(objects: [{goal: "x", ships: {name: "One", owners: {name: "Ann"}}}, {goal: "y", ships: {name: "Two"}}]) { goal ships { name owners { name } } } }`,
    );
    assert.equal(errors, undefined, JSON.stringify(errors));
    assert.deepEqual(data, {
      insertVoyages: [
        { goal: "x", ships: { name: "One", owners: { name: "Ann" } } },
        { goal: "y", ships: { name: "Two", owners: null } },
      ],
    });
    assert.deepEqual(
      await rows(`select relation::regclass::text, operation, r, xid = min(xid) over () as together
        from portolan.outbox, unnest(new) r order by id`),
      [
        { relation: "world.ships", operation: "i", r: "(1,One,,1,)", together: true },
        { relation: "world.ships", operation: "i", r: "(2,Two,,,)", together: true },
        { relation: "world.voyages", operation: "i", r: "(1,1,x,,,,,,)", together: true },
        { relation: "world.voyages", operation: "i", r: "(2,2,y,,,,,,)", together: true },
      ],
    );
    const history = await rows(
      "select h.record ->> 'name' as name, h.written_by from world.ships s, portolan.history('world.ships', s.id::text) h order by 1",
    );
    assert.deepEqual(
      history.map(({ name }) => name),
      ["One", "Two"],
    );
    assert.ok(history.every(({ written_by }) => String(written_by).startsWith("guest")));
    await gateway.database.client.query("delete from world.voyages; delete from world.ships");
  });

  it("follow the workflow of each table: an author's rows are drafts, an account without a role is refused and nothing is written", async () => {
    const [code, message] = await refusal(FLEET, fleet());
    assert.equal(code, "FORBIDDEN");
    assert.match(message, /^data\.ships\.0\.voyages\.0\.reports\.0: insert of a row needs the role author/);
    const { data, errors } = await ask(FLEET, fleet(), "author");
    assert.equal(errors, undefined, JSON.stringify(errors));
    const [owner] = data!["insertOwners"]!;
    assert.deepEqual((owner!["ships"] as { voyages: unknown }[])[0]!.voyages, [
      { goal: "fleece", reports: [{ text: "good" }] },
    ]);
    assert.deepEqual(await rows("select portolan_status as status from world.reports"), [{ status: 1 }]);
  });

  it("are undone completely by an error at the deepest row, with the path to it", async () => {
    assert.deepEqual(await refusal(FLEET, fleet("bad"), "author"), [
      "BAD_USER_INPUT",
      "data.ships.0.voyages.0.reports.0: No bad reports",
    ]);
  });

  it("are under the grants of each table and column", async () => {
    const insert = "mutation ($data: JSON) { insertShips(data: $data) { name owners { name } } }";
    const { data, errors } = await ask(insert, { data: { name: "Argo", owners: { name: "Ann" } } }, "narrow");
    assert.equal(errors, undefined, JSON.stringify(errors));
    assert.deepEqual(data, { insertShips: [{ name: "Argo", owners: { name: "Ann" } }] });
    await gateway.database.client.query("truncate world.owners cascade");
    const [column] = await refusal(insert, { data: { name: "x", owners: { name: "y", secret: "z" } } }, "narrow");
    assert.equal(column, "FORBIDDEN");
    const [table] = await refusal(insert, { data: { name: "x", voyages: [{ goal: "y" }] } }, "narrow");
    assert.equal(table, "FORBIDDEN");
    const [unread] = await refusal(
      "mutation ($data: JSON) { insertShips(data: $data) { __typename } }",
      { data: { name: "x", owners: { name: "y" } } },
      "blind",
    );
    assert.equal(unread, "FORBIDDEN", "a key that may not be read cannot be referred to");
  });

  it("are under the rules of each table", async () => {
    const rule = (access: string, table: string, request: string, filter: string | null = null) =>
      gateway.database.client.query(
        `insert into portolan.rules (username, schema, "table", request, access, filter) values ('guest', 'world', $1, $2, $3, $4)`,
        [table, request, access, filter],
      );
    const insert = "mutation ($data: JSON) { insertOwners(data: $data) { name ships { name } } }";
    const variables = { data: { name: "Ann", ships: [{ name: "Argo", tons: 20 }] } };
    await rule("deny", "ships", "insert");
    const direct = await refusal("mutation { insertShips(data: {}) { name } }");
    assert.equal(direct[0], "FORBIDDEN");
    assert.deepEqual(await refusal(insert, variables), direct, "refused before anything is run");
    assert.deepEqual(
      await refusal('mutation { insertOwners(objects: [{name: "x"}, {name: "x", ships: [{}]}]) { name } }'),
      direct,
    );
    assert.equal((await ask(insert, { data: { name: "Alone" } })).errors, undefined);
    await gateway.database.client.query("delete from portolan.rules; truncate world.owners cascade");
    await rule("limit", "ships", "*", "tons < 10");
    assert.equal((await refusal(insert, variables))[0], "FORBIDDEN");
    const { errors } = await ask(insert, { data: { name: "Ann", ships: [{ name: "Skiff", tons: 1 }] } });
    assert.equal(errors, undefined, JSON.stringify(errors));
  });

  it("name the row of many that was refused, by a value, a trigger or a rule", async () => {
    const insert = "mutation ($objects: [JSON]) { insertOwners(objects: $objects) { id } }";
    const owners = (child: (owner: number, ship: number) => object): object => ({
      objects: Array.from({ length: 9 }, (_, owner) => ({
        ships: Array.from({ length: 7 }, (__, ship) => child(owner, ship)),
      })),
    });
    const isOne = (owner: number, ship: number): boolean => owner === 5 && ship === 3;
    const tons = owners((...at) => ({ tons: isOne(...at) ? "2147483648" : 1 }));
    assert.match((await refusal(insert, tons))[1], /^objects\.5\.ships\.3\.tons: /);
    const parents = {
      objects: [1, 2, 3, 99].map((id) => ({ name: "x", ships: [{ flag_id: id === 99 ? 99 : null }] })),
    };
    assert.match((await refusal(insert, parents))[1], /^objects\.3\.ships\.0: .* violates foreign key constraint/);
    const reports = owners((...at) => ({
      voyages: [{ goal: "x", reports: [{ text: isOne(...at) ? "bad" : "good" }] }],
    }));
    assert.deepEqual(await refusal(insert, reports, "author"), [
      "BAD_USER_INPUT",
      "objects.5.ships.3.voyages.0.reports.0: No bad reports",
    ]);
    await gateway.database.client.query(
      "insert into portolan.rules (username, schema, \"table\", access, filter) values ('guest', 'world', 'ships', 'limit', 'tons < 10')",
    );
    const [code, message] = await refusal(
      insert,
      owners((...at) => ({ tons: isOne(...at) ? 10 : 1 })),
    );
    assert.equal(code, "FORBIDDEN");
    assert.match(message, /^objects\.5\.ships\.3: /);
    const [, denied] = await refusal(
      "mutation ($objects: [JSON]) { insertShips(objects: $objects) { __typename } }",
      { objects: [1, 2].map(() => ({ voyages: [{ goal: "x" }] })) },
      "narrow",
    );
    assert.match(denied, /^objects\.\*\.voyages\.0: permission denied for table voyages/);
  });

  it("reach no table that this schema has no insert for", async () => {
    assert.deepEqual(await refusal('mutation { insertShips(data: {flags: {name: "x"}}) { id } }'), [
      "BAD_USER_INPUT",
      "data.flags: rows cannot be inserted into that table",
    ]);
  });

  it("take more values than a statement has parameters, and each row refers to its own", async () => {
    const ships = Array.from({ length: 99 }, (_, ship) => ({
      name: `s${ship}`,
      voyages: Array.from({ length: 100 }, (__, n) => ({ goal: `s${ship}`, a: n, b: n, c: n, d: n, e: n, f: n })),
    }));
    const { data, errors } = await ask("mutation ($objects: [JSON]) { insertShips(objects: $objects) { name } }", {
      objects: ships,
    });
    assert.equal(errors, undefined, JSON.stringify(errors));
    assert.deepEqual(
      data!["insertShips"]!.map(({ name }) => name),
      ships.map(({ name }) => name),
    );
    assert.deepEqual(
      await rows(`select count(*)::int as all, count(*) filter (where s.name = v.goal)::int as own, count(distinct ship_id)::int as ships
        from world.voyages v join world.ships s on s.id = v.ship_id`),
      [{ all: 9900, own: 9900, ships: 99 }],
    );
    await gateway.database.client.query("delete from world.voyages; delete from world.ships");
  });

  it("have limits of depth and of rows, all of them counted together", async () => {
    const chain = (depth: number): object => (depth === 1 ? {} : { linksByNextId: chain(depth - 1) });
    const insert = "mutation ($data: JSON) { insertLinks(data: $data) { id } }";
    assert.equal((await ask(insert, { data: chain(12) })).errors, undefined);
    const [code, message] = await refusal(insert, { data: chain(13) });
    assert.equal(code, "LIMIT_EXCEEDED");
    assert.match(message, /^data(\.linksByNextId){12}: nested deeper than 12$/);
    const [wide] = await refusal("mutation ($objects: [JSON]) { insertOwners(objects: $objects) { id } }", {
      objects: Array.from({ length: 100 }, () => ({ ships: Array.from({ length: 100 }, () => ({})) })),
    });
    assert.equal(wide, "LIMIT_EXCEEDED");
    assert.deepEqual(await rows("select count(*)::int as n from world.links"), [{ n: 12 }]);
  });
});
