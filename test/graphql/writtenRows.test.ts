import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** Columns whose JSON loses a part of the value: functions must get the value itself. */
const PREPARE = `
create type world.kind as enum ('small', 'large');
create type world.size as (width numeric, note text);
create table world.every (
  id int primary key, name text, curve geometry, place geometry(PointZM, 25832), sphere geography, big bigint, share float8,
  exact numeric, moment timestamptz, lasting interval, bytes bytea, data jsonb, words text[], shapes geometry[], kind world.kind,
  size world.size, span tstzrange, at point, area box2d);
insert into world.every
select i, 'a "b", \\c', 'COMPOUNDCURVE((0 0, 1 1),CIRCULARSTRING(1 1, 2 0, 3 1))',
  'SRID=25832;POINTZM(500000.123456789 5700000.5 7 8)', 'POINT(10.0000000000001 50)', 9007199254740993, 'NaN', 'infinity',
  '0044-03-15 BC', '1 mon 2 days', '\\x0001ff', '{"a": [1, null]}', '{"x,y",NULL,"\\""}',
  array['GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT EMPTY))'::geometry, null], 'large', '(1.50,)', '(,2026-01-01]',
  point(1, 2), 'BOX(1 2,3 4)'::box2d
from generate_series(1, 4) i;
insert into world.every (id) values (5);
create table world.parts (id int primary key, every_id int references world.every);
insert into world.parts select i, i from generate_series(1, 5) i;
create function world.every_told(e world.every) returns text language sql immutable as $$ select e::text $$;
create function world.every_all_told(e world.every) returns setof text language sql stable as $$ select e::text from generate_series(1, 2) $$;
create function world.every_same(e world.every) returns world.every language sql immutable as $$ select e $$;
create function world.every_near(e world.every) returns setof world.every language sql stable as $$
  select * from world.every where id between e.id - 1 and e.id + 1 order by id $$;
create function world.every_twice(e world.every) returns setof world.every language plpgsql stable as $$ begin
  return next e; return next e; end $$;
create function world.touch(id int) returns world.every language sql volatile as $$
  update world.every e set name = name where e.id = touch.id returning * $$;
create function world.touch_all() returns setof world.every language sql volatile as $$
  update world.every e set name = name returning * $$;
create function world.part_and_row(id int, out part int, out every world.every) language sql volatile as $$
  select part_and_row.id, e from world.every e where e.id = part_and_row.id $$;
select portolan.set_privilege(format('world.%s', t)::regclass, 'guest', 'write') from unnest('{every,parts}'::text[]) t;`;

/** Types and values of keys. Some are not JSON. */
const KEYS: readonly (readonly [string, string])[] = [
  ["float8", "NaN"],
  ["float8", "-infinity"],
  ["numeric", "1e50"],
  ["timestamptz", "infinity"],
  ["date", "0044-03-15 BC"],
  ["interval", "1 mon 2 days 03:04:05.678901"],
  ["bytea", "\\x0001ff"],
  ["int4range", "empty"],
  ["tstzrange", "(,2026-01-01]"],
  ["text[]", '{"a,b",NULL}'],
  ["jsonb", '{"a": [1, 1.50, null]}'],
  ["geometry", "SRID=25832;POINTZ(1 2 3)"],
  ["geometry(Point, 4326)", "POINT(1.00000000000001 2)"],
  ["geography", "POINT(1 2)"],
  ["world.size", "(1.50,)"],
];

const KEYED = KEYS.map(
  ([type, value], at) => `
create table world.key_${at} (k ${type} primary key, n int default 1);
create table world.of_key_${at} (id int primary key, k_id ${type} references world.key_${at});
insert into world.key_${at} values ('${value}');
insert into world.of_key_${at} values (1, '${value}');
select portolan.set_privilege(format('world.%s', t)::regclass, 'guest', 'write') from unnest('{key_${at},of_key_${at}}'::text[]) t;`,
).join("");

const FIELDS = `id told allTold same { told twice { told } near(limit: 2, where: {id: {gte: 1}}) { told } } twice { told same { told } parts { id } }
  near(limit: 2, orderBy: {id: "desc"}) { id told near(offset: 1) { told allTold } parts { every { twice { told } } } }`;

/** The ways to write rows, and how the list of written rows is read. */
const WRITES: Readonly<Record<string, string>> = {
  "an update of one row": "updateEvery(id: 2, data: {big: 1})",
  "an update of all": "updateEvery(where: {id: {gt: 0}}, data: {big: 1})",
  "an insert": 'insertEvery(data: {id: 9, name: "new", sphere: {type: "Point", coordinates: [9, 50]}})',
  "a delete": "deleteEvery(id: 4)",
  "a function that writes one row": "touch(id: 2)",
  "a function that writes rows": "touchAll",
};

describe("graphql: functions and relations of written rows", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({ prepare: ({ client }) => client.query(PREPARE + KEYED) });
    await gateway.database.client.query("delete from world.parts where id = 4");
  });
  after(() => gateway.close());

  type Row = Readonly<Record<string, any>>; // oxlint-disable-line typescript/no-explicit-any
  async function ask(query: string, variables: object = {}): Promise<Row> {
    const { body } = await gateway.graphql("guest", "world", query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Row;
  }

  /** PostgreSQL's text of each row, by the key. */
  async function texts(): Promise<Map<string, string>> {
    const { rows } = await gateway.database.client.query<{ id: string; told: string }>(
      "select id::text, e::text as told from world.every e",
    );
    return new Map(rows.map(({ id, told }) => [id, told]));
  }

  for (const [name, write] of Object.entries(WRITES))
    it(`get the rows themselves, as in a query: ${name}`, async () => {
      const before = await texts();
      const { written } = await ask(`mutation { written: ${write} { ${FIELDS} } }`);
      const rows = (Array.isArray(written) ? written : [written]) as Row[];
      assert.ok(rows.length > 0);
      const after = await texts();
      for (const row of rows) {
        const told = after.get(row["id"]) ?? before.get(row["id"]);
        assert.ok(told);
        assert.equal(row["told"], told);
        assert.deepEqual(row["allTold"], [told, told]);
        assert.equal(row["same"].told, told);
        assert.deepEqual(
          row["twice"].map((twice: Row) => twice["told"]),
          [told, told],
        );
        assert.deepEqual(row["same"].twice, [{ told }, { told }]);
      }
      if (name === "a delete") return;
      const { getEvery } = await ask(`query ($ids: JSON) { getEvery(where: {id: {in: $ids}}) { ${FIELDS} } }`, {
        ids: rows.map(({ id }) => id as string),
      });
      const inOrder = [...rows].sort((one, other) => Number(one["id"]) - Number(other["id"]));
      assert.deepEqual(inOrder, getEvery);
    });

  for (const [at, [type, value]] of KEYS.entries())
    it(`lead to the rows at both ends of a key, ${type} ${value}`, async () => {
      const here = `Key${at}`;
      const { parent, children } = await ask(`mutation {
  parent: updateOfKey${at}(id: 1, data: {id: 1}) { id key${at} { n } }
  children: update${here}(where: {n: 1}, data: {n: 1}) { n ofKey${at} { id } } }`);
      assert.deepEqual(parent, [{ id: "1", [`key${at}`]: { n: 1 } }]);
      assert.deepEqual(children, [{ n: 1, [`ofKey${at}`]: [{ id: "1" }] }]);
    });
});
