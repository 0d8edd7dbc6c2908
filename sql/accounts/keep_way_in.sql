-- Refuses to remove the last way to sign in from an account: a password, passkey or link to another provider by which
-- the person has signed in; not a link that only jobs use (grant jwt_bearer). Codes go with a password. `ways`: the ids
-- of links and factors that will be removed. Locks the row of the account, so that two calls at once do not each count
-- on the other way. The gateway calls it. Raises PX409.
create or replace function portolan.keep_way_in(name text, ways text[]) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the gateway may not lock accounts
as $$
begin
  perform from portolan.users u where u.name = keep_way_in.name for no key update;
  if exists (select from portolan.users u where u.name = keep_way_in.name and u.password is not null) then
    return;
  end if;
  if (
    select count(*) > 0 and bool_and(w.id = any (ways))
    from (
      select i.id::text from portolan.identities i where i.user_name = keep_way_in.name and i.signed_in_at is not null
      union all
      select f.id::text from portolan.factors f where f.user_name = keep_way_in.name and f.kind = 'passkey') w (id))
  then
    raise exception 'the account "%" has no other way to sign in: set a password first', name using errcode = 'PX409';
  end if;
end
$$;
