-- The accounts that the caller may see: all for a super user, for others their own. Never a password. A super user is an
-- account that has the rights of owner@, as for every other right.
create or replace view portolan.visible_users with (security_barrier) as
  select u.name, u.email, u.user_group, u.properties, u.superuser, s.last_sign_in, s.locked_until,
    u.user_groups, u.default_user, u.email_verified, u.two_factor, u.allow_signup, u.social_signup
  from portolan.me m
    join portolan.users u
      on u.name = m.name or pg_has_role(m.role, 'owner@' || current_database(), 'usage')
    join portolan.account_states s on s.name = u.name;
