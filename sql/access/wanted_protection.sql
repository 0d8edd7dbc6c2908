-- A text of the policies that a table must have: which commands have rules, which limit rules with which filters, and
-- whether there is a workflow. Empty: none. Cheap: nothing is parsed.
create or replace function portolan.wanted_protection(relation oid) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select coalesce(
      (
        select string_agg(p.part, E'\n' order by p.part)
        from (
          select format('%s, old rules are refused', m.command)
          from portolan.rule_map m where m.relation = wanted_protection.relation
          union
          select format('%s %s %s', m.command, r.id, r.filter)
          from portolan.rule_map m join portolan.rules r on r.id = m.id
          where m.relation = wanted_protection.relation and m.access = 'l'
          union
          select portolan.wanted_shard_rules(wanted_protection.relation)
          where portolan.has_citus()
          union
          select 'workflow'
          where exists (
            select from portolan.workflow_tables w
            where w.relation = coalesce(pg_partition_root(wanted_protection.relation), wanted_protection.relation))
        ) p (part)),
      ''));
end
$$;
