-- The type that a hint of a method names; null where it names none that a value can have: a pseudo-type, or what is no
-- name of a type. Called by the gateway, on the caller's connection: it has no search_path of its own, because the hint is
-- looked up as the statement's own types are.
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
