-- Follows DDL in the same transaction, so that a new table has its rules before anybody else can see it. The event trigger
-- portolan_follow_ddl calls it, where a superuser could make that; elsewhere the gateway does the same when it next reads
-- the catalogue. What Citus does on shards is followed at the end of the transaction (tg_ddl_on_shards__follow). DDL never fails
-- because of it: a step that fails is a warning. But what would take away or open the policies of rules on shards is refused
-- with PX409.
create or replace function portolan.tg__follow_ddl() returns event_trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make policies is the owner's
  set lock_timeout = '2s'
as $$
declare
  v_problem text;
  v_kept regclass;
begin
  -- grants change no rule, and are too many in a migration for the questions below
  if tg_tag in ('GRANT', 'REVOKE')
    and not exists (select from portolan.versioned_tables v where v.active or v.closing is not null)
  then
    return;
  end if;
  -- DDL of our own, which is being followed already; the lock proves that nobody else has set this
  if current_setting('portolan.following', true) = 'on' and exists (
    select from pg_locks l
    where l.pid = pg_backend_pid()
      and l.relation in ('portolan.migrations'::regclass, 'portolan.rules'::regclass)
      and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'AccessExclusiveLock'))
  then
    return;
  end if;
  -- Citus does this DDL on the shards when this function has ended, after what it would mend there
  if tg_tag in ('ALTER TABLE', 'CREATE POLICY', 'ALTER POLICY', 'DROP POLICY') and portolan.has_citus() then
    select s.relation into v_kept
    from portolan.row_security s
    where portolan.shard_kind(s.relation) is not null and s.made <> portolan.made_protection(s.relation)
      and (tg_tag = 'DROP POLICY' or s.relation in (
        select coalesce((select p.polrelid from pg_policy p where d.classid = 'pg_policy'::regclass and p.oid = d.objid), d.objid)
        from pg_event_trigger_ddl_commands() d
        where d.classid in ('pg_class'::regclass, 'pg_policy'::regclass)))
    limit 1;
    if found then
      raise exception 'the rules for % need its row level security and its policies as they are: drop the rules first', v_kept
        using errcode = 'PX409';
    end if;
  end if;
  if tg_tag like 'CREATE TABLE%' and not exists (
    select from pg_event_trigger_ddl_commands() d
    where d.schema_name is null or d.schema_name not in ('pg_temp', 'portolan'))
  then
    return;
  end if;
  -- A rule that is being written must not miss this table, nor this table that rule. A transaction that holds
  -- portolan.migrations has locked portolan.rules before, and makes the writers of rules wait: see the order of locks in
  -- one_at_a_time.
  if not exists (
    select from pg_locks l
    where l.pid = pg_backend_pid() and l.granted and l.relation = 'portolan.migrations'::regclass
      and l.mode in ('ShareRowExclusiveLock', 'AccessExclusiveLock'))
  then
    lock table portolan.rules in share mode;
  end if;
  if tg_tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO') then
    perform portolan.share_new(array(
      select d.objid from pg_event_trigger_ddl_commands() d where d.classid = 'pg_class'::regclass));
  end if;
  if tg_tag not in ('GRANT', 'REVOKE', 'DROP OWNED')
    and (exists (select from portolan.rules) or exists (select from portolan.row_security))
  then
    if portolan.awaits_shards(tg_tag, array(
      select d.objid from pg_event_trigger_ddl_commands() d where d.classid in ('pg_class'::regclass, 'pg_namespace'::regclass)))
    then
      insert into portolan.ddl_on_shards default values on conflict do nothing;
    else
      for v_problem in select c.problem from portolan.compile() c loop
        raise warning 'Portolan: %', v_problem;
      end loop;
    end if;
  end if;
  if exists (select from portolan.versioned_tables v where v.active or v.closing is not null) then
    for v_problem in select h.problem from portolan.follow_history() h loop
      raise warning 'Portolan: %', v_problem;
    end loop;
  end if;
exception
  when others then
    if v_kept is not null then
      raise;
    end if;
    raise warning 'Portolan could not follow %: %', tg_tag, sqlerrm;
end
$$;
