-- Refuses a table, view or enum that the caller of a definer function does not own. Raises 42501.
create or replace function portolan.check_shape_owner(catalogue regclass, object oid) returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_owner oid := case catalogue
    when 'pg_class'::regclass then (
      select c.relowner from pg_class c where c.oid = object and c.relkind in ('r', 'p', 'v', 'm', 'f'))
    when 'pg_type'::regclass then (select t.typowner from pg_type t where t.oid = object and t.typtype = 'e') end;
begin
  -- in a security definer function the caller is the role that the login has changed to, or the login
  if not coalesce(pg_has_role(coalesce(nullif(current_setting('role'), 'none'), session_user), v_owner, 'member'), false) then
    raise exception 'must be owner of %', portolan.schema_shape(catalogue, object) ->> 'name'
      using errcode = 'insufficient_privilege';
  end if;
end
$$;
