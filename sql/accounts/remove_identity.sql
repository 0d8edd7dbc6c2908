-- Unlinks the person of another provider from an account: one's own; any for a super user. DELETE /identities/{id},
-- `portolan identity remove`. Raises PX404, 42501, and PX409 for the caller's only way to sign in.
create or replace function portolan.remove_identity(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write identities
as $$
declare
  v_own text := portolan.own_account(); -- the account whose links the caller may remove
  v_name text;
begin
  select i.user_name into v_name
  from portolan.identities i
  where i.id::text = remove_identity.id and i.user_name = coalesce(v_own, i.user_name);
  if v_name in (v_own, portolan.actor()) then
    perform portolan.keep_way_in(v_name, array[id]);
  end if;
  if not coalesce(portolan.end_identity(v_name, remove_identity.id, portolan.caller_address()), false) then
    raise exception 'there is no identity %', quote_literal(left(remove_identity.id, 100)) using errcode = 'PX404';
  end if;
end
$$;
