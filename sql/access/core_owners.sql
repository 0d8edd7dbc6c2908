-- The roles whose code functions may run that have more rights than their caller: super users of PostgreSQL and the owner of
-- schema portolan, who have those rights anyway; where one of them owns the database, pg_database_owner too. The trusted
-- roles are more (trusted_roles): of the accounts they may become any, but the keys and Portolan's owner are not theirs.
create or replace function portolan.core_owners() returns setof oid
  language sql stable
  set search_path = pg_catalog, pg_temp
  set jit = off -- compiling takes longer than the answer
as $$
  with core as (
    select r.oid
    from pg_roles r
    where r.rolsuper or r.oid = (select n.nspowner from pg_namespace n where n.nspname = 'portolan')
  )
  select c.oid from core c
  union all
  select r.oid
  from pg_roles r
  where r.rolname = 'pg_database_owner'
    and (select d.datdba from pg_database d where d.datname = current_database()) in (select c.oid from core c)
$$;
