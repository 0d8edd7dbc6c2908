-- Writes into the audit how a table was kept before, and is kept now. It is a gap for subscribers: Citus does not report what
-- was written to a shard that is gone when its log is read.
create or replace function portolan.note_shards(relation regclass, before jsonb) returns void
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  update portolan.row_security s
  set wanted = portolan.wanted_protection(s.relation), made = portolan.made_protection(s.relation)
  where s.relation = note_shards.relation;
  if portolan.events_of(relation) then
    insert into portolan.outbox (relation, operation) values (relation, 't');
    perform pg_notify('portolan', '');
  end if;
  insert into portolan.audit (event, details)
  values ('shards.changed', jsonb_build_object('by', portolan.actor(), 'relation', relation::text, 'before', before,
    'after', portolan.shards_of(relation)));
end
$$;
