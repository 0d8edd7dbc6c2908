-- Refuses a relation that cannot have events, and says why. Raises PX400.
create or replace function portolan.check_events(relation regclass) returns void
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select portolan.check_recorded(relation, 'events are')
$$;

comment on function portolan.check_events(regclass) is 'Refuses a relation that cannot have events.';

revoke execute on function portolan.check_events(regclass) from public;
