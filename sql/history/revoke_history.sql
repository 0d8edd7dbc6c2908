-- Revokes all rights on a twin, except those of its owner.
create or replace function portolan.revoke_history(history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_grantee oid;
begin
  for v_grantee in
    select distinct a.grantee
    from pg_class c, aclexplode(c.relacl) a
    where c.oid = history and a.grantee <> c.relowner
    union
    select a.grantee from pg_attribute t, aclexplode(t.attacl) a where t.attrelid = history
  loop
    execute format('revoke all on table %s from %s', history, portolan.role_sql(v_grantee));
  end loop;
end
$$;
