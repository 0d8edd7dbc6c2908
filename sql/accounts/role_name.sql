-- The PostgreSQL role of an account in this database. Raises PX400 when the name would be longer than PostgreSQL
-- allows, because a truncated name could be another account's.
create or replace function portolan.role_name(name text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := name || '@' || current_database();
begin
  if octet_length(v_role) > 63 then
    raise exception 'the role name "%" is longer than 63 bytes', v_role using errcode = 'PX400';
  end if;
  return v_role;
end
$$;
