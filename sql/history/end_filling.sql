-- Ends the copying of rows in portions before all are copied: the history is as one that is not kept, and its job stops.
create or replace function portolan.end_filling(relation regclass) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  update portolan.versioned_tables v set filling = false, active = false where v.relation = end_filling.relation and v.filling;
  update portolan.jobs j
  set state = 'stopped', updated = clock_timestamp()
  where j.kind = 'versioning' and j.relation = end_filling.relation and j.state in ('queued', 'running');
$$;

comment on function portolan.end_filling(regclass) is 'Ends the copying of rows in portions before all are copied.';
