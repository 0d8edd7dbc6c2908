-- Links a subject of an outside issuer to an account, and returns the id of the link: a person of another provider, or a
-- workload whose tokens the grant jwt_bearer takes. POST /identities, `portolan identity add`. Raises PX400, PX404, and
-- PX409 for a subject that is linked already.
create or replace function portolan.add_identity(account text, issuer text, subject text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write identities
as $$
declare
  v_user portolan.users := portolan.existing_account(account);
  v_provider text := coalesce(substring(issuer from '^https?://([^/?#]+)'), issuer);
  v_id text;
begin
  if v_user.name = 'anonymous' then
    raise exception 'everybody is the account "anonymous": name one that signs in' using errcode = 'PX400';
  elsif not coalesce(octet_length(issuer) between 1 and 1000 and length(subject) between 1 and 256, false) then
    raise exception 'a link needs an issuer of 1 to 1000 bytes, and a subject of 1 to 256 characters' using errcode = 'PX400';
  end if;
  insert into portolan.identities (user_name, provider, issuer, subject)
  values (v_user.name, v_provider, add_identity.issuer, add_identity.subject)
  on conflict on constraint identities_issuer_subject_key do nothing
  returning id::text into v_id;
  if v_id is null then
    raise exception 'this subject is linked to an account already' using errcode = 'PX409';
  end if;
  insert into portolan.audit (event, account, address, details)
  values (
    'identity.added',
    v_user.name,
    portolan.caller_address(),
    jsonb_build_object('provider', v_provider, 'subject', add_identity.subject, 'by', portolan.actor()));
  return v_id;
end
$$;
