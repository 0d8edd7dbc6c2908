-- The statement of a history trigger that tells the outbox of a write. Where the table has events these tell of it: see
-- table_stamp.
create or replace function portolan.history_in_outbox(relation regclass, member oid) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select format($body$insert into portolan.outbox (relation, operation)
      select %1$s, 'v'
      where not exists (select from portolan.event_tables t where t.relation = %2$s and t.active)$body$,
    member, relation::oid)
$$;
