-- Refuses a request on relations where a rule denies it to the caller. Row level security gives such a caller no rows; this
-- is for interfaces, which know the relations beforehand and can say so. The gateway calls it under the caller's role, with
-- relations as schema-qualified names. Raises 42501, PX400, PX401.
create or replace function portolan.check_access(relations text[], request text default 'select') returns void
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relation regclass;
begin
  foreach v_relation in array relations::regclass[] loop
    if portolan.access(v_relation, request) = 'deny' then
      perform portolan.refuse(v_relation, request);
    end if;
  end loop;
end
$$;
