import assert from "node:assert/strict";
import { trappedDatabase, type OwnerKind, type TeamKind, type Trapped } from "./support.ts";

/**
 * Code of a schema owner runs with no rights but its own and those of the calling account, whichever function of
 * Portolan reaches it.
 */
const CASES = [
  ["an author", "a super user"],
  ["an author", "a role that may make roles"],
  ["a trusted owner", "a super user"],
  ["the owner of the database", "a role that may make roles"],
] as const satisfies (readonly [TeamKind, OwnerKind])[];

for (const [teamKind, kind] of CASES) {
  describe(`the code of a schema owner that is ${teamKind}, where Portolan's owner is ${kind}`, () => {
    let trapped: Trapped;
    const admin = async (text: string) => (await trapped.admin.query(text)).rows;
    const team = async (text: string) => (await trapped.team.query(text)).rows;
    /** Follows DDL as a gateway does, if no event trigger has done it. */
    const follow = (): Promise<{ problem: string }[]> => admin("select * from portolan.follow_ddl()");

    before(async () => {
      trapped = await trappedDatabase(kind, teamKind);
    });
    after(() => trapped.end());

    it("does not run when the filter of a rule is parsed, whichever way its text becomes a value", async () => {
      const { client, name } = trapped.database;
      await team(`
create function app.parsed(int) returns boolean language plpgsql as $$ begin return app.trap('parsed'); end $$;
create domain app.parsed_int as int check (app.parsed(value));
create type app.parsed_pair as (x app.parsed_int);
create function app.takes(app.parsed_pair) returns boolean language sql immutable as 'select true';
create function app.gives(int) returns app.parsed_pair language sql immutable as 'select null::app.parsed_pair';
create function app.beside(int, app.parsed_pair) returns boolean language sql immutable as 'select true';
create operator app.<~> (leftarg = int, rightarg = app.parsed_pair, function = app.beside);
create table app.parsed (id int primary key, p app.parsed_int);`);
      await client.query(`
select portolan.create_user('captain', null, superuser => true), portolan.create_user('crew', null);
grant ${trapped.teamRole} to "owner@${name}";
create schema apart authorization ${trapped.teamRole};
create function apart.may(int, text) returns boolean language sql immutable as 'select true';
create schema ours authorization ${trapped.owner};
set role ${trapped.owner};
create function ours.takes(app.parsed_pair) returns boolean language sql immutable as 'select true';
create table ours.parsed (id int primary key, p app.parsed_int);
create table ours.beside (id int primary key, q app.parsed_pair);
reset role;`);
      await client.query(`set session authorization "captain@${name}"`);
      const told: string[] = [];
      try {
        for (const schema of ["app", "ours"])
          for (const filter of [
            "app.takes('(1)')",
            "\"app\" . takes('(1)')",
            `${name}.app.takes('(1)')`,
            "ours.takes('(1)')",
            "coalesce(app.gives(id), '(1)') is not null",
            "id operator(app.<~>) '(1)'",
            "parsed is distinct from '(1,1)'",
            "parsed.* is distinct from '(1,1)'",
            "'(1,1)'::ours.parsed is not null",
            "cast('(1,1)' as ours.parsed) is not null",
            "ours.parsed '(1,1)' is not null",
            "exists (select from ours.beside where q = '(1)')",
            "(table ours.beside) = '(1)'",
          ])
            await client
              .query("select portolan.create_rule($1)", [
                {
                  username: "crew",
                  schema,
                  table: "parsed",
                  access: "limit",
                  filter,
                },
              ])
              .then(
                () => told.push(`${schema}: ${filter}: taken`),
                (error: unknown) =>
                  (error as { code?: string }).code === "PX400" || told.push(`${schema}: ${filter}: ${String(error)}`),
              );
        for (const filter of ["id = 1", "parsed.id in (1, 2)", "p = 1 and 2.*id > 1", "lower('Parsed') = 'parsed'"])
          await client.query("select portolan.create_rule($1)", [
            {
              username: "crew",
              schema: "app",
              table: "parsed",
              access: "limit",
              filter,
            },
          ]);
        // a text that PostgreSQL would read as the type which a function, that somebody adds meanwhile, wants
        const limit = (filter: string): Promise<string> =>
          client
            .query("select portolan.create_rule($1)", [
              { username: "crew", schema: "app", table: "parsed", access: "limit", filter },
            ])
            .then(
              () => "taken",
              ({ code }: { code: string }) => code,
            );
        const ofTeam = teamKind === "an author" ? "PX400" : "taken";
        assert.equal(await limit("apart.may(id, '(1)')"), "PX400");
        assert.equal(await limit("apart.may(id, '(1)'::text)"), ofTeam);
        assert.equal(await limit(`apart.may(id, '(1)'::"int")`), "PX400");
        const ofPostgis = teamKind === "the owner of the database" ? "PX400" : "taken";
        assert.equal(await limit("st_x('POINT(1 1)') = 1"), ofPostgis);
        assert.equal(await limit("st_x('POINT(1 1)'::geometry) = 1"), "taken");
      } finally {
        await client.query("reset session authorization");
        await client.query("delete from portolan.rules");
      }
      assert.deepEqual(await trapped.caught(), []);
      assert.deepEqual(told, []);
    });

    it("does not run when a feature reads a trusted table with an index that calls it", async () => {
      await team(`
create function app.folded(int) returns int language plpgsql immutable as $$ begin perform app.trap('folded'); return 1; end $$;`);
      await admin(`
create schema if not exists ours;
create table ours.indexed (id int primary key, n int); insert into ours.indexed values (1, 1);
create index on ours.indexed (n) where app.folded(1) = n;`);
      await trapped.caught();
      const told: string[] = [];
      for (const call of ["enable_versioning", "enable_workflow", "disable_workflow", "enable_events"]) {
        const failed = await admin(`select portolan.${call}('ours.indexed')`).catch(
          ({ code }: { code: string }) => code,
        );
        const caught = await trapped.caught();
        if (caught.length > 0) told.push(`${call}: ${caught.join()}`);
        if (typeof failed === "string" && !failed.startsWith("PX4")) told.push(`${call}: ${failed}`);
      }
      assert.deepEqual(told, []);
    });

    it("does not run when a column with history becomes a domain with a check", async () => {
      await team("create table app.checked (id int primary key, c text); insert into app.checked values (1, 'a')");
      await admin("select portolan.enable_versioning('app.checked')");
      await team(`
create domain app.checked_text as text check (app.trap('check of ' || value));
alter table app.checked alter column c type app.checked_text;`);
      assert.deepEqual(await follow(), []);
      await team("update app.checked set c = 'b'");
      assert.deepEqual(await trapped.caught(), []);
      assert.deepEqual(await admin("select h.c from app__history.checked h order by h.portolan_from"), [
        { c: "a" },
        { c: "b" },
      ]);
      const { rows } = await trapped.database.client.query("select c from app__history.as_of_checked(now())");
      assert.deepEqual(rows, [{ c: "b" }]);
    });

    it("does not run when a column with history becomes another enum, and its versions follow", async () => {
      await team(`
create type app.size as enum ('s', 'm'); create type app.width as enum ('s', 'm', 'l');
create table app.cast (id int primary key, c app.size); insert into app.cast values (1, 's');
create function app.to_width(app.size) returns app.width language plpgsql as $$
begin perform app.trap('cast'); return 'l'; end $$;
create cast (app.size as app.width) with function app.to_width(app.size) as implicit;`);
      await admin("select portolan.enable_versioning('app.cast')");
      await team("update app.cast set c = 'm'");
      await team("alter table app.cast alter column c type app.width using 'l'");
      assert.deepEqual(await follow(), []);
      await team("update app.cast set c = 's'");
      assert.deepEqual(await trapped.caught(), []);
      assert.deepEqual(
        await admin("select h.c, pg_typeof(h.c)::text as type from app__history.cast h order by h.portolan_version"),
        ["s", "l", "s"].map((c) => ({ c, type: "app.width" })),
      );
    });

    it("does not run when a composite column with history becomes another", async () => {
      await team(`
create domain app.part as int check (app.trap('check in a composite'));
create type app.pair as (a int, b int); create type app.checked_pair as (a app.part, b int);
create function app.to_checked(app.pair) returns app.checked_pair language plpgsql as $$
begin perform app.trap('cast of a composite'); return null; end $$;
create cast (app.pair as app.checked_pair) with function app.to_checked(app.pair) as assignment;
create table app.pairs (id int primary key, c app.pair); insert into app.pairs values (1, '(1,2)');`);
      await admin("select portolan.enable_versioning('app.pairs')");
      await team("alter table app.pairs alter column c type app.checked_pair using '(3,4)'");
      assert.deepEqual(await follow(), []);
      await team("update app.pairs set c = '(5,6)'");
      assert.deepEqual(await trapped.caught(), []);
      // recorded versions stay, under another name
      const [row] = await admin("select to_jsonb(h) as row from app__history.pairs h where h.portolan_version = 1");
      const was = Object.entries(row.row).find(([name]) => name.startsWith("c__was_"));
      assert.deepEqual(was?.[1], { a: 1, b: 2 });
    });

    it("leaves older histories without domains, once they are followed", async () => {
      await team(`
create domain app.old_text as text check (app.trap('check of before'));
create table app.old (id int primary key, c app.old_text);`);
      await admin("select portolan.enable_versioning('app.old')");
      await admin(`
alter table app__history.old alter c type app.old_text;
update portolan.versioned_tables set seen = '' where relation = 'app.old'::regclass;`);
      await team("insert into app.old values (1, 'a')").catch(() => undefined);
      assert.deepEqual(await follow(), []);
      await team("delete from app.old; insert into app.old values (2, 'b')");
      await trapped.caught();
      await team("update app.old set c = 'c'");
      assert.deepEqual(await trapped.caught(), []);
      const [row] = await admin(`
select format_type(a.atttypid, null) as type from pg_attribute a
where a.attrelid = 'app__history.old'::regclass and a.attname = 'c'`);
      assert.deepEqual(row, { type: "text" });
    });

    it("does not run when the workflow writes the key of a row to the audit", async () => {
      await team(`
create type app.kind as enum ('a', 'b');
create function app.kind_text(app.kind) returns text language plpgsql as $$ begin perform app.trap('cast to text'); return 'x'; end $$;
create cast (app.kind as text) with function app.kind_text(app.kind);
create table app.kinds (k app.kind primary key, n int);
create table app.steps (k app.kind, yes boolean, at inet, primary key (k, yes, at));`);
      await admin("select portolan.enable_workflow('app.kinds'); select portolan.enable_workflow('app.steps')");
      await team("insert into app.kinds values ('a'); update app.kinds set n = 1; delete from app.kinds");
      await team("insert into app.steps values ('b', true, '10.0.0.1')");
      assert.deepEqual(await trapped.caught(), []);
      assert.deepEqual(
        await admin(`
select details ->> 'relation' as relation, details ->> 'key' as key, details ->> 'to' as state
from portolan.audit where event like 'workflow.%' and details ? 'key' order by id`),
        [
          { relation: "app.kinds", key: "a", state: "published" },
          { relation: "app.kinds", key: "a", state: null },
          {
            relation: "app.steps",
            key: "b,true,10.0.0.1%2F32",
            state: "published",
          },
        ],
      );
    });

    it("does not run when the status of the workflow becomes the schema owner's own type", async () => {
      await team("create table app.status (id int primary key); insert into app.status values (1)");
      await admin("select portolan.enable_workflow('app.status')");
      await team(`
create type app.level as enum ('1', '2', '3');
create function app.level_int(app.level) returns int language plpgsql as $$ begin perform app.trap('status'); return 3; end $$;
create cast (app.level as int) with function app.level_int(app.level) as implicit;
alter table app.status disable trigger user;
drop trigger _800_audit_transition on app.status;`).catch(() => undefined);
      await team(
        "alter table app.status alter portolan_status drop default, alter portolan_status type app.level using '3'",
      ).catch(() => undefined);
      await admin("select portolan.disable_workflow('app.status')").catch(() => undefined);
      assert.deepEqual(await trapped.caught(), []);
    });

    it("does not run in place of a type that the trigger of events has a variable of", async () => {
      await team("create table app.evented (id int primary key)");
      await admin("select portolan.enable_events('app.evented')");
      const { name } = trapped.database;
      await trapped.database.client.query(`grant temporary on database ${name} to ${trapped.teamRole}`);
      await team("create domain pg_temp.refcursor as pg_catalog.refcursor check (app.trap('check of refcursor'))");
      try {
        await team("insert into app.evented values (1)");
        await team("insert into app.evented values (2), (3); update app.evented set id = id + 10");
      } finally {
        await team("drop domain pg_temp.refcursor");
      }
      assert.deepEqual(await trapped.caught(), []);
    });

    it("does not run when a partition comes to a table with events", async () => {
      await team("create table app.logs (id int primary key) partition by list (id)");
      await admin("select portolan.enable_events('app.logs')");
      await team(`
create table app.log_1 partition of app.logs for values in (1);
insert into app.log_1 values (1);
alter table app.log_1 enable row level security, force row level security;
create policy seen on app.log_1 using (app.trap('policy of a partition'));`);
      await admin("select portolan.enable_events('app.logs')");
      assert.deepEqual(await trapped.caught(), []);
      // a subscriber that resumes is told to read the table again
      assert.deepEqual(
        await admin("select operation from portolan.outbox where relation = 'app.logs'::regclass order by xid"),
        [{ operation: "t" }, { operation: "t" }],
      );
    });

    it("does not run when a pyramid of tiles is told which rows of a trusted table were written", async () => {
      await team(`
create domain app.note as text check (app.trap('check of a column of another table'));
create type app.remark as (said app.note, at int);`);
      await admin(`
create schema if not exists ours;
create table ours.spots (id int, note app.note, remark app.remark, geom geometry(Point, 4326), name text, primary key (id));
select portolan.enable_events('ours.spots');
select portolan.seed_tiles('ours.spots', 2);`);
      const [{ id } = { id: 0 }] = await admin("select id from portolan.claim_pyramid()");
      await admin(`select portolan.begin_pyramid(${id}, '{}', '{}', 3857, -20037508.34, 20037508.34, 40075016.68)`);
      await admin(`
insert into ours.spots values (1, 'a, "b" (c)', '("d, e",1)', 'SRID=4326;POINT(12 55)', ')'), (2, null, null, null, 'none');
update ours.spots set geom = 'SRID=4326;POINT(13 55)', note = 'c' where id = 1;`);
      await trapped.caught();
      await admin(`select portolan.refresh_pyramid(${id})`);
      assert.deepEqual(await trapped.caught(), []);
      // where somebody else may rename the schema of PostGIS, its functions are not called: all tiles are drawn anew
      const isHeld = teamKind !== "the owner of the database";
      if (!isHeld) assert.deepEqual(await admin("select from portolan.pyramid_areas"), []);
      else
        assert.deepEqual(
          await admin(
            `select round(minx)::int as x, count(*)::int as n from portolan.pyramid_areas where pyramid = ${id} group by 1 order by 1`,
          ),
          [
            { x: 1_335_834, n: 2 },
            { x: 1_447_153, n: 1 },
          ],
        );
    });

    it("does not run when ANALYZE reads the history, as autovacuum does by itself", async () => {
      await team(`
create function app.distance(int, int) returns float8 language plpgsql immutable as $$
begin perform app.trap('subtype_diff'); return $1 - $2; end $$;
create type app.reach as range (subtype = int, subtype_diff = app.distance);
create table app.reaches (id int primary key, s app.reach, m app.reach_multirange, d app.reach[]);
insert into app.reaches
select i, app.reach(i, i + 10), app.reach_multirange(app.reach(i, i + 10)), array[app.reach(i, i + 10)] from generate_series(1, 500) i;`);
      await admin("select portolan.enable_versioning('app.reaches')");
      await team("alter table app.reaches add column later app.reach");
      await follow();
      await team("update app.reaches set later = s");
      await trapped.caught();
      await admin("analyze app__history.reaches");
      assert.deepEqual(await trapped.caught(), []);
      await team("analyze app.reaches");
      const { rows } = await trapped.database.client.query(
        "select from pg_stats where tablename = 'reaches' and attname = 's' and schemaname = 'app'",
      );
      assert.equal(rows.length, 1, "of the table itself it runs, as its owner");
    });

    it("does not run in an index of the history", async () => {
      await team(`
create function app.difference(int, int) returns float8 language plpgsql immutable as $$
begin perform app.trap('subtype_diff'); return $1 - $2; end $$;
create type app.span as range (subtype = int, subtype_diff = app.difference);
create table app.spans (id int primary key, s app.span, t text);
create index on app.spans using gist (s);
insert into app.spans select i, app.span(i, i + 10) from generate_series(1, 500) i;`);
      const notices: string[] = [];
      const listen = (notice: { message?: string | undefined }): unknown => notices.push(notice.message ?? "");
      trapped.admin.on("notice", listen);
      await admin("select portolan.enable_versioning('app.spans')");
      trapped.admin.off("notice", listen);
      await team("update app.spans set s = app.span(id, id + 20)");
      assert.deepEqual(await trapped.caught(), []);
      assert.deepEqual(
        notices.filter((notice) => notice.includes("app.spans_s_idx")),
        ["the history of app.spans has no index like app.spans_s_idx, which would run the code of its owner there"],
      );
      // one that an older version has made
      await admin(`
create index of_before on app__history.spans using gist (s);
update portolan.versioned_tables set seen = '' where relation = 'app.spans'::regclass;`);
      await trapped.caught();
      assert.deepEqual(await follow(), []);
      await team("update app.spans set s = app.span(id, id + 30)");
      assert.deepEqual(await trapped.caught(), []);
    });
  });
}
