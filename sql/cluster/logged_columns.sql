-- The columns of a table and their types, in order, as pgoutput names them: each is an array of its name and a text of the
-- type. PostgreSQL's own types have the same object id on each node; of any other it is the name, of a domain that of its base.
create or replace function portolan.logged_columns(relation oid) returns jsonb
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive types as (
    select a.attnum, a.attname, a.atttypid as own, a.atttypid as base
    from pg_attribute a
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    union all
    select k.attnum, k.attname, k.own, t.typbasetype
    from types k join pg_type t on t.oid = k.base and t.typtype = 'd'
  )
  select jsonb_agg(
    jsonb_build_array(
      k.attname,
      case when k.own < 10000::oid then k.own::text else concat_ws('.', nullif(n.nspname, 'pg_catalog'), t.typname) end)
    order by k.attnum)
  from types k
    join pg_type t on t.oid = k.base and t.typtype <> 'd'
    join pg_namespace n on n.oid = t.typnamespace
$$;
