-- The relations and functions that a read-only statement reaches, as [{"schema", "name", "request"}]: relations
-- (`select`), functions (`call`) and the schemas in which its names are looked up (`names`), without PostgreSQL's and
-- Portolan's own. Null where a function that it calls may do more than read. The arguments: as of `called_functions`. A
-- name that is no longer a relation is left out.
create or replace function portolan.statement_reach(calls jsonb, relations regclass[], path name[]) returns jsonb
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_called oid[] := array(
    select portolan.called_functions(statement_reach.calls, statement_reach.relations, statement_reach.path));
begin
  if exists (select from portolan.volatile_functions(v_called)) then
    return null;
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('schema', r.schema, 'name', r.name, 'request', r.request)), '[]')
    from (
      select n.nspname as schema, c.relname as name, 'select' as request
      from unnest(statement_reach.relations) t (relation)
        join pg_class c on c.oid = t.relation
        join pg_namespace n on n.oid = c.relnamespace
      union
      select n.nspname, p.proname, 'call'
      from unnest(v_called) f (function)
        join pg_proc p on p.oid = f.function
        join pg_namespace n on n.oid = p.pronamespace
      union
      select s.schema, '', 'names'
      from unnest(statement_reach.path) s (schema)
    ) r
    where r.schema !~ '^pg_' and r.schema <> 'portolan');
end
$$;
