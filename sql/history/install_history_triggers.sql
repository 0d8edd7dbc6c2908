-- Makes the triggers that keep the history of a table on the table itself or one of its partitions, where they are
-- missing or not what they should be. Raises 42501.
create or replace function portolan.install_history_triggers(relation regclass, member regclass, history regclass)
  returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_function text := format('portolan.tg_%s__keep_history', member::oid);
  v_body text := portolan.history_trigger_body(relation, member, history);
begin
  if not exists (
    select from pg_proc p where p.oid = to_regprocedure(v_function || '()') and p.prosrc = v_body)
  then
    execute format(
      'create or replace function %s() returns trigger language plpgsql volatile security definer '
      -- definer: nobody but the owner may write the history
      'set search_path = pg_catalog, pg_temp '
      -- a plan that was made while the history was small must not read all of it when it has grown
      'set enable_seqscan = off as %L',
      v_function, v_body);
    execute format('revoke execute on function %s() from public', v_function);
  end if;
  if (select count(*) from pg_trigger t where t.tgrelid = member and t.tgfoid = to_regprocedure(v_function || '()')) < 4 then
    execute format(
      'create or replace trigger _800_keep_inserted after insert on %s referencing new table as new_rows '
      'for each statement execute function %s()', member, v_function);
    execute format(
      'create or replace trigger _800_keep_updated after update on %s '
      'referencing old table as old_rows new table as new_rows for each statement execute function %s()', member, v_function);
    execute format(
      'create or replace trigger _800_keep_deleted after delete on %s referencing old table as old_rows '
      'for each statement execute function %s()', member, v_function);
    execute format(
      'create or replace trigger _800_keep_truncated after truncate on %s for each statement execute function %s()',
      member, v_function);
  end if;
exception
  when insufficient_privilege then
    raise exception 'Portolan may not make triggers on %', member
      using errcode = '42501', hint = format('grant trigger on %s to %I', member, current_user);
end
$$;
