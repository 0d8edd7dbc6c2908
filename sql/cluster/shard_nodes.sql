-- The nodes of Citus (by the ids of their groups) whose logs are to be read for events, and those that keep a slot which
-- nobody needs any more (not wanted): no table has events, or the node is gone. No row without Citus. The gateway that reads
-- the events asks often.
create or replace function portolan.shard_nodes() returns table (node integer, name text, wanted boolean)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp -- definer: nobody else may read what is noted there
as $$
declare
  v_followed boolean;
begin
  if not portolan.has_citus() then
    return;
  end if;
  v_followed := exists (
    select from pg_publication p
      join pg_publication_rel r on r.prpubid = p.oid
      join portolan.event_tables t on t.active and r.prrelid = any (t.members)
    where p.pubname = 'portolan_events');
  return query
    select n.groupid, format('%s:%s', n.nodename, n.nodeport), true
    from pg_dist_node n
    where v_followed and n.isactive and n.noderole = 'primary'
    union all
    select p.node, coalesce(format('%s:%s', n.nodename, n.nodeport), p.node::text), false
    from portolan.shard_positions p left join pg_dist_node n on n.groupid = p.node and n.noderole = 'primary'
    where not v_followed or n.nodeid is null;
end
$$;
