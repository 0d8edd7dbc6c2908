-- Removes a rule. Raises PX404.
create or replace function portolan.drop_rule(id integer) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write the rules
as $$
begin
  perform portolan.lock_own('portolan.rules', 'row exclusive'); -- first: the order of locks is that of one_at_a_time
  perform portolan.one_at_a_time();
  delete from portolan.rules r where r.id = drop_rule.id;
  if not found then
    raise exception 'there is no rule %', id using errcode = 'PX404';
  end if;
end
$$;
