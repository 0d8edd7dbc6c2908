-- The tables and views of a schema that run code of authors (see is_trusted), with the first author by name for reading and
-- for writing; null where it runs none. Judged as code_reach does; code_owners has the ways.
create or replace function portolan.schema_code_owners(schema text)
  returns table ("table" text, reads text, writes text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as trusted_roles
as $$
  select c.relname::text, case r.reads when 'a' then r.reader end, case r.writes when 'a' then r.writer end
  from portolan.code_reach() r join pg_class c on r.kind = 'r' and c.oid = r.object
  where c.relnamespace = to_regnamespace(quote_ident(schema)) and 'a' in (r.reads, r.writes)
  order by 1
$$;
