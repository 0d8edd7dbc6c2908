-- Stores the types that a dry run has found, if the method's statement has not changed since. Only the gateway calls
-- it, so that nobody can give another account's method false types.
create or replace function portolan.note_method_types(
  method text, q text, input_schema json, output_schema json, relations oid[]
) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: the caller of a method need not be its owner
as $$
  update portolan.methods m
  set
    input_schema = note_method_types.input_schema,
    output_schema = note_method_types.output_schema,
    relations = note_method_types.relations,
    relations_stamp = portolan.relations_stamp(note_method_types.relations)
  where m.method = note_method_types.method and m.q = note_method_types.q
$$;
