-- Links a subject of an outside issuer to an account: a person of another provider, or a workload whose tokens the grant
-- jwt_bearer takes. `portolan identity add`. Raises PX404, and PX409 for a subject that is linked already.
create or replace function portolan.add_identity(account text, issuer text, subject text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_user portolan.users := portolan.existing_account(account);
  v_provider text := coalesce(substring(issuer from '^https?://([^/?#]+)'), issuer);
begin
  if v_user.name = 'anonymous' or issuer = '' or subject = '' or length(subject) > 256 then
    raise exception 'a link needs an account that signs in, an issuer, and a subject of 1 to 256 characters'
      using errcode = 'PX400';
  end if;
  insert into portolan.identities (user_name, provider, issuer, subject)
  values (v_user.name, v_provider, add_identity.issuer, add_identity.subject)
  on conflict on constraint identities_issuer_subject_key do nothing;
  if not found then
    raise exception 'this subject is linked to an account already' using errcode = 'PX409';
  end if;
  insert into portolan.audit (event, account, details)
  values ('identity.added', v_user.name, jsonb_build_object('provider', v_provider, 'by', 'operator'));
end
$$;
