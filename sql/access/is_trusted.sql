-- Whether anybody may run the code of this role: see trusted_roles. False for a dropped role.
create or replace function portolan.is_trusted(role oid) returns boolean
  language plpgsql stable security definer -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off -- compiling takes longer than the answer
as $$
begin
  return exists (select from portolan.trusted_roles() t (role) where t.role = is_trusted.role);
end
$$;
