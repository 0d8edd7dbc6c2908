-- The name of the account that a link of a sign-up would make; null where the link is unknown, used or expired. The gateway calls it.
create or replace function portolan.sign_up_name(hash text) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read them
as $$
  select (
    select s.name from portolan.sign_ups s where s.hash = sign_up_name.hash and s.expires_at > clock_timestamp())
$$;
