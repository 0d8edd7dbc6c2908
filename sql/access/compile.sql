-- Makes PostgreSQL enforce rules and workflow, wherever it does not yet: writes portolan.rule_map and gives tables
-- their policies. Locks nothing where nothing must change. Returns one row for each table that cannot be given its
-- policies, with `busy` where it is worth trying again. written: the rules that are being written; their failure is an
-- error, and earlier problems of a table are then not reported. Called when a rule is written, by the event trigger,
-- follow_ddl and close_relation.
create or replace function portolan.compile(written integer[] default null) returns table (problem text, busy boolean)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s' -- a wait for a table makes all others wait too
as $$
#variable_conflict use_column
declare
  v_wanted portolan.rule_map[];
  v_relation regclass;
  v_deadlocks integer;
  v_following text := current_setting('portolan.following', true);
begin
  perform set_config('portolan.following', 'on', true); -- the event trigger need not follow these changes
  perform portolan.limit_locks(case when written is null then '300ms' else '5s' end);
  v_wanted := array(select w from portolan.wanted_rules() w);
  if exists (
    (select m from portolan.rule_map m except select w from unnest(v_wanted) w)
    union all
    (select w from unnest(v_wanted) w except select m from portolan.rule_map m))
  then
    delete from portolan.rule_map m where m not in (select w from unnest(v_wanted) w);
    insert into portolan.rule_map select w.* from unnest(v_wanted) w on conflict do nothing;
  end if;
  delete from portolan.workflow_tables w where not exists (select from pg_class c where c.oid = w.relation);
  delete from portolan.workflow_roles w where not exists (select from pg_class c where c.oid = w.relation);
  delete from portolan.row_security s where not exists (select from pg_class c where c.oid = s.relation);
  for v_relation in
    select u.relation from portolan.unprotected_relations() u where u.changed or written is null
  loop
    v_deadlocks := 0;
    loop
      begin
        perform portolan.protect(v_relation, written);
      exception
        when lock_not_available or deadlock_detected then
          if written is not null and sqlstate = '40P01' and v_deadlocks < 3 then
            v_deadlocks := v_deadlocks + 1; -- with DDL that waits for the rules, and gives up before this function does
            continue;
          elsif written is not null then
            perform portolan.refuse_locked(v_relation, 'access exclusive', format('%s is in use', v_relation));
          end if;
          problem := format('%s is in use', v_relation);
          busy := true;
          return next;
        when insufficient_privilege then
          if written is not null then
            raise exception 'Portolan may not give % row level security: run grant % to %; or alter table % owner to %;',
              v_relation, (select quote_ident(pg_get_userbyid(c.relowner)) from pg_class c where c.oid = v_relation),
              quote_ident(current_user), v_relation, quote_ident(current_user)
              using errcode = 'insufficient_privilege';
          end if;
          problem := format('Portolan does not own %s: the rules for it do not hold', v_relation);
          busy := false;
          return next;
        when others then
          if written is not null then
            raise;
          end if;
          problem := format('%s: %s', v_relation, sqlerrm);
          busy := false;
          return next;
      end;
      exit;
    end loop;
  end loop;
  perform portolan.limit_locks('default');
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
