-- Gives a table the policies and triggers that rules and workflow need, and drops those that are no longer needed. The
-- team's own policies are never touched: ours are restrictive and apply in addition. A table without row security gets
-- a policy that lets everything pass, until the team makes a policy. When nothing is needed any more, the table is as
-- it was before. The table is locked meanwhile, so that everybody meets either the old policies or the new. written:
-- the rules that are being written; their failure is an error. Another failure (a new table lacks the column in the
-- filter of an older rule) closes the table and is recorded. Raises PX400, PX409, and 42501 where the owner of Portolan
-- does not own the table.
create or replace function portolan.protect(relation regclass, written integer[]) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_wanted text := portolan.wanted_protection(relation);
  v_state portolan.row_security;
  v_on boolean;
  v_others boolean;
  v_problem text;
  v_shipped text := portolan.ship_ddl('off'); -- Citus does not say that a node could not get the lock: what follows does
begin
  execute format('lock table %s in access exclusive mode', relation);
  perform portolan.ship_ddl(v_shipped);
  select c.relrowsecurity into v_on from pg_class c where c.oid = relation;
  v_others := exists (
    select from pg_policy p where p.polrelid = relation and not portolan.is_own_policy(p.polname));
  select s.* into v_state from portolan.row_security s where s.relation = protect.relation;

  perform portolan.drop_protection(relation);
  if v_wanted = '' then
    if v_state.relation is not null and v_on and not v_state.team_enabled then
      execute format('alter table %s disable row level security', relation);
    end if;
    delete from portolan.row_security s where s.relation = protect.relation;
    return;
  end if;

  if v_state.relation is null then
    if not v_on and v_others and written is not null then
      raise exception '% has policies while its row level security is off, and a rule would activate them: run either alter table % enable row level security; or drop them first',
        relation, relation using errcode = 'PX409';
    end if;
    v_state := row(relation, v_on, not v_on and not v_others, '', '', null);
  elsif not v_on then
    v_state.team_enabled := false; -- row level security was off before, and will be off again
    v_state.opened := not v_others;
  end if;
  if v_state.opened and v_others then
    v_state.opened := false; -- the team uses row level security itself now
    v_state.team_enabled := true;
  end if;
  if not v_on then
    execute format('alter table %s enable row level security', relation);
  end if;
  if portolan.shard_kind(relation) is not null then
    v_problem := portolan.protect_shards(relation, written, v_state.opened);
  else
    if v_state.opened then
      execute format('create policy portolan_open on %s for all to public using (true) with check (true)', relation);
    end if;
    v_problem := portolan.protect_by_rules(relation, written);
    perform portolan.protect_by_workflow(relation, r) from portolan.workflow_root(relation) r where r is not null;
  end if;

  insert into portolan.row_security as s (relation, team_enabled, opened, wanted, made, problem)
  values (relation, v_state.team_enabled, v_state.opened, v_wanted, portolan.made_protection(relation), v_problem)
  on conflict on constraint row_security_pkey do update
  set team_enabled = excluded.team_enabled, opened = excluded.opened, wanted = excluded.wanted, made = excluded.made,
    problem = excluded.problem;
end
$$;
