-- Names of volatile functions of extensions that change nothing and leave nothing on the session.
create or replace function portolan.harmless_of_extensions() returns text[]
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select '{st_generatepoints, uuid_generate_v1, uuid_generate_v1mc, uuid_generate_v4}'::text[]
$$;
