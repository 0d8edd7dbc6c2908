-- Whether a table has so many rows that work on them is not for a request: more than 100,000.
create or replace function portolan.is_large(relation regclass) returns boolean
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_large boolean;
begin
  -- the first rows are read, and not what was counted once
  execute format('select exists (select from %s offset 100000)', relation) into v_large;
  return v_large;
exception
  when insufficient_privilege then
    return false; -- what may not be read is not copied either
end
$$;
