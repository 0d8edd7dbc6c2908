-- Removes the settings that ALTER ROLE … SET has given to a login that Portolan made. Code that ran as the account can
-- set them, and the next connection would begin with them. Returns whether there were any. It also revokes the login
-- from roles to which it has granted itself, which PostgreSQL 14 lets a role do. The gateway calls it for each new
-- connection.
create or replace function portolan.set_back(login text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may alter roles
as $$
declare
  v_database name;
  v_member name;
  v_were boolean := false;
begin
  if not exists (select from portolan.users u where u.role = login and u.role_made)
    and not exists (select from portolan.logins l where l.role = login and l.kind = 'runner')
  then
    return false;
  end if;
  for v_database in
    select d.datname
    from pg_db_role_setting s left join pg_database d on d.oid = s.setdatabase
    where s.setrole = to_regrole(quote_ident(login))
  loop
    v_were := true;
    execute format('alter role %I%s reset all', login, coalesce(' in database ' || quote_ident(v_database), ''));
  end loop;
  for v_member in
    select r.rolname
    from pg_auth_members m join pg_roles r on r.oid = m.member
    where m.roleid = to_regrole(quote_ident(login)) and m.grantor = m.roleid
      and not exists (
        select from portolan.wanted_memberships(array(select u.name from portolan.users u where u.role = login)) w
        where (w.role, w.member) = (login, r.rolname::text))
  loop
    execute format('revoke %I from %I', login, v_member);
  end loop;
  return v_were;
end
$$;
