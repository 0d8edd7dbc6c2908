-- Ends all open versions of a twin that is not kept any more, and takes everybody's rights on it away. Called by
-- disable_versioning, and by follow_history when the table is gone.
create or replace function portolan.close_history(history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_grantee oid;
begin
  execute format(
    'update %s h set portolan_to = greatest(now(), h.portolan_from + interval ''1 microsecond''), '
    'portolan_ended_by = session_user where h.portolan_to = ''infinity''', history);
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

comment on function portolan.close_history(regclass) is 'Ends all open versions of a twin that is not kept any more.';
