-- Whether a role that is not trusted owns something here that can hold code, or may make such a thing.
create or replace function portolan.has_authors() returns boolean
  language plpgsql stable security definer -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
as $$
begin
  return exists (select from portolan.authors())
    or exists (select from portolan.authors_schemas())
    or exists (
      select from pg_database d cross join aclexplode(d.datacl) a
      where d.datname = current_database() and a.privilege_type = 'CREATE' and not portolan.is_trusted(a.grantee));
end
$$;
