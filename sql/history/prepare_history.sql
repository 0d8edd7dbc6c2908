-- Makes the twin of a table, or adapts it to the table: name, columns, indexes, rights, the function as_of_…. Takes no
-- lock on the table that a writer would wait for. Returns the twin.
create or replace function portolan.prepare_history(relation regclass) returns regclass
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_schema text;
  v_name text;
  v_history regclass;
begin
  select n.nspname || '__history', c.relname into v_schema, v_name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = relation;
  if not exists (select from pg_namespace n where n.nspname = v_schema) then
    execute format('create schema %I', v_schema);
  end if;
  insert into portolan.history_schemas (name) values (v_schema) on conflict do nothing;
  select v.history into v_history from portolan.versioned_tables v where v.relation = prepare_history.relation;
  v_history := portolan.place_history(relation, v_history, v_schema, v_name);
  perform portolan.drop_indexes_with_code(relation, v_history);
  perform portolan.sync_history_columns(relation, v_history);
  perform portolan.spare_ranges(v_history);
  perform portolan.index_history(relation, v_history);
  update portolan.versioned_tables v
  set history = v_history
  where v.relation = prepare_history.relation and v.history is distinct from v_history;
  perform portolan.mirror_rights(relation, v_history);
  return v_history;
end
$$;
