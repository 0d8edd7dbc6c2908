-- Raises PX404: there is no object of that kind and name.
create or replace function portolan.raise_not_found(kind text, name text, of text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'there is no % % of %', kind, quote_nullable(left(name, 100)), of using errcode = 'PX404';
end
$$;
