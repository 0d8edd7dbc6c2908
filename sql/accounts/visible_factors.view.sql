-- The second factors of the calling account, or of all accounts for a super user and the operator. None for the default
-- user, whose account everybody may use. It shows no secret.
create or replace view portolan.visible_factors with (security_barrier) as
  select f.id::text as id, f.user_name as account, f.kind, f.name, f.made_at, f.used_at,
    (select count(*)::integer from portolan.recovery_codes r where r.user_name = f.user_name) as recovery_codes
  from portolan.factors f
  where coalesce(
    (
      select f.user_name = m.name and not u.default_user or pg_has_role(m.role, 'owner@' || current_database(), 'usage')
      from portolan.me m join portolan.users u on u.name = m.name),
    has_schema_privilege('portolan', 'create')); -- the operator, who is not an account
