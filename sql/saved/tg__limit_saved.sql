-- Refuses what would give an account more than 1,000 saved things of one kind: super users, and all with whom they are shared,
-- read them in one list. Super users have no limit. Argument: the word for one. Raises 54000 (program_limit_exceeded).
create or replace function portolan.tg__limit_saved() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_count bigint;
begin
  if portolan.is_super_user() then
    return null;
  end if;
  execute format('select count(*) from %s t where t.owner in (select n.owner from new_rows n)', tg_relid::regclass) into v_count;
  if v_count > v_most then
    raise exception 'an account has at most % of this kind (%): remove some', v_most, tg_argv[0]
      using errcode = 'program_limit_exceeded';
  end if;
  return null;
end
$$;
