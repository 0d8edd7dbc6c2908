-- Writes the calling gateway's entry, by the connection on which it follows events, and deletes those of gateways whose
-- connection is gone.
create or replace function portolan.note_gateway(backend_started timestamptz, own_figures jsonb) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may write them
as $$
  delete from portolan.gateways g
  where not exists (
    select from pg_stat_get_activity(g.pid) a
    where a.pid = g.pid and (a.backend_start is null or a.backend_start = g.started));
  insert into portolan.gateways (pid, started, figures)
  values (pg_backend_pid(), backend_started, own_figures)
  on conflict (pid) do update set started = excluded.started, noted = clock_timestamp(), figures = excluded.figures
$$;
