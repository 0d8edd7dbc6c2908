-- Ends a link of verification_link and marks the address that it was sent to as verified; returns the account. Null where the
-- link is unknown, used or expired, or the account has another address now. The gateway calls it.
create or replace function portolan.verify_email(hash text, address text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.users
as $$
declare
  v_link portolan.one_time_links;
  v_name text;
begin
  delete from portolan.one_time_links l
  where l.hash = verify_email.hash and l.purpose = 'email' and l.expires_at > clock_timestamp()
  returning l.* into v_link;
  perform set_config('portolan.user', v_link.user_name, true); -- the account that the audit must name
  update portolan.users u
  set email_verified = true, email_claimed = false
  where u.name = v_link.user_name and u.email = v_link.email
  returning u.name into v_name;
  if found then
    insert into portolan.audit (event, account, address) values ('email.verified', v_name, verify_email.address);
  end if;
  return v_name;
end
$$;
