-- Forgets the failed sign-ins of an account, everywhere and at the addresses and IPv6 sites where it failed, so that it need
-- not wait. DELETE /users/{name}/lockout, `portolan user unlock`. Raises
-- PX400, PX404.
create or replace function portolan.lift_lockout(name text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.lockouts
as $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  delete from portolan.lockouts l
  where l.user_name = v_user.name
    or l.key in (
      select k from portolan.lockouts p, unnest(array[p.address_key, p.site_key]) k where p.user_name = v_user.name);
  insert into portolan.audit (event, account, address, details)
  values ('user.unlocked', v_user.name, portolan.caller_address(),
    jsonb_build_object('by', portolan.actor()));
end
$$;
