-- Ends the guest tokens of an account that is no longer the default user.
create or replace function portolan.end_guests(user_name text) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.user_name = end_guests.user_name and f.guest and f.revoked_at is null
$$;
