-- Makes the triggers of the workflow on a table. Those of a partitioned table also hold for its partitions, including
-- new ones.
create or replace function portolan.install_workflow(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_function text := format('portolan.tg_%s__audit_workflow', relation::oid);
begin
  execute format(
    'create or replace function %s() returns trigger language plpgsql volatile security definer '
    -- definer: an account that writes the table may not write the audit
    'set search_path = pg_catalog, pg_temp as %L',
    v_function, portolan.workflow_trigger_body(relation));
  execute format('revoke execute on function %s() from public', v_function);
  execute format(
    'create or replace trigger _700_workflow before insert or update or delete on %s '
    'for each row execute function portolan.tg__workflow()', relation);
  execute format(
    'create or replace trigger _800_audit_workflow after insert or delete on %s for each row execute function %s()',
    relation, v_function);
  execute format(
    'create or replace trigger _800_audit_transition after update on %s for each row '
    'when (old.portolan_status <> new.portolan_status) execute function %s()', relation, v_function);
end
$$;
