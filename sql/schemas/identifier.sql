-- A quoted name. Raises PX400 for an empty name, and for one that PostgreSQL would cut.
create or replace function portolan.identifier(name text) returns text
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(name, '') = '' or octet_length(name) > 63 then
    raise exception 'a name must have 1 to 63 bytes: %', quote_nullable(left(name, 100)) using errcode = 'PX400';
  end if;
  return quote_ident(name);
end
$$;
