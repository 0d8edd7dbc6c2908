-- The condition, for a policy on shards, that the caller is this account or belongs to it; true for `*`. A shard knows nothing
-- but the role: the name of its account is found when the policy is made. anonymous means callers who have not signed in.
create or replace function portolan.shard_user(name text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case
    when name = '*' then 'true'
    when name = 'anonymous' then format('current_user = %L::name', r.role)
    else format('coalesce(pg_has_role(current_user, to_regrole(%L)::oid, ''member''), false)', quote_ident(r.role))
  end
  from (select coalesce(
    (select u.role from portolan.users u where u.name = shard_user.name),
    name || '@' || current_database()) as role) r
$$;
