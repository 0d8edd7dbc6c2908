-- Whether only core owners (is_core_owner) decide what a name of this schema means: nobody else owns it or may create there.
create or replace function portolan.is_core_schema(schema oid) returns boolean
  language sql stable
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
as $$
  select not exists (
    select n.nspowner from pg_namespace n where n.oid = schema and not portolan.is_core_owner(n.nspowner)
    union all
    select a.grantee
    from pg_namespace n cross join aclexplode(n.nspacl) a
    where n.oid = schema and a.privilege_type = 'CREATE' and not portolan.is_core_owner(a.grantee))
$$;
