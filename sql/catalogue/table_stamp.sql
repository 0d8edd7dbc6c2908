-- Whether a table still holds the same rows. `stamp` is for the rows that the calling statement sees, and `unchanged`
-- says whether they are those of `known`, an earlier stamp of the table. Two snapshots never get the same answer by
-- mistake: writes are looked up in the outbox, by the transactions that this snapshot sees and that of `known` did not,
-- so that a transaction which began before `known` and was committed later counts. Where both are the same snapshot,
-- nothing was committed anywhere except to the request log, and nothing need be looked up. TRUNCATE, and a change of
-- the table, its partitions, policies, triggers and grants count too. Null where this is unknown: neither events nor
-- history, one of their triggers is disabled or missing, a standby, a transaction that writes, a caller who may not
-- select. A stamp is valid for connections that are older than it: after a crash, a restore or a promotion, numbers of
-- lost transactions may be used again, and by then every connection is new.
create or replace function portolan.table_stamp(
  relation oid, known text default null, out stamp text, out unchanged boolean)
  language plpgsql stable parallel restricted security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may read the outbox
  set enable_seqscan = off -- the ids are parameters: a generic plan would read the whole outbox
  set jit = off -- disabled plans count as expensive, so that the statement would be compiled each time
as $$
#variable_conflict use_variable
declare
  v_caller constant name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  v_now pg_snapshot;
  v_timeline text;
  v_members oid[];
  v_shape text;
  v_parts text[];
  v_holds boolean;
  v_known pg_snapshot;
begin
  if pg_is_in_recovery() or pg_current_xact_id_if_assigned() is not null
    or not coalesce(has_any_column_privilege(v_caller, relation, 'select'), false)
  then
    return;
  end if;
  v_now := portolan.data_snapshot();
  v_timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  v_parts := string_to_array(known, ' ');
  v_holds := cardinality(v_parts) = 3 and starts_with(v_parts[1], v_timeline || '/' || relation || '/')
    and to_timestamp(v_parts[3]::float8) > (select a.backend_start from pg_stat_get_activity(pg_backend_pid()) a);
  if v_holds and v_parts[2] = v_now::text then
    stamp := concat_ws(' ', v_parts[1], v_now, extract(epoch from clock_timestamp()));
    unchanged := true;
    return;
  end if;
  v_members := portolan.stamped_members(relation);
  if v_members is null then
    return;
  end if;
  v_shape := v_timeline || '/' || relation || '/' || portolan.members_stamp(v_members);
  stamp := concat_ws(' ', v_shape, v_now, extract(epoch from clock_timestamp()));
  unchanged := false;
  if v_holds and v_parts[1] = v_shape then
    v_known := v_parts[2]::pg_snapshot;
    unchanged := pg_snapshot_xmax(v_now) >= pg_snapshot_xmax(v_known)
      and not exists (select from pg_snapshot_xip(v_now) x (xid) where pg_visible_in_snapshot(x.xid, v_known))
      -- entries older than the first batch may have been cleared
      and pg_snapshot_xmin(v_known) >= coalesce(
        (select pg_snapshot_xmin(b.snapshot) from portolan.batches b order by b.n limit 1), pg_snapshot_xmin(v_known))
      and (
        -- after very many writes to other tables the look-up costs too much
        select count(*) filter (where w.relation = any (v_members)) = 0 and count(*) <= 10000
        from (
          select o.relation
          from portolan.outbox o
          where o.xid >= pg_snapshot_xmax(v_known) or o.xid = any (array(select pg_snapshot_xip(v_known)))
          limit 10001
        ) w);
  end if;
end
$$;
