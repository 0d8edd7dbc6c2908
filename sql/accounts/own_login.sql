-- Lets the role of an account log in, with a SCRAM verifier that the gateway derived from its secret; no log ever holds the
-- password. The gateway calls it before it runs SQL that this account wrote. `connections`: the limit for the role over all
-- gateway processes. Raises PX403 for a role that Portolan did not make, whose attributes it never changes.
create or replace function portolan.own_login(name text, verifier text, version integer, connections integer) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may alter roles
as $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  if not v_user.role_made then
    raise exception 'Portolan did not make the role of "%" and cannot log in as it', v_user.name
      using errcode = 'PX403';
  end if;
  -- first, so that simultaneous requests wait for one another: PostgreSQL refuses two changes of one role at the same time
  update portolan.users u set own_login_version = version where u.name = v_user.name;
  perform portolan.set_login(v_user.role, verifier, connections);
end
$$;
