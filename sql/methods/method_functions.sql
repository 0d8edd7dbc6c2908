-- Functions of these schemas whose comment says `@method`, or `@method name`, and that the caller may execute. They are
-- callable as methods, unless the caller sees a stored method of that name. The gateway calls it as the caller's role.
create or replace function portolan.method_functions(schemas text[]) returns table (
  method text,
  schema text,
  name text,
  description text,
  -- names in order
  arguments text[],
  -- how many of them have no default
  required integer,
  volatile boolean
)
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  -- found by their comments, of which few have the word: PostGIS alone has hundreds of functions with others
  v_functions oid[] := array(
    select d.objoid
    from pg_description d
    where d.objoid >= 16384 and d.classoid = 'pg_proc'::regclass and d.objsubid = 0 and d.description like '%@method%');
begin
  if cardinality(v_functions) = 0 then
    return;
  end if;
  return query
  select distinct on (1)
    coalesce(nullif(c.tag[1], ''), p.proname::text), n.nspname::text, p.proname::text,
    nullif(btrim(regexp_replace(obj_description(p.oid, 'pg_proc'), '^@\w.*$', '', 'gn'), E' \n'), ''),
    a.names, (p.pronargs - p.pronargdefaults)::integer,
    p.provolatile = 'v'
  from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    cross join lateral regexp_match(obj_description(p.oid, 'pg_proc'), '^@method(?:[ \t]+(\S+))?[ \t]*$', 'n') as c (tag)
    cross join lateral (
      select coalesce(array_agg(p.proargnames[i] order by i), '{}') as names
      from generate_series(1, p.pronargs) i
    ) a
  where p.oid = any (v_functions) and n.nspname = any (schemas)
    and p.prokind = 'f' and p.provariadic = 0 and c.tag is not null
    and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')
    and not exists (select from unnest(a.names) x where x is null or x !~ '^[A-Za-z_][A-Za-z0-9_]*$')
    and (p.proargmodes is null or p.proargmodes[1:p.pronargs] <@ array['i']::"char"[])
    and coalesce(nullif(c.tag[1], ''), p.proname::text) ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$'
    and not exists (select from portolan.methods m where m.method = coalesce(nullif(c.tag[1], ''), p.proname::text))
  order by 1, n.nspname, p.oid;
end
$$;
