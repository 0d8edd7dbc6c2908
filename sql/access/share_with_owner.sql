-- Gives owner@, and with it every super user, its rights on all relations, sequences and functions of the given
-- schemas, where they are missing. Called by the gateway before it shows a changed catalogue, and by repair_roles.
-- Returns the statements that are still needed, because the owner of Portolan may not grant or somebody is in the way;
-- `portolan doctor` prints them. Null among them: somebody is in the way, and it is worth trying again.
create or replace function portolan.share_with_owner(schemas text[]) returns setof text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to grant is the owner's
as $$
declare
  v_schemas text[] := array(
    select s from unnest(schemas) s
    where s !~ '^pg_' and s not in ('information_schema', 'portolan')
      and not exists (select from portolan.history_schemas h where h.name = s)); -- nobody writes what was
  v_missing record;
  v_following text := current_setting('portolan.following', true);
  v_busy boolean := false;
begin
  if not exists (select from portolan.missing_owner_rights(v_schemas)) then
    return;
  end if;
  perform portolan.one_at_a_time();
  perform set_config('portolan.following', 'on', true); -- histories follow at the end
  for v_missing in select m.statement, m.relation from portolan.missing_owner_rights(v_schemas) m loop
    -- Two that grant on one object at once: the second fails, and that must not be somebody's script. Grants hold no lock
    -- on the object, but one on the catalogue until their transaction ends.
    if exists (
      select from pg_locks l
      where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.pid <> pg_backend_pid()
        and l.database = (select d.oid from pg_database d where d.datname = current_database())
        and l.relation in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_namespace'::regclass))
    then
      v_busy := true;
      exit;
    end if;
    begin
      -- GRANT takes no lock of its own, and whoever alters the table at the moment would fail with "tuple concurrently updated"
      if v_missing.relation is not null then
        execute format('lock table %s in access share mode', v_missing.relation);
      end if;
      execute v_missing.statement;
    exception
      when insufficient_privilege then null; -- told below
      when lock_not_available then v_busy := true;
      when undefined_table or undefined_function or undefined_object then null; -- dropped meanwhile
    end;
  end loop;
  perform portolan.follow_history();
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  -- looked at again: a GRANT without the right to it may be no more than a warning
  return query select m.statement from portolan.missing_owner_rights(v_schemas) m;
  if v_busy then
    return next null;
  end if;
end
$$;

comment on function portolan.share_with_owner(text[]) is
  'Gives super users their rights on all objects of the schemas; returns the statements that are still needed.';

revoke execute on function portolan.share_with_owner(text[]) from public;
