-- Why nobody would get the tiles of a table that are made beforehand for an account: what chooses the rows that it sees may
-- change unnoticed. Null where they are served.
create or replace function portolan.pyramid_problem(relation regclass, account text) returns text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: called by the gateway
as $$
#variable_conflict use_variable
declare
  v_policy name := portolan.choosing_policy(relation);
begin
  if portolan.row_keys(relation) is not null or not exists (
    select from pg_class c
      join portolan.users u on u.name = account
      join pg_roles r on r.rolname = u.role
    where c.oid = relation and c.relrowsecurity and not r.rolsuper and not r.rolbypassrls
      and (c.relforcerowsecurity or not pg_has_role(r.oid, c.relowner, 'usage')))
  then
    return null;
  elsif v_policy is not null then
    return format('the policy %I of %s decides which rows %s sees, and what it reads may change unnoticed: the tiles would not be served',
      v_policy, relation, account);
  end if;
  return format('a rule of %s has a filter with a function such as now(), whose value may change unnoticed: the tiles would not be served',
    relation);
end
$$;
