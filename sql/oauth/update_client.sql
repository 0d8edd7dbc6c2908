-- Changes members of a client; members that are not in `changes` stay. A client that describes itself keeps them when it changes
-- its registration or its document; false and null let it say them itself again. A client that becomes public loses its secret;
-- one that becomes confidential has none until set_client_secret. Raises PX400, PX404, and PX409 for a change after which
-- nobody could sign in to the console.
create or replace function portolan.update_client(id text, changes jsonb) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
  select portolan.put_client(id, changes, imposed => changes);
$$;
