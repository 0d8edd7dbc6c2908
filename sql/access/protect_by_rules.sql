-- Makes the policies and triggers of the rules of one table. For each command that has rules, one restrictive policy
-- finds out once in each statement which rule decides, and applies that rule's filter to each row.
-- Returns why a filter could not be used, where that is not an error: nobody sees its rows then.
create or replace function portolan.protect_by_rules(relation regclass, written integer[]) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_command record;
  v_rule record;
  v_filters jsonb := '{}';
  v_arms text;
  v_condition text;
  v_problem text;
begin
  for v_command in
    select k.command, k.word
    from (values ('r'::"char", 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) k (command, word)
    where exists (
      select from portolan.rule_map m where m.relation = protect_by_rules.relation and m.command = k.command)
  loop
    v_arms := '';
    for v_rule in
      select distinct r.id, r.filter
      from portolan.rule_map m join portolan.rules r on r.id = m.id
      where m.relation = protect_by_rules.relation and m.command = v_command.command and m.access = 'l'
      order by r.id
    loop
      if not v_filters ? v_rule.id::text then
        begin
          v_filters := v_filters || jsonb_build_object(v_rule.id, portolan.filter_sql(relation, v_rule.filter));
        exception
          when sqlstate 'PX400' then
            if v_rule.id = any (written) then
              raise;
            end if;
            v_problem := format('rule %s: %s', v_rule.id, sqlerrm);
            v_filters := v_filters || jsonb_build_object(v_rule.id, 'false');
        end;
      end if;
      v_arms := v_arms || format(' when %s then (%s)', v_rule.id, v_filters ->> v_rule.id::text);
    end loop;
    v_condition := format(
      'case (select portolan.rule(%1$L::regclass, %2$L::"char")) when 0 then true when -1 then false%3$s '
        'else portolan.refuse_old_rules((select portolan.rule(%1$L::regclass, %2$L::"char"))) end',
      relation, v_command.command, v_arms);
    execute format(
      'create policy %I on %s as restrictive for %s to public %s',
      portolan.rule_policy(relation, v_command.command, v_command.word),
      relation,
      v_command.word,
      case v_command.command
        when 'a' then format('with check (%s)', v_condition)
        when 'w' then format('using (%1$s) with check (%1$s)', v_condition)
        else format('using (%s)', v_condition)
      end);
    if v_command.command <> 'r' then
      execute format(
        'create trigger %I before %s on %s for each statement execute function portolan.tg__refuse_denied()',
        '_050_refuse_denied_' || v_command.word, v_command.word, relation);
    end if;
  end loop;
  return v_problem;
end
$$;
