-- Runs a GRANT that belongs to the rights of a table or view: on itself, its sequences or its history. PostgreSQL stores the
-- grants on an object in one row of its catalogue, which has room for about 2,400 roles; raises PX409 where it is full.
create or replace function portolan.grant_on(relation regclass, statement text) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform portolan.run_grant(statement);
exception
  when program_limit_exceeded then
    raise exception '% has no room for the rights of another account, since % have rights: grant them to a group instead',
      relation, (select count(distinct a.grantee) from pg_class c, aclexplode(c.relacl) a where c.oid = relation)
      using errcode = 'PX409';
end
$$;
