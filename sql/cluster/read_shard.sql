-- The changes of tables with events in the log of a node of Citus (by the id of its group) since the last call, for the gateway
-- that reads the events: the position that is kept already (known), and a text. Its first line has the position up to which it
-- was read, the time of that, whether that is all (t or f), and whether the one transaction in it is too large (t or f). Each
-- other line is a message of pgoutput in hexadecimal. It reads whole transactions, about `most` changes and at most `bytes`
-- of messages; of a transaction that has more it tells only the tables. Where the node does not answer it has a problem
-- instead. Makes the slot where it is missing, or was not read yet, and has no row then.
create or replace function portolan.read_shard(node integer, most integer, bytes integer)
  returns table (known text, log text, problem text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read logs
as $$
declare
  v_slot constant text := portolan.shard_slot();
  v_success boolean;
  v_result text;
begin
  known := (select p.upto::text from portolan.shard_positions p where p.node = read_shard.node);
  -- what was kept is forgotten first; a node that crashed may have forgotten that, so the gateway skips what it has
  select r.success, r.result into v_success, v_result
  from portolan.run_on_node(node, format($command$
    with settings as materialized (
      select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
        set_config('timezone', 'UTC', true), set_config('extra_float_digits', '1', true),
        set_config('bytea_output', 'hex', true)
    ), slot as materialized (
      -- flushed: what is only written yet is not decoded, and would be skipped
      select s.slot_name, pg_current_wal_flush_lsn() as upto, clock_timestamp() as at,
        case when %1$L::pg_lsn > s.confirmed_flush_lsn then (pg_replication_slot_advance(s.slot_name, %1$L::pg_lsn)).end_lsn end as moved
      from settings cross join pg_replication_slots s
      where s.slot_name = %2$L
    ), messages as materialized (
      select c.place, c.data, get_byte(c.data, 0) as kind,
        count(*) filter (where get_byte(c.data, 0) = ascii('B')) over (order by c.place) as part
      from slot s
        cross join lateral pg_logical_slot_peek_binary_changes(s.slot_name, s.upto, %3$s, 'proto_version', '1',
          'publication_names', 'portolan_events,portolan_truncations') with ordinality c (lsn, xid, data, place)
    ), parts as materialized (
      select p.part, p.bytes > %4$s as large, sum(p.bytes) over (order by p.part) <= %4$s or p.part = 1 as fits, p.messages
      from (select m.part, sum(length(m.data)) as bytes, count(*) as messages from messages m group by m.part) p
    )
    select concat_ws(E'\n',
      format('%%s %%s %%s %%s', s.upto, extract(epoch from s.at),
        (select coalesce(bool_and(p.fits) and sum(p.messages) < %3$s, true) from parts p),
        exists (select from parts p where p.part = 1 and p.large)),
      (
        select string_agg(encode(m.data, 'hex'), E'\n' order by m.place)
        from messages m join parts p on p.part = m.part and p.fits
        where not p.large or chr(m.kind) in ('B', 'C', 'R', 'T', 'Y')))
    from slot s$command$, known, v_slot, most, bytes)) r;
  if not found then
    problem := 'it is gone';
    return next;
  elsif v_success and (v_result = '' or known is null) then
    perform portolan.make_shard_slot(node, false);
  elsif not v_success and v_result ~ 'can no longer get changes|publication .* does not exist' then
    perform portolan.make_shard_slot(node, true); -- it never can again
  else
    log := case when v_success then v_result end;
    problem := case when not v_success then v_result end;
    return next;
  end if;
end
$$;
