-- Drops the triggers of events from a table and from every relation that is or was a partition of it. A table of Citus is taken
-- out of the publication of the nodes; if one of them is down, leave_rest does it when it is back. Raises 42501.
create or replace function portolan.remove_events(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  begin
    perform portolan.leave_shards(t.members) from portolan.event_tables t where t.relation = remove_events.relation;
  exception
    when connection_exception then
      null;
  end;
  perform portolan.drop_own_triggers(m.member, 'emit_event')
  from (
    select r as member from unnest(portolan.event_members(relation)) r
    union
    select k from portolan.event_tables t, unnest(t.members) k where t.relation = remove_events.relation
  ) m;
  update portolan.event_tables t set active = false, members = '{}' where t.relation = remove_events.relation;
end
$$;
