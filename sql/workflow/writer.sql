-- The account that wrote a version of a row. History records the login and the account that the gateway named. The
-- latter counts only on the gateway's own logins. For a role that Portolan did not make, only super users are told the
-- account. Others get the role, since anybody can ask this about any login, whether or not that login has written
-- anything.
create or replace function portolan.writer(noted text) returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read logins and accounts
as $$
  select case
      when l.kind in ('gateway', 'pool', 'former') then coalesce(nullif(substr(noted, length(l.role) + 2), ''), l.role)
      else coalesce(
        (
          select min(u.name)
          from portolan.users u
          where u.role = s.login and (
            u.role_made
            -- in a security definer function the caller is the role that the login has changed to, or the login
            or pg_has_role(
              coalesce(nullif(current_setting('role'), 'none'), session_user), portolan.role_name('owner'), 'usage'))
        ),
        s.login)
    end
  from (select split_part(noted, '/', 1) as login) s left join portolan.logins l on l.role = s.login
$$;
