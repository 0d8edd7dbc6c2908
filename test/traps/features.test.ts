import assert from "node:assert/strict";
import { trappedDatabase, type OwnerKind, type Trapped } from "./support.ts";

/** Statements that call code of the schema owner, for each place where PostgreSQL keeps code. */
const TRAPS = `
create function app.of(what text, i int) returns int language plpgsql immutable as $$
begin perform app.trap(what); return i; end $$;
create domain app.word as text check (app.trap('check of a domain'));
create domain app.amount as int check (app.trap('check of a domain in a composite'));
create type app.kind as enum ('a', 'b');
create function app.kind_text(app.kind) returns text language plpgsql as $$
begin perform app.trap('cast to text'); return 'a'; end $$;
create cast (app.kind as text) with function app.kind_text(app.kind) as assignment;
create function app.kind_json(app.kind) returns json language plpgsql as $$
begin perform app.trap('cast to json'); return '"a"'; end $$;
create cast (app.kind as json) with function app.kind_json(app.kind) as assignment;
create function app.kind_is(app.kind, app.kind) returns boolean language plpgsql as $$
begin perform app.trap('operator'); return true; end $$;
create operator app.= (leftarg = app.kind, rightarg = app.kind, function = app.kind_is);
create type app.pair as (a app.amount, b int);
create function app.span_diff(int, int) returns float8 language plpgsql immutable as $$
begin perform app.trap('subtype_diff of a range'); return $1 - $2; end $$;
create type app.span as range (subtype = int, subtype_diff = app.span_diff);
create function app.fire() returns trigger language plpgsql as $$
begin perform app.trap('trigger ' || tg_name); return coalesce(new, old); end $$;`;

const COLUMNS = `
id int primary key default app.of('default', 1), n int check (app.trap('check')), t text, w app.word, k app.kind, p app.pair,
s app.span, g int generated always as (app.of('generated column', 1)) stored, geom geometry(Point, 4326)`;

/** Objects of a table beside its columns. */
const PARTS: Readonly<Record<string, (table: string, role: string) => string>> = {
  triggers: (table) => `
create table ${table} (${COLUMNS});
create index on ${table} using gist (s);
create view ${table}_seen as select *, app.trap('view') as trapped from ${table};
create trigger fire_row before insert or update or delete on ${table} for each row execute function app.fire();
create trigger fire_when after update on ${table} for each row when (app.trap('condition of a trigger')) execute function app.fire();
create trigger fire_statement after insert or update or delete or truncate on ${table}
  for each statement execute function app.fire();`,
  policies: (table, role) => `
create table ${table} (${COLUMNS});
create function ${table}_label(${table}) returns text language plpgsql stable as $$
begin perform app.trap('computed column'); return 'a'; end $$;
alter table ${table} enable row level security, force row level security;
create policy called on ${table} using (app.trap('policy'));
create policy row_called on ${table} using (${table}_label(policies.*) is not null);
create policy pair on ${table} as restrictive for select using (p is distinct from '(7,8)'::app.pair);
create policy noted on ${table} for select to ${role} using (p = '(5,6)'::app.pair);
create policy span on ${table} as restrictive for select using (s is distinct from '[7,8]'::app.span);`,
  planned: (table) => `
create table ${table} (${COLUMNS});
create index on ${table} (app.of('expression of an index', id));
create index on ${table} (n) where app.of('condition of an index', 1) = n;
create statistics app.planned_statistics on (app.of('expression of statistics', n)), n from ${table};`,
  partitions: (table) => `
create table ${table} (${COLUMNS.replace(" primary key", "")}) partition by range (app.of('key of partitions', n));
create table ${table}_1 partition of ${table} for values from (0) to (100);
alter table ${table}_1 add primary key (id);`,
};

/** The account of a step: a super user of Portolan, the owner of schema portolan, or the schema owner. */
type Who = "captain" | "admin" | "team";
type Step = readonly [who: Who, text: string];

/** Every feature over a table, on and off, and in use. */
const stepsOf = (table: string): readonly Step[] => {
  const own = `'app.${table}'`;
  const row = (id: number): string =>
    `insert into app.${table} values (${id}, 1, 't', 'w', 'a', '(1,2)', '[1,4]', default, 'SRID=4326;POINT(1 2)')`;
  const write = [
    ["team", row(10)],
    ["team", `update app.${table} set n = 2, k = 'b' where id = 10`],
    ["captain", row(11)],
    ["captain", `update app.${table} set t = 'x' where id = 11`],
    ["captain", `delete from app.${table} where id in (10, 11)`],
  ] as const;
  const follow = [
    ["admin", "select * from portolan.follow_ddl()"],
    ["admin", "select portolan.sync_events('{app}', false)"],
  ] as const;
  return [
    ["team", row(1)],
    ["captain", `select portolan.set_privilege(${own}, 'sailor', 'write')`],
    ["captain", `select portolan.set_authentication(${own}, 'Write')`],
    ...[
      "t = ''t'' and k = ''a''",
      "p = ''(7,8)''",
      "p = ''(7,8)''::app.pair",
      "s is distinct from ''[7,8]''",
      "w = ''a''",
      "id = 1",
    ].map((filter): Step => [
      "captain",
      `select portolan.create_rule('{"table": "${table}", "schema": "app", "username": "sailor", "access": "limit", "filter": "${filter}"}')`,
    ]),
    ["captain", `select * from portolan.explain_access('sailor', ${own})`],
    ["captain", "select portolan.drop_rule(r.id) from portolan.list_rules() r where r.filter <> 'id = 1'"],
    ["captain", `select portolan.enable_events(${own})`],
    ...write,
    ["captain", "select portolan.drop_rule(r.id) from portolan.list_rules() r"],
    ...write,
    ["captain", `select portolan.enable_versioning(${own})`],
    ...write,
    ["captain", `select * from portolan.history(${own}, '1')`],
    ["captain", `select * from portolan.diff(${own}, now() - interval '1 hour')`],
    ["captain", `select portolan.restore(${own}, '1', now())`],
    ["captain", `select portolan.enable_workflow(${own})`],
    ["captain", `select portolan.set_workflow_role(${own}, 'sailor', 'author')`],
    ...write,
    ["captain", `select portolan.move_rows(${own}, '["1"]', 'drafted')`],
    ["captain", `select portolan.move_rows(${own}, '["1"]', 'published')`],
    ["captain", "select * from portolan.waiting()"],
    ["captain", `select * from portolan.waiting_rows(${own})`],
    ["captain", `select * from portolan.waiting_shapes(${own}, '1')`],
    [
      "captain",
      `select portolan.set_style(${own}, '[{"name": "a", "where": {"k": {"eq": "a"}, "w": {"eq": "b"}}, "styles": [{"color": "#ff0000"}]}]')`,
    ],
    ["captain", `select portolan.style_of(${own})`],
    ["captain", `select * from portolan.classes(${own}, 'n')`],
    ["captain", `select * from portolan.classes(${own}, 'k', 5, 'unique')`],
    ["captain", "select * from portolan.list_sizes()"],
    ["team", `alter table app.${table} add column more app.word, add column later app.span`],
    ...follow,
    ["team", `alter table app.${table} alter column t type app.word`],
    ...follow,
    ["team", `alter table app.${table} alter column t type text, alter column more type app.pair using null`],
    ...follow,
    ["team", `alter table app.${table} alter column later type int4range using null`],
    ["team", `alter table app.${table} alter column later type app.span using '[1,3]'`],
    ...follow,
    ["team", `create policy later on app.${table} as restrictive for select using (p <> '(9,9)'::app.pair)`],
    ...follow,
    ["admin", "select * from portolan.access_findings()"],
    ["admin", "select portolan.compile()"],
    ["admin", "select portolan.note_rights()"],
    ["team", `drop policy noted on app.${table}`],
    ["admin", "select portolan.restore_rights()"],
    ["admin", "select * from portolan.state_findings()"],
    ["admin", `select portolan.collections('{app}')`],
    ["admin", `select * from portolan.code_owners(${own})`],
    ["captain", `select portolan.configuration()`],
    ...write,
    ["captain", `select portolan.disable_workflow(${own})`],
    ["captain", `select portolan.disable_events(${own})`],
    ["captain", `select portolan.disable_versioning(${own})`],
    ["captain", `select portolan.enable_versioning(${own})`],
    ["captain", `select portolan.disable_versioning(${own}, true)`],
    ["captain", "select portolan.drop_rule(r.id) from portolan.list_rules() r"],
    ["team", `truncate app.${table}`],
    ["team", `drop table app.${table} cascade`],
    ...follow,
  ];
};

for (const kind of ["a super user", "a role that may make roles"] satisfies OwnerKind[]) {
  describe(`every feature over a table full of its owner's code, where Portolan's owner is ${kind}`, () => {
    let trapped: Trapped;

    before(async () => {
      trapped = await trappedDatabase(kind);
      const { client, name } = trapped.database;
      await trapped.team.query(TRAPS);
      await trapped.admin.query(
        "select portolan.create_user('captain', null, superuser => true), portolan.create_user('sailor', null)",
      );
      await client.query(`grant ${trapped.teamRole} to "owner@${name}"`);
      await trapped.admin.query("select portolan.share_with_owner('{app}')");
    });
    after(() => trapped.end());

    /** Runs one step, which may be refused. */
    async function run([who, text]: Step): Promise<void> {
      const { database, admin, team } = trapped;
      const client = { captain: database.client, admin, team }[who];
      try {
        if (who === "captain") await client.query(`set session authorization "captain@${database.name}"`);
        await client.query(text).catch(() => undefined);
      } finally {
        if (who === "captain") await client.query("reset session authorization");
      }
    }

    for (const [name, make] of Object.entries(PARTS))
      it(`runs none of it in portions, as the jobs of large tables: ${name}`, async () => {
        const table = `app.large_${name}`;
        const { client } = trapped.database;
        const [{ definition }] = (
          await client.query("select pg_get_functiondef('portolan.is_large'::regproc) as definition")
        ).rows as [{ definition: string }];
        await client.query(definition.replaceAll("100000", "0"));
        try {
          await trapped.team.query(
            make(table, trapped.teamRole)
              .replaceAll("policies.*", "large_policies.*")
              .replaceAll("_statistics", "_large"),
          );
          await trapped.admin.query("select portolan.share_with_owner('{app}')");
          for (const id of [1, 2])
            await trapped.team.query(
              `insert into ${table} values (${id}, 1, 't', 'w', 'a', '(1,2)', '[1,4]', default, 'SRID=4326;POINT(1 2)')`,
            );
          await trapped.caught();
          for (const call of ["enable_events", "enable_versioning", "enable_workflow", "disable_versioning"]) {
            await run(["captain", `select portolan.${call}('${table}')`]);
            for (let left = 50; left > 0; left--)
              if ((await trapped.admin.query("select from portolan.work_job()")).rowCount === 0) break;
            const wrong = (await trapped.caught()).filter((note) => note.endsWith(`: ${trapped.owner}`));
            assert.deepEqual(wrong, [], call);
          }
          const { rows } = await trapped.admin.query(
            "select kind, state, error from portolan.jobs where relation = $1::regclass order by id",
            [table],
          );
          const refused = /would run the code of its owner|would be affected by row-level security/;
          assert.ok(rows.length >= 2);
          for (const { kind, state, error } of rows)
            assert.ok(
              state === "done" || (state === "failed" && refused.test(String(error))),
              `${kind} ${state} ${error}`,
            );
        } finally {
          await client.query(definition);
        }
      });

    for (const [name, make] of Object.entries(PARTS))
      it(`runs it only as the role that PostgreSQL itself would use: ${name}`, async () => {
        await trapped.team.query(make(`app.${name}`, trapped.teamRole));
        await trapped.admin.query("select portolan.share_with_owner('{app}')");
        const problems: string[] = [];
        let sprung = 0;
        for (const step of stepsOf(name)) {
          await run(step);
          const caught = await trapped.caught();
          sprung += caught.length;
          const wrong = caught.filter((note) => note.endsWith(`: ${trapped.owner}`));
          problems.push(...wrong.map((note) => `${step.join(": ")}: ${note}`));
        }
        assert.deepEqual(problems, []);
        assert.ok(sprung > 0, "the traps spring, as the account that wrote");
      });
  });
}
