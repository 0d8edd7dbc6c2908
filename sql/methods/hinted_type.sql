-- The type that a hint of a method names. Null where the hint names a pseudo-type or no type at all. The gateway calls it on
-- the caller's connection. It has no search_path of its own, because the hint is looked up as the types in the statement
-- are.
create or replace function portolan.hinted_type(hint text) returns regtype
  language plpgsql stable
as $$
begin
  return (
    select t.oid from pg_catalog.pg_type t
    where t.oid operator(pg_catalog.=) pg_catalog.to_regtype(hint) and t.typtype operator(pg_catalog.<>) 'p');
exception
  when syntax_error or invalid_parameter_value or feature_not_supported then
    return null; -- setof int4, numeric(4000, 2), int4(5)
end
$$;
