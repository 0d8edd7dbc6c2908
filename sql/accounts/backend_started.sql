-- When the connection with that number began. Null where there is none, and where the owner of this schema may not see
-- it because it is neither a super user nor a member of pg_read_all_stats. For registrations, because PostgreSQL reuses
-- numbers.
create or replace function portolan.backend_started(pid integer) returns timestamptz
  language sql stable
as $$
  select a.backend_start from pg_catalog.pg_stat_get_activity(backend_started.pid) a
$$;
