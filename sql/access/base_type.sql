-- A type, as SQL writes it with its modifier; for a domain its base type, at any depth. A value of that runs no check.
create or replace function portolan.base_type(type oid, modifier integer, out oid oid, out name text)
  language plpgsql stable -- not sql, which would plan it at each call
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_type record;
begin
  oid := type;
  loop
    select t.typtype, t.typbasetype, t.typtypmod into v_type from pg_type t where t.oid = base_type.oid;
    exit when v_type.typtype is distinct from 'd';
    oid := v_type.typbasetype;
    modifier := v_type.typtypmod;
  end loop;
  name := format_type(oid, modifier);
end
$$;
