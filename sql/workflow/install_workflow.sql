-- Makes the triggers of workflow on a table; those of a partitioned table hold for its partitions, also for new ones.
-- The function that writes the audit is the table's own, since the text of the key is.
create or replace function portolan.install_workflow(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_function text := format('portolan.tg_%s__audit_workflow', relation::oid);
  v_text text := case when cardinality(portolan.key_columns(relation)) = 0 then 'null' else portolan.key_text(relation, 'r') end;
begin
  execute format(
    'create or replace function %s() returns trigger language plpgsql volatile security definer '
    -- definer: whoever writes the table may not write the audit
    'set search_path = pg_catalog, pg_temp as %L',
    v_function,
    format($body$
declare
  v_states constant text[] := '{drafted,reviewed,published}';
  r %1$s := case when tg_op = 'DELETE' then old else new end;
begin
  insert into portolan.audit (event, account, address, details)
  values (
    'workflow.' || case tg_op when 'DELETE' then 'removed' else v_states[new.portolan_status] end,
    portolan.actor(),
    nullif(current_setting('portolan.ip', true), ''),
    jsonb_build_object(
      'relation', %1$L,
      'key', %2$s,
      'from', case tg_op when 'INSERT' then null else v_states[old.portolan_status] end,
      'to', case tg_op when 'DELETE' then null else v_states[new.portolan_status] end));
  return null;
end
$body$, relation, v_text));
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
