-- Makes the runner of a role that Portolan did not make, where there is none yet, and lets it log in, with a SCRAM verifier
-- that the gateway derived from its secret. The runner is neither superuser nor owner, inherits nothing, and may become that
-- role only. Raises PX404 for a role that no account uses.
create or replace function portolan.runner_login(role text, verifier text, connections integer) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may make and alter roles
as $$
declare
  v_login text := portolan.runner_role(role);
begin
  perform portolan.one_at_a_time(); -- PostgreSQL refuses to change one role twice at once
  if not exists (select from portolan.users u where u.role = runner_login.role and not u.role_made) then
    raise exception 'no account uses the role "%"', role using errcode = 'PX404';
  end if;
  if to_regrole(quote_ident(v_login)) is null then
    execute format('create role %I nologin noinherit', v_login);
  end if;
  insert into portolan.logins (role, kind, runs_as) values (v_login, 'runner', runner_login.role)
  on conflict on constraint logins_pkey do update set kind = excluded.kind, runs_as = excluded.runs_as;
  perform portolan.grant_role(runner_login.role, v_login, false);
  perform portolan.set_login(v_login, verifier, connections);
end
$$;
