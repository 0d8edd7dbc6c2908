-- Makes an account for the person of another provider and returns its name, which is the first free one of `wanted`,
-- `wanted-2` and so on. `identity`: provider, issuer, subject, the address that the provider has verified, or null, and name.
-- Null where an account has that address already (not where it only claims it), or the person is one. The gateway calls it.
create or replace function portolan.sign_up_identity(wanted text, identity jsonb, user_group text, address text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may make accounts
as $$
declare
  v_email constant text := identity ->> 'email';
  v_base constant text := coalesce(
    nullif(left(regexp_replace(regexp_replace(lower(wanted), '[^a-z0-9_]+', '-', 'g'), '^[^a-z]+|-+$', '', 'g'), 34), ''), 'user');
  v_name text := v_base;
  v_number integer := 1;
begin
  perform portolan.one_at_a_time();
  if exists (select from portolan.users u where lower(u.email) = lower(v_email) and not u.email_claimed)
    or exists (
      select from portolan.identities i where i.issuer = identity ->> 'issuer' and i.subject = identity ->> 'subject')
  then
    return null;
  end if;
  while v_name in ('owner', 'anonymous') or to_regrole(quote_ident(portolan.role_name(v_name))) is not null
    or exists (select from portolan.users u where u.name = v_name)
  loop
    v_number := v_number + 1;
    v_name := v_base || '-' || v_number;
  end loop;
  perform set_config('portolan.user', v_name, true); -- the account that the audit must name
  perform portolan.create_user(v_name, null, v_email, user_group,
    case when identity ->> 'name' is null then '{}' else jsonb_build_object('name', identity -> 'name') end);
  update portolan.users u set email_verified = v_email is not null where u.name = v_name;
  insert into portolan.identities (user_name, provider, issuer, subject, email, used_at, signed_in_at)
  values (
    v_name, identity ->> 'provider', identity ->> 'issuer', identity ->> 'subject', v_email, clock_timestamp(), clock_timestamp());
  insert into portolan.audit (event, account, address, details)
  values ('sign_up.done', v_name, sign_up_identity.address, jsonb_build_object('provider', identity -> 'provider'));
  return v_name;
end
$$;
