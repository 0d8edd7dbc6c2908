-- Sets the password that came with a one-time link and returns the account. The link becomes invalid, and with it the
-- account's other links, older tokens and sessions. An address that the link was sent to counts as verified. Where the
-- account only claimed it before, its second factors and links to other providers are removed too. Null when the link
-- is unknown, used or expired. The gateway calls it. One statement decides, so that only one of two requests with the
-- same link sets a password.
create or replace function portolan.redeem_link(hash text, password_hash text, address text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.users
as $$
declare
  v_name text;
  v_email text;
begin
  delete from portolan.one_time_links l
  where l.hash = redeem_link.hash and l.purpose = 'password' and l.expires_at > clock_timestamp()
  returning l.user_name, l.email into v_name, v_email;
  if v_name is null then
    return null;
  end if;
  perform set_config('portolan.user', v_name, true); -- the account that the audit must name
  if exists (select from portolan.users u where u.name = v_name and u.email = v_email and u.email_claimed) then
    -- another person may have claimed the address: no earlier credential of the account may stay valid
    perform portolan.reset_factors(v_name);
    perform portolan.end_identity(v_name, i.id::text, redeem_link.address)
    from portolan.identities i
    where i.user_name = v_name;
  end if;
  perform portolan.set_password(v_name, password_hash);
  delete from portolan.one_time_links l where l.user_name = v_name and l.purpose = 'password';
  update portolan.users u
  set email_verified = true, email_claimed = false
  where u.name = v_name and u.email = v_email and not u.email_verified;
  insert into portolan.audit (event, account, address) values ('password.set', v_name, redeem_link.address);
  return v_name;
end
$$;
