-- In every write of a saved thing: checks its name and title, makes the creating account its owner, lets only a super
-- user change the owner, and counts its changes in `version`. Raises PX400, PX403.
create or replace function portolan.tg__own_saved() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.name is null or new.name !~ '^[a-z0-9-]{1,60}$' then
    raise exception 'name: must be 1 to 60 of a-z, 0-9 and -' using errcode = 'PX400';
  elsif length(new.title) not between 1 and 200 then
    raise exception 'title: must have 1 to 200 characters' using errcode = 'PX400';
  end if;
  if tg_op = 'INSERT' then
    new.owner := coalesce(new.owner, (select m.name from portolan.me m));
    new.version := 1;
    return new;
  end if;
  new.owner := lower(new.owner);
  if new.owner is distinct from old.owner and not portolan.is_super_user() then
    raise exception 'only a super user may change the owner' using errcode = 'PX403';
  end if;
  new.version := old.version + 1;
  return new;
end
$$;
