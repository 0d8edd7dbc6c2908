-- Whether the account that owns a method is a super user, so that anybody may call it. Called by the policies of
-- portolan.methods.
create or replace function portolan.owned_by_super_user(owner text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read portolan.users
as $$
  select exists (
    select from portolan.users u
    where u.name = owner and pg_has_role(u.role, 'owner@' || current_database(), 'usage'))
$$;

comment on function portolan.owned_by_super_user(text) is 'Whether the account of that name is a super user.';
