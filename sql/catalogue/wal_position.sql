-- How far the primary has written its WAL, and on which timeline. A new timeline is recorded for standbys. Raises 55000 on a
-- standby.
create or replace function portolan.wal_position(out timeline integer, out lsn pg_lsn)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write the timeline
as $$
begin
  lsn := pg_current_wal_lsn();
  timeline := portolan.wal_timeline();
  if timeline is distinct from (select t.timeline from portolan.timeline t) then
    update portolan.timeline t set timeline = wal_position.timeline where t.timeline <> wal_position.timeline;
  end if;
end
$$;
