-- The row of a client. Raises PX404 for an unknown one.
create or replace function portolan.existing_client(id text) returns portolan.clients
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_client portolan.clients;
begin
  select c.* into v_client from portolan.clients c where c.id = existing_client.id;
  if not found then
    raise exception 'there is no client "%"', existing_client.id using errcode = 'PX404';
  end if;
  return v_client;
end
$$;
