-- The search_path of the connections of requests, where the gateway's login has `path`: pg_catalog first, temporary tables
-- last, and no schema in which a role that is not trusted could plant an operator or a function.
create or replace function portolan.requests_search_path(path text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select concat_ws(', ', 'pg_catalog', string_agg(quote_ident(p.schema), ', ' order by p.place), 'pg_temp')
  from portolan.search_path_parts(path) p
  where p.planter is null
$$;
