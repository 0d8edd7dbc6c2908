-- The entry that the gateway registered for this connection (bind_own_session), or for its ticket (bind_map_session); no row
-- on the gateway's shared logins. In PL/pgSQL, so that the unlogged tables are read only where they have an entry: a statement
-- that names them cannot be planned on a standby. Each connection sees only its own entry.
create or replace function portolan.registered_session(kind text)
  returns table (ip inet, account text, service text, claims jsonb)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the table
as $$
begin
  if coalesce(kind not in ('gateway', 'pool'), true) and not pg_is_in_recovery() then
    return query
    select o.ip, o.account, o.service, o.claims
    from portolan.own_sessions o
    where o.pid = pg_backend_pid() and o.login = session_user
      and coalesce(o.started = portolan.backend_started(pg_backend_pid()), true);
    if not found then
      return query
      select m.ip, m.account, m.service, m.claims
      from portolan.map_sessions m
      where m.ticket = current_setting('portolan.ticket', true) and m.login = session_user and m.expires_at > now();
    end if;
  end if;
end
$$;

-- The caller: the account behind this session, its address, its interface, and whether it has signed in with a second factor
-- (mfa). One row, or none for a role that is no account. Everybody may read it; each role sees only itself.
--
-- This is a view, not a security definer function: in a view current_user is the caller, while the tables beneath are read
-- with the view owner's rights. On the gateway's shared logins the account is the current role. On the runner's login too,
-- but only while it is the role of the account that the gateway bound to the connection. On a connection that is logged in
-- as the account, the account is session_user, which no statement can change. Address and service are registered for the
-- last two, for MapServer too. Pictures (ows) and features (wfst) are the interface ogc, of which they are the part.
create or replace view portolan.me with (security_barrier) as
  select
    u.name,
    u.role,
    u.superuser,
    u.user_group,
    u.email,
    u.properties,
    case when i.interface in ('ows', 'wfst') then 'ogc' else i.interface end as service,
    case
      when s.kind in ('gateway', 'pool') then nullif(current_setting('portolan.ip', true), '')::inet
      else o.ip
    end as ip,
    u.user_groups,
    case when i.interface in ('ows', 'wfst') then i.interface end as part,
    coalesce(
      case
        when s.kind in ('gateway', 'pool') then nullif(current_setting('portolan.mfa', true), '')::boolean
        else (o.claims ->> 'mfa')::boolean
      end, false) as mfa
  from
    (select (select l.kind from portolan.logins l where l.role = session_user) as kind) s
    left join lateral portolan.registered_session(s.kind) o on true
    join portolan.users u
      on u.role = case when s.kind is null then session_user else current_user end
      and case
        when s.kind in ('gateway', 'pool') then coalesce(nullif(current_setting('portolan.user', true), ''), u.name) = u.name
        when s.kind = 'runner' then o.account = u.name
        else true
      end
    cross join lateral (
      select case
        when s.kind in ('gateway', 'pool') then coalesce(nullif(current_setting('portolan.service', true), ''), 'other')
        else coalesce(o.service, case when s.kind is not null or not u.role_made then 'sql' end)
      end) i (interface);

drop function if exists portolan.own_session(text);
