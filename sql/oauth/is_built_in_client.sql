-- Whether the service itself signs in with this client.
create or replace function portolan.is_built_in_client(id text) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select is_built_in_client.id in ('portolan-console', 'portolan-cli')
$$;
