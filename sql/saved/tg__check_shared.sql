-- Checks, in every write of a saved thing, the accounts that it is shared with (column `shared`): up to 100 accounts
-- and groups, or * for everybody. Raises PX400.
create or replace function portolan.tg__check_shared() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: an account sees no other accounts
as $$
declare
  v_unknown text;
begin
  new.shared := array(select distinct lower(n) from unnest(new.shared) n order by 1);
  if cardinality(new.shared) > 100 then
    raise exception 'shared: at most 100 names' using errcode = 'PX400';
  end if;
  select coalesce(n, 'null') into v_unknown
  from unnest(new.shared) n
  where n is null or n <> '*' and not exists (
    select from portolan.users u where u.name = n and u.name <> 'anonymous');
  if found then
    raise exception 'shared: there is no account or group "%"; * means everybody', v_unknown using errcode = 'PX400';
  end if;
  return new;
end
$$;
