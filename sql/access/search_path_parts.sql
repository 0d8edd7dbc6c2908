-- The existing schemas of a search_path, in order, each with a role that could create an operator or a function there:
-- an author who owns the schema, or an untrusted role that may create in it (`public`: everybody). Null: no such role.
create or replace function portolan.search_path_parts(path text)
  returns table (place bigint, schema name, planter text)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
  set jit = off -- compiling takes longer than the answer
as $$
declare
  v_schemas name[];
begin
  perform pg_catalog.set_config('search_path', pg_catalog.replace(path, '"$user"', 'pg_catalog'), true);
  v_schemas := pg_catalog.current_schemas(false);
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  return query
  select s.place, s.schema, p.planter
  from unnest(v_schemas) with ordinality s (schema, place)
    join pg_namespace n on n.nspname = s.schema
    cross join lateral (
      select min(case r.role when 0 then 'public' else pg_get_userbyid(r.role)::text end)
      from (
        select n.nspowner
        union all
        select a.grantee from aclexplode(n.nspacl) a where a.privilege_type = 'CREATE'
      ) r (role)
      where not portolan.is_trusted(r.role)) p (planter)
  where s.schema <> 'pg_catalog';
end
$$;
