-- The people of other providers who are linked to the calling account, or to any account for a super user and the
-- operator. None for the default user, whose account everybody may use.
create or replace view portolan.visible_identities with (security_barrier) as
  select i.id::text as id, i.user_name as account, i.provider, i.issuer, i.subject, i.email, i.made_at, i.used_at
  from portolan.identities i
  where coalesce(
    (
      select i.user_name = m.name and not u.default_user or pg_has_role(m.role, 'owner@' || current_database(), 'usage')
      from portolan.me m join portolan.users u on u.name = m.name),
    has_schema_privilege('portolan', 'create')); -- the operator, who is not an account
