-- A member of the caller's properties as text; null when the account lacks it. {{key}} in the filter of a rule becomes this.
create or replace function portolan.prop(key text) returns text
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (select m.properties ->> key from portolan.me m);
end
$$;
