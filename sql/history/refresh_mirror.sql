-- Gives the history of a table its rights again, if it has one.
create or replace function portolan.refresh_mirror(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_following text := current_setting('portolan.following', true);
begin
  if not exists (select from portolan.versioned_tables v where v.relation = refresh_mirror.relation and v.active) then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  perform portolan.install_history(relation);
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
