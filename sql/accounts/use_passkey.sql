-- Records that a passkey has signed a challenge, which is valid once, and stores its new counter. `before`: the counter
-- with which the answer was verified. Returns whether it is valid: not if another answer came first. The gateway calls
-- it.
create or replace function portolan.use_passkey(credential text, before bigint, after bigint, challenge_hash text)
  returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write factors
as $$
begin
  insert into portolan.sign_ins (hash, expires_at)
  values (challenge_hash, clock_timestamp() + interval '15 minutes')
  on conflict do nothing;
  if not found then
    return false;
  end if;
  update portolan.factors f
  set counter = after, used_at = clock_timestamp()
  where f.credential = use_passkey.credential and f.counter = before;
  return found;
end
$$;
