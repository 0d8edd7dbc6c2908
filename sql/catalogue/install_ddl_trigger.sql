-- Makes the event trigger with which Portolan follows DDL, where the owner is a superuser. Returns whether it exists.
create or replace function portolan.install_ddl_trigger() returns boolean
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from pg_event_trigger e where e.evtname = 'portolan_follow_ddl') then
    create event trigger portolan_follow_ddl on ddl_command_end
      when tag in (
        'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'CREATE SCHEMA', 'ALTER TABLE', 'DROP TABLE', 'ALTER SCHEMA',
        'CREATE POLICY', 'ALTER POLICY', 'DROP POLICY', 'GRANT', 'REVOKE', 'DROP OWNED')
      execute function portolan.tg__follow_ddl();
  end if;
  return true;
exception
  when insufficient_privilege then
    return false;
end
$$;
