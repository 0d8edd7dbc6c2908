-- Adds the columns of the workflow to the history of a table, if they are missing. All versions count as published: a
-- default says so, and no row is written.
create or replace function portolan.add_workflow_history(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_history regclass := (
    select v.history from portolan.versioned_tables v where v.relation = add_workflow_history.relation and v.active);
begin
  if v_history is null or exists (
    select from pg_attribute a where a.attrelid = v_history and a.attname in ('portolan_status', 'portolan_workflow'))
  then
    return;
  end if;
  execute format(
    'alter table %s add column portolan_status smallint default 3, add column portolan_workflow jsonb', v_history);
  execute format('alter table %s alter column portolan_status drop default', v_history);
  insert into portolan.versioned_columns (relation, attnum, name, type)
  select relation, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod)
  from pg_attribute a
  where a.attrelid = relation and a.attname in ('portolan_status', 'portolan_workflow');
  update portolan.versioned_tables v set mirrored = '' where v.relation = add_workflow_history.relation;
end
$$;
