-- The roles whose code everybody may run: super users of PostgreSQL, the owner of the database (also under the name
-- pg_database_owner), the owner of schema portolan, owner@ and the roles of the option trustedOwners. Any other role that
-- owns something is an author. Names in the option that are no role have no effect.
create or replace function portolan.trusted_roles() returns setof oid
  language plpgsql stable security definer -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.settings
  set jit = off -- compiling takes longer than the answer
as $$
begin
  return query
  -- each part by its index but the first: a cluster has as many roles as accounts, and this is asked all the time
  select r.oid from pg_roles r where r.rolsuper
  union
  select d.datdba from pg_database d where d.datname = current_database()
  union
  select n.nspowner from pg_namespace n where n.nspname = 'portolan'
  union
  select r.oid
  from pg_roles r
  where r.rolname = any (array(
    select t.name::name
    from (
        values ('pg_database_owner'), ('owner@' || current_database())
        union all
        select t.name
        from portolan.settings s cross join jsonb_array_elements_text(s.value) t (name)
        where s.name = 'trusted_owners'
      ) t (name)
    where octet_length(t.name) < 64)); -- a longer one is the name of no role, and would be cut
end
$$;
