-- The schemas in which a role that is not trusted decides the meaning of a name: it owns the schema, or may create
-- there.
create or replace function portolan.authors_schemas() returns setof oid
  language plpgsql stable security definer -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
as $$
begin
  return query
  with trusted as materialized (select t.role from portolan.trusted_roles() t (role))
  select n.oid
  from pg_namespace n
  where n.nspname !~ '^pg_'
    and (n.nspowner not in (select t.role from trusted t)
      or exists (
        select from aclexplode(n.nspacl) a
        where a.privilege_type = 'CREATE' and a.grantee not in (select t.role from trusted t)));
end
$$;
