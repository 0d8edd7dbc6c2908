-- Marks the calling transaction as one that writes only the log of requests, so that portolan.data_snapshot leaves it
-- out. Must be its first write.
create or replace function portolan.join_log_run() returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may write it
as $$
  insert into portolan.log_run as r (since, last)
  select x.xid, x.xid
  from (select pg_current_xact_id() as xid where pg_current_xact_id_if_assigned() is null) x
  on conflict on constraint log_run_pkey do update set
    since = case when r.last::text::bigint + 1 = excluded.last::text::bigint then r.since else excluded.since end,
    last = excluded.last
$$;

revoke execute on function portolan.join_log_run() from public;
