-- Makes the policies of the rules of a table that Citus keeps, which are copied to its shards: they are made of columns,
-- constants and the role of the caller. Citus copies a restrictive policy as a permissive one (tried: 13.2), so each command
-- has a single permissive policy, which would mean nothing beside one of the team. opened: the team has no row level security
-- of its own. No trigger tells a denied caller. Returns why a rule does not hold, where that is no error. Raises PX400 for a
-- rule that is being written and cannot hold.
create or replace function portolan.protect_shards(relation regclass, written integer[], opened boolean) returns text
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_command record;
  v_rule record;
  v_effect text;
  v_arms text;
  v_condition text;
  v_problem text;
  -- super users are members of owner@; a role that is not an account gets nothing
  v_known constant text := format(
    'when pg_has_role(current_user, to_regrole(%L)::oid, ''member'') then true '
      'when not (right(current_user::text, %s) = %L or current_user = any (%L::name[])) then false',
    quote_ident(portolan.role_name('owner')), length(current_database()) + 1, '@' || current_database(),
    array(select u.role from portolan.users u where not u.role_made order by 1));
begin
  if not opened then
    v_problem := format('rules cannot hold on %s beside row level security of yours, since Citus copies restrictive policies to '
      'its shards as permissive ones: write your policies as rules, or the rules as policies', relation);
    if exists (select from portolan.rule_map m where m.relation = protect_shards.relation and m.id = any (written)) then
      raise exception '%', v_problem using errcode = 'PX400';
    end if;
    return v_problem;
  end if;
  for v_command in
    select k.command, k.word
    from (values ('r'::"char", 'select'), ('a', 'insert'), ('w', 'update'), ('d', 'delete')) k (command, word)
  loop
    v_arms := '';
    for v_rule in
      select r.id, r.username, r.filter, m.access, portolan.shard_problem(r) as problem,
        case when r.id = any (written) then portolan.shed_rule(r, protect_shards.relation) end as shed
      from portolan.rule_map m join portolan.rules r on r.id = m.id
      where m.relation = protect_shards.relation and m.command = v_command.command
      order by m.priority, m.id
    loop
      begin
        if v_rule.problem is not null or v_rule.shed is not null then
          raise exception 'rule % cannot hold on the shards of %: %', v_rule.id, relation, coalesce(v_rule.problem, v_rule.shed)
            using errcode = 'PX400';
        end if;
        v_effect := case v_rule.access
          when 'a' then 'true' when 'd' then 'false' else portolan.filter_sql(relation, v_rule.filter) end;
      exception
        when sqlstate 'PX400' then
          if v_rule.id = any (written) then
            raise;
          end if;
          v_problem := format('rule %s: %s', v_rule.id, sqlerrm);
          v_effect := 'false';
      end;
      v_arms := v_arms || format(' when %s then (%s)',
        case when v_rule.problem is null then portolan.shard_user(v_rule.username) else 'true' end, v_effect);
    end loop;
    v_condition := case v_arms when '' then 'true' else format('case %s%s else true end', v_known, v_arms) end;
    execute format(
      'create policy %I on %s for %s to public %s',
      portolan.rule_policy(relation, v_command.command, v_command.word), relation, v_command.word,
      case v_command.command
        when 'a' then format('with check (%s)', v_condition)
        when 'w' then format('using (%1$s) with check (%1$s)', v_condition)
        else format('using (%s)', v_condition)
      end);
  end loop;
  return v_problem;
end
$$;
