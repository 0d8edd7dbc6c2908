-- Runs the statements that rights_to_mend lists: all of them, or all except the `recorded` privileges, which only a
-- repair restores, since a DBA may have revoked them. Such a repair is in the audit where it found something, or where the
-- database was `restored`. A statement that the owner may not run, or for which there is no room, is a warning.
create or replace function portolan.mend_rights(recorded boolean, restored boolean default false) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_following text := current_setting('portolan.following', true);
  v_missing record;
  v_privileges text[] := '{}';
begin
  perform set_config('portolan.following', 'on', true); -- histories follow at the end
  for v_missing in
    select m.kind, m.finding, m.statement from portolan.rights_to_mend() m where recorded or m.kind <> 'privilege'
  loop
    if v_missing.kind = 'privilege' then
      v_privileges := v_privileges || v_missing.statement;
    end if;
    begin
      execute v_missing.statement;
    exception
      when insufficient_privilege or program_limit_exceeded then
        raise warning 'Portolan cannot repair this %: % (%)', v_missing.finding, v_missing.statement, sqlerrm;
    end;
  end loop;
  perform set_config('portolan.following', coalesce(v_following, ''), true);
  if restored or v_privileges <> '{}' then
    insert into portolan.audit (event, details)
    values ('rights.repaired', jsonb_build_object('by', portolan.actor(), 'restored', restored, 'statements', v_privileges));
  end if;
end
$$;
drop function if exists portolan.mend_rights(boolean);
