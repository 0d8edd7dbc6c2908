-- Changes an account with the rights of the caller: a super user may change every member of every account, others the email
-- and password of their own. Called over REST. Security invoker. Raises what update_user and change_own_account raise.
create or replace function portolan.change_account(name text, changes jsonb, verified text default null) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if has_function_privilege('portolan.update_user(text, jsonb)', 'execute') then
    perform portolan.update_user(name, changes);
  else
    perform portolan.change_own_account(name, changes, verified);
  end if;
end
$$;
