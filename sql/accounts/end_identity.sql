-- Unlinks the person of another provider from an account, at its own request. Returns whether it was linked. The
-- gateway calls it for an account that has just signed in.
create or replace function portolan.end_identity(name text, id text, address text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write identities
as $$
declare
  v_provider text;
begin
  delete from portolan.identities i
  where i.user_name = end_identity.name and i.id::text = end_identity.id
  returning i.provider into v_provider;
  if v_provider is null then
    return false;
  end if;
  insert into portolan.audit (event, account, address, details)
  values ('identity.removed', name, address, jsonb_build_object('provider', v_provider, 'by', portolan.actor()));
  return true;
end
$$;
