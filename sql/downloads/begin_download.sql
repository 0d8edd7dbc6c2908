-- Records that a gateway is making a file of a collection for an account, which is kept for the given number of
-- seconds, and returns its id and the number of its job. It writes to the audit.
create or replace function portolan.begin_download(
  relation regclass, account text, collection text, format text, seconds integer, out id text, out job bigint)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write jobs
as $$
#variable_conflict use_variable
begin
  delete from portolan.downloads d where d.expires < now();
  id := replace(gen_random_uuid()::text, '-', '');
  insert into portolan.jobs as j (kind, relation, state, total, started_by)
  values ('download', relation, 'running', portolan.row_estimate(relation), account)
  returning j.id into job;
  insert into portolan.downloads (id, job, account, collection, format, secret, expires)
  values (id, job, account, collection, format, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
    now() + make_interval(secs => seconds));
  insert into portolan.audit (event, account, address, details)
  values ('download.begun', account, portolan.caller_address(),
    jsonb_build_object('download', id, 'job', job, 'collection', collection, 'format', format));
end
$$;
