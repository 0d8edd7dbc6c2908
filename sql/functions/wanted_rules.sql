-- What portolan.rule_map should be: each rule for each table that it means. A table is meant by its own name, and by
-- that of every table of which it is a partition or a child: whoever addresses a partition meets the rules of the whole.
create or replace function portolan.wanted_rules() returns setof portolan.rule_map
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive family (relation, ancestor) as (
    select c.oid, c.oid
    from pg_class c
    where c.relkind in ('r', 'p') and exists (select from portolan.rules) and portolan.is_team_relation(c.oid)
    union
    select f.relation, i.inhparent from family f join pg_inherits i on i.inhrelid = f.ancestor
  )
  select distinct
    f.relation::regclass,
    k.command,
    r.priority,
    r.id,
    case when r.username <> '*' then portolan.like_pattern(r.username) end,
    case r.service when '*' then null when 'rpc' then 'sql' else r.service end,
    case when r.iprange <> '*' then r.iprange::cidr end,
    left(r.access, 1)::"char"
  from family f
    join pg_class c on c.oid = f.ancestor
    join pg_namespace n on n.oid = c.relnamespace
    join portolan.rules r
      on n.nspname like portolan.like_pattern(r.schema) and c.relname like portolan.like_pattern(r."table")
    join (values ('r'::"char", 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) k (command, request)
      on r.request in ('*', k.request)
$$;

comment on function portolan.wanted_rules() is 'Each rule for each table and command that it means.';

revoke execute on function portolan.wanted_rules() from public;
