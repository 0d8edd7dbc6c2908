-- Whether this is another database than the one whose rights were recorded last: restored from a dump, or copied.
create or replace function portolan.is_restored() returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.noted_database
as $$
  select exists (select from portolan.noted_database n where n.identity <> portolan.database_identity())
$$;
