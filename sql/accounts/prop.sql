-- A member of the caller's properties as text; null if the account lacks it. In the filter of a rule, {{key}} becomes a
-- call of this function.
create or replace function portolan.prop(key text) returns text
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (select m.properties ->> key from portolan.me m);
end
$$;
