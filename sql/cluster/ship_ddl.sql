-- Sets whether Citus does the following DDL and locks of the transaction on its nodes too, on or off; null changes nothing.
-- Returns how it was; null without Citus.
create or replace function portolan.ship_ddl(setting text) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_before text;
begin
  if setting is not null and portolan.has_citus() then
    v_before := current_setting('citus.enable_ddl_propagation');
    perform set_config('citus.enable_ddl_propagation', setting, true);
  end if;
  return v_before;
end
$$;
