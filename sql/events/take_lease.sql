-- Makes the calling process the reader of the outbox, if the lease still has the term that the caller saw: of several that
-- try, one wins. The gateway calls it when the holder's connection is gone. Returns the new term, or null. When the database
-- is not the one that positions were given out in (restored elsewhere, copied, or promoted on another timeline), transaction
-- ids have lost their meaning: all kept events are deleted and a new epoch begins.
create or replace function portolan.take_lease(seen_term bigint, backend_started timestamptz) returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody but the owner may write the lease
as $$
declare
  v_term bigint;
  v_identity text := format('%s %s %s',
    (select c.system_identifier from pg_control_system() c),
    (select d.oid from pg_database d where d.datname = current_database()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8));
begin
  update portolan.event_reader r
  set term = r.term + 1, pid = pg_backend_pid(), started = backend_started
  where r.term = seen_term
  returning r.term into v_term;
  if not found then
    return null;
  end if;
  if exists (select from portolan.event_reader r where r.identity is distinct from v_identity) then
    delete from portolan.outbox;
    delete from portolan.batches;
    delete from portolan.shapes;
    insert into portolan.batches (n, snapshot, last, events, total, relations)
    values (0, pg_current_snapshot(), 0, 0, 0, '{}');
    update portolan.event_reader r
    set identity = v_identity, epoch = encode(substring(uuid_send(gen_random_uuid()) for 5), 'hex');
    perform portolan.note_shape(m.member)
    from portolan.event_tables t, unnest(t.members) m (member);
  end if;
  return v_term;
end
$$;
