-- Whether the rule that decides on a relation (request select, insert, update, delete) denies it to the caller only
-- because a second factor is missing: `needed` where the account may have one, `not offered` where the option mfa is
-- off and the account's two_factor is not set, else null. Not for anonymous callers, who have not signed in at all.
-- Security invoker, since rules depend on the caller.
create or replace function portolan.lack_of_factor(relation regclass, request text default 'select') returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan -- planning takes longer than the answer
as $$
begin
  return (
    select case
        when portolan.offers_factors() then 'needed'
        when exists (select from portolan.visible_users u where u.name = m.name and u.two_factor) then 'needed'
        else 'not offered'
      end
    from portolan.me m
    where m.name <> 'anonymous' and (
      select r.lacks_factor
      from portolan.my_rules r
      where r.relation = lack_of_factor.relation
        and r.command = case request when 'select' then 'r' when 'insert' then 'a' when 'update' then 'w' else 'd' end::"char"
      order by r.priority, r.id
      limit 1));
end
$$;
