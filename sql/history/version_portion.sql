-- Begins the history of a large table in portions; this call does the portion at position. First the twin is made, then the
-- triggers under a short lock, then the rows are copied in the order of their place, as many at once as take about 40 ms,
-- and in the end the history is opened to readers. Writers continue meanwhile: the triggers make the versions of rows that
-- they touch, and the copy leaves these out. Returns the next position, null when all is done, and how many rows were
-- copied. Raises PX400, 42501, 55P03 where another session holds a lock.
create or replace function portolan.version_portion(relation regclass, "position" jsonb, out next jsonb, out rows bigint)
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
  set enable_seqscan = off -- a range of places is read, and never the whole table
as $$
#variable_conflict use_variable
declare
  v_table portolan.versioned_tables;
  v_member regclass;
  v_fresh boolean;
begin
  rows := 0;
  select v.* into v_table from portolan.versioned_tables v where v.relation = version_portion.relation;
  if v_table.closing is not null then -- earlier records end first
    select "position" || jsonb_build_object('close', coalesce(p.next, '{}')) into next
    from portolan.close_portion(relation, coalesce("position" -> 'close', '{}')) p;
    return;
  elsif v_table.active and not v_table.filling then
    return; -- another session did not want to wait
  elsif "position" ->> 'phase' = 'fill' and v_table.filling then
    if v_table.seen <> portolan.history_stamp(relation, v_table.history) then
      perform portolan.one_at_a_time();
      perform portolan.refresh_mirror(relation); -- DDL since the last portion
      select v.* into v_table from portolan.versioned_tables v where v.relation = version_portion.relation;
    end if;
    select m into v_member
    from unnest(v_table.members) m join pg_class c on c.oid = m and c.relkind = 'r'
    where not "position" -> 'filled' ? m::text
    order by m
    limit 1;
    if v_member is not null then
      select p.next, p.rows into next, rows from portolan.copy_portion(relation, v_member, v_table.history, "position") p;
      return;
    end if;
  end if;

  perform portolan.one_at_a_time();
  perform portolan.check_versioning(relation);
  perform set_config('portolan.following', 'on', true);
  if v_table.filling and "position" ->> 'phase' = 'fill' then
    if not v_table.members @> array(select m::oid from jsonb_object_keys("position" -> 'files') m) then
      execute format('lock table %s in share row exclusive mode', relation);
      perform portolan.end_lost_versions(relation, v_table.history); -- of a detached partition, which has taken its rows with it
    end if;
    update portolan.versioned_tables v
    set filling = false, since = case when "position" ->> 'fresh' is not null then clock_timestamp() else v.since end
    where v.relation = version_portion.relation;
    perform portolan.install_history(relation); -- the triggers need no longer look for uncopied rows
  elsif "position" ->> 'phase' = 'begin' then
    execute format('select not exists (select from %s)', v_table.history) into v_fresh;
    update portolan.versioned_tables v set filling = true where v.relation = version_portion.relation;
    perform portolan.install_history(relation);
    next := jsonb_build_object(
      'phase', 'fill', 'filled', '[]'::jsonb, 'blocks', 32,
      'fresh', case when v_fresh then portolan.database_identity() end,
      -- the triggers exist now: rows with a lower number were written before, or by a transaction that began before
      'xid', pg_snapshot_xmax(pg_current_snapshot())::xid::text,
      'files', (
        select jsonb_object_agg(m, coalesce(pg_relation_filenode(m), 0)::text)
        from portolan.versioned_tables v, unnest(v.members) m where v.relation = version_portion.relation));
  else
    insert into portolan.versioned_tables (relation, active) values (relation, false) on conflict do nothing;
    perform portolan.prepare_history(relation);
    next := '{"phase": "begin"}';
  end if;
  perform set_config('portolan.following', '', true);
end
$$;
