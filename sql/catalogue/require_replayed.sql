-- Checks on the server of a read that it has everything that was written up to `lsn` of `timeline`. Raises 55000 where
-- a standby has not replayed that yet or follows another timeline, and on a server that was promoted.
create or replace function portolan.require_replayed(timeline integer, lsn pg_lsn) returns boolean
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the timeline
as $$
begin
  if pg_is_in_recovery() then
    if pg_last_wal_replay_lsn() >= lsn
      and (select t.timeline from portolan.timeline t) = require_replayed.timeline
    then
      return true;
    end if;
  elsif portolan.wal_timeline() = timeline and pg_current_wal_insert_lsn() >= lsn then
    return true;
  end if;
  raise exception using errcode = 'object_not_in_prerequisite_state',
    message = 'the server does not have yet what was written before';
end
$$;
