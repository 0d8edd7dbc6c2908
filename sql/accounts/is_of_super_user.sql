-- Whether a super user owns a method, so that everybody may see and call it.
create or replace function portolan.is_of_super_user(method text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.users
as $$
  select exists (
    select from portolan.methods m join portolan.users u on u.name = m.owner
    where m.method = is_of_super_user.method and pg_has_role(u.role, 'owner@' || current_database(), 'usage'))
$$;
