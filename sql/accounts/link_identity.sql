-- Links the person of another provider to an existing account, which has just signed in to agree. `identity`: provider,
-- issuer, subject, and the address that the provider has verified. Returns false where the account has not verified the
-- same address, or the person is linked to another account already. The gateway calls it.
create or replace function portolan.link_identity(name text, identity jsonb, address text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write identities
as $$
begin
  perform from portolan.users u
  where u.name = link_identity.name and u.email_verified and lower(u.email) = lower(identity ->> 'email')
  for no key update;
  if not found then
    return false;
  end if;
  insert into portolan.identities (user_name, provider, issuer, subject, email, used_at, signed_in_at)
  values (
    name, identity ->> 'provider', identity ->> 'issuer', identity ->> 'subject', identity ->> 'email',
    clock_timestamp(), clock_timestamp())
  on conflict on constraint identities_issuer_subject_key do nothing;
  if not found then
    return exists (
      select from portolan.identities i
      where i.issuer = identity ->> 'issuer' and i.subject = identity ->> 'subject' and i.user_name = link_identity.name);
  end if;
  insert into portolan.audit (event, account, address, details)
  values ('identity.added', name, address, jsonb_build_object('provider', identity -> 'provider'));
  return true;
end
$$;
