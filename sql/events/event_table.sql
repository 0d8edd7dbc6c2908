-- The facts that the gateway needs about a table to deliver its change events; null when there is no such relation. A
-- partition is described on its own, with the name of the table it belongs to. A known table is found by its oid, which
-- stays when it is renamed. The gateway calls it; it needs no privilege on the table.
create or replace function portolan.event_table(schema_name text, table_name text, table_oid oid default null) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may read event_tables
as $$
  select jsonb_build_object(
    'oid', c.oid::bigint,
    'schema', n.nspname,
    'name', c.relname,
    'kind', c.relkind,
    'partitionOf', case when c.relispartition then pg_partition_root(c.oid)::text end,
    'active', coalesce(t.active, false),
    'rowSecurity', c.relrowsecurity,
    'version', portolan.event_version(c.oid),
    'columns', coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'number', a.attnum,
          'name', a.attname,
          'type', a.atttypid::bigint)
        order by a.attnum)
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '[]'),
    -- the types of the columns, by number
    'types', (
      select coalesce(jsonb_object_agg(y.oid, to_jsonb(y) || jsonb_build_object('oid', y.oid::bigint, 'element', y.element::bigint)), '{}')
      from portolan.type_catalogue(array(
        select a.atttypid from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)) y),
    'key', coalesce((
      select to_jsonb(k.conkey) from pg_constraint k where k.conrelid = c.oid and k.contype = 'p'), '[]'),
    'judge', case when c.relkind in ('r', 'p') then portolan.judge_sql(c.oid) end,
    -- the columns that the policies read, on which they depend; null: perhaps all, since one reads a system column, or a
    -- whole row, on which nothing depends: in the text that dumps rely on it is `name.*`
    'policyColumns', (
      select case
          when bool_or(w.is_read) or bool_or(d.refobjsubid < 0) then null
          else coalesce(jsonb_agg(distinct d.refobjsubid) filter (where d.refobjid = c.oid and d.refobjsubid > 0), '[]')
        end
      from pg_policy p
        cross join lateral (
          select regexp_replace(pg_get_expr(p.polqual, p.polrelid), '"(?:[^"]|"")*"|''(?:[^'']|'''')*''', '""', 'g') ~ '\.\*'
        ) w (is_read)
        left join pg_depend d
          on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_class'::regclass
      where p.polrelid = c.oid and p.polcmd in ('r', '*')))
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join portolan.event_tables t on t.relation = c.oid
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and c.oid = coalesce(
      table_oid,
      (select d.oid from pg_class d join pg_namespace e on e.oid = d.relnamespace
       where e.nspname = schema_name and d.relname = table_name))
$$;
