-- Records a use of a client that no account here has registered. The gateway calls it.
create or replace function portolan.note_client_use(client_id text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.client_uses
as $$
  insert into portolan.client_uses as u (client_id) values (note_client_use.client_id)
  on conflict (client_id) do update set used_at = now() where u.used_at < now() - interval '1 hour'
$$;
