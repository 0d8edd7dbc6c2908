-- Removes all second factors and recovery codes of an account that has lost them. Its browsers are signed out. An
-- account that must have a second factor adds one at its next sign-in. Raises PX404, and PX409 where the caller would
-- have no way to sign in.
create or replace function portolan.reset_factors(name text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write factors
as $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  if v_user.name = portolan.actor() then
    perform portolan.keep_way_in(v_user.name, array(select f.id::text from portolan.factors f where f.user_name = v_user.name));
  end if;
  delete from portolan.factors f where f.user_name = v_user.name;
  delete from portolan.recovery_codes r where r.user_name = v_user.name;
  delete from portolan.sign_ins s where s.user_name = v_user.name;
  perform portolan.sign_out(s.hash) from portolan.sessions s where s.user_name = v_user.name;
  insert into portolan.audit (event, account, address, details)
  values ('factors.reset', v_user.name, portolan.caller_address(), jsonb_build_object('by', portolan.actor()));
end
$$;
