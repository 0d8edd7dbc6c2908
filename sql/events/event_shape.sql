-- The columns that a table had when its shape had this stamp: [present name, type] in the order of a record's text; null
-- when nobody recorded it then. A dropped column has the name null.
create or replace function portolan.event_shape(relation oid, stamp bigint) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may read the shapes
as $$
  select jsonb_agg(jsonb_build_array(a.attname, c.type::bigint) order by c.place)
  from (
      select k.relation, k.attnums, k.types from portolan.shapes k
      where k.relation = event_shape.relation and k.stamp = event_shape.stamp
      limit 1
    ) s
    cross join lateral unnest(s.attnums, s.types) with ordinality c (attnum, type, place)
    left join pg_attribute a on a.attrelid = s.relation and a.attnum = c.attnum and not a.attisdropped
$$;
