-- Drops the triggers of one kind from one table or partition, and their function. kind: the end of that function's
-- name. A function that was made before a restore has the table's earlier number in its name. Raises 42501 where the
-- owner of Portolan does not own the table, because only the owner may drop a trigger.
create or replace function portolan.drop_own_triggers(member oid, kind text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_statement text;
begin
  for v_statement in
    select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = member and p.pronamespace = 'portolan'::regnamespace
      and p.proname ~ ('^tg_[0-9]+__' || kind || '$')
  loop
    begin
      execute v_statement;
    exception
      when insufficient_privilege then
        raise exception 'Portolan may not drop triggers of %', member::regclass
          using errcode = '42501', hint = v_statement;
    end;
  end loop;
  execute format('drop function if exists portolan.%I()', format('tg_%s__%s', member, kind));
end
$$;
