-- Whether PostgreSQL may run code of a role that is no core owner when it reads a value of this type from a text. It does so
-- when it parses an expression with such a constant: a composite, an array or a range with a part that is a domain, or may
-- become one. The check of a plain domain runs only when the expression runs.
create or replace function portolan.code_in_value(type oid) returns boolean
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from portolan.base_type(type, -1) b, portolan.author_types(b.oid) t where t.kind <> 'e');
end
$$;
