-- Records a completed sign-in of an account: the time, an entry in the audit, and the network. Returns whether the
-- account has signed in within 30 days, but never from this network. The gateway calls it
-- (server/kernel/identity/signIn.ts). `address`: of the caller, null where it is unknown. `via`: where the account
-- signed in, such as page. `network`: of the address, as portolan.attempt has it. `amr`: the methods on our pages (RFC
-- 8176), null elsewhere.
create or replace function portolan.note_sign_in(
  name text,
  address text,
  via text,
  network text default null,
  amr text[] default null
) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.last_sign_ins
as $$
  insert into portolan.last_sign_ins as l (user_name, at)
  select u.name, clock_timestamp() from portolan.users u where u.name = note_sign_in.name
  on conflict (user_name) do update set at = greatest(l.at, excluded.at);
  insert into portolan.audit (event, account, address, details)
  values ('sign_in', name, address, jsonb_strip_nulls(jsonb_build_object('via', via, 'amr', amr)));
  with noted as (
    insert into portolan.known_addresses as k (user_name, address)
    select u.name, note_sign_in.network from portolan.users u where u.name = note_sign_in.name and network is not null
    on conflict on constraint known_addresses_pkey do update set signed_in_at = now()
    where k.signed_in_at < now() - interval '1 day'
  )
  -- as it was before this statement
  select count(*) > 0 and not coalesce(bool_or(k.address = note_sign_in.network), false)
  from portolan.known_addresses k
  where k.user_name = note_sign_in.name and k.signed_in_at > now() - interval '30 days';
$$;
