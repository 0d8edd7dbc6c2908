-- Refuses to begin a version of a row whose last one has not ended. Above read committed, that version or its end is
-- newer than the transaction's snapshot: a retry can succeed. Otherwise the constraint of the key is deferred, and two
-- rows have the same key. Raises 40001, 0A000.
create or replace function portolan.refuse_version(relation oid) returns timestamptz
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    raise exception 'could not serialize access to % due to concurrent update', relation::regclass
      using errcode = 'serialization_failure';
  end if;
  raise exception 'a key of % has two rows for a while, which its history cannot tell apart', relation::regclass
    using errcode = 'feature_not_supported',
      hint = 'do not defer the primary key: change both rows in one statement, or delete first';
end
$$;
