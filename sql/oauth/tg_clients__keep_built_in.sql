-- Keeps the clients that the service itself signs in with from being deleted or renamed. Raises PX409.
create or replace function portolan.tg_clients__keep_built_in() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if portolan.is_built_in_client(old.id) and (tg_op = 'DELETE' or new.id <> old.id) then
    raise exception 'the client "%" is built in: % sign in with it, so it can be neither removed nor renamed', old.id,
      case old.id when 'portolan-cli' then 'the command line and scripts' else 'the console and the pages of the service' end
      using errcode = 'PX409';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
