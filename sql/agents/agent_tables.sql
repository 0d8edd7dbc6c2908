-- The tables and views of these schemas on which the caller has any right, by name, for the agents' door: with its
-- rights, as portolan.list_tables shows them, and whether they have a geometry. `words`: only those whose name, comment
-- or columns contain each of these texts. `rows`: PostgreSQL's last estimate; null where row security hides some, and
-- where there is none. Security invoker, since rights are the caller's.
create or replace function portolan.agent_tables(schemas text[], words text[] default '{}')
  returns table (schema text, name text, kind text, description text, rights text[], geometry boolean, rows bigint)
  language sql stable
  set search_path = pg_catalog, pg_temp
  set jit = off -- with many tables compiling takes longer than the answer
as $$
  with relations as materialized (
    select c.oid, n.nspname, c.relname, c.relkind, c.reltuples, obj_description(c.oid, 'pg_class') as comment,
      case when c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true) else case when c.relkind = 'm' then 0 else 28 end end
        as writable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (schemas) and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and has_schema_privilege(n.oid, 'usage')
      and (has_any_column_privilege(c.oid, 'select, insert, update') or has_table_privilege(c.oid, 'delete'))
      and not exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), found as materialized (
    select r.*
    from relations r
    where not exists (
      select from unnest(words) w (word)
      where position(lower(w.word) in lower(concat_ws(' ', r.nspname, r.relname, r.comment))) = 0
        and not exists (
          select from pg_attribute a
          where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
            and has_column_privilege(r.oid, a.attnum, 'select')
            and position(lower(w.word) in lower(concat_ws(' ', a.attname, col_description(r.oid, a.attnum)))) > 0))
  ), ruled as materialized (
    -- a relation without rules is allowed: portolan.access need not be called, which takes longer than all else here
    select u.relation, u.command from portolan.ruled_commands u
  ), allowed as (
    select f.*, array(
      select k.request
      from (values ('select', 'r', 0), ('insert', 'a', 8), ('update', 'w', 4), ('delete', 'd', 16)) k (request, command, bit)
      where (k.bit = 0 or f.writable & k.bit > 0)
        and case k.request
          when 'delete' then has_table_privilege(f.oid, 'delete')
          else has_any_column_privilege(f.oid, k.request)
        end
        and case
          when (f.oid, k.command::"char") in (select u.relation, u.command from ruled u)
            then portolan.access(f.oid::regclass, k.request) <> 'deny'
          else true
        end
    ) as rights
    from found f
  )
  select
    a.nspname::text,
    a.relname::text,
    case a.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end,
    a.comment,
    a.rights,
    exists (
      select from pg_attribute t join pg_type y on y.oid = t.atttypid
      where t.attrelid = a.oid and t.attnum > 0 and not t.attisdropped and y.typname in ('geometry', 'geography')
        and has_column_privilege(a.oid, t.attnum, 'select')),
    case
      when a.relkind in ('r', 'p', 'm') and a.reltuples >= 0 and 'select' = any (a.rights) and not row_security_active(a.oid)
        then a.reltuples::bigint
    end
  from allowed a
  where a.rights <> '{}'
  order by a.nspname, a.relname
$$;
