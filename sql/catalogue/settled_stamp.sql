-- The stamp together with the version of Portolan's code in this database, shortened.
create or replace function portolan.settled_stamp(stamp text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select md5(concat_ws(' ', stamp, (select string_agg(c.hash, ' ' order by c.path) from portolan.code c)))
$$;
