-- Protects the clients with which the service itself signs in, in every write: they are neither deleted, renamed nor
-- disabled, and that of the console keeps the members that signing in needs. Only the operator may disable that of the
-- console, by `portolan client disable --force`. Raises PX409.
create or replace function portolan.tg_clients__keep_built_in() returns trigger
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'built-in clients cannot be deleted: delete the others by their ids' using errcode = 'PX409';
  end if;
  if not portolan.is_built_in_client(old.id) then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or new.id <> old.id
    or new.disabled and not old.disabled and not (
      old.id = 'portolan-console' and coalesce(current_setting('portolan.force', true), '') = 'on'
      -- an account has a role, or a login of its own
      and current_setting('role') = 'none' and has_schema_privilege(session_user, 'portolan', 'create'))
  then
    raise exception 'the client "%" is built in: % sign in with it, so it can be neither removed, renamed nor disabled', old.id,
      case old.id when 'portolan-cli' then 'the command line and scripts' else 'the console and the pages of the service' end
      using errcode = 'PX409';
  end if;
  if old.id = 'portolan-console' and (
    old.public and not new.public
    or old.grants @> '{authorization_code,refresh_token}' and not new.grants @> '{authorization_code,refresh_token}'
    or old.redirect_uri <> new.redirect_uri and coalesce(new.redirect_uri[1], '') not like '%/console/callback')
  then
    raise exception 'nobody could sign in to the console: the client "portolan-console" is public, has the grants authorization_code and refresh_token, and follows the address of the service'
      using errcode = 'PX409';
  end if;
  return new;
end
$$;
