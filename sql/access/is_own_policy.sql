-- Whether Portolan made a policy, by its name.
create or replace function portolan.is_own_policy(name name) returns boolean
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
  select name ~ '^portolan_(open|filter|rules_.*|workflow_.*)$'
$$;
