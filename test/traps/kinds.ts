/** Every kind of code that an author can have, each where a statement over a relation reaches it. */

/** The columns of most relations, with types that have code of their own. */
const COLUMNS = `
id int primary key default app.of('default', 100000 + (random() * 1e9)::int), n int check (app.trap('check')), t text, w app.word, ws app.word[], k app.kind,
p app.pair, g int generated always as (app.of('generated column', 1)) stored, geom geometry(Point, 4326)`;

const ROWS = (table: string): string => `
insert into ${table} (id, n, t, w, ws, k, p, geom)
select i, 1, 'a', 'w', '{w}', 'a', '(1,2)', st_setsrid(st_makepoint(i, i), 4326) from generate_series(1, 3) i;`;

/** The types, functions and operators of the relations. The author makes them. */
export const OF_AUTHOR = `
create domain app.word as text check (app.trap('domain'));
create domain app.amount as int check (app.trap('domain in a composite'));
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
create function app.add(int, int) returns int language plpgsql immutable as $$
begin perform app.trap('aggregate'); return coalesce($1, 0) + coalesce($2, 0); end $$;
create aggregate app.sum(int) (sfunc = app.add, stype = int);
create function app.span_diff(int, int) returns float8 language plpgsql immutable as $$
begin perform app.mark('support function of a range'); return $1 - $2; end $$;
create type app.span as range (subtype = int, subtype_diff = app.span_diff);
create function app.fire() returns trigger language plpgsql as $$
begin perform app.trap('trigger: ' || tg_argv[0]); return coalesce(new, old); end $$;`;

/** The relations of the author. */
const RELATIONS: Readonly<Record<string, string>> = {
  triggers: `
create table app.triggers (${COLUMNS});
create trigger fire_row before insert or update or delete on app.triggers for each row execute function app.fire('row');
create trigger fire_when after update on app.triggers for each row when (app.trap('condition of a trigger')) execute function app.fire('when');
create trigger fire_statement after insert or update or delete or truncate on app.triggers
  for each statement execute function app.fire('statement');
create constraint trigger fire_late after insert or update on app.triggers deferrable initially deferred
  for each row execute function app.fire('deferred');
create function app.triggers_label(o app.triggers) returns text language plpgsql stable as $$
begin perform app.trap('computed column'); return 'a'; end $$;
create function app.triggers_others(o app.triggers) returns setof app.triggers language plpgsql stable as $$
begin perform app.trap('computed rows'); return query select * from app.triggers where id < 3; end $$;`,
  policies: `
create table app.policies (${COLUMNS});
alter table app.policies enable row level security;
create policy seen on app.policies for select using (app.trap('policy'));
create policy added on app.policies for insert with check (app.trap('policy of INSERT'));
create policy changed on app.policies for update using (app.trap('policy of UPDATE')) with check (app.trap('policy of UPDATE'));
create policy removed on app.policies for delete using (app.trap('policy of DELETE'));
create policy alike on app.policies as restrictive for select using (k operator(app.=) 'a');
create policy pair on app.policies as restrictive for select using (p is distinct from '(7,8)'::app.pair);`,
  planned: `
create table app.planned (${COLUMNS});
create index on app.planned (app.of('expression of an index', id));
create index on app.planned (n) where app.of('condition of an index', 1) = n;
create statistics app.planned_statistics on (app.of('expression of statistics', n)), n from app.planned;`,
  ranges: `
create table app.ranges (id int primary key, s app.span, t text, geom geometry(Point, 4326));
insert into app.ranges select i, app.span(i, i + 10), 'a', st_setsrid(st_makepoint(i % 180, i % 90), 4326) from generate_series(1, 300) i;
create index on app.ranges using gist (s);
analyze app.ranges;
create policy seen on app.ranges using (s && app.span(0, 1000));
alter table app.ranges enable row level security;`,
  partitions: `
create table app.partitions (${COLUMNS.replace(" primary key", "")}) partition by range (app.of('key of partitions', n));
create table app.partitions_1 partition of app.partitions for values from (0) to (100);
alter table app.partitions_1 add primary key (id);`,
  ruled: `
create table app.ruled (${COLUMNS});
create rule added as on insert to app.ruled do also select app.trap('rule');
create rule changed as on update to app.ruled do also select app.trap('rule');`,
  parents: `
create table app.parents (id int primary key, t text, geom geometry(Point, 4326));
create table app.children (id int primary key references app.parents on delete cascade on update cascade, t text,
  exclude using btree (t with =) where (app.of('exclusion constraint', 1) = 1));
create trigger fire before delete or update on app.children for each row execute function app.fire('action of a foreign key');
insert into app.parents select i, 'a', st_setsrid(st_makepoint(i, i), 4326) from generate_series(1, 9) i;
insert into app.children select i, i::text from generate_series(1, 9) i;`,
  seen: `create view app.seen as select *, app.trap('view') as trapped, k::text as kind from app.triggers;
comment on view app.seen is '@primaryKey id';`,
  totals: "create view app.totals as select t, app.sum(n) as total, min(id) as id from app.triggers group by t;",
  instead: `
create view app.instead as select id, t, geom from app.triggers where app.trap('condition of a view');
create trigger fire instead of insert or update or delete on app.instead for each row execute function app.fire('instead of');`,
  kept: `create materialized view app.kept as select id, t, geom from app.triggers with no data;
create index on app.kept (app.of('index of a materialized view', id));
refresh materialized view app.kept;`,
  remote: `
create view app.remote_rows as select id, t, app.trap('foreign table') as trapped from app.triggers;
create foreign table app.remote (id int, t text, trapped boolean) server loop options (schema_name 'app', table_name 'remote_rows');`,
};

/** Relations of trusted roles to which the author has attached something. */
const TRUSTED: Readonly<Record<string, string>> = {
  guarded: `
create table ours.guarded (id int primary key, t text, geom geometry(Point, 4326));
create policy seen on ours.guarded using (app.trap('policy of a trusted table'));
alter table ours.guarded enable row level security;
insert into ours.guarded values (1, 'a', 'SRID=4326;POINT(1 1)')`,
  listened: `
create table ours.listened (id int primary key, t text, geom geometry(Point, 4326));
grant trigger on ours.listened to AUTHOR;
insert into ours.listened values (1, 'a', 'SRID=4326;POINT(1 1)')`,
  family: `
create table ours.family (id int primary key, t text, geom geometry(Point, 4326));
create table ours.child (check (app.of('table that inherits', 1) = 1)) inherits (ours.family);
alter table ours.child owner to AUTHOR;
insert into ours.family values (1, 'a', 'SRID=4326;POINT(1 1)')`,
  typed: `
create table ours.typed (id int primary key, t text, w app.word, ws app.word[], k app.kind, p app.pair, geom geometry(Point, 4326));
insert into ours.typed values (1, 'a', 'w', '{w}', 'a', '(1,2)', 'SRID=4326;POINT(1 1)')`,
  unread: `
create table ours.unread (id int primary key, t text, geom geometry(Point, 4326));
create function ours.reads() returns boolean language plpgsql as $$
begin return app.trap('body of a trusted function'); end $$;
create policy seen on ours.unread using (ours.reads());
alter table ours.unread enable row level security;
insert into ours.unread values (1, 'a', 'SRID=4326;POINT(1 1)')`,
};

/** The author attaches this to one of them, by its right. */
const ON_TRUSTED = `
create trigger fire before insert or update or delete on ours.listened for each row execute function app.fire('on a trusted table');`;

/** Functions that GraphQL shows and SQL calls. */
const FUNCTIONS = `
create function app.total() returns int language plpgsql stable as $$ begin perform app.trap('function'); return 1; end $$;
create function app.act() returns int language plpgsql volatile as $$ begin perform app.trap('function that writes'); return 1; end $$;
create function app.rows_of() returns setof app.triggers language plpgsql stable as $$
begin perform app.trap('function of rows'); return query select * from app.triggers; end $$;
create function app.as_owner() returns int language plpgsql stable security definer as $$
begin perform app.trap('function with the rights of its owner'); return 1; end $$;`;

/** By `schema.name`. */
export const TABLES: readonly string[] = [
  ...Object.keys(RELATIONS).map((name) => `app.${name}`),
  ...Object.keys(TRUSTED).map((name) => `ours.${name}`),
];

/** The notes that each of them writes. */
export const KINDS: readonly string[] = [
  ...new Set(
    [OF_AUTHOR, ...Object.values(RELATIONS), ...Object.values(TRUSTED), ON_TRUSTED, FUNCTIONS]
      .join("\n")
      .matchAll(/app\.(?:(?:trap|of|mark)|fire)\('([^']+)'/g)
      .map(([all, what = ""]) => (all.startsWith("app.fire") ? `trigger: ${what}` : what))
      .filter((what) => what !== "trigger: "),
  ),
];

/** Objects that an author cannot have: the statement that would make them is refused when the author runs it. */
export const REFUSED: Readonly<Record<string, string>> = {
  "event trigger": "create event trigger trapped on ddl_command_end execute function app.on_ddl()",
  conversion: "create conversion app.trapped for 'LATIN1' to 'UTF8' from app.convert",
  "operator class": "create operator class app.kinds default for type app.kind using btree as operator 3 app.=",
  "base type": "create type app.base (input = app.base_in, output = app.base_out)",
  "foreign data wrapper": "create foreign data wrapper trapped",
  language: "create language trapped handler plpgsql_call_handler",
  "text search parser":
    "create text search parser app.parser (start = prsd_start, gettoken = prsd_nexttoken, end = prsd_end, lextypes = prsd_lextype)",
};

/** Functions with the signatures that REFUSED needs, as far as the author may make them. */
const FOR_REFUSED = `
create function app.on_ddl() returns event_trigger language plpgsql as $$ begin perform app.trap('event trigger'); end $$;`;

/** All of it, for a super user to run in one session. `url`: of the author, for its foreign server. */
export function kindsSql(author: string, { host, port, name }: { host: string; port: string; name: string }): string {
  const asAuthor = [OF_AUTHOR, ...Object.values(RELATIONS), FUNCTIONS, FOR_REFUSED].join("\n");
  return `
create schema ours;
grant usage on schema ours to public;
create extension postgres_fdw;
grant usage on foreign data wrapper postgres_fdw to ${author};
set session authorization ${author};
grant usage on schema app to public;
create server loop foreign data wrapper postgres_fdw options (host '${host}', port '${port}', dbname '${name}');
create user mapping for public server loop options (user '${author}', password 'author');
${asAuthor}
${["triggers", "policies", "planned", "partitions", "ruled"].map((table) => ROWS(`app.${table}`)).join("\n")}
grant select, insert, update, delete on all tables in schema app to public;
reset session authorization;
${Object.values(TRUSTED).join(";\n").replaceAll("AUTHOR", author)};
set session authorization ${author};
${ON_TRUSTED}
reset session authorization;
grant select, insert, update, delete on all tables in schema ours to public;`;
}
