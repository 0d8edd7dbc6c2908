-- Whether the caller may manage what others own: the account of a super user, or the operator, who is no account.
create or replace function portolan.is_super_user() returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select pg_has_role(m.role, 'owner@' || current_database(), 'usage') from portolan.me m),
    has_schema_privilege('portolan', 'create'))
$$;
