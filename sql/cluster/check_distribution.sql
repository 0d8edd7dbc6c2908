-- Refuses a column by which a table cannot be distributed: each unique key must have it, since no shard knows the keys of
-- others, and Citus must be able to find rows by it. Raises PX400.
create or replace function portolan.check_distribution(relation regclass, column_name text) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_number smallint := (
    select a.attnum from pg_attribute a
    where a.attrelid = relation and a.attname = column_name and a.attnum > 0 and not a.attisdropped);
  v_index regclass;
  v_type regtype := (select a.atttypid from pg_attribute a where a.attrelid = relation and a.attnum = v_number);
begin
  if v_number is null then
    raise exception '% has no column "%"', relation, column_name using errcode = 'PX400';
  end if;
  if portolan.lost_by_shards(v_type) then
    raise exception '% cannot be distributed by "%", whose type % is a domain with a constraint: Citus finds no rows by such a column',
      relation, column_name, v_type using errcode = 'PX400';
  end if;
  select i.indexrelid::regclass into v_index
  from pg_index i
  where i.indrelid = relation and i.indisunique and not v_number = any (i.indkey::smallint[])
  order by not i.indisprimary, i.indexrelid::regclass::text
  limit 1;
  if found then
    raise exception '% cannot be distributed by "%", which is not in its unique key %', relation, column_name, v_index
      using errcode = 'PX400';
  end if;
end
$$;
