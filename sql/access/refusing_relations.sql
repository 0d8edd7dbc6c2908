-- The relations where some rule denies something to somebody, or whose rules do not hold yet: the gateway checks access to
-- these before it reads or writes. The gateway calls it when the rules have changed.
create or replace function portolan.refusing_relations() returns table (schema text, name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read the rules
as $$
  select n.nspname::text, c.relname::text
  from (
      select m.relation from portolan.rule_map m where m.access = 'd' or m.mfa
      union
      select u.relation from portolan.unprotected_relations() u
    ) r
    join pg_class c on c.oid = r.relation
    join pg_namespace n on n.oid = c.relnamespace
$$;
