-- In every write of a saved thing: the account that makes it owns it, only a super user gives it to another, and `version`
-- counts its changes. Raises PX403.
create or replace function portolan.tg__own_saved() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    new.owner := coalesce(new.owner, (select m.name from portolan.me m));
    new.version := 1;
    return new;
  end if;
  if new.owner is distinct from old.owner and not portolan.is_super_user() then
    raise exception 'only a super user changes the owner' using errcode = 'PX403';
  end if;
  new.version := old.version + 1;
  return new;
end
$$;
