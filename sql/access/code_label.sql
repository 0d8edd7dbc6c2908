-- The name of a node of code_edges for people, such as `policy own on app.plots`. Null for a dropped thing.
create or replace function portolan.code_label(class oid, object oid) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select i.type || ' ' || i.identity
  from pg_identify_object(case when class < 16 then 'pg_class'::regclass::oid else class end, object, 0) i
$$;
