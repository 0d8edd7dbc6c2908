-- Ends all tokens of one authorization of a client. A token of the command line has no family: its own id serves as
-- one, and so does that of a guest's token, with its account and its time of expiry. Returns whether there was
-- something to end.
create or replace function portolan.revoke_family(
  family uuid,
  client_id text,
  user_name text default null,
  expires_at timestamptz default null
) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write token families
as $$
begin
  update portolan.token_families f
  set revoked_at = clock_timestamp()
  where f.id = family and f.client_id = revoke_family.client_id and f.revoked_at is null;
  if found or expires_at is null then
    return found;
  end if;
  insert into portolan.token_families (id, client_id, user_name, token_version, expires_at, revoked_at)
  values (family, client_id, user_name, 0, expires_at, clock_timestamp())
  on conflict do nothing;
  return found;
end
$$;
