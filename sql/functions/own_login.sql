-- Lets the role of an account log in, with a SCRAM verifier that the gateway derived from its secret; no log ever holds
-- the password. Called by the gateway before it runs SQL that this account wrote. Raises PX403 for a role that
-- Portolan did not make, whose attributes it never changes.
create or replace function portolan.own_login(name text, verifier text, version integer) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may alter roles
as $$
declare
  v_user portolan.users := portolan.existing_account(name);
begin
  if not v_user.role_made then
    raise exception 'the role of "%" was not made by Portolan and cannot log in for it', v_user.name
      using errcode = 'PX403';
  end if;
  if verifier !~ '^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' then
    raise exception 'not a SCRAM verifier' using errcode = 'PX400';
  end if;
  execute format('alter role %I login password %L connection limit 3', v_user.role, verifier);
  update portolan.users u set own_login_version = version where u.name = v_user.name;
end
$$;

comment on function portolan.own_login(text, text, integer) is 'Lets the role of an account log in for SQL that it wrote.';

revoke execute on function portolan.own_login(text, text, integer) from public;
