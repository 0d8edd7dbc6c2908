-- Switches the events of a table on: from now on, writes to it reach subscribers. Does nothing when they are on. For a large
-- table (over 100,000 rows) it is a job, which tries again while another session holds a lock: returns its number, and null
-- when all is done. wait: do it in this call. Raises PX400 for a relation that cannot have events or when the comment of the
-- table says otherwise, PX404, and 42501 where the owner of Portolan may not make triggers.
create or replace function portolan.enable_events(relation regclass, wait boolean default false) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make triggers is the owner's
as $$
begin
  perform portolan.one_at_a_time(); -- before the table is read
  perform portolan.check_recorded(relation, 'events are');
  if not coalesce(wait, false) and not portolan.events_of(relation) and coalesce(portolan.event_comment(relation), true)
    and not portolan.is_followed(relation) and portolan.is_large(relation)
  then
    return portolan.queue_job('events', relation);
  end if;
  perform portolan.make_events(relation);
  return null;
end
$$;
