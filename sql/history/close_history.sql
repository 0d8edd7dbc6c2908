-- Ends all open versions of a twin that is no longer kept, at this instant, or right after its beginning where a
-- version began later. where: which of them, as a condition on h. Returns how many.
create or replace function portolan.close_history(history regclass, at timestamptz, "where" text default 'true') returns bigint
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_rows bigint;
begin
  execute format(
    'update %s h set portolan_to = greatest(%L, h.portolan_from + interval ''1 microsecond''), '
    'portolan_ended_by = session_user where h.portolan_to = ''infinity'' and %s', history, at, "where");
  get diagnostics v_rows = row_count;
  return v_rows;
end
$$;
