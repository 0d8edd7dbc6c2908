-- The wanted content of portolan.rule_map: each rule for each table that it names. A rule for a table also means its
-- partitions and children: a statement that addresses a partition meets the rules of the whole table.
create or replace function portolan.wanted_rules() returns setof portolan.rule_map
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive patterns as materialized (
    select
      r.*,
      portolan.like_pattern(r.schema) as schemas,
      portolan.like_pattern(r."table") as tables,
      array[case when r.schema !~ '[*?]' then r.schema end, case when r."table" !~ '[*?]' then r."table" end] as names,
      case when r.username <> '*' then portolan.like_pattern(r.username) end as users
    from portolan.rules r
  ), teams as materialized (
    select c.oid, c.relname, n.nspname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p')
      and n.nspname !~ '^pg_'
      and n.nspname not in ('information_schema', 'portolan')
      and n.nspname not in (select h.name from portolan.history_schemas h)
      and exists (select from portolan.rules)
  ), family (relation, ancestor) as (
    select t.oid, t.oid from teams t
    union
    select f.relation, i.inhparent from family f join pg_inherits i on i.inhrelid = f.ancestor
  )
  select distinct
    f.relation::regclass,
    k.command,
    r.priority,
    r.id,
    r.users,
    case r.service when '*' then null when 'rpc' then 'sql' else r.service end,
    case when r.iprange <> '*' then r.iprange::cidr end,
    left(r.access, 1)::"char",
    r.mfa
  from family f
    join teams t on t.oid = f.ancestor
    -- found by a hash of the names that are no globs: there may be thousands of both
    cross join lateral (values
      (array[t.nspname::text, t.relname::text]), (array[t.nspname::text, null]), (array[null, t.relname::text]),
      (array[null, null]::text[])) n (names)
    join patterns r on r.names = n.names and t.nspname like r.schemas and t.relname like r.tables
    join (values ('r'::"char", 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) k (command, request)
      on r.request in ('*', k.request)
  where not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = f.relation and d.deptype = 'e')
$$;
