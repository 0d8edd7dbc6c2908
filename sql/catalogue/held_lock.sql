-- For a request that has waited for a lock in vain: the first of these relations that another transaction has locked against a
-- `select`, `insert`, `update` or `delete`, and who holds the lock. `is_guess`: none of them is locked, as in SQL of an account
-- and behind a view; then it is one that is locked against reads, which the role can read if there is such a one
-- (`is_readable`). `is_told`: the account of this role may read who holds it, as super users may. No row where nothing is
-- locked. It waits for no lock.
create or replace function portolan.held_lock(role text, schemas text[], names text[], requests text[]) returns table (
  relation text, holders text, is_guess boolean, is_readable boolean, is_told boolean
)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: others do not see when a transaction began
as $$
  with asked (oid, place, mode) as (
    select c.oid, a.place, case a.request when 'select' then 'access share' else 'row exclusive' end
    from unnest(schemas, names, requests) with ordinality a (schema, name, request, place)
      join pg_namespace n on n.nspname = a.schema
      join pg_class c on c.relnamespace = n.oid and c.relname = a.name
    union all
    select distinct l.relation, null::bigint, 'access share'
    from pg_locks l
      join pg_class c on c.oid = l.relation and c.oid >= 16384 and c.relkind in ('r', 'p', 'v', 'm', 'f')
    where l.locktype = 'relation' and l.granted and l.mode = 'AccessExclusiveLock'
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
  )
  select format('%s.%s', n.nspname, c.relname), h.holders, a.place is null, r.readable,
    coalesce(pg_has_role(to_regrole(quote_ident(role)), to_regrole(quote_ident(portolan.role_name('owner'))), 'usage'), false)
  from asked a
    cross join lateral (select portolan.lock_holders(a.oid, a.mode) as holders offset 0) h
    join pg_class c on c.oid = a.oid
    join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select coalesce(has_any_column_privilege(to_regrole(quote_ident(role)), c.oid, 'select'), false) as readable) r
  where h.holders is not null
  order by a.place, r.readable desc
  limit 1
$$;
