-- Makes the function of the triggers that keep the history of a table or of one of its partitions, where it is missing or
-- wrong. Takes no lock that a writer needs. Returns its name.
create or replace function portolan.make_history_function(relation regclass, member regclass, history regclass) returns text
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
  return v_function;
end
$$;
