-- Refuses a statement whose snapshot is older than the policies of its table: it sees the earlier rules, but PostgreSQL
-- plans with the present policies. Without this error the table would look empty. Takes the number of the old rule, so
-- that PostgreSQL cannot call it while it plans. Raises 40001 (serialization_failure) in schema portolan.
create or replace function portolan.refuse_old_rules(rule integer) returns boolean
  language plpgsql stable parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'could not serialize access due to a change of the rules'
    using errcode = 'serialization_failure', schema = 'portolan', hint = 'The transaction might succeed if retried.';
end
$$;
