-- What the connections of requests have as search_path, where the login of the gateway has `path`: PostgreSQL's own schema
-- first, temporary tables last, and no schema in which somebody who is not trusted could plant an operator or a function.
create or replace function portolan.requests_search_path(path text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select concat_ws(', ', 'pg_catalog', string_agg(quote_ident(p.schema), ', ' order by p.place), 'pg_temp')
  from portolan.search_path_parts(path) p
  where p.planter is null
$$;
