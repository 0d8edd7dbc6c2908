-- Switches the events of a table of Citus on: it is published whole on each node. The gateway that reads the events makes the
-- slots (read_shard). What is written until then is a gap. Does nothing where it is published. Raises PX400.
create or replace function portolan.follow_shards(relation regclass) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_member regclass;
  v_members oid[] := portolan.event_members(relation);
  v_new boolean := false;
begin
  perform portolan.check_followed(relation);
  foreach v_member in array v_members loop
    perform portolan.note_shape(v_member);
    continue when exists (
      select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
      where p.pubname = 'portolan_events' and r.prrelid = v_member)
      or (select c.relkind from pg_class c where c.oid = v_member) <> 'r';
    v_new := true;
    execute format('alter table %s replica identity full', v_member); -- old rows whole
    execute format(
      case when exists (select from pg_publication p where p.pubname = 'portolan_events')
        then 'alter publication portolan_events add table %s' else 'create publication portolan_events for table %s' end,
      v_member);
  end loop;
  insert into portolan.event_tables as t (relation, active, members)
  values (relation, true, v_members)
  on conflict on constraint event_tables_pkey do update set active = true, members = excluded.members
  where not t.active or t.members <> excluded.members;
  if v_new then
    insert into portolan.outbox (relation, operation) values (relation, 't');
    perform pg_notify('portolan', '');
  end if;
end
$$;

-- The contrary. Does nothing where it is not published. The gateway that reads the events drops the slots then (leave_shard).
create or replace function portolan.leave_shards(members oid[]) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_member regclass;
begin
  for v_member in
    select r.prrelid::regclass from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
    where p.pubname = 'portolan_events' and r.prrelid = any (members)
  loop
    execute format('alter publication portolan_events drop table %s', v_member);
    execute format('alter table %s replica identity default', v_member);
  end loop;
  if exists (select from pg_publication p where p.pubname = 'portolan_events')
    and not exists (
      select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid where p.pubname = 'portolan_events')
  then
    drop publication portolan_events;
  end if;
end
$$;
