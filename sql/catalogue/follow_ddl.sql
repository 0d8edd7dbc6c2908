-- Adapts what Portolan compiles to the catalogue: rules for new tables and partitions, policies that somebody dropped.
-- Returns what could not be done, one sentence each; `busy`: worth trying again.
create or replace function portolan.follow_ddl() returns table (problem text, busy boolean)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make policies is the owner's
as $$
begin
  if not exists (select from portolan.rules) and not exists (select from portolan.row_security)
    and not exists (select from portolan.versioned_tables v where v.active or v.closing is not null)
  then
    return;
  end if;
  perform portolan.one_at_a_time();
  return query select c.problem, c.busy from portolan.compile() c;
  return query select h.problem, h.busy from portolan.follow_history() h;
exception
  when lock_not_available then
    problem := 'another transaction changes accounts or rights';
    busy := true;
    return next;
end
$$;
