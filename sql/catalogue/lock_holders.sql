-- The transactions whose locks on a relation conflict with one of the mode, in words: role, program, process, since when (where
-- the caller may see that), and the tables that they change; null where there is none.
create or replace function portolan.lock_holders(relation regclass, mode text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with conflicts (mode, modes) as (
    values
      ('access share', '{AccessExclusiveLock}'::text[]),
      ('row exclusive', '{ShareLock,ShareRowExclusiveLock,ExclusiveLock,AccessExclusiveLock}'),
      ('share update exclusive',
        '{ShareUpdateExclusiveLock,ShareLock,ShareRowExclusiveLock,ExclusiveLock,AccessExclusiveLock}'),
      ('share row exclusive',
        '{RowExclusiveLock,ShareUpdateExclusiveLock,ShareLock,ShareRowExclusiveLock,ExclusiveLock,AccessExclusiveLock}'),
      ('access exclusive', null)
  ), holders as (
    select distinct l.pid, l.virtualtransaction
    from pg_locks l
      join conflicts c on c.mode = lock_holders.mode and (c.modes is null or l.mode = any (c.modes))
    where l.locktype = 'relation' and l.granted and l.relation = lock_holders.relation
      and l.database = (select d.oid from pg_database d where d.datname = current_database())
      and l.pid is distinct from pg_backend_pid()
  )
  select string_agg(
    concat(
      coalesce(
        concat(a.usename, ' (', nullif(a.application_name, '') || ', ', 'process ', h.pid, ')'),
        format('the prepared transaction %L of %s', p.gid, p.owner)),
      to_char(coalesce(a.xact_start, p.prepared) at time zone 'UTC', '" since "YYYY-MM-DD HH24:MI:SS" UTC"'),
      ', which has locked ' || t.tables),
    '; ' order by coalesce(a.xact_start, p.prepared), h.pid)
  from holders h
    left join pg_stat_activity a on a.pid = h.pid
    left join pg_prepared_xacts p on h.pid is null and p.transaction::text = split_part(h.virtualtransaction, '/', 2)
    cross join lateral (
      select string_agg(n.name, ', ' order by n.name) as tables
      from (
        select distinct c.oid::regclass::text as name
        from pg_locks l join pg_class c on c.oid = l.relation
        where l.virtualtransaction = h.virtualtransaction and l.granted and c.relkind in ('r', 'p', 'v', 'm', 'f')
          and l.database = (select d.oid from pg_database d where d.datname = current_database())
          and l.mode not in ('AccessShareLock', 'RowShareLock')
          and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'portolan'::regnamespace)
        order by 1 limit 3) n) t
  where a.pid is not null or p.gid is not null
$$;
