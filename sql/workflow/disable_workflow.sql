-- Ends the workflow of a table. The two columns stay with their values. The function refuses this while there are
-- unpublished rows, because everybody would then see them. It does nothing if the workflow is off. Raises PX400, PX404,
-- PX409.
create or replace function portolan.disable_workflow(relation regclass) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to drop triggers and policies is the owner's
  set lock_timeout = '5s'
  set row_security = off -- an error rather than a policy that runs as the owner
as $$
#variable_conflict use_variable
declare
  v_unpublished bigint;
  v_trigger name;
  v_member regclass;
  v_following text := current_setting('portolan.following', true);
begin
  perform portolan.one_at_a_time();
  perform portolan.check_relation(relation);
  if not exists (select from portolan.workflow_tables w where w.relation = disable_workflow.relation) then
    return;
  end if;
  perform set_config('portolan.following', 'on', true);
  execute format('lock table %s in access exclusive mode', relation);
  perform portolan.hold_table(relation);
  execute format('select count(*) from %s where portolan_status < 3', relation) into v_unpublished;
  if v_unpublished > 0 then
    raise exception '% rows of % are not published: publish or delete them first', v_unpublished, relation
      using errcode = 'PX409';
  end if;
  for v_trigger in
    select t.tgname
    from pg_trigger t
    where t.tgrelid = relation and not t.tgisinternal
      and t.tgfoid in (
        'portolan.tg__workflow()'::regprocedure, to_regprocedure(format('portolan.tg_%s__audit_workflow()', relation::oid)))
  loop
    execute format('drop trigger %I on %s', v_trigger, relation);
  end loop;
  execute format('drop function if exists portolan.tg_%s__audit_workflow()', relation::oid);
  delete from portolan.workflow_tables w where w.relation = disable_workflow.relation;
  foreach v_member in array portolan.event_members(relation)::regclass[] loop
    perform portolan.protect(v_member, '{}');
  end loop;
  perform portolan.follow_history();
  perform set_config('portolan.following', coalesce(v_following, ''), true);
end
$$;
