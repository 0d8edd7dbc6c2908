-- A link with which an account confirms its e-mail address, valid for a day. The gateway calls it for a caller who may
-- see the account, and sends it by mail. No row where the account has no address, or had such a link in the last
-- minute.
create or replace function portolan.verification_link(name text, asked_by text, address text) returns table (email text, token text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.one_time_links
as $$
#variable_conflict use_column
declare
  v_user portolan.users := portolan.existing_account(verification_link.name);
begin
  email := v_user.email;
  if email is null or exists (
    select from portolan.one_time_links l
    where l.user_name = v_user.name and l.purpose = 'email' and l.made_at > clock_timestamp() - interval '1 minute')
  then
    return;
  end if;
  token := portolan.new_link(v_user.name, 'email', interval '1 day', email);
  insert into portolan.audit (event, account, address, details) values (
    'email.asked', v_user.name, verification_link.address, jsonb_build_object('by', asked_by));
  return next;
end
$$;
