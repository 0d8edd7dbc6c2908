-- The schemas that the service shows: those of the configuration, as the gateway recorded them at its start, or the default.
create or replace function portolan.shown_schemas() returns text[]
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select array(select jsonb_array_elements_text(s.value)) from portolan.settings s where s.name = 'schemas'),
    portolan.exposed_schemas())
$$;
