-- Forgets the password of a role that is gone, which Citus would otherwise keep.
create or replace function portolan.forget_login(role text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if portolan.has_citus() and (select r.rolsuper from pg_roles r where r.rolname = current_user) then
    delete from pg_dist_authinfo a where a.rolename = forget_login.role;
  end if;
end
$$;
