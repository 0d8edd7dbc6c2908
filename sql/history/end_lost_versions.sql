-- Ends the open versions whose row is not in the table: a partition may have gone with its rows.
create or replace function portolan.end_lost_versions(relation regclass, history regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set row_security = off -- an error rather than a policy that runs as the owner
  set constraint_exclusion = off
as $$
begin
  perform portolan.check_twin(relation, history);
  execute format(
    'update %s h set portolan_to = greatest(now(), h.portolan_from + interval ''1 microsecond''), '
    'portolan_ended_by = session_user where h.portolan_to = ''infinity'' '
    'and not exists (select from %s b where %s)', history, relation,
    (select string_agg(format('h.%1$I = b.%1$I', k), ' and ') from unnest(portolan.key_columns(relation)) k));
end
$$;
