/**
 * Rows under a policy and columns without a grant have no influence on the answers to an account that may not see them.
 */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

type Ask = readonly [query: string, variables?: object];

const list = (args: string, selection = "id"): Ask => [`{ getShips(${args}) { ${selection} } }`];
const page = (args: string, selection = "nodes { id }"): Ask => [`{ pageShips(${args}) { ${selection} } }`];
const groups = (args: string, selection = "count"): Ask => [`{ aggregateShips${args} { ${selection} } }`];
const having = (filter: object, by = "null"): Ask => [
  `query ($having: JSON) { aggregateShips(groupBy: ${by}, having: $having) { count } }`,
  { having: filter },
];
const upsert = (row: object, onConflict: object): Ask => [
  "mutation ($data: JSON, $onConflict: JSON) { insertShips(data: $data, onConflict: $onConflict) { id } }",
  { data: { owner: "me", ...row }, onConflict },
];

/** Every argument that takes a column, with one that the account may not select. */
const NAMING_A_COLUMN: Readonly<Record<string, Ask>> = {
  where: list("where: {secret: 1}"),
  "where of two columns": list('where: {cql2: {op: "<", args: [{property: "tons"}, {property: "secret"}]}}'),
  "where of a parent": list("where: {owners: {secret: 1}}"),
  "where of a parent in CQL2": list('where: {cql2: {op: "=", args: [{property: "owners.secret"}, 1]}}'),
  "where of what is computed": list("where: {risk: 2}"),
  "where of a table without a grant, beside what holds": list("where: {or: [{id: {gt: 0}}, {locked: {}}]}, limit: 0"),
  "where of a table without a grant, beside what does not": list("where: {and: [{or: []}, {locked: null}]}"),
  orderBy: list('orderBy: {secret: "asc"}'),
  "orderBy of no row": list('orderBy: {secret: "asc"}, limit: 0'),
  "orderBy of what is computed": page('orderBy: {risk: "asc"}', "totalCount"),
  "orderBy of a parent": list('orderBy: {owners: {secret: "asc"}}'),
  distinctOn: list('distinctOn: "secret", limit: 0'),
  "distinctOn, the first by a parent": list('distinctOn: "tons", orderBy: [{tons: "asc"}, {owners: {secret: "asc"}}]'),
  "distinctOn, counted": page('distinctOn: "secret"', "totalCount"),
  "distinctOn of children": ['{ getOwners { ships(distinctOn: "secret") { id } } }'],
  near: list('orderBy: {place: {near: {type: "Point", coordinates: [0, 0]}}}'),
  count: ["{ countShips(where: {secret: 1}) }"],
  "page, where": page("where: {secret: 1}", "pageInfo { hasNextPage }"),
  "page, orderBy": page('orderBy: {secret: "asc"}, first: 0'),
  "page, orderBy of what is only counted": page('orderBy: {secret: "asc"}', "totalCount"),
  "page, orderBy of nothing": page('orderBy: {secret: "asc"}', "pageInfo { __typename }"),
  "page, orderBy of a parent": page('orderBy: {owners: {secret: "asc"}}', "pageInfo { endCursor }"),
  groupBy: groups('(groupBy: "secret")', "__typename"),
  "groupBy of a parent": groups('(groupBy: "owners.secret", limit: 0)'),
  having: having({ "max.secret": { gt: 1 } }),
  "having beside what holds": having({ or: [{ count: { gte: 0 } }, { "countDistinct.secret": 1 }] }),
  "having in CQL2": having({ cql2: { op: ">", args: [{ property: "max.secret" }, 1] } }),
  "orderBy of groups": groups('(orderBy: {max: {secret: "asc"}})'),
  sum: groups("", "sum { secret }"),
  min: groups("(limit: 0)", "min { secret }"),
  distinct: groups("", "countDistinct { secret }"),
  extent: groups("", "extent { place }"),
  "groups of children": ["{ getOwners { shipsAggregate(where: {secret: 1}) { count } } }"],
  "max of children": ["{ getOwners { shipsAggregate { max { secret } } } }"],
  "children, orderBy": ['{ getOwners { ships(orderBy: {secret: "asc"}) { id } } }'],
  "update, where": ["mutation { updateShips(where: {secret: 1}, data: {name: null}) { id } }"],
  "delete, where": ["mutation { deleteShips(where: {secret: 1}, maxAffected: 0) { id } }"],
  change: ["mutation { updateShips(id: 1, change: {secret: {inc: 1}}) { id } }"],
  "conflict, update": upsert({ id: 1 }, { update: ["secret"] }),
  "conflict, where": upsert({ id: 1, name: "x" }, { update: ["name"], where: { secret: 1 } }),
  "update, and what is computed of it": ["mutation { updateShips(id: 1, data: {name: null}) { risk } }"],
  "insert, and what is in its parent": [
    'mutation { insertShips(data: {id: 99, owner: "me", owners: {id: 99, name: "x"}}) { owners { secret } } }',
  ],
  "insert of related rows": ['mutation { insertShips(data: {id: 99, owner: "me", locked: [{id: 1}]}) { id } }'],
  "a version that is a guess, and where": [
    'mutation { updateShips(id: 1, ifMatch: "x", where: {secret: 1}, data: {name: null}) { id } }',
  ],
};

/** Requests from which an account might learn about rows of others. None of them writes rows that it may see. */
const LOOKING: readonly Ask[] = [
  list('orderBy: {tons: "desc"}', "id name _version nodeId owners { name _version ships { id } }"),
  list('where: {not: {tons: {gt: 50}}}, orderBy: {owners: {name: "desc_nulls_last"}}'),
  list('where: {cql2: {op: "=", args: [{op: "/", args: [1, {op: "-", args: [{property: "tons"}, 15]}]}, 1]}}'),
  list('where: {name: {regex: "9$"}}'),
  list('distinctOn: "owner_id", orderBy: [{owner_id: "asc"}, {tons: "desc"}]', "id owner_id"),
  page('distinctOn: "name"', "nodes { id } totalCount"),
  ['{ getOwners { ships(distinctOn: "at", orderBy: {at: "desc"}) { id } } }'],
  ["{ countShips countOwners a: countOwners(where: {ships: {tons: {gt: 10}}}) b: countOwners(where: {ships: null}) }"],
  groups("", "count countDistinct { tons name } sum { tons } min { name tons } max { tons at } stddev { tons }"),
  groups('(groupBy: "owners.name", orderBy: {max: {tons: "desc"}})', "by { owners { name } } count avg { tons }"),
  groups('(groupBy: {at: "month"}, orderBy: {count: "desc"})', "by { at } count"),
  having({ "sum.tons": { gt: 100 } }, '"owner_id"'),
  ['{ getOwners { name shipsAggregate(orderBy: {count: "desc"}) { count max { tons } } } }'],
  page(
    'first: 3, orderBy: {tons: "desc"}',
    "edges { cursor } pageInfo { hasNextPage startCursor endCursor } totalCount",
  ),
  page('last: 3, orderBy: {owners: {name: "asc"}}', "edges { cursor node { id } } pageInfo { hasPreviousPage }"),
  [`{ node(nodeId: "${Buffer.from("Ships:15").toString("base64url")}") { nodeId } }`],
  ...[{ tons: { gt: 5 } }, { tons: { lt: 5 } }, { name: { like: "%1%" } }, { owners: { name: "Ann" } }].map((where) =>
    upsert({ id: 15, name: "mine" }, { update: ["name"], where }),
  ),
  upsert(
    { id: 15, name: "mine" },
    { update: ["name"], where: { cql2: { op: "=", args: [{ op: "/", args: [1, { property: "tons" }] }, 1] } } },
  ),
  upsert({ id: 15, name: "mine" }, { update: ["name"] }),
  upsert({ id: 15, name: "mine" }, { update: [] }),
  upsert({ id: 99, code: "c15" }, { columns: ["code"], update: [] }),
  ['mutation { insertShips(data: {id: 99, code: "c15", owner: "me"}) { id } }'],
  [
    'mutation { insertOwners(data: {id: 77, name: "x", ships: [{id: 98, owner: "me"}, {id: 15, owner: "me"}]}) { id } }',
  ],
  ["mutation { updateShips(where: {tons: {gte: 11}}, data: {name: null}, maxAffected: 0) { id } }"],
  ['mutation { updateShips(id: 15, ifMatch: "1-(0,15)-1", data: {name: null}) { id } }'],
  ["mutation { deleteShips(id: 15, where: {tons: {gt: 5}}) { id } }"],
];

describe("graphql: hidden rows and columns", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create table world.owners (id int primary key, name text, secret int);
create table world.ships (
  id int primary key, owner_id int references world.owners, name text, tons int, code text unique, at timestamptz,
  owner text, secret int, place public.geometry(Point, 4326)
);
create table world.locked (id int primary key, ship_id int references world.ships);
create function world.ships_risk(s world.ships) returns int language sql stable as 'select s.secret * 2';
insert into world.owners values (1, 'Ann', 1), (2, 'Bob', 2), (3, 'Eve', 3);
insert into world.ships
select i, i % 3 + 1, 'ship ' || i, i, 'c' || i, '2024-01-01Z'::timestamptz + i * interval '9 days',
  case when i <= 10 then 'me' else 'others' end, i, public.st_setsrid(public.st_point(i, i), 4326)
from generate_series(1, 20) i;
alter table world.ships enable row level security;
create policy own on world.ships using (owner = 'me');
select portolan.create_user('narrow', null);
select portolan.set_privilege(format('world.%s', t)::regclass, 'guest', 'write') from unnest('{owners,ships}'::text[]) t;
do $$ declare account text := 'narrow@' || current_database(); begin
  execute format('grant usage on schema world to %I', account);
  execute format('grant select (id, name), insert (id, name) on world.owners to %I', account);
  execute format('grant select (id, owner_id, name, tons, code, at, owner), insert (id, owner_id, name, code, owner), update (name), delete on world.ships to %I', account);
end $$;`),
    });
  });
  after(() => gateway.close());

  const tokens = new Map<string, Promise<string>>();
  const ask = async (account: string, [query, variables]: Ask) => {
    if (!tokens.has(account)) tokens.set(account, gateway.token(account));
    const request = gateway.http.post("/api/graphql/schema/world").auth(await tokens.get(account)!, { type: "bearer" });
    const { body } = await request.send({ query, variables });
    return body as { errors?: { extensions: { code: string } }[] };
  };
  /** The same, but planned, where PostgreSQL would answer by itself. */
  const planned = ([query, ...more]: Ask): Ask => [query.replace("{", "{ __typename @include(if: true)"), ...more];

  it("a column that may not be selected is forbidden in every argument", async () => {
    for (const [what, asked] of Object.entries(NAMING_A_COLUMN))
      for (const each of [asked, planned(asked)]) {
        const { errors } = await ask("narrow", each);
        assert.equal(errors?.[0]?.extensions.code, "FORBIDDEN", `${what}: ${each[0]} ${JSON.stringify(errors)}`);
      }
  });

  it("other rows, and columns without a grant, change no answer", async () => {
    const look = async (account: string): Promise<string[]> => {
      const answers: string[] = [];
      for (const asked of LOOKING.flatMap((each) => (each[0].startsWith("mutation") ? [each] : [each, planned(each)])))
        answers.push(`${asked[0]} ${JSON.stringify(asked[1])}: ${JSON.stringify(await ask(account, asked))}`);
      return answers;
    };
    const { client } = gateway.database;
    const before = [await look("guest"), await look("narrow")];
    assert.ok(before.every((answers) => !answers.some((answer) => answer.includes("INTERNAL"))));
    await client.query(`
update world.ships set name = 'ninety 99', tons = tons * 1000, at = '1999-01-01Z', owner_id = 1, secret = 0, place = null where owner = 'others';`);
    assert.deepEqual(await look("guest"), before[0]);
    await client.query("update world.ships set tons = 0, owner_id = null, name = null where owner = 'others'");
    assert.deepEqual(await look("guest"), before[0]);
    // each update is a new version for accounts that may select the whole row, but none for others
    await client.query("update world.ships set secret = -secret, place = null; update world.owners set secret = 0");
    assert.deepEqual(await look("narrow"), before[1]);
  });
});
