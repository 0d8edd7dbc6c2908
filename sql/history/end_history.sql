-- Drops the triggers of history from a table, and revokes all rights on the recorded versions; drop_history: drops the
-- versions too. Open versions then end at `closing`, which the caller does: close_history does it at once.
create or replace function portolan.end_history(relation regclass, drop_history boolean) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_following text := current_setting('portolan.following', true);
  v_member oid;
  v_policy name;
begin
  select v.* into v_table from portolan.versioned_tables v where v.relation = end_history.relation;
  perform set_config('portolan.following', 'on', true);
  if v_table.active then
    execute format('lock table %s in share row exclusive mode', relation);
  end if;
  if drop_history and v_table.history is not null then
    -- before its catalogue row is written: autovacuum, which holds the table, waits for the transaction that has done that
    execute format('lock table %s in access exclusive mode', v_table.history);
  end if;
  if v_table.active then
    foreach v_member in array v_table.members loop
      perform portolan.drop_own_triggers(v_member, 'keep_history');
    end loop;
    perform portolan.revoke_history(v_table.history);
    update portolan.versioned_tables v
    set active = false, filling = false, members = '{}', mirrored = '', closing = clock_timestamp()
    where v.relation = end_history.relation;
  end if;
  if drop_history and v_table.history is not null then
    perform portolan.drop_as_of(v_table.history);
    for v_policy in select p.polname from pg_policy p where p.polrelid = v_table.history loop
      execute format('drop policy %I on %s', v_policy, v_table.history); -- it may call the function of the cast
    end loop;
    execute format('drop cast if exists (%s as %s)', v_table.history, relation);
    execute format('drop function if exists portolan.row_of_%s(%s)', relation::oid, v_table.history);
    delete from portolan.versioned_tables v where v.relation = end_history.relation; -- first, so that the audit can name it
    execute format('drop table %s', v_table.history);
  end if;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
