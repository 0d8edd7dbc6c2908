-- Several accounts may bring rows into one table at once, and an import that a gateway left behind is in nobody's way.
drop index portolan.jobs_unfinished;
create unique index jobs_unfinished on portolan.jobs (kind, relation)
  where state in ('queued', 'running') and kind <> 'import';
