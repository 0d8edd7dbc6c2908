-- Follows DDL on tables that Citus keeps, at the end of its transaction: Citus does DDL on the shards after the event trigger,
-- which would give policies to shards that have other names or columns yet. The trigger _500_follow calls it.
create or replace function portolan.tg_ddl_on_shards__follow() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the right to make policies is the owner's
as $$
declare
  v_problem text;
begin
  delete from portolan.ddl_on_shards d where d.transaction = new.transaction;
  for v_problem in select c.problem from portolan.compile() c loop
    raise warning 'Portolan: %', v_problem;
  end loop;
  return null;
exception
  when others then
    raise warning 'Portolan could not follow what was changed on shards: %', sqlerrm;
    return null;
end
$$;
