-- Makes the history of a table, or adapts it to the table: its name, its columns, the triggers on the table and its
-- partitions, its content, the function as_of_…, its rights. Locks nothing where nothing must change. While the content
-- is copied in portions (version_portion), the content is left out. Raises PX400, and 42501 where the owner of Portolan
-- may not make triggers.
create or replace function portolan.install_history(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_members oid[];
  v_member regclass;
  v_unseen boolean;
begin
  select v.* into v_table from portolan.versioned_tables v where v.relation = install_history.relation;
  v_members := portolan.event_members(relation);
  -- not kept yet, another number of partitions, or a twin that is missing or older than the numbering of versions
  v_unseen := not v_table.active or v_table.members <> v_members or not exists (
    select from pg_attribute a where a.attrelid = v_table.history and a.attname = 'portolan_version');
  if v_unseen then
    if not v_table.active then
      -- writers wait from the lock on: everything that is possible is made, compiled and loaded before it
      v_table.history := portolan.prepare_history(relation);
      foreach v_member in array v_members loop
        perform portolan.make_history_function(relation, v_member, v_table.history);
      end loop;
      perform portolan.history_stamp(relation, v_table.history);
    end if;
    execute format('lock table %s in share row exclusive mode', relation);
  end if;
  v_table.history := portolan.prepare_history(relation);

  foreach v_member in array v_members loop
    perform portolan.install_history_triggers(relation, v_member, v_table.history);
  end loop;
  for v_member in select m from unnest(v_table.members) m where m <> all (v_members) loop
    perform portolan.drop_own_triggers(v_member, 'keep_history');
  end loop;
  if v_unseen and not v_table.filling then
    perform portolan.fill_history(relation, v_table.history);
  end if;
  update portolan.versioned_tables v
  set active = true, members = v_members, problem = null
  where v.relation = install_history.relation
    and (v.active, v.members, v.problem) is distinct from (true, v_members, null);
  update portolan.versioned_tables v
  set seen = portolan.history_stamp(relation, v_table.history)
  where v.relation = install_history.relation;
end
$$;
