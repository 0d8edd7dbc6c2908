-- A member of the caller's properties as a list: its elements, or a single value as a list of one; null if the account
-- lacks it. In the filter of a rule, {{key}} becomes a call of this function where PostgreSQL expects an array.
create or replace function portolan.prop_list(key text) returns text[]
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select case jsonb_typeof(m.properties -> key)
        when 'array' then array(select jsonb_array_elements_text(m.properties -> key))
        when 'null' then null
        else array[m.properties ->> key]
      end
    from portolan.me m
    where m.properties ? key);
end
$$;
