-- The changes of tables with events in the log of a node of Citus (by the id of its group) since the last call, for the gateway
-- that reads the events: the position that is kept already (known), and a text. Its first line has the position up to which it
-- was read, the time of that, whether that is all (t or f), whether the one transaction in it is too large (t or f), and the timeline. Each
-- other line is a message of pgoutput in hexadecimal. It reads whole transactions, about `most` changes and at most `bytes`
-- of messages; of a transaction that has more it tells only the tables. Where the node does not answer it has a problem
-- instead. Makes the slot where it is missing, or was not read yet, and has no row then. So it does where the log may lack
-- something: the node has failed over to a standby that had not got all that was read (the kept timeline ended before that), or
-- more was read than the coordinator knows, which has failed over.
create or replace function portolan.read_shard(node integer, most integer, bytes integer)
  returns table (known text, log text, problem text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read logs
as $$
declare
  v_slot constant text := portolan.shard_slot();
  v_success boolean;
  v_result text;
  v_kept integer;
  v_timeline integer;
begin
  select p.upto::text, p.timeline into known, v_kept from portolan.shard_positions p where p.node = read_shard.node;
  -- what was kept is forgotten first; a node that crashed may have forgotten that, so the gateway skips what it has
  select r.success, r.result into v_success, v_result
  from portolan.run_on_node(node, format($command$
    with settings as materialized (
      select set_config('datestyle', 'ISO, YMD', true), set_config('intervalstyle', 'postgres', true),
        set_config('timezone', 'UTC', true), set_config('extra_float_digits', '1', true),
        set_config('bytea_output', 'hex', true)
    ), here as materialized (
      -- parted: the log is another than the one that was read, from a position before `known`
      select t.timeline, coalesce(%5$L::integer <> t.timeline and %1$L::pg_lsn > coalesce((
          select h.line[2]::pg_lsn
          from regexp_matches(
            pg_read_file(format('pg_wal/%%s.history', left(t.file, 8)), 0, 1000000, true), '^(\d+)\t(\S+)', 'gn') h (line)
          where h.line[1]::integer = %5$L::integer), '0/0'), false) as parted
      from (
        select f.file, ('x' || left(f.file, 8))::bit(32)::integer as timeline
        from settings cross join pg_walfile_name(pg_current_wal_insert_lsn()) f (file)
      ) t
    ), slot as materialized (
      -- flushed: what is only written yet is not decoded, and would be skipped
      select s.slot_name, pg_current_wal_flush_lsn() as upto, clock_timestamp() as at,
        n.timeline, n.parted or %1$L::pg_lsn > '0/0' and s.confirmed_flush_lsn > %1$L::pg_lsn as torn,
        case when not n.parted and %1$L::pg_lsn > s.confirmed_flush_lsn
          then (pg_replication_slot_advance(s.slot_name, %1$L::pg_lsn)).end_lsn end as moved
      from here n cross join pg_replication_slots s
      where s.slot_name = %2$L
    ), messages as materialized (
      select c.place, c.data, get_byte(c.data, 0) as kind,
        count(*) filter (where get_byte(c.data, 0) = ascii('B')) over (order by c.place) as part
      from slot s
        cross join lateral pg_logical_slot_peek_binary_changes(s.slot_name, s.upto, %3$s, 'proto_version', '1',
          'publication_names', 'portolan_events,portolan_truncations') with ordinality c (lsn, xid, data, place)
      where not s.torn
    ), parts as materialized (
      select p.part, p.bytes > %4$s as large, sum(p.bytes) over (order by p.part) <= %4$s or p.part = 1 as fits, p.messages
      from (select m.part, sum(length(m.data)) as bytes, count(*) as messages from messages m group by m.part) p
    )
    select concat_ws(E'\n',
      case when s.torn then 'torn' else format('%%s %%s %%s %%s %%s', s.upto, extract(epoch from s.at),
        (select coalesce(bool_and(p.fits) and sum(p.messages) < %3$s, true) from parts p),
        exists (select from parts p where p.part = 1 and p.large), s.timeline) end,
      (
        select string_agg(encode(m.data, 'hex'), E'\n' order by m.place)
        from messages m join parts p on p.part = m.part and p.fits
        where not p.large or chr(m.kind) in ('B', 'C', 'R', 'T', 'Y')))
    from slot s$command$, known, v_slot, most, bytes, v_kept)) r;
  if not found then
    problem := 'it is gone';
    return next;
  elsif v_success and (v_result = '' or known is null) then
    perform portolan.make_shard_slot(node, false);
  elsif v_success and v_result = 'torn' then
    perform portolan.make_shard_slot(node, true);
  elsif not v_success and v_result ~ 'can no longer get changes|publication .* does not exist' then
    perform portolan.make_shard_slot(node, true); -- it never can again
  else
    if v_success then
      log := v_result;
      v_timeline := split_part(split_part(v_result, E'\n', 1), ' ', 5)::integer;
      if v_timeline is distinct from v_kept then
        update portolan.shard_positions p set timeline = v_timeline where p.node = read_shard.node;
      end if;
    end if;
    problem := case when not v_success then v_result end;
    return next;
  end if;
end
$$;
