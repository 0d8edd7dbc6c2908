-- Whether functions may run the code of this role that have more rights than their caller: it is a super user of PostgreSQL
-- or the owner of schema portolan, and has those rights anyway; where one of them owns the database, pg_database_owner is
-- one too. The trusted roles are more (trusted_roles): of the accounts they may become any, but the keys and Portolan's
-- owner are not theirs. False for a dropped role. It looks at one role, since a cluster may have as many as it has accounts.
create or replace function portolan.is_core_owner(role oid) returns boolean
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from pg_roles r
    where r.oid = any (array[role, (
        select d.datdba
        from pg_database d join pg_roles p on p.oid = role and p.rolname = 'pg_database_owner'
        where d.datname = current_database())])
      and (r.rolsuper or r.oid = (select n.nspowner from pg_namespace n where n.nspname = 'portolan')));
end
$$;
