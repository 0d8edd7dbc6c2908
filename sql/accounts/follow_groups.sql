-- Sets the groups of an account to those that another provider states. `mapped`: the groups that a provider may give;
-- `given`: those that it states now. The account's other groups stay. Returns the groups of `given` that it cannot be
-- in: names that are not accounts, super users, or members of the account itself. The gateway calls it.
create or replace function portolan.follow_groups(name text, mapped text[], given text[]) returns text[]
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may grant roles
as $$
declare
  v_user portolan.users;
  v_possible text[];
  v_wanted text[];
begin
  perform portolan.one_at_a_time();
  v_user := portolan.existing_account(name);
  if not v_user.role_made then
    return given;
  end if;
  with groups as materialized ( -- PostgreSQL would otherwise check the roles of all accounts first
    select u.name, u.role
    from portolan.users u
    where u.name = any (given) and u.name not in (v_user.name, 'anonymous') and not u.superuser
  )
  select coalesce(array_agg(g.name order by g.name), '{}') into v_possible
  from groups g
  where not pg_has_role(g.role, v_user.role, 'member');
  select coalesce(array_agg(g.name order by g.place), '{}') into v_wanted
  from (
    select n.name, min(n.place) as place
    from unnest(array(select o.name from unnest(v_user.user_groups) o (name) where o.name <> all (mapped) or o.name = any (v_possible))
      || v_possible) with ordinality n (name, place)
    group by 1
  ) g;
  if v_wanted is distinct from v_user.user_groups then
    perform set_config('portolan.user', v_user.name, true); -- the account that the audit must name
    perform portolan.update_user(v_user.name, jsonb_build_object('user_group', v_wanted));
  end if;
  return array(select g.name from unnest(given) g (name) where g.name <> all (v_possible));
end
$$;
