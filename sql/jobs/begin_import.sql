-- Records that a gateway imports rows of a file into a table for an account, and returns the number of the job. The rows are
-- one transaction of their own: the job shows the progress, and can be stopped.
create or replace function portolan.begin_import(relation regclass, account text) returns bigint
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write jobs
as $$
  insert into portolan.jobs (kind, relation, state, started_by)
  values ('import', relation, 'running', account)
  returning id
$$;
