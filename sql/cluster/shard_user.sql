-- The condition, for a policy on shards, that a rule names the caller: its account, or one to which it belongs; true for `*`. A
-- shard knows nothing but the role, so the roles of groups are found when the policy is made (follow_groups_on_shards); the
-- role of another account is its name and the database. anonymous means callers who have not signed in.
create or replace function portolan.shard_user(name text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case
    when name = '*' then 'true'
    when name = 'anonymous' then format('current_user = %L::name', r.role)
    when name !~ '[*?]'
    then format('coalesce(pg_has_role(current_user, to_regrole(%L)::oid, ''member''), false)', quote_ident(r.role))
    else (
      select format(
        '(case when current_user = any (%L::name[]) then current_user = any (%L::name[]) else left(current_user::text, %s) like %L end',
        coalesce(array_agg(u.role order by u.role) filter (where not u.role_made), '{}'),
        coalesce(array_agg(u.role order by u.role) filter (where not u.role_made and u.name like p.pattern), '{}'),
        -length(current_database()) - 1, p.pattern)
        || coalesce(string_agg(
          format(' or coalesce(pg_has_role(current_user, to_regrole(%L)::oid, ''member''), false)', quote_ident(u.role)), ''
          order by u.role)
          filter (where u.name like p.pattern and u.name <> 'anonymous' and exists (
            select from pg_auth_members m join portolan.users o on o.role = pg_get_userbyid(m.member)
            where m.roleid = to_regrole(quote_ident(u.role)))), '')
        || ')'
      from (select portolan.like_pattern(shard_user.name)) p (pattern) cross join portolan.users u
      group by p.pattern)
  end
  from (select coalesce(
    (select u.role from portolan.users u where u.name = shard_user.name),
    name || '@' || current_database()) as role) r
$$;
