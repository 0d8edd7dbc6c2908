-- Adapts the histories to their tables: names, columns, partitions, grants and policies. Called after DDL, by
-- follow_ddl and the event trigger. Returns what could not be done; reading that history is refused until it can be
-- done.
create or replace function portolan.follow_history() returns table (problem text, busy boolean)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  v_table record;
  v_following text := current_setting('portolan.following', true);
begin
  perform set_config('portolan.following', 'on', true);
  for v_table in
    select v.* , c.oid is null as gone
    from portolan.versioned_tables v left join pg_class c on c.oid = v.relation
    where (v.active or v.closing is not null and c.oid is null)
      and (c.oid is null or v.problem is not null or v.seen <> portolan.history_stamp(v.relation, v.history))
  loop
    begin
      if v_table.gone then
        perform portolan.close_history(h.oid, coalesce(v_table.closing, now())), portolan.revoke_history(h.oid)
        from pg_class h where h.oid = v_table.history;
        delete from portolan.versioned_tables v where v.relation = v_table.relation;
      else
        perform portolan.install_history(v_table.relation);
      end if;
    exception
      when lock_not_available or deadlock_detected then
        problem := format('%s or its history is in use', v_table.relation);
        busy := true;
        return next;
      when others then
        problem := format('the history of %s: %s', v_table.relation, sqlerrm);
        busy := false;
        update portolan.versioned_tables v set problem = sqlerrm where v.relation = v_table.relation;
        return next;
    end;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
