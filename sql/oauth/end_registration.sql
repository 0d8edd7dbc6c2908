-- Removes a client that has registered itself, at its own request (RFC 7592 section 2.3). The gateway calls it.
create or replace function portolan.end_registration(id text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
  delete from portolan.clients c where c.id = end_registration.id and c.origin = 'registration'
$$;
