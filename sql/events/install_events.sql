-- Makes the missing triggers of events on a table and each of its partitions: a write to a partition itself does not fire
-- those of its parent. Raises PX400, and 42501 where the owner of Portolan may not make triggers.
create or replace function portolan.install_events(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_member regclass;
  v_members oid[];
  v_function text;
  v_known oid[] := coalesce(
    (select t.members from portolan.event_tables t where t.relation = install_events.relation and t.active), '{}');
  v_unseen boolean := v_known = '{}';
begin
  perform portolan.check_recorded(relation, 'events are');
  if portolan.is_followed(relation) then
    perform portolan.follow_shards(relation);
    return;
  end if;
  v_members := portolan.event_members(relation);
  foreach v_member in array v_members loop
    v_function := format('portolan.tg_%s__emit_event', v_member::oid);
    if not exists (
      select from pg_proc p
      where p.oid = to_regprocedure(v_function || '()') and p.prosrc = portolan.event_trigger_body(v_member))
    then
      execute format(
        'create or replace function %s() returns trigger language plpgsql volatile security definer as %L',
        -- definer: nobody but the owner may write the outbox
        v_function, portolan.event_trigger_body(v_member));
      execute format('revoke execute on function %s() from public', v_function);
    end if;
    if portolan.event_trigger_count(v_member) < 4 then
      begin
        execute format(
          'create or replace trigger _900_emit_insert after insert on %s '
          'referencing new table as new_rows for each statement execute function %s()', v_member, v_function);
        execute format(
          'create or replace trigger _900_emit_update after update on %s '
          'referencing old table as old_rows new table as new_rows '
          'for each statement execute function %s()', v_member, v_function);
        execute format(
          'create or replace trigger _900_emit_delete after delete on %s '
          'referencing old table as old_rows for each statement execute function %s()', v_member, v_function);
        execute format(
          'create or replace trigger _900_emit_truncate after truncate on %s '
          'for each statement execute function %s()', v_member, v_function);
      exception
        when insufficient_privilege then
          raise exception 'Portolan may not make triggers on %', v_member
            using errcode = '42501', hint = format('grant trigger on %s to %I', v_member, current_user);
      end;
      if not v_unseen and v_member::oid = any (v_known) then
        v_unseen := true;
      elsif not v_unseen then
        -- a partition that came with rows, for which there were no events; reading them would run its owner's policies
        v_unseen := pg_relation_size(v_member) > 0;
      end if;
    end if;
    perform portolan.note_shape(v_member);
  end loop;

  for v_member in select m from unnest(v_known) m where m <> all (v_members) loop
    v_unseen := true; -- its rows were removed with it
    continue when exists (select from portolan.event_tables t where t.relation = v_member and t.active);
    perform portolan.drop_own_triggers(v_member, 'emit_event');
  end loop;

  insert into portolan.event_tables as t (relation, active, members)
  values (relation, true, v_members)
  on conflict on constraint event_tables_pkey do update set active = true, members = excluded.members
  where not t.active or t.members <> excluded.members;
  if v_unseen then
    -- a subscriber that resumes from before this must read the table again
    insert into portolan.outbox (relation, operation) values (relation, 't');
    perform pg_notify('portolan', '');
  end if;
end
$$;
