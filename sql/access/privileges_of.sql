-- The privileges of each account on a table or view by its own grants: none, read, write or all. The grants count, by any
-- grantor; the record of set_privilege only tells `all` from `write`. Super users, who may do everything, and anonymous,
-- whose reading set_authentication decides, are listed only with a grant of their own.
create or replace function portolan.privileges_of(relation regclass) returns table (subuser text, privilege text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else reads portolan.users
as $$
  with grants as (
    select
      a.grantee,
      bool_or(a.privilege_type = 'SELECT') as reads,
      count(distinct a.privilege_type) filter (
        where a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')) = 4 as writes
    from pg_class c cross join aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
    where c.oid = relation
    group by a.grantee
  )
  select
    u.name,
    case
      when g.writes then coalesce((
        select p.privilege
        from portolan.privileges p
        where p.relation = privileges_of.relation and p.user_name = u.name and p.privilege = 'all'), 'write')
      when g.reads then 'read'
      else 'none'
    end
  from portolan.users u left join grants g on g.grantee = to_regrole(quote_ident(u.role))
  where g.reads or not (u.superuser or u.name = 'anonymous')
  order by u.name
$$;
