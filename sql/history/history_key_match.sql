-- SQL for a history trigger: that two rows have the same key, by the names of the rows there.
create or replace function portolan.history_key_match(relation regclass, one text, other text) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select string_agg(format('%1$s.%3$I = %2$s.%3$I', one, other, name), ' and ')
    from unnest(portolan.key_columns(relation)) name);
end
$$;
