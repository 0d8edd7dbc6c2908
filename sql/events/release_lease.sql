-- Gives up the lease of the reader, so that another process takes it at once. The gateway calls it when it stops.
create or replace function portolan.release_lease(own_term bigint) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may write the lease
as $$
begin
  update portolan.event_reader r set pid = null, started = null where r.term = own_term;
  perform setval('portolan.asleep', 0);
  perform pg_notify('portolan', '');
end
$$;
