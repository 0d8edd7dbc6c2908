-- Ends the history of a table. What was recorded stays where it is, for its owner to read, until drop_history is asked
-- for (now or later). Harmless when it is off. Raises PX400, PX404, 42501.
create or replace function portolan.disable_versioning(relation regclass, drop_history boolean default false) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to drop triggers is the owner's
as $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_following text := current_setting('portolan.following', true);
  v_member oid;
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  select v.* into v_table from portolan.versioned_tables v where v.relation = disable_versioning.relation;
  perform portolan.end_filling(relation);
  if v_table.relation is null then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  if v_table.active then
    execute format('lock table %s in share row exclusive mode', relation);
    foreach v_member in array v_table.members loop
      perform portolan.drop_own_triggers(v_member, 'keep_history');
    end loop;
    perform portolan.close_history(v_table.history);
    update portolan.versioned_tables v
    set active = false, filling = false, members = '{}', mirrored = ''
    where v.relation = disable_versioning.relation;
  end if;
  if drop_history then
    perform portolan.drop_as_of(v_table.history);
    execute format('drop cast if exists (%s as %s)', v_table.history, relation);
    execute format('drop function if exists portolan.row_of_%s(%s)', relation::oid, v_table.history);
    execute format('drop table %s', v_table.history);
    delete from portolan.versioned_tables v where v.relation = disable_versioning.relation;
  end if;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;

comment on function portolan.disable_versioning(regclass, boolean) is 'Ends the history of a table; what was recorded stays.';
