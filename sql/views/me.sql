-- Who is asking: the account behind this session, from where and through which interface. One row, or none for a
-- role that is no account. Read by everybody, shows each role only itself.
-- A view, not a security definer function: in it current_user is the caller, while the tables beneath are read with
-- the view owner's rights. On the gateway's shared logins the current role is the account; on a connection that is
-- logged in as the account, session_user is, which no statement can change, and the service is always 'sql'.
create or replace view portolan.me with (security_barrier) as
  select
    u.name,
    u.role,
    u.superuser,
    u.user_group,
    u.email,
    u.properties,
    case
      when s.shared then coalesce(nullif(current_setting('portolan.service', true), ''), 'other')
      else 'sql'
    end as service,
    case
      when s.shared then nullif(current_setting('portolan.ip', true), '')::inet
      else (
        select o.ip
        from portolan.own_sessions o
        where o.pid = pg_backend_pid()
          and o.started = (select a.backend_start from pg_stat_get_activity(pg_backend_pid()) a)
      )
    end as ip
  from
    (select exists (select from portolan.logins l where l.role = session_user) as shared) s
    join portolan.users u
      on u.role = case when s.shared then current_user else session_user end
      and (not s.shared or coalesce(nullif(current_setting('portolan.user', true), ''), u.name) = u.name);

comment on view portolan.me is 'The account behind this session: name, role, group, properties, interface and address.';

grant select on portolan.me to public;
