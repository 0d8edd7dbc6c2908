-- Makes the public client of the gateway's own pages, or moves it to the new address of the service. False where no code may
-- be sent to that address: on plain http beyond loopback browsers have no PKCE either.
create or replace function portolan.follow_console(redirect_uri text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write portolan.clients
as $$
begin
  if not portolan.is_redirect_uri(redirect_uri) then
    return false;
  end if;
  if exists (
    select from portolan.clients c
    where c.id = 'portolan-console' and c.redirect_uri = array[follow_console.redirect_uri])
  then
    return true; -- writes nothing, so that a standby can be asked too
  end if;
  insert into portolan.clients as c (id, name, description, redirect_uri, public, confirm, grants)
  values (
    'portolan-console', 'Portolan', 'The pages of the service itself; made at each start.',
    array[follow_console.redirect_uri], true, false, '{authorization_code,refresh_token}')
  on conflict (id) do update set redirect_uri = excluded.redirect_uri;
  return true;
end
$$;
