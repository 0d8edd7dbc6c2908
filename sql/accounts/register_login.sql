-- Makes a login role one of the gateway's: it may read what the gateway needs and change to the roles of accounts.
-- Raises PX404.
create or replace function portolan.register_login(login text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regrole(quote_ident(login)) is null then
    raise exception 'there is no role "%"', login using errcode = 'PX404';
  end if;
  insert into portolan.logins (role) values (login) on conflict do nothing;
  perform portolan.mend_rights(false);
end
$$;
