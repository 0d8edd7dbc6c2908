-- Lets a role that Portolan made log in with a SCRAM verifier. With Citus it has no limit of connections, since a node opens
-- many for one statement. Raises PX400.
create or replace function portolan.set_login(role text, verifier text, connections integer) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if verifier is null
    or verifier !~ '^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$'
  then
    raise exception 'not a SCRAM verifier' using errcode = 'PX400';
  end if;
  execute format(
    'alter role %I login password %L connection limit %s', role, verifier,
    case when portolan.has_citus() then -1 else least(greatest(connections, 1), 1000) end);
end
$$;
