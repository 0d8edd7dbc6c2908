-- The roles whose code everybody may run: super users of PostgreSQL, the owner of the database (also under the name
-- pg_database_owner), the owner of schema portolan, owner@ and the roles of the option trustedOwners. Any other role that
-- owns something is an author. Names in the option that are no role have no effect.
create or replace function portolan.trusted_roles() returns setof oid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.settings
  set jit = off -- compiling takes longer than the answer
as $$
  select r.oid
  from pg_roles r
  where r.rolsuper
    or r.oid = (select d.datdba from pg_database d where d.datname = current_database())
    or r.oid = (select n.nspowner from pg_namespace n where n.nspname = 'portolan')
    or r.rolname = 'pg_database_owner'
    or r.rolname = 'owner@' || current_database()
    or r.rolname in (
      select t.name
      from portolan.settings s cross join jsonb_array_elements_text(s.value) t (name)
      where s.name = 'trusted_owners')
$$;
