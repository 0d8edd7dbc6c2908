-- Whether functions that have more rights than their caller may run the code of this role: see core_owners. False for a
-- dropped role.
create or replace function portolan.is_core_owner(role oid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
as $$
  select exists (select from portolan.core_owners() c (role) where c.role = is_core_owner.role)
$$;
