-- Removes a client; its tokens become invalid. Raises PX404 for an unknown one, PX409 for a built-in one.
create or replace function portolan.drop_client(id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
declare
  v_client portolan.clients := portolan.existing_client(id);
begin
  delete from portolan.clients c where c.id = v_client.id;
end
$$;
