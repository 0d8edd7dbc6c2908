-- The key of a row as key_text writes it, if the caller may read the row; else null. key: see key_condition. Security
-- invoker: the caller's rights and the policies of the table decide.
create or replace function portolan.seen_key(relation regclass, key text) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_key text;
begin
  execute format('select %s from %s t where %s',
    portolan.key_text(relation, 't'), relation, portolan.key_condition(relation, key, 't')) into v_key;
  return v_key;
exception
  when insufficient_privilege or sqlstate 'PX400' or sqlstate 'PX401' then
    return null;
end
$$;
