-- Makes a one-time link of an account and returns its token. `purpose`: password, or email to verify an address. `email`: the
-- address that it is sent to, or null. Links that are passed on by hand end the older ones of their purpose.
create or replace function portolan.new_link(name text, purpose text, lifetime interval, email text default null) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token text := portolan.new_secret();
begin
  if email is null then
    delete from portolan.one_time_links l where l.user_name = name and l.purpose = new_link.purpose;
  end if;
  insert into portolan.one_time_links (hash, user_name, expires_at, purpose, email)
  values (encode(sha256(convert_to(v_token, 'UTF8')), 'hex'), name, clock_timestamp() + lifetime, purpose, email);
  return v_token;
end
$$;
