-- The authentication level of the last set_authentication, or Read/write.
create or replace function portolan.authentication_of(relation regclass) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else reads portolan.authentication
as $$
  select coalesce(
    (select a.level from portolan.authentication a where a.relation = authentication_of.relation), 'Read/write')
$$;
