-- Removes a second factor of an account, at its own request; with the last one its recovery codes are removed. Returns
-- whether there was one. The gateway calls it for an account that has just signed in with a factor. Raises PX409 for
-- the only way to sign in.
create or replace function portolan.remove_factor(name text, id text, address text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write factors
as $$
declare
  v_kind text;
begin
  perform portolan.keep_way_in(name, array[id]);
  delete from portolan.factors f where f.user_name = remove_factor.name and f.id::text = remove_factor.id returning f.kind into v_kind;
  if v_kind is null then
    return false;
  end if;
  delete from portolan.recovery_codes r
  where r.user_name = remove_factor.name and not exists (select from portolan.factors f where f.user_name = remove_factor.name);
  insert into portolan.audit (event, account, address, details)
  values ('factor.removed', name, address, jsonb_build_object('kind', v_kind));
  return true;
end
$$;
