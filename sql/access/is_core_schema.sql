-- Whether only roles of core_owners decide what a name of this schema means: nobody else owns it or may create there.
create or replace function portolan.is_core_schema(schema oid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
as $$
  with core as materialized (select c.role from portolan.core_owners() c (role))
  select not exists (
    select n.nspowner from pg_namespace n where n.oid = schema and n.nspowner not in (select c.role from core c)
    union all
    select a.grantee
    from pg_namespace n cross join aclexplode(n.nspacl) a
    where n.oid = schema and a.privilege_type = 'CREATE' and a.grantee not in (select c.role from core c))
$$;
