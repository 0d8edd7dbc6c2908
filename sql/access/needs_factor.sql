-- Whether the caller would be let to a relation, or limited, if it had signed in with a second factor: the rule that decides
-- (request select, insert, update, delete) denies it for the lack of one. Not for anonymous callers, who have not signed in
-- at all. Security invoker, since rules go by the caller.
create or replace function portolan.needs_factor(relation regclass, request text default 'select') returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce((
      select r.lacks_factor
      from portolan.my_rules r
      where r.relation = needs_factor.relation
        and r.command = case request when 'select' then 'r' when 'insert' then 'a' when 'update' then 'w' else 'd' end::"char"
      order by r.priority, r.id
      limit 1), false)
    and exists (select from portolan.me m where m.name <> 'anonymous')
$$;
