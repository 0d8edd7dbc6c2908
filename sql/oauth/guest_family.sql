-- The family of the guest tokens that a client gets for the default user. Begins one, with an entry in the audit, if
-- none is valid for long enough. The guests of a client share it, so that many requests for tokens fill no table.
-- `lifetime`: of an access token, in seconds; `address`: of the caller.
create or replace function portolan.guest_family(
  client_id text,
  user_name text,
  token_version bigint,
  lifetime integer,
  address text
) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write token families
as $$
declare
  v_family uuid;
  v_end timestamptz := clock_timestamp() + make_interval(secs => lifetime);
begin
  select f.id into v_family
  from portolan.token_families f
  where f.guest and f.client_id = guest_family.client_id and f.user_name = guest_family.user_name
    and f.token_version = guest_family.token_version and f.revoked_at is null and f.expires_at > v_end
  order by f.expires_at desc
  limit 1;
  if not found then
    insert into portolan.token_families (id, client_id, user_name, token_version, guest, expires_at)
    values (gen_random_uuid(), client_id, user_name, token_version, true, v_end + interval '1 day')
    returning id into v_family;
    insert into portolan.audit (event, account, client_id, address, details)
    values ('granted', user_name, client_id, address, '{"grantType": "guest"}');
  end if;
  return v_family;
end
$$;
