-- The rules of these numbers, or all rules (null), in the order in which they apply. Raises PX404 for an unknown number.
create or replace function portolan.list_rules(ids integer[] default null) returns setof portolan.rules
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the rules
as $$
declare
  v_unknown integer;
begin
  select w.id into v_unknown
  from unnest(ids) w (id)
  where not exists (select from portolan.rules r where r.id = w.id);
  if found then
    raise exception 'there is no rule %', v_unknown using errcode = 'PX404';
  end if;
  return query
    select r.* from portolan.rules r where ids is null or r.id = any (ids) order by r.priority, r.id;
end
$$;
