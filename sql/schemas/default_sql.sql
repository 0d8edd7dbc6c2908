-- A default in SQL: {"value": …}, a literal, or {"function": name}, one of a short list. Raises PX400.
create or replace function portolan.default_sql(wanted jsonb) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_functions constant jsonb := '{"now": "now()", "current_date": "current_date", "gen_random_uuid": "gen_random_uuid()", "current_user": "current_user"}';
begin
  if wanted ? 'value' then
    return quote_nullable(wanted ->> 'value');
  elsif v_functions ? (wanted ->> 'function') then
    return v_functions ->> (wanted ->> 'function');
  end if;
  raise exception 'a default must be {"value": …} or {"function": one of %}',
    (select string_agg(k, ', ') from jsonb_object_keys(v_functions) k) using errcode = 'PX400';
end
$$;
