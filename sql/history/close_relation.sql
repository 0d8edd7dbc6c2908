-- Makes sure that the rules for a table hold before anybody gets a right on it. Raises PX409 where they do not.
create or replace function portolan.close_relation(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problems text;
begin
  if not exists (
      select from portolan.wanted_rules() w
      where w.relation = close_relation.relation and w not in (
        select m from portolan.rule_map m where m.relation = close_relation.relation))
    and not exists (select from portolan.unprotected_relations() u where u.relation = close_relation.relation)
  then
    return;
  end if;
  select string_agg(f.problem, '; ') into v_problems from portolan.compile() f;
  if exists (select from portolan.unprotected_relations() u where u.relation = close_relation.relation) then
    raise exception 'the rules for % do not hold yet: %', relation, coalesce(
      v_problems, (select s.problem from portolan.row_security s where s.relation = close_relation.relation))
      using errcode = 'PX409';
  end if;
end
$$;
