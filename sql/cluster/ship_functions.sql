-- Makes the functions on the nodes of Citus that statements of the gateway call for each row: they read no table, and the rest
-- of schema portolan is not there. Called by every migration, in a transaction that tells the nodes of DDL. Does nothing
-- without Citus.
create or replace function portolan.ship_functions() returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_function oid;
begin
  if not portolan.has_citus() then
    return;
  end if;
  for v_function in
    select p.oid from pg_proc p
    where p.pronamespace = 'portolan'::regnamespace
      and p.proname in (
        'encode_key', 'local_metres', 'straight_geometry', 'transform_bounds', 'try_intersects', 'try_relation', 'try_transform')
    order by p.proname
  loop
    execute pg_get_functiondef(v_function);
  end loop;
end
$$;
