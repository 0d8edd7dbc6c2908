-- Gives owner@, and with it every super user, its missing rights on all relations, sequences and functions of the given
-- schemas. The gateway calls it before it shows a changed catalogue. Returns the statements that are still needed, because
-- the owner of Portolan may not grant or another transaction is in the way; `portolan doctor` prints them. A null among
-- them: another transaction is in the way, and it is worth trying again.
create or replace function portolan.share_with_owner(schemas text[]) returns setof text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to grant is the owner's
as $$
declare
  v_schemas text[] := array(
    select s from unnest(schemas) s
    where s !~ '^pg_' and s not in ('information_schema', 'portolan')
      and not exists (select from portolan.history_schemas h where h.name = s)); -- nobody writes the record meanwhile
  v_missing record;
  v_following text := current_setting('portolan.following', true);
  v_alone boolean := false;
  v_busy boolean := false;
begin
  if not exists (select from portolan.missing_owner_rights(v_schemas)) then
    return;
  end if;
  perform portolan.one_at_a_time();
  perform set_config('portolan.following', 'on', true); -- histories follow at the end
  -- Of two transactions that grant on one object at the same time, the second fails ("tuple concurrently updated"), and that
  -- must not be a script of the team. GRANT and DDL open the catalogue for writing before they read what they change, and
  -- keep it open until their transaction ends. So where the owner may lock the catalogue, as a superuser may, all of them
  -- have ended when it is locked, and later ones wait for the moment that this takes. This function waits for nothing
  -- meanwhile: another transaction could wait for it.
  begin
    lock table pg_catalog.pg_class, pg_catalog.pg_proc, pg_catalog.pg_namespace in share mode nowait;
    v_alone := true;
  exception
    when lock_not_available then v_busy := true;
    when insufficient_privilege then null;
  end;
  begin
    for v_missing in select m.statement, m.relation from portolan.missing_owner_rights(v_schemas) m loop
      -- without the lock: transactions that have begun are looked for here, later ones at the end
      v_busy := v_busy or not v_alone and exists (
        select from pg_locks l
        where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.pid <> pg_backend_pid()
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and l.relation in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_namespace'::regclass));
      exit when v_busy;
      begin
        -- a transaction that alters the table may have begun without having opened the catalogue yet
        if v_missing.relation is not null then
          execute format('lock table %s in access share mode %s', v_missing.relation, case when v_alone then 'nowait' end);
        end if;
        execute v_missing.statement;
      exception
        when insufficient_privilege or program_limit_exceeded then null; -- reported below
        when lock_not_available then v_busy := true;
        when undefined_table or undefined_function or undefined_object then null; -- dropped meanwhile
      end;
    end loop;
    if not v_alone then
      perform portolan.follow_history(); -- this waits for locks; otherwise follow_ddl does it, in a transaction of its own
      if exists (
        select from pg_locks l
        where l.locktype = 'transactionid' and not l.granted and pg_backend_pid() = any (pg_blocking_pids(l.pid)))
      then
        raise lock_not_available; -- undone: those who wait for it continue as if it had never happened
      end if;
    end if;
  exception
    when lock_not_available then v_busy := true;
  end;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  -- checked again: a GRANT without the right to it may be only a warning
  return query select m.statement from portolan.missing_owner_rights(v_schemas) m;
  if v_busy then
    return next null;
  end if;
end
$$;
