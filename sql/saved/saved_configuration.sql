-- The part of the configuration that accounts save and share (see saved_kinds): for each table of them its things by name. Those of
-- a table that has been dropped are left out.
create or replace function portolan.saved_configuration() returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: as configuration
as $$
declare
  v_table name;
  v_part jsonb;
  v_parts jsonb := '{}';
begin
  for v_table in select k.relation from portolan.saved_kinds() k loop
    execute format(
      $sql$select jsonb_object_agg(m.name, to_jsonb(m) - '{name,version}'::text[])
        from portolan.%I m where coalesce(to_jsonb(m) ->> 'relation', '') !~ '^[0-9]+$'$sql$, v_table)
      into v_part;
    v_parts := v_parts || jsonb_build_object(v_table, coalesce(v_part, '{}'));
  end loop;
  return v_parts;
end
$$;
