-- A role in the form that GRANT and CREATE POLICY take.
create or replace function portolan.role_sql(role oid) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end
$$;
