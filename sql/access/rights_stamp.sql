-- Changes with the grants, policies, row security and owner of a table, and with the grants on its schema: when it differs
-- from the stamp of the mirrored rights, these are outdated.
create or replace function portolan.rights_stamp(relation oid) returns text
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select md5(concat_ws(
      ' ',
      c.relrowsecurity, c.relforcerowsecurity, c.relowner, c.relacl::text, n.nspacl::text,
      (select string_agg(a.attname || a.attacl::text, ',' order by a.attnum)
       from pg_attribute a where a.attrelid = c.oid and a.attacl is not null),
      (select string_agg(concat_ws('.', p.oid, p.xmin, p.ctid), ',' order by p.oid) from pg_policy p where p.polrelid = c.oid)))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = relation);
end
$$;
