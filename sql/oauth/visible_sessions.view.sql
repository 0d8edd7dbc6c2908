-- Where accounts are signed in: browsers (sessions of our pages) and applications (the tokens of one authorization of a
-- client). Each account sees its own, a super user all; the default user, who may be everybody, sees none. Tokens of `portolan token` belong to no sign-in and are not here. A
-- browser and the tokens of the console in it are one. Its id is that of these tokens, or the beginning of a hash of a hash,
-- so that it cannot be used to sign in.
create or replace view portolan.visible_sessions with (security_barrier) as
  select s.*
  from (
    select
      f.id::text as id, 'application' as kind, f.user_name as account, f.client_id, c.name as client, null as agent,
      f.asked ->> 'address' as address, f.created_at as since, f.expires_at, f.token_version,
      nullif(f.asked ->> 'resource', '') as resource, f.scope
    from portolan.token_families f join portolan.clients c on c.id = f.client_id
    where f.revoked_at is null
      and not exists (select from portolan.sessions b where b.console_family = f.id)
    union all
    select
      b.id, 'browser', b.user_name, null, null, b.agent, b.address, b.created_at,
      b.expires_at, b.token_version, null, null
    from portolan.sessions b
  ) s
    join portolan.users u on u.name = s.account and u.token_version = s.token_version
  where s.expires_at > now()
    and coalesce(
      (select s.account = m.name and not u.default_user or pg_has_role(m.role, 'owner@' || current_database(), 'usage') from portolan.me m),
      has_schema_privilege('portolan', 'create')); -- the operator, who is no account
