-- Keeps each state of a saved thing in portolan.saved_versions, the last 50 of each. The trigger's argument is the word
-- for the thing. A change of its owner or of the accounts that it is shared with makes no version, and these accounts
-- are in no version, because another account may have that name when one is restored. When the thing is removed, so are
-- its versions.
create or replace function portolan.tg__keep_version() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else writes versions
as $$
declare
  v_kept constant integer := 50;
  v_left_out constant text[] := '{name,version,owner,shared}';
  v_noun constant text := tg_argv[0];
begin
  if tg_op = 'DELETE' then
    delete from portolan.saved_versions v where v.noun = v_noun and v.name = old.name;
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if new.owner is distinct from old.owner then
      update portolan.saved_versions v set owner = new.owner where v.noun = v_noun and v.name = new.name;
    end if;
    if to_jsonb(new) - v_left_out = to_jsonb(old) - v_left_out then
      return null;
    end if;
  end if;
  insert into portolan.saved_versions (noun, name, version, item, owner, saved_by, saved_at)
  values (v_noun, new.name, new.version, to_jsonb(new) - v_left_out, new.owner, portolan.actor(), now());
  delete from portolan.saved_versions v
  where v.noun = v_noun and v.name = new.name and v.version in (
    select k.version from portolan.saved_versions k
    where k.noun = v_noun and k.name = new.name
    order by k.version desc offset v_kept);
  return null;
end
$$;
