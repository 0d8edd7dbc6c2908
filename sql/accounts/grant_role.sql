-- Makes one role a member of another, unless it is. For the logins of the gateway the membership allows SET ROLE only, so that
-- a statement without a change of role has no account's rights.
create or replace function portolan.grant_role(role text, member text, inherit boolean) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off -- the plan is kept: it may have been made when there were few memberships
as $$
declare
  -- PostgreSQL 16 stores the choice with the membership, earlier versions with the member (NOINHERIT)
  v_chooses constant boolean := current_setting('server_version_num')::integer >= 160000;
begin
  if role = member or exists (
    select from pg_auth_members m
    where m.roleid = to_regrole(quote_ident(role)) and m.member = to_regrole(quote_ident(grant_role.member))
      and (not v_chooses or to_jsonb(m) @> jsonb_build_object('inherit_option', grant_role.inherit, 'set_option', true)))
  then
    return;
  end if;
  execute format('grant %I to %I', role, member)
    || case when v_chooses then format(' with inherit %s, set true', case when inherit then 'true' else 'false' end) else '' end;
end
$$;
