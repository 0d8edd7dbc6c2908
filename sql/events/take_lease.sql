-- Makes the calling process the reader of the outbox, if the lease still has the term that the caller saw: if several
-- try, one wins. The gateway calls it when the holder's connection is gone. Returns the new term, or null. If this is
-- not the database in which positions were assigned (restored elsewhere, copied), transaction ids have lost their
-- meaning: all kept events are deleted and a new epoch begins.
--
-- A server that was promoted, or restored to an instant, continues with the part of the old server's log that it has,
-- and so with its batches and outbox. Positions up to its last batch keep their meaning. The old server may have
-- assigned later ones whose events are lost: their numbers are skipped, so that none of them ever names another batch
-- (EventLog.next).
create or replace function portolan.take_lease(seen_term bigint, backend_started timestamptz) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may write the lease
as $$
declare
  c_skipped constant bigint := 4294967296; -- more batches than a server cuts in its life
  v_term bigint;
  v_database text := format('%s %s ',
    (select c.system_identifier from pg_control_system() c),
    (select d.oid from pg_database d where d.datname = current_database()));
  v_timeline text := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  v_before text;
begin
  update portolan.event_reader r
  set term = r.term + 1, pid = pg_backend_pid(), started = backend_started
  where r.term = seen_term
  returning r.term into v_term;
  if not found then
    return null;
  end if;
  select r.identity into v_before from portolan.event_reader r;
  if starts_with(v_before, v_database) and right(v_before, 8) < v_timeline then
    insert into portolan.batches (n, snapshot, last, events, total, relations)
    select b.n + c_skipped, b.snapshot, b.last, 0, b.total, '{}' from portolan.batches b order by b.n desc limit 1;
    update portolan.event_reader r set identity = v_database || v_timeline;
  elsif v_before is distinct from v_database || v_timeline then
    delete from portolan.outbox;
    delete from portolan.batches;
    delete from portolan.shapes;
    insert into portolan.batches (n, snapshot, last, events, total, relations)
    values (0, pg_current_snapshot(), 0, 0, 0, '{}');
    update portolan.event_reader r
    set identity = v_database || v_timeline, epoch = encode(substring(uuid_send(gen_random_uuid()) for 5), 'hex');
    perform portolan.note_shape(m.member)
    from portolan.event_tables t, unnest(t.members) m (member);
  end if;
  return v_term;
end
$$;
