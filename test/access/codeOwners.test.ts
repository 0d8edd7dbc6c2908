/** Each way in which a relation can call a function, by what `portolan.code_owners` says of it. */
import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

/** What the author owns, in a schema of a super user, so that nothing counts for its schema alone. */
const AUTHOR = `
create role ways_author login;
create role other login;
create schema theirs authorization ways_author;
create schema ours;
grant usage on schema theirs to public;
set session authorization ways_author;
create function theirs.yes() returns boolean language plpgsql immutable as 'begin return true; end';
create function theirs.same(i int) returns int language plpgsql immutable as 'begin return i; end';
create function theirs.add(int, int) returns int language plpgsql immutable as 'begin return $1; end';
create aggregate theirs.total(int) (sfunc = theirs.add, stype = int);
create operator theirs.### (leftarg = int, rightarg = int, function = theirs.add);
create function theirs.fire() returns trigger language plpgsql as 'begin return new; end';
create function theirs.diff(int, int) returns float8 language plpgsql immutable as 'begin return 0; end';
create domain theirs.word as text check (theirs.yes());
create type theirs.kind as enum ('a');
create type theirs.pair as (a int);
create type theirs.span as range (subtype = int, subtype_diff = theirs.diff);
create table theirs.rows (id int primary key);
create view theirs.seen as select theirs.same(1) as id;
reset session authorization;
create foreign data wrapper wrapper;
create server server foreign data wrapper wrapper;
alter foreign data wrapper wrapper owner to postgres;
create type ours.kind as enum ('a');
create function ours.quiet(i int) returns int language sql immutable as 'select i';
create function ours.unread(i int) returns int language plpgsql immutable as 'begin return i; end';`;

/** A way in which `t` calls code; `made` makes it. `reads`: whether reading `t` calls it; undefined: no author's code is called. */
interface Way {
  readonly name: string;
  readonly made: string;
  readonly reads?: boolean;
  readonly via?: RegExp;
  /** Default the author. */
  readonly owner?: string;
}

const TABLE = "create table ours.t (id int primary key, n int, w text);";

const WAYS: readonly Way[] = [
  {
    name: "a policy",
    made: `${TABLE} create policy p on ours.t using (theirs.yes()); alter table ours.t enable row level security`,
    reads: true,
    via: /policy p/,
  },
  {
    name: "a policy for writing",
    made: `${TABLE} create policy p on ours.t for insert with check (theirs.yes()); alter table ours.t enable row level security`,
    reads: false,
  },
  {
    name: "a trigger",
    made: `${TABLE} create trigger f before insert on ours.t for each row execute function theirs.fire()`,
    reads: false,
    via: /trigger f/,
  },
  {
    name: "the condition of a trigger",
    made: `${TABLE} create function ours.fire() returns trigger language plpgsql as 'begin return new; end'; create trigger f before insert on ours.t for each row when (theirs.yes()) execute function ours.fire()`,
    reads: false,
  },
  { name: "a rule", made: `${TABLE} create rule r as on insert to ours.t do also select theirs.yes()`, reads: false },
  { name: "a view over a function", made: "create view ours.t as select theirs.same(1) as id", reads: true },
  { name: "a view over a relation", made: "create view ours.t as select * from theirs.rows", reads: true },
  { name: "a view over a view", made: "create view ours.t as select * from theirs.seen", reads: true },
  {
    name: "a materialised view",
    made: "create materialized view ours.t as select theirs.same(1) as id; alter materialized view ours.t owner to ways_author",
    reads: true,
  },
  { name: "a default", made: `${TABLE} alter table ours.t alter n set default theirs.same(1)`, reads: false },
  {
    name: "a generated column",
    made: "create table ours.t (id int primary key, n int generated always as (theirs.same(id)) stored)",
    reads: false,
  },
  {
    name: "a check, which may be computed while a statement is planned",
    made: `${TABLE} alter table ours.t add check (theirs.yes())`,
    reads: true,
  },
  {
    name: "an operator in a check",
    made: `${TABLE} alter table ours.t add check (n operator(theirs.###) 1 > 0)`,
    reads: true,
  },
  {
    name: "an exclusion constraint's condition",
    made: `${TABLE} alter table ours.t add exclude using btree (n with =) where (theirs.yes())`,
    reads: true,
  },
  { name: "an aggregate in a view", made: "create view ours.t as select theirs.total(1) as n", reads: true },
  { name: "a domain", made: "create table ours.t (id int primary key, w theirs.word)", reads: true, via: /word/ },
  { name: "an array of a domain", made: "create table ours.t (id int primary key, w theirs.word[])", reads: true },
  {
    name: "an enum, which may have casts",
    made: "create table ours.t (id int primary key, k theirs.kind)",
    reads: true,
  },
  { name: "a composite", made: "create table ours.t (id int primary key, k theirs.pair)", reads: true },
  { name: "a range", made: "create table ours.t (id int primary key, s theirs.span)", reads: true },
  {
    name: "a cast of a type of a super user",
    made: "create function theirs.to_text(ours.kind) returns text language plpgsql as 'begin return 1; end'; alter function theirs.to_text(ours.kind) owner to ways_author; create cast (ours.kind as text) with function theirs.to_text(ours.kind); create table ours.t (id int primary key, k ours.kind)",
    reads: true,
  },
  { name: "the expression of an index", made: `${TABLE} create index on ours.t (theirs.same(n))`, reads: true },
  { name: "the condition of an index", made: `${TABLE} create index on ours.t (n) where theirs.yes()`, reads: true },
  {
    name: "the expression of statistics",
    made: `${TABLE} create statistics ours.s on (theirs.same(n)), n from ours.t`,
    reads: true,
  },
  {
    name: "the key of partitions",
    made: "create table ours.t (n int) partition by range (theirs.same(n))",
    reads: true,
  },
  {
    name: "a partition",
    made: "create table ours.t (n int) partition by list (n); create table ours.part partition of ours.t for values in (1); alter table ours.part owner to ways_author",
    reads: true,
  },
  {
    name: "the trigger of a partition",
    made: "create table ours.t (n int) partition by list (n); create table ours.part partition of ours.t for values in (1); create trigger f before insert on ours.part for each row execute function theirs.fire()",
    reads: false,
  },
  {
    name: "a table that inherits",
    made: `${TABLE} create table ours.child () inherits (ours.t); alter table ours.child owner to ways_author`,
    reads: true,
  },
  {
    name: "the action of a foreign key",
    made: `${TABLE} alter table theirs.rows add column t int references ours.t on delete cascade`,
    reads: false,
  },
  {
    name: "a foreign table",
    made: "create foreign table ours.t (id int) server server; alter foreign table ours.t owner to ways_author",
    reads: true,
  },
  {
    name: "a computed column",
    made: `${TABLE} create function ours.label(ours.t) returns text language sql as 'select 1::text'; alter function ours.label(ours.t) owner to ways_author`,
    reads: true,
    via: /label/,
  },
  {
    name: "the right TRIGGER",
    made: `${TABLE} grant trigger on ours.t to ways_author`,
    reads: false,
    via: /TRIGGER on/,
  },
  {
    name: "the right REFERENCES",
    made: `${TABLE} grant references on ours.t to ways_author`,
    reads: false,
    via: /REFERENCES on/,
  },
  { name: "REFERENCES on a column", made: `${TABLE} grant references (id) on ours.t to ways_author`, reads: false },
  { name: "its owner", made: `${TABLE} alter table ours.t owner to ways_author`, reads: true },
  {
    name: "a function of a super user in a procedural language",
    made: `${TABLE} create policy p on ours.t using (ours.unread(id) = 1); alter table ours.t enable row level security`,
    reads: true,
    owner: "postgres",
  },
  { name: "nothing", made: TABLE },
  { name: "rights that run nothing", made: `${TABLE} grant select, insert, update, delete on ours.t to ways_author` },
  {
    name: "a function in SQL of a super user",
    made: `${TABLE} create policy p on ours.t using (ours.quiet(id) = 1); alter table ours.t enable row level security`,
  },
  { name: "an enum of a super user", made: "create table ours.t (id int primary key, k ours.kind)" },
  {
    name: "types and functions of extensions",
    made: "create table ours.t (id int primary key, g geometry); create index on ours.t using gist (g); alter table ours.t add check (st_isvalid(g))",
  },
  {
    name: "text search, collations and publications",
    made: `${TABLE} create text search dictionary theirs.d (template = simple); create text search configuration theirs.c (copy = simple); alter text search dictionary theirs.d owner to ways_author; alter text search configuration theirs.c owner to ways_author; create collation theirs.o (locale = 'C'); alter collation theirs.o owner to ways_author; alter table ours.t alter w type text collate theirs.o; create index on ours.t using gin (to_tsvector('theirs.c', w)); create publication p for table ours.t`,
  },
  { name: "an index of its own columns", made: `${TABLE} create index on ours.t (lower(w)) where n > 1` },
];

describe("portolan.code_owners", () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await database.client.query(AUTHOR);
  });
  after(() => database.drop());

  for (const { name, made, reads, via, owner = "ways_author" } of WAYS)
    it(`${name}: ${reads === undefined ? "nobody's" : reads ? "when it is read" : "when it is written"}`, async () => {
      const { client } = database;
      await client.query("begin");
      try {
        await client.query(made);
        const { rows } = await client.query<{ owner: string; via: string; reads: boolean }>(
          "select * from portolan.code_owners('ours.t')",
        );
        if (reads === undefined) return assert.deepEqual(rows, []);
        assert.ok(rows.length > 0, "no author is named");
        assert.equal(
          rows.some((row) => row.reads),
          reads,
          JSON.stringify(rows),
        );
        assert.ok(
          rows.some((row) => row.owner === owner),
          JSON.stringify(rows),
        );
        if (via)
          assert.ok(
            rows.some((row) => via.test(row.via)),
            JSON.stringify(rows),
          );
      } finally {
        await client.query("rollback");
      }
    });
});
