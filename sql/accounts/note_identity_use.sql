-- Notes that the person of another provider has signed in, from this network. The gateway calls it.
create or replace function portolan.note_identity_use(issuer text, subject text, network text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write identities
as $$
  with used as (
    update portolan.identities i
    set used_at = clock_timestamp()
    where i.issuer = note_identity_use.issuer and i.subject = note_identity_use.subject
    returning i.user_name
  )
  insert into portolan.known_addresses as k (user_name, address)
  select u.user_name, note_identity_use.network from used u
  on conflict on constraint known_addresses_pkey do update set signed_in_at = now()
$$;
