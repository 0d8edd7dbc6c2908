-- SQL for a history trigger: the columns of a table, each behind the prefix, e.g. the name of a row with its dot.
create or replace function portolan.history_columns(relation regclass, prefix text) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select string_agg(prefix || quote_ident(a.attname), ', ' order by a.attnum)
    from pg_attribute a
    where a.attrelid = relation and a.attnum > 0 and not a.attisdropped);
end
$$;
