-- Takes tables that have no events any more out of the publication of the nodes of Citus: events were switched off while a node
-- was down (remove_events). The gateway that reads the events calls it while all nodes answer. The problem, null when nothing is left.
create or replace function portolan.leave_rest() returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp -- definer: only the owner may change the publication
as $$
declare
  v_rest constant oid[] := array(
    select r.prrelid
    from pg_publication p join pg_publication_rel r on r.prpubid = p.oid
    where p.pubname = 'portolan_events'
      and not exists (select from portolan.event_tables t where t.active and r.prrelid = any (t.members)));
begin
  if v_rest = '{}' or not portolan.has_citus() then
    return null;
  end if;
  perform portolan.one_at_a_time();
  perform portolan.leave_shards(v_rest);
  return null;
exception
  when connection_exception or lock_not_available then
    return sqlerrm;
end
$$;
