-- Changes with the columns, privileges and policies of a table: statements that the gateway has prepared for it are outdated
-- then. Called in the statements that judge change events, as the subscriber's role; it reads only what everybody may read.
create or replace function portolan.event_version(relation oid) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select pg_catalog.concat_ws(' ',
    (select c.xmin::pg_catalog.text from pg_catalog.pg_class c where c.oid = relation),
    (select pg_catalog.md5(pg_catalog.string_agg(a.xmin::pg_catalog.text, ',' order by a.attnum))
     from pg_catalog.pg_attribute a where a.attrelid = relation and a.attnum > 0),
    (select pg_catalog.md5(pg_catalog.string_agg(p.oid || '.' || p.xmin, ',' order by p.oid))
     from pg_catalog.pg_policy p where p.polrelid = relation))
$$;
