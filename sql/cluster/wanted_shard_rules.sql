-- A text of everything that the policies of a table's rules are made of, where Citus keeps the table; null elsewhere.
create or replace function portolan.wanted_shard_rules(relation oid) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if portolan.shard_kind(relation) is null then
    return null;
  end if;
  return (
    select format('on shards, named by rules, but for %s: %s',
      (select string_agg(u.role, ' ' order by u.role) from portolan.users u where not u.role_made),
      string_agg(
        concat_ws(' ', m.command, m.priority, m.id, portolan.shard_user(r.username), m.access, r.filter,
          portolan.shard_problem(r)), E'\n' order by m.command, m.priority, m.id))
    from portolan.rule_map m join portolan.rules r on r.id = m.id
    where m.relation = wanted_shard_rules.relation
    having count(*) > 0);
end
$$;
