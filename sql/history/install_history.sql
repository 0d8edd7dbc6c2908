-- Makes the history of a table, or brings it in line with the table: its name, its columns, the triggers on the table
-- and its partitions, its content, the function as_of_…, its rights. Where all is as it should be, nothing is locked.
-- Raises PX400, and 42501 where the owner of Portolan may not make triggers.
create or replace function portolan.install_history(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_schema text;
  v_name text;
  v_table portolan.versioned_tables;
  v_members oid[];
  v_member regclass;
  v_unseen boolean;
begin
  select n.nspname || '__history', c.relname into v_schema, v_name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  select v.* into v_table from portolan.versioned_tables v where v.relation = install_history.relation;
  v_members := portolan.event_members(relation);
  v_unseen := not v_table.active or v_table.members <> v_members;

  if not exists (select from pg_namespace n where n.nspname = v_schema) then
    execute format('create schema %I', v_schema);
  end if;
  insert into portolan.history_schemas (name) values (v_schema) on conflict do nothing;
  -- no twin yet, one that was dropped, or one of the time before versions were numbered
  if not exists (
    select from pg_attribute a where a.attrelid = v_table.history and a.attname = 'portolan_version')
  then
    v_unseen := true;
  end if;
  if v_unseen then
    execute format('lock table %s in share row exclusive mode', relation);
  end if;
  v_table.history := portolan.place_history(relation, v_table.history, v_schema, v_name);
  perform portolan.sync_history_columns(relation, v_table.history);
  perform portolan.index_history(relation, v_table.history);

  foreach v_member in array v_members loop
    perform portolan.install_history_triggers(relation, v_member, v_table.history);
  end loop;
  for v_member in select m from unnest(v_table.members) m where m <> all (v_members) loop
    perform portolan.drop_history_triggers(v_member);
  end loop;
  if v_unseen then
    perform portolan.fill_history(relation, v_table.history);
  end if;
  update portolan.versioned_tables v
  set history = v_table.history, active = true, members = v_members, problem = null
  where v.relation = install_history.relation
    and (v.history, v.active, v.members, v.problem) is distinct from (v_table.history, true, v_members, null);
  perform portolan.mirror_rights(relation, v_table.history);
  update portolan.versioned_tables v
  set seen = portolan.history_stamp(relation, v_table.history)
  where v.relation = install_history.relation;
end
$$;

comment on function portolan.install_history(regclass) is 'Makes the history of a table, or brings it in line with the table.';

revoke execute on function portolan.install_history(regclass) from public;
