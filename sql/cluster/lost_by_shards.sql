-- Whether Citus loses the rows of a table that is distributed by a column of this type: a domain with a constraint, over any
-- number of domains. Tried with 13.2: no row is found by the column, and a write by it ends the server.
create or replace function portolan.lost_by_shards(type oid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  with recursive domains (id, base, is_bound) as (
    select t.oid, t.typbasetype, t.typnotnull or exists (select from pg_constraint c where c.contypid = t.oid)
    from pg_type t where t.oid = type and t.typtype = 'd'
    union all
    select t.oid, t.typbasetype, t.typnotnull or exists (select from pg_constraint c where c.contypid = t.oid)
    from domains d join pg_type t on t.oid = d.base and t.typtype = 'd'
  )
  select coalesce(bool_or(d.is_bound), false) from domains d
$$;
