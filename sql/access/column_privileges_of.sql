-- The privileges of accounts on single columns of a table or view by grants of their own, by any grantor: select, insert and
-- update. A privilege on the table is on all of its columns and is not repeated here.
create or replace function portolan.column_privileges_of(relation regclass)
  returns table (subuser text, "column" text, privileges text[])
  language sql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else reads portolan.users
as $$
  select u.name, a.attname::text,
    array_agg(lower(g.privilege_type) order by array_position('{SELECT,INSERT,UPDATE}', g.privilege_type))
  from pg_attribute a
    cross join aclexplode(a.attacl) g
    join pg_roles r on r.oid = g.grantee
    join portolan.users u on u.role = r.rolname
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped
    and g.privilege_type in ('SELECT', 'INSERT', 'UPDATE')
  group by u.name, a.attname, a.attnum
  order by u.name, a.attnum
$$;
