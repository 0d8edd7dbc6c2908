-- Makes the triggers that keep the history of a table on the table itself or one of its partitions, where they are missing
-- or wrong. Raises 42501.
create or replace function portolan.install_history_triggers(relation regclass, member regclass, history regclass)
  returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
declare
  v_function text := portolan.make_history_function(relation, member, history);
begin
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
