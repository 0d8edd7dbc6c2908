-- Makes one role a member of another. For the logins of the gateway the membership allows SET ROLE only, so that a statement
-- without a change of role has no account's rights.
create or replace function portolan.grant_role(role text, member text, inherit boolean) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if role = member then
    return;
  end if;
  -- PostgreSQL 16 stores the choice with the membership, earlier versions with the member (NOINHERIT)
  if current_setting('server_version_num')::integer >= 160000 then
    execute format('grant %I to %I with inherit %s, set true', role, member, case when inherit then 'true' else 'false' end);
  elsif not exists (
    select from pg_auth_members m
    where m.roleid = to_regrole(quote_ident(role)) and m.member = to_regrole(quote_ident(grant_role.member))
  ) then
    execute format('grant %I to %I', role, member);
  end if;
end
$$;
